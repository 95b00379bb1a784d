#include "models/timing/cost.h"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "models/isa/alu_op.h"

namespace tpb {
namespace {

// What the conditions of the rows ask about one instruction.
struct Facts {
  const Instruction& instruction;
  const Operands& operands;
  const CostContext& context;

  bool in_psum(const Operand& operand) const {
    return locate(context.memory, operand.pattern.start_addr).space == Space::psum;
  }
  unsigned sources_in_psum() const {
    unsigned count = 0;
    for (const Operand& source : operands.tensors()) count += in_psum(source) ? 1U : 0U;
    return count;
  }
  // Sides of an instruction with one source that lie in PSUM: 0, 1 or 2.
  unsigned sides_in_psum() const { return sources_in_psum() + (in_psum(operands.destination[0]) ? 1U : 0U); }
  bool all_float16() const {
    const auto float16 = [](const Operand& operand) { return is_float16(operand.dtype); };
    return std::ranges::all_of(operands.tensors(), float16) && std::ranges::all_of(operands.destinations(), float16);
  }
  bool all_bf16() const {
    const auto bf16 = [](const Operand& operand) { return operand.dtype == Dtype::bf16; };
    return std::ranges::all_of(operands.tensors(), bf16) && std::ranges::all_of(operands.destinations(), bf16);
  }
  // Innermost step 1 on both sides.
  bool contiguous() const {
    return operands.source[0].pattern.step[0] == 1 && operands.destination[0].pattern.step[0] == 1;
  }
  bool adds_or_takes_maximum() const {
    const auto* reduce = std::get_if<S4D4_TR>(&instruction);
    const auto op = reduce == nullptr ? AluOp::bypass : static_cast<AluOp>(reduce->op);
    return op == AluOp::add || op == AluOp::max;
  }
  // (data - scalar) * operand1 on bf16 pairs.
  bool subtracts_then_multiplies_bf16() const {
    const auto* bundle = std::get_if<S2S2D2_STT>(&instruction);
    const auto bf16 = [](const Operand& operand) { return operand.dtype == Dtype::bf16; };
    return bundle != nullptr && std::ranges::all_of(operands.tensors(), bf16) &&
           bundle->op0 == static_cast<std::uint8_t>(AluOp::subtract) &&
           bundle->op1 == static_cast<std::uint8_t>(AluOp::mult) && operands.elements_per_partition() % 2 == 0;
  }
  // fp32 as it is, in passes that tfloat32 does not need.
  bool multiplies_fp32() const {
    const auto* bundle = std::get_if<S3D3_MM>(&instruction);
    return bundle != nullptr && operands.source[0].dtype == Dtype::fp32 && bundle->fp32_mode == 0;
  }
  bool multiplies_ones_and_zeros() const {
    const auto* bundle = std::get_if<S3D3_MM>(&instruction);
    return bundle != nullptr && (bundle->perf_opt & kPerfOneZero) != 0;
  }
  bool sets_zero_in_16_bits() const {
    const auto* bundle = std::get_if<D4_MR>(&instruction);
    return bundle != nullptr && bundle->value == 0 && bytes_of(operands.destination[0].dtype) == 2;
  }
};

using Condition = bool (*)(const Facts&);

bool always(const Facts&) { return true; }
bool one_source_in_psum(const Facts& f) { return f.sources_in_psum() == 1; }
bool sbuf_float16(const Facts& f) { return f.sources_in_psum() == 0 && f.all_float16(); }
bool bf16_add_or_max(const Facts& f) { return f.all_bf16() && f.adds_or_takes_maximum(); }
bool mode_4x(const Facts& f) { return f.all_float16() && f.contiguous() && f.sides_in_psum() == 0; }
bool mode_2x(const Facts& f) { return f.all_float16() && f.sides_in_psum() == (f.contiguous() ? 1U : 0U); }
bool float16(const Facts& f) { return f.all_float16(); }
bool subtract_multiply_bf16(const Facts& f) { return f.subtracts_then_multiplies_bf16(); }
bool fp32_ones_and_zeros(const Facts& f) { return f.multiplies_fp32() && f.multiplies_ones_and_zeros(); }
bool fp32(const Facts& f) { return f.multiplies_fp32(); }
bool zero_in_16_bits(const Facts& f) { return f.sets_zero_in_16_bits(); }

enum class Floor : std::uint8_t {
  none,
  min_ii,
  stationary,  // min_ii, when the stationary operand has as many columns
};

// Instructions with the same rules. Bit-vector forms cost what the arithmetic form costs.
enum class Kind : std::uint8_t {
  none,
  element,  // one element per cycle, whatever it is
  tensor_tensor,
  packed_tensor_tensor,
  packed_reduce,
  tensor_reduce,
  scalar,  // copies and operations with a scalar: the performance modes
  read_accumulator,
  scalar_tensor_tensor,
  two_reads,
  reciprocal,
  search,
  memset,
  load_stationary,
  multiply_moving,
};

constexpr Kind kind_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::pool:
    case Opcode::cross_lane_reduce_arith:
    case Opcode::cross_lane_reduce_bitvec:
    case Opcode::get_sequence_bounds:
    case Opcode::tensor_scalar_cumulative:
    case Opcode::tensor_scalar_cache_reduce:
    case Opcode::tensor_scalar_int_wide:
    case Opcode::match_value_load:
    case Opcode::stream_transpose:
    case Opcode::iota:
    case Opcode::activate:
    case Opcode::tile:  // words cost what they turn out to do
      return Kind::element;
    case Opcode::tensor_tensor_arith:
    case Opcode::tensor_tensor_bitvec:
      return Kind::tensor_tensor;
    case Opcode::tensor_tensor_add_bf16:
    case Opcode::tensor_tensor_mult_bf16:
    case Opcode::tensor_tensor_sub_bf16:
      return Kind::packed_tensor_tensor;
    case Opcode::tensor_reduce_add_bf16:
    case Opcode::tensor_reduce_max_bf16:
      return Kind::packed_reduce;
    case Opcode::tensor_reduce_arith:
    case Opcode::tensor_reduce_bitvec:
    case Opcode::transpose_tensor_reduce_arith:
    case Opcode::transpose_tensor_reduce_bitvec:
      return Kind::tensor_reduce;
    case Opcode::copy:
    case Opcode::cast:
    case Opcode::tensor_scalar_arith:
    case Opcode::tensor_scalar_bitvec:
      return Kind::scalar;
    case Opcode::dve_read_accumulator:
    case Opcode::act_read_accumulator:
      return Kind::read_accumulator;
    case Opcode::scalar_tensor_tensor_arith:
    case Opcode::scalar_tensor_tensor_bitvec:
      return Kind::scalar_tensor_tensor;
    case Opcode::tensor_tensor_scan:
    case Opcode::tensor_tensor_int_wide:
      return Kind::two_reads;
    case Opcode::reciprocal:
      return Kind::reciprocal;
    case Opcode::max8:
    case Opcode::find_index8:
      return Kind::search;
    case Opcode::memset:
      return Kind::memset;
    case Opcode::load_stationary:
      return Kind::load_stationary;
    case Opcode::multiply_moving:
      return Kind::multiply_moving;
    default:
      return Kind::none;
  }
}

