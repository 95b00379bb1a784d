// A tile engine, and bundles to feed it with.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string_view>
#include <vector>

#include "models/tile/float_arithmetic.h"
#include "models/tile/open_bundle.h"

namespace tpb::tile::test {

// A TROWMIN of one FP32 element of T0 into hand U, unless told otherwise.
struct Recipe {
  std::string_view operation = "TROWMIN";
  Type type = Type::fp32;
  std::optional<Pad> pad{};
  std::optional<std::uint32_t> valid_col = 1, valid_row{}, col{};
  std::uint8_t source = 0;
  std::uint8_t hand = 1;
  std::uint8_t size_code = 1;
  std::uint8_t pe_mode = 7;
  bool last = true;

  std::vector<Word> header() const;  // without binding and BSTOP
  Binding binding() const;
  std::vector<std::uint32_t> words() const;  // all of it
};
std::vector<std::uint32_t> bits_of(const std::vector<Word>& words);

using Rows = std::vector<std::vector<Code>>;

struct Machine {
  TileFile file;
  OpenBundle bundle;
  Step last;  // step

  explicit Machine(const Profile& profile = {}, std::uint64_t capacity = kDefaultCapacity)
      : file(capacity), bundle(profile) {}

  // Loads rows of equal length into the smallest tile that holds them.
  unsigned load(Type type, const Rows& rows, std::uint8_t hand = 0);
  // Feeds words up to the first fault.
  std::optional<Fault> run_bits(const std::vector<std::uint32_t>& words);
  std::optional<Fault> run(const std::vector<Word>& words) { return run_bits(bits_of(words)); }
  std::optional<Fault> run(const Recipe& recipe) { return run_bits(recipe.words()); }
  // The valid elements of a tile; none of one that is not there.
  std::vector<Code> codes(unsigned index) const {
    const Tile* tile = file.find(index);
    return tile == nullptr ? std::vector<Code>() : valid_codes(*tile);
  }
};

// What one row, or with a TCOL operation one column, gives.
struct Outcome {
  Code code = 0;
  std::uint8_t status = 0;
  bool operator==(const Outcome&) const = default;
};
Outcome fold(std::string_view operation, Type type, const std::vector<Code>& elements, Dtypes dtypes = Dtypes::nine);

std::vector<Type> nine_types();

// "Fault_TileLegality: what", or nothing.
std::string text_of(const std::optional<Fault>& fault);

}  // namespace tpb::tile::test
