// S3D3_AC: a function of the activation engine, with scale and bias.
#include <fmt/format.h>

#include "models/isa/activation.h"
#include "models/isa/common_rules.h"
#include "models/isa/describe.h"

namespace tpb {
namespace {

template <class Code>
constexpr std::uint8_t code(Code value) {
  return static_cast<std::uint8_t>(value);
}

constexpr ByteLimits kFunction{"func", offsetof(S3D3_AC, func), 0, code(Activation::reciprocal),
                               "0..20, copy to reciprocal"};

// ---- the accumulators ----------------------------------------------------------------------------------------------

constexpr std::uint8_t command_of(const Subject& s) { return s.bundle[offsetof(S3D3_AC, accum_cmd)] & 0xF; }
constexpr std::uint8_t operator_of(const Subject& s) { return s.bundle[offsetof(S3D3_AC, accum_cmd)] >> 4; }

constexpr Rule kCommand{
    "has_valid_activation_accum_cmd",
    [](const Subject& s) { return command_of(s) <= code(AccumulatorCommand::reset_reduce); },
    [](const Subject& s) {
      return Violation{{}, "accum_cmd.command", std::to_string(command_of(s)), "0 (idle) to 3 (reset_reduce)"};
    }};
constexpr Rule kOperator{"has_valid_activation_reduce_op",
                         [](const Subject& s) {
                           const bool idle = command_of(s) == code(AccumulatorCommand::idle);
                           return operator_of(s) <= (idle ? 0 : code(ActivationReduce::min));
                         },
                         [](const Subject& s) {
                           const bool idle = command_of(s) == code(AccumulatorCommand::idle);
                           return Violation{{},
                                            "accum_cmd.operator",
                                            std::to_string(operator_of(s)),
                                            idle ? "0: idle reduces nothing" : "0 (add), 1 (max) or 2 (min)"};
                         }};

// ---- the scalars ---------------------------------------------------------------------------------------------------

constexpr bool in_instruction(const Site& scalar) { return scalar.scalar_source == code(ImmediateSource::instruction); }
constexpr bool bias_dtype_valid(const Site& bias) {
  const auto dtype = static_cast<Dtype>(bias.dtype);
  return dtype == Dtype::fp32 || (!in_instruction(bias) && is_float16(dtype));
}
constexpr Rule kBiasDtype{
    "has_valid_activation_bias_dtype", [](const Subject& s) { return bias_dtype_valid(s.sites[kImm1]); },
    [](const Subject& s) {
      const Site& bias = s.sites[kImm1];
      return Violation{{},
                       "bias_dtype",
                       dtype_text(bias.dtype),
                       in_instruction(bias) ? "fp32: it is in the instruction" : "fp32, fp16 or bf16"};
    }};

// A slope for each partition is not documented, and only prelu has one.
constexpr ByteLimits kSlopeSource{"imm_src", offsetof(S3D3_AC, imm_src), 0, 0, "0 (instruction)"};
constexpr Rule kUnusedZero{
    "s3d3_ac_unused_zero",
    [](const Subject& s) {
      const auto bundle = s.as<S3D3_AC>();
      return bundle.func == code(Activation::prelu) || bundle.imm == 0;
    },
    [](const Subject& s) {
      return Violation{{}, "imm", address_text(s.as<S3D3_AC>().imm), "0: prelu alone has a slope"};
    }};

constexpr std::tuple kTable{
    kCheckActiveChannels,
    kIsValidDtype<kSrc, AllowFp32r::no>,
    kIsValidDtype<kDst, AllowFp32r::yes>,
    byte_rule<kFunction>("has_valid_activation_func"),
    kCommand,
    kOperator,
    kBiasDtype,
    scalar_rule<kImm0>("is_valid_activation_scale"),
    scalar_rule<kImm1>("is_valid_activation_bias"),
    byte_rule<kSlopeSource>("is_valid_activation_imm"),
    kUnusedZero,
    kStartAddrActiveChannels<kSrc>,
    kStartAddrActiveChannels<kDst>,
    kDirectAddress<kSrc>,
    kDirectAddress<kDst>,
    kTensor3dValid<kSrc, WriteTensor::no, Psum::except_pool>,
    kTensor3dValid<kDst, WriteTensor::yes, Psum::except_pool>,
    same_element_count<kDst, kSrc>("same_element_count_t3d"),
};

}  // namespace

constexpr RuleSet kActivateRules = rule_set<kTable>(describe_s3d3_ac);

}  // namespace tpb
