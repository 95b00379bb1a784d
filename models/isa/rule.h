// How legality is judged: a bundle laid out as a Subject, and ordered tables of Rules over it. Internal to the room.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "models/isa/legality.h"

namespace tpb {

// One memory operand under judgement: raw, since nothing of it is known to be valid yet.
struct Site {
  std::string_view name;        // "src0"
  std::string_view dtype_name;  // "in0_dtype"
  AccessPattern pattern;
  std::uint8_t dtype = 0;
  bool immediate = false;  // `at` holds only for an immediate address
  Location at;
};

// Sources first, then the destination; a layout with one source leaves kSrc1 alone.
enum SiteIndex : std::uint8_t { kSrc, kSrc1, kDst };

struct Subject {
  const Bundle& bundle;
  const LegalityContext& context;
  Frame frame;
  std::uint8_t role;
  const OpcodeInfo* info;  // of the role; nullptr for an unnamed byte
  std::uint32_t channels = 0;
  std::uint8_t op = 0;  // AluOp of the layouts that have one
  std::array<Site, 3> sites{};

  Subject(const Bundle& bytes, const LegalityContext& where);
  template <class BundleLayout>
  BundleLayout as() const {
    return std::bit_cast<BundleLayout>(bundle);
  }
  template <unsigned Dims>
  void set_site(SiteIndex index, std::string_view name, const TensorDescriptor<Dims>& descriptor,
                std::string_view dtype_name, std::uint8_t dtype) {
    Site& site = sites[index];
    site.name = name;
    site.dtype_name = dtype_name;
    site.pattern = pattern_of(descriptor);
    site.dtype = dtype;
    site.immediate = address_mode(descriptor.start_addr) == AddressMode::immediate;
    site.at = locate(context.memory, descriptor.start_addr);
  }
};

// A rule that reads a field which another rule has found meaningless holds: the violation is the other rule's.
struct Rule {
  std::string_view name;  // a literal
  bool (*holds)(const Subject&);
  Violation (*explain)(const Subject&);  // called only when broken; leaves `rule` empty to mean `name`
};

// The rules of one instruction (or several with the same ones).
struct RuleSet {
  std::span<const Rule> rules;
  void (*describe)(Subject&);                   // fills channels, op and sites from the layout
  std::size_t (*first_broken)(const Subject&);  // rules.size() when every rule holds
};

// The tables are constants, so this walk over one compiles to straight code with every rule inlined.
template <const auto& kRules>
std::size_t first_broken(const Subject& subject) {
  return [&subject]<std::size_t... I>(std::index_sequence<I...>) {
    std::size_t broken = sizeof...(I);
    static_cast<void>(((kRules[I].holds(subject) || (broken = I, false)) && ...));
    return broken;
  }
  (std::make_index_sequence<kRules.size()>{});
}

template <const auto& kRules>
constexpr RuleSet rule_set(void (*describe)(Subject&)) {
  return {kRules, describe, first_broken<kRules>};
}

// Instructions of each layout, in rules_*.cc.
extern const RuleSet kControlRules;
extern const RuleSet kPoolRules;
extern const RuleSet kTensorReduceArithRules;
extern const RuleSet kTensorReduceBitvecRules;
extern const RuleSet kTensorReduceBf16Rules;
extern const RuleSet kCopyRules;
extern const RuleSet kTensorTensorArithRules;
extern const RuleSet kTensorTensorBf16Rules;

}  // namespace tpb
