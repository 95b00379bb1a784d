// Folds over partitions, and everything that transposes, against the reference.
#include <gtest/gtest.h>

#include "testbench/reference/instructions.h"
#include "testbench/tests/datapath/datapath_case.h"

namespace tpb::testing {
namespace {

enum class Axis : std::uint8_t { everything = 0, channels = 1 };

Instruction cross_lane(Opcode opcode, CrossLaneOp op, Axis axis, float scale = 0) {
  S4D4_CR bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(opcode);
  bundle.reduce_op = static_cast<std::uint8_t>(op);
  bundle.reduce_axis = static_cast<std::uint8_t>(axis);
  bundle.scale = scale;
  return bundle;
}
// Wire opcodes under seed003.
constexpr Opcode kArith = Opcode::tensor_reduce_arith, kBitvec = Opcode::tensor_reduce_bitvec;
constexpr Opcode kTransposingArith = Opcode::transpose_tensor_reduce_arith;
constexpr Opcode kTransposingBitvec = Opcode::transpose_tensor_reduce_bitvec;

Operand one_partition(Operand operand, unsigned partition) {
  operand.partition = partition;
  operand.channels = 1;
  return operand;
}

TEST(CrossLane, AddsPartitionsInIncreasingOrder) {
  // Element 0: 2^24, then 127 ones, each lost to rounding when it comes after 2^24; element 1: the other way round,
  // where the 127 ones add up first.
  DatapathCase test(61);
  const Operand source = dense(Type::fp32, 0, 2);
  const Operand to = one_partition(dense(Type::fp32, 64, 2), 32);
  for (unsigned c = 0; c < 128; ++c) {
    test.set(source, c, 0, fp32(c == 0 ? 16777216.0F : 1.0F));
    test.set(source, c, 1, fp32(c == 127 ? 16777216.0F : 1.0F));
  }
  test.execute(cross_lane(kArith, CrossLaneOp::add, Axis::channels), Engine::pool, {&source, 1}, to);
  EXPECT_EQ(test.element(to, 0, 0), fp32(16777216.0F));
  EXPECT_EQ(test.element(to, 0, 1), fp32(16777216.0F + 128.0F));  // + 127, a tie between 126 and 128, rounded to even
  // Everything: the second of them added to the first.
  const Operand one = one_partition(dense(Type::fp32, 128, 1), 96);
  test.execute(cross_lane(kArith, CrossLaneOp::add, Axis::everything), Engine::pool, {&source, 1}, one);
  EXPECT_EQ(test.element(one, 0, 0), fp32(33554432.0F + 128.0F));
}

TEST(CrossLane, AverageMultipliesEveryElementBeforeItIsAdded) {
  DatapathCase test(62);
  const Operand source = dense(Type::fp32, 0, 1);
  const Operand to = one_partition(dense(Type::fp32, 64, 1), 0);
  for (unsigned c = 0; c < 128; ++c) test.set(source, c, 0, fp32(0x1.8p127F));  // two would overflow
  test.execute(cross_lane(kArith, CrossLaneOp::average, Axis::channels, 1.0F / 128), Engine::pool, {&source, 1}, to);
  EXPECT_EQ(test.element(to, 0, 0), fp32(0x1.8p127F));
}

struct Family {
  Opcode opcode;
  bool bitvec, transposing;
};
class EveryCrossLane : public ::testing::TestWithParam<Family> {};

TEST_P(EveryCrossLane, MatchesTheReferenceOverBothAxes) {
  const auto [opcode, bitvec, transposing] = GetParam();
  DatapathCase test(63);
  static constexpr CrossLaneOp kArithmeticOps[] = {CrossLaneOp::add, CrossLaneOp::average, CrossLaneOp::max};
  static constexpr CrossLaneOp kBitvecOps[] = {CrossLaneOp::bitwise_or, CrossLaneOp::bitwise_and,
                                               CrossLaneOp::bitwise_xor};
  static constexpr std::size_t kCounts[] = {1, 3, 15, 16, 17, 36, 80, 130};
  static constexpr std::size_t kBlocks[] = {32, 64, 96};
  static constexpr unsigned kWholeChannels[] = {32, 64, 96, 128};
  for (const Type from : kTypes) {
    for (const CrossLaneOp op : bitvec ? kBitvecOps : kArithmeticOps) {
      for (const Axis axis : {Axis::channels, Axis::everything}) {
        for (int repetition = 0; repetition < 2; ++repetition) {
          if (bitvec && !reference::is_integer(from)) continue;
          if (bitvec && transposing && reference::bytes_of(from) != 4) continue;
          const Type to = bitvec ? from : test.pick<Type>(destination_types());
          const unsigned channels = transposing ? test.pick<unsigned>(kWholeChannels) : test.random_channels();
          const std::size_t elements = test.pick<std::size_t>(transposing ? std::span<const std::size_t>(kBlocks)
                                                                          : std::span<const std::size_t>(kCounts));
          const Operand source = test.random_operand(from, elements, channels, 4);
          const std::size_t results = axis == Axis::channels ? elements : 1;
          Operand to_one = test.random_operand(to, results, 1, 4);
          if (test.below(2) == 0) to_one = test.beside(source, to_one);
          if (to_one.stream().size() != results) to_one = test.random_operand(to, results, 1, 4);
          test.fill(source);
          const float scale = 1.0F / static_cast<float>(channels);
          const reference::CrossLane reduction{static_cast<std::uint8_t>(op), double{scale}, axis == Axis::everything,
                                               transposing};
          reference::cross_lane(test.expected, reduction, source, to_one);
          test.execute(cross_lane(opcode, op, axis, scale), Engine::pool, {&source, 1}, to_one);
          ASSERT_EQ(test.difference(), "")
              << "op " << static_cast<int>(op) << ' ' << describe(source) << "\n into " << describe(to_one);
        }
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Wire, EveryCrossLane,
                         ::testing::Values(Family{kArith, false, false}, Family{kBitvec, true, false},
                                           Family{kTransposingArith, false, true},
                                           Family{kTransposingBitvec, true, true}));

TEST(StreamTranspose, MovesElementJOfPartitionIToElementIOfPartitionJ) {
  DatapathCase test(64);
  const Operand source = dense(Type::uint16, 0, 64), destination = dense(Type::uint16, 512, 64);
  for (unsigned c = 0; c < 128; ++c) {
    for (std::size_t i = 0; i < 64; ++i) test.set(source, c, i, static_cast<std::uint32_t>(c << 8 | i));
  }
  S4D4_TR bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::stream_transpose);
  test.execute(bundle, Engine::dve, {&source, 1}, destination);
  // Partition 70 is the seventh of the block from 64 on; element 41 the tenth of that from 32 on: it came from
  // partition 64 + 9, element 32 + 6.
  EXPECT_EQ(test.element(destination, 70, 41), 73U << 8 | 38U);
}

TEST(StreamTranspose, MatchesTheReferenceForEveryTypeBitByBitAlsoInPlace) {
  DatapathCase test(65);
  static constexpr std::size_t kBlocks[] = {32, 64, 96};
  static constexpr unsigned kWholeChannels[] = {32, 64, 96, 128};
  for (const Type type : kTypes) {
    for (int repetition = 0; repetition < 8; ++repetition) {
      const unsigned channels = test.pick<unsigned>(kWholeChannels);
      const std::size_t elements = test.pick<std::size_t>(kBlocks);
      const Operand source = test.random_operand(type, elements, channels, 4);
      Operand destination = test.random_operand(type, elements, channels, 4);
      if (test.below(2) == 0) destination = test.beside(source, destination);
      test.fill(source);
      reference::transpose(test.expected, source, destination);
      S4D4_TR bundle{};
      bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::stream_transpose);
      test.execute(bundle, Engine::dve, {&source, 1}, destination);
      ASSERT_EQ(test.difference(), "") << describe(source) << "\n into " << describe(destination);
    }
  }
}

TEST(TransposingReduce, FoldsTheFreeAxisOfTheTransposedSource) {
  // Under `arch` the wire opcodes 83 and 84 are free-axis reductions.
  DatapathCase test(66);
  SemanticsOptions arch;
  arch.reduce_opcodes = SemanticsOptions::ReduceOpcodes::arch;
  static constexpr std::uint8_t kArithmetic[] = {0x04, 0x05, 0x06, 0x08, 0x09, 0x12, 0x17, 0x19, 0x20};
  static constexpr std::uint8_t kBits[] = {0x0A, 0x0B, 0x0C, 0x0D, 0x01, 0x03, 0x10};
  static constexpr unsigned kWholeChannels[] = {32, 64, 96, 128};
  for (const Type from : kTypes) {
    for (const bool bitvec : {false, true}) {
      if (bitvec && (!reference::is_integer(from) || reference::bytes_of(from) != 4)) continue;
      for (const std::uint8_t op : bitvec ? std::span<const std::uint8_t>(kBits) : kArithmetic) {
        const unsigned channels = test.pick<unsigned>(kWholeChannels);
        const Operand source = test.random_operand(from, std::vector<std::uint32_t>{8, 4, 2}, channels);
        const auto dims = static_cast<std::uint8_t>(1 + test.below(4));
        const std::uint64_t window = dims == 1 ? 8 : dims == 2 ? 32 : 64;
        const Type to = bitvec ? from : test.pick<Type>(destination_types());
        Operand destination = test.random_operand(to, 64 / window, channels, 4);
        if (test.below(3) == 0) destination = test.beside(source, destination);
        if (destination.stream().size() != 64 / window) {
          destination = test.random_operand(to, 64 / window, channels, 4);
        }
        const bool negate = !bitvec && test.below(2) == 0;
        test.fill(source);
        reference::transposing_reduce(test.expected, {.op = op, .window = window, .negate = negate}, source,
                                      destination);
        S4D4_TR bundle{};
        bundle.frame.opcode = static_cast<std::uint8_t>(bitvec ? kTransposingBitvec : kTransposingArith);
        bundle.op = op;
        bundle.op_dim = static_cast<std::uint8_t>(dims + 1);
        bundle.negated = negate ? 1 : 0;
        test.execute(bundle, Engine::dve, {&source, 1}, destination, arch);
        ASSERT_EQ(test.difference(), "") << "op " << int{op} << ' ' << describe(source) << "\n into "
                                         << describe(destination);
      }
    }
  }
}

}  // namespace
}  // namespace tpb::testing
