// What stops a program of the tile engine: which fault comes first when two apply, and that nothing has happened.
#include <gmock/gmock.h>

#include "testbench/tests/core/tile_program.h"

namespace tpb::test {
namespace {

using testing::ElementsAre;

// ---- Words, from the table of the tile ISA document ---------------------------------------------------------------

constexpr std::uint32_t kU8 = 27, kS8 = 19, kFp32 = 1, kS64 = 16, kNoType = 31;
constexpr std::uint32_t kRowMin = 0x042, kNoOperation = 0x07F;
constexpr std::uint32_t kNone = 0, kAll = 7, kFirst = 1;  // PEMode of masks 0000, 1111, 1000
constexpr std::uint32_t kUHand = 1;
constexpr std::uint32_t kStop = 0x00000001, kNoForm = 0xFFFFFFFF;

constexpr std::uint32_t start(std::uint32_t type = kU8, std::uint32_t selector = kRowMin) {
  return 0x00019181 | type << 27 | selector << 20;  // the selector is mode and function side by side
}
constexpr std::uint32_t attributes(std::uint32_t pad = 0, std::uint32_t other = 0) {
  return 0x00001023 | pad << 27 | other << 20;
}
constexpr std::uint32_t dim(std::uint32_t which, std::uint32_t value) {
  return 0x00000043 | which << 12 | (value & 0xFFF) << 20 | (value >> 12) << 7;
}
struct Binding {
  std::uint32_t source = 0;
  bool last = true;
  std::uint32_t size_code = 1, mode = kAll, hand = kUHand;
};
constexpr std::uint32_t bind(const Binding& b, std::uint32_t form = 0x5013) {
  return form | b.source << 20 | std::uint32_t{b.last} << 19 | b.size_code << 15 | b.mode << 9 | b.hand << 7;
}
constexpr std::uint32_t kScalars = 0x00000013;                                                    // B.IOR of R0s
constexpr std::uint32_t shared(std::uint32_t mode) { return 0x00001013 | 1U << 15 | mode << 9; }  // B.IOS
// Two sources and a destination.
constexpr std::uint32_t kTwoSources = bind({}, 0x4013);

using Words = std::vector<std::uint32_t>;

std::string text_of(const Words& words) {
  std::string text;
  for (std::uint32_t word : words) text += fmt::format("      .word {:#010x}\n", word);
  return text;
}

// ---- Programs -----------------------------------------------------------------------------------------------------

constexpr const char* kLoad = R"(
    .tensor x uint8 [2, 2] sbuf+0x0 = [5, 9, 9, 6]
    .tensor y uint8 [2, 1] sbuf+0x100 = [77]
    .tensor c uint8 [1, 1] sbuf+0x200 = [42]
    .engine sfu
      TLOAD x -> T<128B>
)";
std::string full_hand() {
  std::string text = kLoad;
  for (int i = 0; i < 16; ++i) text += "      TLOAD c -> U<128B>\n";
  return text;
}
// One 64 KiB tile in each of four PEs is the whole capacity.
constexpr const char* kFullStorage = R"(
    .tensor x uint8 [2, 2] sbuf+0x0 = [5, 9, 9, 6]
    .tensor y uint8 [2, 1] sbuf+0x100 = [77]
    .engine sfu
      TLOAD x -> T<64KB>
)";
// The minima of 128 rows take 512 bytes.
constexpr const char* kManyRows = R"(
    .tensor x fp32 [128, 2] sbuf+0x0 = ones
    .tensor y fp32 [128, 1] sbuf+0x100 = zeros
    .engine sfu
      TLOAD x -> T<1KB>
)";
constexpr const char* kStore = "      TSTORE U0 -> y\n";

const Binding kUnallocated{.source = 5}, kNotLast{.last = false}, kNoSize{.size_code = 0}, kBadSize{.size_code = 11};

struct FaultCase {
  const char* why;
  std::string setup;
  Words words;
  unsigned word;  // that raises it
  const char* legality;
  const char* bundle_control;  // by semantics.tile_stream_fault
};

constexpr const char *kIllegal = "IllegalInstruction", *kControl = "BundleControl", *kLegality = "Fault_TileLegality",
                     *kAllocation = "Fault_TileAllocation";

