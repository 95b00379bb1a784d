// A function of the activation engine, with scale and bias: S3D3_AC.
#include <bit>

#include "models/isa/activation.h"
#include "models/program/mnemonic_rows.h"

namespace tpb {
namespace {

constexpr std::uint32_t kOne = std::bit_cast<std::uint32_t>(1.0F);  // the scale when none is given

std::span<const Choice> functions() {
  static const std::vector<Choice> choices = [] {
    std::vector<Choice> all;
    for (const ActivationInfo& info : activations()) all.push_back({info.name, code_of(info.code)});
    return all;
  }();
  return choices;
}

constexpr Choice kReduceOps[]{{"add", code_of(ActivationReduce::add)},
                              {"max", code_of(ActivationReduce::max)},
                              {"min", code_of(ActivationReduce::min)}};

std::uint8_t accumulation_of(const Fields& fields) {
  const std::uint8_t command = fields.has("reduce_cmd") ? fields.code("reduce_cmd") : code_of(AccumulatorCommand::idle);
  if (!fields.has("reduce_op")) return command;
  if (command == code_of(AccumulatorCommand::idle)) {
    throw Problem{fields.column("reduce_op"), "reduce_op= without a reduce_cmd= that uses it, expected one"};
  }
  return static_cast<std::uint8_t>(command | fields.code("reduce_op") << 4);
}

// Only one function has a slope, and that one has no usual slope.
float slope_of(const Fields& fields) {
  const bool prelu = fields.code("func") == code_of(Activation::prelu);
  if (fields.has("slope") && !prelu) {
    throw Problem{fields.column("slope"), "slope= of a function that has none, expected func=prelu"};
  }
  if (prelu && !fields.has("slope")) {
    throw Problem{fields.column("func"), "prelu without slope=, expected what multiplies negative numbers"};
  }
  return prelu ? fields.number("slope") : 0.0F;
}

Instructions write_activate(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  static constexpr Dtype kScale[]{Dtype::fp32};
  static constexpr Dtype kBias[]{Dtype::fp32, Dtype::fp16, Dtype::bf16};
  const Operand& src = fields.operand("src");
  const Operand& dst = fields.operand("dst");
  check_elements(fields, "dst", elements_of(src), "those of src");
  Immediate scale{0, kOne}, bias;
  if (fields.has("scale")) scale = immediate_of(fields, "scale", kScale, "of an activation");
  if (fields.has("bias")) bias = immediate_of(fields, "bias", kBias, "of an activation");
  S3D3_AC bundle{};
  bundle.frame = frame_for(mnemonic.roles[0], semantics);
  bundle.scale_src = scale.source;
  bundle.accum_cmd = accumulation_of(fields);
  bundle.bias_src = bias.source;
  bundle.src = descriptor_of<3>(src.pattern);
  bundle.in_bias_dtype = pair_of(src.dtype, bias.dtype);
  bundle.out_dtype = code_of(dst.dtype);
  bundle.num_active_channels = channels_of(src);
  bundle.func = fields.code("func");
  bundle.scale = scale.value;
  bundle.bias = bias.value;
  bundle.imm = std::bit_cast<std::uint32_t>(slope_of(fields));
  bundle.dst = descriptor_of<3>(dst.pattern);
  return {bundle};
}

Fields read_activate(std::span<const Instruction> instructions) {
  const auto& bundle = std::get<S3D3_AC>(instructions[0]);
  Fields fields;
  put_operands(fields, instructions[0], {"src"});
  fields.put("func", bundle.func);
  if (bundle.scale_src != 0 || bundle.scale != kOne) {
    fields.put("scale", scalar_of({bundle.scale_src, bundle.scale, Dtype::fp32}));
  }
  if (bundle.bias_src != 0 || bundle.bias != 0) {
    fields.put("bias", scalar_of({bundle.bias_src, bundle.bias, high_of(bundle.in_bias_dtype)}));
  }
  if (bundle.func == code_of(Activation::prelu)) fields.put("slope", std::bit_cast<float>(bundle.imm));
  const std::uint8_t command = bundle.accum_cmd & 0xF, reduce_op = bundle.accum_cmd >> 4;
  if (command != code_of(AccumulatorCommand::idle)) fields.put("reduce_cmd", command);
  if (reduce_op != code_of(ActivationReduce::add)) fields.put("reduce_op", reduce_op);
  return fields;
}

}  // namespace

Rows activate_rows() {
  return {
      {"activate",
       {Opcode::activate},
       {choice_field("func", functions()), operand_field("src", 3), operand_field("dst", 3),
        optional(scalar_field("scale")), optional(scalar_field("bias")), optional(number_field("slope")),
        optional(choice_field("reduce_cmd", accumulator_commands())), optional(choice_field("reduce_op", kReduceOps))},
       write_activate,
       read_activate}};
}

}  // namespace tpb
