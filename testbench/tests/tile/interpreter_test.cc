// Whole bundles on tiles.
#include "models/tile/interpreter.h"

#include <gmock/gmock.h>

namespace tpb::tile {
namespace {

TILE_WORDS bundle_of(const std::vector<Word>& words) {
  TILE_WORDS bundle{};
  bundle.frame.opcode = 0xF0;
  bundle.kind = static_cast<std::uint8_t>(TileKind::words);
  for (const Word& word : words) bundle.words[bundle.count++] = encode(word);
  return bundle;
}

// A row of `elements` bytes.
TILE_MOVE move(TileKind kind, std::uint8_t tile, std::uint16_t elements = 2, Dtype dtype = Dtype::uint8) {
  TILE_MOVE bundle{};
  bundle.frame.opcode = 0xF0;
  bundle.kind = static_cast<std::uint8_t>(kind);
  bundle.operand = {0, {1, 1, 1, 1}, {elements, 1, 1, 1}};
  bundle.dtype = static_cast<std::uint8_t>(dtype);
  bundle.num_active_channels = 1;
  bundle.tile = tile;
  bundle.size_code = 1;
  bundle.mask = 0b1111;
  return bundle;
}

// TROWMIN of U8, two columns of one row, from a tile into a hand.
std::vector<Word> block(std::uint8_t source, std::uint8_t hand) {
  return {Start{27, 0x42}, Dimension{0, 0, 2}, Binding{source, {}, true, 1, 7, hand}, Stop{}};
}

Interpreter with_tile() {
  Interpreter interpreter({}, kDefaultCapacity, 128);
  Done done;
  EXPECT_FALSE(interpreter.run(move(TileKind::load, 0), done));
  EXPECT_EQ(done.loaded, 0U);
  interpreter.tiles().fill(0, std::array<Code, 2>{9, 4});
  return interpreter;
}

TEST(Interpreter, TellsWhatABlockHasDone) {
  Interpreter interpreter = with_tile();
  Done done;
  EXPECT_FALSE(interpreter.run(bundle_of(block(0, 1)), done));
  EXPECT_EQ(interpreter.tiles().find(16)->code(0), 4U);
  EXPECT_EQ(done.columns, 2U);
  EXPECT_EQ(done.elements, 2U);
  EXPECT_EQ(done.written, std::uint64_t{1} << 16);
}

TEST(Interpreter, RefusesABundleOfTwoBlocksAsAWhole) {
  // The first is good and would take U0; the second asks for a tile that is not there.
  Interpreter interpreter = with_tile();
  const TileFile before = interpreter.tiles();
  std::vector<Word> words = block(0, 1);
  for (const Word& word : block(5, 1)) words.push_back(word);
  Done done;
  const auto violation = interpreter.run(bundle_of(words), done);
  ASSERT_TRUE(violation.has_value());
  EXPECT_EQ(violation->rule, "Fault_TileLegality");
  EXPECT_EQ(violation->field, "word 7 (BSTOP)");
  EXPECT_EQ(interpreter.tiles(), before);
  // Nor is its first half a bundle that stays open.
  EXPECT_FALSE(interpreter.run(bundle_of(block(0, 1)), done));
}

TEST(Interpreter, NamesATypeThatTilesDoNotHave) {
  Interpreter interpreter = with_tile();
  Done done;
  const auto violation = interpreter.run(move(TileKind::load, 0, 2, Dtype::fp8_e4m3), done);
  ASSERT_TRUE(violation.has_value());
  EXPECT_EQ(violation->rule, "Fault_TileLegality");
  EXPECT_EQ(violation->field, "dtype");
  EXPECT_EQ(violation->value, "fp8_e4m3");
  for (const char* name : {"fp32", "fp16", "bf16", "int8", "uint8", "int16", "uint16", "int32", "uint32"}) {
    EXPECT_THAT(violation->allowed, testing::HasSubstr(name));
  }
}

TEST(Interpreter, KnowsWhichRegistersABundleReads) {
  EXPECT_EQ(registers_read(bundle_of({Start{27, 0x42}, Binding{3, 60, true, 1, 7, 1}})),
            std::uint64_t{1} << 3 | std::uint64_t{1} << 60);
  EXPECT_EQ(registers_read(move(TileKind::store, 17)), std::uint64_t{1} << 17);
  EXPECT_EQ(registers_read(move(TileKind::free, 63)), std::uint64_t{1} << 63);
  EXPECT_EQ(registers_read(move(TileKind::load, 1)), 0U);  // a hand
}

}  // namespace
}  // namespace tpb::tile
