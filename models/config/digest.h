// SHA-256 of configurations, programs and images: what a result belongs to.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tpb {

// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::span<const std::uint8_t> bytes);
std::string sha256_hex(std::string_view text);

}  // namespace tpb
