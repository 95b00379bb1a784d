// nop, event_semaphore, halt: the frame only.
#include "models/program/mnemonic_rows.h"

namespace tpb {
namespace {

Instructions write_control(const Mnemonic& mnemonic, const Fields&, const SemanticsOptions& semantics) {
  ControlBundle bundle{};
  bundle.frame = frame_for(mnemonic.roles[0], semantics);
  return {bundle};
}

Fields read_control(std::span<const Instruction>) { return {}; }

}  // namespace

Rows control_rows() {
  return {{"nop", {Opcode::nop}, {}, write_control, read_control},
          {"event_semaphore", {Opcode::event_semaphore}, {}, write_control, read_control},
          {"halt", {Opcode::halt}, {}, write_control, read_control}};
}

}  // namespace tpb
