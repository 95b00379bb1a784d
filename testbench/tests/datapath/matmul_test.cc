// The PE array against a product one element at a time, and the properties that tell its arithmetic from another.
#include "models/datapath/matmul.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "testbench/reference/engines.h"
#include "testbench/tests/datapath/datapath_case.h"

namespace tpb::testing {
namespace {

constexpr Type kInputs[] = {Type::bf16, Type::fp16, Type::fp32, Type::fp32r, Type::fp8_e4m3, Type::fp8_e5m2};
constexpr Type kOutputs[] = {Type::fp32, Type::bf16};
constexpr float kInfinity = std::numeric_limits<float>::infinity();

void multiply(DatapathCase& test, const Loading& loading, const Moving& moving, const Operand& stationary,
              const Operand& source, const Operand& destination) {
  StationaryTile tile;
  load_stationary(loading, test.view(stationary), tile, test.scratch);
  multiply_moving(moving, tile, test.view(source), test.view(destination), test.scratch);
}

struct RandomProduct {
  Operand stationary, source, destination;

  RandomProduct(DatapathCase& test, Type from, Type moving, Type to) {
    const unsigned rows = test.random_channels(), columns = test.random_channels();
    static constexpr std::size_t kCounts[] = {1, 3, 16, 17, 32, 36};
    const auto elements = test.pick<std::size_t>(kCounts);
    stationary = test.random_operand(from, columns, rows, 3);
    source = test.random_operand(moving, elements, rows, 3);
    destination = test.random_operand(to, elements, columns, 3);
    if (columns <= rows && test.below(3) == 0) destination = test.beside(source, destination);
    for (const Operand& operand : {stationary, source}) {
      test.fill(operand);
      if (operand.type != Type::fp32r) continue;
      // As it is stored: rounded.
      for (unsigned c = 0; c < operand.channels; ++c) {
        for (std::size_t i = 0; i < operand.stream().size(); ++i) {
          test.set(operand, c, i, test.element(operand, c, i) & 0xFFFFFC00U);
        }
      }
    }
  }
  std::string text() const {
    return "\n  " + describe(stationary) + "\n  " + describe(source) + "\n  into " + describe(destination);
  }
};

TEST(Matmul, MatchesTheReferenceForEveryPairOfTypes) {
  DatapathCase test(100);
  for (const Type from : kInputs) {
    for (const Type moving : kInputs) {
      for (const Type to : kOutputs) {
        const RandomProduct operands(test, from, moving, to);
        reference::Product product;
        product.accumulate = test.below(2) == 0;
        product.tfloat32 = from == Type::fp32 && moving == Type::fp32;
        if (product.accumulate) test.fill(operands.destination);
        reference::product(test.expected, product, operands.stationary, operands.source, operands.destination);
        multiply(test, {false, product.tfloat32}, {product.accumulate, product.tfloat32}, operands.stationary,
                 operands.source, operands.destination);
        ASSERT_EQ(test.difference(), "") << operands.text();
      }
    }
  }
}

// Numbers of a few digits, which neither overflow nor hide one another: the order of the sums shows in the last bits.
TEST(Matmul, MatchesTheReferenceWhereRoundingDecides) {
  DatapathCase test(101);
  for (const unsigned rows : {1U, 2U, 8U, 9U, 10U, 16U, 17U, 100U, 128U}) {
    for (const Type to : kOutputs) {
      Operand stationary = dense(Type::fp32, 0, 128), source = dense(Type::fp32, 512, 40);
      const Operand destination = dense(to, 1024, 40);
      stationary.channels = source.channels = rows;
      for (unsigned c = 0; c < rows; ++c) {
        for (std::size_t i = 0; i < 128; ++i) {
          test.set(stationary, c, i, fp32(static_cast<float>(test.below(20001)) / 7919.0F - 1.1F));
          if (i < 40) test.set(source, c, i, fp32(static_cast<float>(test.below(20001)) / 104729.0F - 0.1F));
        }
      }
      reference::product(test.expected, {}, stationary, source, destination);
      multiply(test, {}, {}, stationary, source, destination);
      ASSERT_EQ(test.difference(), "") << rows << " rows";
    }
  }
}

// Integers up to 8, 256 of them in two steps: at most 2^14, exact in every type and order.
TEST(Matmul, TwoAccumulatedStepsOfIntegersAreExact) {
  for (const Type type : {Type::bf16, Type::fp16, Type::fp32}) {
    DatapathCase test(102);
    constexpr unsigned kColumns = 96, kElements = 50;
    const Operand stationary = dense(type, 0, kColumns), source = dense(type, 512, kElements);
    Operand destination = dense(Type::fp32, 1024, kElements);
    destination.channels = kColumns;
    std::vector<std::vector<long>> sums(kColumns, std::vector<long>(kElements));
    for (const bool accumulate : {false, true}) {
      std::vector<std::vector<long>> weights(128), values(128);
      for (unsigned k = 0; k < 128; ++k) {
        for (unsigned m = 0; m < kColumns; ++m) {
          weights[k].push_back(static_cast<long>(test.below(17)) - 8);
          test.set(stationary, k, m, reference::encode(type, static_cast<double>(weights[k][m])));
        }
        for (unsigned n = 0; n < kElements; ++n) {
          values[k].push_back(static_cast<long>(test.below(17)) - 8);
          test.set(source, k, n, reference::encode(type, static_cast<double>(values[k][n])));
        }
      }
      for (unsigned m = 0; m < kColumns; ++m) {
        for (unsigned n = 0; n < kElements; ++n) {
          for (unsigned k = 0; k < 128; ++k) sums[m][n] += weights[k][m] * values[k][n];
        }
      }
      multiply(test, {}, {accumulate, false}, stationary, source, destination);
    }
    for (unsigned m = 0; m < kColumns; ++m) {
      for (unsigned n = 0; n < kElements; ++n) {
        ASSERT_EQ(std::bit_cast<float>(test.element(destination, m, n)), static_cast<float>(sums[m][n]));
      }
    }
  }
}

// One column and one moving element: the sum of the products of two short vectors.
std::uint32_t dot(std::vector<double> weights, std::vector<double> values, Type type, std::optional<float> old = {}) {
  DatapathCase test(103);
  Operand stationary = dense(type, 0, 1), source = dense(type, 64, 1), destination = dense(Type::fp32, 128, 1);
  stationary.channels = source.channels = static_cast<unsigned>(weights.size());
  destination.channels = 1;
  for (unsigned k = 0; k < weights.size(); ++k) {
    test.set(stationary, k, 0, reference::encode(type, weights[k]));
    test.set(source, k, 0, reference::encode(type, values.at(k)));
  }
  if (old) test.set(destination, 0, 0, fp32(*old));
  multiply(test, {}, {old.has_value(), false}, stationary, source, destination);
  return test.element(destination, 0, 0);
}

TEST(Matmul, ProductsAreRoundedBeforeTheyAreAdded) {
  // 2^-149 and then 1.5 x 2^-149, which rounds to 2 of them: 3. Fused, 2.5 would round to 2.
  const double tiny = std::ldexp(1, -75);
  EXPECT_EQ(dot({tiny, 1.5 * tiny}, {2 * tiny, 2 * tiny}, Type::bf16), 3U);
  // -2^127 and then 2^128, which is infinite by itself. Fused, 2^127 would be left.
  const double huge = std::ldexp(1, 127);
  EXPECT_EQ(dot({huge, huge}, {-1, 2}, Type::bf16), fp32(kInfinity));
}

TEST(Matmul, ProductsAreAddedInTheOrderOfThePartitions) {
  // 1 is lost beside 10^8, whose neighbours are 8 apart.
  EXPECT_EQ(dot({1e8, 1, -1e8}, {1, 1, 1}, Type::fp32), fp32(0));
  EXPECT_EQ(dot({1e8, -1e8, 1}, {1, 1, 1}, Type::fp32), fp32(1));
  EXPECT_EQ(dot({1, 1e8, -1e8}, {1, 1, 1}, Type::fp32), fp32(0));
  // Twelve ones after 10^8 are lost one by one, before it they count: 12 rounds to 16 beside it.
  std::vector<double> after(13, 1), before(13, 1), ones(13, 1);
  after[0] = before[12] = 1e8;
  EXPECT_EQ(dot(after, ones, Type::fp32), fp32(1e8F));
  EXPECT_EQ(dot(before, ones, Type::fp32), fp32(100000016.0F));
  // What was there is added when the sum is complete.
  EXPECT_EQ(dot({1e8, 1}, {1, 1}, Type::fp32, -1e8F), fp32(0));
  EXPECT_EQ(dot({8, 1}, {1, 1}, Type::fp32, 1e8F), fp32(100000008.0F));
}

TEST(Matmul, ASumStartsFromTheFirstProduct) {
  EXPECT_EQ(dot({-0.0}, {1}, Type::fp32), 0x80000000U);
  EXPECT_EQ(dot({-0.0, -0.0}, {1, 1}, Type::fp32), 0x80000000U);
}

TEST(Matmul, Tfloat32KeepsTenBits) {
  DatapathCase test(104);
  Operand stationary = dense(Type::fp32, 0, 1), source = dense(Type::fp32, 64, 4),
          destination = dense(Type::fp32, 128, 4);
  stationary.channels = source.channels = destination.channels = 1;
  test.set(stationary, 0, 0, 0x3F800FFF);  // just below half a unit above 1
  // A tie goes down to even, one goes up to even; a NaN stays one; the largest number becomes infinite.
  const std::uint32_t values[] = {0x3F801000, 0x3F803000, 0x7F800001, 0x7F7FFFFF};
  for (std::size_t i = 0; i < 4; ++i) test.set(source, 0, i, values[i]);
  multiply(test, {false, true}, {false, true}, stationary, source, destination);
  const std::uint32_t expected[] = {0x3F800000, 0x3F804000, 0x7FC00000, 0x7F800000};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(test.element(destination, 0, i), expected[i]);
}

// Data of 4 partitions by 3 elements, and an identity of 4.
struct Transpose {
  DatapathCase test{105};
  Operand data = dense(Type::fp32, 0, 3), identity = dense(Type::fp32, 64, 4), result = dense(Type::fp32, 128, 4);

