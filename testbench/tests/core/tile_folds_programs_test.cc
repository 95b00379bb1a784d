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

struct FloatFormat {
  const char* type;
  unsigned exponent, fraction;  // bits
};
constexpr FloatFormat kFloatFormats[] = {{"FP32", 8, 23}, {"FP16", 5, 10}, {"BF16", 8, 7}};

// Twenty-four numbers whose bits a linear congruential generator draws: exponents of seven binades from `low` on, in a
// product only the first number's, the others' from 1/16 to 8.
Codes drawn(const FloatFormat& format, std::string_view operation, std::uint32_t low, std::uint32_t seed) {
  const std::uint32_t bias = (1U << (format.exponent - 1)) - 1;
  Codes codes;
  for (int i = 0; i < 24; ++i) {
    seed = seed * 1664525 + 1013904223;
    const std::uint32_t exponent = (operation == "SUM" || i == 0 ? low : bias - 4) + (seed >> 8) % 7;
    codes.push_back(seed >> 31 << (format.exponent + format.fraction) | exponent << format.fraction |
                    (seed >> 5 & ((1U << format.fraction) - 1)));
  }
  return codes;
}

TEST(FloatFolds, RoundAsExactRationalArithmeticRoundedAtEveryStep) {
  // Expected values: every step an exact fraction, rounded to nearest even at the type's width, subnormals and overflow
  // included, by a program of its own. The lowest, the middle and the highest exponents.
  struct {
    const char *operation, *type;
    std::uint32_t low, seed, expected;
    unsigned status;
  } const folds[] = {
      {"SUM", "FP32", 0, 1, 0x25C78CF, kNX},
      {"SUM", "FP32", 0, 2, 0x39F95C8, kNX},
      {"SUM", "FP32", 0, 3, 0x83A304C3, kNX},
      {"SUM", "FP32", 124, 1, 0x40604C3F, kNX},
      {"SUM", "FP32", 124, 2, 0x41A0D719, kNX},
      {"SUM", "FP32", 124, 3, 0xC1A3849E, kNX},
      {"SUM", "FP32", 248, 1, 0xFF800000, kOF | kNX},
      {"SUM", "FP32", 248, 2, 0x7F800000, kOF | kNX},
      {"SUM", "FP32", 248, 3, 0xFF800000, kOF | kNX},
      {"PROD", "FP32", 0, 1, 0x825226A9, kUF | kNX},
      {"PROD", "FP32", 0, 2, 0x80000F53, kUF | kNX},
      {"PROD", "FP32", 0, 3, 0x3AC8C, kUF | kNX},
      {"PROD", "FP32", 124, 1, 0xC05226AD, kNX},
      {"PROD", "FP32", 124, 2, 0xB8F5AF6A, kNX},
      {"PROD", "FP32", 124, 3, 0x3BEB2304, kNX},
      {"PROD", "FP32", 248, 1, 0xFE5226AD, kNX},
      {"PROD", "FP32", 248, 2, 0xF6F5AF6A, kNX},
      {"PROD", "FP32", 248, 3, 0x79EB2304, kNX},
      {"SUM", "FP16", 0, 1, 0x19B3, kNX},
      {"SUM", "FP16", 0, 2, 0x1CA8, kNX},
      {"SUM", "FP16", 0, 3, 0x9847, kNX},
      {"SUM", "FP16", 12, 1, 0x49AF, kNX},
      {"SUM", "FP16", 12, 2, 0x4CA9, kNX},
      {"SUM", "FP16", 12, 3, 0xC84B, kNX},
      {"SUM", "FP16", 24, 1, 0xFC00, kOF | kNX},
      {"SUM", "FP16", 24, 2, 0x7C00, kOF | kNX},
      {"SUM", "FP16", 24, 3, 0xFC00, kOF | kNX},
      {"PROD", "FP16", 0, 1, 0x91A4, kUF | kNX},
      {"PROD", "FP16", 0, 2, 0x8000, kUF | kNX},
      {"PROD", "FP16", 0, 3, 0xA, kUF | kNX},
      {"PROD", "FP16", 12, 1, 0xC1BB, kNX},
      {"PROD", "FP16", 12, 2, 0x82CF, kUF | kNX},
      {"PROD", "FP16", 12, 3, 0x18EA, kNX},
      {"PROD", "FP16", 24, 1, 0xF1BB, kNX},
      {"PROD", "FP16", 24, 2, 0xB19D, kNX},
      {"PROD", "FP16", 24, 3, 0x48EA, kNX},
      {"SUM", "BF16", 0, 1, 0x8140, kNX},
      {"SUM", "BF16", 0, 2, 0x3E2, kNX},
      {"SUM", "BF16", 0, 3, 0x8365, kNX},
      {"SUM", "BF16", 124, 1, 0xBF80, kNX},
      {"SUM", "BF16", 124, 2, 0x41E0, kNX},
      {"SUM", "BF16", 124, 3, 0xC167, kNX},
      {"SUM", "BF16", 248, 1, 0xFF80, kOF | kNX},
      {"SUM", "BF16", 248, 2, 0x7F80, kOF | kNX},
      {"SUM", "BF16", 248, 3, 0xFF80, kOF | kNX},
      {"PROD", "BF16", 0, 1, 0x8217, kUF | kNX},
      {"PROD", "BF16", 0, 2, 0x8000, kUF | kNX},
      {"PROD", "BF16", 0, 3, 0x0, kUF | kNX},
      {"PROD", "BF16", 124, 1, 0xC04B, kNX},
      {"PROD", "BF16", 124, 2, 0xBA8D, kNX},
      {"PROD", "BF16", 124, 3, 0x39EE, kNX},
      {"PROD", "BF16", 248, 1, 0xFE4B, kNX},
      {"PROD", "BF16", 248, 2, 0xF88D, kNX},
      {"PROD", "BF16", 248, 3, 0x77EE, kNX},
  };
  for (const auto& [operation, type, low, seed, expected, status] : folds) {
    const FloatFormat& format = *std::find_if(std::begin(kFloatFormats), std::end(kFloatFormats),
                                              [&](const FloatFormat& f) { return std::string_view(f.type) == type; });
    check({operation, type, drawn(format, operation, low, seed), expected, status});
  }
}

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

}  // namespace
}  // namespace tpb::test
