// Pool (45), and the control bundles.
#include <fmt/format.h>

#include "models/isa/common_rules.h"
#include "models/isa/describe.h"

namespace tpb {
namespace {

constexpr std::tuple kControlTable{reserved_zero<bytes(12, 63)>("control_reserved_zero")};

PoolFunction function_of(const Subject& s) { return static_cast<PoolFunction>(s.as<S4D4_PL>().pool_func); }

constexpr ByteLimits kFunction{"pool_func", offsetof(S4D4_PL, pool_func), 1, 2,
                               "1 (max) or 2 (average): has unimplemented Pooling type"};
// The window is always two-dimensional.
constexpr ByteLimits kSubdim{"pool_dim", offsetof(S4D4_PL, pool_dim), 3, 3, "3"};

constexpr Rule kAverageIsDirect{
    "pool_average_direct_src",
    [](const Subject& s) {
      return function_of(s) != PoolFunction::average || !is_indirect(s.sites[kSrc].pattern.start_addr);
    },
    [](const Subject& s) {
      return Violation{{},
                       "src.start_addr",
                       address_text(s.sites[kSrc].pattern.start_addr),
                       "POOL with Average Function doesn't support TensorIndirect AP as src AP"};
    }};

// One result per window; a window is the two innermost dimensions.
std::uint64_t windows_of(const Subject& s) {
  return std::uint64_t{s.sites[kSrc].pattern.num[2]} * s.sites[kSrc].pattern.num[3];
}
constexpr Rule kPoolCount{
    "pool_element_count_check", [](const Subject& s) { return s.sites[kDst].pattern.elements() == windows_of(s); },
    [](const Subject& s) {
      return explain_count(s.sites[kDst], windows_of(s), "src.num_elem[2] x src.num_elem[3], one per window");
    }};

constexpr std::tuple kPoolTable{
    kCheckActiveChannels,
    reserved_zero<bytes(35, 35) | bytes(38, 39)>("s4d4_pl_reserved_zero"),
    kIsValidDtype<kSrc, AllowFp32r::no>,
    kIsValidDtype<kDst, AllowFp32r::yes>,
    byte_rule<kFunction>("has_valid_pool_func"),
    byte_rule<kSubdim>("valid_subdim"),
    kAverageIsDirect,
    kStartAddrActiveChannels<kSrc>,
    kStartAddrActiveChannels<kDst>,
    kDirectAddress<kSrc>,
    kDirectAddress<kDst>,
    kTensor4dValid<kSrc, WriteTensor::no, Psum::every_engine>,
    kTensor4dValid<kDst, WriteTensor::yes, Psum::every_engine>,
    kPoolCount,
};

}  // namespace

constexpr RuleSet kControlRules = rule_set<kControlTable>(describe_control);
constexpr RuleSet kPoolRules = rule_set<kPoolTable>(describe_source_destination<S4D4_PL>);

}  // namespace tpb
