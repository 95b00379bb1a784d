// The binary form of a program (.tpbx).
#pragma once

#include <filesystem>
#include <string>

#include "models/config/config.h"
#include "models/program/program.h"

namespace tpb {

// True when the file starts as an image does, whatever its name.
bool is_image(const std::filesystem::path& path);
void write_image(const Program& program, const std::filesystem::path& path);  // InputError when it cannot be written
Program read_image(const std::filesystem::path& path, const Limits& limits);  // throws InputError
// SHA-256 (hex) of what the machine sees and is compared with: bundles, tensors, initial values, contents of files
// named.
std::string program_digest(const Program& program);

}  // namespace tpb
