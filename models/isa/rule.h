// How legality is judged: a bundle laid out as a Subject, and ordered tables of Rules over it. Internal to the room.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "models/isa/legality.h"

namespace tpb {

// How a layout calls its operands.
struct SiteNames {
  std::string_view name;   // "src0"
  std::string_view dtype;  // "in0_dtype"
};

// One memory operand under judgement: raw, since nothing of it is known to be valid yet.
struct Site {
  // An AccessPattern without initial values: writing them twice would cost more than most rules.
  struct Pattern {
    std::uint32_t start_addr;
    std::array<std::int32_t, kPatternDims> step;
    std::array<std::uint32_t, kPatternDims> num;
    std::uint64_t elements() const { return std::uint64_t{num[0]} * num[1] * num[2] * num[3]; }
  };

  Pattern pattern;
  std::uint8_t dtype;
  std::uint8_t scalar_source;  // ImmediateSource of a scalar; start_addr is its immediate
  bool immediate;              // the location holds only for an immediate address
  Space space;
  std::uint32_t partition;
  std::uint32_t offset;
  const SiteNames* names;
};

// Tensors read, immediates that may lie in memory, tensors written; a layout leaves alone what it does not have.
enum SiteIndex : std::uint8_t { kSrc, kSrc1, kImm0, kImm1, kDst, kDst1, kSites };

struct Subject {
  const Bundle& bundle;
  const LegalityContext& context;
  Frame frame;
  std::uint8_t role;
  const OpcodeInfo* info;  // of the role; nullptr for an unnamed byte
  std::uint32_t channels = 0;
  std::uint8_t op = 0;             // AluOp of the layouts that have one; op0 of those with two
  std::array<Site, kSites> sites;  // set by `describe`

  Subject(const Bundle& bytes, const LegalityContext& where)
      : bundle(bytes),
        context(where),
        frame(std::bit_cast<ControlBundle>(bytes).frame),
        role(role_of(bytes[0], where.semantics)),
        info(find_opcode(role)) {}
  template <class BundleLayout>
  BundleLayout as() const {
    return std::bit_cast<BundleLayout>(bundle);
  }
  template <unsigned Dims>
  void set_site(SiteIndex index, const TensorDescriptor<Dims>& descriptor, std::uint8_t dtype, const SiteNames& names) {
    Site& site = sites[index];
    site.pattern.start_addr = descriptor.start_addr;
    for (unsigned d = 0; d < kPatternDims; ++d) {
      site.pattern.step[d] = d < Dims ? descriptor.step[d] : 1;
      site.pattern.num[d] = d < Dims ? descriptor.num[d] : 1;
    }
    site.dtype = dtype;
    site.immediate = address_mode(descriptor.start_addr) == AddressMode::immediate;
    const Location at = locate(context.memory, descriptor.start_addr);
    site.space = at.space;
    site.partition = at.partition;
    site.offset = at.offset;
    site.names = &names;
  }
  // A scalar as what it is when it lies in memory: one element per partition.
  void set_scalar(SiteIndex index, std::uint32_t immediate, std::uint8_t source, std::uint8_t dtype,
                  const SiteNames& names) {
    set_site(index, TensorDescriptor<1>{immediate, {1}, {1}}, dtype, names);
    sites[index].scalar_source = source;
  }
};

// A rule that reads a field which another rule has found meaningless holds: the violation is the other rule's.
// `holds(const Subject&)` says whether it holds; `explain(const Subject&)` is called only when it does not and returns
// a Violation, whose `rule` it leaves empty to mean `name`. Both are captureless lambdas or function pointers.
template <class Holds, class Explain>
struct Rule {
  std::string_view name;  // a literal
  Holds holds;
  Explain explain;
};
template <class Holds, class Explain>
Rule(const char*, Holds, Explain) -> Rule<Holds, Explain>;
template <class Holds, class Explain>
Rule(std::string_view, Holds, Explain) -> Rule<Holds, Explain>;
using AnyRule = Rule<bool (*)(const Subject&), Violation (*)(const Subject&)>;

// The rules of one instruction (or of several with the same ones), in order.
struct RuleSet {
  std::span<const AnyRule> rules;
  void (*describe)(Subject&);                   // fills channels, op and sites from the layout
  std::size_t (*first_broken)(const Subject&);  // index into `rules`; rules.size() when every rule holds
};

// A table is a tuple of rules. It is read in two ways: as a list of function pointers, and, for the one question that
// is asked of every instruction, as straight code with every rule inlined.
template <const auto& kTable>
inline constexpr auto kRuleList = std::apply(
    [](const auto&... rule) {
      return std::array{AnyRule{rule.name, rule.holds, rule.explain}...};
    },
    kTable);

template <const auto& kTable>
std::size_t first_broken(const Subject& subject) {
  return [&subject]<std::size_t... I>(std::index_sequence<I...>) {
    std::size_t broken = sizeof...(I);
    static_cast<void>(((std::get<I>(kTable).holds(subject) || (broken = I, false)) && ...));
    return broken;
  }
  (std::make_index_sequence<kRuleList<kTable>.size()>{});
}

template <const auto& kTable>
constexpr RuleSet rule_set(void (*describe)(Subject&)) {
  return {kRuleList<kTable>, describe, first_broken<kTable>};
}

// What every bundle is judged by first, and what follows for a role: nullptr for one that is not modelled.
extern const RuleSet kFrameRules;
const RuleSet* rules_of(std::uint8_t role, const SemanticsOptions& semantics);

// Instructions of each layout, in rules_*.cc.
extern const RuleSet kControlRules;
extern const RuleSet kPoolRules;
extern const RuleSet kTensorReduceArithRules;
extern const RuleSet kTensorReduceBitvecRules;
extern const RuleSet kTransposeReduceArithRules;
extern const RuleSet kTransposeReduceBitvecRules;
extern const RuleSet kTensorReduceBf16Rules;
extern const RuleSet kCopyRules;
extern const RuleSet kReciprocalRules;
extern const RuleSet kStreamTransposeRules;
extern const RuleSet kCrossLaneArithRules;
extern const RuleSet kCrossLaneBitvecRules;
extern const RuleSet kMax8Rules;
extern const RuleSet kFindIndex8Rules;
extern const RuleSet kMatchValueLoadRules;      // data_and_values
extern const RuleSet kMatchValueLoadS2BnRules;  // s2_bn
extern const RuleSet kSequenceBoundsRules;
extern const RuleSet kTensorTensorArithRules;
extern const RuleSet kTensorTensorBitvecRules;
extern const RuleSet kTensorTensorBf16Rules;
extern const RuleSet kTensorTensorIntWideRules;
extern const RuleSet kTensorScalarIntWideRules;
extern const RuleSet kTensorScalarArithRules;
extern const RuleSet kTensorScalarBitvecRules;
extern const RuleSet kCacheReduceRules;
extern const RuleSet kCumulativeRules;
extern const RuleSet kReadAccumulatorRules;
extern const RuleSet kActivateRules;
extern const RuleSet kLoadStationaryRules;
extern const RuleSet kMultiplyMovingRules;
extern const RuleSet kScalarTensorTensorArithRules;
extern const RuleSet kScalarTensorTensorBitvecRules;
extern const RuleSet kScanRules;
extern const RuleSet kIotaRules;
extern const RuleSet kMemsetRules;
extern const RuleSet kTileRules;

}  // namespace tpb
