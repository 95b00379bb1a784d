// Legality: an ordered list of named rules per layout. The first violation is the fault; check lists them all.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/isa/instruction.h"
#include "models/isa/semantics.h"

namespace tpb {

// What legality depends on besides the bytes.
struct LegalityContext {
  Generation generation = Generation::cayman;
  Engine engine = Engine::pool;  // the stream the bundle stands in
  MemoryMap memory;
  SemanticsOptions semantics;
  std::uint32_t match_value_channels = 0;  // that the MatchValueLoads earlier in the stream have given values
  Stationary stationary{};                 // that the last LoadStationary earlier in the stream has left
};

// One broken rule. Text is made here, on the cold path only.
struct Violation {
  std::string_view rule;  // "has_valid_neuron_header"; a literal
  std::string field;      // "num_active_channels"
  std::string value;      // "129"
  std::string allowed;    // "1..128"; may carry a documented message or a replacement
};

// The first violation in rule order, or nothing. Never allocates on a legal bundle. `unpack(bundle, ...)` is
// meaningful exactly when this returns nothing.
std::optional<Violation> first_violation(const Bundle& bundle, const LegalityContext& context);

// Every violation, in rule order. Rules that would read fields which an earlier rule found meaningless (an unnamed
// opcode has no layout) are not run.
std::vector<Violation> all_violations(const Bundle& bundle, const LegalityContext& context);

}  // namespace tpb
