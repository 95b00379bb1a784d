#include "models/isa/common_rules.h"
#include "models/isa/describe.h"

namespace tpb {
namespace {
constexpr std::tuple kPending{kCheckActiveChannels};
}
constexpr RuleSet kTransposeReduceArithRules = rule_set<kPending>(describe_source_destination<S4D4_TR>);
constexpr RuleSet kTransposeReduceBitvecRules = rule_set<kPending>(describe_source_destination<S4D4_TR>);
constexpr RuleSet kReciprocalRules = rule_set<kPending>(describe_source_destination<S4D4_TR>);
constexpr RuleSet kStreamTransposeRules = rule_set<kPending>(describe_source_destination<S4D4_TR>);
constexpr RuleSet kCrossLaneArithRules = rule_set<kPending>(describe_source_destination<S4D4_CR>);
constexpr RuleSet kCrossLaneBitvecRules = rule_set<kPending>(describe_source_destination<S4D4_CR>);
constexpr RuleSet kMax8Rules = rule_set<kPending>(describe_source_destination<S4D2_BN>);
constexpr RuleSet kFindIndex8Rules = rule_set<kPending>(describe_source_destination<S4D2_BN>);
constexpr RuleSet kMatchValueLoadRules = rule_set<kPending>(describe_s4d2_mv);
constexpr RuleSet kMatchValueLoadS2BnRules = rule_set<kPending>(describe_s2_bn);
constexpr RuleSet kSequenceBoundsRules = rule_set<kPending>(describe_source_destination<S3D3_SEQ_BOUNDS>);
constexpr RuleSet kTensorTensorBitvecRules = rule_set<kPending>(describe_s3s3d3_tt);
constexpr RuleSet kTensorTensorIntWideRules = rule_set<kPending>(describe_s2s2d2d2_tt);
constexpr RuleSet kTensorScalarIntWideRules = rule_set<kPending>(describe_s2d2d2_ts_wide);
constexpr RuleSet kTensorScalarArithRules = rule_set<kPending>(describe_s3d3_ts);
constexpr RuleSet kTensorScalarBitvecRules = rule_set<kPending>(describe_s3d3_ts);
constexpr RuleSet kCacheReduceRules = rule_set<kPending>(describe_s3d3_ts);
constexpr RuleSet kCumulativeRules = rule_set<kPending>(describe_s3d3_ts);
constexpr RuleSet kReadAccumulatorRules = rule_set<kPending>(describe_destination<D1_RD>);
constexpr RuleSet kScalarTensorTensorArithRules = rule_set<kPending>(describe_s2s2d2_stt);
constexpr RuleSet kScalarTensorTensorBitvecRules = rule_set<kPending>(describe_s2s2d2_stt);
constexpr RuleSet kScanRules = rule_set<kPending>(describe_s2s2d2_stt);
constexpr RuleSet kIotaRules = rule_set<kPending>(describe_destination<D4_IOTA>);
constexpr RuleSet kMemsetRules = rule_set<kPending>(describe_destination<D4_MR>);
}  // namespace tpb
