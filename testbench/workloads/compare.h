// How far a result is from what a reference says: a line for each of the first elements that differ.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "testbench/workloads/workload.h"

namespace tpb::workloads {

// `raw`: the result in memory, numpy order, little endian, in the dtype of the array. -0 is not +0, and a NaN is the
// quiet NaN of its format.
std::vector<std::string> bit_differences(const Array& expected, std::span<const std::uint8_t> raw);

// Elements further from the expected value than `tolerance` times the largest magnitude of its row; a NaN is near a
// NaN only, an infinity near itself.
std::vector<std::string> far_elements(const Array& expected, std::span<const std::uint8_t> raw, double tolerance);

}  // namespace tpb::workloads
