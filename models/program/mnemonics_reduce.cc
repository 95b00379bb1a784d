// The reductions of free dimensions: S4D4_TR.
#include "models/program/mnemonic_rows.h"

namespace tpb {
namespace {

constexpr std::string_view kAverageFolds =
    "average folds into pool_scale: use pool func=avg or add then tensor_scalar mult";
constexpr Refusal kNoReduceOperations[]{{"average", kAverageFolds}, {"elemwise_mul", kAverageFolds}};

S4D4_TR reduction(Opcode role, std::uint8_t op, const Fields& fields, const SemanticsOptions& semantics) {
  const Operand& src = fields.operand("src");
  const auto reduced = static_cast<unsigned>(fields.code("axis") - 1);
  check_elements(fields, "dst", elements_of(src, reduced), "those of src without the axis");
  auto bundle = source_to_destination<S4D4_TR, 4, 4>(role, src, fields.operand("dst"), semantics);
  bundle.op = op;
  bundle.op_dim = fields.code("axis");
  bundle.negated = fields.has("negate") ? 1 : 0;
  return bundle;
}

Instructions write_tensor_reduce(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  const bool transpose = fields.has("transpose");
  if (transpose && semantics.reduce_opcodes != SemanticsOptions::ReduceOpcodes::arch) {
    throw Problem{fields.column("transpose"), "transpose: no opcode for it in this profile"};
  }
  const std::uint8_t op = fields.code("op");
  const bool bitvec = is_bitvec(op);
  const Opcode plain = bitvec ? Opcode::tensor_reduce_bitvec : mnemonic.roles[0];
  const Opcode transposing = bitvec ? Opcode::transpose_tensor_reduce_bitvec : Opcode::transpose_tensor_reduce_arith;
  return {reduction(transpose ? transposing : plain, op, fields, semantics)};
}

Fields read_tensor_reduce(std::span<const Instruction> instructions) {
  const auto& bundle = std::get<S4D4_TR>(instructions[0]);
  Fields fields;
  put_operands(fields, instructions[0], {"src"});
  fields.put("op", bundle.op);
  fields.put("axis", bundle.op_dim);
  put_flag(fields, "negate", bundle.negated != 0);
  put_flag(fields, "transpose", transposes(bundle.frame.opcode));
  return fields;
}

// The opcode says the operation; the op byte repeats it (packed-BF16 document).
Instructions write_packed_reduce(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  const AluOp op = mnemonic.roles[0] == Opcode::tensor_reduce_add_bf16 ? AluOp::add : AluOp::max;
  return {reduction(mnemonic.roles[0], code_of(op), fields, semantics)};
}

}  // namespace

Rows reduce_rows() {
  const std::vector<FieldSpec> packed{choice_field("axis", free_axes()), operand_field("src", 4),
                                      operand_field("dst", 4), flag_field("negate")};
  std::vector<FieldSpec> every = packed;
  every.insert(every.begin(), operation_field("op", kNoReduceOperations));
  every.push_back(flag_field("transpose"));
  return {
      {"tensor_reduce", {Opcode::tensor_reduce_arith}, every, write_tensor_reduce, read_tensor_reduce},
      {"tensor_reduce_add_bf16", {Opcode::tensor_reduce_add_bf16}, packed, write_packed_reduce, read_tensor_reduce},
      {"tensor_reduce_max_bf16", {Opcode::tensor_reduce_max_bf16}, packed, write_packed_reduce, read_tensor_reduce}};
}

}  // namespace tpb