std::vector<FaultCase> cases() {
  const std::uint32_t lb0 = dim(0, 2), lb1 = dim(1, 2), good = bind({});
  return {
      // At a word, in the order of the words.
      {"an unknown form, then LB0 twice", kLoad, {start(), kNoForm, lb0, lb0}, 1, kIllegal, kIllegal},
      {"LB0 twice, then an unknown form", kLoad, {start(), lb0, lb0, kNoForm}, 2, kLegality, kControl},
      {"LB0 twice, in a bundle of no operation",
       kLoad,
       {start(kU8, kNoOperation), lb0, lb0, good, kStop},
       2,
       kLegality,
       kControl},
      {"LB0 twice, once zero", kLoad, {start(), dim(0, 0), lb0, good, kStop}, 2, kLegality, kControl},
      {"LB1 twice", kLoad, {start(), lb0, lb1, lb1, good, kStop}, 3, kLegality, kControl},
      {"LB2 twice", kLoad, {start(), dim(2, 2), lb0, dim(2, 2), good, kStop}, 3, kLegality, kControl},
      {"attributes twice, of no operation",
       kLoad,
       {start(kU8, kNoOperation), attributes(), attributes(), good, kStop},
       2,
       kControl,
       kControl},
      {"attributes outside a bundle", kLoad, {attributes(), kNoForm}, 0, kControl, kControl},
      {"a dimension outside a bundle", kLoad, {lb0, kStop}, 0, kControl, kControl},
      {"a bad size outside a bundle", kLoad, {bind(kBadSize)}, 0, kIllegal, kIllegal},
      {"a bad size of mask 0", kLoad, {start(), bind({.size_code = 15, .mode = kNone}), kStop}, 1, kIllegal, kIllegal},
      {"a bad size behind Last", kLoad, {start(), lb0, lb1, good, bind(kBadSize), kStop}, 4, kIllegal, kIllegal},
      {"a bad size of another mask",
       kLoad,
       {start(), bind(kNotLast), bind({.size_code = 11, .mode = kFirst}), kStop},
       2,
       kIllegal,
       kIllegal},
      {"mask 0 outside a bundle is consumed, BSTOP is not",
       kLoad,
       {bind({.mode = kNone}), kStop},
       1,
       kControl,
       kControl},
      {"a binding outside a bundle", kLoad, {good, kNoForm}, 0, kControl, kControl},
      {"behind Last with another mask",
       kLoad,
       {start(), lb0, lb1, good, bind({.mode = kFirst}), kStop},
       4,
       kLegality,
       kControl},
      {"another mask, no LB0",
       kLoad,
       {start(), bind(kNotLast), bind({.mode = kFirst}), kStop},
       2,
       kLegality,
       kLegality},
      {"another mask, no Last",
       kLoad,
       {start(), lb0, bind(kNotLast), bind({.last = false, .mode = kFirst}), kStop},
       3,
       kLegality,
       kLegality},
      // At BSTOP.
      {"BSTOP outside a bundle", kLoad, {kStop, kNoForm}, 0, kControl, kControl},
      {"no operation, no Last",
       kLoad,
       {start(kU8, kNoOperation), lb0, lb1, bind(kNotLast), kStop},
       4,
       kIllegal,
       kIllegal},
      {"no operation, no dimension",
       kLoad,
       {start(kU8, kNoOperation), bind(kUnallocated), kStop},
       2,
       kIllegal,
       kIllegal},
      {"no operation, no type", kLoad, {start(kNoType, kNoOperation), lb0, lb1, good, kStop}, 4, kIllegal, kIllegal},
      {"no operation, scalars",
       kLoad,
       {start(kU8, kNoOperation), lb0, lb1, kScalars, good, kStop},
       5,
       kIllegal,
       kIllegal},
      {"no Last, no dimension", kLoad, {start(), bind(kNotLast), kStop}, 2, kLegality, kControl},
      {"no Last, a full hand", full_hand(), {start(), lb0, lb1, bind(kNotLast), kStop}, 4, kLegality, kControl},
      {"no destination, a type not of the nine",
       kLoad,
       {start(kS64), lb0, lb1, bind(kNoSize), kStop},
       4,
       kLegality,
       kControl},
      {"no destination, no source",
       kLoad,
       {start(), lb0, lb1, bind({.source = 5, .size_code = 0}), kStop},
       4,
       kLegality,
       kControl},
      {"a type not of the nine, a full hand",
       full_hand(),
       {start(kS64), lb0, lb1, good, kStop},
       4,
       kLegality,
       kLegality},
      {"not the source's type, a full hand", full_hand(), {start(kS8), lb0, lb1, good, kStop}, 4, kLegality, kLegality},
      {"no LB0, a full hand", full_hand(), {start(), lb1, good, kStop}, 3, kLegality, kLegality},
      {"LB0 zero, no source", kLoad, {start(), dim(0, 0), lb1, bind(kUnallocated), kStop}, 4, kLegality, kLegality},
      {"LB1 zero, a full hand", full_hand(), {start(), lb0, dim(1, 0), good, kStop}, 4, kLegality, kLegality},
      {"LB2 zero, a full hand", full_hand(), {start(), lb0, lb1, dim(2, 0), good, kStop}, 5, kLegality, kLegality},
      {"LB1 zero in its 16 bits", kLoad, {start(), lb0, dim(1, 65536), good, kStop}, 4, kLegality, kLegality},
      {"LB1 omitted is 1", kLoad, {start(), lb0, good, kStop}, 3, kLegality, kLegality},
      {"fewer columns than the source, full storage",
       kFullStorage,
       {start(), dim(0, 1), lb1, good, kStop},
       4,
       kLegality,
       kLegality},
      {"more rows than the source, full storage",
       kFullStorage,
       {start(), lb0, dim(1, 3), good, kStop},
       4,
       kLegality,
       kLegality},
      {"another Col than the source, full storage",
       kFullStorage,
       {start(), lb0, lb1, dim(2, 4), good, kStop},
       5,
       kLegality,
       kLegality},
      {"32769 columns, a full hand", full_hand(), {start(), dim(0, 32769), lb1, good, kStop}, 4, kLegality, kLegality},
      {"no source, a full hand", full_hand(), {start(), lb0, lb1, bind(kUnallocated), kStop}, 4, kLegality, kLegality},
      {"another attribute, a full hand",
       full_hand(),
       {start(), attributes(0, 1), lb0, lb1, good, kStop},
       5,
       kLegality,
       kLegality},
      {"scalars, a full hand", full_hand(), {start(), lb0, lb1, kScalars, good, kStop}, 5, kLegality, kLegality},
      {"a shared tile, a full hand",
       full_hand(),
       {start(), lb0, lb1, shared(kAll), good, kStop},
       5,
       kLegality,
       kLegality},
      {"two sources, a full hand", full_hand(), {start(), lb0, lb1, kTwoSources, kStop}, 4, kLegality, kLegality},
      {"two bindings, a full hand",
       full_hand(),
       {start(), lb0, lb1, bind(kNotLast), good, kStop},
       5,
       kLegality,
       kLegality},
      {"columns of another number, too small a destination",
       kManyRows,
       {start(kFp32), dim(0, 1), dim(1, 128), good, kStop},
       4,
       kLegality,
       kLegality},
      {"too small a destination",
       kManyRows,
       {start(kFp32), lb0, dim(1, 128), good, kStop},
       4,
       kAllocation,
       kAllocation},
      {"a full hand", full_hand(), {start(), lb0, lb1, good, kStop}, 4, kAllocation, kAllocation},
      {"full storage", kFullStorage, {start(), lb0, lb1, good, kStop}, 4, kAllocation, kAllocation},
  };
}

