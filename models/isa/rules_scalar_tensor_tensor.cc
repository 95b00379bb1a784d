// S2S2D2_STT: ScalarTensorTensor and TensorTensorScan.
#include "models/isa/describe.h"
#include "models/isa/operation_rules.h"

namespace tpb {
namespace {

constexpr ByteLimits kReverse{"reverse", offsetof(S2S2D2_STT, reverse), 0, 3, "0..3"};
constexpr ByteLimits kNoAccumulator{"accumulator_cmd", offsetof(S2S2D2_STT, accumulator_cmd), 0, 0, "0 (idle)"};

constexpr std::uint8_t code(Dtype dtype) { return static_cast<std::uint8_t>(dtype); }
constexpr Rule kArithImmediateDtype{"has_valid_immediate_dtype",
                                    [](const Subject& s) { return s.sites[kImm0].dtype == code(Dtype::fp32); },
                                    [](const Subject& s) {
                                      return Violation{{}, "imm0_dtype", dtype_text(s.sites[kImm0].dtype), "fp32"};
                                    }};
constexpr Rule kBitvecImmediateDtype{
    "has_valid_immediate_dtype",
    [](const Subject& s) {
      return s.sites[kImm0].dtype == code(Dtype::int32) || s.sites[kImm0].dtype == code(Dtype::uint32);
    },
    [](const Subject& s) {
      return Violation{{}, "imm0_dtype", dtype_text(s.sites[kImm0].dtype), "int32 or uint32"};
    }};

constexpr std::tuple kFields{
    kCheckActiveChannels,
    reserved_zero<bytes(45, 47)>("s2s2d2_stt_reserved_zero"),
    kIsValidDtype<kSrc, AllowFp32r::no>,
    kIsValidDtype<kSrc1, AllowFp32r::no>,
    kIsValidDtype<kDst, AllowFp32r::yes>,
};
template <const LegalOperations& kLegal>
constexpr std::tuple kOperations{
    operation_rule<kOp0, kLegal>("has_valid_scalar_tensor_tensor_op"),
    operation_rule<kOp1, kLegal>("has_valid_scalar_tensor_tensor_op"),
    byte_rule<kNoAccumulator>("has_valid_scalar_tensor_tensor_accum_cmd"),
    byte_rule<kReverse>("has_valid_reverse"),
    scalar_rule<kImm0>("is_valid_scalar_tensor_tensor_immediate"),
};
constexpr std::tuple kOperands{
    kStartAddrActiveChannels<kSrc>,
    kStartAddrActiveChannels<kSrc1>,
    kStartAddrActiveChannels<kDst>,
    kDirectAddress<kSrc>,
    kDirectAddress<kSrc1>,
    kDirectAddress<kDst>,
    kOneSourceInPsum,
    kTensor2dValid<kSrc, WriteTensor::no, Psum::except_pool>,
    kTensor2dValid<kSrc1, WriteTensor::no, Psum::except_pool>,
    kTensor2dValid<kDst, WriteTensor::yes, Psum::except_pool>,
    same_element_count<kSrc1, kSrc>("same_element_count_t2d"),
    same_element_count<kDst, kSrc>("same_element_count_t2d"),
};

constexpr auto kArithTable =
    std::tuple_cat(kFields, std::tuple{kArithImmediateDtype}, kOperations<kElementwiseOperations>, kOperands);
constexpr auto kBitvecTable =
    std::tuple_cat(kFields,
                   std::tuple{kBitvecDtype<kSrc>, kBitvecDtype<kSrc1>, kBitvecDtype<kDst>, kBitvecSameSize<kSrc1, kSrc>,
                              kBitvecSameSize<kDst, kSrc>, kBitvecImmediateDtype},
                   kOperations<kBitvecOperations>, kOperands);

}  // namespace

constexpr RuleSet kScalarTensorTensorArithRules = rule_set<kArithTable>(describe_s2s2d2_stt);
constexpr RuleSet kScalarTensorTensorBitvecRules = rule_set<kBitvecTable>(describe_s2s2d2_stt);
constexpr RuleSet kScanRules = rule_set<kArithTable>(describe_s2s2d2_stt);

}  // namespace tpb
