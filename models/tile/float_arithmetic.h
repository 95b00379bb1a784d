// Sums and products of floating elements, exact and then rounded once to the element type, ties to even.
#pragma once

#include "models/tile/type.h"

namespace tpb::tile {

// Bits of the numeric status.
enum StatusBit : std::uint8_t { kNV = 1, kDZ = 2, kOF = 4, kUF = 8, kNX = 16 };

struct Computed {
  Code code;
  std::uint8_t status;
};

// For types with fraction_bits. A NaN gives the canonical one; NV for a signalling one and for what has no value.
// UF: the exact value is below the normal numbers and the result is not exact.
Computed add(const TypeInfo& type, Code left, Code right);
Computed multiply(const TypeInfo& type, Code left, Code right);

Code one_of(const TypeInfo& type);  // of integers too

}  // namespace tpb::tile
