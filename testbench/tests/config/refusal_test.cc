#include <gmock/gmock.h>

#include "testbench/tests/config/scratch.h"

namespace tpb {
namespace {

using testing::HasSubstr;

TEST(Refusal, OfUnknownKeysNamesTheNearest) {
  const Scratch scratch;
  EXPECT_EQ(problems_of_file(scratch, "generation = \"cayman\"\n\n[engines.dve]\n  min_iii = 3\n"),
            "c.toml:4:3: error: unknown key 'engines.dve.min_iii', expected one of clock_ghz, min_ii, start, overhead, "
            "queue_depth in engines.dve (did you mean 'engines.dve.min_ii'?)");
  // A table that does not exist is one error where it is named, not one for each of its keys.
  EXPECT_EQ(problems_of_file(scratch, "[engine.dve]\nmin_ii = 3\nstart = 2\n"),
            "c.toml:1:2: error: unknown table 'engine', expected one of base, generation, engines, sequencer, memory, "
            "share, sfu, semantics, debug, limits (did you mean 'engines'?)");
  EXPECT_THAT(problems_of_file(scratch, "engines.vde.start = 1\n"),
              HasSubstr("c.toml:1:9: error: unknown table 'engines.vde', expected one of pe, act, dve, pool, sfu in "
                        "engines (did you mean 'engines.dve'?)"));
  // A dot within quotes is part of a name, not a path.
  EXPECT_THAT(problems_of_file(scratch, "\"sfu.capacity_bytes\" = 1\n"), HasSubstr("c.toml:1:1: error: unknown key"));
  // Keys of instructions that are not modelled do not exist.
  EXPECT_THAT(problems_of_file(scratch, "engines.pe.columns = 128\n"),
              HasSubstr("c.toml:1:12: error: unknown key 'engines.pe.columns'"));
}

TEST(Refusal, ReportsEveryProblemInTheOrderOfTheFile) {
  const Scratch scratch;
  EXPECT_EQ(
      problems_of_file(scratch, "sfu.capacity_bytes = true\nfoo = 1\n[memory.psum]\nbanks = 0\nbank = 1\n"),
      "c.toml:1:22: error: sfu.capacity_bytes = true, expected an integer 0..1073741824\n"
      "c.toml:2:1: error: unknown key 'foo', expected one of base, generation, engines, sequencer, memory, share, "
      "sfu, semantics, debug, limits\n"
      "c.toml:4:9: error: memory.psum.banks = 0, expected an integer 1..32\n"
      "c.toml:5:1: error: unknown key 'memory.psum.bank', expected one of banks, bytes_per_bank in memory.psum "
      "(did you mean 'memory.psum.banks'?)");
}

struct Wrong {
  std::string line;     // one line of a file
  std::string message;  // what follows "c.toml:1:"
};
void PrintTo(const Wrong& wrong, std::ostream* stream) { *stream << wrong.line; }

class WrongValue : public testing::TestWithParam<Wrong> {};

TEST_P(WrongValue, IsRefusedWhereItStands) {
  const Scratch scratch;
  EXPECT_EQ(problems_of_file(scratch, GetParam().line + "\n"), "c.toml:1:" + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Integers, WrongValue,
    testing::Values(
        Wrong{"engines.pe.min_ii = -1", "21: error: engines.pe.min_ii = -1, expected an integer 0..1000000"},
        Wrong{"engines.pe.min_ii = 1000001", "21: error: engines.pe.min_ii = 1000001, expected an integer 0..1000000"},
        Wrong{"engines.pe.min_ii = 64.0", "21: error: engines.pe.min_ii = 64.0, expected an integer 0..1000000"},
        Wrong{"engines.pe.min_ii = \"64\"", "21: error: engines.pe.min_ii = '64', expected an integer 0..1000000"},
        Wrong{"engines.pe.min_ii = [64]", "21: error: engines.pe.min_ii = [ 64 ], expected an integer 0..1000000"},
        Wrong{"engines.pe.min_ii = {a = 1}", "21: error: engines.pe.min_ii = a table, expected an integer 0..1000000"},
        Wrong{"engines.pe.queue_depth = 0", "26: error: engines.pe.queue_depth = 0, expected an integer 1..1024"},
        Wrong{"memory.psum.bytes_per_bank = 2046",
              "30: error: memory.psum.bytes_per_bank = 2046, expected an integer 4..32768, a multiple of 4"},
        Wrong{"debug.random_stall_seed = -1",
              "27: error: debug.random_stall_seed = -1, expected an integer 0..9223372036854775807"},
        Wrong{"limits.tensors = 4294967296",
              "18: error: limits.tensors = 4294967296, expected an integer 1..4294967295"}));

const std::string kClock = ", expected a number 0.001..100, a whole number of MHz";
INSTANTIATE_TEST_SUITE_P(
    Clocks, WrongValue,
    testing::Values(Wrong{"engines.pe.clock_ghz = 0", "24: error: engines.pe.clock_ghz = 0" + kClock},
                    Wrong{"engines.pe.clock_ghz = -2.4", "24: error: engines.pe.clock_ghz = -2.4" + kClock},
                    Wrong{"engines.pe.clock_ghz = 100.001", "24: error: engines.pe.clock_ghz = 100.001" + kClock},
                    Wrong{"engines.pe.clock_ghz = 0.0004", "24: error: engines.pe.clock_ghz = 0.0004" + kClock},
                    Wrong{"engines.pe.clock_ghz = 1.1205", "24: error: engines.pe.clock_ghz = 1.1205" + kClock},
                    Wrong{"engines.pe.clock_ghz = nan", "24: error: engines.pe.clock_ghz = nan" + kClock},
                    Wrong{"engines.pe.clock_ghz = inf", "24: error: engines.pe.clock_ghz = inf" + kClock},
                    Wrong{"engines.pe.clock_ghz = true", "24: error: engines.pe.clock_ghz = true" + kClock}));

const std::string kGroups = ", expected an array of arrays of engine names (pe, act, dve, pool, sfu), no engine twice";
const std::string kWindow = ", expected [lo, hi] with 0 <= lo < hi below 2^32, or [] for the whole section";
INSTANTIATE_TEST_SUITE_P(
    Others, WrongValue,
    testing::Values(
        Wrong{"generation = \"caymen\"",
              "14: error: generation = 'caymen', expected \"sunda\", \"cayman\", \"mariana\", \"mariana_plus\" or "
              "\"maverick\" (did you mean 'cayman'?)"},
        Wrong{"share.bus.policy = \"unfair\"",
              "20: error: share.bus.policy = 'unfair', expected \"exclusive\", \"fair\" or \"priority\" (did you mean "
              "'fair'?)"},
        Wrong{"semantics.profile = 1", "21: error: semantics.profile = 1, expected \"seed\" or \"public\""},
        Wrong{"share.psum.banks = 1", "20: error: share.psum.banks = 1, expected true or false"},
        Wrong{"share.sbuf.groups = [\"dve\"]", "21: error: share.sbuf.groups = [ 'dve' ]" + kGroups},
        Wrong{"share.sbuf.groups = [[]]", "21: error: share.sbuf.groups = [ [] ]" + kGroups},
        Wrong{"share.sbuf.groups = [[\"vector\"]]", "21: error: share.sbuf.groups = [ [ 'vector' ] ]" + kGroups},
        Wrong{"share.sbuf.groups = [[\"dve\", \"dve\"]]",
              "21: error: share.sbuf.groups = [ [ 'dve', 'dve' ] ]" + kGroups},
        Wrong{"share.psum.groups = [[\"dve\", \"pe\"], [\"pe\", \"act\"]]",
              "21: error: share.psum.groups = [ [ 'dve', 'pe' ], [ 'pe', 'act' ] ]" + kGroups},
        Wrong{"sequencer.pe.pc_window = [64]", "26: error: sequencer.pe.pc_window = [ 64 ]" + kWindow},
        Wrong{"sequencer.pe.pc_window = [64, 64]", "26: error: sequencer.pe.pc_window = [ 64, 64 ]" + kWindow},
        Wrong{"sequencer.pe.pc_window = [0, 4294967296]",
              "26: error: sequencer.pe.pc_window = [ 0, 4294967296 ]" + kWindow},
        Wrong{"sequencer.pe.pc_window = [0, 1.5]", "26: error: sequencer.pe.pc_window = [ 0, 1.5 ]" + kWindow},
        Wrong{"memory = 3", "10: error: memory = 3, expected a table of sbuf, psum"},
        Wrong{"[[engines]]", "1: error: engines = [ {} ], expected a table of pe, act, dve, pool, sfu"}));

TEST(Refusal, OfWhatIsNoToml) {
  const Scratch scratch;
  EXPECT_THAT(problems_of_file(scratch, "generation = \"cayman\"\nengines.pe.min_ii = 1\nengines.pe.min_ii = 2\n"),
              HasSubstr("c.toml:3:21: error: not TOML: "));
  EXPECT_THAT(problems_of_file(scratch, "[engines.pe\n"), HasSubstr("c.toml:1:12: error: not TOML: "));
  EXPECT_THAT(problems_of_file(scratch, "\xFF = 1\n"), HasSubstr("c.toml:1:1: error: not TOML: "));
  using namespace std::string_view_literals;
  EXPECT_EQ(problems_of_file(scratch, "generation = \"cayman\"\n# \xC3\xA9\0\n"sv),
            "c.toml:2:4: error: a zero byte, expected text");
  EXPECT_EQ(problems_of_file(scratch, ""), "");
}

// A dotted key is a level of recursion for each dot, in the parser and in what it returns.
TEST(Refusal, OfKeysDeepEnoughToExhaustTheStack) {
  const Scratch scratch;
  std::string deep;
  for (int i = 0; i < 200000; ++i) deep += "a.";
  const std::string expected = "c.toml:1:514: error: more than 256 dots, expected a line of TOML";
  EXPECT_EQ(problems_of_file(scratch, deep + "a = 1\n"), expected);
  EXPECT_THAT(problems_of_file(scratch, "a = " + std::string(300, '[')), HasSubstr("error: not TOML: "));
}

TEST(Refusal, OfFilesThatCannotBeRead) {
  const Scratch scratch;
  EXPECT_EQ(problems({scratch.folder() / "none.toml", std::nullopt, {}}, scratch.folder()),
            "none.toml:1:1: error: cannot read 'none.toml': No such file or directory, expected a configuration file");
  EXPECT_THAT(problems({scratch.folder(), std::nullopt, {}}), HasSubstr("it is a directory"));
  EXPECT_EQ(problems_of_file(scratch, std::string((1U << 20) + 1, '#')),
            "c.toml:1:1: error: cannot read 'c.toml': it has more than 1048576 bytes, expected a configuration file");
}

TEST(Refusal, OfOverrides) {
  const auto refused = [](const std::string& text) { return problems({std::nullopt, std::nullopt, {text}}); };
  EXPECT_EQ(refused("engines.pe.min_ii"), "--set:1:1: error: 'engines.pe.min_ii', expected key=value");
  EXPECT_EQ(refused("=3"), "--set:1:1: error: '=3', expected key=value");
  EXPECT_EQ(refused(""), "--set:1:1: error: '', expected key=value");
  EXPECT_THAT(refused("engines.pe.min_ii=\n"), HasSubstr("--set:1:1: error: "));
  EXPECT_THAT(refused("engines.pe.min_ii="), HasSubstr("--set:1:19: error: not TOML: "));
  EXPECT_THAT(refused("base=x.toml"), HasSubstr("error: "));
  EXPECT_EQ(refused("base='x.toml'"), "--set:1:1: error: base inherits files, expected it in a configuration file");
  EXPECT_THAT(refused("engines.pe.mini=3"), HasSubstr("--set:1:12: error: unknown key 'engines.pe.mini'"));
}

TEST(CrossCheck, PartitionsMustNotOverlap) {
  const Scratch scratch;
  // The error stands at the later of the two keys.
  EXPECT_EQ(
      problems_of_file(scratch, "[memory.sbuf]\npartition_stride = 0x10000\nbytes_per_partition = 0x10004\n"),
      "c.toml:3:23: error: memory.sbuf.bytes_per_partition = 65540, expected at most memory.sbuf.partition_stride "
      "= 65536");
  EXPECT_EQ(problems_of_file(scratch, "[memory.sbuf]\npartition_stride = 0x10000\nbytes_per_partition = 0x10000\n"),
            "");
  // 17 banks of 2 KiB are 34 KiB, partitions of PSUM are 32 KiB apart.
  EXPECT_EQ(problems_of_file(scratch, "memory.psum.banks = 17\n"),
            "c.toml:1:21: error: memory.psum.banks = 17 of memory.psum.bytes_per_bank = 2048, expected at most 32768 "
            "bytes in all, the distance of two partitions");
  EXPECT_EQ(problems_of_file(scratch, "memory.psum.banks = 16\n"), "");
}

TEST(CrossCheck, ClocksMustHaveACommonTick) {
  const Scratch scratch;
  // 2399 and 1201 are primes, 1213 too: times 1200 their product is 4.2e12 MHz.
  EXPECT_EQ(
      problems_of_file(scratch, "[engines]\npe.clock_ghz = 2.399\ndve.clock_ghz = 1.201\nact.clock_ghz = 1.213\n"),
      "c.toml:4:17: error: clocks of 2399, 1213, 1201, 1200, 1200 MHz, expected a least common multiple of at "
      "most 10^9 MHz");
  // 1000 MHz for all but PE: 999 x 1000 is far below.
  EXPECT_EQ(problems_of_file(scratch,
                             "[engines]\npe.clock_ghz = 0.999\nact.clock_ghz = 1\ndve.clock_ghz = 1\n"
                             "pool.clock_ghz = 1\nsfu.clock_ghz = 1\n"),
            "");
}

}  // namespace
}  // namespace tpb
