// The SFU on the core: tiles between memories, reductions of them, and what its faults leave alone.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "testbench/observers/instruction_table.h"
#include "testbench/tests/support/run_program.h"

namespace tpb::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

std::string rule_of(const Ran& ran) {
  return ran.result.faults.empty() ? "none" : std::string(ran.result.faults.front().violation.rule);
}

TEST(Sfu, ReducesRowsToTheirMinimum) {
  // -0 wins over +0, a NaN loses, a subnormal stays.
  const Ran ran = run_text(R"(
    .tensor x fp32 [4, 2] sbuf+0x0 = [3, -7, 0, bits(0x80000000), nan, 5, bits(0x00000001), 1]
    .tensor y fp32 [4, 1] sbuf+0x100
    .engine sfu
      TLOAD x -> T<128B>
      BSTART.SFU TROWMIN, FP32
      B.DIM LB0=2
      B.DIM LB1=4
      B.IOT T0, mask=1111, last, ->U<128B>
      BSTOP
      TSTORE U0 -> y
)");
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_THAT(ran.values<std::uint32_t>("y"), ElementsAre(0xC0E00000U, 0x80000000U, 0x40A00000U, 0x00000001U));
}

TEST(Sfu, AgreesWithTheVectorEngineOnOrdinaryNumbersThroughSemaphores) {
  // DVE writes x, the SFU reduces its rows, DVE reads the result; DVE's own reduction beside it.
  const Ran ran = run_text(R"(
    .tensor r fp32 [128, 64] sbuf+0x0000 = random(7)
    .tensor x fp32 [128, 64] sbuf+0x1000
    .tensor m fp32 [128, 1]  sbuf+0x2000
    .tensor y fp32 [128, 1]  sbuf+0x2010
    .tensor z fp32 [128, 1]  sbuf+0x2020
    .semaphore written 1 = 0
    .semaphore reduced 2 = 0
    .engine dve
      tensor_scalar op0=mult imm0=3 src=r dst=x  S[written]++@complete
      tensor_reduce op=min axis=X src=x dst=z
      copy src=m dst=y  S[reduced]>=1
    .engine sfu
      TLOAD x -> T<32KB>  S[written]>=1
      BSTART.SFU TROWMIN, FP32
      B.DIM LB0=64
      B.DIM LB1=128
      B.IOT T0, mask=1111, last, ->U<512B>
      BSTOP
      TSTORE U0 -> m  S[reduced]++@complete
)");
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_EQ(ran.result.end, RunEnd::done);
  EXPECT_EQ(ran.bytes("y"), ran.bytes("z"));
  // 64 columns of 128 rows; each bundle begins when the one before it is complete.
  const auto records = ran.of(Engine::sfu);
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[1].stream_cycles, 64U);
  EXPECT_GE(records[1].start, records[0].end);
  EXPECT_GE(records[2].start, records[1].end);
}

TEST(Sfu, TakesTheColumnsFromARegister) {
  const Ran ran = run_text(R"(
    .tensor x uint8 [1, 4] sbuf+0x0 = [9, 1, 255, 4]
    .tensor y uint8 [1, 1] sbuf+0x100
    .register sfu R3 = 2
    .engine sfu
      TLOAD x -> N<128B>
      BSTART.SFU TROWMAX, U8
      B.DIM LB0=R3+2
      B.IOT N0, mask=1111, last, ->T<128B>
      BSTOP
      TSTORE T0 -> y
)");
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_EQ(ran.bytes("y")[0], 255);
}

constexpr const char* kStoreOfWhat = R"(
    .tensor x fp32 [4, 2] sbuf+0x0 = [3, -7, 0, 1, 2, 5, 6, 1]
    .tensor y fp32 [4, 2] sbuf+0x100 = ones
    .engine sfu
      TLOAD x -> T<128B>
)";

TEST(Sfu, FaultsNameTheRuleAndTheWordAndChangeNothing) {
  const Ran free = run_text(std::string(kStoreOfWhat) + "      TFREE T0\n      TSTORE T0 -> y\n");
  EXPECT_EQ(rule_of(free), "Fault_TileLegality");
  EXPECT_THAT(free.values<float>("y"), Each(1.0F));

  const Ran columns = run_text(std::string(kStoreOfWhat) + R"(
      BSTART.SFU TROWMIN, FP32
      B.DIM LB0=1
      B.DIM LB1=4
      B.IOT T0, mask=1111, last, ->U<128B>
      BSTOP
      TSTORE T0 -> y
)");
  ASSERT_EQ(rule_of(columns), "Fault_TileLegality");  // ValidCol is not the source's
  EXPECT_EQ(columns.result.faults[0].violation.field, "word 4 (BSTOP)");
  EXPECT_EQ(columns.result.faults[0].violation.value, "0x00000001");
  EXPECT_EQ(columns.result.faults[0].pc, 64U);
  EXPECT_THAT(columns.values<float>("y"), Each(1.0F));  // what stands behind it has not run
}

