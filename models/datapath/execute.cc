#include "models/datapath/execute.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "models/datapath/activate.h"
#include "models/datapath/alu_domain.h"
#include "models/datapath/cross_lane.h"
#include "models/datapath/element_wise.h"
#include "models/datapath/fill.h"
#include "models/datapath/fold.h"
#include "models/datapath/int_wide.h"
#include "models/datapath/recurrence.h"
#include "models/datapath/search.h"
#include "models/datapath/sequence_bounds.h"
#include "models/datapath/streams.h"

namespace tpb {
namespace {

// Product of the innermost counts that a reduction folds: op_dim X 2, XY 3, XYZ 4, XYZW 5; a Pool window is two deep.
std::uint64_t innermost(const AccessPattern& walk, unsigned dims) {
  std::uint64_t elements = 1;
  for (unsigned d = 0; d < dims; ++d) elements *= walk.num[d];
  return elements;
}

AluOp alu_op_of(CrossLaneOp op) {
  switch (op) {
    case CrossLaneOp::max:
      return AluOp::max;
    case CrossLaneOp::bitwise_or:
      return AluOp::bitwise_or;
    case CrossLaneOp::bitwise_and:
      return AluOp::bitwise_and;
    case CrossLaneOp::bitwise_xor:
      return AluOp::bitwise_xor;
    default:  // add, average
      return AluOp::add;
  }
}

constexpr bool reverses(std::uint8_t reverse, unsigned step) { return (reverse >> step & 1) != 0; }

struct Execution {
  Opcode role;
  Engine engine;
  const SemanticsOptions& semantics;
  const OperandViews& views;
  LaneState& state;
  Scratch& scratch;
  bool& outside_range;
  const RowView& first = views.source[0];
  const RowView& destination = views.destination[0];

  void operator()(const ControlBundle&) const {}

  void operator()(const S4D4_PL& pool) const {
    static constexpr float kLowest = std::numeric_limits<float>::lowest();
    Fold window;
    window.window = innermost(first.walk, 2);
    if (pool.pool_func == static_cast<std::uint8_t>(PoolFunction::average)) {
      window.scale = pool.pool_scale;
    } else {
      window.op = AluOp::max;
      if (semantics.pool_max == SemanticsOptions::PoolMax::flt_max) window.start = &kLowest;
    }
    fold(window, first, destination, scratch);
  }

  void operator()(const S4D4_TR& bundle) const {
    switch (role) {
      case Opcode::copy:
      case Opcode::cast:
        return copy(first, destination, scratch);
      case Opcode::reciprocal:
        return reciprocal(first, destination, scratch);
      case Opcode::stream_transpose:
        return stream_transpose(first, destination, scratch);
      default:
        break;
    }
    Fold reduction;
    // The packed pair's operation is its opcode; the op byte is not looked at.
    reduction.op = role == Opcode::tensor_reduce_add_bf16   ? AluOp::add
                   : role == Opcode::tensor_reduce_max_bf16 ? AluOp::max
                                                            : static_cast<AluOp>(bundle.op);
    reduction.window = innermost(first.walk, bundle.op_dim - 1U);
    reduction.negate = bundle.negated != 0;
    reduction.transposed = transposes(bundle.frame.opcode);
    fold(reduction, first, destination, scratch);
  }

  void operator()(const S4D4_CR& bundle) const {
    const auto op = static_cast<CrossLaneOp>(bundle.reduce_op);
    CrossLane reduction;
    reduction.op = alu_op_of(op);
    reduction.average = op == CrossLaneOp::average;
    reduction.scale = bundle.scale;
    reduction.everything = bundle.reduce_axis == 0;
    reduction.transposed = transposes(bundle.frame.opcode);
    cross_lane(reduction, first, destination, scratch);
  }

  void operator()(const S4D2_BN&) const {
    if (role == Opcode::max8) return max8(first, destination, scratch);
    const bool successive = semantics.find_index8 == SemanticsOptions::FindIndex8::successive;
    find_index8(successive, state, first, destination, scratch);
  }

