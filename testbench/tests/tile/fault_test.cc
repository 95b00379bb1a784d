// Faults: which, in which order, and that nothing has changed.
#include <functional>
#include <random>
#include <set>

#include "testbench/tests/tile/machine.h"

namespace tpb::tile::test {
namespace {

using Profiles = Profile::StreamFault;

// ---- a word alone --------------------------------------------------------------------------------------------------

TEST(WordFaults, UnknownForm) {
  Machine machine;
  EXPECT_EQ(text_of(machine.run_bits({0xFFFFFFFFU})), "IllegalInstruction: a word of the tile instruction set");
  EXPECT_EQ(machine.last.fault->word, 0xFFFFFFFFU);
}

TEST(WordFaults, RepeatedHeaderWords) {
  for (const auto& [profile, lb] : {std::pair(Profiles::legality, "Fault_TileLegality: LB1 once"),
                                    std::pair(Profiles::bundle_control, "BundleControl: LB1 once")}) {
    Machine machine({.stream_fault = profile});
    EXPECT_EQ(text_of(machine.run({Start{1, 0x42}, Attributes{Pad::min, 0}, Attributes{Pad::min, 0}})),
              "BundleControl: one B.DATR");
    EXPECT_EQ(text_of(machine.run({Dimension{1, 0, 3}, Dimension{1, 0, 3}})), lb);
    EXPECT_EQ(text_of(machine.run({Scalars{}, Scalars{}})), "BundleControl: one B.IOR");
    EXPECT_EQ(text_of(machine.run({Start{1, 0x42}})), "BundleControl: BSTOP before the next BSTART");
  }
}

TEST(WordFaults, OutsideABundle) {
  Machine machine;
  for (const Word& word : {Word(Attributes{}), Word(Dimension{0, 0, 1}), Word(Binding{0, {}, true, 1, 7, 0}),
                           Word(Scalars{}), Word(Shared{}), Word(Stop{})}) {
    EXPECT_THAT(text_of(machine.run(std::vector{word})), testing::MatchesRegex("BundleControl: .* after a BSTART"));
  }
}

TEST(WordFaults, NoSuchRegister) {
  Machine machine;
  EXPECT_EQ(text_of(machine.run({Start{1, 0x42}, Dimension{0, 23, 1}})), "");
  EXPECT_EQ(text_of(machine.run({Dimension{1, 24, 1}})), "IllegalInstruction: register R0..R23, not R24");
  EXPECT_EQ(text_of(machine.run({Scalars{0, {0, 24, 0}}})), "IllegalInstruction: registers R0..R23");
}

// SizeCode, then mask 0000, then whether a bundle is open, then Last, then the mask.
TEST(WordFaults, OfABindingInTheirOrder) {
  Machine machine({.stream_fault = Profiles::bundle_control});
  EXPECT_EQ(text_of(machine.run({Binding{0, {}, true, 11, 0, 0}})), "IllegalInstruction: SizeCode 1..10, not 11");
  EXPECT_EQ(text_of(machine.run({Binding{0, {}, true, 15, 7, 0}})), "IllegalInstruction: SizeCode 1..10, not 15");
  EXPECT_EQ(text_of(machine.run({Binding{{}, {}, true, 0, 7, 0}})), "IllegalInstruction: SizeCode 1..10, not 0");
  EXPECT_EQ(text_of(machine.run({Binding{0, {}, true, 1, 0, 0}})), "");
  EXPECT_EQ(text_of(machine.run({Start{1, 0x42}, Binding{0, {}, true, 1, 7, 0}, Binding{0, {}, true, 1, 0, 0}})), "");
  EXPECT_EQ(text_of(machine.run({Binding{0, {}, true, 1, 1, 0}})), "BundleControl: no binding after the last");
  Machine other;
  EXPECT_EQ(text_of(other.run({Start{1, 0x42}, Binding{0, {}, true, 1, 7, 0}, Binding{0, {}, true, 1, 1, 0}})),
            "Fault_TileLegality: no binding after the last");
  other.bundle.discard();
  EXPECT_EQ(text_of(other.run({Start{1, 0x42}, Binding{0, {}, false, 1, 7, 0}, Binding{0, {}, true, 1, 1, 0}})),
            "Fault_TileLegality: PE_MASK 1111 as before, not 1000");
}

// ---- BSTOP ---------------------------------------------------------------------------------------------------------

// A bundle that is about to fault, and the machine for it.
struct Attempt {
  Machine machine;
  std::vector<Word> words;  // without BSTOP; the last is the binding