TEST(TileFaults, ComeInTheStatedOrderAndChangeNothing) {
  for (const FaultCase& wanted : cases()) {
    const Ran before = run_text(wanted.setup);
    ASSERT_EQ(rule_of(before), "none") << wanted.why;
    const tile::TileFile untouched = tiles();
    for (const bool legality : {true, false}) {
      SCOPED_TRACE(
          fmt::format("{}, {}\n{}", wanted.why, legality ? "legality" : "bundle_control", text_of(wanted.words)));
      const Ran ran =
          run_text(wanted.setup + text_of(wanted.words) + kStore, {},
                   {fmt::format("semantics.tile_stream_fault={}", legality ? "legality" : "bundle_control")});
      EXPECT_EQ(rule_of(ran), legality ? wanted.legality : wanted.bundle_control);
      if (ran.result.faults.empty()) continue;
      EXPECT_EQ(ran.result.end, RunEnd::fault);
      EXPECT_THAT(ran.result.faults[0].violation.field, testing::StartsWith(fmt::format("word {} (", wanted.word)));
      EXPECT_EQ(ran.result.faults[0].violation.value, fmt::format("0x{:08X}", wanted.words[wanted.word]));
      EXPECT_TRUE(tiles() == untouched);
      EXPECT_EQ(ran.tensors, before.tensors);
    }
  }
}

