// Max8, MatchValueLoad and FindIndex8 against the reference, and on rows with ties, NaN and signed zeros.
#include <gtest/gtest.h>

#include <limits>

#include "testbench/tests/datapath/datapath_case.h"

namespace tpb::testing {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint32_t kMissing = 0xFFFFFFFF;

Instruction search(Opcode opcode) {
  S4D2_BN bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(opcode);
  return bundle;
}
Instruction match_value_load() {
  S4D2_MV bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::match_value_load);
  return bundle;
}
// Eight elements, the last one first.
Operand backwards(Operand operand) {
  operand.byte += 7 * reference::bytes_of(operand.type);
  operand.step[0] = -1;
  return operand;
}

std::vector<std::uint32_t> floats(std::initializer_list<float> values) {
  std::vector<std::uint32_t> codes;
  for (const float value : values) codes.push_back(fp32(value));
  return codes;
}
void place(DatapathCase& test, const Operand& operand, const std::vector<std::uint32_t>& codes) {
  for (unsigned c = 0; c < operand.channels; ++c) {
    for (std::size_t i = 0; i < codes.size(); ++i) test.set(operand, c, i, codes[i]);
  }
}
std::vector<std::uint32_t> contents(DatapathCase& test, const Operand& operand, unsigned channel = 0) {
  std::vector<std::uint32_t> codes;
  for (std::size_t i = 0; i < operand.stream().size(); ++i) codes.push_back(test.element(operand, channel, i));
  return codes;
}

// As memory holds it after a destination that runs backwards.
std::vector<std::uint32_t> max8_of(const std::vector<std::uint32_t>& row) {
  DatapathCase test(1);
  const Operand source = dense(Type::fp32, 0, static_cast<std::uint32_t>(row.size()));
  const Operand memory = dense(Type::fp32, 1024, 8);
  place(test, source, row);
  test.execute(search(Opcode::max8), Engine::dve, {&source, 1}, backwards(memory));
  return contents(test, memory, 127);
}

