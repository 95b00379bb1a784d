// Max8, MatchValueLoad and FindIndex8 against the reference, and on rows with ties, NaN and signed zeros.
#include <gtest/gtest.h>

#include <limits>

#include "testbench/reference/instructions.h"
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

constexpr std::size_t kLengths[] = {8, 9, 12, 15, 16, 17, 24, 32, 33, 60, 80};

// Few different values, so that rows have ties; now and then anything.
void fill_with_ties(DatapathCase& test, const Operand& operand) {
  const std::size_t elements = operand.stream().size();
  std::vector<std::uint32_t> codes;
  for (int i = 0; i < 12; ++i) codes.push_back(test.random_code(operand.type));
  for (unsigned c = 0; c < operand.channels; ++c) {
    for (std::size_t i = 0; i < elements; ++i) {
      test.set(operand, c, i, test.below(5) == 0 ? test.random_code(operand.type) : test.pick<std::uint32_t>(codes));
    }
  }
}

TEST(Max8, MatchesTheReferenceForEveryPairOfTypes) {
  DatapathCase test(21);
  for (const Type from : kTypes) {
    for (const Type to : destination_types()) {
      const unsigned channels = test.random_channels();
      const Operand source = test.random_operand(from, test.pick<std::size_t>(kLengths), channels, 4);
      Operand destination = test.random_operand(to, 8, channels, 2);
      if (test.below(3) == 0) destination = test.beside(source, destination);
      if (destination.stream().size() != 8) destination = test.random_operand(to, 8, channels, 2);
      fill_with_ties(test, source);
      reference::max8(test.expected, source, destination);
      test.execute(search(Opcode::max8), Engine::dve, {&source, 1}, destination);
      ASSERT_EQ(test.difference(), "") << describe(source) << "\n into " << describe(destination);
    }
  }
}

TEST(FindIndex8, MatchesTheReferenceForEveryPairOfTypes) {
  DatapathCase test(22);
  for (const Type type : kTypes) {
    for (const Type value_type : kTypes) {
      for (const auto rule : {kFirst, kSuccessive}) {
        SemanticsOptions semantics;
        semantics.find_index8 = rule;
        const unsigned channels = test.random_channels();
        const Operand source = test.random_operand(type, test.pick<std::size_t>(kLengths), channels, 4);
        const Operand values = test.random_operand(value_type, 8, channels, 2);
        const Type index_type = rule == kSuccessive && test.below(2) == 0 ? Type::uint16 : Type::uint32;
        Operand destination = test.random_operand(index_type, 8, channels, 2);
        const std::size_t placement = test.below(3);
        if (placement < 2) destination = test.beside(placement == 0 ? source : values, destination);
        if (destination.stream().size() != 8) destination = test.random_operand(index_type, 8, channels, 2);
        fill_with_ties(test, source);
        fill_with_ties(test, values);
        // Half of the values are elements of the row, as long as both have one type.
        const auto elements = static_cast<std::size_t>(source.stream().size());
        for (unsigned c = 0; c < channels && type == value_type; ++c) {
          for (std::size_t slot = 0; slot < 8; slot += 2) {
            test.set(values, c, slot, test.element(source, c, test.below(elements)));
          }
        }
        reference::find_index8(test.expected, rule == kSuccessive, values, source, destination);
        S2_BN alone{};
        alone.frame.opcode = static_cast<std::uint8_t>(Opcode::match_value_load);
        test.execute(test.below(2) == 0 ? Instruction(alone) : match_value_load(), Engine::dve, {&values, 1},
                     std::span<const Operand>{}, semantics);
        test.execute(search(Opcode::find_index8), Engine::dve, {&source, 1}, destination, semantics);
        ASSERT_EQ(test.difference(), "") << describe(values) << "\n in " << describe(source) << "\n into "
                                         << describe(destination);
      }
    }
  }
}

TEST(FindIndex8, ValuesOfOtherLanesAndOfEarlierLoadsStay) {
  // 128 lanes load 1..8; then the 32 lanes from 64 on load 9s. A search on all finds 1 in every lane but the first 32,
  // because a lane is counted from where its operand starts.
  DatapathCase test(23);
  const Operand data = dense(Type::fp32, 0, 8), values = dense(Type::fp32, 64, 8);
  Operand later = dense(Type::fp32, 128, 8);
  later.partition = 64;
  later.channels = 32;
  const Operand found = dense(Type::uint32, 192, 8);
  place(test, data, floats({8, 7, 6, 5, 4, 3, 2, 1}));
  place(test, values, floats({1, 2, 3, 4, 5, 6, 7, 8}));
  place(test, later, floats({9, 9, 9, 9, 9, 9, 9, 9}));
  for (const Operand* operand : {&values, static_cast<const Operand*>(&later)}) {
    test.execute(match_value_load(), Engine::dve, {operand, 1}, std::span<const Operand>{});
  }
  test.execute(search(Opcode::find_index8), Engine::dve, {&data, 1}, found);
  EXPECT_EQ(test.element(found, 31, 0), kMissing);
  EXPECT_EQ(test.element(found, 32, 0), 7U);
  EXPECT_EQ(test.element(found, 127, 7), 0U);
}

TEST(Search, TheLongestRow) {
  // 16384 elements i of 10007 i mod 16384, all different because 10007 is odd; the largest values and where they stand.
  constexpr std::uint32_t kLength = 16384;
  std::vector<std::uint32_t> words(std::size_t{kLength + 32} * kLanes);
  std::vector<std::uint32_t> place_of(kLength);
  for (std::uint32_t i = 0; i < kLength; ++i) {
    const std::uint32_t value = i * 10007 % kLength;
    place_of[value] = i;
    for (unsigned lane = 0; lane < kLanes; ++lane) words[i * kLanes + lane] = fp32(static_cast<float>(value));
  }
  const auto view = [&](std::uint32_t first_word, Dtype dtype, std::uint32_t elements) {
    RowView rows;
    rows.words = words.data();
    rows.byte_offset = first_word * 4;
    rows.lanes = kLanes;
    rows.dtype = dtype;
    rows.walk.num[0] = elements;
    return rows;
  };
  LaneState state;
  Scratch scratch;
  OperandViews views;
  views.source[0] = view(0, Dtype::fp32, kLength);
  views.destination[0] = view(kLength, Dtype::fp32, 8);
  execute(search(Opcode::max8), Engine::dve, {}, views, state, scratch);
  OperandViews load;
  load.source[0] = views.destination[0];
  execute(match_value_load(), Engine::dve, {}, load, state, scratch);
  views.destination[0] = view(kLength + 8, Dtype::uint32, 8);
  execute(search(Opcode::find_index8), Engine::dve, {}, views, state, scratch);
  for (std::uint32_t slot = 0; slot < 8; ++slot) {
    for (const unsigned lane : {0U, 77U, 127U}) {
      const std::uint32_t value = kLength - 8 + slot;
      EXPECT_EQ(words[(kLength + slot) * kLanes + lane], fp32(static_cast<float>(value)));
      EXPECT_EQ(words[(kLength + 8 + slot) * kLanes + lane], place_of[value]);
    }
  }
}

}  // namespace
}  // namespace tpb::testing
