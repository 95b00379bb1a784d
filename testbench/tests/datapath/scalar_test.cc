// TensorScalar, ScalarTensorTensor, scans and accumulators against the reference, and the documents' examples.
#include <gtest/gtest.h>

#include <limits>

#include "testbench/reference/instructions.h"
#include "testbench/tests/datapath/datapath_case.h"

namespace tpb::testing {
namespace {

constexpr std::uint8_t kArithmetic[] = {0x00, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x12, 0x13, 0x14, 0x15,
                                        0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1D, 0x20, 0x21, 0x22, 0x23};
constexpr std::uint8_t kBitvec[] = {0x01, 0x02, 0x03, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11};
constexpr std::uint8_t kAccumulating[] = {0x04, 0x05, 0x06, 0x08, 0x09};
constexpr std::size_t kCounts[] = {1, 2, 3, 6, 15, 16, 17, 24, 32, 36};
constexpr float kInfinity = std::numeric_limits<float>::infinity();

S3D3_TS tensor_scalar(Opcode opcode, std::uint8_t op0, std::uint8_t op1 = 0) {
  S3D3_TS bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(opcode);
  bundle.op0 = op0;
  bundle.op1 = op1;
  return bundle;
}
S2S2D2_STT scalar_tensor_tensor(Opcode opcode, std::uint8_t op0, std::uint8_t op1) {
  S2S2D2_STT bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(opcode);
  bundle.op0 = op0;
  bundle.op1 = op1;
  bundle.imm0_dtype = static_cast<std::uint8_t>(Dtype::fp32);
  return bundle;
}

// Operands of one random instruction: tensors, a destination that often lies on one of them, then scalars in memory.
struct RandomOperands {
  std::vector<Operand> sources;
  Operand destination;