TEST(TileFaults, TheWordsOfTheCasesRunWhenNothingIsWrong) {
  const Ran ran =
      run_text(kLoad + text_of({start(), attributes(), dim(0, 2), dim(1, 2), dim(2, 2), bind({}), kStop}) + kStore);
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_THAT(ran.bytes("y"), ElementsAre(5, 6));
}

// The profiles differ in this and in nothing else that these words show.
TEST(TileFaults, TheProfileChoosesTheFaultOfAMalformedStream) {
  const std::string text = kLoad + text_of({start(), dim(0, 2), dim(0, 2)});
  EXPECT_EQ(rule_of(run_text(text)), kLegality);
  EXPECT_EQ(rule_of(run_text(text, {}, {"semantics.profile=public"})), kControl);
}

TEST(TileFaults, PublishNoStatus) {
  // A signalling NaN in the fold, but nowhere to put the result.
  const std::string text = R"(
    .tensor x fp32 [1, 2] sbuf+0x0 = [bits(0x7F800001), 1]
    .engine sfu
      TLOAD x -> T<64KB>
)";
  EXPECT_EQ(rule_of(run_text(text + text_of({start(kFp32), dim(0, 2), bind({}), kStop}))), kAllocation);
  EXPECT_EQ(tiles().status(), 0);
}

TEST(TileFaults, NameTheBundleAndStopTheEngineThere) {
  // Two bundles of 64 bytes before it; the engine's other work is not done, the other engines' is.
  const Ran ran = run_text(R"(
.tensor x uint8 [2, 2] sbuf+0x0 = [5, 9, 9, 6]
.tensor y uint8 [2, 1] sbuf+0x100 = [77]
.tensor z uint8 [2, 2] sbuf+0x200
.engine dve
  copy src=x dst=z
.engine sfu
  TLOAD x -> T<128B>
  TLOAD x -> T<128B>
  BSTART.SFU TROWMIN, U8
  B.DIM LB0=2
  B.DIM LB1=3
  B.IOT T0, mask=1111, last, ->U<128B>
  BSTOP
  TSTORE T0 -> y
)");
  ASSERT_EQ(ran.result.faults.size(), 1U);
  EXPECT_EQ(ran.result.faults[0].engine, Engine::sfu);
  EXPECT_EQ(ran.result.faults[0].pc, 128U);
  EXPECT_EQ(ran.result.faults[0].line, 10U);  // of BSTART, as the bundle's
  EXPECT_EQ(ran.of(Engine::sfu).size(), 2U);
  EXPECT_EQ(ran.bytes("z"), ran.bytes("x"));
  EXPECT_THAT(ran.bytes("y"), ElementsAre(77, 77));
}

// ---- PE_MASK 0000 -------------------------------------------------------------------------------------------------

TEST(TileMask0, NothingThatIsWrongMattersAndNothingHappens) {
  const std::uint32_t nobody = bind({.source = 5, .mode = kNone}),
                      anything = bind({.source = 63, .last = false, .size_code = 10, .mode = kNone});
  struct {
    const char* why;
    Words words;
  } const bundles[] = {
      {"no operation", {start(kU8, kNoOperation), nobody, kStop}},
      {"no type", {start(kNoType), nobody, kStop}},
      {"no dimension", {start(), nobody, kStop}},
      {"zero dimensions", {start(), dim(0, 0), dim(1, 0), dim(2, 0), nobody, kStop}},
      {"32769 columns, Col 3", {start(), dim(0, 32769), dim(2, 3), nobody, kStop}},
      {"other attributes", {start(), attributes(0, 0xF), nobody, kStop}},
      {"no Last, several bindings", {start(), anything, anything, kStop}},
      {"several Last", {start(), nobody, nobody, nobody, kStop}},
      {"no destination", {start(), bind({.size_code = 0, .mode = kNone}), kStop}},
      {"a shared tile", {start(), shared(kNone), kStop}},
      {"all of it",
       {start(kNoType, kNoOperation), attributes(3, 0xF), dim(2, 3), dim(0, 0), nobody, anything, shared(kNone), nobody,
        kStop}},
      {"outside a bundle", {nobody}},
  };
  for (const std::string& setup : {std::string(kLoad), full_hand(), std::string(kFullStorage)}) {
    const Ran before = run_text(setup);
    const tile::TileFile untouched = tiles();
    for (const auto& [why, words] : bundles) {
      SCOPED_TRACE(fmt::format("{}\n{}", why, text_of(words)));
      const Ran ran = run_text(setup + text_of(words));
      EXPECT_EQ(rule_of(ran), "none");
      EXPECT_EQ(ran.result.end, RunEnd::done);
      EXPECT_TRUE(tiles() == untouched);
      EXPECT_EQ(ran.tensors, before.tensors);
    }
  }
}

