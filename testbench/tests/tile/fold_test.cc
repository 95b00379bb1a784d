// Values and status of the folds.
#include <fmt/format.h>

#include <random>

#include "testbench/reference/tile_fold.h"
#include "testbench/tests/tile/machine.h"

namespace tpb::tile::test {
namespace {

// What the types are, from the formats' documents.
struct Floating {
  Type type;
  Code quiet_nan, other_nan, signalling, canonical, one, minus_zero, subnormal, infinity;
};
constexpr Floating kFloating[] = {
    {Type::fp32, 0x7FC12345, 0xFFC00001, 0x7F800001, 0x7FC00000, 0x3F800000, 0x80000000, 0x00000001, 0x7F800000},
    {Type::fp16, 0x7E12, 0xFE01, 0x7C01, 0x7E00, 0x3C00, 0x8000, 0x0001, 0x7C00},
    {Type::bf16, 0x7FC5, 0xFFC1, 0x7F81, 0x7FC0, 0x3F80, 0x8000, 0x0001, 0x7F80},
};
constexpr Outcome number(Code code) { return {code, 0}; }

TEST(Minimum, OneNaNGivesTheOther) {
  for (const Floating& f : kFloating) {
    EXPECT_EQ(fold("TROWMIN", f.type, {f.quiet_nan, f.one}), number(f.one));
    EXPECT_EQ(fold("TROWMIN", f.type, {f.one, f.quiet_nan}), number(f.one));
    EXPECT_EQ(fold("TROWMAX", f.type, {f.quiet_nan, f.one}), number(f.one));
  }
}

TEST(Minimum, TwoNaNsGiveTheCanonicalOne) {
  for (const Floating& f : kFloating) {
    EXPECT_EQ(fold("TROWMIN", f.type, {f.quiet_nan, f.other_nan}), number(f.canonical));
    EXPECT_EQ(fold("TROWMAX", f.type, {f.other_nan, f.other_nan}), number(f.canonical));
    EXPECT_EQ(fold("TROWMIN", f.type, {f.quiet_nan, f.other_nan, f.one}), number(f.one));
  }
}

TEST(Minimum, ASignallingNaNRaisesNVAndGivesTheNumber) {
  for (const Floating& f : kFloating) {
    EXPECT_EQ(fold("TROWMIN", f.type, {f.signalling, f.one}), (Outcome{f.one, kNV}));
    EXPECT_EQ(fold("TROWMIN", f.type, {f.one, f.signalling}), (Outcome{f.one, kNV}));
    EXPECT_EQ(fold("TROWMIN", f.type, {f.quiet_nan, f.signalling}), (Outcome{f.canonical, kNV}));
  }
}

TEST(Minimum, OneColumnIsCopiedWithItsBits) {
  for (const Floating& f : kFloating) {
    for (const Code code : {f.signalling, f.other_nan, f.minus_zero, f.subnormal}) {
      EXPECT_EQ(fold("TROWMIN", f.type, {code}), number(code));
      EXPECT_EQ(fold("TCOLMAX", f.type, {code}), number(code));
    }
  }
}

TEST(Minimum, MinusZeroWinsInBothOrders) {
  for (const Floating& f : kFloating) {
    EXPECT_EQ(fold("TROWMIN", f.type, {f.minus_zero, 0}), number(f.minus_zero));
    EXPECT_EQ(fold("TROWMIN", f.type, {0, f.minus_zero}), number(f.minus_zero));
    EXPECT_EQ(fold("TROWMAX", f.type, {f.minus_zero, 0}), number(0));
    EXPECT_EQ(fold("TROWMAX", f.type, {0, f.minus_zero}), number(0));
  }
}

TEST(Minimum, SubnormalsSurvive) {
  for (const Floating& f : kFloating) {
    EXPECT_EQ(fold("TROWMIN", f.type, {f.one, f.subnormal, 2 * f.subnormal}), number(f.subnormal));
    const Code negative = f.minus_zero | f.subnormal;
    EXPECT_EQ(fold("TROWMIN", f.type, {0, negative, f.minus_zero}), number(negative));
  }
}

TEST(Minimum, ExtremesOfEveryType) {
  for (const Floating& f : kFloating) {
    const TypeInfo& type = info_of(f.type);
    EXPECT_EQ(fold("TROWMIN", f.type, {type.largest, f.infinity}), number(type.largest));
    EXPECT_EQ(fold("TROWMIN", f.type, {type.smallest, f.minus_zero | f.infinity}), number(f.minus_zero | f.infinity));
    EXPECT_EQ(fold("TROWMAX", f.type, {type.smallest, f.minus_zero | f.infinity}), number(type.smallest));
  }
  const std::tuple<Type, Code, Code> integers[] = {
      {Type::s32, 0x80000000, 0x7FFFFFFF}, {Type::s16, 0x8000, 0x7FFF}, {Type::s8, 0x80, 0x7F},
      {Type::u32, 0, 0xFFFFFFFF},          {Type::u16, 0, 0xFFFF},      {Type::u8, 0, 0xFF}};
  for (const auto& [type, smallest, largest] : integers) {
    EXPECT_EQ(fold("TROWMIN", type, {largest, 1, smallest}), number(smallest));
    EXPECT_EQ(fold("TROWMAX", type, {smallest, 1, largest}), number(largest));
    EXPECT_EQ(fold("TROWARGMIN", type, {largest, 1, smallest}), number(2));
  }
}

TEST(Minimum, IntegersHaveTheirOwnSign) {
  EXPECT_EQ(fold("TROWMIN", Type::s8, {0xFF, 0x01}), number(0xFF));  // -1 before 1
  EXPECT_EQ(fold("TROWMIN", Type::u8, {0xFF, 0x01}), number(0x01));
  EXPECT_EQ(fold("TROWMAX", Type::u16, {0xFFFF, 0x0001}), number(0xFFFF));
  EXPECT_EQ(fold("TROWMAX", Type::s16, {0xFFFF, 0x0001}), number(0x0001));
}

TEST(Minimum, StatusIsStickyOverTheWholeFold) {
  // The NaN is long gone when the fold ends, and a later fold without one does not take NV back.
  Machine machine;
  machine.load(Type::fp32, {{0x7F800001, 0x40000000, 0x3F800000, 0x40400000}, {1, 2, 3, 4}});
  Recipe recipe{.valid_col = 4, .valid_row = 2};
  EXPECT_EQ(text_of(machine.run(recipe)), "");
  EXPECT_EQ(machine.codes(16), (std::vector<Code>{0x3F800000, 1}));
  EXPECT_EQ(machine.file.status(), kNV);
  machine.load(Type::fp32, {{1}});
  recipe = {.source = 1};
  EXPECT_EQ(text_of(machine.run(recipe)), "");
  EXPECT_EQ(machine.file.status(), kNV);
}

TEST(Sum, WrapsAtTheWidthOfTheElement) {
  EXPECT_EQ(fold("TROWSUM", Type::u8, {250, 10}), number(4));
  EXPECT_EQ(fold("TROWSUM", Type::s8, {0x7F, 1}), number(0x80));
  EXPECT_EQ(fold("TROWSUM", Type::s16, {0x8000, 0xFFFF}), number(0x7FFF));
  EXPECT_EQ(fold("TROWSUM", Type::u32, {0xFFFFFFFF, 2}), number(1));
  EXPECT_EQ(fold("TROWPROD", Type::u8, {20, 20}), number(144));  // 400 - 256
  EXPECT_EQ(fold("TROWPROD", Type::s32, {0xFFFFFFFF, 5}), number(0xFFFFFFFB));
}

TEST(Sum, StartsAtPlusZeroAndProductAtOne) {
  EXPECT_EQ(fold("TROWSUM", Type::fp32, {0x80000000}), number(0));            // +0 + -0
  EXPECT_EQ(fold("TROWPROD", Type::fp32, {0x80000000}), number(0x80000000));  // 1 * -0
  // The first element is already an operand: a signalling NaN is not copied.
  EXPECT_EQ(fold("TROWSUM", Type::fp16, {0x7C01}), (Outcome{0x7E00, kNV}));
  EXPECT_EQ(fold("TROWPROD", Type::bf16, {0x7FC5}), number(0x7FC0));
}

TEST(Sum, IsInIncreasingOrder) {
  // 1 + 2^24 is a tie that goes down to 2^24, and nothing is left; from the other end 1 would be.
  EXPECT_EQ(fold("TROWSUM", Type::fp32, {0x3F800000, 0x4B800000, 0xCB800000}), (Outcome{0, kNX}));
  EXPECT_EQ(fold("TROWSUM", Type::fp32, {0x4B800000, 0xCB800000, 0x3F800000}), number(0x3F800000));
  EXPECT_EQ(fold("TCOLSUM", Type::fp32, {0x3F800000, 0x4B800000, 0xCB800000}), (Outcome{0, kNX}));
}

TEST(Sum, RoundsToTheElementAtEveryStep) {
  // FP16: 2048 + 1 is a tie that goes to 2048, twice; at once, 2048 + 2 would be 2050. BF16: 256 + 1 likewise.
  EXPECT_EQ(fold("TROWSUM", Type::fp16, {0x6800, 0x3C00, 0x3C00}), (Outcome{0x6800, kNX}));
  EXPECT_EQ(fold("TROWSUM", Type::bf16, {0x4380, 0x3F80, 0x3F80}), (Outcome{0x4380, kNX}));
}

TEST(Sum, RaisesWhatIeeeRaises) {
  for (const Floating& f : kFloating) {
    const TypeInfo& type = info_of(f.type);
    EXPECT_EQ(fold("TROWSUM", f.type, {f.infinity, f.minus_zero | f.infinity}), (Outcome{f.canonical, kNV}));
    EXPECT_EQ(fold("TROWPROD", f.type, {0, f.infinity}), (Outcome{f.canonical, kNV}));
    EXPECT_EQ(fold("TROWSUM", f.type, {type.largest, type.largest}), (Outcome{f.infinity, kOF | kNX}));
    EXPECT_EQ(fold("TROWPROD", f.type, {type.largest, type.smallest}), (Outcome{f.minus_zero | f.infinity, kOF | kNX}));
    EXPECT_EQ(fold("TROWPROD", f.type, {f.subnormal, f.minus_zero | f.subnormal}), (Outcome{f.minus_zero, kUF | kNX}));
    // What lies below the normal numbers underflows, even if it rounds to the smallest of them (assumed): the number
    // before one, by that number.
    const Code smallest_normal = f.subnormal << type.fraction_bits;
    EXPECT_EQ(fold("TROWPROD", f.type, {f.one - 1, smallest_normal}), (Outcome{smallest_normal, kUF | kNX}));
    EXPECT_EQ(fold("TROWSUM", f.type, {f.subnormal, f.subnormal}), number(2 * f.subnormal));  // exact: no flag
    EXPECT_EQ(fold("TROWSUM", f.type, {f.infinity, f.one}), number(f.infinity));
  }
}

TEST(Index, FirstOnTies) {
  EXPECT_EQ(fold("TROWARGMAX", Type::u8, {1, 9, 9}), number(1));
  EXPECT_EQ(fold("TROWARGMIN", Type::u8, {4, 2, 2}), number(1));
  EXPECT_EQ(fold("TCOLARGMIN", Type::s16, {4, 0xFFFF, 2, 0xFFFF}), number(1));
  EXPECT_EQ(fold("TROWARGMIN", Type::fp32, {0x3F800000}), number(0));
}

TEST(Index, MovesWhenTheFoldTakesOtherBits) {
  EXPECT_EQ(fold("TROWARGMIN", Type::fp32, {0, 0x80000000}), number(1));   // +0, -0
  EXPECT_EQ(fold("TROWARGMIN", Type::fp32, {0x80000000, 0}), number(0));   // -0, +0
  EXPECT_EQ(fold("TROWARGMAX", Type::fp16, {0x8000, 0x0000}), number(1));  // -0, +0
  EXPECT_EQ(fold("TROWARGMIN", Type::bf16, {0x7FC0, 0x3F80}), number(1));  // NaN, 1
  EXPECT_EQ(fold("TROWARGMIN", Type::bf16, {0x7FC5, 0x7FC0}), number(0));  // two NaNs never move it
  EXPECT_EQ(fold("TROWARGMIN", Type::bf16, {0x7FC5, 0x7F81, 0x7FC0, 0x3F80, 0x7FC0}), (Outcome{3, kNV}));
}

TEST(Index, IsAU32WhateverTheSource) {
  Machine machine;
  machine.load(Type::s8, {{5, 3}, {1, 2}, {7, 7}});
  EXPECT_EQ(text_of(machine.run(Recipe{.operation = "TROWARGMAX", .type = Type::s8, .valid_col = 2, .valid_row = 3})),
            "");
  const Descriptor& result = machine.file.find(16)->descriptor();
  EXPECT_EQ(result.type, Type::u32);
  EXPECT_EQ(result.rows, 32U);  // 128 bytes of four
  EXPECT_EQ(machine.codes(16), (std::vector<Code>{0, 1, 0}));
}

TEST(Columns, AreFoldedIndependently) {
  // S8 [[-1, 5], [1, -2]]: -1 and -2.
  Machine machine;
  machine.load(Type::s8, {{0xFF, 5}, {1, 0xFE}});
  EXPECT_EQ(text_of(machine.run(Recipe{.operation = "TCOLMIN", .type = Type::s8, .valid_col = 2, .valid_row = 2})), "");
  const Descriptor& result = machine.file.find(16)->descriptor();
  EXPECT_EQ(machine.codes(16), (std::vector<Code>{0xFF, 0xFE}));
  EXPECT_EQ(result.valid_row, 1U);
  EXPECT_EQ(result.valid_col, 2U);
  EXPECT_EQ(result.col, 2U);
  EXPECT_EQ(result.rows, 64U);
}

// ---- every fold of every type against the reference ----------------------------------------------------------------

reference::TileFormat format_of(Type type) {
  switch (type) {
    case Type::fp64:
      return {64, true, 11, 52};
    case Type::fp32:
      return {32, true, 8, 23};
    case Type::tf32:
      return {32, true, 8, 10};
    case Type::hf32:
      return {32, true, 8, 11};
    case Type::fp16:
      return {16, true, 5, 10};
    case Type::bf16:
      return {16, true, 8, 7};
    case Type::e4m3:
      return {8, true, 4, 3, false};
    case Type::e5m2:
      return {8, true, 5, 2};
    default: {
      const auto code = static_cast<unsigned>(type);  // S64 16, S32 17, S16 18, S8 19; unsigned from 24
      return {64U >> (code & 3), code < 24};
    }
  }
}

std::string folds_like_the_reference(Type type, Dtypes dtypes, unsigned rows, std::mt19937_64& random) {
  const reference::TileFormat format = format_of(type);
  const TypeInfo& info = info_of(type);
  // Interesting codes and their neighbours, near values, and anything.
  std::vector<Code> pool{0, 1, 2, info.sign(), info.sign() + 1, info.largest, info.smallest, info.mask()};
  if (info.family == Family::floating) {
    for (const Code code : {info.top, info.top + 1, info.canonical_nan, info.canonical_nan + 1, info.largest - 1}) {
      pool.push_back(code);
      pool.push_back(code | info.sign());
    }
  }
  const std::pair<std::string_view, reference::TileFold> folds[] = {
      {"SUM", reference::TileFold::sum},       {"MAX", reference::TileFold::maximum},
      {"MIN", reference::TileFold::minimum},   {"PROD", reference::TileFold::product},
      {"ARGMAX", reference::TileFold::argmax}, {"ARGMIN", reference::TileFold::argmin}};
  for (unsigned row = 0; row < rows; ++row) {
    std::vector<Code> elements(1 + random() % 8);
    const Code base = random();
    const unsigned kind = static_cast<unsigned>(random() % 4);
    for (Code& element : elements) {
      const Code pooled = pool[random() % pool.size()];
      const Code near = base + random() % 5 + (random() % 2 == 0 ? info.sign() : 0);
      // Around 1, so that sums and products of whole rows stay numbers.
      const Code around_one = one_of(info) - (random() & (info.mask() >> 6)) / 2;
      element = (kind == 0   ? pooled
                 : kind == 1 ? near
                 : kind == 2 ? around_one
                             : random()) &
                info.mask() & ~info.dropped;
    }
    for (const auto& [name, judge] : folds) {
      for (const std::string_view axis : {"TROW", "TCOL"}) {
        const std::string operation = fmt::format("{}{}", axis, name);
        if (!takes(*find_operation(operation), info, dtypes)) continue;
        const Outcome outcome = fold(operation, type, elements, dtypes);
        const reference::Folded expected = reference::fold(format, judge, elements);
        if (outcome.code != expected.code || outcome.status != expected.status) {
          return fmt::format("{} {} of [{:x}]: {:x} status {:x}, not {:x} status {:x}", operation, info.name,
                             fmt::join(elements, ", "), outcome.code, outcome.status, expected.code, expected.status);
        }
      }
    }
  }
  return "";
}

TEST(EveryFold, OfTheNineTypesAgreesWithTheReference) {
  std::mt19937_64 random(5);
  for (const Type type : nine_types()) EXPECT_EQ(folds_like_the_reference(type, Dtypes::nine, 250, random), "");
}

TEST(EveryFold, OfTheOtherTypesAgreesWithTheReference) {
  std::mt19937_64 random(6);
  for (const TypeInfo& type : types()) {
    if (type.nine) continue;
    EXPECT_EQ(folds_like_the_reference(type.type, Dtypes::sixteen, 60, random), "");
  }
}

TEST(EveryFold, TakesItsTypes) {
  for (const Operation& operation : operations()) {
    for (const TypeInfo& type : types()) {
      const bool listed = std::ranges::count(nine_types(), type.type) == 1;
      EXPECT_EQ(takes(operation, type, Dtypes::nine), listed) << operation.name << ' ' << type.name;
      // No index of another type; no arithmetic of TF32, HF32, E4M3, E5M2.
      const bool index = operation.name.find("ARG") != std::string_view::npos;
      const bool arithmetic = operation.name.ends_with("SUM") || operation.name.ends_with("PROD");
      const Type without[] = {Type::tf32, Type::hf32, Type::e4m3, Type::e5m2};
      const bool sixteen = index ? listed : !arithmetic || std::ranges::count(without, type.type) == 0;
      EXPECT_EQ(takes(operation, type, Dtypes::sixteen), sixteen) << operation.name << ' ' << type.name;
    }
  }
}

TEST(Arithmetic, OfFp16IsRightForEveryPairOfAFewThousand) {
  std::mt19937_64 random(7);
  const reference::TileFormat format{16, true, 5, 10};
  for (int i = 0; i < 3000; ++i) {
    const std::vector<Code> pair{random() & 0xFFFF, random() & 0xFFFF};
    const Computed sum = add(info_of(Type::fp16), pair[0], pair[1]);
    const Computed product = multiply(info_of(Type::fp16), pair[0], pair[1]);
    // From +0 and 1, which change no operand but -0 and a NaN.
    if (info_of(Type::fp16).is_nan(pair[0]) || pair[0] == 0x8000) continue;
    const auto expected_sum = reference::fold(format, reference::TileFold::sum, pair);
    const auto expected_product = reference::fold(format, reference::TileFold::product, pair);
    ASSERT_EQ(std::pair(sum.code, unsigned{sum.status}), std::pair(expected_sum.code, expected_sum.status));
    ASSERT_EQ(std::pair(product.code, unsigned{product.status}),
              std::pair(expected_product.code, expected_product.status));
  }
}

}  // namespace
}  // namespace tpb::tile::test
