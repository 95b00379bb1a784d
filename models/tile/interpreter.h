// The tile engine's instructions on its tiles, bundle by bundle: everything but time, and the values that memory holds.
#pragma once

#include <cstdint>
#include <optional>

#include "models/isa/instruction.h"
#include "models/isa/legality.h"
#include "models/tile/open_bundle.h"
#include "models/tile/tile.h"

namespace tpb::tile {

// Of a legal bundle.
struct Done {
  std::uint64_t columns = 0;            // element columns that were folded, once per row group
  std::uint64_t elements = 0;           // that were folded
  std::uint64_t written = 0;            // registers that have a new tile, a bit each
  std::optional<unsigned> loaded = {};  // the register of a TLOAD, whose values are still zero
};

class Interpreter {
 public:
  // `row_group`: rows that are folded together.
  Interpreter(const Profile& profile, std::uint64_t capacity, std::uint32_t row_group)
      : profile_(profile), row_group_(row_group), tiles_(capacity), bundle_(profile) {}

  // Runs a bundle that the rules of its layout allow; anything else than TILE_WORDS and TILE_MOVE does nothing. What
  // it does to tiles is done when this returns, or, with a violation, undone.
  std::optional<Violation> run(const Instruction& instruction, Done& done);

  TileFile& tiles() { return tiles_; }
  const TileFile& tiles() const { return tiles_; }

 private:
  std::optional<Violation> words(const TILE_WORDS& bundle, Done& done);
  std::optional<Violation> move(const TILE_MOVE& bundle, Done& done);

  Profile profile_;
  std::uint32_t row_group_;
  TileFile tiles_;
  OpenBundle bundle_;
};

// Whether a bundle is a TLOAD in which no PE takes part: it reads nothing and takes nothing.
bool is_absent(const Instruction& instruction);
// Registers that a bundle reads or frees, a bit each.
std::uint64_t registers_read(const Instruction& instruction);
// Elements per partition of a move's operand.
std::uint32_t elements_of(const TILE_MOVE& bundle);

}  // namespace tpb::tile
