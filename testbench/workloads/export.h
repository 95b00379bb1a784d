// Workloads for people: as files that tpbsim runs and judges, and as the page about them.
#pragma once

#include <filesystem>
#include <string>

#include "testbench/workloads/workload.h"

namespace tpb::workloads {

// Writes the image NAME.tpbx, which expects every result of the stepwise reference to the bit, and beside it a
// NAME.RESULT.npy for each. Returns the image's path. Throws InputError where files cannot be written.
std::filesystem::path save(const Workload& workload, Generation generation, nki::Dtype dtype,
                           const std::filesystem::path& directory);

// docs/workloads.md: what each workload shows, and how long the platform says it takes. Simulates.
std::string workloads_page();

}  // namespace tpb::workloads
