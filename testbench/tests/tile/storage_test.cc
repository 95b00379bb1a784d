// Registers, capacity, TLOAD, TSTORE, TFREE.
#include "testbench/tests/tile/machine.h"

namespace tpb::tile::test {
namespace {

TEST(Storage, AResultTakesTheLowestFreeRegisterOfItsHand) {
  Machine machine;
  machine.load(Type::fp32, {{1}});
  for (std::uint8_t hand = 1; hand < 4; ++hand) {
    for (unsigned nth = 0; nth < 3; ++nth) {
      EXPECT_EQ(text_of(machine.run(Recipe{.hand = hand})), "");
      EXPECT_EQ(machine.last.destination, 16U * hand + nth);
    }
  }
  EXPECT_FALSE(free_tile(machine.file, 17));
  EXPECT_EQ(text_of(machine.run(Recipe{})), "");
  EXPECT_EQ(machine.last.destination, 17U);
}

TEST(Storage, TheSeventeenthOfAHandIsAllocation) {
  Machine machine;
  machine.load(Type::fp32, {{1}});
  for (unsigned nth = 0; nth < 16; ++nth) ASSERT_EQ(text_of(machine.run(Recipe{})), "");
  const TileFile before = machine.file;
  EXPECT_EQ(text_of(machine.run(Recipe{})), "Fault_TileAllocation: a free register of hand U, which has none");
  EXPECT_TRUE(machine.file == before);
  const Loaded loaded =
      load(machine.file, {.hand = 1, .partitions = 1, .elements = 1}, Dtypes::nine, std::vector<Code>{1});
  EXPECT_EQ(text_of(loaded.fault), "Fault_TileAllocation: a free register of hand U, which has none");
  // The PC is at BSTOP still: with a register free it goes through.
  EXPECT_FALSE(free_tile(machine.file, 20));
  EXPECT_EQ(text_of(machine.run({Stop{}})), "");
  EXPECT_EQ(machine.last.destination, 20U);
}

TEST(Storage, MoreThanTheCapacityIsAllocation) {
  // The source takes 512 bytes of 262144 in four PEs, 64 KiB in three PEs 196608; what is left, 65024, is 512 times
  // 64 + 32 + 16 + 8 + 4 + 2 + 1.
  Machine machine;
  machine.load(Type::fp32, {{1}});
  const std::vector<Code> one{1};
  Load fills{.hand = 2, .size_code = 10, .mask = 0b1110, .partitions = 1, .elements = 1};
  EXPECT_FALSE(load(machine.file, fills, Dtypes::nine, one).fault);
  fills.mask = 0b1111;
  for (fills.size_code = 7; fills.size_code >= 1; --fills.size_code) {
    EXPECT_FALSE(load(machine.file, fills, Dtypes::nine, one).fault);
  }
  ASSERT_EQ(machine.file.use().bytes, machine.file.capacity());
  const TileFile before = machine.file;
  EXPECT_EQ(text_of(machine.run(Recipe{.pe_mode = 4})),
            "Fault_TileAllocation: 262144 bytes in all PEs, not 128 beside 262144 in use");
  EXPECT_TRUE(machine.file == before);
  EXPECT_FALSE(free_tile(machine.file, 39));
  EXPECT_EQ(text_of(machine.run({Stop{}})), "");
}

TEST(Storage, ChargesEachPeOfTheMask) {
  Machine machine({}, 4 * 256);
  machine.load(Type::fp32, {{1}});
  EXPECT_EQ(machine.file.use().bytes, 4 * 128U);
  EXPECT_EQ(text_of(machine.run(Recipe{.pe_mode = 5})), "");  // two PEs
  EXPECT_EQ(machine.file.use().bytes, 6 * 128U);
  EXPECT_EQ(machine.run(Recipe{.pe_mode = 6})->kind, FaultKind::tile_allocation);  // three
  machine.bundle.discard();
  EXPECT_EQ(text_of(machine.run(Recipe{.pe_mode = 5})), "");
  EXPECT_EQ(machine.run(Recipe{.pe_mode = 1})->kind, FaultKind::tile_allocation);
}

TEST(Storage, ALoadRoundsItsColumnsUp) {
  TileFile file;
  std::vector<Code> codes(3000);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = i;
  const Loaded loaded =
      load(file, {.type = Type::fp32, .size_code = 8, .partitions = 3, .elements = 1000}, Dtypes::nine, codes);
  ASSERT_EQ(text_of(loaded.fault), "");
  const Tile& tile = *file.find(*loaded.index);
  EXPECT_EQ(tile.descriptor(), (Descriptor{Type::fp32, 8, 15, 4, 1024, 3, 1000}));  // 16 KiB are four rows
  EXPECT_EQ(valid_codes(tile), codes);
  for (std::uint32_t row = 0; row < 4; ++row) {
    for (std::uint32_t column = 0; column < 1024; ++column) {
      ASSERT_EQ(tile.is_defined(tile.index(row, column)), row < 3 && column < 1000);
    }
  }
}

TEST(Storage, ALoadTakesTheColumnsItIsTold) {
  TileFile file;
  const std::vector<Code> codes{1, 2, 3, 4};
  EXPECT_FALSE(load(file, {.type = Type::s16, .partitions = 2, .elements = 2, .col = 8}, Dtypes::nine, codes).fault);
  EXPECT_EQ(file.find(0)->descriptor(), (Descriptor{Type::s16, 1, 15, 8, 8, 2, 2}));
  EXPECT_EQ(file.find(0)->code(8), 3U);
}

TEST(Storage, ALoadThatDoesNotFitIsAllocation) {
  const std::vector<Code> codes(4096);
  const std::pair<Load, FaultKind> loads[] = {
      {{.partitions = 33, .elements = 1}, FaultKind::tile_allocation},
      {{.partitions = 1, .elements = 33}, FaultKind::tile_allocation},
      {{.partitions = 1, .elements = 2, .col = 3}, FaultKind::tile_allocation},
      {{.partitions = 1, .elements = 2, .col = 1}, FaultKind::tile_allocation},
      {{.size_code = 0, .partitions = 1, .elements = 1}, FaultKind::tile_allocation},
      {{.size_code = 11, .partitions = 1, .elements = 1}, FaultKind::tile_allocation},
      {{.type = Type::u8, .size_code = 10, .partitions = 1, .elements = 32769}, FaultKind::tile_allocation},
      {{.type = Type::s64, .partitions = 1, .elements = 1}, FaultKind::tile_legality},
      {{.partitions = 0, .elements = 1}, FaultKind::tile_legality},
  };
  for (const auto& [operation, kind] : loads) {
    TileFile file;
    const Loaded loaded = load(file, operation, Dtypes::nine, codes);
    ASSERT_TRUE(loaded.fault);
    EXPECT_EQ(loaded.fault->kind, kind) << loaded.fault->allowed;
    EXPECT_TRUE(file == TileFile());
  }
  TileFile file;
  EXPECT_FALSE(load(file, {.mask = 0, .partitions = 33, .elements = 1}, Dtypes::nine, codes).fault);
  EXPECT_TRUE(file == TileFile());
}

TEST(Storage, AStoreTakesTheWholeValidRegion) {
  Machine machine;
  machine.load(Type::bf16, {{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(text_of(store_fault(machine.file, 0, Type::bf16, 2, 3)), "");
  EXPECT_EQ(machine.codes(0), (std::vector<Code>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(text_of(store_fault(machine.file, 1, Type::bf16, 2, 3)),
            "Fault_TileLegality: a live tile, which T1 is not");
  EXPECT_EQ(text_of(store_fault(machine.file, 0, Type::fp16, 2, 3)),
            "Fault_TileLegality: BF16, which T0 has, not FP16");
  EXPECT_EQ(text_of(store_fault(machine.file, 0, Type::bf16, 3, 2)),
            "Fault_TileLegality: 2 partitions of 3 elements, which T0 has, not 3 of 2");
  machine.file.put(0, Tile(machine.file.find(0)->descriptor()));
  EXPECT_EQ(text_of(store_fault(machine.file, 0, Type::bf16, 2, 3)),
            "Fault_TileLegality: defined elements, which element 0 of T0 is not");
}

TEST(Storage, AFreedTileIsGone) {
  Machine machine;
  machine.load(Type::fp32, {{1}});
  EXPECT_FALSE(free_tile(machine.file, 0));
  EXPECT_EQ(machine.file.use().bytes, 0U);
  EXPECT_EQ(text_of(free_tile(machine.file, 0)), "Fault_TileLegality: a live tile, which T0 is not");
  EXPECT_EQ(text_of(machine.run(Recipe{})), "Fault_TileLegality: a live tile, which T0 is not");
}

}  // namespace
}  // namespace tpb::tile::test
