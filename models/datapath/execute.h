// What an instruction computes: the one entry from a decoded instruction and its row views to new memory contents.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "models/datapath/row_view.h"
#include "models/isa/instruction.h"
#include "models/isa/semantics.h"

namespace tpb {

// Row views of an instruction's operands, in the order of operands_of().
struct OperandViews {
  std::array<RowView, 2> source{};
  std::array<RowView, 2> destination{};
};

// Buffers that live as long as their engine, so that executing allocates nothing once warm.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  struct Buffers;
  Buffers& buffers() { return *buffers_; }

 private:
  std::unique_ptr<Buffers> buffers_;
};

// Executes a legal instruction as if every source were read before any result is written. `engine` matters where the
// same opcode differs by stream (TensorTensor on three integer dtypes is exact in a Pool stream, semantics chapter 2).
// Control bundles do nothing.
void execute(const Instruction& instruction, Engine engine, const SemanticsOptions& semantics,
             const OperandViews& views, Scratch& scratch);

}  // namespace tpb
