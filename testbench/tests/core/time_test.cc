// What instructions cost, who waits for whom, and that the books add up.
#include <gtest/gtest.h>

#include "testbench/tests/support/run_program.h"

namespace tpb::test {
namespace {

// One instruction alone: its start, stream and latency in cycles of its engine.
TEST(UncontendedCost, PoolOnSunda) {
  const Ran ran = run_text(R"(
    .generation sunda
    .tensor x fp32 [128, 512] sbuf+0x0 = ones
    .tensor y fp32 [128, 128] sbuf+0x4000
    .engine pool
      pool func=max src=x+0[1,2,4,0][2,2,128,1] dst=y
  )");
  const auto pool = ran.of(Engine::pool).at(0);
  // N = max(2 x 2 x 128 = 512 of the source, 128 of the destination) = 512 stream cycles.
  EXPECT_EQ(pool.stream_cycles, 512U);
  // 150 start + 512 stream are busy; 100 overhead until visible.
  EXPECT_EQ(ran.cycles(Engine::pool, pool.stream_end - pool.start), 662U);
  EXPECT_EQ(ran.cycles(Engine::pool, pool.end - pool.start), 762U);
  EXPECT_EQ(ran.result.elapsed, pool.end);
  EXPECT_EQ(pool.elements, 512U * 128U);
}

TEST(UncontendedCost, PackedBf16HalvesOnSunda) {
  const Ran ran = run_text(R"(
    .generation sunda
    .tensor a bf16 [128, 512] sbuf+0x0 = ones
    .tensor b bf16 [128, 512] sbuf+0x1000 = ones
    .tensor c bf16 [128, 512] sbuf+0x2000
    .tensor r bf16 [128, 1] sbuf+0x3000
    .engine dve
      tensor_tensor_add_bf16 src0=a src1=b dst=c
      tensor_tensor op=add src0=a src1=b dst=c
      tensor_reduce_add_bf16 axis=X src=a dst=r
      tensor_reduce op=add axis=X src=a dst=r
  )");
  const auto dve = ran.of(Engine::dve);
  ASSERT_EQ(dve.size(), 4U);
  // Generic 2N = 1024 and N = 512; the packed forms stream in half of each.
  EXPECT_EQ(dve[0].stream_cycles, 512U);
  EXPECT_EQ(dve[1].stream_cycles, 1024U);
  EXPECT_EQ(dve[2].stream_cycles, 256U);
  EXPECT_EQ(dve[3].stream_cycles, 512U);
  // 512 ones are 512, bf16 4400, not 256 where a bf16 accumulator would stop growing.
  for (std::uint16_t r : ran.values<std::uint16_t>("r")) EXPECT_EQ(r, 0x4400);
}

TEST(Pipeline, IndependentInstructionsAreAnIntervalApart) {
  const Ran ran = run_text(R"(
    .generation cayman
    .tensor x fp32 [128, 16] sbuf+0x0 = ones
    .tensor y fp32 [128, 16] sbuf+0x100
    .tensor z fp32 [128, 16] sbuf+0x200
    .engine dve
      copy src=x dst=y
      copy src=x dst=z
      copy src=y dst=x
  )");
  const auto dve = ran.of(Engine::dve);
  ASSERT_EQ(dve.size(), 3U);
  // The copies stream 16 cycles each; the floor of 64 cycles decides.
  EXPECT_EQ(ran.cycles(Engine::dve, dve[1].start - dve[0].start), 64U);
  EXPECT_EQ(dve[1].stall_cause, StallCause::issue);
  // The third reads what the first wrote (visible 16 + 144 = 160 cycles after its start) and overwrites what the
  // second only reads: 160 is past the second's interval, 64 + 64 = 128.
  EXPECT_EQ(ran.cycles(Engine::dve, dve[2].start - dve[0].start), 160U);
  // From the second's start (64): 64 cycles of interval, then 32 of dependency; the longest part is the interval.
  EXPECT_EQ(ran.cycles(Engine::dve, dve[2].stall), 96U);
  EXPECT_EQ(dve[2].stall_cause, StallCause::issue);
}

TEST(Pipeline, InterleavedResultsDoNotDependOnEachOther) {
  const Ran ran = run_text(R"(
    .generation cayman
    .tensor x fp32 [128, 16] sbuf+0x0 = ones
    .tensor y fp32 [128, 16] sbuf+0x100 = zeros
    .engine dve
      copy src=x[:, 0:8] dst=y[:, 0:16:2]
      copy src=x[:, 8:16] dst=y[:, 1:16:2]
  )");
  const auto dve = ran.of(Engine::dve);
  // Even and odd elements of y share no byte, though their ranges overlap: only the interval of 64 is between them.
  EXPECT_EQ(ran.cycles(Engine::dve, dve[1].start - dve[0].start), 64U);
  for (float y : ran.values<float>("y")) EXPECT_EQ(y, 1.0F);
}

constexpr const char* kBothOnSbuf = R"(
    .tensor x fp32 [128, 512] sbuf+0x0 = ones
    .tensor y fp32 [128, 512] sbuf+0x1000
    .tensor p fp32 [128, 512] sbuf+0x2000 = ones
    .tensor q fp32 [128, 128] sbuf+0x3000
    .engine pool
      pool func=max src=p+0[1,2,4,0][2,2,128,1] dst=q
    .engine dve
      tensor_tensor op=add src0=x src1=x dst=y
)";

TEST(Sharing, DveAndPoolExcludeEachOtherOnSundaSbuf) {
  const Ran ran = run_text(std::string("    .generation sunda\n") + kBothOnSbuf);
  const auto dve = ran.of(Engine::dve).at(0);
  const auto pool = ran.of(Engine::pool).at(0);
  // Both ask at 0 and DVE comes first in engine order: 2N = 1024 DVE cycles of 5 ticks = 5120 ticks.
  EXPECT_EQ(dve.start, 0U);
  EXPECT_EQ(dve.stream_end, 5120U);
  // Pool's period is 4 ticks: 5120 is one of its edges.
  EXPECT_EQ(pool.start, 5120U);
  EXPECT_EQ(pool.stall_cause, StallCause::sbuf);
  EXPECT_EQ(pool.stall, 5120U);
  EXPECT_EQ(ran.result.engines[Engine::pool].stall[static_cast<std::size_t>(StallCause::sbuf)], 5120U);
  EXPECT_EQ(ran.result.sbuf.contention, 5120U);
}

TEST(Sharing, DveAndPoolOverlapOnCayman) {
  const Ran ran = run_text(std::string("    .generation cayman\n") + kBothOnSbuf);
  const auto dve = ran.of(Engine::dve).at(0);
  const auto pool = ran.of(Engine::pool).at(0);
  EXPECT_EQ(dve.start, 0U);
  EXPECT_EQ(pool.start, 0U);
  EXPECT_EQ(ran.result.sbuf.contention, 0U);
}

TEST(Sharing, FairBusHalvesBothWhileDveIsInAPerformanceMode) {
  const Ran ran = run_text(R"(
    .generation cayman
    .tensor a bf16 [128, 4096] sbuf+0x0 = ones
    .tensor b bf16 [128, 4096] sbuf+0x2000
    .tensor p fp32 [128, 4096] sbuf+0x4000 = ones
    .tensor q fp32 [128, 1024] sbuf+0x8000
    .engine pool
      pool func=max src=p+0[1,2,4,0][2,2,1024,1] dst=q
    .engine dve
      tensor_tensor op=add src0=a src1=a dst=b
  )");
  const auto dve = ran.of(Engine::dve).at(0);
  const auto pool = ran.of(Engine::pool).at(0);
  // Ticks of 4.8 GHz: DVE 5 a cycle, Pool 4. DVE streams 4096 cycles (2x mode) = 20480 ticks at full rate from 0.
  // Pool streams 4096 cycles = 16384 ticks after 150 x 4 = 600 ticks of start. By then DVE has done 600. Both run at
  // half rate: DVE has 19880 left, Pool 16384. Pool ends first, at 600 + 2 x 16384 = 33368.
  EXPECT_EQ(dve.mode, PerformanceMode::x2);
  EXPECT_EQ(pool.stream_end, 33368U);
  // DVE did 16384 meanwhile and has 3496 left at full rate: 36864, rounded up to whole cycles of 5: 36865.
  EXPECT_EQ(dve.stream_end, 36865U);
}

TEST(Sharing, WideStepHalvesTheRateOnSunda) {
  const Ran ran = run_text(R"(
    .generation sunda
    .tensor x fp32 [128, 640] sbuf+0x0 = ones
    .tensor y fp32 [128, 128] sbuf+0x1000
    .engine dve
      copy src=x+0[4][128] dst=y
      copy src=x+0[5][128] dst=y
  )");
  const auto dve = ran.of(Engine::dve);
  // A step of 4 elements is 16 bytes and still full rate; 5 elements are 20 bytes, more than 16: half rate.
  EXPECT_EQ(ran.cycles(Engine::dve, dve[0].stream_end - dve[0].start), 128U);
  EXPECT_EQ(ran.cycles(Engine::dve, dve[1].stream_end - dve[1].start), 256U);
  EXPECT_EQ(dve[1].stream_cycles, 128U);
}

TEST(Sharing, PsumBankIsSharedOnlyByThoseWhoMeetThere) {
  const auto text = [](const char* pool_reads) {
    return std::string(R"(
    .generation cayman
    .tensor a fp32 [128, 512] psum+0x0 = ones
    .tensor b fp32 [128, 512] psum+0x800 = ones
    .tensor x fp32 [128, 512] sbuf+0x0
    .tensor y fp32 [128, 128] sbuf+0x1000
    .engine pool
      pool func=max src=)") +
           pool_reads + R"(+0[1,2,4,0][2,2,128,1] dst=y
    .engine dve
      copy src=a dst=x
  )";
  };
  // Another bank (512 x 4 bytes = one bank of 2 KiB): DVE's 512 cycles of 5 ticks are its own.
  const Ran apart = run_text(text("b"));
  EXPECT_EQ(apart.of(Engine::dve).at(0).stream_end, 2560U);
  EXPECT_EQ(apart.result.psum.contention, 0U);
  // The same bank: Pool streams from 150 x 4 = 600 on, when DVE has 1960 ticks of its work left. At half rate each, DVE
  // needs 3920 more: 4520. Pool then has 2048 - 1960 = 88 left at full rate: 4608.
  const Ran together = run_text(text("a"));
  EXPECT_EQ(together.of(Engine::dve).at(0).stream_end, 4520U);
  EXPECT_EQ(together.of(Engine::pool).at(0).stream_end, 4608U);
  // Lost: 4520 - 2560 by DVE, 4608 - 600 - 2048 by Pool.
  EXPECT_EQ(together.result.psum.contention, 1960U + 1960U);
  // The bank was in use from 0 to 4608 without a gap.
  EXPECT_EQ(together.result.psum_bank_busy.at(0), 4608U);
  EXPECT_EQ(together.result.psum_bank_busy.at(1), 0U);
}

