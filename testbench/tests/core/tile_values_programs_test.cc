// Reductions by the tile engine as whole programs: every value a sentence of the TROWMIN page or of the tile ISA facts
// names, loaded from SBUF, reduced along both axes and stored again.
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>

#include "models/tile/float_arithmetic.h"
#include "testbench/tests/core/tile_program.h"

namespace tpb::test {
namespace {

using testing::ElementsAre;
using tile::kNV;
using tile::kNX;
using tile::kOF;
using tile::kUF;

struct Folded {
  std::string rule;
  std::uint32_t value = 0;
  unsigned status = 0;
};

// One row (TROW) or one column (TCOL) of these elements.
Folded fold(const std::string& axis, const std::string& operation, std::string_view type_name, const Codes& codes) {
  const TileType& type = tile_type(type_name);
  const bool row = axis == "TROW";
  const bool index = operation.starts_with("ARG");
  const std::size_t rows = row ? 1 : codes.size(), columns = row ? codes.size() : 1;
  const Ran ran = run_text(fmt::format(R"(
    .tensor x {0} [{1}, {2}] sbuf+0x0 = {3}
    .tensor y {4} [1, 1] sbuf+0x100
    .engine sfu
      TLOAD x -> T<128B>
      BSTART.SFU {5}{6}, {7}
      B.DIM LB0={2}
      B.DIM LB1={1}
      B.DIM LB2={8}
      B.IOT T0, mask=1111, last, ->U<128B>
      BSTOP
      TSTORE U0 -> y
)",
                                       type.dtype, rows, columns, contents_of(codes), index ? "uint32" : type.dtype,
                                       axis, operation, type.name, std::bit_ceil(columns)));
  return {rule_of(ran), codes_of(ran, "y", index ? 4 : type.bytes).at(0), tiles().status()};
}

struct FoldCase {
  const char* operation;
  const char* type;
  Codes codes;
  std::uint32_t expected;
  unsigned status = 0;
};

void check(const FoldCase& wanted) {
  for (const char* axis : {"TROW", "TCOL"}) {
    SCOPED_TRACE(fmt::format("{}{} {} {}", axis, wanted.operation, wanted.type, contents_of(wanted.codes)));
    const Folded folded = fold(axis, wanted.operation, wanted.type, wanted.codes);
    EXPECT_EQ(folded.rule, "none");
    EXPECT_EQ(folded.value, wanted.expected) << std::hex << folded.value << " instead of " << wanted.expected;
    EXPECT_EQ(folded.status, wanted.status);
  }
}

// ---- Floating types -----------------------------------------------------------------------------------------------

struct FloatCodes {
  const char* type;
  std::uint32_t minus_zero, canonical, quiet, signalling, half, one, two, infinity, largest;
  std::uint32_t gap;  // the smallest power of two to which adding one changes nothing
};

class FloatTiles : public testing::TestWithParam<FloatCodes> {};

TEST_P(FloatTiles, ANanYieldsTheNumberAndTwoTheCanonicalNan) {
  const FloatCodes& f = GetParam();
  for (const char* operation : {"MIN", "MAX"}) {
    check({operation, f.type, {f.canonical, f.one}, f.one});
    check({operation, f.type, {f.one, f.quiet}, f.one});
    check({operation, f.type, {f.quiet, f.quiet}, f.canonical});
    check({operation, f.type, {f.quiet, f.canonical, f.one}, f.one});
    check({operation, f.type, {f.one, f.quiet, f.quiet}, f.one});
  }
}

TEST_P(FloatTiles, ASignallingNanYieldsTheNumberAndRaisesInvalid) {
  const FloatCodes& f = GetParam();
  for (const char* operation : {"MIN", "MAX"}) {
    check({operation, f.type, {f.signalling, f.one}, f.one, kNV});
    check({operation, f.type, {f.one, f.signalling}, f.one, kNV});
    check({operation, f.type, {f.signalling, f.canonical}, f.canonical, kNV});
    check({operation, f.type, {f.signalling, f.signalling, f.two}, f.two, kNV});
  }
}

TEST_P(FloatTiles, OneColumnIsCopiedBitForBitWithoutAFlag) {
  const FloatCodes& f = GetParam();
  for (const char* operation : {"MIN", "MAX"}) {
    for (std::uint32_t code : {f.signalling, f.quiet, f.minus_zero, f.minus_zero + 1, f.infinity}) {
      check({operation, f.type, {code}, code});
    }
  }
}

TEST_P(FloatTiles, MinusZeroWinsAMinimumAndPlusZeroAMaximumInEitherOrder) {
  const FloatCodes& f = GetParam();
  check({"MIN", f.type, {0, f.minus_zero}, f.minus_zero});
  check({"MIN", f.type, {f.minus_zero, 0}, f.minus_zero});
  check({"MIN", f.type, {0, 0, f.minus_zero, 0, 0}, f.minus_zero});
  check({"MAX", f.type, {0, f.minus_zero}, 0});
  check({"MAX", f.type, {f.minus_zero, 0}, 0});
}

TEST_P(FloatTiles, SubnormalsAndInfinitiesAreNumbers) {
  const FloatCodes& f = GetParam();
  const std::uint32_t sub1 = 1, sub2 = 2;  // the two smallest positive numbers of every format
  check({"MIN", f.type, {sub2, sub1}, sub1});
  check({"MIN", f.type, {f.one, sub1, f.infinity}, sub1});
  check({"MIN", f.type, {f.minus_zero | sub1, f.minus_zero | sub2}, f.minus_zero | sub2});
  check({"MIN", f.type, {0, f.minus_zero | sub1}, f.minus_zero | sub1});
  check({"MAX", f.type, {0, sub1}, sub1});
  check({"MAX", f.type, {f.minus_zero | sub1, f.minus_zero | sub2}, f.minus_zero | sub1});
  check({"MIN", f.type, {f.infinity, f.largest}, f.largest});
  check({"MAX", f.type, {f.largest, f.infinity}, f.infinity});
  check({"MIN", f.type, {f.minus_zero | f.largest, f.minus_zero | f.infinity}, f.minus_zero | f.infinity});
  check({"MAX", f.type, {f.minus_zero | f.infinity, f.minus_zero | f.largest}, f.minus_zero | f.largest});
}

TEST_P(FloatTiles, SumsStartAtZeroAndRoundAtEveryStep) {
  const FloatCodes& f = GetParam();
  check({"SUM", f.type, {f.one, f.one}, f.two});
  check({"SUM", f.type, {1, 1}, 2});  // twice the smallest subnormal
  // +0 + -0 is +0, however many follow.
  check({"SUM", f.type, {f.minus_zero}, 0});
  check({"SUM", f.type, {f.minus_zero, f.minus_zero}, 0});
  // gap + 1 lies half way between gap and gap + 2 and goes to the even gap, twice; 1 + 1 first is exact, and gap + 2 is
  // the code after gap.
  check({"SUM", f.type, {f.gap, f.one, f.one}, f.gap, kNX});
  check({"SUM", f.type, {f.one, f.one, f.gap}, f.gap + 1});
  check({"SUM", f.type, {f.largest, f.largest}, f.infinity, kOF | kNX});
  check({"SUM", f.type, {f.infinity, f.minus_zero | f.infinity}, f.canonical, kNV});
  check({"SUM", f.type, {f.one, f.quiet, f.one}, f.canonical});
  check({"SUM", f.type, {f.one, f.signalling, f.one}, f.canonical, kNV});
}

TEST_P(FloatTiles, ProductsStartAtOneAndRoundAtEveryStep) {
  const FloatCodes& f = GetParam();
  check({"PROD", f.type, {f.two, f.half}, f.one});
  check({"PROD", f.type, {f.minus_zero}, f.minus_zero});  // 1 x -0
  check({"PROD", f.type, {1, f.two}, 2});                 // a subnormal, exactly
  // Half of the smallest number lies half way to zero, which is even: all is lost, and the doubling comes too late.
  check({"PROD", f.type, {1, f.half, f.two}, 0, kUF | kNX});
  check({"PROD", f.type, {1, f.two, f.half}, 1});
  check({"PROD", f.type, {f.largest, f.two, f.half}, f.infinity, kOF | kNX});
  check({"PROD", f.type, {f.largest, f.half, f.two}, f.largest});
  check({"PROD", f.type, {f.infinity, 0}, f.canonical, kNV});
  check({"PROD", f.type, {f.quiet, f.two}, f.canonical});
  check({"PROD", f.type, {f.two, f.signalling}, f.canonical, kNV});
}

TEST_P(FloatTiles, TheIndexMovesWhenTheFoldTakesDifferentBits) {
  const FloatCodes& f = GetParam();
  check({"ARGMIN", f.type, {0, f.minus_zero}, 1});
  check({"ARGMIN", f.type, {f.minus_zero, 0}, 0});
  check({"ARGMAX", f.type, {0, f.minus_zero}, 0});
  check({"ARGMAX", f.type, {f.minus_zero, 0}, 1});
  check({"ARGMIN", f.type, {f.two, f.one, f.one}, 1});
  check({"ARGMAX", f.type, {f.one, f.two, f.two}, 1});
  for (const char* operation : {"ARGMIN", "ARGMAX"}) {
    check({operation, f.type, {f.one}, 0});
    check({operation, f.type, {f.signalling}, 0});
    check({operation, f.type, {f.quiet, f.one}, 1});
    check({operation, f.type, {f.one, f.quiet}, 0});
    check({operation, f.type, {f.quiet, f.canonical}, 0});
    check({operation, f.type, {f.canonical, f.quiet, f.one}, 2});
    check({operation, f.type, {f.signalling, f.one}, 1, kNV});
    check({operation, f.type, {f.signalling, f.canonical}, 0, kNV});
  }
}

INSTANTIATE_TEST_SUITE_P(
    Types, FloatTiles,
    testing::Values(  // gap: 2^24, 2^11 and 2^8, one more than the bits of the fraction and the hidden one hold
        FloatCodes{"FP32", 0x80000000, 0x7FC00000, 0xFFC01234, 0x7F800001, 0x3F000000, 0x3F800000, 0x40000000,
                   0x7F800000, 0x7F7FFFFF, 0x4B800000},
        FloatCodes{"FP16", 0x8000, 0x7E00, 0xFE12, 0x7C01, 0x3800, 0x3C00, 0x4000, 0x7C00, 0x7BFF, 0x6800},
        FloatCodes{"BF16", 0x8000, 0x7FC0, 0xFFC5, 0x7F81, 0x3F00, 0x3F80, 0x4000, 0x7F80, 0x7F7F, 0x4380}),
    [](const auto& tested) { return tested.param.type; });

// ---- Integers -----------------------------------------------------------------------------------------------------

TEST(IntegerTiles, CompareAtTheirOwnWidthAndSign) {
  for (const char* prefix : {"", "ARG"}) {
    const bool index = *prefix != 0;
    for (const unsigned bits : {8U, 16U, 32U}) {
      const std::uint32_t ones = bits == 32 ? 0xFFFFFFFFU : (1U << bits) - 1, sign = 1U << (bits - 1);
      const std::string s = fmt::format("S{}", bits), u = fmt::format("U{}", bits);
      const std::string min = std::string(prefix) + "MIN", max = std::string(prefix) + "MAX";
      // All ones is -1 or the largest; the sign bit alone is the smallest or the middle.
      check({min.c_str(), s.c_str(), {ones, 1}, index ? 0 : ones});
      check({max.c_str(), s.c_str(), {ones, 1}, index ? 1 : 1U});
      check({min.c_str(), u.c_str(), {ones, 1}, index ? 1 : 1U});
      check({max.c_str(), u.c_str(), {ones, 1}, index ? 0 : ones});
      check({min.c_str(), s.c_str(), {0, sign - 1, sign, ones}, index ? 2 : sign});
      check({max.c_str(), s.c_str(), {0, sign - 1, sign, ones}, index ? 1 : sign - 1});
      check({min.c_str(), u.c_str(), {sign, sign - 1, ones}, index ? 1 : sign - 1});
      check({max.c_str(), u.c_str(), {sign, sign - 1, ones, 0}, index ? 2 : ones});
      check({min.c_str(), s.c_str(), {sign}, index ? 0 : sign});
      check({max.c_str(), u.c_str(), {ones}, index ? 0 : ones});
      // Equal ones: the first.
      check({max.c_str(), u.c_str(), {1, 9, 9}, index ? 1 : 9U});
      check({min.c_str(), u.c_str(), {4, 2, 2}, index ? 1 : 2U});
    }
  }
}

TEST(IntegerTiles, SumsAndProductsWrapAtTheirWidth) {
  check({"SUM", "U8", {250, 10}, 4});  // 260 - 256
  check({"SUM", "S8", {0x7F, 1}, 0x80});
  check({"SUM", "U16", {0xFFFF, 2}, 1});
  check({"SUM", "S16", {0x8000, 0xFFFF}, 0x7FFF});  // -32768 - 1
  check({"SUM", "U32", {0xFFFFFFFF, 2}, 1});
  check({"SUM", "S32", {0x80000000, 0xFFFFFFFF}, 0x7FFFFFFF});
  check({"PROD", "U8", {20, 20}, 144});           // 400 - 256
  check({"PROD", "S8", {0x80, 0xFF}, 0x80});      // -128 x -1 = 128
  check({"PROD", "U16", {256, 257}, 256});        // 65792 - 65536
  check({"PROD", "S16", {0x7FFF, 2}, 0xFFFE});    // 65534
  check({"PROD", "U32", {65536, 65537}, 65536});  // 2^32 + 2^16
  check({"PROD", "S32", {0xFFFFFFFF, 5}, 0xFFFFFFFB});
  for (const char* type : {"U8", "S8", "U16", "S16", "U32", "S32"}) {
    check({"SUM", type, {0x55}, 0x55});
    check({"PROD", type, {0x55}, 0x55});
  }
}

TEST(IntegerTiles, ColumnsOfSeveralRows) {
  // [[-1, 5], [1, -2]]: -1 and -2.
  const Ran ran = run_text(R"(
    .tensor x int8 [2, 2] sbuf+0x0 = [-1, 5, 1, -2]
    .tensor y int8 [1, 2] sbuf+0x100
    .engine sfu
      TLOAD x -> T<128B>
      BSTART.SFU TCOLMIN, S8
      B.DIM LB0=2
      B.DIM LB1=2
      B.IOT T0, mask=1111, last, ->U<128B>
      BSTOP
      TSTORE U0 -> y
)");
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_THAT(ran.values<std::int8_t>("y"), ElementsAre(-1, -2));
  // One row, two columns, as the source's.
  EXPECT_EQ(tiles().find(16)->descriptor().valid_row, 1U);
  EXPECT_EQ(tiles().find(16)->descriptor().valid_col, 2U);
  EXPECT_EQ(tiles().find(16)->descriptor().col, 2U);
}

// Every operation, axis and integer type on a matrix of random bits, five columns of eight being valid.
template <class T>
struct Reference {
  static std::uint32_t fold(std::string_view operation, const std::vector<T>& line) {
    using Wide = std::int64_t;
    const auto low = std::min_element(line.begin(), line.end()), high = std::max_element(line.begin(), line.end());
    if (operation == "MIN") return static_cast<std::uint32_t>(*low);
    if (operation == "MAX") return static_cast<std::uint32_t>(*high);
    if (operation == "ARGMIN") return static_cast<std::uint32_t>(low - line.begin());
    if (operation == "ARGMAX") {
      return static_cast<std::uint32_t>(std::find(line.begin(), line.end(), *high) - line.begin());
    }
    std::uint64_t value = operation == "SUM" ? 0 : 1;  // 64 bits wrap, and their low bits are those of a narrower wrap
    for (const T element : line) {
      const auto wide = static_cast<std::uint64_t>(static_cast<Wide>(element));
      value = operation == "SUM" ? value + wide : value * wide;
    }
    return static_cast<std::uint32_t>(value);
  }
};

template <class T>
void matrix(const char* type_name) {
  constexpr std::uint32_t kRows = 7, kColumns = 5;
  const TileType& type = tile_type(type_name);
  const std::uint32_t ones = type.bytes == 4 ? 0xFFFFFFFFU : (1U << (8 * type.bytes)) - 1;
  for (const char* operation : {"MIN", "MAX", "SUM", "PROD", "ARGMIN", "ARGMAX"}) {
    for (const bool row : {true, false}) {
      const bool index = std::string_view(operation).starts_with("ARG");
      const std::uint32_t results = row ? kRows : kColumns;
      SCOPED_TRACE(fmt::format("{}{} {}", row ? "TROW" : "TCOL", operation, type_name));
      const Ran ran =
          run_text(fmt::format(R"(
        .tensor x {} [{}, {}] sbuf[64]+0x0 = random(11)
        .tensor y {} [{}, {}] sbuf+0x100
        .engine sfu
          TLOAD x -> M<256B> col=8
          BSTART.SFU {}{}, {}
          B.DIM LB0={}
          B.DIM LB1={}
          B.DIM LB2=8
          B.IOT M0, mask=1111, last, ->N<256B>
          BSTOP
          TSTORE N0 -> y
)",
                               type.dtype, kRows, kColumns, index ? "uint32" : type.dtype, row ? kRows : 1,
                               row ? 1 : kColumns, row ? "TROW" : "TCOL", operation, type_name, kColumns, kRows));
      ASSERT_EQ(rule_of(ran), "none");
      const auto x = ran.values<T>("x");
      const Codes y = codes_of(ran, "y", index ? 4 : type.bytes);
      ASSERT_EQ(y.size(), results);
      for (std::uint32_t i = 0; i < results; ++i) {
        std::vector<T> line;
        for (std::uint32_t k = 0; k < (row ? kColumns : kRows); ++k) {
          line.push_back(row ? x[i * kColumns + k] : x[k * kColumns + i]);
        }
        EXPECT_EQ(y[i], Reference<T>::fold(operation, line) & (index ? 0xFFFFFFFFU : ones)) << i;
      }
    }
  }
}

