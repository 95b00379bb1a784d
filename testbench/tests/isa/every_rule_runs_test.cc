// On the core: every legal bundle of the tables runs, and every broken one faults by its rule and changes nothing.
#include <map>
#include <utility>

#include "testbench/tests/isa/judging.h"
#include "testbench/tests/support/run_program.h"

namespace tpb::test {
namespace {

class Changes final : public Observer {
 public:
  void retired(const InstructionRecord&) override { ++instructions; }
  void semaphore_updated(const SemaphoreUpdateRecord&) override { ++updates; }

  std::uint64_t instructions = 0, updates = 0;
};

// What must stand before a bundle: the MatchValueLoad or the LoadStationary that its context asks for, the load of a
// tile that it stores or frees.
std::vector<Bundle> prelude(const Bundle& bundle, const LegalityContext& context) {
  if (context.earlier.match_value_channels != 0) {
    const bool values_alone = context.semantics.match_value_load == SemanticsOptions::MatchValueLoad::s2_bn;
    return {values_alone ? bytes_of_bundle(match_value_load_s2_bn()) : bytes_of_bundle(match_value_load())};
  }
  if (const auto [rows, cols, transposes] = context.earlier.stationary; rows != 0) {
    S3D3_MM load = load_stationary(rows, cols);
    if (transposes) load.perf_opt = kPerfTranspose;
    return {bytes_of_bundle(load)};
  }
  const bool takes_tile = bundle[0] == 0xF0 && (bundle[12] == 3 || bundle[12] == 4) && context.engine == Engine::sfu;
  if (takes_tile) return {bytes_of_bundle(tile_load())};
  return {};
}

std::pair<RunResult, Changes> run_behind_prelude(const Bundle& bundle, const LegalityContext& context) {
  static std::map<Generation, Config> configs;
  Config config = configs.try_emplace(context.generation, config_for(context.generation)).first->second;
  config.memory = context.memory;
  config.semantics = context.semantics;
  Program program;
  Section& section = program.sections[context.engine];
  section.bundles = prelude(bundle, context);
  section.bundles.push_back(bundle);
  section.lines.assign(section.bundles.size(), 1);
  Platform& platform = Platform::instance();
  platform.reset(config);
  platform.load(program);
  Changes changes;
  RunOptions options;
  options.observers = {&changes};
  RunResult result = platform.run(options);
  return {std::move(result), changes};
}

TEST(EveryRuleOnTheCore, LetsTheNearestLegalBundleRun) {
  for (const Mutation& mutation : every_mutation()) {
    SCOPED_TRACE(fmt::format("{:#x}, near {} {}", mutation.legal[0], mutation.rule, mutation.field));
    const auto [result, changes] = run_behind_prelude(mutation.legal, mutation.legal_context);
    EXPECT_TRUE(result.faults.empty());
    // One that waits for a semaphore waits for ever here.
    if (std::bit_cast<ControlBundle>(mutation.legal).frame.wait_mode != 0) continue;
    EXPECT_EQ(result.end, RunEnd::done);
    EXPECT_EQ(changes.instructions, prelude(mutation.legal, mutation.legal_context).size() + 1);
  }
}

TEST(EveryRuleOnTheCore, StopsTheBrokenBundleBeforeAnyEffect) {
  for (const Mutation& mutation : every_mutation()) {
    SCOPED_TRACE(fmt::format("{} {} of {:#x}", mutation.rule, mutation.field, mutation.broken[0]));
    const auto [result, changes] = run_behind_prelude(mutation.broken, mutation.context);
    ASSERT_EQ(result.faults.size(), 1U);
    EXPECT_EQ(result.faults[0].violation.rule, mutation.rule);
    EXPECT_EQ(result.faults[0].violation.field, mutation.field);
    EXPECT_EQ(result.faults[0].violation.value, mutation.value);
    EXPECT_EQ(changes.instructions, prelude(mutation.broken, mutation.context).size());
    EXPECT_EQ(changes.updates, 0U);
    EXPECT_EQ(result.sbuf.write_bytes + result.psum.write_bytes, 0U);
  }
}

}  // namespace
}  // namespace tpb::test
