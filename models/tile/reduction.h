// The reductions of a tile: six folds along either axis, one handler.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "models/tile/tile.h"

namespace tpb::tile {

enum class Axis : std::uint8_t { row, column };  // row: each valid row gives one value

struct Fold;  // what is done with one more element

struct Operation {
  std::uint8_t selector;
  std::string_view name;  // "TROWMIN"
  const Fold& fold;
  Axis axis;
};
std::span<const Operation> operations();  // ascending selectors
const Operation* find_operation(std::uint8_t selector);
const Operation* find_operation(std::string_view name);

// Whether the fold is defined for elements of a type.
bool takes(const Operation& operation, const TypeInfo& type, Dtypes profile);
Type result_type(const Operation& operation, Type source);

// Folds the valid region of `source`, all of it defined, into the valid region of `destination`, whose shape and type
// are the results'. Returns the numeric status of all steps.
std::uint8_t reduce(const Operation& operation, const Tile& source, Tile& destination);

}  // namespace tpb::tile
