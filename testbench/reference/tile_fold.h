// Folds of tile elements, with exact rationals: the judge of the tile engine's reductions.
#pragma once

#include <cstdint>
#include <span>

namespace reference {

struct TileFormat {
  unsigned bits;
  bool is_signed;         // integers
  int exponent_bits = 0;  // 0: an integer
  int fraction_bits = 0;
  bool has_infinity = true;  // otherwise all ones is the only NaN
};

enum class TileFold : std::uint8_t { sum, maximum, minimum, product, argmax, argmin };

struct Folded {
  std::uint64_t code;  // an index for argmax and argmin
  unsigned status;     // 1 invalid, 4 overflow, 8 underflow, 16 inexact
};

// In order, from the first element, or for sums and products from +0 and 1.
Folded fold(const TileFormat& format, TileFold fold, std::span<const std::uint64_t> elements);

}  // namespace reference
