// S4D4_CR: reductions over partitions, which leave their results in one of them.
#include "models/isa/describe.h"
#include "models/isa/operation_rules.h"

namespace tpb {
namespace {

constexpr std::uint8_t code(CrossLaneOp op) { return static_cast<std::uint8_t>(op); }
constexpr ByteLimits kArithOp{"reduce_op", offsetof(S4D4_CR, reduce_op), code(CrossLaneOp::add), code(CrossLaneOp::max),
                              "0 (add), 1 (average) or 2 (max)"};
constexpr ByteLimits kBitvecOp{"reduce_op", offsetof(S4D4_CR, reduce_op), code(CrossLaneOp::bitwise_or),
                               code(CrossLaneOp::bitwise_xor), "3 (or), 4 (and) or 5 (xor)"};

constexpr std::uint8_t kAxisC = 1;
constexpr ByteLimits kAxis{"reduce_axis", offsetof(S4D4_CR, reduce_axis), 0, kAxisC,
                           "1 (C) or 0: getAxis() == bir::AxisListType::XYZWC"};

constexpr std::string_view kIndirect =
    "a direct address: TODO: support CROSS_LANE_REDUCE with TensorIndirect AP once ISA supports it";

// Axis C keeps every element position, XYZWC none.
std::uint64_t kept_elements(const Subject& s) {
  return s.as<S4D4_CR>().reduce_axis == kAxisC ? s.sites[kSrc].pattern.elements() : 1;
}
constexpr Rule kAxisCount{"valid_axis_dst_element_cnt",
                          [](const Subject& s) { return s.sites[kDst].pattern.elements() == kept_elements(s); },
                          [](const Subject& s) {
                            const bool c = s.as<S4D4_CR>().reduce_axis == kAxisC;
                            return explain_count(s.sites[kDst], kept_elements(s), c ? "src, axis C" : "axis XYZWC");
                          }};

constexpr std::tuple kFields{kCheckActiveChannels, reserved_zero<bytes(37, 39)>("s4d4_cr_reserved_zero"),
                             kIsValidDtype<kSrc, AllowFp32r::no>, kIsValidDtype<kDst, AllowFp32r::yes>};
constexpr std::tuple kOperands{
    byte_rule<kAxis>("has_valid_cross_lane_axis"),
    not_indirect_rule<kSrc, kIndirect>("cross_lane_not_indirect"),
    not_indirect_rule<kDst, kIndirect>("cross_lane_not_indirect"),
    kStartAddrActiveChannels<kSrc>,
    kStartAddrActiveChannels<kDst, 1>,
    kDirectAddress<kSrc>,
    kDirectAddress<kDst>,
    kTensor4dValid<kSrc, WriteTensor::no, Psum::never>,
    kTensor4dValid<kDst, WriteTensor::yes, Psum::never>,
    kAxisCount,
    kTransposeBlocks,
};

constexpr auto kArithTable =
    std::tuple_cat(kFields, std::tuple{byte_rule<kArithOp>("has_valid_cross_lane_reduce_op")}, kOperands);
constexpr auto kBitvecTable =
    std::tuple_cat(kFields,
                   std::tuple{kBitvecDtype<kSrc>, kBitvecDtype<kDst>, kBitvecSameSize<kDst, kSrc>, kTransposedWord,
                              byte_rule<kBitvecOp>("has_valid_cross_lane_reduce_op")},
                   kOperands);

}  // namespace

constexpr RuleSet kCrossLaneArithRules = rule_set<kArithTable>(describe_source_destination<S4D4_CR>);
constexpr RuleSet kCrossLaneBitvecRules = rule_set<kBitvecTable>(describe_source_destination<S4D4_CR>);

}  // namespace tpb