TEST(IntegerTiles, MatricesAgreeWithWideArithmeticWrappedOnce) {
  matrix<std::int8_t>("S8");
  matrix<std::uint8_t>("U8");
  matrix<std::int16_t>("S16");
  matrix<std::uint16_t>("U16");
  matrix<std::int32_t>("S32");
  matrix<std::uint32_t>("U32");
}

// ---- What stands between memory and tiles -------------------------------------------------------------------------

TEST(TileMoves, ColumnsAreTheElementsOfAPartitionInStreamOrder) {
  // Backwards, every other one: 6 4 2 0 on the first partition, 14 12 10 8 on the second; the smallest stand last.
  const Ran ran = run_text(R"(
    .tensor x int16 [2, 8] sbuf[32]+0x0 = iota
    .tensor y uint32 [2, 1] sbuf[96]+0x100
    .tensor z int16 [2, 2, 2] sbuf+0x200
    .engine sfu
      TLOAD x[:, 6::-2] -> T<128B>
      BSTART.SFU TROWARGMIN, S16
      B.DIM LB0=4
      B.DIM LB1=2
      B.IOT T0, mask=1111, last, ->U<128B>
      BSTOP
      TSTORE U0 -> y
      TSTORE T0 -> z
)");
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_THAT(ran.values<std::uint32_t>("y"), ElementsAre(3, 3));
  EXPECT_THAT(ran.values<std::int16_t>("z"), ElementsAre(6, 4, 2, 0, 14, 12, 10, 8));
}

