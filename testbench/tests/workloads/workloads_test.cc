// Every workload on the platform: right to the bit, and close to binary64.
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "testbench/tests/workloads/run_workload.h"
#include "testbench/workloads/compare.h"

namespace tpb::workloads {
namespace {

using nki::Dtype;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// Of the largest magnitude in a row.
double tolerance(Dtype dtype) { return dtype == Dtype::float32 ? 1e-5 : 1e-2; }

struct Case {
  const Workload* workload;
  Generation generation;
  Dtype dtype;
};
std::string name_of_case(const Case& which) {
  return std::string(which.workload->name) + "_" + std::string(name_of(which.generation)) + "_" +
         std::string(nki::spelling(which.dtype));
}
void PrintTo(const Case& which, std::ostream* out) { *out << name_of_case(which); }

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Workload& workload : all_workloads()) {
    for (const Generation generation : kGenerations) {
      for (const Dtype dtype : workload.dtypes) all.push_back({&workload, generation, dtype});
    }
  }
  return all;
}

class Workloads : public testing::TestWithParam<Case> {};

TEST_P(Workloads, AreRightToTheBitAndCloseToBinary64) {
  const auto& [workload, generation, dtype] = GetParam();
  const Arrays inputs = workload->inputs(dtype);
  const Arrays stepwise = workload->stepwise(inputs), exact = workload->exact(inputs);
  const test::Ran ran = run(*workload, inputs, generation);
  EXPECT_THAT(stepwise, Not(IsEmpty()));
  for (const auto& [name, expected] : stepwise) {
    const std::vector<std::uint8_t> raw = ran.bytes(name);
    EXPECT_THAT(bit_differences(expected, raw), IsEmpty()) << name;
    EXPECT_THAT(far_elements(exact.at(name), raw, tolerance(dtype)), IsEmpty()) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Workloads, testing::ValuesIn(cases()),
                         [](const auto& which) { return name_of_case(which.param); });

// --- softmax of nothing ----------------------------------------------------------------------------------------------

constexpr std::uint32_t kMasked = 8;

// Softmax of four rows that are masked from their first column to their last.
std::vector<std::uint32_t> softmax_behind(double mask) {
  const Arrays inputs{{"x", random(Dtype::float32, {4, kMasked}, 1, -1, 1)},
                      {"mask", {Dtype::float32, {4, kMasked}, std::vector<double>(4 * std::size_t{kMasked}, mask)}}};
  return run(workload_named("masked_softmax"), inputs, Generation::cayman).values<std::uint32_t>("y");
}

// -infinity - -infinity is a NaN, and so is every exponential and their sum.
TEST(MaskedSoftmax, OfMinusInfinityAloneIsNan) {
  EXPECT_THAT(softmax_behind(-std::numeric_limits<double>::infinity()), Each(0x7FC00000U));
}

// Whatever is added to the lowest number is the lowest number: exp(0) = 1 eight times, 1 / 8 of it each.
TEST(MaskedSoftmax, OfTheLowestNumberAloneIsAnEighth) {
  EXPECT_THAT(softmax_behind(std::numeric_limits<float>::lowest()), Each(0x3E000000U));
}

// --- the comparisons -------------------------------------------------------------------------------------------------

std::vector<std::uint8_t> bytes_of(const std::vector<float>& values) {
  std::vector<std::uint8_t> raw(values.size() * sizeof(float));
  std::memcpy(raw.data(), values.data(), raw.size());
  return raw;
}

TEST(Comparison, CountsEveryBit) {
  const Array expected{Dtype::float32, {2, 1, 2}, {1, 0, 3, 4}};
  EXPECT_THAT(bit_differences(expected, bytes_of({1, 0, 3, 4})), IsEmpty());
  EXPECT_THAT(bit_differences(expected, bytes_of({1, -0.0F, 3, std::nextafter(4.0F, 5.0F)})),
              ElementsAre("[0, 0, 1]: 80000000 (-0), expected 00000000 (0)",
                          "[1, 0, 1]: 40800001 (4.000000476837158), expected 40800000 (4)"));
  EXPECT_THAT(bit_differences(expected, bytes_of({1, 2, 3})), SizeIs(1));
}

// A hundredth of 100 and of 1.
TEST(Comparison, IsAsCloseAsTheLargestOfTheRow) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const Array expected{Dtype::float32, {3, 2}, {100, 0.5, 1, 0.5, kNan, 1}};
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(far_elements(expected, bytes_of({100, 1.25, 1, 0.5, nan, 1}), 0.01), IsEmpty());
  EXPECT_THAT(far_elements(expected, bytes_of({100, 1.75, 1, 0.625, 1, nan}), 0.01),
              ElementsAre("[0, 1]: 1.75, expected 0.5 to within 1", "[1, 1]: 0.625, expected 0.5 to within 0.01",
                          "[2, 0]: 1, expected nan to within 0.01", "[2, 1]: nan, expected 1 to within 0.01"));
}

TEST(Comparison, ShowsTheFirstFew) {
  const Array expected{Dtype::float32, {1, 100}, std::vector<double>(100, 1)};
  const std::vector<std::string> lines = bit_differences(expected, bytes_of(std::vector<float>(100, 2)));
  EXPECT_THAT(lines, SizeIs(6));
  EXPECT_EQ(lines.back(), "100 of 100 elements in all");
}

}  // namespace
}  // namespace tpb::workloads
