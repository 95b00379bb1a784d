// Pool and TensorReduce against the reference, bit for bit.
#include <gtest/gtest.h>

#include <cfloat>

#include "testbench/tests/datapath/datapath_case.h"

namespace tpb::testing {
namespace {

constexpr unsigned kArithmetic[] = {0x00, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x12, 0x13, 0x14,
                                    0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1D, 0x20, 0x21};
constexpr std::uint8_t kBitvec[] = {0x01, 0x02, 0x03, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11};

// Up to four counts that multiply to at most 80.
std::vector<std::uint32_t> random_counts(DatapathCase& test) {
  std::vector<std::uint32_t> counts(4, 1);
  std::uint32_t product = 1;
  for (std::uint32_t& count : counts) {
    count = 1 + static_cast<std::uint32_t>(test.below(std::min<std::size_t>(80 / product, 20)));
    product *= count;
  }
  return counts;
}

// Sources of a fold over the `dims` innermost counts, with a destination of one element per window.
struct FoldOperands {
  Operand source, destination;
  std::uint64_t window = 1;
};
FoldOperands random_fold(DatapathCase& test, Type from, Type to, unsigned dims) {
  FoldOperands operands;
  const std::vector<std::uint32_t> counts = random_counts(test);
  const unsigned channels = test.random_channels();
  std::uint64_t results = 1;
  for (unsigned d = 0; d < 4; ++d) (d < dims ? operands.window : results) *= counts[d];
  operands.source = test.random_operand(from, counts, channels);
  operands.destination = test.random_operand(to, results, channels, 4);
  if (test.below(3) == 0) operands.destination = test.beside(operands.source, operands.destination);
  // A destination that took the source's walk has as many elements as the source: only for windows of one.
  if (operands.destination.stream().size() != results)
    operands.destination = test.random_operand(to, results, channels, 4);
  test.fill(operands.source);
  return operands;
}

std::string text_of(const FoldOperands& operands) {
  return describe(operands.source) + "\n  into " + describe(operands.destination) + "\n  window " +
         std::to_string(operands.window);
}

void run_reduce(DatapathCase& test, Opcode role, unsigned code, bool op_byte, Type from, Type to, bool negate) {
  const auto op = static_cast<std::uint8_t>(code);
  const auto axis = static_cast<std::uint8_t>(1 + test.below(4));  // X, XY, XYZ, XYZW
  const FoldOperands operands = random_fold(test, from, to, axis);
  reference::Reduction reduction;
  reduction.op = op;
  reduction.window = operands.window;
  reduction.negate = negate;
  reference::reduce(test.expected, reduction, operands.source, operands.destination);
  test.execute(tensor_reduce(role, op_byte ? op : 0, static_cast<std::uint8_t>(axis + 1), negate), Engine::dve,
               {&operands.source, 1}, operands.destination);
  ASSERT_EQ(test.difference(), "") << "op " << std::hex << int{op} << std::dec << (negate ? " negated\n  " : "\n  ")
                                   << text_of(operands);
}

class EveryReduction : public ::testing::TestWithParam<unsigned> {};

TEST_P(EveryReduction, FoldsInStreamOrderThroughFp32) {
  DatapathCase test(GetParam() + 100U);
  for (const Type from : kTypes) {
    for (const Type to : destination_types()) {
      ASSERT_NO_FATAL_FAILURE(
          run_reduce(test, Opcode::tensor_reduce_arith, GetParam(), true, from, to, test.below(3) == 0));
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Codes, EveryReduction, ::testing::ValuesIn(kArithmetic), ::testing::PrintToStringParamName());

TEST(TensorReduce, BitVectorOperationsFoldRawBits) {
  DatapathCase test(11);
  for (const std::uint8_t op : kBitvec) {
    for (const Type from : kIntegerTypes) {
      for (const Type to : kIntegerTypes) {
        if (reference::bytes_of(from) != reference::bytes_of(to)) continue;  // bitvec_same_size
        for (int i = 0; i < 4; ++i) {
          ASSERT_NO_FATAL_FAILURE(run_reduce(test, Opcode::tensor_reduce_bitvec, op, true, from, to, false));
        }
      }
    }
  }
}

TEST(TensorReduce, ShiftsTakeSmallAmountsToo) {
  // Random amounts are nearly always past the width; here every element after the first is 0..9.
  DatapathCase test(12);
  for (const std::uint8_t op : std::initializer_list<std::uint8_t>{0x02, 0x03, 0x10, 0x11}) {
    for (const Type type : kIntegerTypes) {
      Operand source;
      source.type = type;
      source.num = {3, 10, 1, 1};
      source.step = {1, 3, 1, 1};
      Operand destination = source;
      destination.byte = 1024;
      destination.num = {10, 1, 1, 1};
      for (std::size_t i = 0; i < 30; ++i) {
        for (unsigned c = 0; c < 128; ++c) {
          test.set(source, c, i, i % 3 == 0 ? test.random_code(type) : static_cast<std::uint32_t>(test.below(10)));
        }
      }
      reference::reduce(test.expected, {.op = op, .window = 3}, source, destination);
      test.execute(tensor_reduce(Opcode::tensor_reduce_bitvec, op, 2, false), Engine::dve, {&source, 1}, destination);
      ASSERT_EQ(test.difference(), "") << "op " << int{op} << ' ' << describe(source);
    }
  }
}

TEST(TensorReduce, IntegerBandFoldsExactIntegers) {
  DatapathCase test(13);
  for (const Type from : kIntegerTypes) {
    for (const Type to : kIntegerTypes) {
      for (const bool negate : {false, true}) {
        ASSERT_NO_FATAL_FAILURE(run_reduce(test, Opcode::tensor_reduce_arith, 0xC8, true, from, to, negate));
      }
    }
  }
}

TEST(TensorReduce, PackedPairTakesItsOperationFromTheOpcode) {
  DatapathCase test(14);
  for (const Type to : destination_types()) {
    for (const bool negate : {false, true}) {
      ASSERT_NO_FATAL_FAILURE(run_reduce(test, Opcode::tensor_reduce_add_bf16, 0x04, false, Type::bf16, to, negate));
      ASSERT_NO_FATAL_FAILURE(run_reduce(test, Opcode::tensor_reduce_max_bf16, 0x08, false, Type::bf16, to, negate));
    }
  }
}

TEST(TensorReduce, AccumulateNegatesThenCombinesWithTheOldDestination) {
  // No field of a bundle selects this; the datapath function has it.
  DatapathCase test(15);
  for (const std::uint8_t op : std::initializer_list<std::uint8_t>{0x04, 0x05, 0x08, 0x0A, 0xC8}) {
    for (const Type from : kTypes) {
      const bool integers = op == 0x0A || op == 0xC8;
      if (integers && !reference::is_integer(from)) continue;
      for (const bool negate : {false, true}) {
        if (negate && op == 0x0A) continue;
        const FoldOperands operands = random_fold(test, from, integers ? from : test.pick<Type>(kTypes), 2);
        test.fill(operands.destination);
        const reference::Reduction reduction{.op = op, .window = operands.window, .negate = negate, .accumulate = true};
        reference::reduce(test.expected, reduction, operands.source, operands.destination);
        Fold same;
        same.op = static_cast<AluOp>(op);
        same.window = operands.window;
        same.negate = negate;
        same.accumulate = true;
        fold(same, test.view(operands.source), test.view(operands.destination), test.scratch);
        ASSERT_EQ(test.difference(), "") << "op " << int{op} << "\n  " << text_of(operands);
      }
    }
  }
}

TEST(TensorReduce, AverageDividesEveryElementBeforeItIsAdded) {
  DatapathCase test(16);
  for (const Type from : kTypes) {
    for (const Type to : destination_types()) {
      const FoldOperands operands = random_fold(test, from, to, 2);
      const reference::Reduction reduction{
          .op = 0x04, .window = operands.window, .divisor = static_cast<double>(operands.window)};
      reference::reduce(test.expected, reduction, operands.source, operands.destination);
      fold(average_fold(operands.window), test.view(operands.source), test.view(operands.destination), test.scratch);
      ASSERT_EQ(test.difference(), "") << text_of(operands);
    }
  }
}

TEST(Pool, MaximumAndAverageMatchTheReference) {
  DatapathCase test(17);
  for (const Type from : kTypes) {
    for (const Type to : destination_types()) {
      for (const PoolFunction function : {PoolFunction::max, PoolFunction::average}) {
        for (const auto start : {SemanticsOptions::PoolMax::flt_max, SemanticsOptions::PoolMax::first}) {
          const FoldOperands operands = random_fold(test, from, to, 2);
          const bool average = function == PoolFunction::average;
          const float scale = average ? 1.0F / static_cast<float>(operands.window) : 1.0F;
          reference::Reduction reduction{.op = static_cast<std::uint8_t>(average ? 0x04 : 0x08),
                                         .window = operands.window,
                                         .scale = double{scale}};
          if (!average && start == SemanticsOptions::PoolMax::flt_max) reduction.start = -double{FLT_MAX};
          reference::reduce(test.expected, reduction, operands.source, operands.destination);
          SemanticsOptions semantics;
          semantics.pool_max = start;
          test.execute(pool(function, scale), Engine::pool, {&operands.source, 1}, operands.destination, semantics);
          ASSERT_EQ(test.difference(), "") << (average ? "average " : "max ") << text_of(operands);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tpb::testing