  void operator()(const S4D2_MV&) const { load_match_values(first, state, scratch); }
  void operator()(const S2_BN&) const { load_match_values(first, state, scratch); }

  void operator()(const S3D3_SEQ_BOUNDS&) const {
    const bool segments = semantics.sequence_bounds == SemanticsOptions::SequenceBounds::segments;
    (segments ? sequence_segments : sequence_envelope)(first, destination, scratch);
  }

  void operator()(const S3S3D3_TT& bundle) const {
    const RowView& right = views.source[1];
    const bool integers = is_integer(first.dtype) && is_integer(right.dtype) && is_integer(destination.dtype);
    const bool exact = integers && engine == Engine::pool && role == Opcode::tensor_tensor_arith;
    combine(static_cast<AluOp>(bundle.op), exact, first, right, destination, scratch);
  }

  void operator()(const S2S2D2D2_TT& bundle) const {
    int_wide(static_cast<AluOp>(bundle.op), first, {&views.source[1], {}}, destination, views.destination[1], scratch);
  }

  void operator()(const S2D2D2_TS_WIDE& bundle) const {
    unsigned next = 1;
    const Immediate scalar = immediate(bundle.imm_src, bundle.imm, static_cast<Dtype>(bundle.in_imm_dtype >> 4), next);
    int_wide(static_cast<AluOp>(bundle.op), first, {nullptr, scalar}, destination, views.destination[1], scratch);
  }

  void operator()(const S3D3_TS& bundle) const {
    const auto op0 = static_cast<AluOp>(bundle.op0), op1 = static_cast<AluOp>(bundle.op1);
    const Dtype dtype = scalar_dtype(bundle);
    unsigned next = 1;
    const Immediate imm0 = immediate(bundle.imm0_src, bundle.imm0, dtype, next);
    const Immediate imm1 = immediate(bundle.imm1_src, bundle.imm1, dtype, next);
    const std::array<Step, 2> steps{
        Step{op0, nullptr, scalar(imm0, 0, op0, reverses(bundle.reverse, 0)), reverses(bundle.reverse, 0)},
        Step{op1, nullptr, scalar(imm1, 1, op1, reverses(bundle.reverse, 1)), reverses(bundle.reverse, 1)}};
    Row& row = scratch.buffers().accumulator[0];
    if (role == Opcode::tensor_scalar_cache_reduce) {
      const Accumulation accumulation{op1, row};
      element_wise(Domain::fp32, first, std::span(steps).first(1), destination, scratch, &accumulation);
      keep(row);
    } else if (role == Opcode::tensor_scalar_cumulative) {
      const auto command = static_cast<AccumulatorCommand>(bundle.accumulator_cmd);
      if (command == AccumulatorCommand::reduce) {
        row = state.accumulator;
      } else if (command == AccumulatorCommand::load_reduce) {
        std::copy_n(steps[1].scalar, kLanes, row.begin());
      } else {
        row.fill(identity_of(op1));
      }
      cumulative({op0, op1, steps[0].scalar}, row, first, destination, scratch);
      keep(row);
    } else {
      // An op1 of 00 is none: it would leave its left operand as it is.
      const std::size_t count = op1 == AluOp::bypass && !reverses(bundle.reverse, 1) ? 1 : 2;
      element_wise(domain_of(op0), first, std::span(steps).first(count), destination, scratch);
    }
  }

