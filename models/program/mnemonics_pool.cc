// Pooling and what else the Pool engine alone folds.
#include <fmt/format.h>

#include <bit>

#include "models/program/mnemonic_rows.h"

namespace tpb {
namespace {

template <class Code>
constexpr Choice choice(std::string_view name, Code code) {
  return {name, static_cast<std::uint8_t>(code)};
}

constexpr Choice kPoolFunctions[]{choice("max", PoolFunction::max), choice("avg", PoolFunction::average)};
// No other pooling exists (the pool-engine document); sums and minima are reductions.
constexpr Refusal kNoPoolFunctions[]{{"sum", "has unimplemented Pooling type: use tensor_reduce op=add"},
                                     {"min", "has unimplemented Pooling type: use tensor_reduce op=min"},
                                     {"none", "has unimplemented Pooling type: use func=max or func=avg"}};

constexpr Choice kCrossLaneOps[]{choice("add", CrossLaneOp::add),
                                 choice("average", CrossLaneOp::average),
                                 choice("max", CrossLaneOp::max),
                                 choice("bitwise_or", CrossLaneOp::bitwise_or),
                                 choice("bitwise_and", CrossLaneOp::bitwise_and),
                                 choice("bitwise_xor", CrossLaneOp::bitwise_xor)};
constexpr Choice kCrossLaneAxes[]{{"C", 1}, {"XYZWC", 0}};

bool same_bits(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

// --- S4D4_PL ---------------------------------------------------------------------------------------------------------

// The window is the two innermost dimensions of the source; average multiplies by its reciprocal.
float pool_scale(std::uint8_t function, const Operand& source) {
  if (function != static_cast<std::uint8_t>(PoolFunction::average)) return 1.0F;
  return 1.0F / static_cast<float>(source.pattern.num[0] * source.pattern.num[1]);
}

Instructions write_pool(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  constexpr std::uint8_t kPoolDim = 3;
  const Operand& src = fields.operand("src");
  check_elements(fields, "dst", elements_of(src, 2), "one for each window of src");
  auto bundle = source_to_destination<S4D4_PL, 4, 4>(mnemonic.roles[0], src, fields.operand("dst"), semantics);
  bundle.pool_func = fields.code("func");
  bundle.pool_dim = kPoolDim;
  bundle.pool_scale = fields.has("scale") ? fields.number("scale") : pool_scale(bundle.pool_func, src);
  return {bundle};
}

Fields read_pool(std::span<const Instruction> instructions) {
  const auto& bundle = std::get<S4D4_PL>(instructions[0]);
  Fields fields;
  put_operands(fields, instructions[0], {"src"});
  fields.put("func", bundle.pool_func);
  const float scale = bundle.pool_scale;
  if (!same_bits(scale, pool_scale(bundle.pool_func, fields.operand("src")))) fields.put("scale", scale);
  return fields;
}

// --- S4D4_CR ---------------------------------------------------------------------------------------------------------

bool reduces_everything(std::uint8_t axis) { return axis == 0; }

// Only average scales: by 1/P over partitions, 1/(P N) over everything.
float cross_lane_scale(std::uint8_t op, std::uint8_t axis, const Operand& source) {
  if (op != static_cast<std::uint8_t>(CrossLaneOp::average)) return 0.0F;
  const std::uint64_t elements = reduces_everything(axis) ? elements_of(source) : 1;
  return 1.0F / static_cast<float>(source.channels * elements);
}

Opcode cross_lane_opcode(std::uint8_t op, bool transpose, const SemanticsOptions& semantics) {
  const bool bitvec = op >= static_cast<std::uint8_t>(CrossLaneOp::bitwise_or);
  if (transpose) return bitvec ? Opcode::transpose_tensor_reduce_bitvec : Opcode::transpose_tensor_reduce_arith;
  const Opcode role = bitvec ? Opcode::cross_lane_reduce_bitvec : Opcode::cross_lane_reduce_arith;
  return static_cast<Opcode>(wire_of(static_cast<std::uint8_t>(role), semantics));
}

Instructions write_cross_lane(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  const bool transpose = fields.has("transpose");
  if (transpose && semantics.reduce_opcodes != SemanticsOptions::ReduceOpcodes::seed003) {
    throw Problem{fields.column("transpose"), "transpose: no opcode for it in this profile"};
  }
  const Operand& src = fields.operand("src");
  const std::uint8_t op = fields.code("op");
  const std::uint8_t axis = fields.code("axis");
  if (fields.has("scale") && op != static_cast<std::uint8_t>(CrossLaneOp::average)) {
    throw Problem{fields.column("scale"), "scale= besides another operation, expected op=average"};
  }
  if (reduces_everything(axis)) {
    check_elements(fields, "dst", 1, "one for all of src");
  } else {
    check_elements(fields, "dst", elements_of(src), "those of src");
  }
  auto bundle = source_to_destination<S4D4_CR, 4, 4>(mnemonic.roles[0], src, fields.operand("dst"), semantics);
  bundle.frame.opcode = static_cast<std::uint8_t>(cross_lane_opcode(op, transpose, semantics));
  bundle.reduce_op = op;
  bundle.reduce_axis = axis;
  bundle.scale = fields.has("scale") ? fields.number("scale") : cross_lane_scale(op, axis, src);
  return {bundle};
}

Fields read_cross_lane(std::span<const Instruction> instructions) {
  const auto& bundle = std::get<S4D4_CR>(instructions[0]);
  Fields fields;
  put_operands(fields, instructions[0], {"src"});
  fields.put("op", bundle.reduce_op);
  fields.put("axis", bundle.reduce_axis);
  const float scale = bundle.scale;
  if (!same_bits(scale, cross_lane_scale(bundle.reduce_op, bundle.reduce_axis, fields.operand("src")))) {
    fields.put("scale", scale);
  }
  put_flag(fields, "transpose", transposes(bundle.frame.opcode));
  return fields;
}

// --- S3D3_SEQ_BOUNDS -------------------------------------------------------------------------------------------------

Instructions write_sequence_bounds(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  const Operand& src = fields.operand("src");
  check_elements(fields, "dst", 2 * elements_of(src), "two for each of src");
  return {source_to_destination<S3D3_SEQ_BOUNDS, 3, 3>(mnemonic.roles[0], src, fields.operand("dst"), semantics)};
}

Fields read_sequence_bounds(std::span<const Instruction> instructions) {
  Fields fields;
  put_operands(fields, instructions[0], {"src"});
  return fields;
}

}  // namespace

Rows pool_rows() {
  FieldSpec one_partition = operand_field("dst", 4);
  one_partition.partitions = 1;
  FieldSpec image = operand_field("src", 4);
  image.message = "in0.size() == 5";  // partitions and four free dimensions, in the words of the pool-engine document
  return {{"pool",
           {Opcode::pool},
           {choice_field("func", kPoolFunctions, kNoPoolFunctions), image, operand_field("dst", 4),
            optional(number_field("scale"))},
           write_pool,
           read_pool},
          {"cross_lane_reduce",
           {Opcode::cross_lane_reduce_arith},
           {choice_field("op", kCrossLaneOps), choice_field("axis", kCrossLaneAxes), operand_field("src", 4),
            one_partition, optional(number_field("scale")), flag_field("transpose"),
            refused_field("negate", "Cross-lane-reduce cannot perform negate")},
           write_cross_lane,
           read_cross_lane},
          {"get_sequence_bounds",
           {Opcode::get_sequence_bounds},
           {operand_field("src", 3), operand_field("dst", 3)},
           write_sequence_bounds,
           read_sequence_bounds}};
}

}  // namespace tpb
