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
    for (const Operand& source : operands.sources()) count += in_psum(source) ? 1U : 0U;
    return count;
  }
  // Sides of a copy that lie in PSUM: 0, 1 or 2.
  unsigned sides_in_psum() const { return sources_in_psum() + (in_psum(operands.destination[0]) ? 1U : 0U); }
  bool all_float16() const {
    const auto float16 = [](const Operand& operand) { return is_float16(operand.dtype); };
    return std::ranges::all_of(operands.sources(), float16) && std::ranges::all_of(operands.destinations(), float16);
  }
  bool all_bf16() const {
    const auto bf16 = [](const Operand& operand) { return operand.dtype == Dtype::bf16; };
    return std::ranges::all_of(operands.sources(), bf16) && std::ranges::all_of(operands.destinations(), bf16);
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
};

using Condition = bool (*)(const Facts&);

bool always(const Facts&) { return true; }
bool one_source_in_psum(const Facts& f) { return f.sources_in_psum() == 1; }
bool sbuf_float16(const Facts& f) { return f.sources_in_psum() == 0 && f.all_float16(); }
bool bf16_add_or_max(const Facts& f) { return f.all_bf16() && f.adds_or_takes_maximum(); }
bool mode_4x(const Facts& f) { return f.all_float16() && f.contiguous() && f.sides_in_psum() == 0; }
bool mode_2x(const Facts& f) { return f.all_float16() && f.sides_in_psum() == (f.contiguous() ? 1U : 0U); }
bool float16(const Facts& f) { return f.all_float16(); }

enum class Floor : bool { none, min_ii };

// Instructions with the same rules. Bit-vector forms cost what the arithmetic form costs.
enum class Kind : std::uint8_t { none, pool, tensor_tensor, packed_tensor_tensor, packed_reduce, tensor_reduce, copy };

constexpr Kind kind_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::pool:
      return Kind::pool;
    case Opcode::tensor_tensor_arith:
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
      return Kind::tensor_reduce;
    case Opcode::copy:
    case Opcode::cast:
      return Kind::copy;
    default:
      return Kind::none;
  }
}

// stream = ceil(N * numerator / denominator), N being the elements per partition.
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
    // Assumed: one element per lane and cycle, which is the documented width of the engine.
    CostRow{Kind::pool, kAny, kSunda, always, 1, 1, Floor::min_ii, kNone},
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
    CostRow{Kind::copy, {Engine::dve}, kCayman, mode_4x, 1, 4, Floor::min_ii, k4x},
    CostRow{Kind::copy, {Engine::dve}, kCayman, mode_2x, 1, 2, Floor::min_ii, k2x},
    CostRow{Kind::copy, {Engine::act}, kMariana, float16, 1, 2, Floor::min_ii, k2x},
    CostRow{Kind::copy, kAny, kSunda, always, 1, 1, Floor::min_ii, kNone},
};

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
    cost.stream = saturated(scaled(operands.elements_per_partition(), row.numerator, row.denominator));
    const std::uint64_t busy = std::uint64_t{cost.start} + cost.stream;
    cost.interval = saturated(row.floor == Floor::min_ii ? std::max<std::uint64_t>(context.timing.min_ii, busy) : busy);
    cost.overhead = context.timing.overhead;
    cost.mode = row.mode;
    return cost;
  }
  throw std::logic_error("an instruction without a cost row reached the cost rules");
}

}  // namespace tpb
