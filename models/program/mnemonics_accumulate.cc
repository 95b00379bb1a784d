// What goes through accumulators: S3D3_TS with an accumulator command, D1_RD.
#include "models/program/mnemonic_rows.h"

namespace tpb {
namespace {

constexpr std::uint8_t kResetReduce = code_of(AccumulatorCommand::reset_reduce);
constexpr std::uint8_t kLoadReduce = code_of(AccumulatorCommand::load_reduce);

S3D3_TS accumulating(Opcode role, std::uint8_t command, std::uint8_t op1, const Fields& fields,
                     const SemanticsOptions& semantics) {
  const Operand& src = fields.operand("src");
  check_elements(fields, "dst", elements_of(src), "those of src");
  auto bundle = source_to_destination<S3D3_TS, 3, 3>(role, src, fields.operand("dst"), semantics);
  bundle.accumulator_cmd = command;
  bundle.op0 = fields.code("op0");
  bundle.op1 = op1;
  const Immediate imm0 = immediate_of(fields, "imm0", code_of(AluOp::bypass));  // fp32, whatever the operation
  bundle.imm0_src = imm0.source;
  bundle.imm0 = imm0.value;
  return bundle;
}

D1_RD read_out(Opcode role, const Fields& fields, std::string_view destination, const SemanticsOptions& semantics) {
  check_elements(fields, destination, 1, "the accumulator of each");
  return to_destination<D1_RD, 3>(role, fields.operand(destination), semantics);
}

Instructions write_tensor_scalar_reduce(const Mnemonic& mnemonic, const Fields& fields,
                                        const SemanticsOptions& semantics) {
  const std::uint8_t op1 = fields.code("reduce_op");
  return {accumulating(mnemonic.roles[0], kResetReduce, op1, fields, semantics),
          read_out(mnemonic.roles[1], fields, "reduce_dst", semantics)};
}

Fields read_tensor_scalar_reduce(std::span<const Instruction> instructions) {
  const auto& bundle = std::get<S3D3_TS>(instructions[0]);
  Fields fields;
  put_operands(fields, instructions[0], {"src"});
  put_operands(fields, instructions[1], {}, {"reduce_dst"});
  fields.put("op0", bundle.op0);
  fields.put("imm0", scalar_of({bundle.imm0_src, bundle.imm0, Dtype::fp32}));
  fields.put("reduce_op", bundle.op1);
  return fields;
}

Instructions write_read_accumulator(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  return {read_out(mnemonic.roles[0], fields, "dst", semantics)};
}

Fields read_read_accumulator(std::span<const Instruction> instructions) {
  Fields fields;
  put_operands(fields, instructions[0], {});
  return fields;
}

Instructions write_cumulative(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  const std::uint8_t command = fields.has("reduce_cmd") ? fields.code("reduce_cmd") : kResetReduce;
  if (command == kLoadReduce && !fields.has("imm1")) {
    throw Problem{fields.column("reduce_cmd"), "load_reduce without imm1=, expected the value to start from"};
  }
  S3D3_TS bundle = accumulating(mnemonic.roles[0], command, fields.code("op1"), fields, semantics);
  if (fields.has("imm1")) {
    const Immediate imm1 = immediate_of(fields, "imm1", code_of(AluOp::bypass));
    bundle.imm1_src = imm1.source;
    bundle.imm1 = imm1.value;
  }
  return {bundle};
}

Fields read_cumulative(std::span<const Instruction> instructions) {
  const auto& bundle = std::get<S3D3_TS>(instructions[0]);
  Fields fields;
  put_operands(fields, instructions[0], {"src"});
  fields.put("op0", bundle.op0);
  fields.put("imm0", scalar_of({bundle.imm0_src, bundle.imm0, Dtype::fp32}));
  fields.put("op1", bundle.op1);
  if (bundle.accumulator_cmd == kLoadReduce || bundle.imm1_src != 0 || bundle.imm1 != 0) {
    fields.put("imm1", scalar_of({bundle.imm1_src, bundle.imm1, Dtype::fp32}));
  }
  if (bundle.accumulator_cmd != kResetReduce) fields.put("reduce_cmd", bundle.accumulator_cmd);
  return fields;
}

}  // namespace

Rows accumulate_rows() {
  const FieldSpec command = optional(choice_field("reduce_cmd", accumulator_commands()));
  return {{"tensor_scalar_reduce",
           {Opcode::tensor_scalar_cache_reduce, Opcode::dve_read_accumulator},
           {operation_field("op0"), scalar_field("imm0"), operation_field("reduce_op"), operand_field("src", 3),
            operand_field("dst", 3), operand_field("reduce_dst", 3),
            refused_field("reverse0", "reverse0: not supported yet")},
           write_tensor_scalar_reduce,
           read_tensor_scalar_reduce},
          {"dve_read_accumulator",
           {Opcode::dve_read_accumulator},
           {operand_field("dst", 3)},
           write_read_accumulator,
           read_read_accumulator},
          {"act_read_accumulator",
           {Opcode::act_read_accumulator},
           {operand_field("dst", 3)},
           write_read_accumulator,
           read_read_accumulator},
          {"tensor_scalar_cumulative",
           {Opcode::tensor_scalar_cumulative},
           {operation_field("op0"), scalar_field("imm0"), operation_field("op1"), optional(scalar_field("imm1")),
            command, operand_field("src", 3), operand_field("dst", 3)},
           write_cumulative,
           read_cumulative}};
}

}  // namespace tpb