  RandomOperands(DatapathCase& test, std::initializer_list<Type> from, Type to, unsigned dims) {
    const unsigned channels = test.random_channels();
    const std::size_t elements = test.pick<std::size_t>(kCounts);
    for (const Type type : from) sources.push_back(test.random_operand(type, elements, channels, dims));
    destination = test.random_operand(to, elements, channels, dims);
    const std::size_t placement = test.below(4);
    if (placement < sources.size()) destination = test.beside(sources[placement], destination);
    for (const Operand& source : sources) test.fill(source);
  }
  // An immediate word, or a pointer; what the bundle says of it goes to `source` and `word`.
  reference::Scalar scalar(DatapathCase& test, Type type, std::uint8_t& source, std::uint32_t& word) {
    word = test.random_code(type);
    reference::Scalar scalar{type, word, {}};
    source = static_cast<std::uint8_t>(test.below(2));
    if (source == static_cast<std::uint8_t>(ImmediateSource::pointer)) {
      sources.push_back(test.random_scalar(type, destination));
      test.fill(sources.back());
      scalar.pointed = sources.back();
    }
    return scalar;
  }
  std::string text() const {
    std::string lines;
    for (const Operand& source : sources) lines += "\n  " + describe(source);
    return lines + "\n  into " + describe(destination);
  }
};

void run_tensor_scalar(DatapathCase& test, Opcode opcode, std::uint8_t op0, std::span<const std::uint8_t> ops,
                       Type from, Type to) {
  const bool bitvec = opcode == Opcode::tensor_scalar_bitvec;
  const Type scalar = bitvec ? Type::uint32 : Type::fp32;
  RandomOperands operands(test, {from}, to, 3);
  S3D3_TS bundle = tensor_scalar(opcode, op0);
  reference::Steps steps;
  steps.op0 = op0;
  steps.first = operands.scalar(test, scalar, bundle.imm0_src, bundle.imm0);
  steps.reverse0 = test.below(2) == 0;
  if (test.below(3) != 0) {
    bundle.op1 = test.pick<std::uint8_t>(ops);
    if (bundle.op1 != 0) {
      steps.op1 = bundle.op1;
      steps.second = operands.scalar(test, scalar, bundle.imm1_src, bundle.imm1);
      steps.reverse1 = test.below(2) == 0;
    }
  }
  bundle.reverse = static_cast<std::uint8_t>((steps.reverse0 ? 1 : 0) | (steps.reverse1 ? 2 : 0));
  // Shift amounts of a few bits.
  if (bitvec && test.below(2) == 0) {
    if (!steps.first.pointed) bundle.imm0 = steps.first.word = static_cast<std::uint32_t>(test.below(34));
    if (!steps.second.pointed) bundle.imm1 = steps.second.word = static_cast<std::uint32_t>(test.below(34));
  }
  reference::element_wise(test.expected, steps, operands.sources[0], operands.destination);
  test.execute(bundle, Engine::dve, operands.sources, operands.destination);
  ASSERT_EQ(test.difference(), "") << "ops " << std::hex << int{op0} << ' ' << int{bundle.op1} << " reverse "
                                   << int{bundle.reverse} << operands.text();
}

class EveryScalarOperation : public ::testing::TestWithParam<unsigned> {};

TEST_P(EveryScalarOperation, MatchesTheReferenceForEveryPairOfTypes) {
  DatapathCase test(GetParam());
  for (const Type from : kTypes) {
    for (const Type to : destination_types()) {
      ASSERT_NO_FATAL_FAILURE(run_tensor_scalar(test, Opcode::tensor_scalar_arith,
                                                static_cast<std::uint8_t>(GetParam()), kArithmetic, from, to));
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Codes, EveryScalarOperation,
                         ::testing::ValuesIn(std::vector<unsigned>(std::begin(kArithmetic), std::end(kArithmetic))),
                         ::testing::PrintToStringParamName());

TEST(TensorScalar, BitVectorOperationsWorkOnTheBitsOfAnElement) {
  DatapathCase test(41);
  for (const std::uint8_t op0 : kBitvec) {
    for (const Type from : kIntegerTypes) {
      for (const Type to : kIntegerTypes) {
        if (reference::bytes_of(from) != reference::bytes_of(to)) continue;  // bitvec_same_size
        for (int i = 0; i < 10; ++i) {
          ASSERT_NO_FATAL_FAILURE(run_tensor_scalar(test, Opcode::tensor_scalar_bitvec, op0, kBitvec, from, to));
        }
      }
    }
  }
}

TEST(TensorScalar, TheIntermediateIsNotNarrowed) {
  // 200 + 100 - 250 in uint8 is 50; were the 300 narrowed between, it would be 255 - 250 = 5.
  DatapathCase test(42);
  const Operand source = dense(Type::uint8, 0, 1), destination = dense(Type::uint8, 64, 1);
  for (unsigned c = 0; c < 128; ++c) test.set(source, c, 0, 200);
  S3D3_TS bundle = tensor_scalar(Opcode::tensor_scalar_arith, 0x04, 0x05);
  bundle.imm0 = fp32(100);
  bundle.imm1 = fp32(250);
  test.execute(bundle, Engine::dve, {&source, 1}, destination);
  EXPECT_EQ(test.element(destination, 9, 0), 50U);
  // The immediate on the left of the second operation: 250 - 300 saturates at 0.
  bundle.reverse = 2;
  test.execute(bundle, Engine::dve, {&source, 1}, destination);
  EXPECT_EQ(test.element(destination, 9, 0), 0U);
  // Bits: not 0F in 8 bits is F0, shifted right by 4 is 0F, without ones from above.
  for (unsigned c = 0; c < 128; ++c) test.set(source, c, 0, 0x0F);
  S3D3_TS bits = tensor_scalar(Opcode::tensor_scalar_bitvec, 0x01, 0x11);
  bits.imm1 = 4;
  test.execute(bits, Engine::dve, {&source, 1}, destination);
  EXPECT_EQ(test.element(destination, 9, 0), 0x0FU);
}

TEST(TensorScalar, AShiftAmountIsTheWholeWordAndOtherOperandsTheElementsBits) {
  DatapathCase test(43);
  const Operand source = dense(Type::uint8, 0, 1), destination = dense(Type::uint8, 64, 1);
  for (unsigned c = 0; c < 128; ++c) test.set(source, c, 0, 0x81);
  S3D3_TS shift = tensor_scalar(Opcode::tensor_scalar_bitvec, 0x10);
  shift.imm0 = 0x101;  // 257, not 1
  test.execute(shift, Engine::dve, {&source, 1}, destination);
  EXPECT_EQ(test.element(destination, 0, 0), 0U);
  S3D3_TS logical = tensor_scalar(Opcode::tensor_scalar_bitvec, 0x0D);
  logical.imm0 = 0x100;  // 0 in eight bits
  test.execute(logical, Engine::dve, {&source, 1}, destination);
  EXPECT_EQ(test.element(destination, 0, 0), 0U);
}

TEST(ScalarTensorTensor, MatchesTheReferenceForEveryOperation) {
  DatapathCase test(44);
  for (const std::uint8_t op0 : kArithmetic) {
    for (const std::uint8_t op1 : kArithmetic) {
      RandomOperands operands(test, {test.pick<Type>(kTypes), test.pick<Type>(kTypes)},
                              test.pick<Type>(destination_types()), 2);
      S2S2D2_STT bundle = scalar_tensor_tensor(Opcode::scalar_tensor_tensor_arith, op0, op1);
      reference::Steps steps;
      steps.op0 = op0;
      steps.op1 = op1;
      steps.tensor = operands.sources[1];
      steps.first = operands.scalar(test, Type::fp32, bundle.imm0_src, bundle.imm0);
      steps.reverse0 = test.below(2) == 0;
      steps.reverse1 = test.below(2) == 0;
      bundle.reverse = static_cast<std::uint8_t>((steps.reverse0 ? 1 : 0) | (steps.reverse1 ? 2 : 0));
      reference::element_wise(test.expected, steps, operands.sources[0], operands.destination);
      test.execute(bundle, Engine::dve, operands.sources, operands.destination);
      ASSERT_EQ(test.difference(), "") << "ops " << std::hex << int{op0} << ' ' << int{op1} << " reverse "
                                       << int{bundle.reverse} << operands.text();
    }
  }
}

TEST(ScalarTensorTensor, BitVectorOperationsWorkOnTheBitsOfAnElement) {
  DatapathCase test(45);
  for (const std::uint8_t op0 : kBitvec) {
    for (const std::uint8_t op1 : kBitvec) {
      for (const Type type : kIntegerTypes) {
        RandomOperands operands(test, {type, type}, type, 2);
        S2S2D2_STT bundle = scalar_tensor_tensor(Opcode::scalar_tensor_tensor_bitvec, op0, op1);
        const Type scalar = test.below(2) == 0 ? Type::int32 : Type::uint32;
        bundle.imm0_dtype = static_cast<std::uint8_t>(scalar);
        reference::Steps steps;
        steps.op0 = op0;
        steps.op1 = op1;
        steps.tensor = operands.sources[1];
        steps.first = operands.scalar(test, scalar, bundle.imm0_src, bundle.imm0);
        steps.reverse0 = test.below(2) == 0;
        steps.reverse1 = test.below(2) == 0;
        bundle.reverse = static_cast<std::uint8_t>((steps.reverse0 ? 1 : 0) | (steps.reverse1 ? 2 : 0));
        reference::element_wise(test.expected, steps, operands.sources[0], operands.destination);
        test.execute(bundle, Engine::dve, operands.sources, operands.destination);
        ASSERT_EQ(test.difference(), "") << "ops " << std::hex << int{op0} << ' ' << int{op1} << operands.text();
      }
    }
  }
}

// What the accumulators must hold: those of the instruction's lanes change, the others stay.
void randomize(DatapathCase& test) {
  for (std::uint32_t& lane : test.state.accumulator) lane = test.random_code(Type::fp32);
}
std::vector<std::uint32_t> with(const LaneState::Lanes& before, const reference::Registers& registers) {
  std::vector<std::uint32_t> lanes(before.begin(), before.end());
  for (std::size_t c = 0; c < registers.size(); ++c) lanes[c] = reference::encode(Type::fp32, registers[c]);
  return lanes;
}
std::vector<std::uint32_t> accumulators(const DatapathCase& test) {
  return {test.state.accumulator.begin(), test.state.accumulator.end()};
}

TEST(CacheReduce, FoldsTheResultsBeforeTheyAreNarrowed) {
  DatapathCase test(46);
  for (const std::uint8_t op0 : kArithmetic) {
    for (const std::uint8_t op : kAccumulating) {
      RandomOperands operands(test, {test.pick<Type>(kTypes)}, test.pick<Type>(destination_types()), 3);
      S3D3_TS bundle = tensor_scalar(Opcode::tensor_scalar_cache_reduce, op0, op);
      bundle.accumulator_cmd = static_cast<std::uint8_t>(AccumulatorCommand::reset_reduce);
      reference::Steps steps;
      steps.op0 = op0;
      steps.first = operands.scalar(test, Type::fp32, bundle.imm0_src, bundle.imm0);
      randomize(test);
      reference::Registers registers;
      for (const auto& values :
           reference::element_wise(test.expected, steps, operands.sources[0], operands.destination)) {
        double fold = values[0];
        for (std::size_t i = 1; i < values.size(); ++i) fold = reference::arithmetic(op, fold, values[i]);
        registers.push_back(fold);
      }
      const auto expected = with(test.state.accumulator, registers);
      test.execute(bundle, Engine::dve, operands.sources, operands.destination);
      ASSERT_EQ(test.difference(), "") << "ops " << std::hex << int{op0} << ' ' << int{op} << operands.text();
      ASSERT_EQ(accumulators(test), expected) << "ops " << std::hex << int{op0} << ' ' << int{op} << operands.text();
    }
  }
}

TEST(CacheReduce, TakesEveryResultOfADestinationThatKeepsTheLast) {
  // All four results are written to one place: 1 + 2 + 3 + 4, of which the 4 stays.
  DatapathCase test(53);
  const Operand source = dense(Type::fp32, 0, 4);
  Operand destination = dense(Type::fp32, 64, 4);
  destination.step[0] = 0;
  for (unsigned c = 0; c < 128; ++c) {
    for (std::size_t i = 0; i < 4; ++i) test.set(source, c, i, fp32(static_cast<float>(i + 1)));
  }
  S3D3_TS bundle = tensor_scalar(Opcode::tensor_scalar_cache_reduce, 0x06, 0x04);
  bundle.imm0 = fp32(1);
  test.execute(bundle, Engine::dve, {&source, 1}, destination);
  EXPECT_EQ(test.state.accumulator[3], fp32(10));
  EXPECT_EQ(test.element(destination, 3, 0), fp32(4));
}

TEST(ReadAccumulator, WritesOneNarrowedElementPerPartition) {
  DatapathCase test(47);
  for (const Type to : destination_types()) {
    for (int repetition = 0; repetition < 5; ++repetition) {
      const Operand destination = test.random_operand(to, 1, test.random_channels(), 1);
      for (unsigned c = 0; c < 128; ++c) {
        const double value = reference::decode(Type::fp32, test.random_code(Type::fp32));
        test.state.accumulator[c] = reference::encode(Type::fp32, value);
        if (c < destination.channels) {
          test.expected.store(destination.partition + c, destination.byte, reference::bytes_of(to),
                              reference::encode(to, value));
        }
      }
      D1_RD bundle{};
      bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::dve_read_accumulator);
      test.execute(bundle, Engine::dve, {}, destination);
      ASSERT_EQ(test.difference(), "") << describe(destination);
    }
  }
}

TEST(Cumulative, TheDocumentedExampleFromEveryStart) {
  DatapathCase test(48);
  const Operand source = dense(Type::fp32, 0, 3), destination = dense(Type::fp32, 64, 3);
  const float values[] = {5, 3, 1};
  for (unsigned c = 0; c < 128; ++c) {
    for (std::size_t i = 0; i < 3; ++i) test.set(source, c, i, fp32(values[i]));
  }
  const auto results = [&](std::uint8_t op1, AccumulatorCommand command, float imm1 = 0) {
    S3D3_TS bundle = tensor_scalar(Opcode::tensor_scalar_cumulative, 0x04, op1);
    bundle.accumulator_cmd = static_cast<std::uint8_t>(command);
    bundle.imm1 = fp32(imm1);
    test.execute(bundle, Engine::dve, {&source, 1}, destination);
    std::vector<float> all;
    for (std::size_t i = 0; i < 3; ++i) all.push_back(std::bit_cast<float>(test.element(destination, 33, i)));
    return all;
  };
  using Command = AccumulatorCommand;
  // 5 - 0, 3 - 5, 1 - -2; then on from 3: 5 - 3, 3 - 2, 1 - 1; then from 10: 5 - 10, 3 - -5, 1 - 8.
  EXPECT_EQ(results(0x05, Command::reset_reduce), (std::vector<float>{5, -2, 3}));
  EXPECT_EQ(results(0x05, Command::reduce), (std::vector<float>{2, 1, 0}));
  EXPECT_EQ(results(0x05, Command::load_reduce, 10), (std::vector<float>{-5, 8, -7}));
  EXPECT_EQ(results(0x04, Command::reset_reduce), (std::vector<float>{5, 8, 9}));
  EXPECT_EQ(results(0x06, Command::reset_reduce), (std::vector<float>{5, 15, 15}));
  EXPECT_EQ(results(0x08, Command::reset_reduce), (std::vector<float>{5, 5, 5}));
  EXPECT_EQ(results(0x09, Command::reset_reduce), (std::vector<float>{5, 3, 1}));
}

TEST(Cumulative, MatchesTheReferenceForEveryCommand) {
  DatapathCase test(49);
  for (const std::uint8_t op0 : kArithmetic) {
    for (const std::uint8_t op1 : kAccumulating) {
      for (const auto command :
           {AccumulatorCommand::reset_reduce, AccumulatorCommand::reduce, AccumulatorCommand::load_reduce}) {
        RandomOperands operands(test, {test.pick<Type>(kTypes)}, test.pick<Type>(destination_types()), 3);
        S3D3_TS bundle = tensor_scalar(Opcode::tensor_scalar_cumulative, op0, op1);
        bundle.accumulator_cmd = static_cast<std::uint8_t>(command);
        const auto imm0 = operands.scalar(test, Type::fp32, bundle.imm0_src, bundle.imm0);
        randomize(test);
        const unsigned channels = operands.destination.channels;
        reference::Registers registers;
        if (command == AccumulatorCommand::load_reduce) {
          const auto imm1 = operands.scalar(test, Type::fp32, bundle.imm1_src, bundle.imm1);
          registers = reference::registers_of(test.expected, imm1, channels);
        } else if (command == AccumulatorCommand::reduce) {
          for (unsigned c = 0; c < channels; ++c) {
            registers.push_back(reference::decode(Type::fp32, test.state.accumulator[c]));
          }
        } else {
          const double start = op1 == 0x06 ? 1 : op1 == 0x08 ? -kInfinity : op1 == 0x09 ? kInfinity : 0;
          registers.assign(channels, start);
        }
        reference::cumulative(test.expected, op0, op1, imm0, registers, operands.sources[0], operands.destination);
        const auto expected = with(test.state.accumulator, registers);
        test.execute(bundle, Engine::dve, operands.sources, operands.destination);
        ASSERT_EQ(test.difference(), "") << "ops " << std::hex << int{op0} << ' ' << int{op1} << operands.text();
        ASSERT_EQ(accumulators(test), expected) << "ops " << std::hex << int{op0} << ' ' << int{op1};
      }
    }
  }
}

TEST(Scan, MatchesTheReferenceForEveryOperation) {
  DatapathCase test(50);
  for (const std::uint8_t op0 : kArithmetic) {
    for (const std::uint8_t op1 : kArithmetic) {
      RandomOperands operands(test, {test.pick<Type>(kTypes), test.pick<Type>(kTypes)},
                              test.pick<Type>(destination_types()), 2);
      S2S2D2_STT bundle = scalar_tensor_tensor(Opcode::tensor_tensor_scan, op0, op1);
      const auto initial = operands.scalar(test, Type::fp32, bundle.imm0_src, bundle.imm0);
      const bool reverse0 = test.below(2) == 0, reverse1 = test.below(2) == 0;
      bundle.reverse = static_cast<std::uint8_t>((reverse0 ? 1 : 0) | (reverse1 ? 2 : 0));
      randomize(test);
      const auto before = accumulators(test);
      reference::scan(test.expected, {op0, op1, reverse0, reverse1},
                      reference::registers_of(test.expected, initial, operands.destination.channels),
                      operands.sources[0], operands.sources[1], operands.destination);
      test.execute(bundle, Engine::dve, operands.sources, operands.destination);
      ASSERT_EQ(test.difference(), "") << "ops " << std::hex << int{op0} << ' ' << int{op1} << " reverse "
                                       << int{bundle.reverse} << operands.text();
      ASSERT_EQ(accumulators(test), before);
    }
  }
}

TEST(Scan, ALinearRecurrenceInPlace) {
  // r = r x 2 + 1 from 3: 7, 15, 31, 63, written over its own first source.
  DatapathCase test(51);
  const Operand sources[] = {dense(Type::fp32, 0, 4), dense(Type::fp32, 64, 4)};
  for (unsigned c = 0; c < 128; ++c) {
    for (std::size_t i = 0; i < 4; ++i) {
      test.set(sources[0], c, i, fp32(2));
      test.set(sources[1], c, i, fp32(1));
    }
  }
  S2S2D2_STT bundle = scalar_tensor_tensor(Opcode::tensor_tensor_scan, 0x06, 0x04);
  bundle.imm0 = fp32(3);
  test.execute(bundle, Engine::dve, sources, sources[0]);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(test.element(sources[0], 127, i), fp32(static_cast<float>((8 << i) - 1)));
  }
}

TEST(Reciprocal, IsOneOverTheElementRoundedOnce) {
  DatapathCase test(52);
  for (const Type from : kTypes) {
    for (const Type to : destination_types()) {
      for (int repetition = 0; repetition < 3; ++repetition) {
        RandomOperands operands(test, {from}, to, 4);
        S4D4_TR bundle{};
        bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::reciprocal);
        reference::Steps steps;
        steps.op0 = 0x07;
        steps.reverse0 = true;
        steps.first.word = fp32(1);
        reference::element_wise(test.expected, steps, operands.sources[0], operands.destination);
        test.execute(bundle, Engine::dve, operands.sources, operands.destination);
        ASSERT_EQ(test.difference(), "") << operands.text();
      }
    }
  }
}

}  // namespace
}  // namespace tpb::testing