TEST(TileMoves, AResultIsTheSourceOfTheNextReduction) {
  // The rows' minima are a column; its maximum over the rows is a single element. 9 3 | 8 5 | 7 1: minima 3 5 1,
  // maximum 5.
  const Ran ran = run_text(R"(
    .tensor x uint16 [3, 2] sbuf+0x0 = [9, 3, 8, 5, 7, 1]
    .tensor y uint16 [1, 1] sbuf+0x100
    .tensor z uint16 [3, 2] sbuf+0x200
    .engine sfu
      TLOAD x -> T<128B>
      BSTART.SFU TROWMIN, U16
      B.DIM LB0=2
      B.DIM LB1=3
      B.IOT T0, mask=1111, last, ->T<128B>
      BSTOP
      BSTART.SFU TCOLMAX, U16
      B.DIM LB0=1
      B.DIM LB1=3
      B.IOT T1, mask=1111, last, ->T<128B>
      BSTOP
      TSTORE T2 -> y
      TSTORE T0 -> z
)");
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_THAT(ran.values<std::uint16_t>("y"), ElementsAre(5));
  EXPECT_EQ(ran.bytes("z"), ran.bytes("x"));  // a source persists unmodified
}

TEST(TileStatus, StaysRaisedOverLaterBundles) {
  const std::string bundle = R"(
      BSTART.SFU TROWMIN, FP32
      B.DIM LB0=2
      B.IOT {}, mask=1111, last, ->U<128B>
      BSTOP
)";
  const std::string loads = R"(
    .tensor x fp32 [1, 2] sbuf+0x0 = [bits(0x7F800001), 1]
    .tensor y fp32 [1, 2] sbuf+0x10 = [2, 1]
    .engine sfu
      TLOAD x -> T<128B>
      TLOAD y -> T<128B>
)";
  run_text(loads + fmt::format(fmt::runtime(bundle), "T0") + fmt::format(fmt::runtime(bundle), "T1"));
  EXPECT_EQ(tiles().status(), kNV);
  run_text(loads + fmt::format(fmt::runtime(bundle), "T1"));
  EXPECT_EQ(tiles().status(), 0);  // a run begins with none
}