TEST(Max8, IsDescendingThroughAReversedDescriptorAndAscendingOtherwise) {
  EXPECT_EQ(max8_of(floats({4, 9, 1, 7, 3, 8, 2, 6, 5, 0})), floats({9, 8, 7, 6, 5, 4, 3, 2}));
  DatapathCase test(2);
  const Operand source = dense(Type::fp32, 0, 9), destination = dense(Type::fp32, 512, 8);
  place(test, source, floats({4, 9, 1, 7, 3, 8, 2, 6, 5}));
  test.execute(search(Opcode::max8), Engine::dve, {&source, 1}, destination);
  EXPECT_EQ(contents(test, destination), floats({2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(Max8, NanIsNeverInsertedAndWhatIsMissingIsMinusInfinity) {
  EXPECT_EQ(max8_of(floats({kNan, 2, kNan, 2, kNan, -1, kNan, kNan, kNan})),
            floats({2, 2, -1, -kInfinity, -kInfinity, -kInfinity, -kInfinity, -kInfinity}));
  EXPECT_EQ(max8_of(std::vector<std::uint32_t>(8, 0x7FC00000)), std::vector<std::uint32_t>(8, 0xFF800000));
  EXPECT_EQ(max8_of(floats({kInfinity, -kInfinity, 1, 1, 1, 1, 1, 1})),
            floats({kInfinity, 1, 1, 1, 1, 1, 1, -kInfinity}));
}

TEST(Max8, EqualValuesKeepTheirOrder) {
  // The zeros are equal and keep their places whatever is inserted above them later.
  EXPECT_EQ(max8_of(floats({0.0F, -0.0F, -0.0F, 0.0F, 1, -0.0F, 2, 3})),
            floats({3, 2, 1, 0.0F, -0.0F, -0.0F, 0.0F, -0.0F}));
  EXPECT_EQ(max8_of(floats({-0.0F, 0.0F, 5, -0.0F, 0.0F, 5, 5, -1, -0.0F, 7})),
            floats({7, 5, 5, 5, -0.0F, 0.0F, -0.0F, 0.0F}));
}

std::vector<std::uint32_t> indices(const std::vector<std::uint32_t>& row, const std::vector<std::uint32_t>& values,
                                   SemanticsOptions::FindIndex8 rule, Type row_type = Type::fp32,
                                   Type value_type = Type::fp32, Type index_type = Type::uint32) {
  DatapathCase test(3);
  SemanticsOptions semantics;
  semantics.find_index8 = rule;
  const Operand data = dense(row_type, 0, static_cast<std::uint32_t>(row.size()));
  const Operand wanted = dense(value_type, 1024, 8), found = dense(index_type, 1536, 8);
  place(test, data, row);
  place(test, wanted, values);
  test.execute(match_value_load(), Engine::dve, {&wanted, 1}, std::span<const Operand>{}, semantics);
  test.execute(search(Opcode::find_index8), Engine::dve, {&data, 1}, found, semantics);
  return contents(test, found, 100);
}
constexpr auto kFirst = SemanticsOptions::FindIndex8::first;
constexpr auto kSuccessive = SemanticsOptions::FindIndex8::successive;

TEST(FindIndex8, DuplicatesGetTheFirstPlaceOrOneAfterTheOther) {
  const auto row = floats({1, 5, 3, 5, 5, 2, 0, 4}), values = floats({5, 5, 5, 5, 4, 3, 2, 9});
  EXPECT_EQ(indices(row, values, kFirst), (std::vector<std::uint32_t>{1, 1, 1, 1, 7, 2, 5, kMissing}));
  EXPECT_EQ(indices(row, values, kSuccessive), (std::vector<std::uint32_t>{1, 3, 4, kMissing, 7, 2, 5, kMissing}));
}

TEST(FindIndex8, NanMatchesNothingAndTheZerosEachOther) {
  const auto row = floats({kNan, -0.0F, 0.0F, 1, kInfinity, -kInfinity, kNan, 8});
  const auto values = floats({kNan, 0.0F, -0.0F, kInfinity, -kInfinity, 8, 1, 2});
  EXPECT_EQ(indices(row, values, kFirst), (std::vector<std::uint32_t>{kMissing, 1, 1, 4, 5, 7, 3, kMissing}));
  EXPECT_EQ(indices(row, values, kSuccessive), (std::vector<std::uint32_t>{kMissing, 1, 2, 4, 5, 7, 3, kMissing}));
}

TEST(FindIndex8, EqualIntegerTypesCompareExactly) {
  const std::vector<std::uint32_t> row{16777216, 16777217, 0, 0, 0, 0, 0, 7};
  const std::vector<std::uint32_t> values{16777217, 16777216, 7, 1, 2, 3, 4, 5};
  EXPECT_EQ(indices(row, values, kFirst, Type::int32, Type::int32),
            (std::vector<std::uint32_t>{1, 0, 7, kMissing, kMissing, kMissing, kMissing, kMissing}));
  // Through fp32 the two are one number.
  EXPECT_EQ(indices(row, values, kFirst, Type::int32, Type::uint32)[0], 0U);
  EXPECT_EQ(indices({0xFF, 1, 2, 3, 4, 5, 6, 0x80}, {0x80, 0xFF, 0, 1, 9, 9, 9, 9}, kFirst, Type::int8, Type::int8),
            (std::vector<std::uint32_t>{7, 0, kMissing, 1, kMissing, kMissing, kMissing, kMissing}));
}

TEST(FindIndex8, MissingIsAllOnesAtTheOutputWidth) {
  const auto row = floats({1, 2, 3, 4, 5, 6, 7, 8}), values = floats({8, 9, 1, 9, 9, 9, 9, 9});
  EXPECT_EQ(indices(row, values, kSuccessive, Type::fp32, Type::fp32, Type::uint16),
            (std::vector<std::uint32_t>{7, 0xFFFF, 0, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF}));
}

}  // namespace
}  // namespace tpb::testing
