// Activate against the definitions of its functions, over their documented ranges and beyond.
#include "models/datapath/activate.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "testbench/reference/engines.h"
#include "testbench/tests/datapath/datapath_case.h"

namespace tpb::testing {
namespace {

using Command = AccumulatorCommand;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::size_t kCounts[] = {1, 2, 3, 6, 15, 16, 17, 24, 32, 36};
constexpr float kSlope = 0.3F;

std::string hex(std::uint32_t word) {
  std::ostringstream text;
  text << std::hex << word;
  return text.str();
}

// A function of words, 128 to a row, as they come to it: times one, plus zero.
struct Applied {
  std::vector<std::uint32_t> results;
  bool outside = false;
};
Applied apply(Activation function, std::vector<std::uint32_t> words) {
  Scratch scratch;
  Row accumulator{}, one, zero;
  one.fill(fp32(1));
  zero.fill(fp32(0));
  const auto elements = static_cast<std::uint32_t>(words.size() / kLanes);
  Applied applied{std::vector<std::uint32_t>(words.size()), false};
  Activate act;
  act.function = function;
  act.scale = one.data();
  act.bias = zero.data();
  act.slope = kSlope;
  applied.outside = activate(act, accumulator, view_of_rows(words.data(), kLanes, Dtype::fp32, elements),
                             view_of_rows(applied.results.data(), kLanes, Dtype::fp32, elements), scratch);
  return applied;
}

// Whole rows of the words; 1 fills up.
std::vector<std::uint32_t> in_rows(std::vector<std::uint32_t> words) {
  words.resize((words.size() + kLanes - 1) / kLanes * kLanes, fp32(1));
  return words;
}

void expect_definition(Activation function, const std::vector<std::uint32_t>& words, const Applied& applied) {
  const auto code = static_cast<std::uint8_t>(function);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const double x = reference::decode(Type::fp32, words[i]);
    // The argument is x + 0, which has no negative zero.
    const std::uint32_t want = reference::encode(Type::fp32, reference::activation(code, x + 0.0, double{kSlope}));
    ASSERT_EQ(applied.results[i], want) << hex(words[i]) << ": " << hex(applied.results[i]) << ", not " << hex(want);
  }
}

class EveryActivation : public ::testing::TestWithParam<unsigned> {
 protected:
  const Activation function = static_cast<Activation>(GetParam());
  const ActivationInfo& info = *find_activation(static_cast<std::uint8_t>(GetParam()));
  // Whether fp32 values between these words, as magnitudes, may have this sign.
  std::uint32_t lowest_word() const {
    return info.range && info.range->low > 0 ? std::bit_cast<std::uint32_t>(info.range->low) : 0;
  }
  std::uint32_t highest_word() const { return info.range ? fp32(info.range->high) : fp32(kInfinity) - 1; }
  bool has_negative() const { return !info.range || info.range->low < 0 || info.range->magnitude; }
};

// 2^20 words evenly over the bit patterns of the range, both signs where it has them.
TEST_P(EveryActivation, IsTheBinary64ValueRoundedOnceInItsRange) {
  constexpr std::size_t kPoints = 1 << 20;
  std::vector<std::uint32_t> words;
  words.reserve(kPoints);
  const std::uint64_t span = std::uint64_t{highest_word()} - lowest_word();
  for (std::size_t i = 0; i < kPoints; ++i) {
    const auto magnitude = static_cast<std::uint32_t>(lowest_word() + span * i / (kPoints - 1));
    words.push_back(has_negative() && i % 2 != 0 ? magnitude | 0x80000000U : magnitude);
  }
  const Applied applied = apply(function, words);
  EXPECT_FALSE(applied.outside);
  expect_definition(function, words, applied);
}

// Where neural networks have their values.
TEST_P(EveryActivation, IsTheBinary64ValueRoundedOnceNearZero) {
  std::vector<std::uint32_t> words;
  words.reserve(1 << 16);
  for (int i = 0; i < 1 << 16; ++i) words.push_back(fp32(static_cast<float>(i - (1 << 15)) * 0x1.3p-12F));
  expect_definition(function, words, apply(function, words));
}

TEST_P(EveryActivation, TheSameFormulaHoldsOutsideTheRange) {
  std::vector<std::uint32_t> words;
  for (std::uint64_t word = 0; word < std::uint64_t{1} << 32; word += 0x10301) {
    words.push_back(static_cast<std::uint32_t>(word));
  }
  words = in_rows(words);
  const Applied applied = apply(function, words);
  EXPECT_EQ(applied.outside, info.range.has_value());
  expect_definition(function, words, applied);
}

TEST_P(EveryActivation, SpecialValues) {
  std::vector<std::uint32_t> words;
  for (const std::uint32_t magnitude : {0U,
                                        1U,
                                        2U,
                                        3U,
                                        0x7FFFFFU,
                                        0x800000U,
                                        0x800001U,
                                        fp32(1),
                                        fp32(1) - 1,
                                        fp32(1) + 1,
                                        0x7F7FFFFFU,
                                        0x7F800000U,
                                        0x7F800001U,
                                        0x7FC00000U,
                                        0x7FC12345U,
                                        0x7FFFFFFFU,
                                        fp32(88.72284F),
                                        fp32(103.97208F),
                                        fp32(709.0F),
                                        fp32(710.0F),
                                        fp32(1024.0F),
                                        fp32(4.0F),
                                        fp32(8.3F),
                                        fp32(9.2F),
                                        lowest_word(),
                                        highest_word()}) {
    for (std::uint32_t word = magnitude == 0 ? 0 : magnitude - 1; word <= magnitude + 1; ++word) {
      words.push_back(word & 0x7FFFFFFFU);
      words.push_back(word | 0x80000000U);
    }
  }
  words = in_rows(words);
  const Applied applied = apply(function, words);
  expect_definition(function, words, applied);
  // Every NaN leaves as the one NaN.
  for (std::size_t i = 0; i < words.size(); ++i) {
    if ((words[i] & 0x7FFFFFFFU) > 0x7F800000U) {
      EXPECT_EQ(applied.results[i], 0x7FC00000U) << hex(words[i]);
    }
  }
}

// One number beyond an end is outside, an end and a NaN are not.
TEST_P(EveryActivation, TellsWhetherAnArgumentWasOutside) {
  const auto outside = [&](std::uint32_t word) {
    std::vector<std::uint32_t> words(2 * kLanes, info.range ? highest_word() : fp32(1));
    words[kLanes + 77] = word;
    return apply(function, words).outside;
  };
  EXPECT_FALSE(outside(highest_word()));
  EXPECT_FALSE(outside(0x7FC00000U));
  if (!info.range) {
    EXPECT_FALSE(outside(fp32(kInfinity)));
    EXPECT_FALSE(outside(fp32(-kInfinity)));
    return;
  }
  EXPECT_TRUE(outside(highest_word() + 1));
  EXPECT_TRUE(outside(fp32(kInfinity)));
  EXPECT_TRUE(outside(fp32(-kInfinity)));
  if (info.range->low > 0) {
    EXPECT_FALSE(outside(lowest_word()));
    EXPECT_TRUE(outside(lowest_word() - 1));
    EXPECT_TRUE(outside(0));
  }
  EXPECT_EQ(outside(highest_word() | 0x80000000U), !has_negative());
  EXPECT_TRUE(outside((highest_word() | 0x80000000U) + 1));
}

INSTANTIATE_TEST_SUITE_P(Functions, EveryActivation, ::testing::Range(0U, 21U),
                         [](const auto& test) { return std::string(name_of(static_cast<Activation>(test.param))); });

TEST(Activations, AreTheDocumentedOnesInTheirOrder) {
  const std::vector<std::string> names{"copy", "square", "sigmoid",  "relu",   "prelu", "gelu",  "gelu_apprx_tanh",
                                       "silu", "tanh",   "softplus", "mish",   "erf",   "exp",   "sign",
                                       "abs",  "log",    "sin",      "arctan", "sqrt",  "rsqrt", "reciprocal"};
  ASSERT_EQ(activations().size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(activations()[i].name, names[i]);
    EXPECT_EQ(static_cast<std::size_t>(activations()[i].code), i);
    EXPECT_EQ(activation_from_name(names[i]), activations()[i].code);
    EXPECT_EQ(find_activation(static_cast<std::uint8_t>(i)), &activations()[i]);
  }
  EXPECT_EQ(find_activation(21), nullptr);
  EXPECT_EQ(activation_from_name("Gelu"), std::nullopt);
}

TEST(Activations, ValuesThatAreKnown) {
  const auto value = [](Activation function, float x) {
    return std::bit_cast<float>(apply(function, in_rows({fp32(x)})).results[0]);
  };
  EXPECT_EQ(value(Activation::sigmoid, 0), 0.5F);
  EXPECT_EQ(value(Activation::exp, 1), 2.7182817F);
  EXPECT_EQ(value(Activation::softplus, 0), 0.6931472F);
  EXPECT_EQ(value(Activation::arctan, 1), 0.7853982F);
  EXPECT_EQ(value(Activation::sqrt, 2), 1.4142135F);
  EXPECT_EQ(value(Activation::reciprocal, 3), 0.33333334F);
  EXPECT_EQ(value(Activation::prelu, -2), -0.6F);
  EXPECT_EQ(value(Activation::sign, -7), -1.0F);
  EXPECT_EQ(value(Activation::gelu, 1), 0.8413447460685429F);
  EXPECT_TRUE(std::isnan(value(Activation::relu, std::numeric_limits<float>::quiet_NaN())));
  // -infinity times a sigmoid of zero.
  EXPECT_TRUE(std::isnan(value(Activation::silu, -kInfinity)));
  // Library overflow is part of the definition: e^710 is infinite in binary64, and so is its logarithm.
  EXPECT_EQ(value(Activation::softplus, 709), 709.0F);
  EXPECT_EQ(value(Activation::softplus, 710), kInfinity);
}

S3D3_AC activation(Activation function) {
  S3D3_AC bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::activate);
  bundle.func = static_cast<std::uint8_t>(function);
  bundle.scale = fp32(1);
  bundle.in_bias_dtype = dtype_pair(Type::fp32, Type::fp32);
  return bundle;
}

