#include "testbench/observers/statistics.h"

#include <gmock/gmock.h>

#include "testbench/tests/observers/hand_made_run.h"

namespace tpb {
namespace {

using Json = nlohmann::ordered_json;

LoadedConfig small_config() {
  static const std::vector<KeyInfo> kKeys{{"generation", "", "", ""},
                                          {"engines.dve.clock_ghz", "GHz", "", ""},
                                          {"engines.dve.min_ii", "cycles", "", ""},
                                          {"share.sbuf.groups", "", "", ""}};
  LoadedConfig config;
  config.values = {{&kKeys[0], "\"sunda\"", "default"},
                   {&kKeys[1], "1.12", "default"},
                   {&kKeys[2], "64", "default"},
                   {&kKeys[3], "[[\"dve\", \"pool\"]]", "default"}};
  config.digest = "c0ffee";
  return config;
}

Json stats_of(const RunResult& result) { return statistics(result, small_config(), {"0.1.0", "feed"}); }

TEST(Statistics, OfAnEngine) {
  const Json dve = stats_of(HandMadeRun{}.result)["engines"]["dve"];
  EXPECT_EQ(dve["instruction_count"], 2);
  EXPECT_EQ(dve["active_time_ns"], 114.285714);  // 640 ticks of 1000/5600 ns, six decimals
  EXPECT_DOUBLE_EQ(dve["active_time_percent"], 100.0 * 640 / 2800);
  EXPECT_EQ(dve["busy_cycles"], 128);          // 640 ticks at 5 a cycle
  EXPECT_EQ(dve["elements"], 12288);           // 32 x 128 + 64 x 128
  EXPECT_EQ(dve["elements_per_cycle"], 96.0);  // 12288 / 128
  // 1256, 4 and 900 ticks.
  EXPECT_EQ(dve["stall_ns"], Json::parse(R"({"issue": 0.714286, "semaphore": 224.285714, "dependency": 0.0, "sbuf": 0.0,
      "psum": 0.0, "bus": 0.0, "sfu": 0.0, "fault": 0.0, "idle": 160.714286})"));
}

TEST(Statistics, OfMemoryAndSimulator) {
  const Json stats = stats_of(HandMadeRun{}.result);
  EXPECT_EQ(stats["memory"]["sbuf"], Json::parse(R"({"read_bytes": 4096, "write_bytes": 2048, "contention_ns": 5.0})"));
  EXPECT_EQ(stats["memory"]["psum"].size(), 8U);
  EXPECT_DOUBLE_EQ(stats["memory"]["psum"]["bank_1_util_percent"], 100.0 * 640 / 2800);
  EXPECT_EQ(stats["memory"]["psum"]["bank_7_util_percent"], 0.0);
  // Five instructions in half a second.
  EXPECT_EQ(stats["simulator"], Json::parse(R"({"host_seconds": 0.5, "instructions_per_second": 10.0, "events": 10})"));
}

TEST(Statistics, OfTheTiles) {
  RunResult result = HandMadeRun{}.result;
  result.tiles = {262144, {4096, {2, 1, 0, 0}}, {512, {0, 1, 0, 0}}, 512 * 2100, 0b10001};
  // 512 bytes for 2100 of 2800 ticks are 384 in the mean.
  EXPECT_EQ(stats_of(result)["memory"]["tiles"],
            Json::parse(R"({"capacity_bytes": 262144, "peak_bytes": 4096, "mean_bytes": 384.0, "left_bytes": 512,
      "peak_registers": {"T": 2, "U": 1, "M": 0, "N": 0}, "left_registers": {"T": 0, "U": 1, "M": 0, "N": 0},
      "status": ["NV", "NX"]})"));
}

TEST(Statistics, NameWhatTheyBelongTo) {
  const Json stats = stats_of(HandMadeRun{}.result);
  EXPECT_EQ(stats["version"], "0.1.0");
  EXPECT_EQ(stats["program_digest"], "feed");
  EXPECT_EQ(stats["config_digest"], "c0ffee");
  EXPECT_EQ(stats["end"], "done");
  EXPECT_EQ(stats["total_time_ns"], 500.0);  // 2800 / 5.6
  EXPECT_EQ(stats["config"], Json::parse(R"({"generation": "sunda", "engines": {"dve": {"clock_ghz": 1.12,
      "min_ii": 64}}, "share": {"sbuf": {"groups": [["dve", "pool"]]}}})"));
  EXPECT_FALSE(stats.contains("fault"));
}

TEST(Statistics, ShowTheFirstFault) {
  RunResult result = HandMadeRun{}.result;
  result.end = RunEnd::fault;
  result.faults = {{Engine::pool, 0x40, 4, {"valid_subdim", "pool_dim", "2", "3"}, 56},
                   {Engine::dve, 0, 6, {"other", "", "", ""}, 60}};
  const Json stats = stats_of(result);
  EXPECT_EQ(stats["end"], "fault");
  EXPECT_EQ(stats["fault"], Json::parse(R"({"engine": "pool", "pc": 64, "line": 4, "rule": "valid_subdim",
      "field": "pool_dim", "value": "2", "allowed": "3", "time_ns": 10.0})"));
}

TEST(Statistics, OfARunWithoutTimeDivideByNothing) {
  RunResult result;
  result.clock_mhz = HandMadeRun{}.result.clock_mhz;
  result.tick_mhz = 5600;
  const Json stats = stats_of(result);
  EXPECT_EQ(stats["engines"]["pe"]["active_time_percent"], 0.0);
  EXPECT_EQ(stats["engines"]["pe"]["elements_per_cycle"], 0.0);
  EXPECT_EQ(stats["simulator"]["instructions_per_second"], 0.0);
  EXPECT_EQ(stats.dump().find("null"), std::string::npos);
}

}  // namespace
}  // namespace tpb
