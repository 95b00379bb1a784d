// Cases that the numerics page names, with the values it gives.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "testbench/tests/datapath/datapath_case.h"

namespace tpb::testing {
namespace {

TEST(Pool, AverageOfThreeByThreeIsASumAndOneMultiply) {
  // Nine elements 1, 2 x 8 sum to 17; 17 x 3DE38E39 (the nearest fp32 to 1/9) rounds to 3FF1C71D, while 17 / 9 rounds
  // to 3FF1C71C.
  DatapathCase test(1);
  const Operand source = dense(Type::fp32, 0, 3, 3), destination = dense(Type::fp32, 512, 1);
  for (unsigned c = 0; c < 128; ++c) {
    for (std::size_t i = 0; i < 9; ++i) test.set(source, c, i, fp32(i == 0 ? 1.0F : 2.0F));
  }
  test.execute(pool(PoolFunction::average, std::bit_cast<float>(0x3DE38E39U)), Engine::pool, {&source, 1}, destination);
  for (unsigned c = 0; c < 128; ++c) EXPECT_EQ(test.element(destination, c, 0), 0x3FF1C71DU);
}

TEST(Pool, MaximumOfOnlyMinusInfinityIsMinusTheLargestFloat) {
  DatapathCase test(2);
  const Operand source = dense(Type::fp32, 0, 2, 2), destination = dense(Type::fp32, 512, 1);
  for (unsigned c = 0; c < 128; ++c) {
    for (std::size_t i = 0; i < 4; ++i) test.set(source, c, i, 0xFF800000U);
  }
  test.execute(pool(PoolFunction::max, 1), Engine::pool, {&source, 1}, destination);
  EXPECT_EQ(test.element(destination, 127, 0), 0xFF7FFFFFU);
  SemanticsOptions first;
  first.pool_max = SemanticsOptions::PoolMax::first;
  test.execute(pool(PoolFunction::max, 1), Engine::pool, {&source, 1}, destination, first);
  EXPECT_EQ(test.element(destination, 127, 0), 0xFF800000U);
}

TEST(Pool, MaximumOfOnlyNanIsMinusTheLargestFloatOrNan) {
  DatapathCase test(3);
  const Operand source = dense(Type::fp32, 0, 2, 2), destination = dense(Type::fp32, 512, 1);
  for (unsigned c = 0; c < 128; ++c) {
    for (std::size_t i = 0; i < 4; ++i) test.set(source, c, i, 0xFFC12345U);
  }
  test.execute(pool(PoolFunction::max, 1), Engine::pool, {&source, 1}, destination);
  EXPECT_EQ(test.element(destination, 5, 0), 0xFF7FFFFFU);
  SemanticsOptions first;
  first.pool_max = SemanticsOptions::PoolMax::first;
  test.execute(pool(PoolFunction::max, 1), Engine::pool, {&source, 1}, destination, first);
  EXPECT_EQ(test.element(destination, 5, 0), 0x7FC00000U);
}

TEST(Pool, AverageOf4096HalfPrecisionOnesIsExactlyOne) {
  // The sum is kept in fp32, where 4096 ones add exactly; in fp16 it would stop at 2048. Every element is one 1, read
  // 4096 times by steps of zero; 4096 x 2^-12 = 1.
  DatapathCase test(4);
  Operand source = dense(Type::fp16, 0, 64, 64);
  source.step = {0, 0, 1, 1};
  const Operand destination = dense(Type::fp16, 512, 1);
  for (unsigned c = 0; c < 128; ++c) test.set(source, c, 0, 0x3C00);
  test.execute(pool(PoolFunction::average, 1.0F / 4096), Engine::pool, {&source, 1}, destination);
  for (unsigned c = 0; c < 128; ++c) EXPECT_EQ(test.element(destination, c, 0), 0x3C00U);
}

TEST(Pool, ANanInAnyPlaceOfAWindowLeavesTheSameMaximumInEveryPartition) {
  // Lane c has the NaN at place c % 4 of [1, 2, 3] with it inserted: the maximum is 3 wherever it stands.
  DatapathCase test(5);
  for (const Type type : {Type::fp32, Type::bf16, Type::fp16}) {
    const Operand source = dense(type, 0, 2, 2), destination = dense(Type::fp32, 512, 1);
    for (unsigned c = 0; c < 128; ++c) {
      double next = 1;
      for (std::size_t i = 0; i < 4; ++i) {
        test.set(source, c, i, reference::encode(type, i == c % 4 ? std::numeric_limits<double>::quiet_NaN() : next++));
      }
    }
    for (const auto start : {SemanticsOptions::PoolMax::flt_max, SemanticsOptions::PoolMax::first}) {
      SemanticsOptions semantics;
      semantics.pool_max = start;
      test.execute(pool(PoolFunction::max, 1), Engine::pool, {&source, 1}, destination, semantics);
      for (unsigned c = 0; c < 128; ++c) EXPECT_EQ(test.element(destination, c, 0), fp32(3.0F)) << c;
    }
  }
}

TEST(PackedBf16, ANanInTheLowHalfLeavesTheHighHalfAlone) {
  DatapathCase test(6);
  const Operand sources[] = {dense(Type::bf16, 0, 2), dense(Type::bf16, 256, 2)};
  const Operand destination = dense(Type::bf16, 512, 2);
  for (unsigned c = 0; c < 128; ++c) {
    test.set(sources[0], c, 0, 0x7F81);  // a signalling NaN
    test.set(sources[0], c, 1, 0x3F80);  // 1
    test.set(sources[1], c, 0, 0x4000);  // 2
    test.set(sources[1], c, 1, 0x4000);
  }
  test.execute(tensor_tensor(0x04, sources[0], sources[1], destination, Opcode::tensor_tensor_add_bf16), Engine::dve,
               sources, destination);
  for (unsigned c = 0; c < 128; ++c) {
    EXPECT_EQ(test.element(destination, c, 0), 0x7FC0U);
    EXPECT_EQ(test.element(destination, c, 1), 0x4040U);  // 1 + 2 = 3
  }
}

TEST(PackedBf16, FiveHundredTwelveOnesReduceTo512) {
  // With a bf16 accumulator the sum would stop at 256, where 1 is less than half a unit; fp32 reaches 512 = bf16 4400.
  DatapathCase test(7);
  const Operand source = dense(Type::bf16, 0, 512), destination = dense(Type::bf16, 1024, 1);
  for (unsigned c = 0; c < 128; ++c) {
    for (std::size_t i = 0; i < 512; ++i) test.set(source, c, i, 0x3F80);
  }
  test.execute(tensor_reduce(Opcode::tensor_reduce_add_bf16, 0x04, 2, false), Engine::dve, {&source, 1}, destination);
  for (unsigned c = 0; c < 128; ++c) EXPECT_EQ(test.element(destination, c, 0), 0x4400U);
}

TEST(TensorTensor, MaximumAndMinimumOrderZerosWhicheverSideTheyStandOn) {
  DatapathCase test(8);
  const Operand sources[] = {dense(Type::fp32, 0, 2), dense(Type::fp32, 256, 2)};
  const Operand destination = dense(Type::fp32, 512, 2);
  for (unsigned c = 0; c < 128; ++c) {
    test.set(sources[0], c, 0, 0x00000000);
    test.set(sources[1], c, 0, 0x80000000);
    test.set(sources[0], c, 1, 0x80000000);
    test.set(sources[1], c, 1, 0x00000000);
  }
  for (const auto& [op, zero] : {std::pair{0x08, 0x00000000U}, std::pair{0x09, 0x80000000U}}) {
    test.execute(tensor_tensor(static_cast<std::uint8_t>(op), sources[0], sources[1], destination), Engine::dve,
                 sources, destination);
    EXPECT_EQ(test.element(destination, 3, 0), zero);
    EXPECT_EQ(test.element(destination, 3, 1), zero);
  }
}

TEST(TensorTensor, Int32IsExactInAPoolStreamAndGoesThroughFp32OnDve) {
  // 16777217 + 1: exact 16777218; fp32 cannot hold 2^24 + 1, rounds it to 2^24, adds 1 and rounds to 2^24 again.
  DatapathCase test(9);
  const Operand sources[] = {dense(Type::int32, 0, 1), dense(Type::int32, 256, 1)};
  const Operand destination = dense(Type::int32, 512, 1);
  for (unsigned c = 0; c < 128; ++c) {
    test.set(sources[0], c, 0, 16777217);
    test.set(sources[1], c, 0, 1);
  }
  test.execute(tensor_tensor(0x04, sources[0], sources[1], destination), Engine::pool, sources, destination);
  EXPECT_EQ(test.element(destination, 0, 0), 16777218U);
  test.execute(tensor_tensor(0x04, sources[0], sources[1], destination), Engine::dve, sources, destination);
  EXPECT_EQ(test.element(destination, 0, 0), 16777216U);
}

TEST(TensorTensor, ModHasTheSignOfTheDivisor) {
  // -7 = -3 x 3 + 2 and 7 = -3 x -3 - 2; an infinite divisor of the other sign: floor is -1, so the rest is infinite.
  DatapathCase test(10);
  const Operand sources[] = {dense(Type::fp32, 0, 4), dense(Type::fp32, 256, 4)};
  const Operand destination = dense(Type::fp32, 512, 4);
  const float infinity = std::numeric_limits<float>::infinity();
  const float left[] = {-7, 7, -6, -1}, right[] = {3, -3, 3, infinity}, expected[] = {2, -2, 0, infinity};
  for (unsigned c = 0; c < 128; ++c) {
    for (std::size_t i = 0; i < 4; ++i) {
      test.set(sources[0], c, i, fp32(left[i]));
      test.set(sources[1], c, i, fp32(right[i]));
    }
  }
  test.execute(tensor_tensor(0x1B, sources[0], sources[1], destination), Engine::dve, sources, destination);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(test.element(destination, 64, i), fp32(expected[i])) << i;
}

TEST(TensorTensor, PowerAndModEqualTheLibraryOverTheirWholeRange) {
  // Both have a fast formula that must give way in time: bases of every size and near one, exponents that reach the
  // largest and smallest numbers, quotients up to and past 2^28, and integers, whose powers often lie half way between
  // two fp32 numbers.
  DatapathCase test(14);
  const Operand sources[] = {dense(Type::fp32, 0, 128), dense(Type::fp32, 512, 128)};
  const Operand destination = dense(Type::fp32, 1024, 128);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(test.random);
  };
  for (const std::uint8_t op : std::initializer_list<std::uint8_t>{0x1A, 0x1B}) {
    for (int kind = 0; kind < 6; ++kind) {
      for (std::size_t i = 0; i < 128; ++i) {
        for (unsigned c = 0; c < 128; ++c) {
          double a, b;
          switch (kind) {
            case 0:
              a = std::exp2(uniform(-149, 128)), b = uniform(-2, 2);
              break;
            case 1:
              a = 1 + uniform(-1, 1) * 1e-6, b = uniform(-1e9, 1e9);
              break;
            case 2:
              a = static_cast<double>(test.below(5000)), b = static_cast<double>(test.below(5));
              break;
            case 3:
              a = uniform(0, 100), b = uniform(-75, 75);
              break;
            case 4:
              a = std::exp2(uniform(0, 40)) * (test.below(2) == 0 ? 1 : -1), b = uniform(-10, 10);
              break;
            default:
              a = static_cast<double>(test.below(100000)) - 5e4, b = static_cast<double>(test.below(7)) - 3;
          }
          test.set(sources[0], c, i, reference::encode(Type::fp32, a));
          test.set(sources[1], c, i, reference::encode(Type::fp32, b));
        }
      }
      reference::tensor_tensor(test.expected, op, false, sources[0], sources[1], destination);
      test.execute(tensor_tensor(op, sources[0], sources[1], destination), Engine::dve, sources, destination);
      ASSERT_EQ(test.difference(), "") << "op " << int{op} << " kind " << kind;
    }
  }
}

TEST(TensorReduce, SubtractionKeepsTheAccumulatorOnTheLeft) {
  // ((10 - 1) - 2) - 3 = 4, negated -4.
  DatapathCase test(11);
  const Operand source = dense(Type::int16, 0, 4), destination = dense(Type::int16, 512, 1);
  for (unsigned c = 0; c < 128; ++c) {
    for (std::size_t i = 0; i < 4; ++i) test.set(source, c, i, i == 0 ? 10 : static_cast<std::uint32_t>(i));
  }
  test.execute(tensor_reduce(Opcode::tensor_reduce_arith, 0x05, 2, true), Engine::dve, {&source, 1}, destination);
  EXPECT_EQ(test.element(destination, 0, 0), 0xFFFCU);
}

TEST(Copy, ADestinationVisitedTwiceKeepsTheLast) {
  DatapathCase test(12);
  const Operand source = dense(Type::uint8, 0, 20);
  Operand destination = dense(Type::uint8, 513, 20);
  destination.step = {0, 1, 1, 1};
  for (unsigned c = 0; c < 128; ++c) {
    for (std::size_t i = 0; i < 20; ++i) test.set(source, c, i, static_cast<std::uint32_t>(i));
  }
  S4D4_TR bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::copy);
  test.execute(bundle, Engine::dve, {&source, 1}, destination);
  EXPECT_EQ(test.element(destination, 99, 0), 19U);
}

TEST(Execute, ControlBundlesDoNothing) {
  DatapathCase test(13);
  const std::vector<std::uint32_t> before = test.rows;
  execute(ControlBundle{}, Engine::pool, {}, {}, test.state, test.scratch);
  EXPECT_EQ(test.rows, before);
}

TEST(Reference, SharesNothingWithTheModels) {
  for (const auto& entry : std::filesystem::directory_iterator(TPB_SOURCE_DIR "/testbench/reference")) {
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(text.find("models/"), std::string::npos) << entry.path();
    EXPECT_EQ(text.find("tpb_datapath"), std::string::npos) << entry.path();
  }
}

}  // namespace
}  // namespace tpb::testing
