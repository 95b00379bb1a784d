// What the PE array computes: products of a stationary tile, which it keeps, and moving ones that pass through it.
#pragma once

#include <array>
#include <cstdint>

#include "models/datapath/execute.h"
#include "models/datapath/streams.h"
#include "models/isa/dtype.h"
#include "models/isa/generation.h"

namespace tpb {

// A stationary tile: S[k][m] with row k in words[k] and m its lanes.
struct StationaryTile {
  alignas(64) std::array<Row, kLanes> words{};
  std::uint32_t rows = 0;  // K, the contraction, 1..128; 0: nothing is loaded
  std::uint32_t cols = 0;  // M, 1..128
  Dtype dtype = Dtype::fp32;
  bool transposing = false;  // words are the elements as they lie in memory, else their values in fp32
};

// From cayman on the array moves bits when it transposes; before, a transpose is a product like any other.
constexpr bool transposes_bits(Generation generation) { return generation >= Generation::cayman; }

// How an operand enters the array. tfloat32 rounds it to ten mantissa bits, to nearest even.
struct Loading {
  bool transposing = false;  // transposes_bits() only
  bool tfloat32 = false;     // not looked at by a transposing array
};
// Element m of partition k of the source (rows = its lanes, cols = its elements) becomes S[k][m].
void load_stationary(const Loading& loading, const RowView& source, StationaryTile& stationary, Scratch& scratch);

struct Moving {
  bool accumulate = false;  // add to the destination's old value, that on the left; not when transposing
  bool tfloat32 = false;
};
// Element n of partition m of the destination = the sum over k in increasing order of S[k][m] x (element n of partition
// k of the source), every product and sum rounded to fp32, from the first product on; narrowed once. Lanes are
// stationary.rows in the source and stationary.cols in the destination, which have equally many elements.
// Transposing, the source chooses: the element is S[k][m] bit for bit, k the lowest partition whose element n is not
// zero (assumed), or zero when there is none; it is converted only between different dtypes, widened exactly to fp32.
void multiply_moving(const Moving& moving, const StationaryTile& stationary, const RowView& source,
                     const RowView& destination, Scratch& scratch);

}  // namespace tpb