TEST(Books, AddUpToTheElapsedTimeForEveryEngine) {
  const Ran ran = run_text(R"(
    .generation sunda
    .tensor x fp32 [128, 512] sbuf+0x0 = ones
    .tensor y fp32 [128, 512] sbuf+0x1000
    .semaphore done 3 = 0
    .engine pool
      pool func=max src=x+0[1,2,4,0][2,2,128,1] dst=y+0[1][128]  S[done]++@complete
    .engine dve
      copy src=y dst=x  S[done]>=1
  )");
  for (Engine engine : kEngines) EXPECT_EQ(ran.result.engines[engine].total(), ran.result.elapsed);
  const EngineTotals& dve = ran.result.engines[Engine::dve];
  // Pool's result is visible after 150 + 512 + 100 = 762 of its cycles = 3048 ticks. DVE's next edge is 3050.
  EXPECT_EQ(dve.stall[static_cast<std::size_t>(StallCause::semaphore)], 3048U);
  EXPECT_EQ(dve.stall[static_cast<std::size_t>(StallCause::issue)], 2U);
  EXPECT_EQ(dve.busy, 512U * 5U);
  // The rest of DVE's time is its overhead: nothing left to do.
  EXPECT_EQ(dve.stall[static_cast<std::size_t>(StallCause::idle)], 144U * 5U);
}

