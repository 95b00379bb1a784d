// Shapes: what B.DIM says, what a tile holds, where the result goes.
#include "testbench/tests/tile/machine.h"

namespace tpb::tile::test {
namespace {

// A source of one row, 0 in the last column and 1 elsewhere.
Recipe row_of(Machine& machine, Type type, std::uint32_t valid_col) {
  std::vector<Code> row(valid_col, 1);
  row.back() = 0;
  Recipe recipe{.type = type, .valid_col = valid_col};
  recipe.source = static_cast<std::uint8_t>(machine.load(type, {row}));
  recipe.col = machine.file.find(recipe.source)->descriptor().col;
  return recipe;
}

TEST(Geometry, ValidColumnsAsTheCapacitySays) {
  const std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> columns[] = {
      // ValidCol, Col, bytes of a row of FP32, 128 at least
      {1, 1, 128},
      {2, 2, 128},
      {64, 64, 256},
      {1000, 1024, 4096},
      {16384, 16384, 65536}};
  for (const auto& [valid_col, col, bytes] : columns) {
    Machine machine({}, 4 * bytes + 4 * 128);
    const Recipe recipe = row_of(machine, Type::fp32, valid_col);
    EXPECT_EQ(recipe.col, col);
    EXPECT_EQ(bytes_of_size(machine.file.find(0)->descriptor().size_code), bytes);
    EXPECT_EQ(text_of(machine.run(recipe)), "");
    EXPECT_EQ(machine.codes(16), std::vector<Code>{0});
    EXPECT_EQ(machine.last.valid_col, valid_col);
    EXPECT_EQ(machine.last.valid_row, 1U);
    EXPECT_EQ(machine.file.use().bytes, machine.file.capacity());
  }
}

TEST(Geometry, TheWidestRow) {
  Machine machine;
  const Recipe recipe = row_of(machine, Type::s8, 32768);
  EXPECT_EQ(text_of(machine.run(recipe)), "");
  EXPECT_EQ(machine.codes(16), std::vector<Code>{0});
}

TEST(Geometry, MoreThan32768ColumnsIsLegality) {
  Machine machine;
  Recipe recipe = row_of(machine, Type::s8, 32768);
  for (const std::uint32_t valid_col : {32769U, 65535U}) {
    recipe.valid_col = valid_col;
    recipe.col = {};
    EXPECT_EQ(machine.run(recipe)->kind, FaultKind::tile_legality) << valid_col;
    machine.bundle.discard();
  }
}

TEST(Geometry, OmittedRowsAreOne) {
  Machine machine;
  Recipe recipe = row_of(machine, Type::fp32, 4);
  recipe.valid_row = {};
  EXPECT_EQ(text_of(machine.run(recipe)), "");
  EXPECT_EQ(machine.last.valid_row, 1U);
  // and not what the source has
  recipe.source = static_cast<std::uint8_t>(machine.load(Type::fp32, {{1, 2, 3, 4}, {1, 2, 3, 4}}));
  EXPECT_EQ(machine.run(recipe)->kind, FaultKind::tile_legality);
}

TEST(Geometry, OmittedColIsValidCol) {
  Machine machine;
  Recipe recipe = row_of(machine, Type::fp32, 4);
  recipe.col = {};
  EXPECT_EQ(text_of(machine.run(recipe)), "");
  // Col 4 holds three valid columns, but three is not four.
  recipe = row_of(machine, Type::fp32, 3);
  recipe.col = {};
  EXPECT_EQ(text_of(machine.run(recipe)), "Fault_TileLegality: Col (LB2) 4, which T1 has, not 3, its default");
}

TEST(Geometry, ValidColIsRequired) {
  Machine machine;
  Recipe recipe = row_of(machine, Type::fp32, 1);
  recipe.valid_col = {};
  EXPECT_EQ(text_of(machine.run(recipe)), "Fault_TileLegality: ValidCol (LB0), which has no default");
}

TEST(Geometry, AnExplicitZeroIsIllegal) {
  Machine machine;
  row_of(machine, Type::fp32, 1);
  EXPECT_EQ(text_of(machine.run(Recipe{.valid_col = 0})), "Fault_TileLegality: ValidCol (LB0) of at least 1, not 0");
  machine.bundle.discard();
  EXPECT_EQ(text_of(machine.run(Recipe{.valid_row = 0})), "Fault_TileLegality: ValidRow (LB1) of at least 1, not 0");
  machine.bundle.discard();
  EXPECT_EQ(text_of(machine.run(Recipe{.col = 0})), "Fault_TileLegality: Col (LB2) of at least 1, not 0");
  machine.bundle.discard();
  // 65536 in seventeen bits is zero in the sixteen that count.
  EXPECT_EQ(text_of(machine.run(Recipe{.valid_col = 65536})),
            "Fault_TileLegality: ValidCol (LB0) of at least 1, not 0");
}

TEST(Geometry, DimensionsAddARegister) {
  Machine machine;
  const Recipe recipe = row_of(machine, Type::fp32, 4);
  machine.file.set_scalar(7, 0x1'0001);  // 0x10001 + 3 is 4 in sixteen bits
  machine.file.set_scalar(0, 99);        // reads zero still
  std::vector<Word> words{Start{1, 0x42},     Dimension{0, 7, 3}, Dimension{1, 0, 1},
                          Dimension{2, 0, 4}, recipe.binding(),   Stop{}};
  EXPECT_EQ(text_of(machine.run(words)), "");
  EXPECT_EQ(machine.last.valid_col, 4U);
}

TEST(Geometry, MismatchesAreLegality) {
  Machine machine;
  machine.load(Type::fp32, {{1, 2, 3}, {4, 5, 6}});
  const Recipe legal{.valid_col = 3, .valid_row = 2, .col = 4};
  for (const auto& [valid_col, valid_row, col] :
       {std::tuple(2U, 2U, 4U), std::tuple(4U, 2U, 4U), std::tuple(3U, 1U, 4U), std::tuple(3U, 3U, 4U),
        std::tuple(3U, 2U, 8U), std::tuple(3U, 2U, 2U), std::tuple(3U, 2U, 3U)}) {
    Recipe recipe = legal;
    recipe.valid_col = valid_col;
    recipe.valid_row = valid_row;
    recipe.col = col;
    ASSERT_NE(text_of(machine.run(recipe)), "");
    EXPECT_EQ(machine.last.fault->kind, FaultKind::tile_legality);
    machine.bundle.discard();
  }
  EXPECT_EQ(text_of(machine.run(legal)), "");
}

TEST(Geometry, TheResultHasOneColumnAndTheRowsOfTheSource) {
  for (const Type type : nine_types()) {
    Machine machine;
    machine.load(type, {{1, 2}, {3, 4}, {5, 6}});
    EXPECT_EQ(text_of(machine.run(Recipe{.type = type, .valid_col = 2, .valid_row = 3, .size_code = 3})), "");
    const Descriptor& result = machine.file.find(16)->descriptor();
    EXPECT_EQ(result.type, type);
    EXPECT_EQ(result.valid_row, 3U);
    EXPECT_EQ(result.valid_col, 1U);
    EXPECT_EQ(result.col, 1U);
    EXPECT_EQ(result.rows, 512 * 8 / info_of(type).bits);
    EXPECT_EQ(result.layout, Layout::row_major);
  }
}

TEST(Geometry, AResultThatItsSizeDoesNotHoldIsAllocation) {
  // 128 bytes are 32 FP32 results: 32 rows fit and 33 do not.
  Machine machine;
  machine.load(Type::fp32, Rows(32, {1}));
  machine.load(Type::fp32, Rows(33, {1}));
  EXPECT_EQ(text_of(machine.run(Recipe{.valid_row = 32})), "");
  const TileFile before = machine.file;
  EXPECT_EQ(text_of(machine.run(Recipe{.valid_row = 33, .source = 1})),
            "Fault_TileAllocation: a size that holds the 33 x 1 FP32 result, not 128 bytes in a PE");
  EXPECT_TRUE(machine.file == before);
  machine.bundle.discard();
  EXPECT_EQ(text_of(machine.run(Recipe{.valid_row = 33, .source = 1, .size_code = 2})), "");
}

TEST(Geometry, AShapeWithoutARowIsAllocation) {
  // A column reduction keeps its 64 columns: 256 bytes of FP32 in a row, and 128 have none.
  Machine machine;
  machine.load(Type::fp32, {std::vector<Code>(64, 1)});
  EXPECT_EQ(text_of(machine.run(Recipe{.operation = "TCOLMIN", .valid_col = 64})),
            "Fault_TileAllocation: a size that holds the 1 x 64 FP32 result, not 128 bytes in a PE");
  machine.bundle.discard();
  EXPECT_EQ(text_of(machine.run(Recipe{.operation = "TCOLMIN", .valid_col = 64, .size_code = 2})), "");
}

}  // namespace
}  // namespace tpb::tile::test