// ---- Padding ------------------------------------------------------------------------------------------------------

struct PadCase {
  const char* type;
  std::uint32_t max, min;  // the largest and smallest finite
};
constexpr PadCase kPads[] = {{"S32", 0x7FFFFFFF, 0x80000000}, {"U32", 0xFFFFFFFF, 0}, {"FP32", 0x7F7FFFFF, 0xFF7FFFFF},
                             {"S16", 0x7FFF, 0x8000},         {"U16", 0xFFFF, 0},     {"FP16", 0x7BFF, 0xFBFF},
                             {"BF16", 0x7F7F, 0xFF7F},        {"S8", 0x7F, 0x80},     {"U8", 0xFF, 0}};

std::string padded(const TileType& type, const std::string& operation, const std::string& attribute) {
  return fmt::format(R"(
    .tensor x {} [3, 3] sbuf+0x0 = [bits(1)]
    .engine sfu
      TLOAD x -> T<128B>
      BSTART.SFU {}, {}
      {}
      B.DIM LB0=3
      B.DIM LB1=3
      B.DIM LB2=4
      B.IOT T0, mask=1111, last, ->U<256B>
      BSTOP
)",
                     type.dtype, operation, type.name, attribute);
}

// Everything outside the first `valid` elements of a row, and every later row, holds `pad`, or nothing.
void expect_padding(const tile::Tile& tile, const PadCase& pads, std::string_view pad) {
  const auto& shape = tile.descriptor();
  for (std::uint32_t row = 0; row < shape.rows; ++row) {
    for (std::uint32_t column = 0; column < shape.col; ++column) {
      const auto element = tile.index(row, column);
      if (row < shape.valid_row && column < shape.valid_col) {
        ASSERT_TRUE(tile.is_defined(element));
      } else if (pad == "Null") {
        ASSERT_FALSE(tile.is_defined(element)) << row << " " << column;
      } else {
        ASSERT_TRUE(tile.is_defined(element)) << row << " " << column;
        ASSERT_EQ(tile.code(element), pad == "Zero" ? 0 : pad == "Max" ? pads.max : pads.min) << row << " " << column;
      }
    }
  }
}

