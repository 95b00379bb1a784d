#include "models/isa/semantics.h"

namespace tpb {

namespace {

// Under `seed003` the free-axis pair and the cross-lane pair change places, an exchange that is its own inverse.
std::uint8_t exchanged(std::uint8_t code) {
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

}  // namespace

// Under `arch` every opcode does what its name says.
std::uint8_t role_of(std::uint8_t code, const SemanticsOptions& semantics) {
  if (semantics.reduce_opcodes == SemanticsOptions::ReduceOpcodes::arch) return code;
  if (code == static_cast<std::uint8_t>(Opcode::transpose_tensor_reduce_arith)) {
    return static_cast<std::uint8_t>(Opcode::cross_lane_reduce_arith);
  }
  if (code == static_cast<std::uint8_t>(Opcode::transpose_tensor_reduce_bitvec)) {
    return static_cast<std::uint8_t>(Opcode::cross_lane_reduce_bitvec);
  }
  return exchanged(code);
}

std::uint8_t wire_of(std::uint8_t role, const SemanticsOptions& semantics) {
  return semantics.reduce_opcodes == SemanticsOptions::ReduceOpcodes::arch ? role : exchanged(role);
}

}  // namespace tpb
