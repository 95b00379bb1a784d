// Program text of the tile engine: blocks, a word a line from BSTART.SFU to BSTOP, and the moves between tiles and
// memory, TLOAD, TSTORE and TFREE.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/config.h"
#include "models/program/event.h"
#include "models/program/lexer.h"
#include "models/program/symbols.h"

namespace tpb {

// What such lines begin with, up to the first blank.
bool is_block_line(std::string_view first);
bool begins_block(std::string_view first);  // whatever block is open
bool ends_block(std::string_view first);
bool is_tile_move(std::string_view first);
std::vector<std::string_view> tile_names();
bool is_tile_operation(std::string_view name);  // "TROWMIN", which begins no line

// One bundle's words while its lines are read. It begins with BSTART.SFU and ends with BSTOP; one that begins with
// `.word` may end anywhere.
class TileBlock {
 public:
  // Throws Problem unless such a line begins one.
  TileBlock(std::string_view first, std::uint32_t line, std::uint32_t column, Engine engine);

  std::uint32_t line() const { return line_; }
  std::uint32_t column() const { return column_; }
  Engine engine() const { return engine_; }

  // Reads a whole line. Throws Problem.
  void read(std::string_view first, Cursor& cursor, const Symbols& symbols);
  // Throws Problem when the end is missing.
  std::vector<Bundle> bundles() const;

 private:
  std::uint32_t line_, column_;
  Engine engine_;
  bool may_end_;
  std::vector<std::uint32_t> words_;
  Synchronised synchronised_;
};

// Reads a whole line. Throws Problem.
std::vector<Bundle> read_tile_move(std::string_view first, Cursor& cursor, Engine engine, const Symbols& symbols,
                                   const Config& config);

// What distinguishes tile instructions, all of one opcode, and its name in text: TLOAD, or the operation that a block
// begins, TROWMIN. Nothing when text has no name for it.
std::uint8_t tile_variant(const Instruction& instruction);
std::string_view tile_name_of(std::uint8_t variant);

// Lines, without a last newline, that assemble to `bundles`, of which `line` is the fold; nothing when there are none.
bool is_tile(const Synchronised& line);
std::optional<std::string> tile_text(const Synchronised& line, std::span<const Bundle> bundles, Engine engine,
                                     const Symbols& symbols, const Config& config);

}  // namespace tpb