TEST(Sfu, AFullHandIsAnAllocationFaultAndFreeingHelps) {
  std::string text = "    .tensor x fp32 [1, 2] sbuf+0x0 = [1, 2]\n    .engine sfu\n";
  for (int i = 0; i < 16; ++i) text += "      TLOAD x -> M<128B>\n";
  EXPECT_EQ(rule_of(run_text(text)), "none");
  EXPECT_EQ(rule_of(run_text(text + "      TLOAD x -> M<128B>\n")), "Fault_TileAllocation");
  EXPECT_EQ(rule_of(run_text(text + "      TFREE M7\n      TLOAD x -> M<128B>\n")), "none");
}

TEST(Sfu, IsEmptyAtTheStartOfARun) {
  run_text(kStoreOfWhat);
  const Ran ran = run_text(R"(
    .tensor y fp32 [4, 2] sbuf+0x100 = ones
    .engine sfu
      TSTORE T0 -> y
)");
  EXPECT_EQ(rule_of(ran), "Fault_TileLegality");
}

TEST(Sfu, ComputesTheSameTimesWithoutValues) {
  const std::string text = std::string(kStoreOfWhat) + "      TSTORE T0 -> y\n";
  RunOptions timing;
  timing.mode = RunMode::timing_only;
  EXPECT_EQ(run_text(text, timing).result.elapsed, run_text(text).result.elapsed);
}

TEST(Sfu, FoldsAColumnOfARowGroupACycle) {
  // 64 columns of 4 rows, then 64 of 128: one row group each, so 64 cycles; three and a half columns a cycle do not
  // exist, four take ceil(64 / 4) = 16; groups of 48 rows make three of 128 rows, 3 x 64 = 192 cycles.
  const auto cycles = [](unsigned rows, const std::vector<std::string>& overrides) {
    const Ran ran = run_text(fmt::format(R"(
    .tensor x fp32 [{0}, 64] sbuf+0x0
    .engine sfu
      TLOAD x -> T<32KB>
      BSTART.SFU TROWSUM, FP32
      B.DIM LB0=64
      B.DIM LB1={0}
      B.IOT T0, mask=1111, last, ->U<512B>
      BSTOP
)",
                                         rows),
                             {}, overrides);
    EXPECT_EQ(rule_of(ran), "none");
    const auto records = ran.of(Engine::sfu);
    EXPECT_EQ(records.size(), 2U);
    EXPECT_EQ(records[1].elements, rows * 64U);
    return records[1].stream_cycles;
  };
  EXPECT_EQ(cycles(4, {}), 64U);
  EXPECT_EQ(cycles(128, {}), 64U);
  EXPECT_EQ(cycles(128, {"sfu.columns_per_cycle=4"}), 16U);
  EXPECT_EQ(cycles(128, {"sfu.row_group=48"}), 192U);
}

TEST(Sfu, WaitsForTheTilesThatItUses) {
  // Two loads of 64 columns are independent: the second starts when the first has streamed, after 64 cycles. The block
  // reads the first, which was visible at 64 + 64 of overhead, when the second had streamed; it starts at 128. The
  // store reads the block's result, at 128 + 64 + 64. Freeing the second load's tile needs it visible, long ago; it
  // costs nothing, and completes behind the store.
  const Ran ran = run_text(R"(
    .tensor x fp32 [128, 64] sbuf+0x0
    .tensor y fp32 [128, 1]  sbuf+0x1000
    .engine sfu
      TLOAD x -> T<32KB>
      TLOAD x -> U<32KB> mask=1000
      BSTART.SFU TROWSUM, FP32
      B.DIM LB0=64
      B.DIM LB1=128
      B.IOT T0, mask=1000, last, ->M<512B>
      BSTOP
      TSTORE M0 -> y
      TFREE U0
)");
  EXPECT_EQ(rule_of(ran), "none");
  const auto records = ran.of(Engine::sfu);
  ASSERT_EQ(records.size(), 5U);
  std::vector<std::uint64_t> starts;
  for (const InstructionRecord& record : records) starts.push_back(ran.cycles(Engine::sfu, record.start));
  EXPECT_THAT(starts, ElementsAre(0, 64, 128, 256, 257));
  EXPECT_EQ(records[4].end, records[3].end);  // in order
}

