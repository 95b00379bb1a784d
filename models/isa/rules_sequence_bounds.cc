// S3D3_SEQ_BOUNDS: GetSequenceBounds, in the order of its predicate.
#include "models/isa/common_rules.h"
#include "models/isa/describe.h"

namespace tpb {
namespace {

constexpr ByteLimits kChannels{"num_active_channels", offsetof(S3D3_SEQ_BOUNDS, num_active_channels), 1, 1, "1"};

template <SiteIndex kSite>
constexpr Rule kSeqBoundsDtype{
    "has_valid_seq_bounds_dtype",
    [](const Subject& s) {
      const auto dtype = static_cast<Dtype>(s.sites[kSite].dtype);
      return dtype == Dtype::int32 || dtype == Dtype::fp32;
    },
    [](const Subject& s) {
      const Site& site = s.sites[kSite];
      return Violation{{}, std::string(site.names->dtype), dtype_text(site.dtype), "int32 or fp32"};
    }};

// A minimum and a maximum for every element: two planes, along the highest dimension.
constexpr std::uint32_t kBounds = 2;
constexpr unsigned kPlaneDim = 2;
constexpr Rule kElementCount{"s3d3_seq_bounds_element_count_check_t3d",
                             [](const Subject& s) {
                               const auto& src = s.sites[kSrc].pattern;
                               const auto& dst = s.sites[kDst].pattern;
                               return dst.elements() == kBounds * src.elements() && dst.num[kPlaneDim] == kBounds;
                             },
                             [](const Subject& s) {
                               const std::uint64_t expected = kBounds * s.sites[kSrc].pattern.elements();
                               const Site& dst = s.sites[kDst];
                               if (dst.pattern.elements() != expected) {
                                 return explain_count(dst, expected, "twice those of src");
                               }
                               return Violation{{},
                                                site_field(dst, "num_elem[2]"),
                                                std::to_string(dst.pattern.num[kPlaneDim]),
                                                "2: the minimum and the maximum"};
                             }};

constexpr std::tuple kTable{
    kCheckActiveChannels,
    byte_rule<kChannels>("has_valid_s3d3_seq_bounds_channels"),
    reserved_zero<bytes(13, 13) | bytes(48, 63)>("s3d3_seq_bounds_reserved_zero"),
    kIsValidDtype<kSrc, AllowFp32r::no>,
    kIsValidDtype<kDst, AllowFp32r::yes>,
    kSeqBoundsDtype<kSrc>,
    kSeqBoundsDtype<kDst>,
    kStartAddrActiveChannels<kSrc>,
    kStartAddrActiveChannels<kDst>,
    kDirectAddress<kSrc>,
    kDirectAddress<kDst>,
    kTensor3dValid<kSrc, WriteTensor::no, Psum::never>,
    kTensor3dValid<kDst, WriteTensor::yes, Psum::never>,
    kElementCount,
};

}  // namespace

constexpr RuleSet kSequenceBoundsRules = rule_set<kTable>(describe_source_destination<S3D3_SEQ_BOUNDS>);

}  // namespace tpb
