// S4D2_BN, S4D2_MV and S2_BN: the eight largest values of a row, and where they lie in it.
#include <fmt/format.h>

#include "models/isa/common_rules.h"
#include "models/isa/describe.h"

namespace tpb {
namespace {

constexpr std::uint64_t kWidth = 8;  // values, and indices
constexpr std::uint64_t kLongestRow = 16384;

// The immediates of batch normalisation, which shares the layouts, are zero like the bytes that no field covers.
constexpr auto kS4d2Reserved = reserved_zero<bytes(35, 47) | bytes(60, 63)>("s4d2_bn_reserved_zero");
constexpr auto kMvReserved = reserved_zero<bytes(35, 47) | bytes(60, 63)>("s4d2_mv_reserved_zero");
constexpr auto kS2Reserved =
    reserved_zero<bytes(12, 15) | bytes(28, 31) | bytes(33, 33) | bytes(35, 63)>("s2_bn_reserved_zero");

// The first dimension past those that a row may have and that has more than one element; kPatternDims for none.
unsigned excess_dimension(const Subject& s) {
  unsigned d = s.context.semantics.max8_dims;
  while (d < kPatternDims && s.sites[kSrc].pattern.num[d] <= 1) ++d;
  return d;
}
constexpr Rule kRowDims{"max8_dims_check", [](const Subject& s) { return excess_dimension(s) >= kPatternDims; },
                        [](const Subject& s) {
                          const Site& row = s.sites[kSrc];
                          const unsigned d = excess_dimension(s);
                          const unsigned most = s.context.semantics.max8_dims;
                          return Violation{
                              {},
                              site_field(row, fmt::format("num_elem[{}]", d)),
                              std::to_string(row.pattern.num[d]),
                              fmt::format("1: in0.size() <= {}, at most {} free dimensions", most + 1, most)};
                        }};

constexpr std::string_view kIndirect = "a direct address: TODO: support MAX8 with TensorIndirect AP";

constexpr Rule kIndexDtype{
    "has_valid_find_index8_out_dtype",
    [](const Subject& s) {
      const auto dtype = static_cast<Dtype>(s.sites[kDst].dtype);
      return dtype == Dtype::uint32 ||
             (dtype == Dtype::uint16 && s.context.semantics.find_index8 == SemanticsOptions::FindIndex8::successive);
    },
    [](const Subject& s) {
      const bool both = s.context.semantics.find_index8 == SemanticsOptions::FindIndex8::successive;
      return Violation{{}, "out_dtype", dtype_text(s.sites[kDst].dtype), both ? "uint16 or uint32" : "uint32"};
    }};

constexpr Rule kValuesLoaded{
    "match_value_load_missing", [](const Subject& s) { return s.channels <= s.context.earlier.match_value_channels; },
    [](const Subject& s) {
      return Violation{
          {},
          "match values",
          s.context.earlier.match_value_channels == 0
              ? "none"
              : fmt::format("of {} partitions", s.context.earlier.match_value_channels),
          fmt::format("of {} partitions, by a MatchValueLoad earlier in the stream: match_value_load missing",
                      s.channels)};
    }};

constexpr std::tuple kAddresses{kStartAddrActiveChannels<kSrc>, kStartAddrActiveChannels<kDst>, kDirectAddress<kSrc>,
                                kDirectAddress<kDst>};
constexpr std::tuple kTensors{kRowDims, kTensor4dValid<kSrc, WriteTensor::no, Psum::except_pool>,
                              kTensor2dValid<kDst, WriteTensor::yes, Psum::except_pool>};

constexpr auto kMax8Table = std::tuple_cat(
    std::tuple{kCheckActiveChannels, kS4d2Reserved, kIsValidDtype<kSrc, AllowFp32r::no>,
               kIsValidDtype<kDst, AllowFp32r::yes>, not_indirect_rule<kSrc, kIndirect>("max8_not_indirect"),
               not_indirect_rule<kDst, kIndirect>("max8_not_indirect")},
    kAddresses, kTensors,
    std::tuple{element_count<kSrc, kWidth, kLongestRow>("max8_element_count_check"),
               element_count<kDst, kWidth>("max8_element_count_check")});

constexpr auto kFindIndex8Table =
    std::tuple_cat(std::tuple{kCheckActiveChannels, kS4d2Reserved, kIsValidDtype<kSrc, AllowFp32r::no>,
                              kIsValidDtype<kDst, AllowFp32r::yes>, kIndexDtype},
                   kAddresses, kTensors,
                   std::tuple{element_count<kSrc, kWidth, kLongestRow>("find_index8_element_count_check"),
                              element_count<kDst, kWidth>("find_index8_element_count_check"), kValuesLoaded});

// The data are only judged: nothing reads them.
constexpr std::tuple kMatchValueLoadTable{
    kCheckActiveChannels,
    kMvReserved,
    kIsValidDtype<kSrc, AllowFp32r::no>,
    kIsValidDtype<kSrc1, AllowFp32r::no>,
    kStartAddrActiveChannels<kSrc>,
    kStartAddrActiveChannels<kSrc1>,
    kDirectAddress<kSrc>,
    kDirectAddress<kSrc1>,
    kRowDims,
    kTensor4dValid<kSrc, WriteTensor::no, Psum::except_pool>,
    kTensor2dValid<kSrc1, WriteTensor::no, Psum::except_pool>,
    element_count<kSrc, kWidth, kLongestRow>("match_value_load_element_count_check"),
    element_count<kSrc1, kWidth>("match_value_load_element_count_check"),
};

constexpr std::tuple kMatchValueLoadS2BnTable{
    kCheckActiveChannels,
    kS2Reserved,
    kIsValidDtype<kSrc, AllowFp32r::no>,
    kStartAddrActiveChannels<kSrc>,
    kDirectAddress<kSrc>,
    kTensor2dValid<kSrc, WriteTensor::no, Psum::except_pool>,
    element_count<kSrc, kWidth>("match_value_load_element_count_check"),
};

}  // namespace

constexpr RuleSet kMax8Rules = rule_set<kMax8Table>(describe_source_destination<S4D2_BN>);
constexpr RuleSet kFindIndex8Rules = rule_set<kFindIndex8Table>(describe_source_destination<S4D2_BN>);
constexpr RuleSet kMatchValueLoadRules = rule_set<kMatchValueLoadTable>(describe_s4d2_mv);
constexpr RuleSet kMatchValueLoadS2BnRules = rule_set<kMatchValueLoadS2BnTable>(describe_s2_bn);

}  // namespace tpb
