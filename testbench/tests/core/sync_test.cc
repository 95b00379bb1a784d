// Semaphores: every wait and update, their times, their order, and what happens when nothing can satisfy one.
#include <gtest/gtest.h>

#include "testbench/tests/support/run_program.h"

namespace tpb::test {
namespace {

constexpr const char* kPoolThenDve = R"(
    .generation sunda
    .tensor x fp32 [128, 16] sbuf+0x0 = iota
    .tensor y fp32 [128, 4] sbuf+0x100
    .tensor z fp32 [128, 4] sbuf+0x200
    .semaphore done 3 = 0
    .engine pool
      pool func=max src=x+0[1,2,4,0][2,2,4,1] dst=y  S[done]++@complete
    .engine dve
      copy src=y dst=z  S[done]>=1
)";

TEST(Semaphores, AWaiterStartsAfterTheUpdateAndSaysHowLongItWaited) {
  const Ran ran = run_text(kPoolThenDve);
  const auto pool = ran.of(Engine::pool).at(0);
  const auto dve = ran.of(Engine::dve).at(0);
  // 150 start + 16 stream + 100 overhead = 266 Pool cycles of 4 ticks = 1064 ticks; DVE's next edge is 1065.
  EXPECT_EQ(pool.end, 1064U);
  EXPECT_EQ(dve.start, 1065U);
  EXPECT_EQ(dve.wait_semaphore, 1064U);
  EXPECT_EQ(dve.stall, 1U);
  ASSERT_EQ(ran.updates.size(), 1U);
  EXPECT_EQ(ran.updates[0].at, 1064U);
  EXPECT_EQ(ran.updates[0].before, 0U);
  EXPECT_EQ(ran.updates[0].after, 1U);
  // Lane p of x holds 16p .. 16p + 15; the window of two steps and two strides ends at its last element.
  const auto z = ran.values<float>("z");
  // src walks [1,2,4][2,2,4]: window k covers elements 4k .. 4k+3, so its maximum is 4k + 3.
  EXPECT_EQ(z[0], 3.0F);
  EXPECT_EQ(z[3], 15.0F);
  EXPECT_EQ(z[4 * 127], 16.0F * 127 + 3.0F);
}

TEST(Semaphores, ReadUpdatesFireWhenTheOperandsHaveBeenRead) {
  const Ran ran = run_text(R"(
    .generation sunda
    .tensor x fp32 [128, 16] sbuf+0x0 = ones
    .tensor y fp32 [128, 16] sbuf+0x100
    .engine dve
      copy src=x dst=y  S[7]++@read
      event_semaphore S[8]++@read
      event_semaphore S[9]++@complete
  )");
  ASSERT_EQ(ran.updates.size(), 3U);
  // The copy streams 16 cycles of 5 ticks: read at 80; its results are visible 144 cycles later, at 800.
  EXPECT_EQ(ran.updates[0].semaphore, 7);
  EXPECT_EQ(ran.updates[0].at, 80U);
  EXPECT_EQ(ran.updates[1].semaphore, 8);
  EXPECT_EQ(ran.updates[1].at, 80U);
  EXPECT_EQ(ran.updates[2].semaphore, 9);
  EXPECT_EQ(ran.updates[2].at, 800U);
}

TEST(Semaphores, EveryUpdateOperation) {
  const Ran ran = run_text(R"(
    .semaphore a 0 = 10
    .engine dve
      event_semaphore S[a]++
      event_semaphore S[a]+=5
      event_semaphore S[a]--
      event_semaphore S[a]-=20
      event_semaphore S[a]=77
  )");
  // 10, +1 = 11, +5 = 16, -1 = 15, -20 wraps to 2^32 - 5, then 77.
  ASSERT_EQ(ran.updates.size(), 5U);
  const std::vector<std::uint32_t> expected{11, 16, 15, 0xFFFFFFFB, 77};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(ran.updates[i].after, expected[i]) << i;
}

struct WaitCase {
  const char* condition;
  std::uint32_t initial;
  bool holds;
};
class EveryWait : public testing::TestWithParam<WaitCase> {};
TEST_P(EveryWait, HoldsExactlyWhenItsComparisonDoes) {
  const WaitCase& c = GetParam();
  const Ran ran =
      run_text(".semaphore s 5 = " + std::to_string(c.initial) + "\n.engine act\n  nop S[s]" + c.condition + "\n");
  EXPECT_EQ(ran.result.end, c.holds ? RunEnd::done : RunEnd::deadlock);
}
INSTANTIATE_TEST_SUITE_P(Conditions, EveryWait,
                         testing::Values(WaitCase{"==5", 5, true}, WaitCase{"==5", 4, false}, WaitCase{"<5", 4, true},
                                         WaitCase{"<5", 5, false}, WaitCase{"<=5", 5, true}, WaitCase{"<=5", 6, false},
                                         WaitCase{">5", 6, true}, WaitCase{">5", 5, false}, WaitCase{">=5", 5, true},
                                         WaitCase{">=5", 4, false},
                                         // Unsigned: 2^32 - 1 is not less than 5.
                                         WaitCase{"<5", 0xFFFFFFFF, false}, WaitCase{">5", 0xFFFFFFFF, true}));

TEST(Semaphores, RegistersCanBeComparedWithAndWritten) {
  const Ran ran = run_text(R"(
    .register dve R3 = 9
    .register act R4 = 9
    .engine act
      event_semaphore S[1]=reg(R4)
    .engine dve
      event_semaphore S[1]==reg(R3) S[2]++
  )");
  EXPECT_EQ(ran.result.end, RunEnd::done);
  ASSERT_EQ(ran.updates.size(), 2U);
  EXPECT_EQ(ran.updates[0].after, 9U);
}

TEST(Semaphores, UpdatesOfOneInstantTakeEffectBeforeWaitsAreEvaluated) {
  // Two engines without cost increment at time 0; the equality wait of the third sees 2, never 1.
  const Ran ran = run_text(R"(
    .engine pe
      event_semaphore S[0]++
    .engine act
      event_semaphore S[0]++
    .engine dve
      nop S[0]==2
  )");
  EXPECT_EQ(ran.result.end, RunEnd::done);
}

TEST(Deadlock, NamesWaiterSemaphoreValueAndWhoCouldUpdate) {
  const Ran ran = run_text(R"(
    .engine pool
      nop S[1]>=1
      event_semaphore S[2]++
    .engine dve
      nop S[2]>=1
      event_semaphore S[1]++
  )");
  ASSERT_EQ(ran.result.end, RunEnd::deadlock);
  ASSERT_EQ(ran.result.blocked.size(), 2U);
  EXPECT_EQ(ran.result.blocked[0].engine, Engine::dve);
  EXPECT_EQ(ran.result.blocked[0].semaphore, 2);
  EXPECT_EQ(ran.result.blocked[0].condition, ">=1");
  EXPECT_EQ(ran.result.blocked[0].present_value, 0U);
  ASSERT_EQ(ran.result.blocked[0].could_update.size(), 1U);
  EXPECT_EQ(ran.result.blocked[0].could_update[0], "pool pc=0x40 line=4 (behind its wait for S[1])");
}

TEST(Fault, StopsItsEngineAndChangesNothingWhileOthersGoOn) {
  const Ran ran = run_text(R"(
    .generation cayman
    .tensor x bf16 [128, 16] sbuf+0x0 = ones
    .tensor y bf16 [128, 16] sbuf+0x100 = iota
    .tensor z bf16 [128, 16] sbuf+0x200
    .engine dve
      copy src=x dst=z
      tensor_tensor_add_bf16 src0=x src1=x dst=y  S[1]++
      copy src=x dst=y
    .engine act
      nop
    .engine pool
      nop S[1]>=1
  )");
  ASSERT_EQ(ran.result.end, RunEnd::fault);
  ASSERT_EQ(ran.result.faults.size(), 1U);
  const Fault& fault = ran.result.faults[0];
  EXPECT_EQ(fault.engine, Engine::dve);
  EXPECT_EQ(fault.pc, 0x40U);
  EXPECT_EQ(fault.line, 8U);
  EXPECT_EQ(fault.violation.rule, "has_valid_nc_tensor_tensor_add_bf16");
  // The rule says since when it is gone and what replaces it.
  EXPECT_NE((fault.violation.value + fault.violation.allowed).find("cayman"), std::string::npos);
  EXPECT_NE((fault.violation.value + fault.violation.allowed).find("tensor_tensor"), std::string::npos);
  // What stood before the fault is done, what stands behind it is not.
  for (std::uint16_t z : ran.values<std::uint16_t>("z")) EXPECT_EQ(z, 0x3F80);
  EXPECT_EQ(ran.values<std::uint16_t>("y")[0], 0x0000);
  EXPECT_EQ(ran.of(Engine::act).size(), 1U);
  EXPECT_EQ(ran.result.blocked.size(), 1U);
  EXPECT_TRUE(ran.updates.empty());
}

TEST(PcBounds, LeavingTheWindowTrapsAndIsNotTheSequenceBoundsInstruction) {
  const Ran ran = run_text(".engine dve\n  nop\n  nop\n  nop\n", {}, {"sequencer.dve.pc_window=[0, 128]"});
  ASSERT_EQ(ran.result.end, RunEnd::fault);
  EXPECT_EQ(ran.result.faults.at(0).violation.rule, "pc_bounds");
  EXPECT_EQ(ran.result.faults.at(0).pc, 128U);
  EXPECT_EQ(ran.of(Engine::dve).size(), 2U);
}

TEST(Halt, EndsItsStream) {
  const Ran ran = run_text(".engine dve\n  nop\n  halt\n  nop\n");
  EXPECT_EQ(ran.result.end, RunEnd::done);
  EXPECT_EQ(ran.of(Engine::dve).size(), 2U);
}

TEST(RandomStalls, ChangeTimesAndNeverValues) {
  const Ran plain = run_text(kPoolThenDve);
  const auto expected = plain.values<float>("z");
  bool times_changed = false;
  for (int seed = 1; seed <= 8; ++seed) {
    const Ran stalled = run_text(kPoolThenDve, {}, {"debug.random_stall_seed=" + std::to_string(seed)});
    EXPECT_EQ(stalled.values<float>("z"), expected);
    // A queue that stalls is an issue stall, whatever else waits.
    EXPECT_EQ(stalled.result.engines[Engine::pool].stall[static_cast<std::size_t>(StallCause::dependency)], 0U);
    times_changed |= stalled.result.elapsed != plain.result.elapsed;
  }
  EXPECT_TRUE(times_changed);
}

}  // namespace
}  // namespace tpb::test