  explicit Attempt(const Profile& profile) : machine(profile) {
    machine.load(Type::fp32, {{1, 2, 3, 4}, {5, 6, 7, 8}});
    const Recipe recipe{.valid_col = 4, .valid_row = 2, .col = 4};
    words = recipe.header();
    words.emplace_back(recipe.binding());
  }
  template <class T>
  T& word(unsigned nth = 0) {
    for (Word& word : words) {
      if (T* typed = std::get_if<T>(&word); typed != nullptr && nth-- == 0) return *typed;
    }
    throw std::logic_error("no such word");
  }
  Binding& binding() { return std::get<Binding>(words.back()); }
  void before_binding(const Word& word) { words.insert(words.end() - 1, word); }
  std::optional<Fault> run() {
    std::vector<Word> all = words;
    all.emplace_back(Stop{});
    return machine.run(all);
  }
};

struct Wrong {
  const char* kind;  // "stream": as the profile says
  const char* allowed;
  char touches;  // two that touch the same thing are not tried together
  std::function<void(Attempt&)> make;
};

Tile changed(const Tile& tile, const std::function<void(Descriptor&)>& change) {
  Descriptor descriptor = tile.descriptor();
  change(descriptor);
  Tile other(descriptor);
  for (std::size_t i = 0; i < other.elements(); ++i) other.define(i, 1);
  return other;
}
void change_source(Attempt& attempt, const std::function<void(Descriptor&)>& change) {
  attempt.machine.file.put(0, changed(*attempt.machine.file.find(0), change));
}
void fill_hand(Machine& machine, std::uint8_t hand) {
  while (machine.file.place(hand, 1, 1).index) machine.load(Type::u8, {{1}}, hand);
}

// In the order in which they are raised.
const std::vector<Wrong>& wrongs() {
  static const std::vector<Wrong> all{
      {"IllegalInstruction", "the selector of an operation, not 0x044", 'o',
       [](Attempt& a) { a.word<Start>().selector = 0x44; }},
      {"stream", "last on the last binding", 'l', [](Attempt& a) { a.binding().last = false; }},
      {"stream", "a destination", 'd', [](Attempt& a) { a.binding().size_code = 0; }},
      {"stream", "a source", 's', [](Attempt& a) { a.binding().source0.reset(); }},
      {"Fault_TileLegality", "no field of B.DATR but PadValue", 'a',
       [](Attempt& a) {
         a.before_binding(Attributes{Pad::null, 31U << 20});
       }},
      {"Fault_TileLegality", "no B.IOR in a reduction", 'r', [](Attempt& a) { a.before_binding(Scalars{}); }},
      {"Fault_TileLegality", "no B.IOS in a reduction", 'h',
       [](Attempt& a) {
         a.before_binding(Shared{1, 1, 7});
       }},
      {"Fault_TileLegality", "one binding, not 2", 'b',
       [](Attempt& a) {
         a.before_binding(Binding{0, {}, false, 1, 7, 3});
       }},
      {"Fault_TileLegality", "one source, not 2", 's', [](Attempt& a) { a.binding().source1 = 0; }},
      {"Fault_TileLegality", "ValidCol (LB0), which has no default", 'c',
       [](Attempt& a) { std::erase_if(a.words, [](const Word& w) {
                          return w == Word(Dimension{0, 0, 4});
                        }); }},
      {"Fault_TileLegality", "ValidCol (LB0) of at least 1, not 0", 'c',
       [](Attempt& a) { a.word<Dimension>(0).immediate = 0; }},
      {"Fault_TileLegality", "ValidRow (LB1) of at least 1, not 0", 'x',
       [](Attempt& a) { a.word<Dimension>(1).immediate = 0; }},
      {"Fault_TileLegality", "Col (LB2) of at least 1, not 0", 'y',
       [](Attempt& a) { a.word<Dimension>(2).immediate = 0x10000; }},
      {"Fault_TileLegality", "ValidCol (LB0) up to 32768, not 32769", 'c',
       [](Attempt& a) { a.word<Dimension>(0).immediate = 32769; }},
      {"Fault_TileLegality", "the code of a DataType, not 31", 't', [](Attempt& a) { a.word<Start>().dtype = 31; }},
      {"Fault_TileLegality", "a DataType that TROWMIN takes, not S64", 't',
       [](Attempt& a) { a.word<Start>().dtype = 16; }},
      {"Fault_TileLegality", "a live tile, which T5 is not", 'z', [](Attempt& a) { a.binding().source0 = 5; }},
      {"Fault_TileLegality", "a tile of numbers, which T0 is not", 'z',
       [](Attempt& a) { change_source(a, [](Descriptor& d) { d.contents = Contents::predicate; }); }},
      {"Fault_TileLegality", "a tile in row-major order, which T0 is not", 'z',
       [](Attempt& a) { change_source(a, [](Descriptor& d) { d.layout = Layout::other; }); }},
      {"Fault_TileLegality", "DataType S32, which T0 has, not FP32", 'z',
       [](Attempt& a) { change_source(a, [](Descriptor& d) { d.type = Type::s32; }); }},
      {"Fault_TileLegality", "ValidCol (LB0) 3, which T0 has, not 4", 'z',
       [](Attempt& a) { change_source(a, [](Descriptor& d) { d.valid_col = 3; }); }},
      {"Fault_TileLegality", "ValidRow (LB1) 1, which T0 has, not 2", 'z',
       [](Attempt& a) { change_source(a, [](Descriptor& d) { d.valid_row = 1; }); }},
      {"Fault_TileLegality", "Col (LB2) 8, which T0 has, not 4", 'z',
       [](Attempt& a) {
         change_source(a, [](Descriptor& d) {
           d.col = 8;
           d.rows = 4;
         });
       }},
      {"Fault_TileLegality", "defined elements, which element 0 of T0 is not", 'z',
       [](Attempt& a) { a.machine.file.put(0, Tile(a.machine.file.find(0)->descriptor())); }},
      {"Fault_TileLegality", "PEs of 1000, which hold T0, not 1111", 'z',
       [](Attempt& a) { change_source(a, [](Descriptor& d) { d.mask = 0b1000; }); }},
      {"Fault_TileAllocation", "a free register of hand U, which has none", 'u',
       [](Attempt& a) { fill_hand(a.machine, 1); }},
      {"Fault_TileAllocation", "262144 bytes in all PEs, not 262144 beside 512 in use", 'v',
       [](Attempt& a) { a.binding().size_code = 10; }},
  };
  return all;
}

std::string expected(const Wrong& wrong, Profiles profile) {
  const std::string_view kind = wrong.kind;
  const std::string_view stream = profile == Profiles::legality ? "Fault_TileLegality" : "BundleControl";
  return std::string(kind == "stream" ? stream : kind) + ": " + wrong.allowed;
}

void expect_fault_and_no_change(Attempt& attempt, const std::string& text) {
  const TileFile before = attempt.machine.file;
  EXPECT_EQ(text_of(attempt.run()), text);
  EXPECT_TRUE(attempt.machine.file == before);
  EXPECT_EQ(attempt.machine.last.fault->word, 1U) << "raised by BSTOP";
  EXPECT_TRUE(attempt.machine.bundle.is_open());
  // The PC stays: BSTOP again is the same fault.
  EXPECT_EQ(text_of(attempt.machine.run(std::vector<Word>{Stop{}})), text);
}

TEST(StopFaults, TheBundleIsLegalOtherwise) {
  Attempt attempt({});
  EXPECT_EQ(text_of(attempt.run()), "");
  EXPECT_EQ(attempt.machine.codes(16), (std::vector<Code>{1, 5}));
  EXPECT_FALSE(attempt.machine.bundle.is_open());
}

TEST(StopFaults, EachAlone) {
  for (const Profiles profile : {Profiles::legality, Profiles::bundle_control}) {
    for (const Wrong& wrong : wrongs()) {
      Attempt attempt({.stream_fault = profile});
      wrong.make(attempt);
      expect_fault_and_no_change(attempt, expected(wrong, profile));
    }
  }
}

TEST(StopFaults, TheEarlierOfTwo) {
  unsigned pairs = 0;
  for (std::size_t i = 0; i < wrongs().size(); ++i) {
    for (std::size_t j = i + 1; j < wrongs().size(); ++j) {
      const Wrong &first = wrongs()[i], &second = wrongs()[j];
      const std::set<char> touched{first.touches, second.touches};
      // A second binding is a source and a destination; without a source or destination nothing is said of them.
      if (touched.size() == 1 || touched == std::set{'b', 's'} || touched == std::set{'b', 'd'} ||
          touched == std::set{'d', 's'} || touched == std::set{'s', 'z'} || touched == std::set{'d', 'v'} ||
          touched == std::set{'c', 'z'}) {
        continue;
      }
      Attempt attempt({.stream_fault = Profiles::bundle_control});
      second.make(attempt);
      first.make(attempt);
      SCOPED_TRACE(std::string(first.allowed) + " before " + second.allowed);
      expect_fault_and_no_change(attempt, expected(first, Profiles::bundle_control));
      ++pairs;
    }
  }
  EXPECT_GT(pairs, 200U);
}

TEST(StopFaults, NoBindingAtAll) {
  Attempt attempt({});
  attempt.words.pop_back();
  expect_fault_and_no_change(attempt, "Fault_TileLegality: a binding (B.IOT)");
  // To the executable specification no PE takes part in it.
  Attempt nothing({.stream_fault = Profiles::bundle_control});
  nothing.words = {Start{31, 0x7F}};
  const TileFile before = nothing.machine.file;
  EXPECT_FALSE(nothing.run().has_value());
  EXPECT_EQ(nothing.machine.file, before);
}

TEST(StopFaults, AnyOtherAttribute) {
  // Bits 31:29, 26:20, 17:15 and 11:7, each alone.
  unsigned fields = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const auto word = decode(0x1023U | 1U << bit);
    if (!word || !std::holds_alternative<Attributes>(*word) || std::get<Attributes>(*word).others == 0) continue;
    ++fields;
    Attempt attempt({});
    attempt.before_binding(*word);
    expect_fault_and_no_change(attempt, "Fault_TileLegality: no field of B.DATR but PadValue");
  }
  EXPECT_EQ(fields, 3U + 7U + 3U + 5U);
}

}  // namespace
}  // namespace tpb::tile::test
