// INT_WIDE: 64-bit results of integers, against the reference and the cases that the numerics page names.
#include <gtest/gtest.h>

#include "testbench/reference/instructions.h"
#include "testbench/tests/datapath/datapath_case.h"

namespace tpb::testing {
namespace {

Instruction tensor_form(std::uint8_t op, std::span<const Operand> sources, std::span<const Operand> destinations) {
  S2S2D2D2_TT bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::tensor_tensor_int_wide);
  bundle.in0_in1_dtype = dtype_pair(sources[0].type, sources[1].type);
  bundle.out0_out1_dtype = dtype_pair(destinations[0].type, destinations[1].type);
  bundle.op = op;
  return bundle;
}

struct WideImmediate {
  Type type;
  ImmediateSource source = ImmediateSource::instruction;
  std::uint32_t word = 0;
};
Instruction scalar_form(std::uint8_t op, const Operand& source, const WideImmediate& immediate,
                        std::span<const Operand> destinations) {
  S2D2D2_TS_WIDE bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::tensor_scalar_int_wide);
  bundle.in_imm_dtype = dtype_pair(source.type, immediate.type);
  bundle.out0_out1_dtype = dtype_pair(destinations[0].type, destinations[1].type);
  bundle.op = op;
  bundle.imm_src = static_cast<std::uint8_t>(immediate.source);
  bundle.imm = immediate.word;
  return bundle;
}

// One operation on one pair of 32-bit operands, by tensors, by an immediate and by a pointer to one.
struct Case {
  std::uint8_t op;
  Type left_type, right_type;
  std::uint32_t left, right, low, high;
};

constexpr std::uint8_t kAdd = 0xC4, kMultiply = 0xC5, kSubtract = 0xC6, kMultiplyUnsigned = 0xDB;
constexpr std::uint8_t kLeft = 0x02, kRightSigned = 0x03, kLogicalLeft = 0x10, kRight = 0x11;

constexpr Case kCases[] = {
    // 0 - 1 is -1 in 64 bits; FFFFFFFF + 1 carries into the high word.
    {kSubtract, Type::uint32, Type::uint32, 0, 1, 0xFFFFFFFF, 0xFFFFFFFF},
    {kAdd, Type::uint32, Type::uint32, 0xFFFFFFFF, 1, 0, 1},
    // -2^31 x -2^31 = 2^62; (2^31 - 1) x -2^31 = -2^62 + 2^31; (2^32 - 1)^2 = 2^64 - 2^33 + 1.
    {kMultiply, Type::int32, Type::int32, 0x80000000, 0x80000000, 0, 0x40000000},
    {kMultiply, Type::int32, Type::int32, 0x7FFFFFFF, 0x80000000, 0x80000000, 0xC0000000},
    {kMultiply, Type::int32, Type::int32, 0xFFFFFFFF, 0xFFFFFFFF, 1, 0},
    {kMultiplyUnsigned, Type::uint32, Type::uint32, 0xFFFFFFFF, 0xFFFFFFFF, 1, 0xFFFFFFFE},
    {kMultiplyUnsigned, Type::uint32, Type::uint32, 0x80000000, 0x80000000, 0, 0x40000000},
    // 21212121 << 14 = 848_48484000.
    {kLeft, Type::uint32, Type::uint32, 0x21212121, 14, 0x48484000, 0x00000848},
    {kLogicalLeft, Type::uint32, Type::uint32, 0x21212121, 14, 0x48484000, 0x00000848},
    // 3 << 31, 32, 33, 63, 64.
    {kLeft, Type::uint32, Type::uint32, 3, 31, 0x80000000, 1},
    {kLeft, Type::uint32, Type::uint32, 3, 32, 0, 3},
    {kLeft, Type::uint32, Type::uint32, 3, 33, 0, 6},
    {kLeft, Type::uint32, Type::uint32, 3, 63, 0, 0x80000000},
    {kLeft, Type::uint32, Type::uint32, 3, 64, 0, 0},
    {kLeft, Type::uint32, Type::uint32, 3, 0xFFFFFFFF, 0, 0},
    // A signed operand is 64 bits of sign before it is shifted: 32 bits of it remain in the low word after 32, one
    // after 63, none after 64.
    {kRight, Type::int32, Type::uint32, 0xC0000000, 31, 0xFFFFFFFF, 1},
    {kRight, Type::int32, Type::uint32, 0xC0000000, 32, 0xFFFFFFFF, 0},
    {kRight, Type::int32, Type::uint32, 0xC0000000, 33, 0x7FFFFFFF, 0},
    {kRight, Type::int32, Type::uint32, 0xC0000000, 63, 1, 0},
    {kRight, Type::int32, Type::uint32, 0xC0000000, 64, 0, 0},
    {kRight, Type::uint32, Type::uint32, 0xC0000000, 31, 1, 0},
    {kRight, Type::uint32, Type::uint32, 0xC0000000, 32, 0, 0},
    // -2^30 >> 31 and further is -1; unsigned 3 x 2^30 >> 31 is 1.
    {kRightSigned, Type::int32, Type::uint32, 0xC0000000, 30, 0xFFFFFFFF, 0xFFFFFFFF},
    {kRightSigned, Type::int32, Type::uint32, 0xC0000000, 29, 0xFFFFFFFE, 0xFFFFFFFF},
    {kRightSigned, Type::int32, Type::uint32, 0xC0000000, 64, 0xFFFFFFFF, 0xFFFFFFFF},
    {kRightSigned, Type::int32, Type::uint32, 0x40000000, 64, 0, 0},
    {kRightSigned, Type::uint32, Type::uint32, 0xC0000000, 31, 1, 0},
};