TEST(TilePadding, FillsTheStorageOutsideTheResult) {
  for (const PadCase& pads : kPads) {
    const TileType& type = tile_type(pads.type);
    for (const std::string pad : {"Zero", "Max", "Min", "Null"}) {
      SCOPED_TRACE(fmt::format("{} {}", pads.type, pad));
      // 256 bytes in one column, three rows of them valid.
      ASSERT_EQ(rule_of(run_text(padded(type, "TROWMIN", "B.DATR " + pad))), "none");
      const tile::Tile& rows = *tiles().find(16);
      EXPECT_EQ(rows.descriptor().rows, 256 / type.bytes);
      EXPECT_EQ(rows.descriptor().col, 1U);
      EXPECT_EQ(rows.descriptor().valid_row, 3U);
      EXPECT_EQ(rows.descriptor().valid_col, 1U);
      expect_padding(rows, pads, pad);
      // 256 bytes in four columns, three of them valid in the one row.
      ASSERT_EQ(rule_of(run_text(padded(type, "TCOLMAX", "B.DATR " + pad))), "none");
      const tile::Tile& columns = *tiles().find(16);
      EXPECT_EQ(columns.descriptor().rows, 256 / type.bytes / 4);
      EXPECT_EQ(columns.descriptor().col, 4U);
      EXPECT_EQ(columns.descriptor().valid_row, 1U);
      EXPECT_EQ(columns.descriptor().valid_col, 3U);
      expect_padding(columns, pads, pad);
    }
  }
}

