// Where documents disagree: the semantics.* keys. Every layer that depends on one reads it here.
#pragma once

#include <cstdint>

#include "models/isa/opcode.h"

namespace tpb {

struct SemanticsOptions {
  enum class ReduceOpcodes : std::uint8_t { seed003, arch };
  enum class ReduceOperators : std::uint8_t { all, listed };
  enum class SequenceBounds : std::uint8_t { envelope, segments };
  enum class FindIndex8 : std::uint8_t { first, successive };
  enum class MatchValueLoad : std::uint8_t { data_and_values, s2_bn };
  enum class PoolMax : std::uint8_t { flt_max, first };
  enum class Divide : std::uint8_t { legal, refused };
  enum class TileDtypes : std::uint8_t { nine, sixteen };
  enum class TileStreamFault : std::uint8_t { legality, bundle_control };
  // seed003: 7C 7D reduce the free axis, 42 52 83 84 across lanes; arch: the other way round.
  ReduceOpcodes reduce_opcodes = ReduceOpcodes::seed003;
  ReduceOperators reduce_operators = ReduceOperators::all;
  // Two values of the whole sequence, or the bounds of every segment of equal ids.
  SequenceBounds sequence_bounds = SequenceBounds::envelope;
  // Equal values all get the first index, or each the next one.
  FindIndex8 find_index8 = FindIndex8::first;
  MatchValueLoad match_value_load = MatchValueLoad::data_and_values;  // its layout
  std::uint8_t max8_dims = 2;                                         // most free dimensions of its source, 2 to 4
  PoolMax pool_max = PoolMax::flt_max;
  Divide divide = Divide::legal;
  TileDtypes tile_dtypes = TileDtypes::nine;  // that a tile reduction takes
  // What a malformed stream of bindings is.
  TileStreamFault tile_stream_fault = TileStreamFault::legality;
  bool operator==(const SemanticsOptions&) const = default;
};

// The opcode whose behaviour, layout and engines a wire opcode has: itself, except for the reduce opcodes, whose
// names never change while their roles do (role_of(0x7C) is tensor_reduce_arith under seed003). The transposing forms
// 83 and 84 transpose ahead of whichever reduction 42 and 52 stand for: under seed003 their role is the cross-lane one.
std::uint8_t role_of(std::uint8_t code, const SemanticsOptions& semantics);
// The wire opcode that plays a role without transposing.
std::uint8_t wire_of(std::uint8_t role, const SemanticsOptions& semantics);
// Whether a wire opcode is a transposing reduction, 83 or 84.
constexpr bool transposes(std::uint8_t code) {
  return code == static_cast<std::uint8_t>(Opcode::transpose_tensor_reduce_arith) ||
         code == static_cast<std::uint8_t>(Opcode::transpose_tensor_reduce_bitvec);
}

}  // namespace tpb
