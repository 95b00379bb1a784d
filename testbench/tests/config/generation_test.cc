#include <gmock/gmock.h>

#include <array>
#include <cstdlib>
#include <fstream>

#include "models/timing/tick.h"
#include "testbench/tests/config/scratch.h"

namespace tpb {
namespace {

// The published clocks and capacities; mariana's stand for the generations that have no public figures.
struct Published {
  Generation generation;
  std::uint32_t pe_mhz, act_mhz, dve_mhz, pool_mhz;
  std::uint32_t sbuf_kib;
  std::uint64_t tick_mhz;
};

constexpr std::array kPublished{
    // lcm(2800, 1400, 1120, 1400): 5600 is 2, 4, 5 and 4 cycles.
    Published{Generation::sunda, 2800, 1400, 1120, 1400, 192, 5600},
    // lcm(2400, 1200, 960, 1200): 4800 is 2, 4, 5 and 4 cycles.
    Published{Generation::cayman, 2400, 1200, 960, 1200, 224, 4800},
    // All divide PE's 2400.
    Published{Generation::mariana, 2400, 1200, 1200, 1200, 256, 2400},
    Published{Generation::mariana_plus, 2400, 1200, 1200, 1200, 256, 2400},
    Published{Generation::maverick, 2400, 1200, 1200, 1200, 256, 2400},
};

class EveryGeneration : public testing::TestWithParam<Published> {};
INSTANTIATE_TEST_SUITE_P(Shipped, EveryGeneration, testing::ValuesIn(kPublished),
                         [](const auto& given) { return std::string(name_of(given.param.generation)); });

TEST_P(EveryGeneration, HasThePublishedClocksAndCapacities) {
  const Published& published = GetParam();
  const Config config = load_shipped(published.generation).config;
  EXPECT_EQ(config.generation, published.generation);
  EXPECT_EQ(config.engines[Engine::pe].clock_mhz, published.pe_mhz);
  EXPECT_EQ(config.engines[Engine::act].clock_mhz, published.act_mhz);
  EXPECT_EQ(config.engines[Engine::dve].clock_mhz, published.dve_mhz);
  EXPECT_EQ(config.engines[Engine::pool].clock_mhz, published.pool_mhz);
  EXPECT_EQ(config.engines[Engine::sfu].clock_mhz, published.pool_mhz);  // Pool's, assumed
  PerEngine<std::uint32_t> clocks;
  for (Engine engine : kEngines) clocks[engine] = config.engines[engine].clock_mhz;
  EXPECT_EQ(tick_frequency_mhz(clocks), published.tick_mhz);

  EXPECT_EQ(config.memory.sbuf_bytes_per_partition, published.sbuf_kib * 1024);
  EXPECT_EQ(config.memory.sbuf_partition_stride, 0x40000U);
  EXPECT_EQ(config.memory.psum_banks, 8U);
  EXPECT_EQ(config.memory.psum_bytes_per_bank, 2048U);
  EXPECT_EQ(config.sfu.capacity_bytes, 262144U);  // the tile ISA's reset value
  EXPECT_EQ(config.semantics, SemanticsOptions{});
}

TEST_P(EveryGeneration, HasTheFixedCosts) {
  const Config config = load_shipped(GetParam().generation).config;
  const auto costs = [&](Engine engine) {
    const EngineTiming& timing = config.engines[engine];
    return std::array{timing.min_ii, timing.start, timing.overhead, timing.queue_depth};
  };
  using Costs = std::array<std::uint32_t, 4>;
  EXPECT_EQ(costs(Engine::pe), (Costs{64, 0, 400, 4}));
  // 264 cycles between dependent one-element instructions: 1 streams, 263 remain.
  EXPECT_EQ(costs(Engine::act), (Costs{64, 0, 263, 4}));
  EXPECT_EQ(costs(Engine::dve), (Costs{64, 0, 144, 4}));
  EXPECT_EQ(costs(Engine::pool), (Costs{0, 150, 100, 4}));
  EXPECT_EQ(costs(Engine::sfu), (Costs{0, 0, 64, 4}));
  EXPECT_EQ(config.sequencer, SequencerConfig{});  // nothing published
}

TEST_P(EveryGeneration, SharesAsPublished) {
  const Config config = load_shipped(GetParam().generation).config;
  const bool sunda = GetParam().generation == Generation::sunda;
  using Groups = std::vector<EngineSet>;
  EXPECT_EQ(config.sbuf_groups, sunda ? Groups({EngineSet{Engine::dve, Engine::pool}}) : Groups{});
  EXPECT_EQ(config.psum_groups, sunda ? Groups({EngineSet{Engine::dve, Engine::act}}) : Groups{});
  EXPECT_EQ(config.sbuf_stride_penalty_bytes, sunda ? 16U : 0U);
  EXPECT_EQ(config.psum_banks_shared, !sunda);
  EXPECT_EQ(config.bus_shared, !sunda);
  EXPECT_EQ(config.sbuf_share.policy, sunda ? SharePolicy::exclusive : SharePolicy::fair);
  EXPECT_EQ(config.psum_share.policy, sunda ? SharePolicy::exclusive : SharePolicy::fair);
  EXPECT_EQ(config.bus_share.policy, SharePolicy::fair);
}

// Every line with a number, word or list says where it comes from, and a generation without public figures documents
// nothing about itself.
TEST_P(EveryGeneration, SaysOfEveryValueWhetherItIsDocumented) {
  const std::string name(name_of(GetParam().generation));
  std::ifstream file(std::string(TPB_SOURCE_DIR "/configs/generations/") + name + ".toml");
  ASSERT_TRUE(file);
  int values = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.find('=') == std::string::npos || line[0] == '#' || line.starts_with("generation")) continue;
    ++values;
    const bool documented = line.find("# documented (") != std::string::npos;
    EXPECT_TRUE(documented || line.find("# assumed") != std::string::npos) << line;
    if (GetParam().generation >= Generation::mariana_plus && !line.starts_with("capacity_bytes")) {
      EXPECT_FALSE(documented) << line;
    }
  }
  // All keys but: generation, five PC windows, ten semantics keys that the profile sets, the stall seed, three
  // limits.
  EXPECT_EQ(values, static_cast<int>(config_keys().size()) - 1 - 5 - 10 - 1 - 3);
}

