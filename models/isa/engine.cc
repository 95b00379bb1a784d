#include "models/isa/engine.h"

#include <algorithm>

namespace tpb {
namespace {

constexpr std::array<std::string_view, kEngineCount> kNames{"pe", "act", "dve", "pool", "sfu"};

}  // namespace

std::string_view name_of(Engine engine) { return kNames[static_cast<std::size_t>(engine)]; }

std::optional<Engine> engine_from_name(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return kEngines[static_cast<std::size_t>(found - kNames.begin())];
}

}  // namespace tpb