TEST(Books, InstructionsWithoutCostTakeNoTime) {
  const Ran ran = run_text(R"(
    .engine dve
      nop
      nop
      event_semaphore S[4]++
      halt
  )");
  EXPECT_EQ(ran.result.elapsed, 0U);
  EXPECT_EQ(ran.of(Engine::dve).size(), 4U);
}

constexpr const char* kTwoCopies = R"(
    .generation cayman
    .tensor a fp32 [128, 64] sbuf+0x0 = ones
    .tensor b fp32 [128, 64] sbuf+0x400
    .engine dve
      copy src=a dst=b
      copy src=b dst=a
)";

TEST(TimeLimit, CutsCompletionsToo) {
  // Each copy is visible 64 + 144 = 208 cycles of 0.96 GHz after its start: the second starts at 216.67 ns, its stream
  // ends at 283.33, it is complete at 433.33. At 300 ns nothing is left to happen but that completion.
  const Ran cut = run_text(kTwoCopies, {.mode = RunMode::full, .max_time_ns = 300.0, .observers = {}});
  EXPECT_EQ(cut.result.end, RunEnd::time_limit);
  EXPECT_EQ(cut.result.elapsed, 1440U);  // 300 ns of 4.8 GHz ticks
  EXPECT_EQ(cut.records.size(), 1U);
  for (Engine engine : kEngines) EXPECT_EQ(cut.result.engines[engine].total(), 1440U);
}

