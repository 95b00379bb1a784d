// TensorTensor, copy and cast against the reference, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "testbench/tests/datapath/datapath_case.h"

namespace tpb::testing {
namespace {

constexpr unsigned kArithmetic[] = {0x00, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x12, 0x13, 0x14, 0x15,
                                    0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x20, 0x21, 0x22, 0x23};
constexpr std::size_t kCounts[] = {1, 2, 3, 4, 6, 8, 12, 15, 16, 17, 24, 32, 36};

// One random TensorTensor of the given types; the destination often lies on a source.
void run_tensor_tensor(DatapathCase& test, unsigned code, Engine engine, Type left_type, Type right_type, Type type,
                       Opcode opcode = Opcode::tensor_tensor_arith) {
  const auto op = static_cast<std::uint8_t>(code);
  const unsigned channels = test.random_channels();
  const std::size_t elements = test.pick<std::size_t>(kCounts);
  const Operand sources[] = {test.random_operand(left_type, elements, channels, 3),
                             test.random_operand(right_type, elements, channels, 3)};
  Operand destination = test.random_operand(type, elements, channels, 3);
  const std::size_t placement = test.below(4);
  if (placement < 2) destination = test.beside(sources[placement], destination);
  for (const Operand& source : sources) test.fill(source);
  const bool exact = engine == Engine::pool && reference::is_integer(left_type) && reference::is_integer(right_type) &&
                     reference::is_integer(type);
  reference::tensor_tensor(test.expected, op, exact, sources[0], sources[1], destination);
  test.execute(tensor_tensor(op, sources[0], sources[1], destination, opcode), engine, sources, destination);
  ASSERT_EQ(test.difference(), "") << "op " << std::hex << int{op} << std::dec << "\n  left  " << describe(sources[0])
                                   << "\n  right " << describe(sources[1]) << "\n  into  " << describe(destination);
}

class EveryArithmeticOperation : public ::testing::TestWithParam<unsigned> {};

TEST_P(EveryArithmeticOperation, MatchesTheReferenceForEveryPairOfTypes) {
  DatapathCase test(GetParam());
  for (const Type left : kTypes) {
    for (const Type type : destination_types()) {
      const Type right = test.pick<Type>(kTypes);
      ASSERT_NO_FATAL_FAILURE(run_tensor_tensor(test, GetParam(), Engine::dve, left, right, type));
    }
    for (const Type right : kTypes) {
      const Type type = test.pick<Type>(destination_types());
      ASSERT_NO_FATAL_FAILURE(run_tensor_tensor(test, GetParam(), Engine::dve, left, right, type));
    }
  }
}

TEST_P(EveryArithmeticOperation, IsExactOnThreeIntegersInAPoolStream) {
  DatapathCase test(GetParam() + 1000U);
  for (const Type left : kIntegerTypes) {
    for (const Type right : kIntegerTypes) {
      const Type type = test.pick<Type>(kIntegerTypes);
      ASSERT_NO_FATAL_FAILURE(run_tensor_tensor(test, GetParam(), Engine::pool, left, right, type));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Codes, EveryArithmeticOperation, ::testing::ValuesIn(kArithmetic),
                         ::testing::PrintToStringParamName());

TEST(IntegerBand, MatchesTheReferenceForEveryPairOfTypes) {
  DatapathCase test(7);
  for (unsigned op = 0xC4; op <= 0xDD; ++op) {
    for (const Type left : kIntegerTypes) {
      for (const Type right : kIntegerTypes) {
        ASSERT_NO_FATAL_FAILURE(run_tensor_tensor(test, static_cast<std::uint8_t>(op), Engine::pool, left, right,
                                                  test.pick<Type>(kIntegerTypes)));
      }
    }
  }
}

TEST(TensorTensor, BitVectorOperationsWorkOnRawBits) {
  DatapathCase test(11);
  static constexpr unsigned kBitvec[] = {0x01, 0x02, 0x03, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11};
  for (const unsigned op : kBitvec) {
    for (const Type left : kIntegerTypes) {
      for (const Type right : kIntegerTypes) {
        for (const Type type : kIntegerTypes) {
          const unsigned width = reference::bytes_of(type);
          if (reference::bytes_of(left) != width || reference::bytes_of(right) != width) continue;  // bitvec_same_size
          ASSERT_NO_FATAL_FAILURE(
              run_tensor_tensor(test, op, Engine::dve, left, right, type, Opcode::tensor_tensor_bitvec));
          ASSERT_NO_FATAL_FAILURE(
              run_tensor_tensor(test, op, Engine::pool, left, right, type, Opcode::tensor_tensor_bitvec));
        }
      }
    }
  }
}

TEST(TensorTensor, ShiftsTakeEveryAmountUpToPastTheWidth) {
  DatapathCase test(12);
  for (const std::uint8_t op : std::initializer_list<std::uint8_t>{0x02, 0x03, 0x10, 0x11}) {
    for (const Type type : kIntegerTypes) {
      const Operand sources[] = {dense(type, 0, 40), dense(type, 256, 40)}, destination = dense(type, 512, 40);
      test.fill(sources[0]);
      for (unsigned c = 0; c < 128; ++c) {
        for (std::size_t i = 0; i < 40; ++i) test.set(sources[1], c, i, static_cast<std::uint32_t>(i));
      }
      reference::tensor_tensor(test.expected, op, false, sources[0], sources[1], destination);
      test.execute(tensor_tensor(op, sources[0], sources[1], destination, Opcode::tensor_tensor_bitvec), Engine::dve,
                   sources, destination);
      ASSERT_EQ(test.difference(), "") << "op " << int{op} << ' ' << describe(sources[0]);
    }
  }
}

TEST(TensorTensor, TakesAnIntegerTensorAndAFloatThroughFp32InAPoolStream) {
  DatapathCase test(8);
  for (int i = 0; i < 20; ++i) {
    ASSERT_NO_FATAL_FAILURE(
        run_tensor_tensor(test, 0x04, Engine::pool, Type::int32, Type::int32, test.pick<Type>(kTypes)));
    ASSERT_NO_FATAL_FAILURE(run_tensor_tensor(test, 0x04, Engine::pool, Type::int32, Type::bf16, Type::int32));
  }
}

TEST(PackedBf16, ComputesInFp32AndWritesTheOutputType) {
  DatapathCase test(9);
  for (const auto& [opcode, op] :
       {std::pair{Opcode::tensor_tensor_add_bf16, 0x04}, std::pair{Opcode::tensor_tensor_mult_bf16, 0x06},
        std::pair{Opcode::tensor_tensor_sub_bf16, 0x05}}) {
    for (const Type type : destination_types()) {
      ASSERT_NO_FATAL_FAILURE(
          run_tensor_tensor(test, static_cast<unsigned>(op), Engine::dve, Type::bf16, Type::bf16, type, opcode));
    }
  }
}

TEST(Copy, ConvertsBetweenAllTypesAndMovesEqualOnesBitByBit) {
  DatapathCase test(10);
  for (const Type from : kTypes) {
    for (const Type to : destination_types()) {
      for (int repetition = 0; repetition < 6; ++repetition) {
        const unsigned channels = test.random_channels();
        const std::size_t elements = test.pick<std::size_t>(kCounts);
        const Operand source = test.random_operand(from, elements, channels, 4);
        Operand destination = test.random_operand(to, elements, channels, 4);
        if (test.below(2) == 0) destination = test.beside(source, destination);
        test.fill(source);
        reference::copy(test.expected, source, destination);
        S4D4_TR bundle{};
        bundle.frame.opcode = static_cast<std::uint8_t>(repetition % 2 == 0 ? Opcode::copy : Opcode::cast);
        test.execute(bundle, Engine::dve, {&source, 1}, destination);
        ASSERT_EQ(test.difference(), "") << describe(source) << "\n into " << describe(destination);
      }
    }
  }
}

}  // namespace
}  // namespace tpb::testing
