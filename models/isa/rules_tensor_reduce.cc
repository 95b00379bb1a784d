// Everything on S4D4_TR: free-axis TensorReduce, the packed BF16 reductions, copy and cast.
#include <fmt/format.h>

#include "models/isa/common_rules.h"
#include "models/isa/describe.h"

namespace tpb {
namespace {

constexpr std::uint64_t kReserved = bytes(39, 43);
constexpr auto kReservedZero = reserved_zero<kReserved>("s4d4_tr_reserved_zero");

constexpr Rule kMaskEnableZero{"mask_enable_zero", [](const Subject& s) { return s.as<S4D4_TR>().mask_enable == 0; },
                               [](const Subject& s) {
                                 return Violation{{}, "mask_enable", std::to_string(s.as<S4D4_TR>().mask_enable), "0"};
                               }};

// The negation of a result is arithmetic: bit-vector reductions have none.
template <std::uint8_t kMost>
constexpr Rule kNegated{"has_valid_negated", [](const Subject& s) { return s.as<S4D4_TR>().negated <= kMost; },
                        [](const Subject& s) {
                          return Violation{{},
                                           "negated",
                                           std::to_string(s.as<S4D4_TR>().negated),
                                           kMost == 0 ? "0: a bit-vector reduction cannot negate" : "0 or 1"};
                        }};

// op_dim counts the reduced dimensions, plus one: X 2, XY 3, XYZ 4, XYZW 5.
constexpr std::uint8_t kAxisX = 2;
constexpr std::uint8_t kAxisXYZW = 5;
std::uint8_t op_dim_of(const Subject& s) { return s.as<S4D4_TR>().op_dim; }
bool op_dim_valid(const Subject& s) { return op_dim_of(s) >= kAxisX && op_dim_of(s) <= kAxisXYZW; }

constexpr Rule kSubdim{
    "valid_subdim", [](const Subject& s) { return op_dim_valid(s); },
    [](const Subject& s) {
      return Violation{{}, "op_dim", std::to_string(op_dim_of(s)), "2 (X), 3 (XY), 4 (XYZ) or 5 (XYZW)"};
    }};

constexpr CodeSet kListedArith{AluOp::abs,   AluOp::add,       AluOp::bypass,  AluOp::is_equal, AluOp::is_ge,
                               AluOp::is_gt, AluOp::is_le,     AluOp::is_lt,   AluOp::max,      AluOp::min,
                               AluOp::mult,  AluOp::not_equal, AluOp::subtract};
constexpr CodeSet kListedBitvec =
    CodeSet{AluOp::arith_shift_left, AluOp::arith_shift_right, AluOp::logical_shift_left, AluOp::logical_shift_right}
        .insert(AluOp::bitwise_and, AluOp::logical_xor);
// What the compiler's numbering of operations reaches on the wire, divided between the two opcodes.
constexpr CodeSet kAllArith =
    kListedArith | CodeSet{AluOp::divide, AluOp::pow, AluOp::mod, AluOp::rsqrt, AluOp::abs_max, AluOp::abs_min};
constexpr CodeSet kAllBitvec = kListedBitvec | CodeSet{AluOp::bitwise_not};

constexpr LegalOperations kLegalArith([](const OperationContext& c) {
  if (c.listed) return kListedArith;
  const CodeSet legal = c.division ? kAllArith : kAllArith.without(refused_divisions(c.pool));
  return c.pool && c.generation >= Generation::cayman ? legal | CodeSet{AluOp::mod_int} : legal;
});
constexpr LegalOperations kLegalBitvec([](const OperationContext& c) { return c.listed ? kListedBitvec : kAllBitvec; });

constexpr auto kArithOp = operation_rule<kLegalArith>("has_valid_tensor_reduce_op");
constexpr auto kBitvecOp = operation_rule<kLegalBitvec>("has_valid_tensor_reduce_op");

template <SiteIndex kSite>
constexpr Rule kBitvecDtype{
    "has_valid_bitvec_dtype",
    [](const Subject& s) {
      return !is_valid_dtype(s.sites[kSite].dtype, true) || is_integer_code(s.sites[kSite].dtype);
    },
    [](const Subject& s) { return explain_integer_dtype(s.sites[kSite], "a bit-vector operation"); }};

constexpr Rule kBitvecSameSize{"bitvec_same_size",
                               [](const Subject& s) {
                                 const unsigned in = bytes_of(static_cast<Dtype>(s.sites[kSrc].dtype));
                                 const unsigned out = bytes_of(static_cast<Dtype>(s.sites[kDst].dtype));
                                 return in == 0 || out == 0 || in == out;
                               },
                               [](const Subject& s) {
                                 return Violation{
                                     {},
                                     "out_dtype",
                                     dtype_text(s.sites[kDst].dtype),
                                     fmt::format("a type of the size of {}", dtype_text(s.sites[kSrc].dtype))};
                               }};

constexpr Rule kIndirectAxis{
    "tensor_reduce_indirect_axis",
    [](const Subject& s) { return op_dim_of(s) == kAxisX || !is_indirect(s.sites[kSrc].pattern.start_addr); },
    [](const Subject& s) {
      return Violation{{},
                       "src.start_addr",
                       address_text(s.sites[kSrc].pattern.start_addr),
                       "a direct address: indirection is allowed for axis X only"};
    }};

std::uint64_t kept_elements(const Subject& s) {
  std::uint64_t kept = 1;
  for (unsigned d = op_dim_of(s) - 1U; d < kPatternDims; ++d) kept *= s.sites[kSrc].pattern.num[d];
  return kept;
}
constexpr Rule kReduceCount{
    "tensor_reduce_element_count_check",
    [](const Subject& s) { return !op_dim_valid(s) || s.sites[kDst].pattern.elements() == kept_elements(s); },
    [](const Subject& s) {
      return explain_count(s.sites[kDst], kept_elements(s), "product of the src dimensions that are kept");
    }};

constexpr Rule kBf16InDtype{
    "has_valid_tensor_reduce_bf16_in_dtype",
    [](const Subject& s) { return s.sites[kSrc].dtype == static_cast<std::uint8_t>(Dtype::bf16); },
    [](const Subject& s) {
      return Violation{{}, "in_dtype", dtype_text(s.sites[kSrc].dtype), "bf16"};
    }};

// Pairs of BF16 in 4 bytes.
constexpr Rule kBf16AccessPattern{
    "tensor_reduce_bf16_access_pattern_check",
    [](const Subject& s) {
      const Site& src = s.sites[kSrc];
      return (!src.immediate || src.pattern.start_addr % 4 == 0) && src.pattern.num[0] % 2 == 0 &&
             src.pattern.step[0] == 1;
    },
    [](const Subject& s) {
      const Site& src = s.sites[kSrc];
      if (src.immediate && src.pattern.start_addr % 4 != 0) {
        return Violation{{}, "src.start_addr", address_text(src.pattern.start_addr), "a multiple of 4 bytes"};
      }
      if (src.pattern.num[0] % 2 != 0) {
        return Violation{{}, "src.num_elem[0]", std::to_string(src.pattern.num[0]), "an even number"};
      }
      return Violation{{}, "src.step_elem[0]", std::to_string(src.pattern.step[0]), "1"};
    }};

// Copy and cast have no use for what a reduction is told.
constexpr Rule kUnusedZero{"s4d4_tr_unused_zero",
                           [](const Subject& s) {
                             const auto bundle = s.as<S4D4_TR>();
                             return (bundle.negated | bundle.op | bundle.op_dim) == 0;
                           },
                           [](const Subject& s) {
                             const auto bundle = s.as<S4D4_TR>();
                             if (bundle.negated != 0)
                               return Violation{{}, "negated", std::to_string(bundle.negated), "0"};
                             if (bundle.op != 0) return Violation{{}, "op", hex_byte(bundle.op), "0"};
                             return Violation{{}, "op_dim", std::to_string(bundle.op_dim), "0"};
                           }};

constexpr std::tuple kArithTable{
    kCheckActiveChannels,
    kReservedZero,
    kMaskEnableZero,
    kIsValidDtype<kSrc, AllowFp32r::no>,
    kIsValidDtype<kDst, AllowFp32r::yes>,
    kArithOp,
    kIntegerOpDtype<kSrc>,
    kIntegerOpDtype<kDst>,
    kSubdim,
    kNegated<1>,
    kIndirectAxis,
    kStartAddrActiveChannels<kSrc>,
    kStartAddrActiveChannels<kDst>,
    kDirectAddress<kSrc>,
    kDirectAddress<kDst>,
    kTensor4dValid<kSrc, WriteTensor::no, Psum::except_pool>,
    kTensor4dValid<kDst, WriteTensor::yes, Psum::except_pool>,
    kReduceCount,
};

constexpr std::tuple kBitvecTable{
    kCheckActiveChannels,
    kReservedZero,
    kMaskEnableZero,
    kIsValidDtype<kSrc, AllowFp32r::no>,
    kIsValidDtype<kDst, AllowFp32r::yes>,
    kBitvecDtype<kSrc>,
    kBitvecDtype<kDst>,
    kBitvecSameSize,
    kBitvecOp,
    kSubdim,
    kNegated<0>,
    kIndirectAxis,
    kStartAddrActiveChannels<kSrc>,
    kStartAddrActiveChannels<kDst>,
    kDirectAddress<kSrc>,
    kDirectAddress<kDst>,
    kTensor4dValid<kSrc, WriteTensor::no, Psum::except_pool>,
    kTensor4dValid<kDst, WriteTensor::yes, Psum::except_pool>,
    kReduceCount,
};

// The opcode says which operation it is: the op byte is not looked at.
constexpr std::tuple kBf16Table{
    kCheckActiveChannels,
    kReservedZero,
    kMaskEnableZero,
    kBf16InDtype,
    kIsValidDtype<kDst, AllowFp32r::yes>,
    kSubdim,
    kNegated<1>,
    kIndirectAxis,
    kStartAddrActiveChannels<kSrc>,
    kStartAddrActiveChannels<kDst>,
    kDirectAddress<kSrc>,
    kDirectAddress<kDst>,
    kBf16AccessPattern,
    kTensor4dValid<kSrc, WriteTensor::no, Psum::every_engine>,
    kTensor4dValid<kDst, WriteTensor::yes, Psum::every_engine>,
    kReduceCount,
};

constexpr std::tuple kCopyTable{
    kCheckActiveChannels,
    kReservedZero,
    kMaskEnableZero,
    kUnusedZero,
    kIsValidDtype<kSrc, AllowFp32r::no>,
    kIsValidDtype<kDst, AllowFp32r::yes>,
    kStartAddrActiveChannels<kSrc>,
    kStartAddrActiveChannels<kDst>,
    kDirectAddress<kSrc>,
    kDirectAddress<kDst>,
    kTensor4dValid<kSrc, WriteTensor::no, Psum::except_pool>,
    kTensor4dValid<kDst, WriteTensor::yes, Psum::except_pool>,
    same_element_count<kDst, kSrc>("same_element_count_t4d"),
};

}  // namespace

constexpr RuleSet kTensorReduceArithRules = rule_set<kArithTable>(describe_source_destination<S4D4_TR>);
constexpr RuleSet kTensorReduceBitvecRules = rule_set<kBitvecTable>(describe_source_destination<S4D4_TR>);
constexpr RuleSet kTensorReduceBf16Rules = rule_set<kBf16Table>(describe_source_destination<S4D4_TR>);
constexpr RuleSet kCopyRules = rule_set<kCopyTable>(describe_source_destination<S4D4_TR>);

}  // namespace tpb
