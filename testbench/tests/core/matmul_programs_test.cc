// The tensor engine by whole programs: values of products and transposes, what is refused, and time.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "testbench/tests/support/run_program.h"

namespace tpb::test {
namespace {

using testing::Each;
using testing::ElementsAre;

std::string rule_of(const Ran& ran) {
  return ran.result.faults.empty() ? "none" : std::string(ran.result.faults.front().violation.rule);
}

// ---- products -------------------------------------------------------------------------------------------------------

// Whole numbers from -8 to 8, without order.
std::vector<int> small_integers(std::size_t count, std::uint32_t seed) {
  std::vector<int> numbers(count);
  for (int& number : numbers) {
    seed = seed * 1664525 + 1013904223;
    number = static_cast<int>((seed >> 16) % 17) - 8;
  }
  return numbers;
}

TEST(Products, OfSmallIntegersAreExactOverTwoSteps) {
  constexpr std::size_t kDepth = 256, kColumns = 128, kMoving = 512;
  const std::vector<int> stationary = small_integers(kDepth * kColumns, 1),
                         moving = small_integers(kDepth * kMoving, 2);
  std::vector<float> expected;
  for (std::size_t m = 0; m < kColumns; ++m) {
    for (std::size_t n = 0; n < kMoving; ++n) {
      int sum = 0;
      for (std::size_t k = 0; k < kDepth; ++k) sum += stationary[k * kColumns + m] * moving[k * kMoving + n];
      expected.push_back(static_cast<float>(sum));
    }
  }
  // Half of the contraction in each step.
  const auto half = [](const std::vector<int>& numbers, std::size_t which) {
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(which * numbers.size() / 2);
    return fmt::format("[{}]", fmt::join(begin, begin + static_cast<std::ptrdiff_t>(numbers.size() / 2), ", "));
  };
  std::map<std::string, std::uint32_t> stream;
  for (const std::string dtype : {"bf16", "fp16", "fp32"}) {
    const Ran ran =
        run_text(fmt::format(R"(
    .tensor s0 {0} [128, 128] sbuf+0x0000 = {1}
    .tensor s1 {0} [128, 128] sbuf+0x1000 = {2}
    .tensor m0 {0} [128, 512] sbuf+0x2000 = {3}
    .tensor m1 {0} [128, 512] sbuf+0x3000 = {4}
    .tensor y  fp32 [128, 512] psum+0x0
    .engine pe
      load_stationary src=s0
      multiply_moving src=m0 dst=y accumulate=begin
      load_stationary src=s1
      multiply_moving src=m1 dst=y accumulate=end
)",
                             dtype, half(stationary, 0), half(stationary, 1), half(moving, 0), half(moving, 1)));
    EXPECT_EQ(rule_of(ran), "none");
    EXPECT_EQ(ran.values<float>("y"), expected) << dtype;
    const auto pe = ran.of(Engine::pe);
    ASSERT_EQ(pe.size(), 4U);
    EXPECT_EQ(pe[3].stream_cycles, pe[1].stream_cycles);
    stream[dtype] = pe[1].stream_cycles;
  }
  // 512 moving columns; fp32 takes four times as long.
  EXPECT_EQ(stream["bf16"], 512U);
  EXPECT_EQ(stream["fp16"], 512U);
  EXPECT_EQ(stream["fp32"], 4 * stream["bf16"]);
}

TEST(Products, AreRoundedBeforeTheyAreAdded) {
  // 3EFFFDFB x 1, then 4F000FFE x BDA0000E: CD20140C, where a fused multiply-add gives CD20140B. The other order, too.
  const Ran ran = run_text(R"(
    .tensor s fp32 [2, 1] sbuf+0x0 = [bits(0x3EFFFDFB), bits(0xBDA0000E)]
    .tensor m fp32 [2, 1] sbuf+0x10 = [1, bits(0x4F000FFE)]
    .tensor t fp32 [2, 1] sbuf+0x20 = [bits(0xBDA0000E), bits(0x3EFFFDFB)]
    .tensor n fp32 [2, 1] sbuf+0x30 = [bits(0x4F000FFE), 1]
    .tensor y fp32 [1, 2] psum+0x0
    .engine pe
      load_stationary src=s
      multiply_moving src=m dst=y[:, 0:1]
      load_stationary src=t
      multiply_moving src=n dst=y[:, 1:2]
)");
  EXPECT_THAT(ran.values<std::uint32_t>("y"), ElementsAre(0xCD20140CU, 0xCD20140CU));
}

TEST(Products, AreAddedInTheOrderOfPartitions) {
  // 2^24 + 1 is no fp32: to even, 2^24. So 2^24 + 1 + 1 stays where it was, and 1 + 1 + 2^24 does not.
  const Ran ran = run_text(R"(
    .tensor s fp32 [3, 2] sbuf+0x0 = [16777216, 1, 1, 1, 1, 16777216]
    .tensor m fp32 [3, 1] sbuf+0x10 = ones
    .tensor y fp32 [2, 1] psum+0x0
    .engine pe
      load_stationary src=s
      multiply_moving src=m dst=y
)");
  EXPECT_THAT(ran.values<float>("y"), ElementsAre(16777216, 16777218));
}

TEST(Products, AreAddedToWhatIsAccumulatedAsOneSum) {
  // 2^24 + (1 + 1), and the sum on the right: each of the two ones alone would be lost.
  const Ran ran = run_text(R"(
    .tensor s fp32 [2, 1] sbuf+0x0 = ones
    .tensor m fp32 [2, 1] sbuf+0x10 = ones
    .tensor y fp32 [1, 1] psum+0x0 = [16777216]
    .engine pe
      load_stationary src=s
      multiply_moving src=m dst=y accumulate=end
)");
  EXPECT_THAT(ran.values<float>("y"), ElementsAre(16777218));
}

TEST(Products, StartFromTheFirst) {
  // -1 x 0 is -0; a sum from +0 would be +0. Nothing is added to what single and begin overwrite.
  const Ran ran = run_text(R"(
    .tensor s fp32 [1, 1] sbuf+0x0 = [-1]
    .tensor m fp32 [1, 2] sbuf+0x10 = zeros
    .tensor y fp32 [1, 2] psum+0x0 = [7]
    .engine pe
      load_stationary src=s
      multiply_moving src=m[:, 0:1] dst=y[:, 0:1]
      multiply_moving src=m[:, 1:2] dst=y[:, 1:2] accumulate=begin
)");
  EXPECT_THAT(ran.values<std::uint32_t>("y"), ElementsAre(0x80000000U, 0x80000000U));
}

TEST(Products, OfBf16MayOverflow) {
  // 2^127 x 2 - 2^127 is infinite, for its first product is. 2^-100 x 2^-100 is 0.
  const Ran ran = run_text(R"(
    .tensor s bf16 [2, 2] sbuf+0x0 = [bits(0x7F00), bits(0x0D80), bits(0xFF00), 0]
    .tensor m bf16 [2, 2] sbuf+0x10 = [2, bits(0x0D80), 1, 0]
    .tensor y fp32 [2, 2] psum+0x0
    .engine pe
      load_stationary src=s
      multiply_moving src=m dst=y
)");
  const std::vector<float> y = ran.values<float>("y");
  EXPECT_EQ(y[0], std::numeric_limits<float>::infinity());
  EXPECT_EQ(y[3], 0.0F);
}

TEST(Products, AccumulateFromBeginToEnd) {
  // 2 x 3, overwriting 100; + 2 x 5; + 2 x 7; then single overwrites.
  constexpr const char* kText = R"(
    .tensor s fp16 [1, 1] sbuf+0x0 = [2]
    .tensor m fp16 [1, 3] sbuf+0x10 = [3, 5, 7]
    .tensor y fp32 [1, 1] psum+0x0 = [100]
    .engine pe
      load_stationary src=s
      multiply_moving src=m[:, 0:1] dst=y accumulate=begin
      multiply_moving src=m[:, 1:2] dst=y accumulate=middle
      multiply_moving src=m[:, 2:3] dst=y accumulate=end
)";
  EXPECT_THAT(run_text(kText).values<float>("y"), ElementsAre(30));
  EXPECT_THAT(run_text(std::string(kText) + "      multiply_moving src=m[:, 0:1] dst=y\n").values<float>("y"),
              ElementsAre(6));
}