// stream = ceil(N * numerator / denominator), N being what `measure` says.
struct CostRow {
  Kind kind;
  EngineSet engines;
  Generation since;
  Condition applies;
  std::uint8_t numerator, denominator;
  Floor floor;
  PerformanceMode mode;
};

constexpr EngineSet kAny{Engine::pe, Engine::act, Engine::dve, Engine::pool, Engine::sfu};
constexpr auto kSunda = Generation::sunda;
constexpr auto kCayman = Generation::cayman;
constexpr auto kMariana = Generation::mariana;
constexpr auto kNone = PerformanceMode::none;
constexpr auto k2x = PerformanceMode::x2;
constexpr auto k4x = PerformanceMode::x4;

// Of a kind the first row that applies gives the cost: the special ones stand first.
// Sources: the vendor's published cost per instruction (SDK 2.26), except where a row says otherwise.
constexpr std::array kRows{
    // Assumed for pool, reductions over lanes, sequence bounds, cumulative and wide operations: one element per lane
    // and
    // cycle, which is the documented width of the engines. Published for the others.
    CostRow{Kind::element, kAny, kSunda, always, 1, 1, Floor::min_ii, kNone},
    // Two inputs are read one after the other, unless they come from different memories.
    CostRow{Kind::tensor_tensor, kAny, kSunda, one_source_in_psum, 1, 1, Floor::min_ii, kNone},
    CostRow{Kind::tensor_tensor, kAny, kCayman, sbuf_float16, 1, 1, Floor::min_ii, k2x},
    CostRow{Kind::tensor_tensor, kAny, kSunda, always, 2, 1, Floor::min_ii, kNone},
    // Half of the generic row of the same placement: the packed-BF16 document.
    CostRow{Kind::packed_tensor_tensor, kAny, kSunda, one_source_in_psum, 1, 2, Floor::min_ii, kNone},
    CostRow{Kind::packed_tensor_tensor, kAny, kSunda, always, 1, 1, Floor::min_ii, kNone},
    CostRow{Kind::packed_reduce, kAny, kSunda, always, 1, 2, Floor::min_ii, kNone},
    // The published half belongs to the packed opcodes on sunda, to the generic ones after.
    CostRow{Kind::tensor_reduce, kAny, kCayman, bf16_add_or_max, 1, 2, Floor::none, kNone},
    CostRow{Kind::tensor_reduce, kAny, kSunda, always, 1, 1, Floor::min_ii, kNone},
    // The published performance modes of DVE, and ACT's double rate for 16-bit floats.
    CostRow{Kind::scalar, {Engine::dve}, kCayman, mode_4x, 1, 4, Floor::min_ii, k4x},
    CostRow{Kind::scalar, {Engine::dve}, kCayman, mode_2x, 1, 2, Floor::min_ii, k2x},
    CostRow{Kind::scalar, {Engine::act}, kMariana, float16, 1, 2, Floor::min_ii, k2x},
    CostRow{Kind::scalar, kAny, kSunda, always, 1, 1, Floor::min_ii, kNone},
    // Of one element per partition.
    CostRow{Kind::read_accumulator, kAny, kSunda, always, 64, 1, Floor::min_ii, kNone},
    CostRow{Kind::scalar_tensor_tensor, kAny, kSunda, subtract_multiply_bf16, 1, 1, Floor::min_ii, kNone},
    CostRow{Kind::scalar_tensor_tensor, kAny, kSunda, always, 2, 1, Floor::min_ii, kNone},
    // Published for the scan, assumed for two wide tensors.
    CostRow{Kind::two_reads, kAny, kSunda, always, 2, 1, Floor::min_ii, kNone},
    CostRow{Kind::reciprocal, kAny, kSunda, always, 8, 1, Floor::min_ii, kNone},
    CostRow{Kind::search, kAny, kSunda, always, 1, 1, Floor::none, kNone},
    CostRow{Kind::memset, kAny, kSunda, zero_in_16_bits, 1, 2, Floor::min_ii, kNone},
    CostRow{Kind::memset, kAny, kSunda, always, 1, 1, Floor::min_ii, kNone},
    // Up to four times faster than what moves; no floor is assumed.
    CostRow{Kind::load_stationary, kAny, kSunda, always, 1, 4, Floor::none, kNone},
    // Other dtypes than fp32, and fp32 read as tfloat32 (assumed), go at full rate.
    CostRow{Kind::multiply_moving, kAny, kSunda, fp32_ones_and_zeros, 2, 1, Floor::stationary, kNone},
    CostRow{Kind::multiply_moving, kAny, kSunda, fp32, 4, 1, Floor::stationary, kNone},
    CostRow{Kind::multiply_moving, kAny, kSunda, always, 1, 1, Floor::stationary, kNone},
};

