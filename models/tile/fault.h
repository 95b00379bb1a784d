// What stops the tile engine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tpb::tile {

enum class FaultKind : std::uint8_t { illegal_instruction, bundle_control, tile_legality, tile_allocation };

constexpr std::string_view name_of(FaultKind kind) {
  constexpr std::array<std::string_view, 4> kNames{"IllegalInstruction", "BundleControl", "Fault_TileLegality",
                                                   "Fault_TileAllocation"};
  return kNames[static_cast<std::size_t>(kind)];
}

struct Fault {
  FaultKind kind;
  std::string allowed;     // what would have been right, "ValidCol (LB0) of at least 1, not 0"
  std::uint32_t word = 0;  // that raised it; 0 for TLOAD, TSTORE and TFREE, which are no words
};

}  // namespace tpb::tile