TEST(Products, OfTfloat32HaveTenBitsOfMantissa) {
  // Both operands are rounded to nearest even: 1 + 2^-11 to 1, 1 + 3 x 2^-11 to 1 + 2^-9, 1 + 2^-11 + 2^-23 to 1 +
  // 2^-10.
  const Ran ran = run_text(R"(
    .tensor s fp32 [1, 3] sbuf+0x0 = [bits(0x3F801000), bits(0x3F803000), bits(0x3F801001)]
    .tensor m fp32 [1, 1] sbuf+0x10 = [bits(0x3F801000)]
    .tensor y fp32 [3, 1] psum+0x0
    .engine pe
      load_stationary src=s tfloat32
      multiply_moving src=m dst=y tfloat32
)");
  EXPECT_THAT(ran.values<std::uint32_t>("y"), ElementsAre(0x3F800000U, 0x3F804000U, 0x3F802000U));
}

TEST(Products, AreNarrowedOnceFromMarianaOn) {
  // 256 x 1 + 1 x 1 is 257, in bf16 a tie to 256; accumulated once more from what is stored, 256 + 257 = 513 to 512.
  const std::string text = R"(
    .tensor s bf16 [2, 1] sbuf+0x0 = [256, 1]
    .tensor m bf16 [2, 1] sbuf+0x10 = ones
    .tensor y bf16 [1, 2] psum+0x0
    .engine pe
      load_stationary src=s
      multiply_moving src=m dst=y[:, 0:1]
      multiply_moving src=m dst=y[:, 1:2] accumulate=begin
      multiply_moving src=m dst=y[:, 1:2] accumulate=end
)";
  EXPECT_THAT(run_text(".generation mariana\n" + text).values<std::uint16_t>("y"), ElementsAre(0x4380, 0x4400));
  EXPECT_EQ(rule_of(run_text(".generation cayman\n" + text)), "has_valid_matmul_out_dtype");
}

