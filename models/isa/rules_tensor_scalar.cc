// S3D3_TS: TensorScalar and its accumulating forms; D1_RD, which reads what one of those leaves.
#include <fmt/format.h>

#include "models/isa/describe.h"
#include "models/isa/operation_rules.h"

namespace tpb {
namespace {

// ---- operations ----------------------------------------------------------------------------------------------------

// No second operation is bypass with a zero immediate.
bool has_op1(const Subject& s) {
  const auto bundle = s.as<S3D3_TS>();
  return (bundle.op1 | bundle.imm1_src | bundle.imm1) != 0;
}

constexpr LegalOperations kLegalArith([](const OperationContext& c) {
  return c.pool ? elementwise(c) | CodeSet{AluOp::rsqrt} : elementwise(c);
});
constexpr LegalOperations kFolds([](const OperationContext&) {
  return CodeSet{AluOp::add, AluOp::subtract, AluOp::mult, AluOp::max, AluOp::min};
});

template <const LegalOperations& kLegal>
constexpr Rule kOptionalOp1{
    "has_valid_tensor_scalar_op",
    [](const Subject& s) { return !has_op1(s) || kLegal.in(s.context).contains(s.bundle[kOp1.offset]); },
    [](const Subject& s) { return explain_operation(s.bundle[kOp1.offset], kLegal.in(s.context), kOp1.name); }};

// What a stream other than the vector engine's computes.
bool engine_computes(const Subject& s) {
  const auto bundle = s.as<S3D3_TS>();
  const auto op0 = static_cast<AluOp>(bundle.op0);
  const auto op1 = static_cast<AluOp>(bundle.op1);
  switch (s.context.engine) {
    case Engine::pool:
      return op0 == AluOp::rsqrt && (!has_op1(s) || op1 == AluOp::rsqrt);
    case Engine::act:
      return (op0 == AluOp::mult && (!has_op1(s) || op1 == AluOp::add)) || (op0 == AluOp::add && !has_op1(s));
    default:
      return true;
  }
}
constexpr Rule kEngineOperations{
    "tensor_scalar_engine_op_comb", engine_computes, [](const Subject& s) {
      const auto bundle = s.as<S3D3_TS>();
      return Violation{{},
                       "op0,op1",
                       fmt::format("{},{}", alu_op_text(bundle.op0), has_op1(s) ? alu_op_text(bundle.op1) : "none"),
                       s.context.engine == Engine::pool ? "rsqrt alone on pool"
                                                        : "mult and add, mult and none, or add and none on act"};
    }};

// ---- how they are applied ------------------------------------------------------------------------------------------

constexpr std::uint8_t command(AccumulatorCommand value) { return static_cast<std::uint8_t>(value); }
constexpr ByteLimits kNoAccumulator{"accumulator_cmd", offsetof(S3D3_TS, accumulator_cmd), 0, 0, "0 (idle)"};
constexpr ByteLimits kResetReduce{"accumulator_cmd", offsetof(S3D3_TS, accumulator_cmd),
                                  command(AccumulatorCommand::reset_reduce), command(AccumulatorCommand::reset_reduce),
                                  "3 (reset_reduce)"};
constexpr ByteLimits kCumulative{"accumulator_cmd", offsetof(S3D3_TS, accumulator_cmd),
                                 command(AccumulatorCommand::reduce), command(AccumulatorCommand::load_reduce),
                                 "2 (reduce), 3 (reset_reduce) or 4 (load_reduce)"};

constexpr std::uint8_t kReverse1 = 2;
constexpr std::uint8_t kReverses = 3;
constexpr Rule kReverse{"has_valid_reverse",
                        [](const Subject& s) {
                          const std::uint8_t reverse = s.as<S3D3_TS>().reverse;
                          return reverse <= kReverses && (has_op1(s) || (reverse & kReverse1) == 0);
                        },
                        [](const Subject& s) {
                          return Violation{{},
                                           "reverse",
                                           std::to_string(s.as<S3D3_TS>().reverse),
                                           has_op1(s) ? "0..3" : "0 or 1: there is no op1 to reverse"};
                        }};
constexpr ByteLimits kNoReverse{"reverse", offsetof(S3D3_TS, reverse), 0, 0,
                                "0: the accumulating forms do not support it yet"};

// Only a register that is loaded has a second immediate, its first value.
constexpr Rule kUnusedZero{
    "s3d3_ts_unused_zero",
    [](const Subject& s) {
      const auto bundle = s.as<S3D3_TS>();
      return bundle.accumulator_cmd == command(AccumulatorCommand::load_reduce) || (bundle.imm1_src | bundle.imm1) == 0;
    },
    [](const Subject& s) {
      const auto bundle = s.as<S3D3_TS>();
      return bundle.imm1_src != 0 ? Violation{{}, "imm1_src", std::to_string(bundle.imm1_src), "0"}
                                  : Violation{{}, "imm1", address_text(bundle.imm1), "0: load_reduce alone has one"};
    }};

template <SiteIndex kSite>
constexpr Rule kAccumulatedDtype{
    "has_valid_tensor_scalar_cache_reduce_dtype",
    [](const Subject& s) {
      const auto dtype = static_cast<Dtype>(s.sites[kSite].dtype);
      return dtype != Dtype::int32 && dtype != Dtype::uint32;
    },
    [](const Subject& s) {
      const Site& site = s.sites[kSite];
      return Violation{
          {}, std::string(site.names->dtype), dtype_text(site.dtype), "a type other than int32 and uint32"};
    }};

// ---- tables --------------------------------------------------------------------------------------------------------

constexpr std::tuple kFields{kCheckActiveChannels, reserved_zero<bytes(13, 15)>("s3d3_ts_reserved_zero"),
                             kIsValidDtype<kSrc, AllowFp32r::no>, kIsValidDtype<kDst, AllowFp32r::yes>};
constexpr auto kImmediate0 = scalar_rule<kImm0>("is_valid_tensor_scalar_immediate");
constexpr auto kImmediate1 = scalar_rule<kImm1>("is_valid_tensor_scalar_immediate");
constexpr std::tuple kOperands{
    kStartAddrActiveChannels<kSrc>,
    kStartAddrActiveChannels<kDst>,
    kDirectAddress<kSrc>,
    kDirectAddress<kDst>,
    kTensor3dValid<kSrc, WriteTensor::no, Psum::except_pool>,
    kTensor3dValid<kDst, WriteTensor::yes, Psum::except_pool>,
    same_element_count<kDst, kSrc>("same_element_count_t3d"),
};

constexpr auto kArithTable = std::tuple_cat(
    kFields,
    std::tuple{operation_rule<kOp0, kLegalArith>("has_valid_tensor_scalar_op"), kOptionalOp1<kLegalArith>,
               kEngineOperations, byte_rule<kNoAccumulator>("has_valid_tensor_scalar_accum_cmd"), kReverse, kImmediate0,
               kImmediate1},
    kOperands);

constexpr auto kBitvecTable = std::tuple_cat(
    kFields,
    std::tuple{kBitvecDtype<kSrc>, kBitvecDtype<kDst>, kBitvecSameSize<kDst, kSrc>,
               operation_rule<kOp0, kBitvecOperations>("has_valid_tensor_scalar_op"), kOptionalOp1<kBitvecOperations>,
               byte_rule<kNoAccumulator>("has_valid_tensor_scalar_accum_cmd"), kReverse, kImmediate0, kImmediate1},
    kOperands);

constexpr std::tuple kFoldOperations{
    kAccumulatedDtype<kSrc>,
    kAccumulatedDtype<kDst>,
    operation_rule<kOp0, kElementwiseOperations>("has_valid_tensor_scalar_op"),
    operation_rule<kOp1, kFolds>("has_valid_tensor_scalar_cache_reduce_op"),
};
constexpr std::tuple kFoldFields{byte_rule<kNoReverse>("has_valid_reverse"), kUnusedZero, kImmediate0};

constexpr auto kCacheReduceTable = std::tuple_cat(
    kFields, kFoldOperations, std::tuple{byte_rule<kResetReduce>("has_valid_tensor_scalar_cache_reduce_accum_cmd")},
    kFoldFields, kOperands);
constexpr auto kCumulativeTable = std::tuple_cat(
    kFields, kFoldOperations, std::tuple{byte_rule<kCumulative>("has_valid_tensor_scalar_cache_reduce_accum_cmd")},
    kFoldFields, std::tuple{kImmediate1}, kOperands);

constexpr std::tuple kReadTable{
    kCheckActiveChannels,
    reserved_zero<bytes(12, 32) | bytes(35, 47)>("d1_rd_reserved_zero"),
    kIsValidDtype<kDst, AllowFp32r::yes>,
    kStartAddrActiveChannels<kDst>,
    kDirectAddress<kDst>,
    kTensor3dValid<kDst, WriteTensor::yes, Psum::except_pool>,
    element_count<kDst, 1>("read_accumulator_element_count_check"),
};

}  // namespace

constexpr RuleSet kTensorScalarArithRules = rule_set<kArithTable>(describe_s3d3_ts);
constexpr RuleSet kTensorScalarBitvecRules = rule_set<kBitvecTable>(describe_s3d3_ts);
constexpr RuleSet kCacheReduceRules = rule_set<kCacheReduceTable>(describe_s3d3_ts);
constexpr RuleSet kCumulativeRules = rule_set<kCumulativeTable>(describe_s3d3_ts);
constexpr RuleSet kReadAccumulatorRules = rule_set<kReadTable>(describe_destination<D1_RD>);

}  // namespace tpb