// Columns of the stationary operand that a product has; no bound for other instructions.
std::uint64_t columns_of(const Instruction& instruction) {
  const auto* bundle = std::get_if<S3D3_MM>(&instruction);
  return bundle == nullptr ? std::numeric_limits<std::uint64_t>::max() : bundle->cols;
}

// The elements per partition; of a product, at least as many as the stationary operand has columns, up to 64.
std::uint64_t measure(const Facts& facts, Kind kind) {
  constexpr std::uint64_t kMostColumns = 64;
  const std::uint64_t elements = facts.operands.elements_per_partition();
  if (kind != Kind::multiply_moving) return elements;
  return std::max(elements, std::min(kMostColumns, columns_of(facts.instruction)));
}

std::uint64_t floor_of(Floor floor, const Facts& facts) {
  switch (floor) {
    case Floor::none:
      return 0;
    case Floor::min_ii:
      return facts.context.timing.min_ii;
    case Floor::stationary:
      return std::min<std::uint64_t>(facts.context.timing.min_ii, columns_of(facts.instruction));
  }
  return 0;
}

std::uint32_t saturated(std::uint64_t cycles) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(cycles, std::numeric_limits<std::uint32_t>::max()));
}

// ceil(n * numerator / denominator) without overflow: four counts of 65535 leave no room for a factor.
std::uint64_t scaled(std::uint64_t n, std::uint64_t numerator, std::uint64_t denominator) {
  const std::uint64_t bounded = std::min(n, std::uint64_t{1} << 56);  // far past what saturates
  return (bounded * numerator + denominator - 1) / denominator;
}

}  // namespace

std::string_view name_of(PerformanceMode mode) {
  static constexpr std::array<std::string_view, 3> kNames{"none", "2x", "4x"};
  return kNames[static_cast<std::size_t>(mode)];
}

Cost cost_of(const Instruction& instruction, const Operands& operands, const CostContext& context) {
  // Control costs nothing and has no floor.
  if (std::holds_alternative<ControlBundle>(instruction)) return {};

  const Facts facts{instruction, operands, context};
  const Kind kind = kind_of(opcode_of(instruction, context.semantics));
  for (const CostRow& row : kRows) {
    if (row.kind != kind || context.generation < row.since || !row.engines.contains(context.engine)) continue;
    if (!row.applies(facts)) continue;
    Cost cost;
    cost.start = context.timing.start;
    cost.stream = saturated(scaled(measure(facts, kind), row.numerator, row.denominator));
    const std::uint64_t busy = std::uint64_t{cost.start} + cost.stream;
    cost.interval = saturated(std::max(floor_of(row.floor, facts), busy));
    cost.overhead = context.timing.overhead;
    cost.mode = row.mode;
    return cost;
  }
  throw std::logic_error("an instruction without a cost row reached the cost rules");
}

}  // namespace tpb
