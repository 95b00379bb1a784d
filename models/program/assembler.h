// Program text to program and back. The text is described in docs/program-text.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "models/config/config.h"
#include "models/program/program.h"

namespace tpb {

// What `.generation` says, found before the configuration that assembling needs is known. Throws InputError.
std::optional<Generation> declared_generation(const std::filesystem::path& path);

// Reads program text. Throws InputError with every problem of the file. Legality is not judged here.
Program assemble(const std::filesystem::path& path, const Config& config);
// The same for text that is no file; `name` stands for the file in messages, paths in it are relative to its folder.
Program assemble_text(const std::string& text, const std::filesystem::path& name, const Config& config);

// Text that assembles to the same image, placed on the same lines where the program has lines. `directory` is where
// the text will stand: paths in it are written relative to it.
std::string disassemble(const Program& program, const Config& config, const std::filesystem::path& directory);

// One bundle as one line of text, a tile block as a line for each word, with raw operands; opcodes that have no text
// become a comment with their name and a `.bundle` directive. For faults and listings too.
std::string disassemble(const Bundle& bundle, const Config& config);

}  // namespace tpb
