// Element by element: two tensors (S3S3D3_TT), or one that is moved (S4D4_TR).
#include "models/program/mnemonic_rows.h"

namespace tpb {
namespace {

S3S3D3_TT two_tensors(Opcode role, std::uint8_t op, const Fields& fields, const SemanticsOptions& semantics) {
  const Operand& src0 = fields.operand("src0");
  const Operand& src1 = fields.operand("src1");
  const Operand& dst = fields.operand("dst");
  check_elements(fields, "src1", elements_of(src0), "those of src0");
  check_elements(fields, "dst", elements_of(src0), "those of src0");
  S3S3D3_TT bundle{};
  bundle.frame = frame_for(role, semantics);
  bundle.in0_in1_dtype = pair_of(src0.dtype, src1.dtype);
  bundle.out_dtype = code_of(dst.dtype);
  bundle.op = op;
  bundle.num_active_channels = channels_of(src0);
  bundle.src0 = descriptor_of<3>(src0.pattern);
  bundle.src1 = descriptor_of<3>(src1.pattern);
  bundle.dst = descriptor_of<3>(dst.pattern);
  return bundle;
}

Instructions write_tensor_tensor(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  const std::uint8_t op = fields.code("op");
  return {two_tensors(is_bitvec(op) ? Opcode::tensor_tensor_bitvec : mnemonic.roles[0], op, fields, semantics)};
}

// The opcode says the operation and the op byte is pinned to it.
Instructions write_packed(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  const Opcode role = mnemonic.roles[0];
  const AluOp op = role == Opcode::tensor_tensor_add_bf16    ? AluOp::add
                   : role == Opcode::tensor_tensor_mult_bf16 ? AluOp::mult
                                                             : AluOp::subtract;
  return {two_tensors(role, code_of(op), fields, semantics)};
}

Fields read_packed(std::span<const Instruction> instructions) {
  Fields fields;
  put_operands(fields, instructions[0], {"src0", "src1"});
  return fields;
}

Fields read_tensor_tensor(std::span<const Instruction> instructions) {
  Fields fields = read_packed(instructions);
  fields.put("op", std::get<S3S3D3_TT>(instructions[0]).op);
  return fields;
}

Instructions write_moved(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  const Operand& src = fields.operand("src");
  check_elements(fields, "dst", elements_of(src), "those of src");
  return {source_to_destination<S4D4_TR, 4, 4>(mnemonic.roles[0], src, fields.operand("dst"), semantics)};
}

Fields read_moved(std::span<const Instruction> instructions) {
  Fields fields;
  put_operands(fields, instructions[0], {"src"});
  return fields;
}

}  // namespace

Rows tensor_rows() {
  const std::vector<FieldSpec> packed{operand_field("src0", 3), operand_field("src1", 3), operand_field("dst", 3)};
  std::vector<FieldSpec> any = packed;
  any.insert(any.begin(), operation_field("op"));
  const std::vector<FieldSpec> moved{operand_field("src", 4), operand_field("dst", 4)};
  return {{"tensor_tensor", {Opcode::tensor_tensor_arith}, any, write_tensor_tensor, read_tensor_tensor},
          {"tensor_tensor_add_bf16", {Opcode::tensor_tensor_add_bf16}, packed, write_packed, read_packed},
          {"tensor_tensor_mult_bf16", {Opcode::tensor_tensor_mult_bf16}, packed, write_packed, read_packed},
          {"tensor_tensor_sub_bf16", {Opcode::tensor_tensor_sub_bf16}, packed, write_packed, read_packed},
          {"reciprocal", {Opcode::reciprocal}, moved, write_moved, read_moved},
          {"copy", {Opcode::copy}, moved, write_moved, read_moved},
          {"cast", {Opcode::cast}, moved, write_moved, read_moved},
          {"stream_transpose", {Opcode::stream_transpose}, moved, write_moved, read_moved}};
}

}  // namespace tpb
