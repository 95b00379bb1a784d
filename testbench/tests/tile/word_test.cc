// Words: bits against fields, both ways.
#include <random>

#include "testbench/tests/tile/machine.h"

namespace tpb::tile::test {
namespace {

TEST(Words, ABundleWrittenOutByHand) {
  // Mode 2 function 2 of FP32 (1): 1 << 27 | 2 << 25 | 2 << 20 over the match.
  EXPECT_EQ(encode(Start{1, 0x42}), 0x0C200000U | 0x00019181U);
  // Pad Max is 1 at bit 27.
  EXPECT_EQ(encode(Attributes{Pad::max, 0}), 0x08001023U);
  // 1000 is 3E8, in bits 31:20; LB1 = R5 + 1 has 5 at bit 15; 0x10001 has its bit 16 at the top of bits 11:7.
  EXPECT_EQ(encode(Dimension{0, 0, 1000}), 0x3E800043U);
  EXPECT_EQ(encode(Dimension{1, 5, 1}), 0x00101043U | 5U << 15);
  EXPECT_EQ(encode(Dimension{2, 0, 0x10001}), 0x00102043U | 1U << 11);
  // Source 3, last, SizeCode 9 (32 KiB), PEMode 7, hand M.
  EXPECT_EQ(encode(Binding{3, {}, true, 9, 7, 2}), 0x5013U | 3U << 20 | 1U << 19 | 9U << 15 | 7U << 9 | 2U << 7);
  EXPECT_EQ(encode(Stop{}), 1U);
}

TEST(Words, OtherBindings) {
  EXPECT_EQ(decode(0x4013U | 33U << 26 | 2U << 20 | 1U << 15), Word(Binding{2, 33, false, 1, 0, 0}));
  EXPECT_EQ(decode(0x4013U | 33U << 26 | 2U << 20), Word(Binding{2, 33, false, 0, 0, 0}));
  EXPECT_EQ(decode(0x5013U | 2U << 20), Word(Binding{2, {}, false, 0, 0, 0}));
  EXPECT_EQ(decode(0x6013U | 10U << 15 | 3U << 7), Word(Binding{{}, {}, false, 10, 0, 3}));
  EXPECT_EQ(decode(0x0013U | 4U << 7 | 1U << 15 | 2U << 20 | 3U << 27), Word(Scalars{4, {1, 2, 3}}));
  EXPECT_EQ(decode(0x1013U | 200U << 20 | 4U << 15 | 7U << 9), Word(Shared{200, 4, 7}));
}

TEST(Words, WhatIsNoWord) {
  for (const std::uint32_t bits : {0x00000000U, 0x00000002U, 0x00003043U, 0x00007013U, 0x02000013U,
                                   0x00100013U | 0x6000U, 0x04005013U, 0x000C1023U, 0x00009181U, 0xFFFFFFFFU}) {
    EXPECT_FALSE(decode(bits)) << std::hex << bits;
  }
}

TEST(Words, EveryWordComesBackFromItsFields) {
  std::mt19937 random(11);
  const std::uint32_t matches[] = {0x00019181, 0x1023, 0x43, 0x1043, 0x2043, 0x4013, 0x5013, 0x6013, 0x13, 0x1013, 0x1};
  unsigned words = 0;
  for (unsigned i = 0; i < 1'000'000; ++i) {
    std::uint32_t bits = static_cast<std::uint32_t>(random());
    if (i % 2 == 0) {  // near a word
      const std::uint32_t match = matches[i / 2 % std::size(matches)];
      bits = (bits & (match == 0x19181 ? 0xFFF00000U : 0xFFF08F80U)) | match;
    }
    const auto word = decode(bits);
    if (!word) continue;
    ++words;
    ASSERT_EQ(encode(*word), bits);
  }
  EXPECT_GT(words, 200'000U);
}

TEST(Words, PeModes) {
  // Bit 3 is PE0: modes 1 to 4 are one PE each, 5 to 7 the first two, three, four.
  EXPECT_THAT(kPeMasks, testing::ElementsAre(0, 8, 4, 2, 1, 12, 14, 15));
  for (std::uint8_t mode = 0; mode < 8; ++mode) EXPECT_EQ(pe_mode_of(kPeMasks[mode]), mode);
  EXPECT_EQ(pe_mode_of(0b0011), std::nullopt);
}

TEST(Words, Sizes) {
  EXPECT_EQ(bytes_of_size(1), 128U);
  EXPECT_EQ(bytes_of_size(10), 65536U);
  EXPECT_FALSE(is_tile_size(0));
  EXPECT_TRUE(is_tile_size(10));
  EXPECT_FALSE(is_tile_size(11));
}

TEST(Words, NamesOfRegisters) {
  EXPECT_EQ(name_of_tile(0), "T0");
  EXPECT_EQ(name_of_tile(31), "U15");
  EXPECT_EQ(name_of_tile(32), "M0");
  EXPECT_EQ(name_of_tile(63), "N15");
  for (unsigned index = 0; index < kTiles; ++index) EXPECT_EQ(tile_from_name(name_of_tile(index)), index);
  for (const char* name : {"", "T", "T16", "X0", "t0", "T-1", "T1x", "T01"}) EXPECT_FALSE(tile_from_name(name)) << name;
}

TEST(Words, Selectors) {
  // The family: rows from 0x40, columns from 0x50.
  const std::pair<std::string_view, unsigned> family[] = {
      {"TROWSUM", 0x40},    {"TROWMAX", 0x41},    {"TROWMIN", 0x42},    {"TROWPROD", 0x43},
      {"TROWARGMAX", 0x4C}, {"TROWARGMIN", 0x4D}, {"TCOLSUM", 0x50},    {"TCOLMAX", 0x51},
      {"TCOLMIN", 0x52},    {"TCOLPROD", 0x53},   {"TCOLARGMAX", 0x5C}, {"TCOLARGMIN", 0x5D}};
  EXPECT_EQ(operations().size(), std::size(family));
  for (const auto& [name, selector] : family) {
    ASSERT_NE(find_operation(name), nullptr) << name;
    EXPECT_EQ(find_operation(name)->selector, selector) << name;
    EXPECT_EQ(find_operation(static_cast<std::uint8_t>(selector))->name, name);
  }
  // Mode 2 function 2.
  EXPECT_EQ(find_operation(std::uint8_t{2 << 5 | 2})->name, "TROWMIN");
}

TEST(Words, TypesByCode) {
  const std::pair<std::string_view, unsigned> codes[] = {
      {"FP64", 0}, {"FP32", 1}, {"TF32", 2}, {"HF32", 3}, {"FP16", 4}, {"BF16", 5}, {"E4M3", 7}, {"E5M2", 8},
      {"S64", 16}, {"S32", 17}, {"S16", 18}, {"S8", 19},  {"U64", 24}, {"U32", 25}, {"U16", 26}, {"U8", 27}};
  EXPECT_EQ(types().size(), std::size(codes));
  for (const auto& [name, code] : codes) {
    ASSERT_NE(find_type(static_cast<std::uint8_t>(code)), nullptr) << name;
    EXPECT_EQ(find_type(static_cast<std::uint8_t>(code))->name, name);
    EXPECT_EQ(type_from_name(name), static_cast<Type>(code));
  }
  EXPECT_EQ(find_type(31), nullptr);
  EXPECT_EQ(find_type(6), nullptr);
  EXPECT_EQ(type_of(Dtype::int32), Type::s32);
  EXPECT_EQ(type_of(Dtype::bf16), Type::bf16);
  EXPECT_EQ(type_of(Dtype::fp8_e5m2), Type::e5m2);
  EXPECT_EQ(type_of(Dtype::fp8_e4m3), std::nullopt);  // with infinities here, without in tiles
  EXPECT_EQ(type_of(Dtype::fp32r), std::nullopt);
}

}  // namespace
}  // namespace tpb::tile::test
