#include "models/isa/legality.h"

#include <fmt/format.h>

#include <cctype>

#include "models/isa/common_rules.h"
#include "models/isa/kernel_info.h"

namespace tpb {
namespace {

// ---- what every bundle is judged by first --------------------------------------------------------------------------

constexpr std::uint8_t kLength = 0x10;

// Membership of a few small codes, as bits.
template <class... Codes>
constexpr std::uint32_t bit_set(Codes... codes) {
  return ((std::uint32_t{1} << codes) | ...);
}
constexpr bool in(std::uint32_t set, std::uint8_t code) { return code < 32 && (set >> code & 1) != 0; }

constexpr std::uint32_t kDebugCommands = bit_set(0, 1, 3, 5, 7, 9);
constexpr std::uint32_t kWaitConditions = bit_set(1, 2, 3, 4, 5);
constexpr std::uint32_t kUpdates = bit_set(0x03, 0x04, 0x05, 0x07, 0x09, 0x13, 0x14, 0x15, 0x17, 0x19);

constexpr bool wait_mode_valid(std::uint8_t mode) {
  return mode == 0 || in(kWaitConditions, mode & ~kWaitRegister & 0xFF);
}
constexpr bool update_mode_valid(std::uint8_t mode) {
  return mode == 0 || mode == kUpdateWriteRegister || in(kUpdates, mode);
}
constexpr bool names_register(const Frame& frame) {
  return (frame.wait_mode & kWaitRegister) != 0 || frame.update_mode == kUpdateWriteRegister;
}

Violation explain_header(const Subject& s) {
  if (s.frame.length != kLength) return {{}, "length", hex_byte(s.frame.length), hex_byte(kLength)};
  return {{}, "debug_cmd", std::to_string(s.frame.debug_cmd), "0, 1, 3, 5, 7 or 9"};
}

Violation explain_events(const Subject& s) {
  if (!wait_mode_valid(s.frame.wait_mode)) {
    return {{}, "wait_mode", hex_byte(s.frame.wait_mode), "0x00..0x05, 0x81..0x85"};
  }
  if (!update_mode_valid(s.frame.update_mode)) {
    return {{},
            "update_mode",
            hex_byte(s.frame.update_mode),
            "0x00, 0x03, 0x04, 0x05, 0x07, 0x09, 0x13, 0x14, 0x15, 0x17, 0x19, 0x99"};
  }
  return {{}, "value", std::to_string(s.frame.value), fmt::format("a register, 0..{}", kRegisters - 1)};
}

// has_valid_nc_<op>, the public name in snake case. A violation keeps the view, so the strings live for ever.
std::string_view generation_rule(const OpcodeInfo& info) {
  static const auto kNames = [] {
    std::array<std::string, 256> names;
    for (const OpcodeInfo& row : opcodes()) {
      std::string& name = names[row.code] = "has_valid_nc";
      for (std::size_t i = 0; i < row.name.size(); ++i) {
        const auto letter = static_cast<unsigned char>(row.name[i]);
        const bool starts_word =
            std::isupper(letter) != 0 && (i == 0 || std::isupper(static_cast<unsigned char>(row.name[i - 1])) == 0);
        if (starts_word) name += '_';
        name += static_cast<char>(std::tolower(letter));
      }
    }
    return names;
  }();
  return kNames[info.code];
}

// What to write instead of an opcode that later generations dropped; empty when there is nothing.
std::string replacement(const Subject& s) {
  const auto use = [&](std::string_view text, Opcode role) {
    const std::uint8_t wire = wire_of(static_cast<std::uint8_t>(role), s.context.semantics);
    return fmt::format("; use {} (opcode {})", text, hex_byte(wire));
  };
  switch (static_cast<Opcode>(s.role)) {
    case Opcode::tensor_tensor_add_bf16:
      return use("tensor_tensor op=add", Opcode::tensor_tensor_arith);
    case Opcode::tensor_tensor_mult_bf16:
      return use("tensor_tensor op=mult", Opcode::tensor_tensor_arith);
    case Opcode::tensor_tensor_sub_bf16:
      return use("tensor_tensor op=subtract", Opcode::tensor_tensor_arith);
    case Opcode::tensor_reduce_add_bf16:
      return use("tensor_reduce op=add", Opcode::tensor_reduce_arith);
    case Opcode::tensor_reduce_max_bf16:
      return use("tensor_reduce op=max", Opcode::tensor_reduce_arith);
    default:
      return {};
  }
}

Violation explain_generation(const Subject& s) {
  const std::string range = s.info->first == s.info->last ? std::string(name_of(s.info->first))
                            : s.info->last == kGenerations.back()
                                ? fmt::format("{} on", name_of(s.info->first))
                                : fmt::format("{} to {}", name_of(s.info->first), name_of(s.info->last));
  return {generation_rule(*s.info), "opcode", hex_byte(s.frame.opcode),
          fmt::format("{}: {}, this is {}{}", s.info->name, range, name_of(s.context.generation), replacement(s))};
}

// Names the wire opcode, and what it stands for where the profile makes it stand for another.
Violation explain_not_modelled(const Subject& s) {
  const OpcodeInfo* wire = find_opcode(s.frame.opcode);
  const std::string meaning = wire == s.info ? std::string{} : fmt::format(" (here {})", s.info->mnemonic);
  return {{},
          "opcode",
          hex_byte(s.frame.opcode),
          fmt::format("a modelled opcode: {}{} is not modelled", wire->name, meaning)};
}

Violation explain_engine(const Subject& s) {
  std::string engines;
  for (Engine engine : kEngines) {
    if (s.info->engines_in(s.context.generation).contains(engine)) {
      engines += fmt::format("{}{}", engines.empty() ? "" : ", ", name_of(engine));
    }
  }
  if (s.context.engine == Engine::pool) engines += fmt::format("; UNKNOWN OPCODE={}", hex_byte(s.frame.opcode));
  return {{}, "engine", std::string(name_of(s.context.engine)), engines};
}

// An engine accepts what its stream may hold; Pool, of what it computes, what its table of kernels has.
bool engine_accepts(const Subject& s) {
  if (s.context.engine == Engine::pool && s.info->layout != Layout::control) {
    return find_kernel(s.frame.opcode, s.context.generation, s.context.semantics) != nullptr;
  }
  return s.info->engines_in(s.context.generation).contains(s.context.engine);
}

bool exists(const Subject& s) { return s.info != nullptr && s.info->exists_in(s.context.generation); }

constexpr std::tuple kFrameTable{
    Rule{"has_valid_neuron_header",
         [](const Subject& s) { return s.frame.length == kLength && in(kDebugCommands, s.frame.debug_cmd); },
         explain_header},
    Rule{"has_valid_neuron_events",
         [](const Subject& s) {
           return wait_mode_valid(s.frame.wait_mode) && update_mode_valid(s.frame.update_mode) &&
                  (!names_register(s.frame) || s.frame.value < kRegisters);
         },
         explain_events},
    Rule{"illegal_opcode", [](const Subject& s) { return s.info != nullptr || is_pseudo(s.frame.opcode); },
         [](const Subject& s) {
           return Violation{{}, "opcode", hex_byte(s.frame.opcode), "a named opcode: illegal opcode"};
         }},
    Rule{"pseudo_opcode", [](const Subject& s) { return !is_pseudo(s.frame.opcode); },
         [](const Subject& s) {
           return Violation{
               {}, "opcode", hex_byte(s.frame.opcode), "a real opcode: a pseudo opcode never reaches a device"};
         }},
    Rule{"has_valid_nc", [](const Subject& s) { return s.info == nullptr || exists(s); }, explain_generation},
    Rule{"not_modelled", [](const Subject& s) { return !exists(s) || s.info->modelled; }, explain_not_modelled},
    Rule{"engine_accepts_opcode", [](const Subject& s) { return !exists(s) || !s.info->modelled || engine_accepts(s); },
         explain_engine},
};
}  // namespace

constexpr RuleSet kFrameRules = rule_set<kFrameTable>([](Subject&) {});

// ---- which rules follow --------------------------------------------------------------------------------------------

const RuleSet* rules_of(std::uint8_t role, const SemanticsOptions& semantics) {
  switch (static_cast<Opcode>(role)) {
    case Opcode::tensor_tensor_arith:
      return &kTensorTensorArithRules;
    case Opcode::tensor_tensor_bitvec:
      return &kTensorTensorBitvecRules;
    case Opcode::tensor_reduce_arith:
      return &kTensorReduceArithRules;
    case Opcode::tensor_reduce_bitvec:
      return &kTensorReduceBitvecRules;
    case Opcode::transpose_tensor_reduce_arith:
      return &kTransposeReduceArithRules;
    case Opcode::transpose_tensor_reduce_bitvec:
      return &kTransposeReduceBitvecRules;
    case Opcode::cross_lane_reduce_arith:
      return &kCrossLaneArithRules;
    case Opcode::cross_lane_reduce_bitvec:
      return &kCrossLaneBitvecRules;
    case Opcode::pool:
      return &kPoolRules;
    case Opcode::copy:
    case Opcode::cast:
      return &kCopyRules;
    case Opcode::reciprocal:
      return &kReciprocalRules;
    case Opcode::stream_transpose:
      return &kStreamTransposeRules;
    case Opcode::tensor_scalar_arith:
      return &kTensorScalarArithRules;
    case Opcode::tensor_scalar_bitvec:
      return &kTensorScalarBitvecRules;
    case Opcode::tensor_scalar_cache_reduce:
      return &kCacheReduceRules;
    case Opcode::tensor_scalar_cumulative:
      return &kCumulativeRules;
    case Opcode::dve_read_accumulator:
    case Opcode::act_read_accumulator:
      return &kReadAccumulatorRules;
    case Opcode::activate:
      return &kActivateRules;
    case Opcode::load_stationary:
      return &kLoadStationaryRules;
    case Opcode::multiply_moving:
      return &kMultiplyMovingRules;
    case Opcode::scalar_tensor_tensor_arith:
      return &kScalarTensorTensorArithRules;
    case Opcode::scalar_tensor_tensor_bitvec:
      return &kScalarTensorTensorBitvecRules;
    case Opcode::tensor_tensor_scan:
      return &kScanRules;
    case Opcode::max8:
      return &kMax8Rules;
    case Opcode::match_value_load:
      return semantics.match_value_load == SemanticsOptions::MatchValueLoad::s2_bn ? &kMatchValueLoadS2BnRules
                                                                                   : &kMatchValueLoadRules;
    case Opcode::find_index8:
      return &kFindIndex8Rules;
    case Opcode::get_sequence_bounds:
      return &kSequenceBoundsRules;
    case Opcode::tensor_tensor_int_wide:
      return &kTensorTensorIntWideRules;
    case Opcode::tensor_scalar_int_wide:
      return &kTensorScalarIntWideRules;
    case Opcode::memset:
      return &kMemsetRules;
    case Opcode::iota:
      return &kIotaRules;
    case Opcode::tile:
      return &kTileRules;
    case Opcode::tensor_tensor_add_bf16:
    case Opcode::tensor_tensor_mult_bf16:
    case Opcode::tensor_tensor_sub_bf16:
      return &kTensorTensorBf16Rules;
    case Opcode::tensor_reduce_add_bf16:
    case Opcode::tensor_reduce_max_bf16:
      return &kTensorReduceBf16Rules;
    case Opcode::event_semaphore:
    case Opcode::halt:
    case Opcode::nop:
      return &kControlRules;
    default:
      return nullptr;
  }
}

namespace {

Violation explain(const AnyRule& rule, const Subject& subject) {
  Violation violation = rule.explain(subject);
  if (violation.rule.empty()) violation.rule = rule.name;
  return violation;
}

// Visits the rule sets that apply, frame first; `visit` returns whether to go on. Only an opcode that this generation
// has and this model executes has a layout to judge.
template <class Visit>
void for_each_rule_set(const Bundle& bundle, const LegalityContext& context, Visit visit) {
  Subject subject(bundle, context);
  if (!visit(kFrameRules, subject)) return;
  if (!exists(subject) || !subject.info->modelled) return;
  const RuleSet* rules = rules_of(subject.role, context.semantics);
  if (rules == nullptr) return;
  rules->describe(subject);
  visit(*rules, subject);
}

}  // namespace

std::optional<Violation> first_violation(const Bundle& bundle, const LegalityContext& context) {
  std::optional<Violation> first;
  for_each_rule_set(bundle, context, [&](const RuleSet& set, const Subject& subject) {
    const std::size_t broken = set.first_broken(subject);
    if (broken == set.rules.size()) return true;
    first = explain(set.rules[broken], subject);
    return false;
  });
  return first;
}

std::vector<Violation> all_violations(const Bundle& bundle, const LegalityContext& context) {
  std::vector<Violation> all;
  for_each_rule_set(bundle, context, [&](const RuleSet& set, const Subject& subject) {
    for (const AnyRule& rule : set.rules) {
      if (!rule.holds(subject)) all.push_back(explain(rule, subject));
    }
    return true;
  });
  return all;
}

}  // namespace tpb