TEST(IntWide, NamedCasesGiveTheSameByTensorsImmediatesAndPointers) {
  for (const Case& c : kCases) {
    DatapathCase test(1);
    const Operand sources[] = {dense(c.left_type, 0, 2), dense(c.right_type, 64, 2)};
    const Operand pointed[] = {sources[0], dense(c.right_type, 68, 1)};
    const Operand destinations[] = {dense(Type::uint32, 128, 2), dense(Type::uint32, 192, 2)};
    const auto check = [&](const std::string& form) {
      for (const unsigned channel : {0U, 127U}) {
        EXPECT_EQ(test.element(destinations[0], channel, 1), c.low) << form << " op " << int{c.op} << ' ' << c.right;
        EXPECT_EQ(test.element(destinations[1], channel, 1), c.high) << form << " op " << int{c.op} << ' ' << c.right;
      }
    };
    for (unsigned channel = 0; channel < 128; ++channel) {
      test.set(sources[0], channel, 1, c.left);
      test.set(sources[1], channel, 1, c.right);
    }
    test.execute(tensor_form(c.op, sources, destinations), Engine::pool, sources, destinations);
    check("tensor");
    test.execute(scalar_form(c.op, sources[0], {c.right_type, ImmediateSource::instruction, c.right}, destinations),
                 Engine::dve, {sources, 1}, destinations);
    check("immediate");
    test.execute(scalar_form(c.op, sources[0], {c.right_type, ImmediateSource::pointer}, destinations), Engine::dve,
                 pointed, destinations);
    check("pointer");
  }
}

constexpr unsigned kOperations[] = {kAdd,  kMultiply,    kSubtract,    kMultiplyUnsigned,
                                    kLeft, kRightSigned, kLogicalLeft, kRight};
constexpr std::size_t kCounts[] = {1, 2, 3, 6, 15, 16, 17, 24, 36};

class EveryWideOperation : public ::testing::TestWithParam<unsigned> {};

TEST_P(EveryWideOperation, MatchesTheReferenceForEveryPairOfTypesWhereverTheDestinationsLie) {
  const auto op = static_cast<std::uint8_t>(GetParam());
  DatapathCase test(op);
  for (const Type left : kIntegerTypes) {
    for (const Type right : kIntegerTypes) {
      for (int repetition = 0; repetition < 6; ++repetition) {
        const unsigned channels = test.random_channels();
        const std::size_t elements = test.pick<std::size_t>(kCounts);
        std::vector<Operand> sources{test.random_operand(left, elements, channels, 2)};
        Operand destinations[2];
        for (Operand& destination : destinations) {
          destination = test.random_operand(test.pick<Type>(kIntegerTypes), elements, channels, 2);
        }
        const bool scalar = repetition % 2 == 1;
        const bool pointed = repetition % 4 == 1;
        if (!scalar) sources.push_back(test.random_operand(right, elements, channels, 2));
        for (Operand& destination : destinations) {
          const std::size_t placement = test.below(4);
          if (placement < sources.size()) destination = test.beside(sources[placement], destination);
        }
        if (test.below(4) == 0) destinations[1] = test.beside(destinations[0], destinations[1]);
        if (pointed) sources.push_back(test.random_scalar(right, destinations[test.below(2)]));
        for (const Operand& source : sources) test.fill(source);
        // Amounts of a few bits often enough: small numbers in the second operand.
        if (sources.size() == 2 && test.below(2) == 0) {
          for (unsigned c = 0; c < channels; ++c) {
            for (std::size_t i = 0; i < sources[1].stream().size(); ++i) {
              test.set(sources[1], c, i, static_cast<std::uint32_t>(test.below(70)));
            }
          }
        }
        reference::Scalar immediate{right, test.random_code(right), {}};
        if (pointed) immediate.pointed = sources[1];
        reference::int_wide(test.expected, op, sources[0], scalar ? std::nullopt : std::optional(sources[1]), immediate,
                            destinations[0], destinations[1]);
        const auto source = pointed ? ImmediateSource::pointer : ImmediateSource::instruction;
        test.execute(scalar ? scalar_form(op, sources[0], {right, source, immediate.word}, destinations)
                            : tensor_form(op, sources, destinations),
                     scalar ? Engine::dve : Engine::pool, sources, destinations);
        ASSERT_EQ(test.difference(), "") << "op " << int{op}
                                         << (pointed  ? " pointer"
                                             : scalar ? " immediate"
                                                      : " tensor")
                                         << "\n  left " << describe(sources[0]) << "\n  right "
                                         << describe(sources.back()) << "\n  low  " << describe(destinations[0])
                                         << "\n  high " << describe(destinations[1]);
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Codes, EveryWideOperation, ::testing::ValuesIn(kOperations),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace tpb::testing
