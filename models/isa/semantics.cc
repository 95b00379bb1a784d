#include "models/isa/semantics.h"

namespace tpb {

// Under `arch` every opcode does what its name says. Under `seed003` the free-axis pair and the cross-lane pair change
// places, an exchange that is its own inverse. The transposing forms 83 and 84 have no counterpart to change with: they
// keep their code, and transpose ahead of whichever reduction 42 and 52 stand for.
std::uint8_t role_of(std::uint8_t code, const SemanticsOptions& semantics) {
  if (semantics.reduce_opcodes == SemanticsOptions::ReduceOpcodes::arch) return code;
  switch (static_cast<Opcode>(code)) {
    case Opcode::tensor_reduce_arith:
      return static_cast<std::uint8_t>(Opcode::cross_lane_reduce_arith);
    case Opcode::tensor_reduce_bitvec:
      return static_cast<std::uint8_t>(Opcode::cross_lane_reduce_bitvec);
    case Opcode::cross_lane_reduce_arith:
      return static_cast<std::uint8_t>(Opcode::tensor_reduce_arith);
    case Opcode::cross_lane_reduce_bitvec:
      return static_cast<std::uint8_t>(Opcode::tensor_reduce_bitvec);
    default:
      return code;
  }
}

std::uint8_t wire_of(std::uint8_t role, const SemanticsOptions& semantics) { return role_of(role, semantics); }

}  // namespace tpb
