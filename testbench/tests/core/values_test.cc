// Values that the contract states, through a whole run.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "testbench/tests/support/run_program.h"

namespace tpb::test {
namespace {

TEST(PoolAverage, SumOfSeventeenOverNineIsOneMultiplyByTheReciprocal) {
  // Nine elements that sum to 17: 17 x fl(1/9) is 3FF1C71D, where the division 17/9 would give 3FF1C71C.
  const Ran ran = run_text(R"(
    .tensor x fp32 [128, 3, 3] sbuf+0x0 = zeros
    .tensor w fp32 [1, 3, 3] sbuf+0x100 = [1, 2, 3, 4, 5, 2, 0, 0, 0]
    .tensor y fp32 [1, 1] sbuf+0x200
    .engine pool
      pool func=avg src=w+0[1,3,1,1][3,3,1,1] dst=y
  )");
  EXPECT_EQ(ran.values<std::uint32_t>("y").at(0), 0x3FF1C71DU);
}

TEST(PoolMax, WindowOfMinusInfinityGivesTheLowestFinite) {
  const std::string text = R"(
    .tensor x fp32 [32, 4] sbuf+0x0 = [-inf]
    .tensor y fp32 [32, 1] sbuf+0x100
    .engine pool
      pool func=max src=x+0[1,2,1,1][2,2,1,1] dst=y
  )";
  for (std::uint32_t y : run_text(text).values<std::uint32_t>("y")) EXPECT_EQ(y, 0xFF7FFFFFU);
  for (std::uint32_t y : run_text(text, {}, {"semantics.pool_max=\"first\""}).values<std::uint32_t>("y")) {
    EXPECT_EQ(y, 0xFF800000U);
  }
}

TEST(PoolAverage, FourThousandFp16OnesAverageToOne) {
  const Ran ran = run_text(R"(
    .tensor x fp16 [128, 64, 64] sbuf+0x0 = ones
    .tensor y fp16 [128, 1] sbuf+0x4000
    .engine pool
      pool func=avg src=x+0[1,64,1,1][64,64,1,1] dst=y
  )");
  for (std::uint16_t y : ran.values<std::uint16_t>("y")) EXPECT_EQ(y, 0x3C00);
}

class NanPlace : public testing::TestWithParam<int> {};
TEST_P(NanPlace, DoesNotChangeTheMaximumInAnyPartition) {
  std::string list = "[";
  for (int i = 0, next = 1; i < 4; ++i) {
    list += (i == GetParam() ? std::string("nan") : std::to_string(next++)) + (i < 3 ? ", " : "]");
  }
  std::string text = "    .tensor y fp32 [128, 1] sbuf+0x1000\n    .tensor x fp32 [128, 4] sbuf+0x0 = zeros\n";
  // The same row in every partition: written by one-partition tensors over groups is refused, so copy by stride-0 walk.
  text = "    .tensor x fp32 [128, 4] sbuf+0x0 = [";
  for (int p = 0; p < 128; ++p) text += list.substr(1, list.size() - 2) + (p < 127 ? ", " : "]\n");
  text +=
      "    .tensor y fp32 [128, 1] sbuf+0x1000\n    .engine pool\n      pool func=max src=x+0[1,2,1,1][2,2,1,1] "
      "dst=y\n";
  const auto y = run_text(text).values<float>("y");
  ASSERT_EQ(y.size(), 128U);
  for (float value : y) EXPECT_EQ(value, 3.0F);
}
INSTANTIATE_TEST_SUITE_P(FourPlaces, NanPlace, testing::Range(0, 4));

TEST(PackedBf16, NanInTheLowHalfLeavesTheHighHalfAlone) {
  const Ran ran = run_text(R"(
    .generation sunda
    .tensor a bf16 [1, 2] sbuf+0x0 = [nan, 1.5]
    .tensor b bf16 [1, 2] sbuf+0x10 = [1, 2]
    .tensor c bf16 [1, 2] sbuf+0x20
    .engine dve
      tensor_tensor_add_bf16 src0=a src1=b dst=c
  )");
  const auto c = ran.values<std::uint16_t>("c");
  EXPECT_EQ(c.at(0), 0x7FC0);
  EXPECT_EQ(c.at(1), 0x4060);  // 3.5
}

TEST(Streams, TheSameInstructionRunsInAPoolStreamToo) {
  const Ran ran = run_text(R"(
    .tensor a int32 [2, 2] sbuf+0x0 = [16777217, 1, -5, 2147483647]
    .tensor b int32 [2, 2] sbuf+0x10 = [1, 2, 3, 1]
    .tensor c int32 [2, 2] sbuf+0x20
    .tensor d int32 [2, 2] sbuf+0x30
    .engine pool
      tensor_tensor op=add src0=a src1=b dst=c
    .engine dve
      tensor_tensor op=add src0=a src1=b dst=d
  )");
  // Exact 64-bit sums in a Pool stream, low 32 bits kept: 2^31 - 1 + 1 wraps.
  EXPECT_EQ(ran.values<std::int32_t>("c"),
            (std::vector<std::int32_t>{16777218, 3, -2, std::numeric_limits<int>::min()}));
  // Through fp32 on DVE: 16777217 rounds to 16777216 before 1 is added (16777217 is a tie, to even); 2^31 saturates.
  EXPECT_EQ(ran.values<std::int32_t>("d"),
            (std::vector<std::int32_t>{16777216, 3, -2, std::numeric_limits<int>::max()}));
}

TEST(Modes, TimingOnlyHasTheSameTimesAndFunctionalOnlyTheSameValues) {
  const std::string text = R"(
    .generation sunda
    .tensor x fp32 [128, 64] sbuf+0x0 = random(7)
    .tensor y fp32 [128, 16] sbuf+0x100
    .tensor z fp32 [128, 1] sbuf+0x200
    .engine pool
      pool func=avg src=x+0[1,2,4,0][2,2,16,1] dst=y  S[0]++
    .engine dve
      tensor_reduce op=add axis=X src=y dst=z  S[0]>=1
  )";
  const Ran full = run_text(text);
  const Ran timing = run_text(text, {.mode = RunMode::timing_only, .max_time_ns = {}, .observers = {}});
  const Ran functional = run_text(text, {.mode = RunMode::functional_only, .max_time_ns = {}, .observers = {}});
  ASSERT_EQ(timing.records.size(), full.records.size());
  for (std::size_t i = 0; i < full.records.size(); ++i) {
    EXPECT_EQ(timing.records[i].start, full.records[i].start);
    EXPECT_EQ(timing.records[i].end, full.records[i].end);
  }
  EXPECT_EQ(timing.values<float>("z"), std::vector<float>(128, 0.0F));
  EXPECT_EQ(functional.values<std::uint32_t>("z"), full.values<std::uint32_t>("z"));
  EXPECT_EQ(functional.result.elapsed, 0U);
}

}  // namespace
}  // namespace tpb::test
