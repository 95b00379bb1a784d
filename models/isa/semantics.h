// Where documents disagree: the semantics.* keys. Every layer that depends on one reads it here.
#pragma once

#include <cstdint>

#include "models/isa/opcode.h"

namespace tpb {

struct SemanticsOptions {
  enum class ReduceOpcodes : std::uint8_t { seed003, arch };
  enum class ReduceOperators : std::uint8_t { all, listed };
  enum class PoolMax : std::uint8_t { flt_max, first };
  enum class Divide : std::uint8_t { legal, refused };
  // seed003: 7C 7D reduce the free axis, 42 52 83 84 across lanes; arch: the other way round.
  ReduceOpcodes reduce_opcodes = ReduceOpcodes::seed003;
  ReduceOperators reduce_operators = ReduceOperators::all;
  PoolMax pool_max = PoolMax::flt_max;
  Divide divide = Divide::legal;
  bool operator==(const SemanticsOptions&) const = default;
};

// The opcode whose behaviour, layout and engines a wire opcode has: itself, except for the reduce opcodes, whose
// names never change while their roles do (role_of(0x7C) is tensor_reduce_arith under seed003).
std::uint8_t role_of(std::uint8_t code, const SemanticsOptions& semantics);
// The wire opcode that plays a role; the inverse of role_of.
std::uint8_t wire_of(std::uint8_t role, const SemanticsOptions& semantics);

}  // namespace tpb
