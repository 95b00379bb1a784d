// Every code of the narrow types widened and narrowed back, and fp32 narrowed at and around every rounding point.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

#include "models/datapath/lane_kernels.h"
#include "testbench/tests/datapath/datapath_case.h"

namespace tpb::testing {
namespace {

// Runs one conversion kernel over any number of words; what it may write of a result is given by `bits`.
std::vector<std::uint32_t> convert(LaneKernel kernel, std::vector<std::uint32_t> words, std::uint32_t bits) {
  const std::size_t size = words.size();
  words.resize((size + kLanes - 1) / kLanes * kLanes);
  std::vector<std::uint32_t> results(words.size());
  const std::vector<std::uint32_t> mask(kLanes, bits);
  for (std::size_t i = 0; i < words.size(); i += kLanes) {
    LaneBlock block;
    block.rows = 1;
    block.lanes = kLanes;
    block.out[0] = &results[i];
    block.left[0] = &words[i];
    block.right[0] = mask.data();
    block.shift[0] = 0;
    kernel(block);
  }
  results.resize(size);
  return results;
}
std::vector<std::uint32_t> widen(Type type, const std::vector<std::uint32_t>& codes) {
  return convert(lane_kernels().widen[static_cast<std::size_t>(type)], codes, 0xFFFFFFFFU);
}
std::vector<std::uint32_t> narrow(Type type, const std::vector<std::uint32_t>& codes) {
  return convert(lane_kernels().narrow[static_cast<std::size_t>(type)], codes,
                 0xFFFFFFFFU >> (32 - 8 * reference::bytes_of(type)));
}

class SmallType : public ::testing::TestWithParam<Type> {};

TEST_P(SmallType, EveryCodeWidensExactlyAndComesBack) {
  const Type type = GetParam();
  std::vector<std::uint32_t> codes(std::size_t{1} << (8 * reference::bytes_of(type)));
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint32_t>(i);
  const auto wide = widen(type, codes);
  const auto back = narrow(type, wide);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const double value = reference::decode(type, codes[i]);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(std::bit_cast<float>(wide[i]))) << std::hex << i;
    } else {
      // Comparing bits tells the zeros apart.
      ASSERT_EQ(wide[i], std::bit_cast<std::uint32_t>(static_cast<float>(value))) << std::hex << i;
    }
    ASSERT_EQ(back[i], std::isnan(value) ? reference::encode(type, value) : codes[i]) << std::hex << i;
  }
}

