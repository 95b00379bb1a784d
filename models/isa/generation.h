// Generations of the core, oldest first, so that < means "older than".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tpb {

// NC-v2, v3, v4, v4+ and v5.
enum class Generation : std::uint8_t { sunda, cayman, mariana, mariana_plus, maverick };

inline constexpr std::array kGenerations{Generation::sunda, Generation::cayman, Generation::mariana,
                                         Generation::mariana_plus, Generation::maverick};

std::string_view name_of(Generation generation);
std::optional<Generation> generation_from_name(std::string_view name);

}  // namespace tpb
