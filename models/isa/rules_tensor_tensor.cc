// S3S3D3_TT: TensorTensor and the packed BF16 trio.
#include <fmt/format.h>

#include "models/isa/describe.h"
#include "models/isa/operation_rules.h"

namespace tpb {
namespace {

constexpr LegalOperations kLegalArith([](const OperationContext& c) {
  return c.pool ? elementwise(c) | integer_band(c.generation) : elementwise(c);
});

template <SiteIndex kSite>
constexpr Rule kBf16InDtype{
    "has_valid_tensor_tensor_bf16_in_dtype",
    [](const Subject& s) { return s.sites[kSite].dtype == static_cast<std::uint8_t>(Dtype::bf16); },
    [](const Subject& s) {
      return Violation{{}, std::string(s.sites[kSite].names->dtype), dtype_text(s.sites[kSite].dtype), "bf16"};
    }};

// The opcode says which operation it is, and the op byte must agree.
constexpr AluOp pinned_operation(std::uint8_t role) {
  switch (static_cast<Opcode>(role)) {
    case Opcode::tensor_tensor_mult_bf16:
      return AluOp::mult;
    case Opcode::tensor_tensor_sub_bf16:
      return AluOp::subtract;
    default:
      return AluOp::add;
  }
}
constexpr Rule kBf16Op{"has_valid_tensor_tensor_bf16_op",
                       [](const Subject& s) { return s.op == static_cast<std::uint8_t>(pinned_operation(s.role)); },
                       [](const Subject& s) { return explain_operation(s.op, CodeSet{pinned_operation(s.role)}); }};

// A pair of BF16 values is read per source port at once, so every pair must be whole. The step of a dimension of one
// element is never taken (descriptors fill unused dimensions with step 1) and may be odd.
constexpr bool odd_step(const Site::Pattern& p, unsigned d) { return p.num[d] > 1 && p.step[d] % 2 != 0; }
template <SiteIndex kSite>
constexpr Rule kBf16AccessPattern{
    "tensor_tensor_bf16_access_pattern_check",
    [](const Subject& s) {
      const Site::Pattern& p = s.sites[kSite].pattern;
      return p.num[0] % 2 == 0 && p.step[0] == 1 && !odd_step(p, 1) && !odd_step(p, 2);
    },
    [](const Subject& s) {
      const Site& site = s.sites[kSite];
      const Site::Pattern& p = site.pattern;
      if (p.num[0] % 2 != 0) {
        return Violation{{}, site_field(site, "num_elem[0]"), std::to_string(p.num[0]), "an even number"};
      }
      if (p.step[0] != 1) {
        return Violation{{}, site_field(site, "step_elem[0]"), std::to_string(p.step[0]), "1"};
      }
      const unsigned d = odd_step(p, 1) ? 1 : 2;
      return Violation{
          {}, site_field(site, fmt::format("step_elem[{}]", d)), std::to_string(p.step[d]), "an even number"};
    }};

constexpr std::tuple kDtypes{kIsValidDtype<kSrc, AllowFp32r::no>, kIsValidDtype<kSrc1, AllowFp32r::no>,
                             kIsValidDtype<kDst, AllowFp32r::yes>};
constexpr std::tuple kAddresses{
    kStartAddrActiveChannels<kSrc>,
    kStartAddrActiveChannels<kSrc1>,
    kStartAddrActiveChannels<kDst>,
    kDirectAddress<kSrc>,
    kDirectAddress<kSrc1>,
    kDirectAddress<kDst>,
    kOneSourceInPsum,
};
constexpr std::tuple kTensors{kTensor3dValid<kSrc, WriteTensor::no, Psum::except_pool>,
                              kTensor3dValid<kSrc1, WriteTensor::no, Psum::except_pool>,
                              kTensor3dValid<kDst, WriteTensor::yes, Psum::except_pool>};
constexpr std::tuple kCounts{same_element_count<kSrc1, kSrc>("same_element_count_t3d"),
                             same_element_count<kDst, kSrc>("same_element_count_t3d")};

constexpr auto kArithTable =
    std::tuple_cat(std::tuple{kCheckActiveChannels}, kDtypes,
                   std::tuple{operation_rule<kLegalArith>("has_valid_tensor_tensor_op"), kIntegerOpDtype<kSrc>,
                              kIntegerOpDtype<kSrc1>, kIntegerOpDtype<kDst>},
                   kAddresses, kTensors, kCounts);

constexpr auto kBitvecTable = std::tuple_cat(
    std::tuple{kCheckActiveChannels}, kDtypes,
    std::tuple{kBitvecDtype<kSrc>, kBitvecDtype<kSrc1>, kBitvecDtype<kDst>, kBitvecSameSize<kSrc1, kSrc>,
               kBitvecSameSize<kDst, kSrc>, operation_rule<kBitvecOperations>("has_valid_tensor_tensor_op")},
    kAddresses, kTensors, kCounts);

// Sources are valid as UINT32, the pairs they are read in: aligned to 4 bytes.
constexpr auto kBf16Table = std::tuple_cat(std::tuple{kCheckActiveChannels, kBf16InDtype<kSrc>, kBf16InDtype<kSrc1>,
                                                      kIsValidDtype<kDst, AllowFp32r::yes>, kBf16Op},
                                           kAddresses,
                                           std::tuple{kBf16AccessPattern<kSrc>, kBf16AccessPattern<kSrc1>,
                                                      kTensor3dValid<kSrc, WriteTensor::no, Psum::every_engine, 4>,
                                                      kTensor3dValid<kSrc1, WriteTensor::no, Psum::every_engine, 4>,
                                                      kTensor3dValid<kDst, WriteTensor::yes, Psum::every_engine>},
                                           kCounts);

}  // namespace

constexpr RuleSet kTensorTensorArithRules = rule_set<kArithTable>(describe_s3s3d3_tt);
constexpr RuleSet kTensorTensorBitvecRules = rule_set<kBitvecTable>(describe_s3s3d3_tt);
constexpr RuleSet kTensorTensorBf16Rules = rule_set<kBf16Table>(describe_s3s3d3_tt);

}  // namespace tpb
