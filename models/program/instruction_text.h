// One instruction of program text to bundles and back.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/config.h"
#include "models/isa/layout.h"
#include "models/program/lexer.h"
#include "models/program/symbols.h"

namespace tpb {

// Reads a whole line that starts with a mnemonic. Every problem of the line goes to `problems`; the bundles are then
// of no use.
std::vector<Bundle> read_instruction(Cursor& cursor, std::uint32_t line, Engine engine, const Symbols& symbols,
                                     const Config& config, Problems& problems);

// 64 bytes in hexadecimal, blanks allowed anywhere; `rest` starts at `column` and may end in a comment. Throws Problem.
Bundle read_raw_bundle(std::string_view rest, std::uint32_t column);

// The line that the bundles came from, or one that assembles to them, of a tile block a line for each word; nothing
// when there is none.
std::optional<std::string> instruction_text(std::span<const Bundle> bundles, Engine engine, const Symbols& symbols,
                                            const Config& config);
// A `.bundle` directive with the opcode's name as a comment.
std::string raw_bundle_text(const Bundle& bundle);

}  // namespace tpb
