// The operation, its type, its one binding, and PE_MASK.
#include "testbench/tests/tile/machine.h"

namespace tpb::tile::test {
namespace {

std::vector<Word> joined(std::vector<Word> words, const std::vector<Word>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Machine with_source() {
  Machine machine;
  machine.load(Type::fp32, {{0x3F800000}});
  return machine;
}

TEST(Operation, IsModeTwoFunctionTwo) {
  // DataType 1, Mode 2, Function 2 in the raw word.
  Machine machine = with_source();
  EXPECT_EQ(text_of(machine.run_bits({1U << 27 | 2U << 25 | 2U << 20 | 0x19181U, encode(Dimension{0, 0, 1}),
                                      encode(Recipe{}.binding()), 1U})),
            "");
  ASSERT_NE(machine.last.executed, nullptr);
  EXPECT_EQ(machine.last.executed->name, "TROWMIN");
}

TEST(Operation, NoneElseHasASelector) {
  for (unsigned selector = 0; selector < 128; ++selector) {
    if (find_operation(static_cast<std::uint8_t>(selector)) != nullptr) continue;
    Machine machine = with_source();
    EXPECT_EQ(
        machine.run({Start{1, static_cast<std::uint8_t>(selector)}, Dimension{0, 0, 1}, Recipe{}.binding(), Stop{}})
            ->kind,
        FaultKind::illegal_instruction);
  }
}

TEST(Operation, IsABundleAndNoWord) {
  // Nothing is executed before BSTOP, and BSTOP alone executes nothing.
  Machine machine = with_source();
  std::vector<std::uint32_t> words = Recipe{}.words();
  words.pop_back();
  for (const std::uint32_t word : words) {
    const TileFile before = machine.file;
    EXPECT_EQ(text_of(machine.run_bits({word})), "");
    EXPECT_EQ(machine.last.executed, nullptr);
    EXPECT_TRUE(machine.file == before);
  }
  Machine alone = with_source();
  EXPECT_EQ(text_of(alone.run({Stop{}})), "BundleControl: BSTOP after a BSTART");
}

TEST(DataType, ExactlyTheNine) {
  for (unsigned code = 0; code < 32; ++code) {
    const TypeInfo* type = find_type(static_cast<std::uint8_t>(code));
    const bool legal = type != nullptr && std::ranges::count(nine_types(), type->type) == 1;
    Machine machine;
    machine.load(type != nullptr ? type->type : Type::fp32, {{0}});
    const auto fault =
        machine.run({Start{static_cast<std::uint8_t>(code), 0x42}, Dimension{0, 0, 1}, Recipe{}.binding(), Stop{}});
    EXPECT_EQ(fault.has_value(), !legal) << code;
    EXPECT_TRUE(legal || fault->kind == FaultKind::tile_legality) << code;
  }
}

TEST(DataType, OfTheResultIsTheSources) {
  for (const Type type : nine_types()) {
    Machine machine;
    machine.load(type, {{1}});
    EXPECT_EQ(text_of(machine.run(Recipe{.type = type})), "");
    EXPECT_EQ(machine.file.find(16)->descriptor().type, type);
  }
}

TEST(DataType, AnInvalidEncodingIsLegality) {
  // TF32 keeps ten fraction bits of FP32's 23, HF32 eleven.
  for (const auto& [type, valid, invalid] :
       {std::tuple(Type::tf32, 0x3F802000, 0x3F801000), std::tuple(Type::hf32, 0x3F801000, 0x3F800800)}) {
    Machine machine({.dtypes = Dtypes::sixteen});
    machine.load(type, {{Code(valid)}, {Code(invalid)}});
    EXPECT_EQ(machine.run(Recipe{.type = type, .valid_row = 2})->kind, FaultKind::tile_legality);
    machine.bundle.discard();
    const auto source = static_cast<std::uint8_t>(machine.load(type, {{Code(valid)}, {Code(valid)}}));
    EXPECT_EQ(text_of(machine.run(Recipe{.type = type, .valid_row = 2, .source = source})), "");
  }
}

TEST(Binding, TakesASourceThatStaysAndMakesANewTile) {
  Machine machine = with_source();
  const Tile source = *machine.file.find(0);
  EXPECT_EQ(text_of(machine.run(Recipe{})), "");
  EXPECT_TRUE(*machine.file.find(0) == source);
  EXPECT_EQ(machine.last.destination, 16U);
  // Into its own hand the result takes another register.
  EXPECT_EQ(text_of(machine.run(Recipe{.hand = 0})), "");
  EXPECT_EQ(machine.last.destination, 1U);
  EXPECT_TRUE(*machine.file.find(0) == source);
  EXPECT_THAT(machine.file.use().registers, testing::ElementsAre(2, 1, 0, 0));
}

TEST(Binding, MustBeTheLast) {
  Machine machine = with_source();
  EXPECT_EQ(text_of(machine.run(Recipe{.last = false})), "Fault_TileLegality: last on the last binding");
}

TEST(Binding, MustBeTheOnlyOne) {
  Machine machine = with_source();
  Recipe recipe{.last = false};
  EXPECT_EQ(text_of(machine.run(joined(recipe.header(), {recipe.binding(), Recipe{}.binding(), Stop{}}))),
            "Fault_TileLegality: one binding, not 2");
  machine.bundle.discard();
  EXPECT_EQ(text_of(machine.run(joined(recipe.header(), {Recipe{}.binding(), Recipe{}.binding()}))),
            "Fault_TileLegality: no binding after the last");
}

TEST(Binding, HasOneSourceAndOneDestination) {
  Machine machine = with_source();
  for (const Binding& binding : {Binding{0, 0, true, 1, 7, 1}, Binding{0, {}, true, 0, 7, 1},
                                 Binding{0, 0, true, 0, 7, 1}, Binding{{}, {}, true, 1, 7, 1}}) {
    const auto fault = machine.run(joined(Recipe{}.header(), {binding, Stop{}}));
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::tile_legality);
    machine.bundle.discard();
  }
}

TEST(Binding, AllowsNoScalarBinding) {
  Machine machine = with_source();
  EXPECT_EQ(text_of(machine.run(joined(Recipe{}.header(), {Scalars{}, Recipe{}.binding(), Stop{}}))),
            "Fault_TileLegality: no B.IOR in a reduction");
}

TEST(Binding, AllowsNoSharedBinding) {
  Machine machine = with_source();
  EXPECT_EQ(text_of(machine.run(joined(Recipe{}.header(), {Shared{0, 1, 7}, Recipe{}.binding(), Stop{}}))),
            "Fault_TileLegality: no B.IOS in a reduction");
}

TEST(Binding, HasOneMaskForSourceAndResult) {
  for (std::uint8_t mode = 1; mode < 8; ++mode) {
    Machine machine = with_source();
    EXPECT_EQ(text_of(machine.run(Recipe{.pe_mode = mode})), "");
    EXPECT_EQ(machine.file.find(16)->descriptor().mask, kPeMasks[mode]);
  }
  // A source that is in some of its PEs only.
  Machine narrow;
  Descriptor descriptor = with_source().file.find(0)->descriptor();
  descriptor.mask = 0b1100;
  Tile source(descriptor);
  for (std::size_t i = 0; i < source.elements(); ++i) source.define(i, 1);
  narrow.file.put(0, source);
  EXPECT_EQ(text_of(narrow.run(Recipe{.pe_mode = 6})), "Fault_TileLegality: PEs of 1100, which hold T0, not 1110");
  narrow.bundle.discard();
  EXPECT_EQ(text_of(narrow.run(Recipe{.pe_mode = 5})), "");
  Machine machine = with_source();
  EXPECT_EQ(
      machine.run(joined(Recipe{}.header(), {Binding{0, {}, false, 1, 7, 1}, Binding{0, {}, true, 1, 1, 1}}))->kind,
      FaultKind::tile_legality);
}

// ---- PE_MASK 0000 --------------------------------------------------------------------------------------------------

constexpr Binding kAbsent{63, {}, true, 10, 0, 1};

TEST(AbsentPes, NothingHappens) {
  Machine machine = with_source();
  const TileFile before = machine.file;
  EXPECT_EQ(text_of(machine.run(Recipe{.pe_mode = 0})), "");
  EXPECT_EQ(machine.last.executed, nullptr);
  EXPECT_TRUE(machine.file == before);
  EXPECT_FALSE(machine.bundle.is_open());
}

TEST(AbsentPes, NothingIsCheckedAtTheEnd) {
  // No such operation, no such type, no ValidCol, zeros, an attribute too many, B.IOR, a full hand, no capacity, a
  // signalling NaN in what would be the source.
  Machine machine({}, 16 * 4 * 128);
  while (machine.file.place(1, 1, 15).index) machine.load(Type::fp32, {{0x7F800001}}, 1);
  const TileFile before = machine.file;
  EXPECT_EQ(text_of(machine.run({Start{31, 0x7F}, Attributes{Pad::max, 31U << 20}, Dimension{1, 0, 0},
                                 Dimension{2, 0, 3}, Scalars{}, kAbsent, Shared{9, 15, 0}, Stop{}})),
            "");
  EXPECT_TRUE(machine.file == before);
  EXPECT_FALSE(machine.bundle.is_open());
}

TEST(AbsentPes, WordsAreStillJudgedAlone) {
  Machine machine;
  EXPECT_EQ(text_of(machine.run({Start{31, 0x7F}, kAbsent, Attributes{}, Attributes{}})), "BundleControl: one B.DATR");
  EXPECT_EQ(text_of(machine.run({Binding{0, {}, true, 12, 0, 0}})), "IllegalInstruction: SizeCode 1..10, not 12");
  EXPECT_EQ(text_of(machine.run_bits({0xFFFFFFFFU})), "IllegalInstruction: a word of the tile instruction set");
}

TEST(AbsentPes, ALaterGoodBindingRuns) {
  Machine machine = with_source();
  EXPECT_EQ(text_of(machine.run(joined(Recipe{}.header(), {kAbsent, kAbsent, Recipe{}.binding(), kAbsent, Stop{}}))),
            "");
  ASSERT_NE(machine.last.executed, nullptr);
  EXPECT_EQ(machine.codes(16), std::vector<Code>{0x3F800000});
}

TEST(AbsentPes, DoNotExcuseABindingThatTakesPart) {
  Machine machine = with_source();
  EXPECT_EQ(text_of(machine.run({Start{1, 0x44}, kAbsent, Recipe{}.binding(), Stop{}})),
            "IllegalInstruction: the selector of an operation, not 0x044");
  machine.bundle.discard();
  EXPECT_EQ(text_of(machine.run(joined(Recipe{}.header(), {kAbsent, Shared{0, 1, 7}, Stop{}}))),
            "Fault_TileLegality: a binding (B.IOT)");
}

TEST(AbsentPes, AreForgottenWithTheBundle) {
  Machine machine;
  EXPECT_EQ(text_of(machine.run({kAbsent, Start{1, 0x42}, Stop{}})), "Fault_TileLegality: a binding (B.IOT)");
  machine.bundle.discard();
  EXPECT_EQ(text_of(machine.run({Start{1, 0x42}, kAbsent, Stop{}, Start{1, 0x42}, Stop{}})),
            "Fault_TileLegality: a binding (B.IOT)");
}

}  // namespace
}  // namespace tpb::tile::test
