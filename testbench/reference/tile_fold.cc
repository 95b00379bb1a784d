#include "testbench/reference/tile_fold.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <utility>

namespace reference {
namespace {

using Rational = boost::multiprecision::cpp_rational;
using Integer = boost::multiprecision::cpp_int;

constexpr unsigned kInvalid = 1, kOverflow = 4, kUnderflow = 8, kInexact = 16;

Rational power_of_two(int exponent) {
  const Rational power(Integer(1) << (exponent < 0 ? -exponent : exponent));
  return exponent < 0 ? 1 / power : power;
}

// What a code stands for. Infinity is a number larger than all others.
struct Number {
  bool nan = false, signalling = false, infinite = false, negative = false;
  Rational value;
};

int bias(const TileFormat& format) { return (1 << (format.exponent_bits - 1)) - 1; }
std::uint64_t sign_bit(const TileFormat& format) { return std::uint64_t{1} << (format.bits - 1); }
std::uint64_t field_ones(const TileFormat& format) { return (std::uint64_t{1} << format.exponent_bits) - 1; }
// TF32 and HF32 have bits below their fraction.
int dropped_bits(const TileFormat& format) {
  return static_cast<int>(format.bits) - 1 - format.exponent_bits - format.fraction_bits;
}
std::uint64_t infinity(const TileFormat& format) {
  return field_ones(format) << (format.fraction_bits + dropped_bits(format));
}
std::uint64_t quiet_nan(const TileFormat& format) {
  if (!format.has_infinity) return sign_bit(format) - 1;
  return infinity(format) | std::uint64_t{1} << (format.fraction_bits + dropped_bits(format) - 1);
}

Number number(const TileFormat& format, std::uint64_t code) {
  Number number;
  const std::uint64_t sign = sign_bit(format), magnitude = code & (sign - 1);
  if (format.exponent_bits == 0) {
    number.value = Integer(code);
    if (format.is_signed && (code & sign) != 0) number.value -= Rational(Integer(sign) * 2);
    return number;
  }
  number.negative = (code & sign) != 0;
  const std::uint64_t field = magnitude >> (format.fraction_bits + dropped_bits(format));
  const std::uint64_t fraction = magnitude >> dropped_bits(format) & ((std::uint64_t{1} << format.fraction_bits) - 1);
  if (format.has_infinity ? magnitude > infinity(format) : magnitude == sign - 1) {
    number.nan = true;
    number.signalling = format.has_infinity && (code & quiet_nan(format) & ~infinity(format)) == 0;
    return number;
  }
  number.infinite = format.has_infinity && magnitude == infinity(format);
  const int exponent = static_cast<int>(field);
  number.value = exponent == 0 ? Rational(Integer(fraction)) * power_of_two(1 - bias(format) - format.fraction_bits)
                               : Rational(Integer(fraction + (std::uint64_t{1} << format.fraction_bits))) *
                                     power_of_two(exponent - bias(format) - format.fraction_bits);
  if (number.negative) number.value = -number.value;
  return number;
}

// The code nearest to an exact value: bisection for the largest one that is not above, then the nearer neighbour.
Folded nearest(const TileFormat& format, const Rational& exact, bool negative_zero) {
  const std::uint64_t sign = sign_bit(format);
  if (exact == 0) return {negative_zero ? sign : 0, 0};
  const Rational magnitude = exact < 0 ? Rational(-exact) : exact;
  std::uint64_t low = 0, high = infinity(format);  // infinity's number is the next power of two
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (number(format, middle).value <= magnitude ? low : high) = middle;
  }
  const Rational below = magnitude - number(format, low).value, above = number(format, high).value - magnitude;
  const bool up = above < below || (above == below && (high & 1) == 0);
  const std::uint64_t code = up ? high : low;
  unsigned status = below == 0 ? 0 : kInexact;
  if (code == infinity(format)) status = kOverflow | kInexact;
  if (below != 0 && magnitude < power_of_two(1 - bias(format))) status |= kUnderflow;
  return {exact < 0 ? code | sign : code, status};
}

Folded combine(const TileFormat& format, TileFold fold, std::uint64_t left, std::uint64_t right) {
  const Number a = number(format, left), b = number(format, right);
  const bool chooses = fold != TileFold::sum && fold != TileFold::product;
  if (format.exponent_bits == 0 && !chooses) {
    Integer result(boost::multiprecision::numerator(fold == TileFold::sum ? Rational(a.value + b.value)
                                                                          : Rational(a.value * b.value)));
    const Integer wrap = Integer(1) << format.bits;
    result = ((result % wrap) + wrap) % wrap;
    return {static_cast<std::uint64_t>(result), 0};
  }
  const unsigned invalid = a.signalling || b.signalling ? kInvalid : 0;
  if (chooses) {
    if (a.nan && b.nan) return {quiet_nan(format), invalid};
    if (a.nan) return {right, invalid};
    if (b.nan) return {left, invalid};
    const bool smallest = fold == TileFold::minimum || fold == TileFold::argmin;
    if (a.value == b.value) {  // zeros of two signs, or the same bits
      const bool a_is_smaller = a.negative || !b.negative;
      return {a_is_smaller == smallest || left == right ? left : right, invalid};
    }
    return {(a.value < b.value) == smallest ? left : right, invalid};
  }
  if (a.nan || b.nan) return {quiet_nan(format), invalid};
  const std::uint64_t infinite = infinity(format), sign = sign_bit(format);
  if (fold == TileFold::sum) {
    if (a.infinite && b.infinite && a.negative != b.negative) return {quiet_nan(format), kInvalid};
    if (a.infinite || b.infinite) return {a.infinite ? left : right, 0};
    return nearest(format, a.value + b.value, a.negative && b.negative);
  }
  const bool negative = a.negative != b.negative;
  if (a.infinite || b.infinite) {
    if (a.value == 0 || b.value == 0) return {quiet_nan(format), kInvalid};
    return {negative ? infinite | sign : infinite, 0};
  }
  return nearest(format, a.value * b.value, negative);
}

std::uint64_t one(const TileFormat& format) {
  if (format.exponent_bits == 0) return 1;
  return static_cast<std::uint64_t>(bias(format)) << (format.fraction_bits + dropped_bits(format));
}

}  // namespace

Folded fold(const TileFormat& format, TileFold fold, std::span<const std::uint64_t> elements) {
  const bool sums = fold == TileFold::sum, multiplies = fold == TileFold::product;
  const bool indices = fold == TileFold::argmax || fold == TileFold::argmin;
  std::uint64_t accumulator = sums ? 0 : multiplies ? one(format) : elements[0];
  std::uint64_t index = 0;
  unsigned status = 0;
  for (std::size_t i = sums || multiplies ? 0 : 1; i < elements.size(); ++i) {
    const Folded next = combine(format, fold, accumulator, elements[i]);
    const bool both_nan = number(format, accumulator).nan && number(format, elements[i]).nan;
    if (!both_nan && next.code == elements[i] && next.code != accumulator) index = i;
    accumulator = next.code;
    status |= next.status;
  }
  return {indices ? index : accumulator, status};
}

}  // namespace reference