TEST(Sfu, ALoadIntoNoPeDoesNothing) {
  // Not even its type is looked at.
  const Ran ran = run_text(R"(
    .tensor x fp8_e4m3 [128, 64] sbuf+0x0
    .engine sfu
      TLOAD x -> T<32KB> mask=0000
)");
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_EQ(ran.result.elapsed, 0U);
  EXPECT_EQ(ran.result.sbuf.read_bytes, 0U);
  EXPECT_EQ(ran.result.tiles.left.bytes, 0U);
}

TEST(Sfu, TakesNoTimeWithoutTime) {
  RunOptions functional;
  functional.mode = RunMode::functional_only;
  const Ran ran = run_text(R"(
    .tensor x fp32 [128, 64] sbuf+0x0
    .engine sfu
      TLOAD x -> T<32KB>
      BSTART.SFU TROWSUM, FP32
      B.DIM LB0=64
      B.DIM LB1=128
      B.IOT T0, mask=1111, last, ->M<512B>
      BSTOP
)",
                           functional);
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_EQ(ran.result.elapsed, 0U);
}

TEST(Sfu, ReportsItsStorageOverTime) {
  class Watcher : public Observer {
   public:
    void tiles_used(const TileUseRecord& record) override { records.push_back(record); }
    std::vector<TileUseRecord> records;
  };
  Watcher watcher;
  RunOptions options;
  options.observers.push_back(&watcher);
  const Ran ran = run_text(R"(
    .tensor x fp32 [4, 2] sbuf+0x0 = [3, -7, 0, bits(0x7FA00000), 2, 5, 6, 1]
    .engine sfu
      TLOAD x -> T<128B> mask=1100
      BSTART.SFU TROWMIN, FP32
      B.DIM LB0=2
      B.DIM LB1=4
      B.IOT T0, mask=1000, last, ->U<256B>
      BSTOP
      TFREE T0
)",
                           options);
  EXPECT_EQ(rule_of(ran), "none");
  // Two PEs with 128 bytes each; one with 256 more; then the first are free again.
  const auto records = ran.of(Engine::sfu);
  ASSERT_EQ(watcher.records.size(), 3U);
  EXPECT_EQ(watcher.records[0].use.bytes, 256U);
  EXPECT_EQ(watcher.records[1].use.bytes, 256U + 256U);
  EXPECT_EQ(watcher.records[2].use.bytes, 256U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(watcher.records[i].at, records[i].start);
  EXPECT_THAT(watcher.records[1].use.registers, ElementsAre(1, 1, 0, 0));

  const TileTotals& totals = ran.result.tiles;
  EXPECT_EQ(totals.capacity, 262144U);
  EXPECT_EQ(totals.peak.bytes, 512U);
  EXPECT_EQ(totals.left.bytes, 256U);
  EXPECT_THAT(totals.left.registers, ElementsAre(0, 1, 0, 0));
  EXPECT_EQ(totals.status, 1U);  // NV, of the signalling NaN
  EXPECT_EQ(totals.byte_ticks, 256 * (records[1].start - records[0].start) +
                                   512 * (records[2].start - records[1].start) +
                                   256 * (ran.result.elapsed - records[2].start));
}

TEST(Sfu, InstructionsAreNamedAfterWhatTheyDo) {
  const Ran ran = run_text(R"(
    .tensor x fp32 [1, 2] sbuf+0x0 = [3, -7]
    .tensor y fp32 [1, 1] sbuf+0x100
    .engine sfu
      TLOAD x -> T<128B>
      BSTART.SFU TCOLARGMAX, FP32
      B.DIM LB0=9
      B.IOT T0, mask=0000, last, ->U<128B>
      BSTOP
      BSTART.SFU TROWMIN, FP32
      B.DIM LB0=2
      B.IOT T0, mask=1111, last, ->U<128B>
      BSTOP
      TSTORE U0 -> y
      TFREE U0
)");
  EXPECT_EQ(rule_of(ran), "none");
  std::vector<std::string_view> names;
  for (const InstructionRecord& record : ran.of(Engine::sfu)) {
    names.push_back(mnemonic_of(record.opcode, SemanticsOptions{}, record.variant));
  }
  EXPECT_THAT(names, ElementsAre("TLOAD", "TCOLARGMAX", "TROWMIN", "TSTORE", "TFREE"));
}

}  // namespace
}  // namespace tpb::test