TEST_P(SmallType, NarrowingRoundsToNearestEvenAtEveryBoundary) {
  // Between each two neighbouring values: the midpoint (a tie), the fp32 numbers just below and above it, and the
  // values and their neighbours themselves. Infinity's predecessor covers overflow.
  const Type type = GetParam();
  const std::uint32_t codes = 1U << (8 * reference::bytes_of(type));
  std::vector<std::uint32_t> inputs;
  const auto add_around = [&](double value) {
    const auto centre = static_cast<float>(value);
    for (const float f : {centre, std::nextafterf(centre, INFINITY), std::nextafterf(centre, -INFINITY)}) {
      inputs.push_back(std::bit_cast<std::uint32_t>(f));
    }
  };
  for (std::uint32_t code = 0; code + 1 < codes; ++code) {
    const double value = reference::decode(type, code), next = reference::decode(type, code + 1);
    if (std::isnan(value)) continue;
    add_around(value);
    if (std::isfinite(value) && std::isfinite(next)) add_around((value + next) / 2);
    if (std::isfinite(value) && std::isinf(next)) {
      // Half a unit past the largest finite value is where infinity begins; bf16's lies past fp32's largest half unit.
      add_around(value + (value - reference::decode(type, code - 1)) / 2);
    }
  }
  const auto results = narrow(type, inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const double value = std::bit_cast<float>(inputs[i]);
    ASSERT_EQ(results[i], reference::encode(type, value)) << std::hex << inputs[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Types, SmallType,
                         ::testing::Values(Type::int8, Type::uint8, Type::int16, Type::uint16, Type::bf16, Type::fp16,
                                           Type::fp8_e3m4, Type::fp8_e4m3, Type::fp8_e5m2));

TEST(Narrowing, AGridOfAllExponentsAndRoundingPatterns) {
  // Every sign and exponent with mantissas that end in ..0, ..1, a tie, and one more or less, at every kept length.
  std::vector<std::uint32_t> inputs;
  for (std::uint32_t upper = 0; upper < 512; ++upper) {
    for (unsigned bit = 0; bit < 23; ++bit) {
      for (const std::uint32_t high : {0U, 1U, 2U, 0x7FFFFFU}) {
        const std::uint32_t kept = high << bit << 1 & 0x7FFFFFU;
        for (const std::uint32_t rest : {0U, 1U << bit, (1U << bit) - 1, (1U << bit) + 1}) {
          inputs.push_back(upper << 23 | ((kept | rest) & 0x7FFFFFU));
        }
      }
    }
  }
  for (const Type type : destination_types()) {
    const auto results = narrow(type, inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      ASSERT_EQ(results[i], reference::encode(type, reference::decode(Type::fp32, inputs[i])))
          << "type " << static_cast<int>(type) << " of " << std::hex << inputs[i];
    }
  }
}

TEST(Widening, IntegersOf32BitsRoundToNearestEven) {
  std::vector<std::uint32_t> codes;
  for (unsigned bit = 0; bit < 32; ++bit) {
    for (std::int64_t delta = -300; delta <= 300; ++delta) {
      codes.push_back(static_cast<std::uint32_t>((std::int64_t{1} << bit) + delta));
    }
  }
  for (const Type type : {Type::int32, Type::uint32}) {
    const auto wide = widen(type, codes);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      ASSERT_EQ(wide[i], reference::encode(Type::fp32, reference::decode(type, codes[i]))) << std::hex << codes[i];
    }
  }
}

TEST(Narrowing, ANanStaysOneWhateverItsPayload) {
  // The smallest and the largest payload, whose bits a narrow format drops or would carry out of: a quiet NaN, never
  // infinity; an integer takes zero.
  const std::vector<std::uint32_t> nans{0x7F800001, 0x7FFFFFFF, 0xFF800001, 0xFFFFFFFF, 0x7FC00000};
  const std::pair<Type, std::uint32_t> quiet[] = {
      {Type::bf16, 0x7FC0},   {Type::fp16, 0x7E00},     {Type::fp8_e3m4, 0x78},    {Type::fp8_e4m3, 0x7C},
      {Type::fp8_e5m2, 0x7E}, {Type::fp32, 0x7FC00000}, {Type::fp32r, 0x7FC00000}, {Type::int8, 0},
      {Type::uint8, 0},       {Type::int16, 0},         {Type::uint16, 0},         {Type::int32, 0},
      {Type::uint32, 0}};
  ASSERT_EQ(std::size(quiet), destination_types().size());
  for (const auto& [type, expected] : quiet) {
    EXPECT_EQ(narrow(type, nans), std::vector<std::uint32_t>(nans.size(), expected)) << static_cast<int>(type);
  }
}

TEST(Narrowing, TheFirstValueThatRoundsToInfinity) {
  // Half a unit past the largest finite value is a tie between it and infinity's even code; fp32 just below it stays.
  const std::tuple<Type, float, std::uint32_t, std::uint32_t> edges[] = {
      {Type::fp16, 65520.0F, 0x7BFF, 0x7C00},      // 65504 + 16
      {Type::fp8_e3m4, 15.75F, 0x6F, 0x70},        // 15.5 + 0.25
      {Type::fp8_e4m3, 248.0F, 0x77, 0x78},        // 240 + 8
      {Type::fp8_e5m2, 61440.0F, 0x7B, 0x7C},      // 57344 + 4096
      {Type::bf16, 0x1.FFp127F, 0x7F7F, 0x7F80}};  // 7F7F8000
  for (const auto& [type, edge, below, infinity] : edges) {
    const std::vector<std::uint32_t> inputs{std::bit_cast<std::uint32_t>(std::nextafterf(edge, 0)),
                                            std::bit_cast<std::uint32_t>(edge)};
    EXPECT_EQ(narrow(type, inputs), (std::vector<std::uint32_t>{below, infinity})) << static_cast<int>(type);
  }
}

TEST(Types, TheDocumentedLargestValues) {
  // fp8 of this architecture is IEEE-like: e3m4 1.1111b x 2^3, e4m3 1.111b x 2^7, e5m2 1.11b x 2^15; next comes
  // infinity.
  const std::vector<std::uint32_t> largest{std::bit_cast<std::uint32_t>(15.5F), std::bit_cast<std::uint32_t>(240.0F),
                                           std::bit_cast<std::uint32_t>(57344.0F)};
  EXPECT_EQ(narrow(Type::fp8_e3m4, largest)[0], 0x6FU);
  EXPECT_EQ(narrow(Type::fp8_e4m3, largest)[1], 0x77U);
  EXPECT_EQ(narrow(Type::fp8_e5m2, largest)[2], 0x7BU);
  EXPECT_EQ(widen(Type::fp8_e3m4, {0x70})[0], 0x7F800000U);
  EXPECT_EQ(widen(Type::fp8_e4m3, {0x78})[0], 0x7F800000U);
  EXPECT_EQ(widen(Type::fp8_e5m2, {0x7C})[0], 0x7F800000U);
}

TEST(Types, AnotherLibraryAgreesOnBf16AndFp16) {
  std::mt19937 random(5);
  std::vector<std::uint32_t> inputs(200000);
  for (std::uint32_t& word : inputs) word = static_cast<std::uint32_t>(random());
  // Random words rarely fall into fp16's range: move half of the exponents there.
  for (std::size_t i = 0; i < inputs.size(); i += 2) {
    inputs[i] = (inputs[i] & 0x807FFFFFU) | (100U + (inputs[i] >> 23) % 48U) << 23;
  }
  const auto bf16 = narrow(Type::bf16, inputs), fp16 = narrow(Type::fp16, inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto value = std::bit_cast<float>(inputs[i]);
    if (std::isnan(value)) continue;
    ASSERT_EQ(bf16[i], Eigen::numext::bit_cast<std::uint16_t>(Eigen::bfloat16(value))) << std::hex << inputs[i];
    ASSERT_EQ(fp16[i], Eigen::numext::bit_cast<std::uint16_t>(Eigen::half(value))) << std::hex << inputs[i];
  }
}

}  // namespace
}  // namespace tpb::testing
