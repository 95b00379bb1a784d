// Everything on S4D4_TR: free-axis TensorReduce with its transposing and packed BF16 forms, copy, cast, reciprocal and
// the transpose of blocks.
#include <fmt/format.h>

#include "models/isa/describe.h"
#include "models/isa/operation_rules.h"

namespace tpb {
namespace {

constexpr auto kReservedZero = reserved_zero<bytes(39, 43)>("s4d4_tr_reserved_zero");

constexpr ByteLimits kMaskEnable{"mask_enable", offsetof(S4D4_TR, mask_enable), 0, 0, "0"};
// The negation of a result is arithmetic: bit-vector reductions have none.
constexpr ByteLimits kArithNegated{"negated", offsetof(S4D4_TR, negated), 0, 1, "0 or 1"};
constexpr ByteLimits kBitvecNegated{"negated", offsetof(S4D4_TR, negated), 0, 0,
                                    "0: a bit-vector reduction cannot negate"};

// op_dim counts the reduced dimensions, plus one: X 2, XY 3, XYZ 4, XYZW 5.
constexpr std::uint8_t kAxisX = 2;
constexpr std::uint8_t kAxisXYZW = 5;
std::uint8_t op_dim_of(const Subject& s) { return s.as<S4D4_TR>().op_dim; }
bool op_dim_valid(const Subject& s) { return op_dim_of(s) >= kAxisX && op_dim_of(s) <= kAxisXYZW; }

constexpr ByteLimits kSubdim{"op_dim", offsetof(S4D4_TR, op_dim), kAxisX, kAxisXYZW,
                             "2 (X), 3 (XY), 4 (XYZ) or 5 (XYZW)"};

constexpr CodeSet kListedArith{AluOp::abs,   AluOp::add,       AluOp::bypass,  AluOp::is_equal, AluOp::is_ge,
                               AluOp::is_gt, AluOp::is_le,     AluOp::is_lt,   AluOp::max,      AluOp::min,
                               AluOp::mult,  AluOp::not_equal, AluOp::subtract};
constexpr CodeSet kListedBitvec = kBitvec.without(CodeSet{AluOp::bitwise_not});
// What the compiler's numbering of operations reaches on the wire, divided between the two opcodes.
constexpr CodeSet kAllArith =
    kListedArith | CodeSet{AluOp::divide, AluOp::pow, AluOp::mod, AluOp::rsqrt, AluOp::abs_max, AluOp::abs_min};

constexpr LegalOperations kLegalArith([](const OperationContext& c) {
  if (c.listed) return kListedArith;
  const CodeSet legal = c.division ? kAllArith : kAllArith.without(refused_divisions(c.pool));
  return c.pool && c.generation >= Generation::cayman ? legal | CodeSet{AluOp::mod_int} : legal;
});
constexpr LegalOperations kLegalBitvec([](const OperationContext& c) { return c.listed ? kListedBitvec : kBitvec; });

constexpr auto kArithOp = operation_rule<kLegalArith>("has_valid_tensor_reduce_op");
constexpr auto kBitvecOp = operation_rule<kLegalBitvec>("has_valid_tensor_reduce_op");

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

// What moves or inverts elements one by one has no use for what a reduction is told.
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

// The tables are put together from what the instructions share.
constexpr std::tuple kFields{kCheckActiveChannels, kReservedZero, byte_rule<kMaskEnable>("mask_enable_zero")};
constexpr std::tuple kDtypes{kIsValidDtype<kSrc, AllowFp32r::no>, kIsValidDtype<kDst, AllowFp32r::yes>};
constexpr std::tuple kAddresses{kStartAddrActiveChannels<kSrc>, kStartAddrActiveChannels<kDst>, kDirectAddress<kSrc>,
                                kDirectAddress<kDst>};
constexpr std::tuple kTensors{kTensor4dValid<kSrc, WriteTensor::no, Psum::except_pool>,
                              kTensor4dValid<kDst, WriteTensor::yes, Psum::except_pool>};

constexpr std::tuple kArithFields{byte_rule<kSubdim>("valid_subdim"), byte_rule<kArithNegated>("has_valid_negated"),
                                  kIndirectAxis};
constexpr std::tuple kBitvecDtypes{kBitvecDtype<kSrc>, kBitvecDtype<kDst>, kBitvecSameSize<kDst, kSrc>};
constexpr std::tuple kBitvecFields{kBitvecOp, byte_rule<kSubdim>("valid_subdim"),
                                   byte_rule<kBitvecNegated>("has_valid_negated"), kIndirectAxis};

constexpr auto kArithTable =
    std::tuple_cat(kFields, kDtypes, std::tuple{kArithOp, kIntegerOpDtype<kSrc>, kIntegerOpDtype<kDst>}, kArithFields,
                   kAddresses, kTensors, std::tuple{kReduceCount});
constexpr auto kBitvecTable =
    std::tuple_cat(kFields, kDtypes, kBitvecDtypes, kBitvecFields, kAddresses, kTensors, std::tuple{kReduceCount});

// The integer band is Pool's, which does not transpose.
constexpr auto kTransposeArithTable = std::tuple_cat(kFields, kDtypes, std::tuple{kArithOp}, kArithFields, kAddresses,
                                                     kTensors, std::tuple{kReduceCount, kTransposeBlocks});
constexpr auto kTransposeBitvecTable =
    std::tuple_cat(kFields, kDtypes, kBitvecDtypes, std::tuple{kTransposedWord}, kBitvecFields, kAddresses, kTensors,
                   std::tuple{kReduceCount, kTransposeBlocks});

// The opcode says which operation it is: the op byte is not looked at.
constexpr auto kBf16Table =
    std::tuple_cat(kFields,
                   std::tuple{kBf16InDtype, kIsValidDtype<kDst, AllowFp32r::yes>, byte_rule<kSubdim>("valid_subdim"),
                              byte_rule<kArithNegated>("has_valid_negated"), kIndirectAxis},
                   kAddresses,
                   std::tuple{kBf16AccessPattern, kTensor4dValid<kSrc, WriteTensor::no, Psum::every_engine>,
                              kTensor4dValid<kDst, WriteTensor::yes, Psum::every_engine>, kReduceCount});

constexpr auto kCopyTable = std::tuple_cat(kFields, std::tuple{kUnusedZero}, kDtypes, kAddresses, kTensors,
                                           std::tuple{same_element_count<kDst, kSrc>("same_element_count_t4d")});
constexpr auto kStreamTransposeTable = std::tuple_cat(kCopyTable, std::tuple{kTransposeBlocks});

}  // namespace

constexpr RuleSet kTensorReduceArithRules = rule_set<kArithTable>(describe_source_destination<S4D4_TR>);
constexpr RuleSet kTensorReduceBitvecRules = rule_set<kBitvecTable>(describe_source_destination<S4D4_TR>);
constexpr RuleSet kTransposeReduceArithRules = rule_set<kTransposeArithTable>(describe_source_destination<S4D4_TR>);
constexpr RuleSet kTransposeReduceBitvecRules = rule_set<kTransposeBitvecTable>(describe_source_destination<S4D4_TR>);
constexpr RuleSet kTensorReduceBf16Rules = rule_set<kBf16Table>(describe_source_destination<S4D4_TR>);
constexpr RuleSet kCopyRules = rule_set<kCopyTable>(describe_source_destination<S4D4_TR>);
constexpr RuleSet kReciprocalRules = rule_set<kCopyTable>(describe_source_destination<S4D4_TR>);
constexpr RuleSet kStreamTransposeRules = rule_set<kStreamTransposeTable>(describe_source_destination<S4D4_TR>);

}  // namespace tpb