TEST(Activate, ScaleAndBiasRoundApart) {
  // The product rounded, then the sum rounded; a fused multiply-add would end in 0B.
  DatapathCase test(60);
  const Operand source = dense(Type::fp32, 0, 1), destination = dense(Type::fp32, 64, 1);
  for (unsigned c = 0; c < 128; ++c) test.set(source, c, 0, 0x4F000FFE);
  S3D3_AC bundle = activation(Activation::copy);
  bundle.scale = 0xBDA0000E;
  bundle.bias = 0x3EFFFDFB;
  test.execute(bundle, Engine::act, {&source, 1}, destination);
  EXPECT_EQ(test.element(destination, 5, 0), 0xCD20140CU);
}

std::vector<std::uint32_t> accumulators(const DatapathCase& test) {
  return {test.state.accumulator.begin(), test.state.accumulator.end()};
}

// Random scalars, types, shapes, overlaps, partial lanes, commands.
TEST_P(EveryActivation, MatchesTheReferenceAsAnInstruction) {
  DatapathCase test(GetParam() + 61);
  constexpr Type kBias[] = {Type::fp32, Type::fp16, Type::bf16};
  for (const Type from : kTypes) {
    for (const Type to : destination_types()) {
      const unsigned channels = test.random_channels();
      const auto elements = test.pick<std::size_t>(kCounts);
      std::vector<Operand> sources{test.random_operand(from, elements, channels, 3)};
      Operand destination = test.random_operand(to, elements, channels, 3);
      if (test.below(3) == 0) destination = test.beside(sources[0], destination);
      test.fill(sources[0]);

      S3D3_AC bundle = activation(function);
      reference::Activate expected;
      expected.function = bundle.func;
      const auto scalar = [&](Type type, std::uint8_t& source, std::uint32_t& word, reference::Scalar& same) {
        source = static_cast<std::uint8_t>(type != Type::fp32 ? 1 : test.below(2));
        same.type = type;
        if (source == 0) {
          same.word = word = test.below(3) == 0 ? word : test.random_code(Type::fp32);
        } else {
          sources.push_back(test.random_scalar(type, destination));
          test.fill(sources.back());
          same.pointed = sources.back();
        }
      };
      const Type bias = test.pick<Type>(kBias);
      scalar(Type::fp32, bundle.scale_src, bundle.scale, expected.scale);
      scalar(bias, bundle.bias_src, bundle.bias, expected.bias);
      bundle.in_bias_dtype = dtype_pair(from, bias);
      if (function == Activation::prelu) {
        bundle.imm = test.random_code(Type::fp32);
        expected.slope = reference::decode(Type::fp32, bundle.imm);
      }
      expected.command = static_cast<std::uint8_t>(test.below(4));
      expected.reduce = static_cast<std::uint8_t>(expected.command == 0 ? 0 : test.below(3));
      bundle.accum_cmd = static_cast<std::uint8_t>(expected.command | expected.reduce << 4);

      for (std::uint32_t& lane : test.state.accumulator) lane = test.random_code(Type::fp32);
      auto lanes = accumulators(test);
      reference::Registers registers;
      for (unsigned c = 0; c < channels; ++c) registers.push_back(reference::decode(Type::fp32, lanes[c]));
      const bool documented = reference::activate(test.expected, expected, registers, sources[0], destination);
      for (unsigned c = 0; c < channels && expected.command != 0; ++c) {
        lanes[c] = reference::encode(Type::fp32, registers[c]);
      }
      EXPECT_EQ(test.execute(bundle, Engine::act, sources, destination), !documented);
      ASSERT_EQ(test.difference(), "") << describe(sources[0]) << " into " << describe(destination);
      ASSERT_EQ(accumulators(test), lanes) << "command " << int{expected.command} << " of " << int{expected.reduce};
    }
  }
}

