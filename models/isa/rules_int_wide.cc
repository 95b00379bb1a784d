// S2S2D2D2_TT and S2D2D2_TS_WIDE: integer operations with a result of 64 bits in two destinations.
#include <fmt/format.h>

#include "models/isa/describe.h"
#include "models/isa/operation_rules.h"

namespace tpb {
namespace {

template <SiteIndex kSite>
constexpr Rule kIntDtype{
    "is_valid_int_dtype_datapath",
    [](const Subject& s) {
      const auto dtype = static_cast<Dtype>(s.sites[kSite].dtype);
      return is_integer(dtype) && bytes_of(dtype) != 0;
    },
    [](const Subject& s) {
      const Site& site = s.sites[kSite];
      return Violation{
          {}, std::string(site.names->dtype), dtype_text(site.dtype), "int8, uint8, int16, uint16, int32 or uint32"};
    }};

constexpr CodeSet kShifts{AluOp::arith_shift_left, AluOp::arith_shift_right, AluOp::logical_shift_left,
                          AluOp::logical_shift_right};
constexpr CodeSet kUnsigned{AluOp::add_int, AluOp::subtract_int, AluOp::mult_uint};
constexpr CodeSet kSigned{AluOp::mult_int};
constexpr LegalOperations kOperations([](const OperationContext&) { return kShifts | kUnsigned | kSigned; });

// ---- which dtypes an operation takes and gives ---------------------------------------------------------------------

bool is_signed(const Site& site) {
  const DtypeInfo* info = find_dtype(site.dtype);
  return info != nullptr && info->family == DtypeFamily::signed_integer;
}

struct DtypeFault {
  SiteIndex site = kSites;  // none
  std::string_view allowed;
};

// `kSecond`: the second operand, a tensor or an immediate.
template <SiteIndex kSecond>
DtypeFault dtype_fault(const Subject& s) {
  const auto signedness = [&](SiteIndex index) { return is_signed(s.sites[index]); };
  const bool shifts = kShifts.contains(s.op);
  if (kSecond == kImm0 && signedness(kSecond) != signedness(kSrc)) return {kSecond, "an integer as signed as src"};
  if (shifts) return signedness(kSecond) ? DtypeFault{kSecond, "an unsigned integer: it counts a shift"} : DtypeFault{};
  for (SiteIndex index : {kSrc, kSecond}) {
    if (kUnsigned.contains(s.op) && signedness(index)) return {index, "an unsigned integer"};
    if (kSigned.contains(s.op) && !signedness(index)) return {index, "a signed integer"};
  }
  if (bytes_of(static_cast<Dtype>(s.sites[kDst].dtype)) != 4) return {kDst, "int32 or uint32"};
  if (signedness(kDst1) != signedness(kSrc)) return {kDst1, "an integer as signed as the sources"};
  return {};
}

template <SiteIndex kSecond>
constexpr auto dtype_constraints(std::string_view name) {
  return Rule{name, [](const Subject& s) { return dtype_fault<kSecond>(s).site == kSites; },
              [](const Subject& s) {
                const DtypeFault fault = dtype_fault<kSecond>(s);
                const Site& site = s.sites[fault.site];
                return Violation{{},
                                 std::string(site.names->dtype),
                                 dtype_text(site.dtype),
                                 fmt::format("{} in {}", fault.allowed, alu_op_text(s.op))};
              }};
}

// ---- the immediate -------------------------------------------------------------------------------------------------

constexpr std::uint32_t kInlineShiftBits = 0x1F;
bool inline_shift_valid(const Subject& s) {
  const auto bundle = s.as<S2D2D2_TS_WIDE>();
  return !kShifts.contains(bundle.op) || bundle.imm_src != static_cast<std::uint8_t>(ImmediateSource::instruction) ||
         (bundle.imm & ~kInlineShiftBits) == 0;
}
constexpr Rule kInlineShift{
    "ts_wide_shift_imm_check", inline_shift_valid, [](const Subject& s) {
      return Violation{{}, "imm", std::to_string(s.as<S2D2D2_TS_WIDE>().imm), "0..31: an inline shift amount"};
    }};

// ---- operands ------------------------------------------------------------------------------------------------------

constexpr std::string_view kIndirect = "a direct address: two-dimensional patterns do not support indirect addressing";
template <SiteIndex kSite>
constexpr auto kNotIndirect = not_indirect_rule<kSite, kIndirect>("int_wide_not_indirect");
template <SiteIndex kSite>
constexpr auto kStartAddr = start_address_rule<kSite>("check_m2d_active_channels");
template <SiteIndex kSite, WriteTensor kWrite>
constexpr auto kMem2dValid = tensor_rule<kSite, kWrite, Psum::never>("mem2d_valid");

constexpr std::tuple kTensorTensorTable{
    channels_rule("has_valid_active_channel_range_with_tile"),
    kIntDtype<kSrc>,
    kIntDtype<kSrc1>,
    kIntDtype<kDst>,
    kIntDtype<kDst1>,
    operation_rule<kOperations>("is_valid_tt_int_wide_op"),
    dtype_constraints<kSrc1>("tt_int_wide_op_dtype_constraints"),
    kNotIndirect<kSrc>,
    kNotIndirect<kSrc1>,
    kNotIndirect<kDst>,
    kNotIndirect<kDst1>,
    kStartAddr<kSrc>,
    kStartAddr<kSrc1>,
    kStartAddr<kDst>,
    kStartAddr<kDst1>,
    kDirectAddress<kSrc>,
    kDirectAddress<kSrc1>,
    kDirectAddress<kDst>,
    kDirectAddress<kDst1>,
    kMem2dValid<kSrc, WriteTensor::no>,
    kMem2dValid<kSrc1, WriteTensor::no>,
    kMem2dValid<kDst, WriteTensor::yes>,
    kMem2dValid<kDst1, WriteTensor::yes>,
    same_element_count<kSrc1, kSrc>("same_element_count_m2d"),
    same_element_count<kDst, kSrc>("same_element_count_m2d"),
    same_element_count<kDst1, kSrc>("same_element_count_m2d"),
};

constexpr std::tuple kTensorScalarTable{
    channels_rule("has_valid_active_channel_range_with_tile"),
    reserved_zero<bytes(53, 55) | bytes(60, 63)>("ts_wide_reserved_zero"),
    kIntDtype<kSrc>,
    kIntDtype<kImm0>,
    kIntDtype<kDst>,
    kIntDtype<kDst1>,
    operation_rule<kOperations>("is_valid_ts_int_wide_op"),
    dtype_constraints<kImm0>("ts_int_wide_op_dtype_constraints"),
    scalar_rule<kImm0, Psum::never>("is_valid_ts_wide_immediate"),
    kInlineShift,
    kNotIndirect<kSrc>,
    kNotIndirect<kDst>,
    kNotIndirect<kDst1>,
    kStartAddr<kSrc>,
    kStartAddr<kDst>,
    kStartAddr<kDst1>,
    kDirectAddress<kSrc>,
    kDirectAddress<kDst>,
    kDirectAddress<kDst1>,
    kMem2dValid<kSrc, WriteTensor::no>,
    kMem2dValid<kDst, WriteTensor::yes>,
    kMem2dValid<kDst1, WriteTensor::yes>,
    same_element_count<kDst, kSrc>("same_element_count_m2d"),
    same_element_count<kDst1, kSrc>("same_element_count_m2d"),
};

}  // namespace

constexpr RuleSet kTensorTensorIntWideRules = rule_set<kTensorTensorTable>(describe_s2s2d2d2_tt);
constexpr RuleSet kTensorScalarIntWideRules = rule_set<kTensorScalarTable>(describe_s2d2d2_ts_wide);

}  // namespace tpb
