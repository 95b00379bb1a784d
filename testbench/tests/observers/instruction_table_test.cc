#include "testbench/observers/instruction_table.h"

#include <gmock/gmock.h>

#include <sstream>

#include "testbench/tests/observers/hand_made_run.h"

namespace tpb {
namespace {

std::string table_of(const HandMadeRun& run) {
  std::ostringstream out;
  write_instruction_table(out, run.log, run.result, SemanticsOptions{});
  return out.str();
}

TEST(InstructionTable, HasALinePerInstructionInTheOrderOfStarts) {
  // A tick is 1000/5600 ns. 856 ticks: 152.857142857..., rounded up. 1256: 224.285714285..., rounded up. 1260: 225.
  // 1580: 282.142857142..., rounded up. 2300: 410.714285714..., rounded down. 2620: 467.857142857..., rounded up.
  // 320: 57.142857142..., rounded up. 4: 0.714285714..., rounded down.
  // Latencies: pool 1256 / 4 = 314 cycles, 150 + 64 + 100. DVE (2300 - 1260) / 5 = 208, 64 + 144; the same for copy.
  // pe and pool both start at 0: engine order decides.
  EXPECT_EQ(
      table_of(HandMadeRun{}),
      "index,engine,pc,line,opcode,mnemonic,ready_ns,start_ns,end_ns,stream_cycles,duration_cycles,wait_semaphore_ns,"
      "stall_ns,stall_cause,elements,performance_mode\n"
      "0,pe,0,9,0xa4,nop,0.000000,0.000000,0.000000,0,0,0.000000,0.000000,none,0,none\n"
      "1,pool,0,3,0x45,pool,0.000000,0.000000,224.285714,64,314,0.000000,0.000000,none,8192,none\n"
      "2,pool,64,4,0xa1,halt,0.000000,152.857143,152.857143,0,0,0.000000,152.857143,issue,0,none\n"
      "3,dve,0,6,0x41,tensor_tensor,0.000000,225.000000,410.714286,64,208,224.285714,0.714286,issue,4096,none\n"
      "4,dve,64,7,0x46,copy,225.000000,282.142857,467.857143,64,208,0.000000,57.142857,dependency,8192,2x\n");
}

TEST(InstructionTable, NeedsNoEventsOfSemaphoresAndResources) {
  EXPECT_EQ(table_of(HandMadeRun(RunLog::Detail::instructions)), table_of(HandMadeRun{}));
}

TEST(InstructionTable, HasOnlyItsColumnsWhenNothingRan) {
  std::ostringstream out;
  write_instruction_table(out, RunLog(RunLog::Detail::instructions), RunResult{}, SemanticsOptions{});
  const std::string text = out.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST(InstructionTable, SpellsAWireOpcodeAsItsRoleInTheProfile) {
  SemanticsOptions arch;
  arch.reduce_opcodes = SemanticsOptions::ReduceOpcodes::arch;
  EXPECT_EQ(mnemonic_of(0x7C, SemanticsOptions{}), "tensor_reduce");
  EXPECT_EQ(mnemonic_of(0x7C, arch), "cross_lane_reduce");
  EXPECT_EQ(mnemonic_of(0x8E, arch), "BatchNormParamLoad2");  // named, without a spelling in text
  EXPECT_EQ(mnemonic_of(0x00, arch), "unknown");
}

TEST(InstructionTable, RoundsPartsOfACycleUp) {
  EXPECT_EQ(cycles_of(0, 1120, 5600), 0U);
  EXPECT_EQ(cycles_of(5, 1120, 5600), 1U);
  EXPECT_EQ(cycles_of(6, 1120, 5600), 2U);  // one tick into the second cycle of five
}

// A run long enough to be written in several pieces.
TEST(InstructionTable, KeepsEveryLineOfALongRun) {
  RunLog log(RunLog::Detail::instructions);
  constexpr std::uint32_t kCount = 5000;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    for (Engine engine : {Engine::sfu, Engine::act}) {
      InstructionRecord record;
      record.engine = engine;
      record.opcode = 0xA4;
      record.pc = 64 * i;
      record.ready = record.start = record.stream_end = record.end = i;
      log.retired(record);
    }
  }
  std::ostringstream out;
  write_instruction_table(out, log, HandMadeRun{}.result, SemanticsOptions{});
  std::istringstream lines(out.str());
  std::string line;
  std::getline(lines, line);
  for (std::uint32_t i = 0; i < 2 * kCount; ++i) {
    ASSERT_TRUE(std::getline(lines, line));
    // Two engines start at every tick, ACT first.
    const std::string head = std::to_string(i) + (i % 2 == 0 ? ",act," : ",sfu,") + std::to_string(64 * (i / 2)) + ",";
    ASSERT_TRUE(line.starts_with(head)) << line;
  }
  EXPECT_FALSE(std::getline(lines, line));
}

}  // namespace
}  // namespace tpb
