// D4_MR and D4_IOTA: what writes without reading.
#include <fmt/format.h>

#include "models/isa/common_rules.h"
#include "models/isa/describe.h"

namespace tpb {
namespace {

constexpr std::tuple kDestination{
    kIsValidDtype<kDst, AllowFp32r::yes>,
    kStartAddrActiveChannels<kDst>,
    kDirectAddress<kDst>,
    kTensor4dValid<kDst, WriteTensor::yes, Psum::except_pool>,
};

constexpr auto kMemsetTable = std::tuple_cat(
    std::tuple{kCheckActiveChannels, reserved_zero<bytes(12, 32) | bytes(35, 39)>("d4_mr_reserved_zero")},
    kDestination);

constexpr ByteLimits kNoInput{"in_dtype", offsetof(D4_IOTA, in_dtype), 0, 0, "0: there is no input"};

// The counts of the steps are those of the destination.
unsigned unequal_count(const Subject& s) {
  const auto bundle = s.as<D4_IOTA>();
  unsigned d = 0;
  while (d < kPatternDims && bundle.num[d] == bundle.dst.num[d]) ++d;
  return d;
}
constexpr Rule kCounts{"iota_counts_check", [](const Subject& s) { return unequal_count(s) == kPatternDims; },
                       [](const Subject& s) {
                         const auto bundle = s.as<D4_IOTA>();
                         const unsigned d = unequal_count(s);
                         return Violation{{},
                                          fmt::format("num_elem[{}]", d),
                                          std::to_string(bundle.num[d]),
                                          fmt::format("{} (dst.num_elem[{}])", std::uint32_t{bundle.dst.num[d]}, d)};
                       }};

constexpr auto kIotaTable =
    std::tuple_cat(std::tuple{kCheckActiveChannels,
                              reserved_zero<bytes(12, 15) | bytes(35, 35) | bytes(42, 43)>("d4_iota_reserved_zero"),
                              byte_rule<kNoInput>("has_valid_iota_in_dtype")},
                   kDestination, std::tuple{kCounts});

}  // namespace

constexpr RuleSet kMemsetRules = rule_set<kMemsetTable>(describe_destination<D4_MR>);
constexpr RuleSet kIotaRules = rule_set<kIotaTable>(describe_destination<D4_IOTA>);

}  // namespace tpb
