// Every rule of every instruction is broken by a bundle whose nearest neighbour is legal.
#include <utility>

#include "models/isa/rule.h"
#include "testbench/tests/isa/judging.h"

namespace tpb::test {

Mutations every_mutation() {
  Mutations all;
  for (auto family :
       {frame_mutations, pool_mutations, tensor_reduce_mutations, copy_mutations, tensor_tensor_mutations,
        cross_lane_mutations, search_mutations, sequence_bounds_mutations, int_wide_mutations, tensor_scalar_mutations,
        activate_mutations, matmul_mutations, scalar_tensor_tensor_mutations, fill_mutations, tile_mutations}) {
    for (Mutation& mutation : family()) all.push_back(std::move(mutation));
  }
  return all;
}

namespace {

TEST(EveryRule, IsTheFirstThatAMutationBreaks) {
  for (const Mutation& mutation : every_mutation()) {
    SCOPED_TRACE(fmt::format("{} {} of {:#x}", mutation.rule, mutation.field, mutation.broken[0]));
    expect_legal(mutation.legal, mutation.legal_context);
    expect_violation(mutation.broken, mutation.context, mutation.rule, mutation.field, mutation.value,
                     mutation.allowed);
  }
}

// A rule of a table, whatever its name.
using Place = std::pair<const RuleSet*, std::size_t>;

Place first_broken_place(const Bundle& bundle, const LegalityContext& context) {
  Subject subject(bundle, context);
  if (const std::size_t broken = kFrameRules.first_broken(subject); broken < kFrameRules.rules.size()) {
    return {&kFrameRules, broken};
  }
  const RuleSet* rules = rules_of(subject.role, context.semantics);
  rules->describe(subject);
  return {rules, rules->first_broken(subject)};
}

TEST(EveryRule, HasAMutation) {
  std::set<Place> broken;
  for (const Mutation& mutation : every_mutation()) {
    broken.insert(first_broken_place(mutation.broken, mutation.context));
  }
  const auto expect_all = [&](const RuleSet& set, const std::string& name) {
    for (std::size_t i = 0; i < set.rules.size(); ++i) {
      EXPECT_TRUE(broken.contains({&set, i})) << name << ": rule " << i << ", " << set.rules[i].name;
    }
  };
  expect_all(kFrameRules, "frame");
  unsigned modelled = 0;
  for (auto layout : {SemanticsOptions::MatchValueLoad::data_and_values, SemanticsOptions::MatchValueLoad::s2_bn}) {
    SemanticsOptions semantics;
    semantics.match_value_load = layout;
    for (const OpcodeInfo& opcode : opcodes()) {
      const RuleSet* rules = rules_of(opcode.code, semantics);
      EXPECT_EQ(rules != nullptr, opcode.modelled) << opcode.name;
      if (rules == nullptr) continue;
      ++modelled;
      expect_all(*rules, std::string(opcode.name));
    }
  }
  EXPECT_GE(modelled, 2 * 42U);  // those of the five engines that compute, and the control bundles
}

}  // namespace
}  // namespace tpb::test