TEST(TilePadding, IsNullWithoutAttributes) {
  ASSERT_EQ(rule_of(run_text(padded(tile_type("S16"), "TROWSUM", ""))), "none");
  expect_padding(*tiles().find(16), kPads[3], "Null");
}

TEST(TilePadding, OfAnIndexIsOfTheIndexType) {
  ASSERT_EQ(rule_of(run_text(padded(tile_type("S8"), "TROWARGMAX", "B.DATR Max"))), "none");
  const tile::Tile& index = *tiles().find(16);
  EXPECT_EQ(index.descriptor().rows, 256U / 4);
  expect_padding(index, kPads[1], "Max");
}

TEST(TilePadding, IsNeverStoredAndNeverASource) {
  // The rows behind the valid ones hold zeros, but a tile is what its valid region is: three rows of one column.
  const std::string program = R"(
    .tensor x uint8 [3, 2] sbuf+0x0 = [5, 9, 6, 9, 7, 9]
    .tensor y uint8 [4, 1] sbuf+0x100 = [77]
    .engine sfu
      TLOAD x -> T<128B>
      BSTART.SFU TROWMIN, U8
      B.DATR Zero
      B.DIM LB0=2
      B.DIM LB1=3
      B.IOT T0, mask=1111, last, ->U<128B>
      BSTOP
)";
  const Ran store = run_text(program + "      TSTORE U0 -> y[0:3, :]\n");
  EXPECT_EQ(rule_of(store), "none");
  EXPECT_THAT(store.bytes("y"), ElementsAre(5, 6, 7, 77));
  const Ran four = run_text(program + "      TSTORE U0 -> y\n");
  EXPECT_EQ(rule_of(four), "Fault_TileLegality");
  EXPECT_THAT(four.bytes("y"), ElementsAre(77, 77, 77, 77));
  const Ran source = run_text(program + R"(
      BSTART.SFU TCOLMIN, U8
      B.DIM LB0=1
      B.DIM LB1=4
      B.IOT U0, mask=1111, last, ->U<128B>
      BSTOP
)");
  EXPECT_EQ(rule_of(source), "Fault_TileLegality");
}