// ---- transposes -----------------------------------------------------------------------------------------------------

// A matrix of three partitions and two elements against an identity; flags on both instructions.
std::string transposing(const char* generation, const char* dtype, const char* result, const char* values) {
  return fmt::format(R"(
    .generation {0}
    .tensor x {1} [3, 2] sbuf+0x0 = {3}
    .tensor i {1} [3, 3] sbuf+0x10 = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    .tensor y {2} [2, 3] psum+0x0
    .engine pe
      load_stationary src=x transpose
      multiply_moving src=i dst=y transpose
)",
                     generation, dtype, result, values);
}

constexpr const char* kOddBits = "[bits(0x7F800001), bits(0x80000000), inf, 2, bits(0x00000001), bits(0xFFC12345)]";

TEST(Transposes, MoveBitsFromCaymanOn) {
  for (const char* generation : {"cayman", "mariana", "mariana_plus", "maverick"}) {
    const Ran ran = run_text(transposing(generation, "fp32", "fp32", kOddBits));
    EXPECT_EQ(rule_of(ran), "none") << generation;
    EXPECT_THAT(ran.values<std::uint32_t>("y"),
                ElementsAre(0x7F800001U, 0x7F800000U, 0x00000001U, 0x80000000U, 0x40000000U, 0xFFC12345U))
        << generation;
  }
}

TEST(Transposes, MoveBf16BitsFromMarianaOn) {
  const Ran ran = run_text(
      transposing("mariana", "bf16", "bf16", "[bits(0x7F81), bits(0x8000), bits(0x7F80), 2, bits(0x0001), 3]"));
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_THAT(ran.values<std::uint16_t>("y"), ElementsAre(0x7F81, 0x7F80, 0x0001, 0x8000, 0x4000, 0x4040));
}

TEST(Transposes, SpreadNaNAndInfinityOnSunda) {
  // Element 0: 5, inf and 3. Where the identity has zero, inf x 0 is NaN; its own column stays infinite. Element 1: 1,
  // 2 and NaN, all of which are NaN.
  const Ran ran = run_text(transposing("sunda", "fp32", "fp32", "[5, 1, inf, 2, 3, nan]"));
  EXPECT_EQ(rule_of(ran), "none");
  const std::vector<float> y = ran.values<float>("y");
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_EQ(y[1], std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(y[2]));
  for (int n = 3; n < 6; ++n) EXPECT_EQ(ran.values<std::uint32_t>("y")[static_cast<std::size_t>(n)], 0x7FC00000U);
}

