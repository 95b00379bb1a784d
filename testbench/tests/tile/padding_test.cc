// What is written beyond the valid region of a result.
#include "testbench/tests/tile/machine.h"

namespace tpb::tile::test {
namespace {

struct Limits {
  Type type;
  Code largest, smallest;
};
constexpr Limits kLimits[] = {
    {Type::s32, 0x7FFFFFFF, 0x80000000}, {Type::u32, 0xFFFFFFFF, 0}, {Type::fp32, 0x7F7FFFFF, 0xFF7FFFFF},
    {Type::s16, 0x7FFF, 0x8000},         {Type::u16, 0xFFFF, 0},     {Type::fp16, 0x7BFF, 0xFBFF},
    {Type::bf16, 0x7F7F, 0xFF7F},        {Type::s8, 0x7F, 0x80},     {Type::u8, 0xFF, 0},
};
constexpr Limits kOtherLimits[] = {
    {Type::fp64, 0x7FEFFFFFFFFFFFFF, 0xFFEFFFFFFFFFFFFF},
    {Type::tf32, 0x7F7FE000, 0xFF7FE000},
    {Type::hf32, 0x7F7FF000, 0xFF7FF000},
    {Type::e4m3, 0x7E, 0xFE},
    {Type::e5m2, 0x7B, 0xFB},
    {Type::s64, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000},
    {Type::u64, 0xFFFFFFFFFFFFFFFF, 0},
};

// Three rows of one element, each 0, 1, 2, reduced into 256 bytes.
Tile reduced(Type type, std::optional<Pad> pad) {
  Machine machine({.dtypes = Dtypes::sixteen});
  machine.load(type, {{0}, {1}, {2}});
  // TF32 and HF32 have no such subnormals.
  if (info_of(type).dropped != 0) machine.file.put(0, *machine.file.find(machine.load(type, {{0}, {0}, {0}})));
  EXPECT_EQ(text_of(machine.run(Recipe{.type = type, .pad = pad, .valid_row = 3, .size_code = 2})), "");
  return *machine.file.find(16);
}

void expect_padding(const Limits& limits) {
  const std::pair<Pad, Code> pads[] = {{Pad::zero, 0}, {Pad::max, limits.largest}, {Pad::min, limits.smallest}};
  for (const auto& [pad, code] : pads) {
    const Tile tile = reduced(limits.type, pad);
    const std::size_t rows = 256 * 8 / info_of(limits.type).bits;
    ASSERT_EQ(tile.elements(), rows);
    for (std::size_t row = 3; row < rows; ++row) {
      ASSERT_TRUE(tile.is_defined(row));
      ASSERT_EQ(tile.code(row), code) << info_of(limits.type).name << ' ' << kPadNames[static_cast<unsigned>(pad)];
    }
  }
  for (const std::optional<Pad> null : {std::optional(Pad::null), std::optional<Pad>()}) {
    const Tile tile = reduced(limits.type, null);
    for (std::size_t row = 0; row < tile.elements(); ++row) ASSERT_EQ(tile.is_defined(row), row < 3);
  }
}

TEST(Padding, FillsTheRowsBeyondTheResultForEveryTypeAndValue) {
  for (const Limits& limits : kLimits) expect_padding(limits);
}

TEST(Padding, OfTheOtherTypes) {
  for (const Limits& limits : kOtherLimits) expect_padding(limits);
}

TEST(Padding, CodesAreZeroMaxMinNull) {
  for (unsigned code = 0; code < 4; ++code) {
    const auto word = decode(0x1023U | code << 27);
    ASSERT_TRUE(word);
    EXPECT_EQ(std::get<Attributes>(*word).pad, static_cast<Pad>(code));
  }
  EXPECT_THAT(kPadNames, testing::ElementsAre("Zero", "Max", "Min", "Null"));
  EXPECT_TRUE(reduced(Type::u8, Pad{0}).code(3) == 0x00 && reduced(Type::u8, Pad{1}).code(3) == 0xFF);
}

TEST(Padding, WithoutAttributesIsNull) {
  const Tile tile = reduced(Type::fp32, {});
  EXPECT_TRUE(tile.is_defined(2));
  EXPECT_FALSE(tile.is_defined(3));
}

TEST(Padding, SurroundsAColumnResult) {
  // Three valid columns of four, one row of the sixteen that 128 bytes of U16 hold.
  Machine machine;
  machine.load(Type::u16, {{7, 8, 9}, {6, 9, 8}});
  EXPECT_EQ(text_of(machine.run(Recipe{
                .operation = "TCOLMIN", .type = Type::u16, .pad = Pad::max, .valid_col = 3, .valid_row = 2, .col = 4})),
            "");
  const Tile& tile = *machine.file.find(16);
  ASSERT_EQ(tile.elements(), 64U);
  EXPECT_EQ(machine.codes(16), (std::vector<Code>{6, 8, 8}));
  for (std::size_t i = 3; i < 64; ++i) EXPECT_EQ(tile.code(i), 0xFFFFU) << i;
}

TEST(Padding, OfAnIndexIsThatOfU32) {
  Machine machine;
  machine.load(Type::s8, {{1}});
  EXPECT_EQ(text_of(machine.run(Recipe{.operation = "TROWARGMIN", .type = Type::s8, .pad = Pad::max})), "");
  EXPECT_EQ(machine.file.find(16)->code(1), 0xFFFFFFFFU);
}

TEST(Padding, IsNoSource) {
  // A result of three valid rows is a source of three, whatever lies beyond.
  Machine machine;
  machine.load(Type::s8, {{3}, {2}, {1}});
  EXPECT_EQ(text_of(machine.run(Recipe{.type = Type::s8, .pad = Pad::min, .valid_row = 3})), "");
  EXPECT_EQ(
      text_of(machine.run(Recipe{.operation = "TCOLMIN", .type = Type::s8, .valid_row = 3, .source = 16, .hand = 2})),
      "");
  EXPECT_EQ(machine.codes(32), (std::vector<Code>{1}));
}

TEST(Padding, AnUndefinedElementIsNoSource) {
  // The padding of a Null result, seen as valid: row 3 of three.
  for (const Type type : nine_types()) {
    Machine machine;
    machine.load(type, {{1}, {1}, {1}});
    ASSERT_EQ(text_of(machine.run(Recipe{.type = type, .valid_row = 3})), "");
    Descriptor wider = machine.file.find(16)->descriptor();
    wider.valid_row = 4;
    Tile tile(wider);
    for (std::size_t row = 0; row < 3; ++row) tile.define(row, 1);
    machine.file.put(16, tile);
    const TileFile before = machine.file;
    EXPECT_EQ(text_of(machine.run(Recipe{.type = type, .valid_row = 4, .source = 16, .hand = 2})),
              "Fault_TileLegality: defined elements, which element 3 of U0 is not");
    EXPECT_TRUE(machine.file == before);
  }
}

}  // namespace
}  // namespace tpb::tile::test
