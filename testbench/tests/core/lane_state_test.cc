// What an instruction finds in its engine: registers with addresses, loaded values, an accumulator. And what it does
// not.
#include <gmock/gmock.h>

#include "testbench/tests/support/run_program.h"

namespace tpb::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

std::string rule_of(const Ran& ran) {
  return ran.result.faults.empty() ? "none" : std::string(ran.result.faults.front().violation.rule);
}

// x times the scalar of each partition, whose address is in R3.
std::string scaled_by_register(const std::string& address) {
  return R"(
    .tensor x fp32 [2, 2] sbuf+0x0 = [1, 2, 3, 4]
    .tensor s fp32 [2, 1] sbuf+0x40 = [10, 100]
    .tensor y fp32 [2, 2] sbuf+0x80
    .register dve R3 = )" +
         address + R"(
    .engine dve
      tensor_scalar op0=mult imm0=reg(R3) src=x dst=y
)";
}

TEST(RegisterPointer, IsFollowedWhenTheInstructionIsDecoded) {
  // Partition 0 by 10, partition 1 by 100.
  EXPECT_THAT(run_text(scaled_by_register("0x40")).values<float>("y"), ElementsAre(10, 20, 300, 400));
}

TEST(RegisterPointer, IsJudgedAsTheAddressThatItIs) {
  // Not aligned to fp32, past the partition, PSUM's first hole.
  for (const char* address : {"0x41", "0x3FFFE", "0x02004000"}) {
    const Ran ran = run_text(scaled_by_register(address));
    EXPECT_EQ(rule_of(ran), "is_valid_tensor_scalar_immediate") << address;
    EXPECT_THAT(ran.values<float>("y"), Each(0.0F));
  }
}

TEST(RegisterPointer, IsReadAgainEveryTime) {
  Ran first = run_text(scaled_by_register("0x40"));
  first.program.registers.at(0).value = 0;  // x itself: 1 x 1, 2 x 1, 3 x 3, 4 x 3
  const Ran second = run_program(first.program, config_for(Generation::cayman));
  EXPECT_THAT(second.values<float>("y"), ElementsAre(1, 2, 9, 12));
}

constexpr const char* kFind = R"(
    .tensor x fp32 [1, 8] sbuf+0x0 = [8, 7, 6, 5, 4, 3, 2, 1]
    .tensor v fp32 [1, 8] sbuf+0x40 = [1, 2, 3, 4, 5, 6, 7, 8]
    .tensor y uint32 [1, 8] sbuf+0x80
    .engine dve
)";

TEST(MatchValues, StayLoadedForLaterInstructions) {
  const Ran ran = run_text(std::string(kFind) + R"(
      match_value_load data=x vals=v
      nop
      find_index8 data=x dst=y
      find_index8 data=x dst=y
)");
  EXPECT_THAT(ran.values<std::uint32_t>("y"), ElementsAre(7, 6, 5, 4, 3, 2, 1, 0));
}

TEST(MatchValues, ThatWereNeverLoadedAreAFault) {
  run_text(std::string(kFind) + "      max_index data=x vals=v dst=y\n");  // an earlier run's values are gone
  const Ran ran = run_text(std::string(kFind) + "      find_index8 data=x dst=y\n");
  ASSERT_EQ(rule_of(ran), "match_value_load_missing");
  EXPECT_THAT(ran.result.faults[0].violation.allowed, HasSubstr("match_value_load missing"));
  EXPECT_THAT(ran.values<std::uint32_t>("y"), Each(0U));
}

TEST(MatchValues, OfFewerPartitionsThanAreSearchedAreAFault) {
  const Ran ran = run_text(R"(
    .tensor x fp32 [128, 8] sbuf+0x0 = iota
    .tensor y uint32 [128, 8] sbuf+0x80
    .engine dve
      match_value_load data=x[0:32] vals=x[0:32]
      find_index8 data=x[0:32] dst=y[0:32]
      find_index8 data=x dst=y
)");
  ASSERT_EQ(rule_of(ran), "match_value_load_missing");
  EXPECT_EQ(ran.result.faults[0].violation.value, "of 32 partitions");
  EXPECT_THAT(ran.result.faults[0].violation.allowed, HasSubstr("of 128 partitions"));
  EXPECT_EQ(ran.values<std::uint32_t>("y").at(32 * 8 - 1), 7U);  // the second instruction has run
  EXPECT_EQ(ran.values<std::uint32_t>("y").at(32 * 8 + 1), 0U);  // the third has not
}

TEST(Accumulator, IsZeroAtTheStartOfARunAndReadAfterAReduction) {
  const std::string read = R"(
    .tensor x fp32 [2, 3] sbuf+0x0 = [1, 2, 3, 4, 5, 6]
    .tensor y fp32 [2, 1] sbuf+0x80
    .tensor z fp32 [2, 1] sbuf+0xC0
    .tensor t fp32 [2, 3] sbuf+0x100
    .engine dve
      dve_read_accumulator dst=z
)";
  // 2 x 1 + 2 x 2 + 2 x 3 = 12; 2 x 4 + 2 x 5 + 2 x 6 = 30.
  const Ran ran =
      run_text(read + "      tensor_scalar_reduce op0=mult imm0=2 reduce_op=add src=x dst=t reduce_dst=y\n");
  EXPECT_THAT(ran.values<float>("y"), ElementsAre(12, 30));
  EXPECT_THAT(ran.values<float>("z"), ElementsAre(0, 0));
  EXPECT_THAT(run_text(read).values<float>("z"), ElementsAre(0, 0));  // and at the start of the next run
}

// The two share a word and nothing else: the bounds of data are an instruction of the Pool engine, the bounds of the
// program counter are the sequencer's, of any engine and whatever the instruction.
TEST(SequenceBounds, AreNotTheBoundsOfTheProgramCounter) {
  const std::string text = R"(
    .tensor x int32 [1, 3] sbuf+0x0 = [5, -2, 9]
    .tensor y int32 [1, 2, 1, 3] sbuf+0x100
    .engine pool
      get_sequence_bounds src=x dst=y
      nop
)";
  const Ran whole = run_text(text);
  EXPECT_EQ(rule_of(whole), "none");
  EXPECT_THAT(whole.values<std::int32_t>("y"), ElementsAre(-2, -2, -2, 9, 9, 9));
  // A window of one bundle: the instruction runs as before, and the second bundle is outside.
  const Ran narrow = run_text(text, {}, {"sequencer.pool.pc_window=[0, 64]"});
  EXPECT_EQ(rule_of(narrow), "pc_bounds");
  EXPECT_EQ(narrow.result.faults[0].pc, 64U);
  EXPECT_THAT(narrow.values<std::int32_t>("y"), ElementsAre(-2, -2, -2, 9, 9, 9));
}

}  // namespace
}  // namespace tpb::test