TEST(Transposes, AreSumsOnSunda) {
  // A -0 among zeros comes out as +0; finite numbers as they are.
  const Ran ran = run_text(transposing("sunda", "fp32", "fp32", "[5, bits(0x80000000), 7, -2, 3, bits(0x00000001)]"));
  EXPECT_THAT(ran.values<std::uint32_t>("y"), ElementsAre(0x40A00000U, 0x40E00000U, 0x40400000U, 0U, 0xC0000000U, 1U));
}

// ---- tiles ----------------------------------------------------------------------------------------------------------

std::string tiled(const char* generation, int rows, int columns, const char* position, const char* size) {
  return fmt::format(R"(
    .generation {}
    .tensor s bf16 [{}, {}] sbuf+0x0 = ones
    .tensor m bf16 [{}, 4] sbuf+0x1000 = [2]
    .tensor y fp32 [{}, 4] psum+0x0
    .engine pe
      load_stationary src=s tile_position={} tile_size={}
      multiply_moving src=m dst=y
)",
                     generation, rows, columns, rows, columns, position, size);
}

TEST(Tiles, MultiplyAsTheWholeArrayDoes) {
  // 64 ones by twos are 128; 32 of them 64.
  const Ran half = run_text(tiled("cayman", 64, 32, "(64,32)", "(64,32)"));
  EXPECT_EQ(rule_of(half), "none");
  EXPECT_THAT(half.values<float>("y"), Each(128));
  EXPECT_THAT(run_text(tiled("cayman", 32, 20, "(96,0)", "(32,64)")).values<float>("y"), Each(64));
  EXPECT_THAT(run_text(tiled("sunda", 64, 32, "(64,96)", "(64,32)")).values<float>("y"), Each(128));
}

TEST(Tiles, LieInTheArrayAndHoldTheirOperand) {
  constexpr const char* kPlace = "pe_tiling_position_size_check";
  constexpr const char* kFit = "pe_tiling_shape_check";
  EXPECT_EQ(rule_of(run_text(tiled("cayman", 32, 32, "(96,0)", "(64,64)"))), kPlace);
  EXPECT_EQ(rule_of(run_text(tiled("cayman", 32, 32, "(0,0)", "(96,64)"))), kPlace);
  EXPECT_EQ(rule_of(run_text(tiled("sunda", 32, 32, "(0,0)", "(32,32)"))), kPlace);
  EXPECT_EQ(rule_of(run_text(tiled("cayman", 32, 32, "(0,0)", "(32,32)"))), "none");
  EXPECT_EQ(rule_of(run_text(tiled("cayman", 64, 32, "(0,0)", "(32,32)"))), kFit);
  EXPECT_EQ(rule_of(run_text(tiled("cayman", 32, 64, "(0,0)", "(32,32)"))), kFit);
}

// ---- what is refused ------------------------------------------------------------------------------------------------

TEST(Refused, ProductWithoutAStationary) {
  const Ran ran = run_text(R"(
    .tensor m bf16 [2, 4] sbuf+0x0 = ones
    .tensor y fp32 [2, 4] psum+0x0 = [9]
    .engine pe
      nop
      multiply_moving src=m dst=y
)");
  EXPECT_EQ(ran.result.end, RunEnd::fault);
  ASSERT_EQ(ran.result.faults.size(), 1U);
  const Fault& fault = ran.result.faults.front();
  EXPECT_EQ(fault.violation.rule, "load_stationary_missing");
  EXPECT_EQ(fault.engine, Engine::pe);
  EXPECT_EQ(fault.pc, 64U);
  EXPECT_EQ(fault.line, 6U);
  EXPECT_THAT(ran.values<float>("y"), Each(9));
}

TEST(Refused, ForgetsTheStationaryOfTheRunBefore) {
  constexpr const char* kMoving = "    .tensor m bf16 [2, 4] sbuf+0x0 = ones\n    .tensor y fp32 [2, 4] psum+0x0\n";
  const Ran first = run_text(std::string(kMoving) + R"(
    .tensor s bf16 [2, 2] sbuf+0x10 = ones
    .engine pe
      load_stationary src=s
      multiply_moving src=m dst=y
)");
  EXPECT_EQ(rule_of(first), "none");
  const Ran second = run_text(std::string(kMoving) + "    .engine pe\n      multiply_moving src=m dst=y\n");
  EXPECT_EQ(rule_of(second), "load_stationary_missing");
}