  Transpose() {
    data.channels = identity.channels = 4;
    result.channels = 3;
    for (unsigned k = 0; k < 4; ++k) {
      for (std::size_t m = 0; m < 3; ++m) test.set(data, k, m, fp32(static_cast<float>(10 * k + m)));
      for (std::size_t n = 0; n < 4; ++n) test.set(identity, k, n, fp32(n == k ? 1 : 0));
    }
    test.set(data, 2, 1, 0x7F812345);  // a signalling NaN
    test.set(data, 0, 0, fp32(-kInfinity));
  }
  std::vector<std::uint32_t> row(unsigned m) {
    std::vector<std::uint32_t> codes;
    for (std::size_t n = 0; n < 4; ++n) codes.push_back(test.element(result, m, n));
    return codes;
  }
};

TEST(Matmul, WithTheIdentityANanAndAnInfinitySpread) {
  // Before cayman a transpose is a product: zero times either is NaN, and a NaN leaves as the one NaN.
  EXPECT_FALSE(transposes_bits(Generation::sunda));
  Transpose transpose;
  multiply(transpose.test, {}, {}, transpose.data, transpose.identity, transpose.result);
  constexpr std::uint32_t kNan = 0x7FC00000;
  EXPECT_EQ(transpose.row(0), (std::vector<std::uint32_t>{fp32(-kInfinity), kNan, kNan, kNan}));
  EXPECT_EQ(transpose.row(1), (std::vector<std::uint32_t>{kNan, kNan, kNan, kNan}));
  EXPECT_EQ(transpose.row(2), (std::vector<std::uint32_t>{fp32(2), fp32(12), fp32(22), fp32(32)}));
}

TEST(Matmul, ATransposingArrayMovesBits) {
  for (const Generation generation : kGenerations) {
    EXPECT_EQ(transposes_bits(generation), generation != Generation::sunda);
  }
  Transpose transpose;
  multiply(transpose.test, {true, false}, {}, transpose.data, transpose.identity, transpose.result);
  EXPECT_EQ(transpose.row(0), (std::vector<std::uint32_t>{fp32(-kInfinity), fp32(10), fp32(20), fp32(30)}));
  EXPECT_EQ(transpose.row(1), (std::vector<std::uint32_t>{fp32(1), fp32(11), 0x7F812345, fp32(31)}));
  EXPECT_EQ(transpose.row(2), (std::vector<std::uint32_t>{fp32(2), fp32(12), fp32(22), fp32(32)}));
}

TEST(Matmul, TransposingMatchesTheReferenceForEveryPairOfTypes) {
  DatapathCase test(106);
  for (const Type from : kInputs) {
    for (const Type to : kOutputs) {
      for (int repetition = 0; repetition < 8; ++repetition) {
        const RandomProduct operands(test, from, from, to);
        // Anything, or mostly zeros of either sign, so that one partition is chosen, or none.
        const std::uint32_t sign = 1U << (8 * reference::bytes_of(from) - 1);
        const std::size_t elements = operands.source.stream().size();
        for (unsigned c = 0; c < operands.source.channels && repetition % 2 == 0; ++c) {
          for (std::size_t i = 0; i < elements; ++i) {
            if (test.below(64) != 0) test.set(operands.source, c, i, test.below(2) == 0 ? 0 : sign);
          }
        }
        reference::bitwise_transpose(test.expected, operands.stationary, operands.source, operands.destination);
        multiply(test, {true, false}, {}, operands.stationary, operands.source, operands.destination);
        ASSERT_EQ(test.difference(), "") << operands.text();
      }
    }
  }
}

TEST(Matmul, ATileStaysUntilTheNextIsLoaded) {
  DatapathCase test(107);
  Operand stationary = dense(Type::bf16, 0, 2), source = dense(Type::bf16, 64, 1);
  Operand destination = dense(Type::fp32, 128, 1);
  stationary.channels = source.channels = 3;
  destination.channels = 2;
  for (unsigned k = 0; k < 3; ++k) {
    test.set(stationary, k, 0, reference::encode(Type::bf16, k + 1));
    test.set(stationary, k, 1, reference::encode(Type::bf16, -1));
    test.set(source, k, 0, reference::encode(Type::bf16, 10));
  }
  StationaryTile tile;
  EXPECT_EQ(tile.rows, 0U);
  load_stationary({}, test.view(stationary), tile, test.scratch);
  EXPECT_EQ(tile.rows, 3U);
  EXPECT_EQ(tile.cols, 2U);
  test.set(stationary, 0, 0, reference::encode(Type::bf16, 99));
  for (int i = 0; i < 2; ++i) {
    multiply_moving({}, tile, test.view(source), test.view(destination), test.scratch);
    EXPECT_EQ(test.element(destination, 0, 0), fp32(60));
    EXPECT_EQ(test.element(destination, 1, 0), fp32(-30));
  }
}

}  // namespace
}  // namespace tpb::testing
