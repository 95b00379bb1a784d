// Fill contents against values worked out by hand, and the comparison of outputs.
#include "models/program/contents.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "testbench/tests/program/scratch.h"

namespace tpb {
namespace {

using ::testing::ElementsAre;

class ContentsOf : public Scratch {
 protected:
  // The elements of `.tensor t DTYPE [1, N] ... = CONTENTS`, zero-extended.
  std::vector<std::uint32_t> values(const std::string& dtype, int count, const std::string& contents) {
    const Program p = program(".tensor t " + dtype + " [1, " + std::to_string(count) + "] sbuf+0x0 = " + contents);
    const std::vector<std::uint8_t> bytes = initial_bytes(p.tensors.at(0), p.name, Limits{});
    const std::size_t size = bytes.size() / static_cast<std::size_t>(count);
    std::vector<std::uint32_t> all;
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      std::uint32_t bits = 0;
      for (std::size_t i = 0; i < size; ++i) bits |= std::uint32_t{bytes[at + i]} << (8 * i);
      all.push_back(bits);
    }
    return all;
  }
};

TEST_F(ContentsOf, Constants) {
  EXPECT_THAT(values("fp32", 2, "zeros"), ElementsAre(0u, 0u));
  EXPECT_THAT(values("int16", 2, "ones"), ElementsAre(1u, 1u));
  // One: FP32 exponent 127, BF16 its upper half, FP16 exponent 15, E3M4 exponent 3 (bias 3) over 4 mantissa bits.
  EXPECT_THAT(values("fp32", 1, "ones"), ElementsAre(0x3F80'0000u));
  EXPECT_THAT(values("bf16", 1, "ones"), ElementsAre(0x3F80u));
  EXPECT_THAT(values("fp16", 1, "ones"), ElementsAre(0x3C00u));
  EXPECT_THAT(values("fp8_e3m4", 1, "ones"), ElementsAre(0x30u));
}

TEST_F(ContentsOf, Iota) {
  EXPECT_THAT(values("fp32", 4, "iota"), ElementsAre(0u, 0x3F80'0000u, 0x4000'0000u, 0x4040'0000u));
  // 256 and 257 keep their low byte as uint8; in bf16 (8 bits of precision) 257 lies midway between 256 and 258 and
  // goes to the even one, 256 = 4380.
  const std::vector<std::uint32_t> bytes = values("uint8", 258, "iota");
  EXPECT_EQ(bytes[255], 255u);
  EXPECT_EQ(bytes[256], 0u);
  EXPECT_EQ(bytes[257], 1u);
  EXPECT_EQ(values("bf16", 258, "iota")[257], 0x4380u);
}

TEST_F(ContentsOf, Random) {
  // SplitMix64 from seed 0 begins E220A8397B1DCDAF 6E789E6AA1B965F4 (the published test vector).
  EXPECT_THAT(values("uint32", 2, "random(0)"), ElementsAre(0x7B1D'CDAFu, 0xA1B9'65F4u));
  EXPECT_THAT(values("int8", 2, "random(0)"), ElementsAre(0xAFu, 0xF4u));
  // Top 24 bits E220A8 / 2^23 - 1 = 14819496 / 8388608 - 1 = 6430888 / 8388608; 6E789E: 7239838 - 8388608 = -1148770.
  EXPECT_THAT(values("fp32", 2, "random(0)"), ElementsAre(std::bit_cast<std::uint32_t>(6430888.0F / 8388608.0F),
                                                          std::bit_cast<std::uint32_t>(-1148770.0F / 8388608.0F)));
}

TEST_F(ContentsOf, Lists) {
  EXPECT_THAT(values("int8", 3, "[-1, 127, bits(0x80)]"), ElementsAre(0xFFu, 0x7Fu, 0x80u));
  EXPECT_THAT(values("fp32", 3, "[0.5]"), ElementsAre(0x3F00'0000u, 0x3F00'0000u, 0x3F00'0000u));
  EXPECT_THAT(values("fp32", 4, "[inf, -inf, nan, 0x10]"),
              ElementsAre(0x7F80'0000u, 0xFF80'0000u, 0x7FC0'0000u, 0x4180'0000u));
  // 0.1 is 3DCCCCCD in fp32 and rounds up to 3DCD in bf16. 20 exceeds E3M4's largest, 15.5: infinity, 70.
  EXPECT_THAT(values("bf16", 1, "[0.1]"), ElementsAre(0x3DCDu));
  EXPECT_THAT(values("fp8_e3m4", 1, "[20]"), ElementsAre(0x70u));
  EXPECT_THAT(initial_bytes(program(".tensor t fp32 [1] sbuf+0").tensors[0], "", {}), ElementsAre());
}

// --- comparison ------------------------------------------------------------------------------------------------------

Tensor tensor_of(Dtype dtype, std::vector<std::uint32_t> shape) {
  Tensor tensor;
  tensor.name = "t";
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  return tensor;
}

template <class Element>
std::optional<Difference> difference(Dtype dtype, std::vector<Element> actual, std::vector<Element> expected,
                                     const Expectation& expectation) {
  const auto bytes = [](const std::vector<Element>& values) {
    std::vector<std::uint8_t> all(values.size() * sizeof(Element));
    std::memcpy(all.data(), values.data(), all.size());
    return all;
  };
  return compare(tensor_of(dtype, {1, static_cast<std::uint32_t>(actual.size())}), bytes(actual), bytes(expected),
                 expectation);
}

Expectation exact() { return {}; }
Expectation ulp(std::uint64_t units) {
  Expectation e;
  e.ulp = units;
  return e;
}
Expectation tolerance(std::optional<double> rtol, std::optional<double> atol) {
  Expectation e;
  e.rtol = rtol;
  e.atol = atol;
  return e;
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNan = std::bit_cast<float>(0x7FC0'0000U);
const float kOtherNan = std::bit_cast<float>(0xFFC0'0001U);

TEST(Compare, ExactComparesBits) {
  EXPECT_FALSE(difference<float>(Dtype::fp32, {1, kNan, kInfinity}, {1, kNan, kInfinity}, exact()));
  EXPECT_TRUE(difference<float>(Dtype::fp32, {kNan}, {kOtherNan}, exact()));
  EXPECT_TRUE(difference<float>(Dtype::fp32, {0.0F}, {-0.0F}, exact()));
}

TEST(Compare, NamesTheFirstDifference) {
  const Tensor tensor = tensor_of(Dtype::fp32, {4, 1, 8});
  std::vector<float> expected(32, 1.25F), actual = expected;
  actual[3 * 8 + 7] = 1.5F;
  actual[3 * 8 + 2] = 1.0F;
  const auto bytes = [](const std::vector<float>& values) {
    return std::span(reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(float));
  };
  const auto found = compare(tensor, bytes(actual), bytes(expected), exact());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 2u);
  EXPECT_EQ(found->total, 32u);
  EXPECT_EQ(found->first, "[3, 0, 2]: got 1 (0x3f800000), expected 1.25 (0x3fa00000)");
  EXPECT_EQ(found->worst_absolute, 0.25);
}

TEST(Compare, UnitsInTheLastPlace) {
  const float next = std::nextafter(1.0F, 2.0F);
  EXPECT_FALSE(difference<float>(Dtype::fp32, {next}, {1.0F}, ulp(1)));
  EXPECT_TRUE(difference<float>(Dtype::fp32, {std::nextafter(next, 2.0F)}, {1.0F}, ulp(1)));
  // +0 is -0, and the smallest subnormals of both signs are two apart.
  EXPECT_FALSE(difference<float>(Dtype::fp32, {0.0F}, {-0.0F}, ulp(0)));
  EXPECT_FALSE(difference<float>(Dtype::fp32, {1e-45F}, {-1e-45F}, ulp(2)));
  EXPECT_TRUE(difference<float>(Dtype::fp32, {1e-45F}, {-1e-45F}, ulp(1)));
  // Infinity is next to the largest finite value in bits only.
  EXPECT_TRUE(difference<float>(Dtype::fp32, {kInfinity}, {std::numeric_limits<float>::max()}, ulp(100)));
  EXPECT_FALSE(difference<std::uint16_t>(Dtype::bf16, {0x3F81}, {0x3F80}, ulp(1)));
  EXPECT_FALSE(difference<std::int8_t>(Dtype::int8, {-128}, {127}, ulp(255)));
  EXPECT_TRUE(difference<std::int8_t>(Dtype::int8, {-128}, {127}, ulp(254)));
  // fp32r steps by 2^10 units of fp32.
  EXPECT_FALSE(difference<std::uint32_t>(Dtype::fp32r, {0x3F80'0400}, {0x3F80'0000}, ulp(1)));
}

TEST(Compare, Tolerances) {
  // |9 - 8| = 1 against 0.125 * 8 = 1; against 0.1 * 8 + 0.1 = 0.9.
  EXPECT_FALSE(difference<float>(Dtype::fp32, {9}, {8}, tolerance(0.125, {})));
  EXPECT_TRUE(difference<float>(Dtype::fp32, {9}, {8}, tolerance(0.1, 0.1)));
  EXPECT_FALSE(difference<float>(Dtype::fp32, {9}, {8}, tolerance({}, 1.0)));
  EXPECT_FALSE(difference<float>(Dtype::fp32, {kNan, kInfinity}, {kOtherNan, kInfinity}, tolerance(0, 0)));
  EXPECT_TRUE(difference<float>(Dtype::fp32, {kInfinity}, {-kInfinity}, tolerance(1, 1e30)));
  EXPECT_TRUE(difference<float>(Dtype::fp32, {1}, {kInfinity}, tolerance(1, 1)));
  EXPECT_TRUE(difference<float>(Dtype::fp32, {kNan}, {1}, tolerance(1, 1)));
}

}  // namespace
}  // namespace tpb