  void operator()(const S3D3_AC& bundle) const {
    static constexpr std::array kReduce{AluOp::add, AluOp::max, AluOp::min};  // by ActivationReduce
    unsigned next = 1;
    const Immediate scale = immediate(bundle.scale_src, bundle.scale, Dtype::fp32, next);
    const Immediate bias = immediate(bundle.bias_src, bundle.bias, static_cast<Dtype>(bundle.in_bias_dtype >> 4), next);
    Activate activation;
    activation.function = static_cast<Activation>(bundle.func);
    activation.scale = scalar_row(scale, 0, {Domain::fp32}, first.lanes, scratch);
    activation.bias = scalar_row(bias, 1, {Domain::fp32}, first.lanes, scratch);
    activation.slope = std::bit_cast<float>(bundle.imm);
    activation.command = static_cast<AccumulatorCommand>(bundle.accum_cmd & 0xF);
    activation.reduce = kReduce.at(bundle.accum_cmd >> 4);
    outside_range = activate(activation, state.accumulator, first, destination, scratch);
  }
  // The matrix engine's own.
  void operator()(const S3D3_MM&) const {}

  void operator()(const S2S2D2_STT& bundle) const {
    const auto op0 = static_cast<AluOp>(bundle.op0), op1 = static_cast<AluOp>(bundle.op1);
    const bool reverse0 = reverses(bundle.reverse, 0), reverse1 = reverses(bundle.reverse, 1);
    const RowView& second = views.source[1];
    unsigned next = 2;
    const Immediate imm0 = immediate(bundle.imm0_src, bundle.imm0, static_cast<Dtype>(bundle.imm0_dtype), next);
    if (role == Opcode::tensor_tensor_scan) {
      Row& row = scratch.buffers().accumulator[0];
      std::copy_n(scalar(imm0, 0, op0, false), kLanes, row.begin());
      return scan({op0, op1, reverse0, reverse1}, row, first, second, destination, scratch);
    }
    const std::array steps{Step{op0, nullptr, scalar(imm0, 0, op0, reverse0), reverse0},
                           Step{op1, &second, nullptr, reverse1}};
    const bool bitvec = role == Opcode::scalar_tensor_tensor_bitvec;
    element_wise(bitvec ? Domain::raw : Domain::fp32, first, steps, destination, scratch);
  }

  // The tile engine's own.
  void operator()(const TILE_WORDS&) const {}
  void operator()(const TILE_MOVE&) const {}

  void operator()(const D4_IOTA& bundle) const {
    Iota numbers;
    numbers.start = bundle.start;
    std::ranges::copy(bundle.step, numbers.step.begin());
    numbers.lane_step = bundle.partition_step;
    iota(numbers, destination, scratch);
  }

  void operator()(const D4_MR& bundle) const { memset(bundle.value, destination, scratch); }

  void operator()(const D1_RD&) const {
    copy(view_of_rows(state.accumulator.data(), destination.lanes, Dtype::fp32), destination, scratch);
  }

  // Immediates that lie in memory are the last sources, in order.
  Immediate immediate(std::uint8_t source, std::uint32_t word, Dtype dtype, unsigned& next) const {
    const bool pointed = source == static_cast<std::uint8_t>(ImmediateSource::pointer);
    return {word, pointed ? &views.source[next++] : nullptr, dtype};
  }
  // As an operand of `op`. Bit-vector operations look at as many bits as an element has, except for how far they shift.
  const std::uint32_t* scalar(const Immediate& immediate, unsigned index, AluOp op, bool reversed) const {
    const bool bitvec = is_bitvec(op);
    const unsigned bits = bitvec && (reversed || !is_shift(op)) ? bytes_of(first.dtype) * 8 : 32;
    return scalar_row(immediate, index, {bitvec ? Domain::raw : Domain::fp32}, first.lanes, scratch, bits);
  }
  void keep(const Row& row) const { std::copy_n(row.begin(), first.lanes, state.accumulator.begin()); }
};

}  // namespace

bool execute(const Instruction& instruction, Engine engine, const SemanticsOptions& semantics,
             const OperandViews& views, LaneState& state, Scratch& scratch) {
  bool outside_range = false;
  std::visit(Execution{opcode_of(instruction, semantics), engine, semantics, views, state, scratch, outside_range},
             instruction);
  return outside_range;
}

}  // namespace tpb