TEST(Refused, ATransposeThatOneInstructionKnowsOf) {
  const auto text = [](const char* of_load, const char* of_multiply) {
    return fmt::format(R"(
    .tensor x fp32 [2, 2] sbuf+0x0 = ones
    .tensor y fp32 [2, 2] psum+0x0
    .engine pe
      load_stationary src=x {}
      multiply_moving src=x dst=y {}
)",
                       of_load, of_multiply);
  };
  EXPECT_EQ(rule_of(run_text(text("transpose", ""))), "stationary_transpose_check");
  EXPECT_EQ(rule_of(run_text(text("", "transpose"))), "stationary_transpose_check");
  EXPECT_EQ(rule_of(run_text(text("transpose", "transpose"))), "none");
  EXPECT_EQ(rule_of(run_text(text("", ""))), "none");
}

// ---- time -----------------------------------------------------------------------------------------------------------

std::uint64_t starts(const Ran& ran, std::size_t index) {
  return ran.cycles(Engine::pe, ran.of(Engine::pe).at(index).start);
}
std::uint64_t streams_until(const Ran& ran, std::size_t index) {
  return ran.cycles(Engine::pe, ran.of(Engine::pe).at(index).stream_end);
}

void expect_books_add_up(const Ran& ran) {
  for (Engine engine : kEngines) {
    EXPECT_EQ(ran.result.engines[engine].total(), ran.result.elapsed) << name_of(engine);
  }
}

struct Shape {
  const char* dtype;
  int columns, moving;
  const char* flag;
  std::uint32_t load, multiply;  // cycles
};

TEST(Cost, OfLoadsAndProducts) {
  constexpr Shape kShapes[]{
      {"bf16", 128, 512, "", 32, 512},
      {"bf16", 128, 16, "", 32, 64},  // max(16, min(64, 128))
      {"bf16", 96, 1, "", 24, 64},
      {"bf16", 33, 16, "", 9, 33},  // ceil(33 / 4); max(16, min(64, 33))
      {"bf16", 8, 16, "", 2, 16},
      {"fp16", 1, 1, "", 1, 1},
      {"bf16", 128, 512, "onezero", 32, 512},
      {"fp8_e4m3", 128, 300, "", 32, 300},
      {"fp32", 128, 512, "", 32, 2048},
      {"fp32", 128, 16, "", 32, 256},  // 4 max(16, 64)
      {"fp32", 8, 4, "", 2, 32},
      {"fp32", 128, 512, "onezero", 32, 1024},
  };
  for (const Shape& shape : kShapes) {
    const Ran ran = run_text(fmt::format(R"(
    .tensor s {0} [128, {1}] sbuf+0x0 = ones
    .tensor m {0} [128, {2}] sbuf+0x1000 = ones
    .tensor y fp32 [{1}, {2}] psum+0x0
    .engine pe
      load_stationary src=s {3}
      multiply_moving src=m dst=y {3}
)",
                                         shape.dtype, shape.columns, shape.moving, shape.flag));
    SCOPED_TRACE(fmt::format("{} [128, {}] x [128, {}] {}", shape.dtype, shape.columns, shape.moving, shape.flag));
    ASSERT_EQ(rule_of(ran), "none");
    const auto pe = ran.of(Engine::pe);
    EXPECT_EQ(pe[0].stream_cycles, shape.load);
    EXPECT_EQ(pe[1].stream_cycles, shape.multiply);
    // A product waits for its stationary; its result is visible 400 cycles after its stream.
    EXPECT_EQ(starts(ran, 1), shape.load);
    EXPECT_EQ(streams_until(ran, 1), shape.load + shape.multiply);
    EXPECT_EQ(ran.cycles(Engine::pe, pe[1].end), shape.load + shape.multiply + 400);
    expect_books_add_up(ran);
  }
}

