#include "testbench/observers/summary.h"

#include <gmock/gmock.h>

#include "testbench/tests/observers/hand_made_run.h"

namespace tpb {
namespace {

TEST(Summary, IsATableOfTheEnginesThatHadInstructions) {
  // Of 2800 ticks: DVE busy 640 = 22.857 %, semaphore 1256 = 44.857, issue 4 = 0.143, idle 900 = 32.143; Pool busy 856
  // = 30.571, idle 69.429. Elements per cycle: Pool 8192 / 214, DVE 12288 / 128.
  EXPECT_EQ(run_table(HandMadeRun{}.result),
            "time 500.000000 ns, 5 instructions\n"
            "engine  instructions  elements/cycle  active %  issue %  semaphore %  idle %\n"
            "pe                 1             0.0       0.0      0.0          0.0   100.0\n"
            "dve                2            96.0      22.9      0.1         44.9    32.1\n"
            "pool               2            38.3      30.6      0.0          0.0    69.4\n");
}

TEST(Summary, ShowsAnEngineThatFaultedOrWaitedBeforeItsFirstInstruction) {
  RunResult result;
  result.clock_mhz = HandMadeRun{}.result.clock_mhz;
  result.tick_mhz = 5600;
  result.elapsed = 56;
  result.engines[Engine::act].stall[static_cast<std::size_t>(StallCause::semaphore)] = 56;
  result.engines[Engine::sfu].stall[static_cast<std::size_t>(StallCause::fault)] = 56;
  EXPECT_EQ(run_table(result),
            "time 10.000000 ns, 0 instructions\n"
            "engine  instructions  elements/cycle  active %  semaphore %  fault %\n"
            "act                0             0.0       0.0        100.0      0.0\n"
            "sfu                0             0.0       0.0          0.0    100.0\n");
}

TEST(Summary, OfNothing) {
  RunResult result;
  result.tick_mhz = 1;
  EXPECT_EQ(run_table(result), "time 0.000000 ns, 0 instructions\n");
}

TEST(Summary, NamesAFault) {
  EXPECT_EQ(fault_line(Engine::pool, 0x40, 7, {"valid_subdim", "pool_dim", "2", "3"}),
            "fault: pool pc=0x40 line=7 rule=valid_subdim field=pool_dim value=2 allowed=3");
}

TEST(Summary, NamesWhoWaitsForWhat) {
  BlockedWait wait{Engine::dve, 0x40, 7, 3, ">=2", 1, {"pool pc=0x80 line=9 (not executed: blocked on S[4])"}};
  EXPECT_EQ(blocked_line(wait, {{3, "done"}}),
            "deadlock: dve pc=0x40 line=7 waits for S[3] (done) >=2, which is 1; could still be updated by "
            "pool pc=0x80 line=9 (not executed: blocked on S[4])");
  wait.could_update.clear();
  EXPECT_EQ(blocked_line(wait, {{4, "done"}}),
            "deadlock: dve pc=0x40 line=7 waits for S[3] >=2, which is 1; no instruction updates it any more");
}

}  // namespace
}  // namespace tpb
