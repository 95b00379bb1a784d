// Where documents disagree: every key of semantics.* has a program whose result depends on it, in both profiles.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "testbench/tests/support/run_program.h"

namespace tpb::test {
namespace {

struct Disagreement {
  std::string key, seed, other;         // the value of each profile
  std::string text;                     // assembled under the default profile: the same bundles run under both
  std::string seed_gives, other_gives;  // words of y, or the rule of the fault
};

void PrintTo(const Disagreement& disagreement, std::ostream* out) { *out << disagreement.key; }

const std::vector<Disagreement>& disagreements() {
  static const std::vector<Disagreement> kAll{
      // 7C reduces the free axis: 1 + 2 + 3 + 4 = 10. Across lanes its bytes mean another struct, where op_dim is
      // reserved.
      {"semantics.reduce_opcodes", "seed003", "arch",
       R"(
    .tensor x fp32 [1, 4] sbuf+0x0 = [1, 2, 3, 4]
    .tensor y fp32 [1, 1] sbuf+0x100
    .engine pool
      tensor_reduce op=add axis=X src=x dst=y
)",
       "41200000", "s4d4_cr_reserved_zero"},
      // The largest magnitude of -4 and 3 is 4. The public list has no abs_max.
      {"semantics.reduce_operators", "all", "listed",
       R"(
    .tensor x fp32 [1, 2] sbuf+0x0 = [-4, 3]
    .tensor y fp32 [1, 1] sbuf+0x100
    .engine pool
      tensor_reduce op=abs_max axis=X src=x dst=y
)",
       "40800000", "has_valid_tensor_reduce_op"},
      // Ids 1 1 2: minimum 1 and maximum 2 everywhere; or starts 0 0 2 and ends 2 2 3.
      {"semantics.sequence_bounds", "envelope", "segments",
       R"(
    .tensor x int32 [1, 3] sbuf+0x0 = [1, 1, 2]
    .tensor y int32 [1, 2, 1, 3] sbuf+0x100
    .engine pool
      get_sequence_bounds src=x dst=y
)",
       "00000001 00000001 00000001 00000002 00000002 00000002",
       "00000000 00000000 00000002 00000002 00000002 00000003"},
      // 7 stands at 1 and at 3, and is looked for twice; 9 is not there.
      {"semantics.find_index8", "first", "successive",
       R"(
    .tensor x fp32 [1, 8] sbuf+0x0 = [1, 7, 2, 7, 3, 4, 5, 6]
    .tensor v fp32 [1, 8] sbuf+0x100 = [7, 7, 6, 5, 4, 3, 2, 9]
    .tensor y uint32 [1, 8] sbuf+0x200
    .engine dve
      max_index data=x vals=v dst=y
)",
       "00000001 00000001 00000007 00000006 00000005 00000004 00000002 FFFFFFFF",
       "00000001 00000003 00000007 00000006 00000005 00000004 00000002 FFFFFFFF"},
      // The descriptor of the data lies where S2_BN has reserved bytes.
      {"semantics.match_value_load", "data_and_values", "s2_bn",
       R"(
    .tensor x fp32 [1, 8] sbuf+0x0 = [1, 2, 3, 4, 5, 6, 7, 8]
    .tensor y uint32 [1, 8] sbuf+0x200
    .engine dve
      match_value_load data=x vals=x
      find_index8 data=x dst=y
)",
       "00000000 00000001 00000002 00000003 00000004 00000005 00000006 00000007", "s2_bn_reserved_zero"},
      // A row of three dimensions: 8 elements of 2 x 2 x 2.
      {"semantics.max8_dims", "2", "4",
       R"(
    .tensor x fp32 [1, 2, 2, 2] sbuf+0x0 = [1, 2, 3, 4, 5, 6, 7, 8]
    .tensor y fp32 [1, 8] sbuf+0x100
    .engine dve
      max8 src=x dst=y
)",
       "max8_dims_check", "41000000 40E00000 40C00000 40A00000 40800000 40400000 40000000 3F800000"},
      // A window of -infinity only: -FLT_MAX, or what it holds.
      {"semantics.pool_max", "flt_max", "first",
       R"(
    .tensor x fp32 [1, 4] sbuf+0x0 = [-inf]
    .tensor y fp32 [1, 1] sbuf+0x100
    .engine pool
      pool func=max src=x+0[1,2,1,1][2,2,1,1] dst=y
)",
       "FF7FFFFF", "FF800000"},
      // 6 / 4 = 1.5.
      {"semantics.divide", "legal", "refused",
       R"(
    .tensor x fp32 [1, 1] sbuf+0x0 = [6]
    .tensor d fp32 [1, 1] sbuf+0x40 = [4]
    .tensor y fp32 [1, 1] sbuf+0x100
    .engine dve
      tensor_tensor op=divide src0=x src1=d dst=y
)",
       "3FC00000", "has_valid_tensor_tensor_op"},
      // Minima of 1 2, 3 4, -1 1 and 0 5 in a type that is not among the nine: 3C 42 BC 00.
      {"semantics.tile_dtypes", "nine", "sixteen",
       R"(
    .tensor x fp8_e5m2 [4, 2] sbuf+0x0 = [1, 2, 3, 4, -1, 1, 0, 5]
    .tensor y fp8_e5m2 [4, 1] sbuf+0x100
    .engine sfu
      TLOAD x -> T<128B>
      BSTART.SFU TROWMIN, E5M2
      B.DIM LB0=2
      B.DIM LB1=4
      B.IOT T0, mask=1111, last, ->U<128B>
      BSTOP
      TSTORE U0 -> y
)",
       "Fault_TileLegality", "00BC423C"},
      // No binding is the last one.
      {"semantics.tile_stream_fault", "legality", "bundle_control",
       R"(
    .tensor x fp32 [1, 1] sbuf+0x0 = [1]
    .tensor y fp32 [1, 1] sbuf+0x100
    .engine sfu
      TLOAD x -> T<128B>
      BSTART.SFU TROWMIN, FP32
      B.DIM LB0=1
      B.IOT T0, mask=1111, ->U<128B>
      BSTOP
)",
       "Fault_TileLegality", "BundleControl"},
  };
  return kAll;
}

