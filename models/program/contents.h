// Tensor contents and comparisons: element bytes in numpy order, little endian, whatever they come from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/program/program.h"

namespace tpb {

// The tensor's bytes before the run; empty for uninitialised. Throws InputError (missing file, wrong shape or
// dtype...).
std::vector<std::uint8_t> initial_bytes(const Tensor& tensor, const std::string& program_file, const Limits& limits);
// Reads a .npy that must have exactly the tensor's shape and a dtype that stands for it.
std::vector<std::uint8_t> read_npy(const std::filesystem::path& path, const Tensor& tensor,
                                   const std::string& program_file, std::uint32_t line, const Limits& limits);
// Writes beside the place and renames. bf16 and fp8 as uint16 and uint8 bit patterns.
void write_npy(const std::filesystem::path& path, const Tensor& tensor, std::span<const std::uint8_t> bytes);

// Where and by how much an output differs from its .expect; nothing when it agrees.
struct Difference {
  std::uint64_t count = 0;  // elements outside the tolerance
  std::uint64_t total = 0;
  std::string first;  // "[3, 0, 7]: got 1.5 (0x3fc00000), expected 1.25 (0x3fa00000)"
  double worst_absolute = 0;
};
std::optional<Difference> compare(const Tensor& tensor, std::span<const std::uint8_t> actual,
                                  std::span<const std::uint8_t> expected, const Expectation& expectation);

}  // namespace tpb
