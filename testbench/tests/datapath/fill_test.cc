// Memset and Iota.
#include <gtest/gtest.h>

#include "testbench/reference/instructions.h"
#include "testbench/tests/datapath/datapath_case.h"

namespace tpb::testing {
namespace {

constexpr std::size_t kCounts[] = {1, 2, 3, 6, 15, 16, 17, 24, 36};

Instruction memset(std::uint32_t value) {
  D4_MR bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::memset);
  bundle.value = value;
  return bundle;
}
D4_IOTA iota(std::int32_t start, std::array<std::int16_t, 4> step, std::int16_t partition_step) {
  D4_IOTA bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::iota);
  bundle.start = start;
  std::ranges::copy(step, bundle.step);
  bundle.partition_step = partition_step;
  return bundle;
}

TEST(Memset, WritesTheLowBitsOfTheValueAndNothingElse) {
  DatapathCase test(71);
  for (const Type type : destination_types()) {
    for (int repetition = 0; repetition < 5; ++repetition) {
      const Operand destination = test.random_operand(type, test.pick<std::size_t>(kCounts), test.random_channels(), 4);
      // A NaN with a payload among them: bits are not converted.
      const std::uint32_t value = repetition == 0 ? 0x7F800001U : static_cast<std::uint32_t>(test.random());
      reference::fill(test.expected, value, destination);
      test.execute(memset(value), Engine::pool, {}, destination);
      ASSERT_EQ(test.difference(), "") << describe(destination);
    }
  }
}

TEST(Iota, CountsByDimensionAndPartition) {
  // 100 + 1 i + 10 j, less 3 for each partition from the operand's first on.
  DatapathCase test(72);
  Operand destination = dense(Type::int32, 0, 4, 2);
  destination.partition = 64;
  destination.channels = 64;
  test.execute(iota(100, {1, 10, 1, 1}, -3), Engine::pool, {}, destination);
  EXPECT_EQ(test.element(destination, 0, 0), 100U);
  EXPECT_EQ(test.element(destination, 0, 3), 103U);
  EXPECT_EQ(test.element(destination, 0, 6), 112U);
  EXPECT_EQ(test.element(destination, 50, 6), static_cast<std::uint32_t>(112 - 150));
}

TEST(Iota, WrapsAndConverts) {
  DatapathCase test(73);
  // 2^31 - 1 + 1 wraps; uint8 keeps the low eight bits; fp16 of 2049 rounds to 2048, of -1 is BC00.
  const Operand words = dense(Type::int32, 0, 2), bytes = dense(Type::uint8, 64, 2), halves = dense(Type::fp16, 128, 2);
  test.execute(iota(0x7FFFFFFF, {1, 1, 1, 1}, 0), Engine::pool, {}, words);
  EXPECT_EQ(test.element(words, 0, 1), 0x80000000U);
  test.execute(iota(255, {1, 1, 1, 1}, 0), Engine::pool, {}, bytes);
  EXPECT_EQ(test.element(bytes, 0, 0), 255U);
  EXPECT_EQ(test.element(bytes, 0, 1), 0U);
  test.execute(iota(2049, {-2050, 1, 1, 1}, 0), Engine::pool, {}, halves);
  EXPECT_EQ(test.element(halves, 0, 0), 0x6800U);
  EXPECT_EQ(test.element(halves, 0, 1), 0xBC00U);
}

TEST(Iota, MatchesTheReferenceForEveryType) {
  DatapathCase test(74);
  for (const Type type : destination_types()) {
    for (int repetition = 0; repetition < 10; ++repetition) {
      const Operand destination = test.random_operand(type, test.pick<std::size_t>(kCounts), test.random_channels(), 4);
      const auto any = [&] { return static_cast<std::int16_t>(test.random()); };
      const auto small = [&] { return static_cast<std::int16_t>(static_cast<int>(test.below(9)) - 4); };
      const bool large = test.below(2) == 0;
      const std::array<std::int16_t, 4> step =
          large ? std::array{any(), any(), any(), any()} : std::array{small(), small(), small(), small()};
      const std::int16_t partition_step = large ? any() : small();
      const auto start = large ? static_cast<std::int32_t>(test.random()) : static_cast<std::int32_t>(test.below(100));
      reference::iota(test.expected, start, {step[0], step[1], step[2], step[3]}, partition_step, destination);
      test.execute(iota(start, step, partition_step), Engine::pool, {}, destination);
      ASSERT_EQ(test.difference(), "") << describe(destination);
    }
  }
}

}  // namespace
}  // namespace tpb::testing
