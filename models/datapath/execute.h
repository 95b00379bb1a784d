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
  std::array<RowView, kMaxSources> source{};
  std::array<RowView, kMaxDestinations> destination{};
};

// What an engine keeps per lane from one instruction to the next. Lane 0 is the first partition of an operand, wherever
// that starts.
struct LaneState {
  using Lanes = std::array<std::uint32_t, kLanes>;
  alignas(64) Lanes accumulator{};  // fp32: of the engine's reductions, read by its ReadAccumulator
  alignas(64) std::array<Lanes, 8> match_values{};
  Dtype match_dtype = Dtype::fp32;  // integers as they are when that is an integer, else fp32
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
// Control bundles do nothing, and the matrix engine has functions of its own (matmul.h). Whether an argument of an
// activation function was outside the range that the function is documented for: a reason to warn, the result stands.
bool execute(const Instruction& instruction, Engine engine, const SemanticsOptions& semantics,
             const OperandViews& views, LaneState& state, Scratch& scratch);

}  // namespace tpb