TEST(Overlap, NextLoadRunsBesideTheProduct) {
  const Ran ran = run_text(R"(
    .tensor s bf16 [128, 128] sbuf+0x0 = ones
    .tensor m bf16 [128, 512] sbuf+0x1000 = ones
    .tensor y fp32 [128, 512] psum+0x0
    .tensor z fp32 [128, 512] psum+0x800
    .engine pe
      load_stationary src=s
      multiply_moving src=m dst=y
      load_stationary src=s
      multiply_moving src=m dst=z
)");
  // Loads take 32 cycles, products 512. The second load runs from 32 to 64, while the first product passes until 544.
  EXPECT_EQ(starts(ran, 0), 0U);
  EXPECT_EQ(starts(ran, 1), 32U);
  EXPECT_EQ(starts(ran, 2), 32U);
  EXPECT_EQ(streams_until(ran, 2), 64U);
  EXPECT_EQ(starts(ran, 3), 544U);
  EXPECT_EQ(streams_until(ran, 3), 1056U);
  // Busy without a gap until 1056; the rest, 400 cycles, is the last product's way out.
  expect_books_add_up(ran);
  const EngineTotals& pe = ran.result.engines[Engine::pe];
  EXPECT_EQ(ran.cycles(Engine::pe, pe.busy), 1056U);
  EXPECT_EQ(ran.cycles(Engine::pe, pe.stall[static_cast<std::size_t>(StallCause::idle)]), 400U);
}

TEST(Overlap, LoadsLimitShortProducts) {
  // Products of 8 columns and 8 elements take 8 cycles, loads of 128 columns 32: each load begins with the product
  // before it.
  const Ran ran = run_text(R"(
    .tensor s bf16 [128, 8] sbuf+0x0 = ones
    .tensor b bf16 [128, 128] sbuf+0x1000 = ones
    .tensor m bf16 [128, 512] sbuf+0x2000 = ones
    .tensor y fp32 [8, 8] psum+0x0
    .tensor z fp32 [128, 512] psum+0x800
    .engine pe
      load_stationary src=s
      multiply_moving src=m[:, 0:8] dst=y
      load_stationary src=b
      multiply_moving src=m dst=z
)");
  EXPECT_EQ(starts(ran, 1), 2U);
  EXPECT_EQ(streams_until(ran, 1), 10U);
  EXPECT_EQ(starts(ran, 2), 2U);
  EXPECT_EQ(starts(ran, 3), 34U);
  // From 2 to 10 a product passed, from 10 to 34 the load alone.
  EXPECT_EQ(ran.of(Engine::pe).at(3).stall_cause, StallCause::dependency);
  expect_books_add_up(ran);
}

TEST(Overlap, LoadsFollowTheStartOfTheirPredecessor) {
  // The first product waits for the vector engine; the load behind it does not overtake it.
  const Ran ran = run_text(R"(
    .tensor s bf16 [128, 128] sbuf+0x0 = ones
    .tensor m bf16 [128, 512] sbuf+0x1000
    .tensor y fp32 [128, 512] psum+0x0
    .tensor z fp32 [128, 512] psum+0x800
    .semaphore written 1 = 0
    .engine dve
      memset value=1 dst=m  S[written]++@complete
    .engine pe
      load_stationary src=s
      multiply_moving src=m dst=y  S[written]>=1
      load_stationary src=s
      multiply_moving src=m dst=z
)");
  const auto pe = ran.of(Engine::pe);
  EXPECT_GE(pe[1].start, ran.of(Engine::dve).at(0).end);
  EXPECT_EQ(pe[2].start, pe[1].start);
  EXPECT_EQ(pe[3].start, pe[1].stream_end);
  EXPECT_GT(pe[1].wait_semaphore, 0U);
  EXPECT_THAT(ran.values<float>("z"), Each(128));
  expect_books_add_up(ran);
}

TEST(Overlap, LoadsDoNotOverlapEachOther) {
  // The first stationary is never used: the second load begins when the first has ended, the product after both.
  const Ran ran = run_text(R"(
    .tensor s bf16 [128, 128] sbuf+0x0 = [3]
    .tensor t bf16 [128, 128] sbuf+0x1000 = ones
    .tensor m bf16 [128, 512] sbuf+0x2000 = ones
    .tensor y fp32 [128, 512] psum+0x0
    .engine pe
      load_stationary src=s
      load_stationary src=t
      multiply_moving src=m dst=y
)");
  EXPECT_GE(starts(ran, 1), 32U);
  EXPECT_EQ(starts(ran, 2), streams_until(ran, 1));
  EXPECT_THAT(ran.values<float>("y"), Each(128));
  expect_books_add_up(ran);
}