TEST(TileMask0, ALaterGoodBindingRuns) {
  const std::uint32_t nobody = bind({.source = 5, .size_code = 10, .mode = kNone, .hand = 0});  // with Last
  const std::uint32_t lb0 = dim(0, 2), lb1 = dim(1, 2);
  struct {
    const char* why;
    Words words;
  } const bundles[] = {
      {"before it", {start(), lb0, lb1, nobody, bind({}), kStop}},
      {"behind it", {start(), lb0, lb1, bind({}), nobody, kStop}},
      {"around it", {start(), lb0, lb1, nobody, nobody, bind({}), nobody, kStop}},
      {"a shared one", {start(), lb0, lb1, shared(kNone), bind({}), kStop}},
      {"outside the bundle", {nobody, start(), lb0, lb1, bind({}), kStop}},
  };
  run_text(kLoad + text_of({start(), lb0, lb1, bind({}), kStop}));
  const tile::TileFile wanted = tiles();
  for (const auto& [why, words] : bundles) {
    SCOPED_TRACE(fmt::format("{}\n{}", why, text_of(words)));
    const Ran ran = run_text(kLoad + text_of(words) + kStore);
    EXPECT_EQ(rule_of(ran), "none");
    EXPECT_THAT(ran.bytes("y"), ElementsAre(5, 6));
    EXPECT_TRUE(tiles() == wanted);
  }
}

TEST(TileMask0, ALaterBundleRuns) {
  const Ran ran = run_text(std::string(kLoad) + R"(
      BSTART.SFU TROWMIN, U8
      B.DIM LB0=2
      B.IOT N15, mask=0000, last, ->M<64KB>
      BSTOP
      BSTART.SFU TROWMIN, U8
      B.DIM LB0=2
      B.DIM LB1=2
      B.IOT T0, mask=1111, last, ->U<128B>
      BSTOP
)" + kStore);
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_THAT(ran.bytes("y"), ElementsAre(5, 6));
}

TEST(TileMask0, AWordsOwnFaultsAreStillRaised) {
  const std::uint32_t nobody = bind({.mode = kNone}), lb0 = dim(0, 2);
  struct {
    Words words;
    const char* rule;
  } const bundles[] = {
      {{start(), nobody, kNoForm, kStop}, kIllegal},
      {{start(), bind({.size_code = 12, .mode = kNone}), kStop}, kIllegal},
      {{start(), lb0, lb0, nobody, kStop}, kControl},
      {{start(), attributes(), attributes(), nobody, kStop}, kControl},
      {{start(), nobody, kStop, kStop}, kControl},
  };
  for (const auto& [words, rule] : bundles) {
    SCOPED_TRACE(text_of(words));
    EXPECT_EQ(rule_of(run_text(kLoad + text_of(words), {}, {"semantics.tile_stream_fault=bundle_control"})), rule);
  }
}

// ---- Registers and storage ----------------------------------------------------------------------------------------

std::string repeated(int times, const std::string& line) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line;
  return text;
}

constexpr const char* kTensors = R"(
    .tensor x uint8 [2, 2] sbuf+0x0 = [5, 9, 9, 6]
    .tensor y uint8 [2, 1] sbuf+0x100 = [77]
    .engine sfu
)";

TEST(TileAllocation, TheSeventeenthRegisterOfAHand) {
  const std::string bundle = R"(
      BSTART.SFU TROWMIN, U8
      B.DIM LB0=2
      B.DIM LB1=2
      B.IOT T0, mask=1111, last, ->U<128B>
      BSTOP
)";
  const std::string load = std::string(kTensors) + "      TLOAD x -> T<128B>\n";
  EXPECT_EQ(rule_of(run_text(load + repeated(16, bundle))), "none");
  EXPECT_NE(tiles().find(16 + 15), nullptr);
  EXPECT_EQ(rule_of(run_text(load + repeated(17, bundle))), kAllocation);
  // One is released and taken again, being the lowest that is free; what it held is replaced.
  const Ran ran =
      run_text(load + repeated(16, bundle) + "      TFREE U9\n      TFREE U4\n" + bundle + "      TSTORE U4 -> y\n");
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_THAT(ran.bytes("y"), ElementsAre(5, 6));
  EXPECT_EQ(tiles().find(16 + 9), nullptr);
  for (const char* hand : {"T", "U", "M", "N"}) {
    const std::string one = fmt::format("      TLOAD x -> {}<128B>\n", hand);
    EXPECT_EQ(rule_of(run_text(kTensors + repeated(16, one))), "none") << hand;
    EXPECT_EQ(rule_of(run_text(kTensors + repeated(17, one))), kAllocation) << hand;
    EXPECT_EQ(rule_of(run_text(kTensors + repeated(16, one) + fmt::format("      TFREE {}15\n", hand) + one)), "none");
  }
}