TEST(Activate, AccumulatorsByCommand) {
  // 1, 2, 3 and -4 squared are 1, 4, 9 and 16 and add up to 30.
  DatapathCase test(90);
  const Operand source = dense(Type::fp32, 0, 4), destination = dense(Type::bf16, 64, 4);
  const float values[] = {1, 2, 3, -4};
  for (unsigned c = 0; c < 128; ++c) {
    for (std::size_t i = 0; i < 4; ++i) test.set(source, c, i, fp32(values[i]));
  }
  const auto after = [&](Command command, ActivationReduce op) {
    S3D3_AC bundle = activation(Activation::square);
    bundle.accum_cmd = static_cast<std::uint8_t>(static_cast<unsigned>(command) | static_cast<unsigned>(op) << 4);
    test.state.accumulator.fill(fp32(100));
    test.execute(bundle, Engine::act, {&source, 1}, destination);
    EXPECT_EQ(test.element(destination, 8, 3), 0x4180U);  // 16
    return std::bit_cast<float>(test.state.accumulator[127]);
  };
  using Reduce = ActivationReduce;
  EXPECT_EQ(after(Command::idle, Reduce::add), 100);
  EXPECT_EQ(after(Command::reset, Reduce::add), 0);
  EXPECT_EQ(after(Command::reset, Reduce::max), -kInfinity);
  EXPECT_EQ(after(Command::reset, Reduce::min), kInfinity);
  EXPECT_EQ(after(Command::reduce, Reduce::add), 130);
  EXPECT_EQ(after(Command::reduce, Reduce::max), 100);
  EXPECT_EQ(after(Command::reduce, Reduce::min), 1);
  EXPECT_EQ(after(Command::reset_reduce, Reduce::add), 30);
  EXPECT_EQ(after(Command::reset_reduce, Reduce::max), 16);
  EXPECT_EQ(after(Command::reset_reduce, Reduce::min), 1);
}

