#include "models/tile/float_arithmetic.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace tpb::tile {
namespace {

__extension__ typedef unsigned __int128 Wide;  // a product of two FP64 significands takes 106 bits

int bias_of(const TypeInfo& type) { return (1 << (type.bits - 2 - type.fraction_bits)) - 1; }
Code magnitude(const TypeInfo& type, Code code) { return code & (type.sign() - 1); }
bool is_negative(const TypeInfo& type, Code code) { return (code & type.sign()) != 0; }
bool is_infinite(const TypeInfo& type, Code code) { return magnitude(type, code) == type.top; }
Code with_sign(const TypeInfo& type, bool negative, Code code) { return negative ? type.sign() | code : code; }

// significand * 2^exponent
struct Finite {
  bool negative;
  Wide significand;
  int exponent;
};

Finite unpack(const TypeInfo& type, Code code) {
  const Code field = magnitude(type, code) >> type.fraction_bits;
  const Code fraction = code & ((Code{1} << type.fraction_bits) - 1);
  // Subnormals have the exponent of the smallest normal numbers, without their leading one.
  const Code significand = field == 0 ? fraction : fraction | Code{1} << type.fraction_bits;
  return {is_negative(type, code), significand,
          std::max(static_cast<int>(field), 1) - bias_of(type) - static_cast<int>(type.fraction_bits)};
}

int highest_bit(Wide value) {  // not of zero
  const auto high = static_cast<std::uint64_t>(value >> 64), low = static_cast<std::uint64_t>(value);
  return 127 - (high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(low));
}

Computed round(const TypeInfo& type, const Finite& exact) {
  if (exact.significand == 0) return {with_sign(type, exact.negative, 0), 0};
  const int fraction_bits = static_cast<int>(type.fraction_bits);
  const int smallest_normal = 1 - bias_of(type);
  const int exponent = exact.exponent + highest_bit(exact.significand);
  const Computed overflow{with_sign(type, exact.negative, type.top), kOF | kNX};
  if (exponent > bias_of(type)) return overflow;
  // The unit of the last place: that of the subnormals at least.
  const int unit = std::max(exponent, smallest_normal) - fraction_bits;
  const int shift = unit - exact.exponent;
  Wide units = 0;
  bool inexact = true;
  if (shift <= 0) {
    units = exact.significand << -shift;
    inexact = false;
  } else if (shift < 128) {  // beyond: less than half of the smallest number
    const Wide half = Wide{1} << (shift - 1);
    const Wide rest = exact.significand & ((half << 1) - 1);
    units = exact.significand >> shift;
    inexact = rest != 0;
    if (rest > half || (rest == half && (units & 1) != 0)) ++units;
  }
  // 2^fraction_bits units are the leading one, which counts as one step of the exponent; a carry counts as another.
  const auto steps = static_cast<Code>(unit + fraction_bits - smallest_normal);
  const Code code = (steps << type.fraction_bits) + static_cast<Code>(units);
  if (code >= type.top) return overflow;
  const bool tiny = exponent < smallest_normal;
  const int status = !inexact ? 0 : tiny ? kUF | kNX : kNX;
  return {with_sign(type, exact.negative, code), static_cast<std::uint8_t>(status)};
}

std::optional<Computed> not_a_number(const TypeInfo& type, Code left, Code right) {
  if (!type.is_nan(left) && !type.is_nan(right)) return std::nullopt;
  const bool signals = type.is_signalling(left) || type.is_signalling(right);
  return Computed{type.canonical_nan, static_cast<std::uint8_t>(signals ? kNV : 0)};
}

}  // namespace

Computed add(const TypeInfo& type, Code left, Code right) {
  if (const auto nan = not_a_number(type, left, right)) return *nan;
  if (is_infinite(type, left) && is_infinite(type, right) && left != right) return {type.canonical_nan, kNV};
  if (is_infinite(type, left)) return {left, 0};
  if (is_infinite(type, right)) return {right, 0};
  Finite high = unpack(type, left), low = unpack(type, right);
  if (high.exponent < low.exponent) std::swap(high, low);
  // 64 bits of room below the operand with the larger exponent; what falls out below them is remembered in the last
  // bit, which is far below any place where a result can be rounded: cancellation of more than one bit happens only
  // between neighbouring exponents.
  constexpr int kRoom = 64;
  const int distance = high.exponent - low.exponent;
  high.significand <<= kRoom;
  if (distance <= kRoom) {
    low.significand <<= kRoom - distance;
  } else {
    const int lost = std::min(distance - kRoom, 127);
    const bool sticky = (low.significand & ((Wide{1} << lost) - 1)) != 0;
    low.significand = (low.significand >> lost) | (sticky ? 1 : 0);
  }
  Finite sum{high.negative, 0, high.exponent - kRoom};
  if (high.negative == low.negative) {
    sum.significand = high.significand + low.significand;
  } else if (high.significand > low.significand) {
    sum.significand = high.significand - low.significand;
  } else {
    sum.significand = low.significand - high.significand;
    sum.negative = sum.significand != 0 && low.negative;  // x - x is +0
  }
  return round(type, sum);
}

Computed multiply(const TypeInfo& type, Code left, Code right) {
  if (const auto nan = not_a_number(type, left, right)) return *nan;
  const bool negative = is_negative(type, left) != is_negative(type, right);
  if (is_infinite(type, left) || is_infinite(type, right)) {
    if (magnitude(type, left) == 0 || magnitude(type, right) == 0) return {type.canonical_nan, kNV};
    return {with_sign(type, negative, type.top), 0};
  }
  const Finite a = unpack(type, left), b = unpack(type, right);
  return round(type, {negative, a.significand * b.significand, a.exponent + b.exponent});
}

Code one_of(const TypeInfo& type) {
  return type.family == Family::floating ? static_cast<Code>(bias_of(type)) << type.fraction_bits : 1;
}

}  // namespace tpb::tile