// The rule of the fault, or the words of y.
std::string outcome(const Program& program, const std::vector<std::string>& overrides) {
  const Ran ran = run_program(program, config_for(Generation::cayman, overrides));
  if (!ran.result.faults.empty()) return std::string(ran.result.faults.front().violation.rule);
  std::vector<std::string> words;
  for (std::uint32_t word : ran.values<std::uint32_t>("y")) words.push_back(fmt::format("{:08X}", word));
  return fmt::format("{}", fmt::join(words, " "));
}

std::string quoted(const std::string& key, const std::string& value) {
  return value.find_first_not_of("0123456789") == std::string::npos ? key + "=" + value : key + "=\"" + value + "\"";
}

class Profiles : public testing::TestWithParam<Disagreement> {};

TEST_P(Profiles, TheResultOfTheProgramDependsOnTheKey) {
  const Disagreement& disagreement = GetParam();
  const Program program = run_text(disagreement.text).program;
  EXPECT_EQ(outcome(program, {quoted(disagreement.key, disagreement.seed)}), disagreement.seed_gives);
  EXPECT_EQ(outcome(program, {quoted(disagreement.key, disagreement.other)}), disagreement.other_gives);
}

// A profile sets the key, and the key alone wins over it.
TEST_P(Profiles, TheKeyMattersInBothProfiles) {
  const Disagreement& disagreement = GetParam();
  const auto results = [&](const std::string& profile, const std::string& turned) {
    const std::string set = quoted("semantics.profile", profile);
    const Program program = run_text(disagreement.text, {}, {set}).program;
    return std::pair(outcome(program, {set}), outcome(program, {set, quoted(disagreement.key, turned)}));
  };
  EXPECT_EQ(results("seed", disagreement.other), std::pair(disagreement.seed_gives, disagreement.other_gives));
  const auto [in_public, turned_back] = results("public", disagreement.seed);
  EXPECT_NE(in_public, turned_back);
}

INSTANTIATE_TEST_SUITE_P(EveryKey, Profiles, testing::ValuesIn(disagreements()),
                         [](const auto& test) { return test.param.key.substr(test.param.key.find('.') + 1); });

TEST(ProfileKeys, EveryOneIsAmongThem) {
  std::vector<std::string> keys, covered;
  for (const KeyInfo& info : config_keys()) {
    if (info.key.starts_with("semantics.") && info.key != "semantics.profile") keys.push_back(info.key);
  }
  for (const Disagreement& disagreement : disagreements()) covered.push_back(disagreement.key);
  EXPECT_THAT(covered, testing::UnorderedElementsAreArray(keys));
}

}  // namespace
}  // namespace tpb::test