TEST(Dependency, ProductsThatAddWaitForWhatTheyAddTo) {
  const Ran ran = run_text(R"(
    .tensor s bf16 [128, 128] sbuf+0x0 = ones
    .tensor m bf16 [128, 512] sbuf+0x1000 = ones
    .tensor y fp32 [128, 512] psum+0x0
    .engine pe
      load_stationary src=s
      multiply_moving src=m dst=y accumulate=begin
      multiply_moving src=m dst=y accumulate=end
)");
  // Visible 400 cycles after the stream that ends at 544.
  EXPECT_EQ(starts(ran, 2), 944U);
  EXPECT_EQ(ran.of(Engine::pe).at(2).stall_cause, StallCause::issue);  // 512 of the 912 cycles
  EXPECT_THAT(ran.values<float>("y"), Each(256));
  expect_books_add_up(ran);
}

// ---- values and times without each other ----------------------------------------------------------------------------

std::string identity(int size) {
  std::vector<int> numbers;
  for (int i = 0; i < size * size; ++i) numbers.push_back(i % (size + 1) == 0 ? 1 : 0);
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

// Two steps of a product, and a transpose: vector engine, tensor engine, vector engine.
std::string exchange(const char* generation) {
  return fmt::format(R"(
    .generation {}
    .tensor i fp32 [32, 32] sbuf+0x3000 = {}
    .tensor r fp32 [128, 256] sbuf+0x0000 = random(3)
    .tensor s bf16 [128, 256] sbuf+0x1000
    .tensor m bf16 [128, 512] sbuf+0x2000 = random(4)
    .tensor y fp32 [128, 512] psum+0x0
    .tensor t fp32 [128, 32] psum+0x800
    .tensor z fp32 [128, 544] sbuf+0x4000
    .semaphore cast 1 = 0
    .semaphore product 2 = 0
    .engine dve
      cast src=r[:, 0:128] dst=s[:, 0:128]      S[cast]++
      cast src=r[:, 128:256] dst=s[:, 128:256]  S[cast]++
      copy src=y dst=z[:, 0:512]                S[product]>=2
      copy src=t dst=z[:, 512:544]              S[product]>=3
    .engine pe
      load_stationary src=s[:, 0:128]  S[cast]>=1
      multiply_moving src=m dst=y accumulate=begin  S[product]++
      load_stationary src=s[:, 128:256]  S[cast]>=2
      multiply_moving src=m dst=y accumulate=end  S[product]++
      load_stationary src=r[0:32, 0:128] transpose
      multiply_moving src=i dst=t transpose  S[product]++
)",
                     generation, identity(32));
}

TEST(Independence, ValuesDoNotDependOnRandomStalls) {
  for (const char* generation : {"sunda", "cayman", "mariana"}) {
    const std::string text = exchange(generation);
    const Ran plain = run_text(text);
    ASSERT_EQ(plain.result.end, RunEnd::done);
    for (const char* seed : {"1", "2", "77"}) {
      const Ran stalled = run_text(text, {}, {std::string("debug.random_stall_seed=") + seed});
      EXPECT_EQ(stalled.tensors, plain.tensors) << generation << seed;
      EXPECT_NE(stalled.result.elapsed, plain.result.elapsed) << generation << seed;
      expect_books_add_up(stalled);
    }
    RunOptions functional;
    functional.mode = RunMode::functional_only;
    EXPECT_EQ(run_text(text, functional).tensors, plain.tensors) << generation;
  }
}

TEST(Independence, TimesDoNotDependOnValues) {
  RunOptions timing;
  timing.mode = RunMode::timing_only;
  for (const char* seed : {"0", "5"}) {
    const std::vector<std::string> stalls{std::string("debug.random_stall_seed=") + seed};
    const Ran full = run_text(exchange("cayman"), {}, stalls), bare = run_text(exchange("cayman"), timing, stalls);
    ASSERT_EQ(bare.records.size(), full.records.size());
    EXPECT_EQ(bare.result.elapsed, full.result.elapsed);
    for (std::size_t i = 0; i < full.records.size(); ++i) {
      const InstructionRecord &one = bare.records[i], &other = full.records[i];
      EXPECT_EQ(one.start, other.start) << i;
      EXPECT_EQ(one.stream_end, other.stream_end) << i;
      EXPECT_EQ(one.end, other.end) << i;
      EXPECT_EQ(one.stall, other.stall) << i;
    }
  }
}

}  // namespace
}  // namespace tpb::test