TEST(Activate, AnAccumulatorTakesEveryResultOfADestinationThatKeepsTheLast) {
  // All four results are written to one place: 1 + 2 + 3 + 4, of which the 4 stays.
  DatapathCase test(91);
  Operand source = dense(Type::fp32, 0, 4), destination = dense(Type::fp32, 64, 4);
  destination.step[0] = 0;
  for (unsigned c = 0; c < 128; ++c) {
    for (std::size_t i = 0; i < 4; ++i) test.set(source, c, i, fp32(static_cast<float>(i + 1)));
  }
  S3D3_AC bundle = activation(Activation::copy);
  bundle.accum_cmd = static_cast<std::uint8_t>(Command::reset_reduce);
  test.execute(bundle, Engine::act, {&source, 1}, destination);
  EXPECT_EQ(test.state.accumulator[3], fp32(10));
  EXPECT_EQ(test.element(destination, 3, 0), fp32(4));
}

TEST(Activate, ActReadAccumulatorWritesOneNarrowedElementPerPartition) {
  DatapathCase test(92);
  const Operand destination = dense(Type::bf16, 6, 1);
  test.state.accumulator.fill(0x3F808000);  // a tie between 3F80 and 3F81
  D1_RD bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::act_read_accumulator);
  test.execute(bundle, Engine::act, {}, destination);
  EXPECT_EQ(test.element(destination, 0, 0), 0x3F80U);
}

}  // namespace
}  // namespace tpb::testing
