// Tensors with scalars: tensor_scalar (S3D3_TS), and two tensors with one (S2S2D2_STT).
#include <fmt/format.h>

#include "models/program/mnemonic_rows.h"

namespace tpb {
namespace {

// --- S3D3_TS ---------------------------------------------------------------------------------------------------------

Instructions write_tensor_scalar(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  const Operand& src = fields.operand("src");
  check_elements(fields, "dst", elements_of(src), "those of src");
  for (const auto& [given, missing] : {std::pair{"op1", "imm1"}, std::pair{"imm1", "op1"}}) {
    if (fields.has(given) && !fields.has(missing)) {
      throw Problem{fields.column(given), fmt::format("{}= without {}=, expected both or neither", given, missing)};
    }
  }
  const std::uint8_t op0 = fields.code("op0");
  const Opcode role = is_bitvec(op0) ? Opcode::tensor_scalar_bitvec : mnemonic.roles[0];
  auto bundle = source_to_destination<S3D3_TS, 3, 3>(role, src, fields.operand("dst"), semantics);
  bundle.op0 = op0;
  const Immediate imm0 = immediate_of(fields, "imm0", op0);
  bundle.imm0_src = imm0.source;
  bundle.imm0 = imm0.value;
  if (fields.has("op1")) {
    bundle.op1 = fields.code("op1");
    const Immediate imm1 = immediate_of(fields, "imm1", op0);  // both are of one family
    bundle.imm1_src = imm1.source;
    bundle.imm1 = imm1.value;
  }
  bundle.reverse = reverse_of(fields);
  return {bundle};
}

Fields read_tensor_scalar(std::span<const Instruction> instructions) {
  const auto& bundle = std::get<S3D3_TS>(instructions[0]);
  const Dtype dtype = scalar_dtype(bundle);
  Fields fields;
  put_operands(fields, instructions[0], {"src"});
  fields.put("op0", bundle.op0);
  fields.put("imm0", scalar_of({bundle.imm0_src, bundle.imm0, dtype}));
  if (bundle.op1 != code_of(AluOp::bypass) || bundle.imm1_src != 0 || bundle.imm1 != 0) {
    fields.put("op1", bundle.op1);
    fields.put("imm1", scalar_of({bundle.imm1_src, bundle.imm1, dtype}));
  }
  put_reverse(fields, bundle.reverse);
  return fields;
}

// --- S2S2D2_STT ------------------------------------------------------------------------------------------------------

S2S2D2_STT with_scalar(Opcode role, std::string_view scalar, const Fields& fields, const SemanticsOptions& semantics) {
  const Operand& src0 = fields.operand("src0");
  const Operand& src1 = fields.operand("src1");
  const Operand& dst = fields.operand("dst");
  check_elements(fields, "src1", elements_of(src0), "those of src0");
  check_elements(fields, "dst", elements_of(src0), "those of src0");
  S2S2D2_STT bundle{};
  bundle.frame = frame_for(role, semantics);
  bundle.src0 = descriptor_of<2>(src0.pattern);
  bundle.src1 = descriptor_of<2>(src1.pattern);
  bundle.op0 = fields.code("op0");
  bundle.op1 = fields.code("op1");
  bundle.reverse = reverse_of(fields);
  const Immediate imm0 = immediate_of(fields, scalar, bundle.op0);
  bundle.imm0_src = imm0.source;
  bundle.imm0_dtype = code_of(imm0.dtype);
  bundle.imm0 = imm0.value;
  bundle.in0_in1_dtype = pair_of(src0.dtype, src1.dtype);
  bundle.out_dtype = code_of(dst.dtype);
  bundle.num_active_channels = channels_of(src0);
  bundle.dst = descriptor_of<2>(dst.pattern);
  return bundle;
}

Fields read_with_scalar(std::string_view scalar, std::span<const Instruction> instructions) {
  const auto& bundle = std::get<S2S2D2_STT>(instructions[0]);
  Fields fields;
  put_operands(fields, instructions[0], {"src0", "src1"});
  fields.put("op0", bundle.op0);
  fields.put("op1", bundle.op1);
  fields.put(scalar, scalar_of({bundle.imm0_src, bundle.imm0, static_cast<Dtype>(bundle.imm0_dtype)}));
  put_reverse(fields, bundle.reverse);
  return fields;
}

Instructions write_scalar_tensor_tensor(const Mnemonic& mnemonic, const Fields& fields,
                                        const SemanticsOptions& semantics) {
  const bool bitvec = is_bitvec(fields.code("op0"));
  return {with_scalar(bitvec ? Opcode::scalar_tensor_tensor_bitvec : mnemonic.roles[0], "imm0", fields, semantics)};
}
Fields read_scalar_tensor_tensor(std::span<const Instruction> instructions) {
  return read_with_scalar("imm0", instructions);
}

Instructions write_scan(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  return {with_scalar(mnemonic.roles[0], "initial", fields, semantics)};
}
Fields read_scan(std::span<const Instruction> instructions) { return read_with_scalar("initial", instructions); }

}  // namespace

Rows scalar_rows() {
  return {
      {"tensor_scalar",
       {Opcode::tensor_scalar_arith},
       {operation_field("op0"), scalar_field("imm0"), optional(operation_field("op1")), optional(scalar_field("imm1")),
        flag_field("reverse0"), flag_field("reverse1"), operand_field("src", 3), operand_field("dst", 3)},
       write_tensor_scalar,
       read_tensor_scalar},
      {"scalar_tensor_tensor",
       {Opcode::scalar_tensor_tensor_arith},
       {operation_field("op0"), scalar_field("imm0"), operation_field("op1"), operand_field("src0", 2),
        operand_field("src1", 2), operand_field("dst", 2), flag_field("reverse0"), flag_field("reverse1")},
       write_scalar_tensor_tensor,
       read_scalar_tensor_tensor},
      {"tensor_tensor_scan",
       {Opcode::tensor_tensor_scan},
       {operation_field("op0"), operation_field("op1"), operand_field("src0", 2), operand_field("src1", 2),
        scalar_field("initial"), operand_field("dst", 2), flag_field("reverse0"), flag_field("reverse1")},
       write_scan,
       read_scan}};
}

}  // namespace tpb
