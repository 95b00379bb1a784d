// The short version of scripts/fuzz_bundles.
#include "testbench/fuzz/bundle_fuzz.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "models/isa/legality.h"
#include "models/program/assembler.h"

namespace tpb {
namespace {

const std::filesystem::path kSeeds = TPB_SOURCE_DIR "/testbench/fuzz/seeds";

TEST(BundleFuzz, FaultsChangeNothing) {
  FuzzOptions options;
  options.bundles = 40'000;
  const FuzzCounts counts = fuzz_bundles(kSeeds, options);
  EXPECT_THAT(counts.broken, testing::IsEmpty());
  EXPECT_GE(counts.bundles(), options.bundles);
  EXPECT_GE(counts.mutated_legal * 10, counts.mutated * 3);  // enough of them get past every rule
  EXPECT_GT(counts.mutated * 10, counts.bundles() * 4);
  EXPECT_GT(counts.scanned, 0U);
}

TEST(BundleFuzz, HasASeedForEveryModelledOpcode) {
  std::set<std::uint8_t> missing;
  for (const OpcodeInfo& row : opcodes()) {
    if (row.modelled) missing.insert(row.code);
  }
  for (Generation generation : kGenerations) {
    for (const char* profile : {"seed", "public"}) {
      ConfigRequest request;
      request.generation = generation;
      request.overrides = {fmt::format("semantics.profile={}", profile)};
      const Config config = load_config(request).config;
      for (const auto& entry : std::filesystem::directory_iterator(kSeeds)) {
        Program program;
        try {
          program = assemble(entry.path(), config);
        } catch (const InputError&) {
          continue;  // of another generation or the other profile
        }
        for (Engine engine : kEngines) {
          LegalityContext context{generation, engine, config.memory, config.semantics, kPartitions};
          for (const Bundle& bundle : program.sections[engine].bundles) {
            if (!first_violation(bundle, context)) missing.erase(bundle[0]);
            context.stationary = stationary_of(unpack(bundle, config.semantics)).value_or(context.stationary);
          }
        }
      }
    }
  }
  EXPECT_THAT(missing, testing::IsEmpty());
}

}  // namespace
}  // namespace tpb
