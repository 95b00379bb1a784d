// GetSequenceBounds under both meanings, against the reference and the documents' examples.
#include <gtest/gtest.h>

#include <limits>

#include "testbench/reference/instructions.h"
#include "testbench/tests/datapath/datapath_case.h"

namespace tpb::testing {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

SemanticsOptions meaning(SemanticsOptions::SequenceBounds bounds) {
  SemanticsOptions semantics;
  semantics.sequence_bounds = bounds;
  return semantics;
}

Instruction sequence_bounds() {
  S3D3_SEQ_BOUNDS bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::get_sequence_bounds);
  return bundle;
}

// Runs one sequence on one partition and gives both planes.
std::vector<std::uint32_t> bounds_of(const std::vector<std::uint32_t>& ids, Type from, Type to,
                                     SemanticsOptions::SequenceBounds bounds) {
  DatapathCase test(1);
  const auto n = static_cast<std::uint32_t>(ids.size());
  Operand source = dense(from, 0, n), destination = dense(to, 1024, n, 1, 2);
  source.channels = destination.channels = 1;
  source.partition = destination.partition = 32;
  for (std::size_t i = 0; i < n; ++i) test.set(source, 0, i, ids[i]);
  test.execute(sequence_bounds(), Engine::pool, {&source, 1}, destination, meaning(bounds));
  std::vector<std::uint32_t> results;
  for (std::size_t i = 0; i < 2 * n; ++i) results.push_back(test.element(destination, 0, i));
  return results;
}
std::vector<std::uint32_t> words(std::initializer_list<int> values) {
  std::vector<std::uint32_t> codes;
  for (const int value : values) codes.push_back(static_cast<std::uint32_t>(value));
  return codes;
}
std::vector<std::uint32_t> floats(std::initializer_list<float> values) {
  std::vector<std::uint32_t> codes;
  for (const float value : values) codes.push_back(fp32(value));
  return codes;
}

constexpr auto kSegments = SemanticsOptions::SequenceBounds::segments;
constexpr auto kEnvelope = SemanticsOptions::SequenceBounds::envelope;

TEST(SequenceSegments, TheDocumentedExample) {
  const auto expected = words({9, 1, 1, 3, 3, 3, 9, 7, 7, -1, 3, 3, 6, 6, 6, -1, 9, 9});
  EXPECT_EQ(bounds_of(words({0, 1, 1, 2, 2, 2, 0, 3, 3}), Type::int32, Type::int32, kSegments), expected);
  EXPECT_EQ(bounds_of(floats({0, 1, 1, 2, 2, 2, 0, 3, 3}), Type::fp32, Type::int32, kSegments), expected);
  EXPECT_EQ(bounds_of(words({0, 1, 1, 2, 2, 2, 0, 3, 3}), Type::int32, Type::fp32, kSegments),
            floats({9, 1, 1, 3, 3, 3, 9, 7, 7, -1, 3, 3, 6, 6, 6, -1, 9, 9}));
}

TEST(SequenceSegments, IntegersThatFp32CannotTellApartAreDifferentIds) {
  EXPECT_EQ(bounds_of(words({16777217, 16777216, 16777217}), Type::int32, Type::int32, kSegments),
            words({0, 1, 2, 1, 2, 3}));
}

TEST(SequenceSegments, MinusZeroIsPaddingAndNanEqualsNothing) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(bounds_of(floats({-0.0F, nan, nan, -0.0F, 0.0F, 5, 5}), Type::fp32, Type::int32, kSegments),
            words({7, 1, 2, 7, 7, 5, 5, -1, 2, 3, -1, -1, 7, 7}));
}

TEST(SequenceEnvelope, IntegersCompareSignedAndNanNeverCounts) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(bounds_of(words({3, -7, 5}), Type::int32, Type::int32, kEnvelope), words({-7, -7, -7, 5, 5, 5}));
  EXPECT_EQ(bounds_of(words({16777217, 16777216}), Type::int32, Type::int32, kEnvelope),
            words({16777216, 16777216, 16777217, 16777217}));
  EXPECT_EQ(bounds_of(floats({nan, 2, nan, -1}), Type::fp32, Type::fp32, kEnvelope),
            floats({-1, -1, -1, -1, 2, 2, 2, 2}));
  EXPECT_EQ(bounds_of(floats({nan, nan}), Type::fp32, Type::fp32, kEnvelope),
            floats({kInfinity, kInfinity, -kInfinity, -kInfinity}));
  // 2.5 and 3.5 round to even; infinities saturate.
  EXPECT_EQ(bounds_of(floats({2.5F, 3.5F}), Type::fp32, Type::int32, kEnvelope), words({2, 2, 4, 4}));
  EXPECT_EQ(bounds_of(floats({nan}), Type::fp32, Type::int32, kEnvelope),
            (std::vector<std::uint32_t>{0x7FFFFFFF, 0x80000000}));
}

TEST(SequenceEnvelope, OfTwoZerosTheFirstWins) {
  EXPECT_EQ(bounds_of(floats({0.0F, -0.0F}), Type::fp32, Type::fp32, kEnvelope),
            (std::vector<std::uint32_t>{0, 0, 0, 0}));
  EXPECT_EQ(bounds_of(floats({-0.0F, 0.0F}), Type::fp32, Type::fp32, kEnvelope),
            (std::vector<std::uint32_t>{0x80000000, 0x80000000, 0x80000000, 0x80000000}));
}

class EitherMeaning : public ::testing::TestWithParam<SemanticsOptions::SequenceBounds> {};

TEST_P(EitherMeaning, MatchesTheReferenceWhereverTheDestinationLies) {
  DatapathCase test(31);
  static constexpr Type kLegal[] = {Type::int32, Type::fp32};
  for (const Type from : kLegal) {
    for (const Type to : kLegal) {
      for (int repetition = 0; repetition < 60; ++repetition) {
        const auto n0 = static_cast<std::uint32_t>(1 + test.below(12)),
                   n1 = static_cast<std::uint32_t>(1 + test.below(4));
        const Operand source = test.random_operand(from, {n0, n1, 1}, 1);
        Operand destination = test.random_operand(to, {n1, n0, 2}, 1);
        if (test.below(3) == 0) {
          destination.partition = source.partition;
          destination.byte = source.byte;
          destination.step = {1, static_cast<std::int32_t>(n1), static_cast<std::int32_t>(n0 * n1), 1};
          if (destination.byte + std::int64_t{8} * n0 * n1 > DatapathCase::kBytes) destination.byte = 0;
        }
        // A few ids, so that there are segments, or anything.
        for (std::size_t i = 0; i < n0 * n1; ++i) {
          static constexpr double kIds[] = {0, 0, 1, 1, 1, 2, -0.0, 16777216, 16777217};
          test.set(source, 0, i,
                   test.below(4) == 0 ? test.random_code(from) : reference::encode(from, test.pick<double>(kIds)));
        }
        const bool segments = GetParam() == kSegments;
        (segments ? reference::segments : reference::envelope)(test.expected, source, destination);
        test.execute(sequence_bounds(), Engine::pool, {&source, 1}, destination, meaning(GetParam()));
        ASSERT_EQ(test.difference(), "") << describe(source) << "\n into " << describe(destination);
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Meanings, EitherMeaning, ::testing::Values(kEnvelope, kSegments));

}  // namespace
}  // namespace tpb::testing
