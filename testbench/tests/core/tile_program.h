// Whole programs for the tile engine: their text, what they leave in memory and in the tiles.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "models/units/sfu/tile_engine.h"
#include "testbench/tests/support/run_program.h"

namespace tpb::test {

// The nine types of the TROWMIN page: as bundles spell them, as tensors do, and bytes of an element.
struct TileType {
  const char* name;
  const char* dtype;
  unsigned bytes;
};
inline constexpr TileType kTileTypes[] = {{"S32", "int32", 4}, {"U32", "uint32", 4}, {"FP32", "fp32", 4},
                                          {"S16", "int16", 2}, {"U16", "uint16", 2}, {"FP16", "fp16", 2},
                                          {"BF16", "bf16", 2}, {"S8", "int8", 1},    {"U8", "uint8", 1}};

inline const TileType& tile_type(std::string_view name) {
  for (const TileType& type : kTileTypes) {
    if (type.name == name) return type;
  }
  ADD_FAILURE() << "no type " << name;
  return kTileTypes[0];
}

using Codes = std::vector<std::uint32_t>;

inline std::string contents_of(const Codes& codes) {
  std::string text;
  for (std::uint32_t code : codes) text += fmt::format("{}bits({:#x})", text.empty() ? "" : ", ", code);
  return "[" + text + "]";
}

// Elements of a tensor after the run, in numpy order.
inline Codes codes_of(const Ran& ran, std::string_view tensor, unsigned bytes_per_element) {
  const auto raw = ran.bytes(tensor);
  Codes codes(raw.size() / bytes_per_element);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    std::memcpy(&codes[i], &raw[i * bytes_per_element], bytes_per_element);
  }
  return codes;
}

inline std::string rule_of(const Ran& ran) {
  return ran.result.faults.empty() ? "none" : std::string(ran.result.faults.front().violation.rule);
}

// The tile engine below one of these objects; null when there is none.
inline const TileEngine* find_tile_engine(const std::vector<sc_core::sc_object*>& objects) {
  for (const sc_core::sc_object* object : objects) {
    if (const auto* engine = dynamic_cast<const TileEngine*>(object)) return engine;
    if (const TileEngine* engine = find_tile_engine(object->get_child_objects())) return engine;
  }
  return nullptr;
}

// The tiles of the process's one platform, as the last run left them.
inline const tile::TileFile& tiles() { return find_tile_engine(sc_core::sc_get_top_level_objects())->tiles(); }

}  // namespace tpb::test