// Nothing of the hardware is left to a default: a shipped file is complete.
TEST_P(EveryGeneration, IsCompleteInItsFile) {
  const std::string name(name_of(GetParam().generation));
  for (const ShownValue& value : load_shipped(GetParam().generation).values) {
    const std::string& key = value.info->key;
    const bool of_the_simulation =
        key.starts_with("debug.") || key.starts_with("limits.") || key.ends_with("pc_window");
    if (of_the_simulation) {
      EXPECT_EQ(value.origin, "default") << key;
    } else {
      EXPECT_THAT(value.origin, testing::HasSubstr("generations/" + name + ".toml:")) << key;
    }
  }
}

TEST(Generation, IsCaymanWhenNobodyNamesOne) {
  EXPECT_EQ(load_config({}).config.generation, Generation::cayman);
  EXPECT_EQ(load_config({}).digest, load_shipped(Generation::cayman).digest);
}

TEST(Generation, OfTheFilePicksTheShippedValues) {
  const Scratch scratch;
  const auto file = scratch.write("c.toml", "generation = \"sunda\"\nengines.dve.clock_ghz = 1\n");
  const Config config = load_file(file).config;
  EXPECT_EQ(config.generation, Generation::sunda);
  EXPECT_EQ(config.engines[Engine::dve].clock_mhz, 1000U);
  EXPECT_EQ(config.engines[Engine::pe].clock_mhz, 2800U);  // sunda's
}

TEST(Generation, OfAnOverridePicksTheShippedValues) {
  const ConfigRequest request{.file = std::nullopt, .generation = std::nullopt, .overrides = {"generation=sunda"}};
  EXPECT_EQ(load_config(request).digest, load_shipped(Generation::sunda).digest);
}

TEST(Generation, MustBeTheSameForAllWhoNameOne) {
  const Scratch scratch;
  const auto sunda = scratch.write("sunda.toml", "\n  generation = \"sunda\"\n");
  EXPECT_EQ(problems({sunda, Generation::sunda, {"generation=sunda"}}), "");
  EXPECT_EQ(problems({sunda, Generation::cayman, {}}, scratch.folder()),
            "sunda.toml:2:16: error: generation = \"sunda\", expected \"cayman\" as the program's .generation says");
  EXPECT_EQ(problems({sunda, std::nullopt, {"generation=cayman"}}, scratch.folder()),
            "--set:1:12: error: generation = \"cayman\", expected \"sunda\" as the configuration file says");
  EXPECT_EQ(problems({std::nullopt, Generation::sunda, {"sfu.capacity_bytes=8", "generation=cayman"}}),
            "--set:2:12: error: generation = \"cayman\", expected \"sunda\" as the program's .generation says");
  const auto none = scratch.write("none.toml", "engines.dve.min_ii = 3\n");
  EXPECT_EQ(problems({none, Generation::sunda, {}}, scratch.folder()),
            "none.toml:1:1: error: no generation, expected generation = \"sunda\" as the program's .generation says");
  EXPECT_EQ(problems({none, std::nullopt, {}}), "");
}

TEST(Generation, FilesAreFoundWhereTheEnvironmentSays) {
  const Scratch scratch;
  scratch.write("generations/cayman.toml", "generation = \"cayman\"\nengines.pe.clock_ghz = 3\n");
  ASSERT_EQ(setenv("TPBSIM_DATA", scratch.folder().c_str(), 1), 0);
  EXPECT_EQ(load_config({}).config.engines[Engine::pe].clock_mhz, 3000U);
  EXPECT_EQ(problems({std::nullopt, Generation::sunda, {}}, scratch.folder()),
            "generations/sunda.toml:1:1: error: cannot read 'generations/sunda.toml': No such file or directory, "
            "expected a configuration file");
  unsetenv("TPBSIM_DATA");
}

}  // namespace
}  // namespace tpb
