// The .npy format (versions 1 to 3) as far as tensors need it. Internal to this room: contents.h is its interface.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "models/config/config.h"
#include "models/program/file.h"
#include "models/program/program.h"

namespace tpb {

// Throws FileProblem unless the file's header and length suit the tensor exactly.
void check_npy(const std::filesystem::path& path, const Tensor& tensor, const Limits& limits);
// The elements in numpy order as the tensor's dtype. Throws FileProblem.
std::vector<std::uint8_t> npy_elements(const std::filesystem::path& path, const Tensor& tensor, const Limits& limits);
// A version 1 file, C order.
std::vector<std::uint8_t> npy_file(const Tensor& tensor, std::span<const std::uint8_t> bytes);

}  // namespace tpb
