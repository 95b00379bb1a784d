// Results without a source: one value, or numbers that count.
#pragma once

#include <array>
#include <cstdint>

#include "models/datapath/execute.h"

namespace tpb {

// Every element takes the low bits of `bits`.
void memset(std::uint32_t bits, const RowView& destination, Scratch& scratch);

// Element (i, j, k, l) of lane p: start + i step[0] + ... + l step[3] + p lane_step, modulo 2^32, as an int32.
struct Iota {
  std::int32_t start = 0;
  std::array<std::int32_t, kPatternDims> step{};
  std::int32_t lane_step = 0;
};
void iota(const Iota& iota, const RowView& destination, Scratch& scratch);

}  // namespace tpb
