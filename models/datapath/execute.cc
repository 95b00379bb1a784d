#include "models/datapath/execute.h"

#include <limits>
#include <stdexcept>

#include "models/datapath/operations.h"

namespace tpb {
namespace {

// Product of the innermost counts that a reduction folds: op_dim X 2, XY 3, XYZ 4, XYZW 5; a Pool window is two deep.
std::uint64_t innermost(const AccessPattern& walk, unsigned dims) {
  std::uint64_t elements = 1;
  for (unsigned d = 0; d < dims; ++d) elements *= walk.num[d];
  return elements;
}

struct Execution {
  Opcode role;
  Engine engine;
  const SemanticsOptions& semantics;
  const OperandViews& views;
  LaneState& state;
  Scratch& scratch;

  void operator()(const ControlBundle&) const {}

  template <class Layout>
  void operator()(const Layout&) const {
    throw std::logic_error("datapath: no function yet");
  }

  void operator()(const S4D4_PL& pool) const {
    static constexpr float kLowest = std::numeric_limits<float>::lowest();
    Fold window;
    window.window = innermost(views.source[0].walk, 2);
    if (pool.pool_func == static_cast<std::uint8_t>(PoolFunction::average)) {
      window.scale = pool.pool_scale;
    } else {
      window.op = AluOp::max;
      if (semantics.pool_max == SemanticsOptions::PoolMax::flt_max) window.start = &kLowest;
    }
    fold(window, views.source[0], views.destination[0], scratch);
  }

  void operator()(const S4D4_TR& bundle) const {
    if (role == Opcode::copy || role == Opcode::cast) return copy(views.source[0], views.destination[0], scratch);
    Fold reduction;
    // The packed pair's operation is its opcode; the op byte is not looked at.
    reduction.op = role == Opcode::tensor_reduce_add_bf16   ? AluOp::add
                   : role == Opcode::tensor_reduce_max_bf16 ? AluOp::max
                                                            : static_cast<AluOp>(bundle.op);
    reduction.window = innermost(views.source[0].walk, bundle.op_dim - 1U);
    reduction.negate = bundle.negated != 0;
    fold(reduction, views.source[0], views.destination[0], scratch);
  }

  void operator()(const S3S3D3_TT& bundle) const {
    const RowView &left = views.source[0], &right = views.source[1], &destination = views.destination[0];
    const bool integers = is_integer(left.dtype) && is_integer(right.dtype) && is_integer(destination.dtype);
    combine(static_cast<AluOp>(bundle.op), integers && engine == Engine::pool, left, right, destination, scratch);
  }
};

}  // namespace

void execute(const Instruction& instruction, Engine engine, const SemanticsOptions& semantics,
             const OperandViews& views, LaneState& state, Scratch& scratch) {
  std::visit(Execution{opcode_of(instruction, semantics), engine, semantics, views, state, scratch}, instruction);
}

}  // namespace tpb
