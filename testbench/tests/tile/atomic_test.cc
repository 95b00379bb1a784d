// Everything is published together, or nothing is.
#include <map>
#include <random>

#include "testbench/tests/tile/machine.h"

namespace tpb::tile::test {
namespace {

// Registers, of every kind that a bundle may meet, in a file that is nearly full or has a full hand.
Machine random_machine(std::mt19937_64& random) {
  Profile profile;
  if (random() % 2 == 0) profile.dtypes = Dtypes::sixteen;
  if (random() % 2 == 0) profile.stream_fault = Profile::StreamFault::bundle_control;
  Machine machine(profile, random() % 4 == 0 ? 4096 : kDefaultCapacity);
  const Type kinds[] = {Type::fp32, Type::bf16, Type::u8, Type::s64, Type::tf32};
  for (std::uint64_t tiles = 1 + random() % 4; tiles > 0; --tiles) {
    const Type type = kinds[random() % std::size(kinds)];
    Rows rows(1 + random() % 3, std::vector<Code>(1 + random() % 5));
    for (auto& row : rows) {
      for (Code& code : row) code = random() & info_of(type).mask();
      if (random() % 8 == 0) row[0] = info_of(type).canonical_nan ^ info_of(type).quiet_bit ^ 1;
    }
    const auto hand = static_cast<std::uint8_t>(random() % 4);
    if (!machine.file.place(hand, 2, 15).index) continue;
    const unsigned index = machine.load(type, rows, hand);
    if (random() % 8 == 0) machine.file.put(index, Tile(machine.file.find(index)->descriptor()));  // undefined
  }
  const auto hand = static_cast<std::uint8_t>(random() % 4);
  const bool fills = random() % 4 == 0;
  while (fills && machine.file.place(hand, 1, 15).index) {
    machine.load(Type::u8, {{1}}, hand);
  }
  machine.file.set_scalar(3, random() % 8);
  machine.file.raise(static_cast<std::uint8_t>(random() % 32));
  return machine;
}

// A legal bundle for some tile of the file, if it has one, and then some accidents.
std::vector<std::uint32_t> random_bundle(const Machine& machine, std::mt19937_64& random) {
  Recipe recipe;
  recipe.operation = operations()[random() % operations().size()].name;
  for (unsigned index = 0; index < kTiles; ++index) {
    const Tile* tile = machine.file.find(index);
    if (tile == nullptr || random() % 3 == 0) continue;
    recipe.source = static_cast<std::uint8_t>(index);
    recipe.type = tile->descriptor().type;
    recipe.valid_col = tile->descriptor().valid_col;
    recipe.valid_row = tile->descriptor().valid_row;
    recipe.col = tile->descriptor().col;
  }
  if (random() % 2 == 0) recipe.pad = static_cast<Pad>(random() % 4);
  recipe.hand = static_cast<std::uint8_t>(random() % 4);
  recipe.size_code = static_cast<std::uint8_t>(random() % 8 == 0 ? random() % 11 : 1 + random() % 2);
  recipe.pe_mode = static_cast<std::uint8_t>(random() % 8 == 0 ? 0 : 7);
  recipe.last = random() % 16 != 0;
  std::vector<std::uint32_t> words = recipe.words();
  for (std::uint64_t accidents = random() % 3; accidents > 0; --accidents) {
    const std::size_t at = random() % words.size();
    switch (random() % 5) {
      case 0:
        words[at] ^= static_cast<std::uint32_t>(1ULL << random() % 32);
        break;
      case 1:
        words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), words[random() % words.size()]);
        break;
      case 2:
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 3:
        words.insert(words.begin() + static_cast<std::ptrdiff_t>(at),
                     encode(random() % 2 == 0 ? Word(Scalars{}) : Shared{}));
        break;
      default:
        std::swap(words[at], words[random() % words.size()]);
    }
    if (words.empty()) words.push_back(1);
  }
  return words;
}

