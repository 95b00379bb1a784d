// Random bundles: judging never crashes, and the first violation is the first of all of them.
#include <random>

#include "testbench/tests/isa/judging.h"

namespace tpb::test {
namespace {

TEST(Fuzz, FirstViolationIsTheFirstOfAll) {
  const Bundle legal[] = {bytes_of_bundle(control()),
                          bytes_of_bundle(pool()),
                          bytes_of_bundle(reduce()),
                          bytes_of_bundle(reduce(0x42)),
                          bytes_of_bundle(reduce(0x83)),
                          bytes_of_bundle(reduce_bitvec()),
                          bytes_of_bundle(reduce_bf16()),
                          bytes_of_bundle(copy()),
                          bytes_of_bundle(copy(0x6B)),
                          bytes_of_bundle(tensor_tensor()),
                          bytes_of_bundle(tensor_tensor_bitvec()),
                          bytes_of_bundle(tensor_tensor_bf16()),
                          bytes_of_bundle(cross_lane()),
                          bytes_of_bundle(cross_lane_bitvec(0x84)),
                          bytes_of_bundle(max8()),
                          bytes_of_bundle(find_index8()),
                          bytes_of_bundle(match_value_load()),
                          bytes_of_bundle(match_value_load_s2_bn()),
                          bytes_of_bundle(sequence_bounds()),
                          bytes_of_bundle(tensor_tensor_int_wide()),
                          bytes_of_bundle(tensor_scalar_int_wide()),
                          bytes_of_bundle(tensor_scalar()),
                          bytes_of_bundle(tensor_scalar_bitvec()),
                          bytes_of_bundle(cache_reduce()),
                          bytes_of_bundle(cumulative()),
                          bytes_of_bundle(read_accumulator()),
                          bytes_of_bundle(scalar_tensor_tensor()),
                          bytes_of_bundle(scalar_tensor_tensor_bitvec()),
                          bytes_of_bundle(scalar_tensor_tensor(0xE5)),
                          bytes_of_bundle(activate()),
                          bytes_of_bundle(load_stationary()),
                          bytes_of_bundle(multiply_moving()),
                          bytes_of_bundle(memset()),
                          bytes_of_bundle(iota())};
  std::mt19937_64 random(2024);
  unsigned accepted = 0;
  constexpr unsigned kBundles = 200'000;
  for (unsigned i = 0; i < kBundles; ++i) {
    LegalityContext context = on(kEngines[random() % kEngines.size()], kGenerations[random() % kGenerations.size()]);
    if (random() % 2 == 0) context.semantics.reduce_opcodes = SemanticsOptions::ReduceOpcodes::arch;
    if (random() % 2 == 0) context.semantics.divide = SemanticsOptions::Divide::refused;
    if (random() % 2 == 0) context.semantics.match_value_load = SemanticsOptions::MatchValueLoad::s2_bn;
    context.match_value_channels = random() % 2 == 0 ? kPartitions : 0;
    if (random() % 2 == 0) context = with_stationary(context);
    Bundle bundle;
    if (i % 2 == 0) {
      for (auto& byte : bundle) byte = static_cast<std::uint8_t>(random());
      if (random() % 2 == 0) bundle[1] = 0x10;  // past the header rule
    } else {
      bundle = legal[random() % std::size(legal)];
      for (std::uint64_t mutations = random() % 4; mutations > 0; --mutations) {
        bundle[random() % bundle.size()] = static_cast<std::uint8_t>(random());
      }
    }
    const auto first = first_violation(bundle, context);
    const auto all = all_violations(bundle, context);
    ASSERT_EQ(first.has_value(), !all.empty());
    if (!first) {
      ++accepted;
      EXPECT_EQ(pack(unpack(bundle, context.semantics)), bundle);
      continue;
    }
    ASSERT_EQ(first->rule, all.front().rule);
    ASSERT_EQ(first->field, all.front().field);
    ASSERT_EQ(first->value, all.front().value);
    ASSERT_EQ(first->allowed, all.front().allowed);
    for (const Violation& violation : all) {
      ASSERT_FALSE(violation.rule.empty());
      ASSERT_FALSE(violation.field.empty());
      ASSERT_FALSE(violation.value.empty());
      ASSERT_FALSE(violation.allowed.empty());
    }
  }
  // A quarter of the mutants are untouched; enough of each kind was seen for the comparison to mean something.
  EXPECT_GT(accepted, kBundles / 50);
  EXPECT_LT(accepted, kBundles / 2);
}

}  // namespace
}  // namespace tpb::test