Tick stall(const Ran& ran, Engine engine, StallCause cause) {
  return ran.result.engines[engine].stall[static_cast<std::size_t>(cause)];
}

TEST(TimeLimit, KnowsWhatTheNextInstructionWaitsFor) {
  // Up to 200 ns, 960 ticks: the first copy is busy for 64 cycles of 5 ticks, from then on the second needs its result.
  const Ran cut = run_text(kTwoCopies, {.mode = RunMode::full, .max_time_ns = 200.0, .observers = {}});
  EXPECT_EQ(cut.result.elapsed, 960U);
  EXPECT_EQ(cut.result.engines[Engine::dve].busy, 320U);
  EXPECT_EQ(stall(cut, Engine::dve, StallCause::dependency), 640U);

  // On sunda DVE and Pool have one port to SBUF. DVE comes first and holds it for 64 cycles of 5 ticks; from tick 320
  // Pool holds it, from its start on. Until 40 ns, 224 ticks, Pool waits for the port.
  const Ran shared = run_text(R"(
    .generation sunda
    .tensor a fp32 [128, 64] sbuf+0x0 = ones
    .tensor b fp32 [128, 64] sbuf+0x400
    .tensor c fp32 [128, 64] sbuf+0x800
    .engine pool
      copy src=a dst=b
    .engine dve
      copy src=a dst=c
  )",
                              {.mode = RunMode::full, .max_time_ns = 40.0, .observers = {}});
  EXPECT_EQ(stall(shared, Engine::pool, StallCause::sbuf), 224U);
}

TEST(Books, AWaitBeforeAFaultIsNoFault) {
  // The load streams for 64 cycles and is visible 64 later; only then is the block judged, and refused: LB1 is missing.
  const Ran ran = run_text(R"(
    .tensor x fp32 [128, 64] sbuf+0x0
    .engine sfu
      TLOAD x -> T<32KB>
      BSTART.SFU TROWMIN, FP32
      B.DIM LB0=64
      B.IOT T0, mask=1111, last, ->U<512B>
      BSTOP
)");
  ASSERT_EQ(ran.result.faults.size(), 1U);
  EXPECT_EQ(ran.cycles(Engine::sfu, ran.result.faults[0].at), 128U);
  EXPECT_EQ(ran.cycles(Engine::sfu, stall(ran, Engine::sfu, StallCause::dependency)), 64U);
  EXPECT_EQ(stall(ran, Engine::sfu, StallCause::fault), 0U);
}

TEST(TimeLimit, BehindTheEndChangesNothing) {
  for (double limit : {433.34, 1e9, 9.3e18, 1e300}) {
    const Ran ran = run_text(kTwoCopies, {.mode = RunMode::full, .max_time_ns = limit, .observers = {}});
    EXPECT_EQ(ran.result.end, RunEnd::done) << limit;
    // 2 x 208 cycles of 5 ticks.
    EXPECT_EQ(ran.result.elapsed, 2080U) << limit;
  }
}

TEST(TimeLimit, IsNoDeadlockWhileAnUpdateIsUnderWay) {
  const Ran ran = run_text(R"(
    .tensor a fp32 [128, 64] sbuf+0x0 = ones
    .tensor b fp32 [128, 64] sbuf+0x400
    .engine dve
      copy src=a dst=b S[3]++
    .engine act
      nop S[3]>=1
  )",
                           {.mode = RunMode::full, .max_time_ns = 1.5, .observers = {}});
  EXPECT_EQ(ran.result.end, RunEnd::time_limit);
  EXPECT_TRUE(ran.result.blocked.empty());
}

TEST(Nanoseconds, AreExactDecimalsOfTicks) {
  // One tick of 5.6 GHz is 0.178571428... ns.
  EXPECT_EQ(format_ns(1, 5600), "0.178571");
  EXPECT_EQ(format_ns(28, 5600), "5.000000");
  EXPECT_EQ(format_ns(0, 5600), "0.000000");
  // 2/3 of a nanosecond rounds up in the sixth digit.
  EXPECT_EQ(format_ns(2, 3000), "0.666667");
}

}  // namespace
}  // namespace tpb::test
