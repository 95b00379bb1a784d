// What the tile engine keeps, as whole programs: moves, status, padding, and how much its storage holds.
#include <gmock/gmock.h>

#include <bit>

#include "models/tile/float_arithmetic.h"
#include "testbench/tests/core/tile_program.h"

namespace tpb::test {
namespace {

using testing::ElementsAre;
using tile::kNV;

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
