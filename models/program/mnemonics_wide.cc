// 64-bit integer results in two halves: S2S2D2D2_TT, S2D2D2_TS_WIDE.
#include "models/program/mnemonic_rows.h"

namespace tpb {
namespace {

Instructions write_tensor_tensor_wide(const Mnemonic& mnemonic, const Fields& fields,
                                      const SemanticsOptions& semantics) {
  const Operand& src0 = fields.operand("src0");
  const Operand& src1 = fields.operand("src1");
  const Operand& dst0 = fields.operand("dst0");
  const Operand& dst1 = fields.operand("dst1");
  for (const std::string_view name : {"src1", "dst0", "dst1"}) {
    check_elements(fields, name, elements_of(src0), "those of src0");
  }
  S2S2D2D2_TT bundle{};
  bundle.frame = frame_for(mnemonic.roles[0], semantics);
  bundle.in0_in1_dtype = pair_of(src0.dtype, src1.dtype);
  bundle.out0_out1_dtype = pair_of(dst0.dtype, dst1.dtype);
  bundle.op = fields.code("op");
  bundle.num_active_channels = channels_of(src0);
  bundle.src0 = descriptor_of<2>(src0.pattern);
  bundle.src1 = descriptor_of<2>(src1.pattern);
  bundle.dst0 = descriptor_of<2>(dst0.pattern);
  bundle.dst1 = descriptor_of<2>(dst1.pattern);
  return {bundle};
}

Fields read_tensor_tensor_wide(std::span<const Instruction> instructions) {
  Fields fields;
  put_operands(fields, instructions[0], {"src0", "src1"}, {"dst0", "dst1"});
  fields.put("op", std::get<S2S2D2D2_TT>(instructions[0]).op);
  return fields;
}

Instructions write_tensor_scalar_wide(const Mnemonic& mnemonic, const Fields& fields,
                                      const SemanticsOptions& semantics) {
  const Operand& src = fields.operand("src");
  const Operand& dst0 = fields.operand("dst0");
  const Operand& dst1 = fields.operand("dst1");
  for (const std::string_view name : {"dst0", "dst1"}) check_elements(fields, name, elements_of(src), "those of src");
  const auto dtype = static_cast<Dtype>(fields.code("imm_dtype"));
  const Immediate imm = immediate_of(fields, "imm", {&dtype, 1}, "imm_dtype");
  S2D2D2_TS_WIDE bundle{};
  bundle.frame = frame_for(mnemonic.roles[0], semantics);
  bundle.in_imm_dtype = pair_of(src.dtype, dtype);
  bundle.out0_out1_dtype = pair_of(dst0.dtype, dst1.dtype);
  bundle.op = fields.code("op");
  bundle.num_active_channels = channels_of(src);
  bundle.src = descriptor_of<2>(src.pattern);
  bundle.dst0 = descriptor_of<2>(dst0.pattern);
  bundle.dst1 = descriptor_of<2>(dst1.pattern);
  bundle.imm_src = imm.source;
  bundle.imm = imm.value;
  return {bundle};
}

Fields read_tensor_scalar_wide(std::span<const Instruction> instructions) {
  const auto& bundle = std::get<S2D2D2_TS_WIDE>(instructions[0]);
  Fields fields;
  put_operands(fields, instructions[0], {"src"}, {"dst0", "dst1"});
  fields.put("op", bundle.op);
  const Dtype dtype = high_of(bundle.in_imm_dtype);
  fields.put("imm_dtype", code_of(dtype));
  fields.put("imm", scalar_of({bundle.imm_src, bundle.imm, dtype}));
  return fields;
}

// What an immediate can be.
std::span<const Choice> integer_dtypes() {
  static const std::vector<Choice> choices = [] {
    std::vector<Choice> integers;
    for (const DtypeInfo& info : dtypes()) {
      if (info.modelled && is_integer(static_cast<Dtype>(info.code))) integers.push_back({info.name, info.code});
    }
    return integers;
  }();
  return choices;
}

}  // namespace

Rows wide_rows() {
  return {{"tensor_tensor_int_wide",
           {Opcode::tensor_tensor_int_wide},
           {operation_field("op"), operand_field("src0", 2), operand_field("src1", 2), operand_field("dst0", 2),
            operand_field("dst1", 2)},
           write_tensor_tensor_wide,
           read_tensor_tensor_wide},
          {"tensor_scalar_int_wide",
           {Opcode::tensor_scalar_int_wide},
           {operation_field("op"), operand_field("src", 2), scalar_field("imm"),
            choice_field("imm_dtype", integer_dtypes()), operand_field("dst0", 2), operand_field("dst1", 2)},
           write_tensor_scalar_wide,
           read_tensor_scalar_wide}};
}

}  // namespace tpb
