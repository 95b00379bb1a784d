// Rules of the tile engine's bundles, before their words are decoded.
#include "testbench/tests/isa/judging.h"

namespace tpb::test {
namespace {

const LegalityContext kSfu = on(Engine::sfu);

TEST(Tile, IsTheTileEnginesInEveryGeneration) {
  for (Generation generation : kGenerations) {
    for (Engine engine : kEngines) {
      for (const Bundle& bundle : {bytes_of_bundle(tile_words()), bytes_of_bundle(tile_load())}) {
        const auto violation = first_violation(bundle, on(engine, generation));
        EXPECT_EQ(violation.has_value(), engine != Engine::sfu);
        if (violation) {
          EXPECT_EQ(violation->rule, "engine_accepts_opcode");
        }
      }
    }
  }
}

TEST(Tile, KindsAreFour) {
  EXPECT_EQ(legal_values(tile_load(), &TILE_MOVE::kind, kSfu), Codes{2});
  EXPECT_EQ(legal_values(tile_store(), &TILE_MOVE::kind, kSfu), Codes{3});
  EXPECT_EQ(legal_values(tile_free(), &TILE_MOVE::kind, kSfu), Codes{4});
  EXPECT_EQ(legal_values(tile_words(), &TILE_WORDS::kind, kSfu), Codes{1});
}

TEST(Tile, SizesHandsRegistersAndMasks) {
  EXPECT_EQ(legal_values(tile_load(), &TILE_MOVE::size_code, kSfu), (Codes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(legal_values(tile_load(), &TILE_MOVE::tile, kSfu), (Codes{0, 1, 2, 3}));
  EXPECT_EQ(legal_values(tile_load(), &TILE_MOVE::mask, kSfu).size(), 16U);
  EXPECT_EQ(legal_values(tile_store(), &TILE_MOVE::tile, kSfu).size(), 64U);
  EXPECT_EQ(legal_values(tile_free(), &TILE_MOVE::tile, kSfu).size(), 64U);
}

}  // namespace

Mutations tile_mutations() {
  Mutations all;
  Breaking words(all, tile_words(), kSfu);
  words.by([](auto& b) { b.kind = 5; }, "has_valid_tile_kind", "kind", "5", "1 (words)");
  words.by([](auto& b) { b.kind = 0; }, "has_valid_tile_kind", "kind", "0", "4 (free)");
  words.reserved(14, 15, "tile_reserved_zero");
  words.by([](auto& b) { b.count = 0; }, "has_valid_tile_word_count", "count", "0", "1..12");
  words.by([](auto& b) { b.count = 13; }, "has_valid_tile_word_count", "count", "13", "1..12");
  words.by([](auto& b) { b.words[5] = 1; }, "tile_unused_zero", "word 5", "0x00000001", "0 after the last word");
  words.in(on(Engine::pool), "engine_accepts_opcode", "engine", "pool", "sfu");

  Breaking load(all, tile_load(), kSfu);
  load.by([](auto& b) { b.count = 1; }, "has_valid_tile_word_count", "count", "1", "0: there are no words");
  load.reserved(41, 41, "tile_reserved_zero");
  load.reserved(44, 63, "tile_reserved_zero");
  load.channels();
  load.input_dtype(&TILE_MOVE::dtype, "dtype");
  load.by([](auto& b) { b.size_code = 0; }, "has_valid_tile_size", "size_code", "0", "1..10");
  load.by([](auto& b) { b.size_code = 11; }, "has_valid_tile_size", "size_code", "11", "64 KiB");
  load.by([](auto& b) { b.tile = 4; }, "has_valid_tile_register", "tile", "4", "hands T, U, M and N");
  load.by([](auto& b) { b.mask = 16; }, "has_valid_tile_mask", "mask", "16", "0..15");
  load.operand(&TILE_MOVE::operand, "operand", "tensor4d_valid");
  load.no_psum(&TILE_MOVE::operand, "operand", "tensor4d_valid");

  Breaking store(all, tile_store(), kSfu);
  store.by([](auto& b) { b.tile = 64; }, "has_valid_tile_register", "tile", "64", "0..63");
  store.by([](auto& b) { b.size_code = 1; }, "tile_unused_zero", "byte 38", "0x01", "0: reserved");
  store.no_psum(&TILE_MOVE::operand, "operand", "tensor4d_valid");

  Breaking free(all, tile_free(), kSfu);
  free.reserved(16, 37, "tile_unused_zero");
  free.by([](auto& b) { b.tile = 64; }, "has_valid_tile_register", "tile", "64", "four hands");
  return all;
}

}  // namespace tpb::test