// ---- How many columns ---------------------------------------------------------------------------------------------

// Where each row of ones has its zero, which is in its last column.
Ran columns(std::uint32_t valid_col, std::uint32_t rows, const char* size, const char* type_name = "U8") {
  const char* dtype = tile_type(type_name).dtype;
  return run_text(fmt::format(R"(
    .tensor x {0} [{1}, {2}] sbuf+0x0 = ones
    .tensor y uint32 [{1}, 1] sbuf+0x20000
    .tensor z {0} [{1}, 1] sbuf+0x28000 = zeros
    .semaphore put 1 = 0
    .engine pool
      copy src=z dst=x[:, {3}:]  S[put]++
    .engine sfu
      TLOAD x -> T<{4}> mask=1000  S[put]>=1
      BSTART.SFU TROWARGMIN, {5}
      B.DIM LB0={2}
      B.DIM LB1={1}
      B.DIM LB2={6}
      B.IOT T0, mask=1000, last, ->U<512B>
      BSTOP
      TSTORE U0 -> y
)",
                              dtype, rows, valid_col, valid_col - 1, size, type_name, std::bit_ceil(valid_col)));
}

TEST(TileColumns, AsManyAsTheStorageHolds) {
  struct {
    std::uint32_t valid_col, rows;
    const char* size;
  } const fits[] = {{1, 128, "128B"}, {2, 64, "128B"},    {2, 128, "256B"},   {64, 128, "8KB"},   {1000, 64, "64KB"},
                    {1000, 1, "1KB"}, {32768, 1, "32KB"}, {32768, 2, "64KB"}, {16385, 1, "32KB"}, {257, 128, "64KB"}};
  for (const auto& [valid_col, rows, size] : fits) {
    SCOPED_TRACE(fmt::format("{} x {}", rows, valid_col));
    const Ran ran = columns(valid_col, rows, size);
    ASSERT_EQ(rule_of(ran), "none");
    EXPECT_EQ(codes_of(ran, "y", 4), Codes(rows, valid_col - 1));
  }
}

TEST(TileColumns, OneRowMoreThanTheStorageHoldsIsAnAllocationFault) {
  // 1000 columns stand in 1024: 64 KiB are 64 rows of bytes, 16 rows of words.
  EXPECT_EQ(rule_of(columns(1000, 64, "64KB")), "none");
  EXPECT_EQ(rule_of(columns(1000, 65, "64KB")), "Fault_TileAllocation");
  EXPECT_EQ(rule_of(columns(1000, 16, "64KB", "FP32")), "none");
  EXPECT_EQ(rule_of(columns(1000, 17, "64KB", "FP32")), "Fault_TileAllocation");
  EXPECT_EQ(rule_of(columns(2, 65, "128B")), "Fault_TileAllocation");
}

}  // namespace
}  // namespace tpb::test