TEST(TileAllocation, StorageOfEveryPeThatHoldsATileCounts) {
  // 256 KiB: 192 of three PEs, 64 of one, and not 128 bytes more.
  const std::string most =
      std::string(kTensors) + "      TLOAD x -> T<64KB> mask=1110\n      TLOAD x -> U<32KB> mask=1000\n";
  EXPECT_EQ(rule_of(run_text(most + "      TLOAD x -> U<32KB> mask=0001\n")), "none");
  EXPECT_EQ(rule_of(run_text(most + "      TLOAD x -> U<16KB> mask=1100\n")), "none");
  EXPECT_EQ(rule_of(run_text(most + "      TLOAD x -> U<32KB> mask=0001\n      TLOAD x -> M<128B> mask=0010\n")),
            kAllocation);
  EXPECT_EQ(rule_of(run_text(most + "      TLOAD x -> U<32KB> mask=0001\n      TFREE U0\n      TLOAD x -> M<128B>\n")),
            "none");
  EXPECT_EQ(rule_of(run_text(most + "      TLOAD x -> U<32KB> mask=1100\n")), kAllocation);
}

TEST(TileAllocation, CapacityIsTheConfigurations) {
  // The source takes four times 128 bytes, the result as many.
  const std::string text = kLoad + text_of({start(), dim(0, 2), dim(1, 2), bind({}), kStop});
  EXPECT_EQ(rule_of(run_text(text, {}, {"sfu.capacity_bytes=1024"})), "none");
  EXPECT_EQ(rule_of(run_text(text, {}, {"sfu.capacity_bytes=1023"})), kAllocation);
  EXPECT_EQ(rule_of(run_text(text, {}, {"sfu.capacity_bytes=512"})), kAllocation);
}

TEST(TileColumnsOfABundle, Beyond32768AreIllegal) {
  const std::string load = R"(
    .tensor x uint8 [1, 32768] sbuf+0x0 = ones
    .tensor y uint8 [1, 1] sbuf+0x10000
    .engine sfu
      TLOAD x -> T<32KB>
)";
  EXPECT_EQ(rule_of(run_text(load + text_of({start(), dim(0, 32768), bind({}), kStop}) + kStore)), "none");
  EXPECT_EQ(rule_of(run_text(load + text_of({start(), dim(0, 32769), bind({}), kStop}))), kLegality);
  EXPECT_EQ(rule_of(run_text(load + text_of({start(), dim(0, 65535), bind({}), kStop}))), kLegality);
}

TEST(TileMoveFaults, AStoreMatchesTheValidRegion) {
  const std::string load = R"(
    .tensor x uint8 [2, 2] sbuf+0x0 = [5, 9, 9, 6]
    .tensor s int8 [2, 2] sbuf+0x100 = [77]
    .tensor w uint8 [4, 4] sbuf+0x200 = [77]
    .engine sfu
      TLOAD x -> T<128B>
)";
  for (const char* store : {"TSTORE T0 -> s", "TSTORE T0 -> w", "TSTORE T0 -> w[0:2, :]", "TSTORE T0 -> w[:, 0:2]",
                            "TSTORE T0 -> w[0:1, 0:2]", "TSTORE T0 -> w[0:1, :]", "TSTORE T1 -> w[0:2, 0:2]"}) {
    const Ran ran = run_text(load + "      " + store + "\n");
    EXPECT_EQ(rule_of(ran), kLegality) << store;
    EXPECT_THAT(ran.bytes("w"), testing::Each(77)) << store;
    EXPECT_THAT(ran.bytes("s"), testing::Each(77)) << store;
  }
  const Ran ran = run_text(load + "      TSTORE T0 -> w[0:2, 3:0:-2]\n");
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_THAT(ran.bytes("w"), ElementsAre(77, 9, 77, 5, 77, 6, 77, 9, 77, 77, 77, 77, 77, 77, 77, 77));
}

}  // namespace
}  // namespace tpb::test
