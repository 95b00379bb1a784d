#include "models/isa/generation.h"

#include <algorithm>
#include <cstddef>

namespace tpb {
namespace {

constexpr std::array<std::string_view, kGenerations.size()> kNames{"sunda", "cayman", "mariana", "mariana_plus",
                                                                   "maverick"};

}  // namespace

std::string_view name_of(Generation generation) { return kNames[static_cast<std::size_t>(generation)]; }

std::optional<Generation> generation_from_name(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return kGenerations[static_cast<std::size_t>(found - kNames.begin())];
}

}  // namespace tpb