TEST(Atomic, RandomBundlesChangeTheWholeOfItOrNothing) {
  std::mt19937_64 random(31);
  std::map<std::string_view, unsigned> faults;
  unsigned executed = 0, idle = 0;
  for (unsigned i = 0; i < 40'000; ++i) {
    Machine machine = random_machine(random);
    for (const std::uint32_t word : random_bundle(machine, random)) {
      const TileFile before = machine.file;
      const OpenBundle open = machine.bundle;
      const Step step = machine.bundle.step(word, machine.file);
      if (step.fault) {
        ++faults[name_of(step.fault->kind)];
        ASSERT_TRUE(machine.file == before) << step.fault->allowed;
        ASSERT_TRUE(machine.bundle == open) << step.fault->allowed;
        ASSERT_EQ(step.fault->word, word);
        ASSERT_FALSE(step.fault->allowed.empty());
        break;
      }
      if (step.executed == nullptr) {
        ASSERT_TRUE(machine.file == before);
        ++idle;
        continue;
      }
      ++executed;
      // One tile more where none was, with a defined valid region; everything else is as it was but for the status.
      ASSERT_EQ(before.find(step.destination), nullptr);
      const Tile* result = machine.file.find(step.destination);
      ASSERT_NE(result, nullptr);
      ASSERT_FALSE(first_undefined(*result));
      ASSERT_EQ(machine.file.status() & before.status(), before.status());
      TileFile expected = before;
      expected.put(step.destination, *result);
      expected.raise(machine.file.status());
      ASSERT_TRUE(machine.file == expected);
      ASSERT_FALSE(machine.bundle.is_open());
      ASSERT_LE(machine.file.use().bytes, machine.file.capacity());
    }
  }
  EXPECT_EQ(faults.size(), 4U);
  for (const auto& [kind, times] : faults) EXPECT_GT(times, 500U) << kind;
  EXPECT_GT(executed, 5000U);
  EXPECT_GT(idle, 5000U);
}

TEST(Atomic, StatusComesWithTheResultAndNotWithAFault) {
  // The same signalling NaN: into a full hand, and then into a free one.
  Machine machine;
  machine.load(Type::fp32, {{0x7F800001, 0x3F800000}});
  while (machine.file.place(1, 1, 15).index) machine.load(Type::u8, {{1}}, 1);
  EXPECT_EQ(machine.run(Recipe{.valid_col = 2})->kind, FaultKind::tile_allocation);
  EXPECT_EQ(machine.file.status(), 0);
  machine.bundle.discard();
  EXPECT_EQ(text_of(machine.run(Recipe{.valid_col = 2, .hand = 2})), "");
  EXPECT_EQ(machine.file.status(), kNV);
}

TEST(Atomic, PaddingAndDescriptorComeWithTheResult) {
  Machine machine;
  machine.load(Type::u8, {{9, 4}});
  std::vector<std::uint32_t> words = Recipe{.type = Type::u8, .pad = Pad::max, .valid_col = 2}.words();
  words.pop_back();
  EXPECT_EQ(text_of(machine.run_bits(words)), "");
  EXPECT_EQ(machine.file.find(16), nullptr);
  EXPECT_EQ(machine.file.use().bytes, 4 * 128U);
  EXPECT_EQ(text_of(machine.run({Stop{}})), "");
  const Tile& result = *machine.file.find(16);
  EXPECT_EQ(result.descriptor(), (Descriptor{Type::u8, 1, 15, 128, 1, 1, 1}));
  EXPECT_EQ(result.code(0), 4U);
  EXPECT_EQ(result.code(127), 255U);
}

TEST(Atomic, TheSourceIsReadOnly) {
  std::mt19937_64 random(3);
  for (const Operation& operation : operations()) {
    for (const Type type : nine_types()) {
      Machine machine;
      Rows rows(4, std::vector<Code>(4));
      for (auto& row : rows) {
        for (Code& code : row) code = random() & info_of(type).mask();
      }
      machine.load(type, rows);
      const Tile before = *machine.file.find(0);
      ASSERT_EQ(text_of(machine.run(Recipe{.operation = operation.name, .type = type, .valid_col = 4, .valid_row = 4})),
                "");
      EXPECT_TRUE(*machine.file.find(0) == before);
    }
  }
}

TEST(Atomic, EveryRowIsFoldedByItself) {
  Machine machine;
  machine.load(Type::s16, {{3, 0xFFFE, 7}, {1, 2, 3}, {9, 8, 0x8000}, {5, 5, 5}});
  EXPECT_EQ(text_of(machine.run(Recipe{.type = Type::s16, .valid_col = 3, .valid_row = 4, .col = 4})), "");
  EXPECT_EQ(machine.codes(16), (std::vector<Code>{0xFFFE, 1, 0x8000, 5}));
}

}  // namespace
}  // namespace tpb::tile::test
