// Whole files in and out: bounded reading, and writing beside the place with a rename.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "models/config/config.h"

namespace tpb {

// A file cannot be used; the caller knows where it was named. `what` continues the file's name.
struct FileProblem {
  std::string what;  // "cannot be read (No such file or directory), expected a file"
};

// Throws FileProblem. With `most`, no more than the first bytes; the file's size goes to `size` when it is given.
std::vector<std::uint8_t> read_file(const std::filesystem::path& path, const Limits& limits,
                                    std::uint64_t most = ~std::uint64_t{0}, std::uint64_t* size = nullptr);
// Nothing stands at `path` but the old file or the whole new one. Throws InputError.
void write_file(const std::filesystem::path& path, std::span<const std::uint8_t> bytes);

// An InputError about a file as a whole.
[[noreturn]] void refuse_file(const std::filesystem::path& path, const std::string& message);

}  // namespace tpb
