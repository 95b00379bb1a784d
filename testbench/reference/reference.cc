#include "testbench/reference/reference.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "testbench/reference/channels.h"

namespace reference {
namespace {

using Wide = boost::multiprecision::int256_t;  // twice a product of 64-bit numbers

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Floating {
  int exponent_bits, mantissa_bits, unused_bits;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int bits() const { return 1 + exponent_bits + mantissa_bits; }
};

Floating floating(Type type) {
  switch (type) {
    case Type::fp32:
      return {8, 23, 0};
    case Type::fp32r:
      return {8, 13, 10};
    case Type::bf16:
      return {8, 7, 0};
    case Type::fp16:
      return {5, 10, 0};
    case Type::fp8_e3m4:
      return {3, 4, 0};
    case Type::fp8_e4m3:
      return {4, 3, 0};
    case Type::fp8_e5m2:
      return {5, 2, 0};
    default:
      throw std::invalid_argument("not a floating type");
  }
}

}  // namespace

bool is_signed(Type type) { return type == Type::int8 || type == Type::int16 || type == Type::int32; }

namespace {
std::int64_t lowest(Type type) { return is_signed(type) ? -(std::int64_t{1} << (8 * bytes_of(type) - 1)) : 0; }
std::int64_t highest(Type type) { return (std::int64_t{1} << (8 * bytes_of(type) - (is_signed(type) ? 1 : 0))) - 1; }

}  // namespace

std::int64_t integer(Type type, std::uint32_t code) {
  const std::int64_t value = code;
  return value > highest(type) ? value - (std::int64_t{1} << (8 * bytes_of(type))) : value;
}

unsigned bytes_of(Type type) {
  switch (type) {
    case Type::int8:
    case Type::uint8:
    case Type::fp8_e3m4:
    case Type::fp8_e4m3:
    case Type::fp8_e5m2:
      return 1;
    case Type::int16:
    case Type::uint16:
    case Type::bf16:
    case Type::fp16:
      return 2;
    default:
      return 4;
  }
}

bool is_integer(Type type) {
  return is_signed(type) || type == Type::uint8 || type == Type::uint16 || type == Type::uint32;
}

double decode(Type type, std::uint32_t code) {
  if (is_integer(type)) return static_cast<double>(integer(type, code));
  const Floating f = floating(type);
  code >>= f.unused_bits;
  const bool negative = (code >> (f.bits() - 1) & 1) != 0;
  const int exponent = static_cast<int>(code >> f.mantissa_bits) & ((1 << f.exponent_bits) - 1);
  const int mantissa = static_cast<int>(code & ((1U << f.mantissa_bits) - 1));
  double magnitude;
  if (exponent == (1 << f.exponent_bits) - 1) {
    magnitude = mantissa == 0 ? kInfinity : kNan;
  } else if (exponent == 0) {
    magnitude = std::ldexp(mantissa, 1 - f.bias() - f.mantissa_bits);
  } else {
    magnitude = std::ldexp(mantissa + (1 << f.mantissa_bits), exponent - f.bias() - f.mantissa_bits);
  }
  return std::isnan(magnitude) ? kNan : negative ? -magnitude : magnitude;
}

std::uint32_t encode(Type type, double value) {
  if (is_integer(type)) {
    if (std::isnan(value)) return 0;
    const double rounded = std::nearbyint(value);  // ties to even
    std::int64_t result;
    if (rounded <= static_cast<double>(lowest(type))) {
      result = lowest(type);
    } else if (rounded >= static_cast<double>(highest(type))) {
      result = highest(type);
    } else {
      result = static_cast<std::int64_t>(rounded);
    }
    return static_cast<std::uint32_t>(result) & (0xFFFFFFFFU >> (32 - 8 * bytes_of(type)));
  }
  const Floating f = floating(type);
  const std::uint32_t infinity = ((1U << f.exponent_bits) - 1) << f.mantissa_bits;
  const std::uint32_t sign = std::signbit(value) ? 1U << (f.bits() - 1) : 0U;
  const double magnitude = std::fabs(value);
  std::uint32_t code;
  if (std::isnan(value)) {
    return (infinity | 1U << (f.mantissa_bits - 1)) << f.unused_bits;
  } else if (std::isinf(value)) {
    code = infinity;
  } else if (magnitude == 0) {
    code = 0;
  } else {
    // In units of the last place at this size, at least the subnormals' one.
    const int exponent = std::max(std::ilogb(magnitude), 1 - f.bias());
    const auto units = static_cast<std::uint64_t>(std::nearbyint(std::ldexp(magnitude, f.mantissa_bits - exponent)));
    // 2^mantissa_bits units and more are the normal numbers of this exponent; 2^(mantissa_bits + 1) the first of the
    // next, which the carry of this addition reaches.
    const std::uint64_t normal_code = (static_cast<std::uint64_t>(exponent + f.bias() - 1) << f.mantissa_bits) + units;
    code = static_cast<std::uint32_t>(std::min<std::uint64_t>(normal_code, infinity));
  }
  return (sign | code) << f.unused_bits;
}

double to_fp32(double value) { return decode(Type::fp32, encode(Type::fp32, value)); }

namespace {

// A NaN yields the other operand; +0 is larger than -0.
double maximum(double a, double b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return std::max(a, b);
}
double minimum(double a, double b) { return -maximum(-a, -b); }

double floored_remainder(double a, double b) {
  const double r = std::fmod(a, b);  // exact
  if (std::isnan(r)) return r;
  if (r == 0) return std::copysign(0.0, b);
  return std::signbit(r) == std::signbit(b) ? r : r + b;
}

}  // namespace

// binary64 has more than twice the digits of fp32 and two more, so rounding its sums, products, quotients and roots
// once more to fp32 gives the correctly rounded fp32 result.
double arithmetic(std::uint8_t op, double a, double b) {
  switch (op) {
    case 0x00:
      return to_fp32(a);
    case 0x04:
      return to_fp32(a + b);
    case 0x05:
      return to_fp32(a - b);
    case 0x06:
      return to_fp32(a * b);
    case 0x07:
      return to_fp32(a / b);
    case 0x08:
      return maximum(a, b);
    case 0x09:
      return minimum(a, b);
    case 0x12:
      return a == b ? 1 : 0;
    case 0x13:
      return a > b ? 1 : 0;
    case 0x14:
      return a >= b ? 1 : 0;
    case 0x15:
      return a <= b ? 1 : 0;
    case 0x16:
      return a < b ? 1 : 0;
    case 0x17:
      return std::fabs(to_fp32(a - b));
    case 0x18:
      return a != b ? 1 : 0;
    case 0x19:
      return std::fabs(a);
    case 0x1A:
      return to_fp32(std::pow(a, b));
    case 0x1B:
      return to_fp32(floored_remainder(a, b));
    case 0x1D:
      return to_fp32(1 / std::sqrt(a));
    case 0x20:
      return maximum(std::fabs(a), std::fabs(b));
    case 0x21:
      return minimum(std::fabs(a), std::fabs(b));
    case 0x22:
      return maximum(a, 0.0);
    case 0x23:
      return to_fp32(a * a);
    default:
      throw std::invalid_argument("no such arithmetic operation");
  }
}

namespace {

std::int64_t wrap(const Wide& value) {
  const Wide modulus = Wide(1) << 64;
  Wide low = value % modulus;
  if (low < 0) low += modulus;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low));
}

Wide integer_power(const Wide& a, const Wide& b) {
  if (b >= 0) return boost::multiprecision::powm(Wide(a < 0 ? a + (Wide(1) << 64) : a), b, Wide(1) << 64);
  if (a == 1) return 1;
  if (a == -1) return b % 2 == 0 ? 1 : -1;
  return 0;
}

Wide integer_remainder(const Wide& a, const Wide& b) {
  if (b == 0) return 0;
  const Wide r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? Wide(r + b) : r;
}

}  // namespace

std::int64_t exact(std::uint8_t op, std::int64_t left, std::int64_t right) {
  const Wide a = left, b = right;
  switch (op) {
    case 0x00:
      return wrap(a);
    case 0x04:
    case 0xC4:
      return wrap(a + b);
    case 0x05:
    case 0xC6:
      return wrap(a - b);
    case 0x06:
    case 0xC5:
    case 0xDB:
      return wrap(a * b);
    case 0x07:
    case 0xC7:
    case 0xDC:
      return b == 0 ? 0 : wrap(a / b);  // toward zero
    case 0x08:
    case 0xCF:
    case 0xD5:
      return std::max(left, right);
    case 0x09:
    case 0xD0:
    case 0xD6:
      return std::min(left, right);
    case 0x12:
    case 0xC9:
      return left == right;
    case 0x13:
    case 0xD1:
    case 0xD7:
      return left > right;
    case 0x14:
    case 0xD2:
    case 0xD8:
      return left >= right;
    case 0x15:
    case 0xD3:
    case 0xD9:
      return left <= right;
    case 0x16:
    case 0xD4:
    case 0xDA:
      return left < right;
    case 0x17:
    case 0xCD:
      return wrap(abs(Wide(a - b)));
    case 0x18:
    case 0xCA:
      return left != right;
    case 0x19:
    case 0xCE:
      return wrap(abs(a));
    case 0x1A:
      return wrap(integer_power(a, b));
    case 0x1B:
    case 0xC8:
    case 0xDD:
      return wrap(integer_remainder(a, b));
    case 0x20:
    case 0xCB:
      return wrap(std::max<Wide>(abs(a), abs(b)));
    case 0x21:
    case 0xCC:
      return wrap(std::min<Wide>(abs(a), abs(b)));
    case 0x22:
      return std::max<std::int64_t>(left, 0);
    case 0x23:
      return wrap(a * a);
    default:
      throw std::invalid_argument("no such integer operation");
  }
}

std::uint32_t bitwise(std::uint8_t op, std::uint32_t a, std::uint32_t b, unsigned bits) {
  const std::uint64_t ones = (std::uint64_t{1} << bits) - 1;
  const bool negative = (a >> (bits - 1) & 1) != 0;
  std::uint64_t result;
  switch (op) {
    case 0x01:
      result = ~a;
      break;
    case 0x02:
    case 0x10:
      result = b >= bits ? 0 : std::uint64_t{a} << b;
      break;
    case 0x03:
      if (b >= bits) {
        result = negative ? ones : 0;
      } else {
        result = a >> b | (negative ? ones << (bits - b) : 0);
      }
      break;
    case 0x0A:
      result = a & b;
      break;
    case 0x0B:
      result = a | b;
      break;
    case 0x0C:
      result = a ^ b;
      break;
    case 0x0D:
      result = a != 0 && b != 0 ? 1 : 0;
      break;
    case 0x0E:
      result = a != 0 || b != 0 ? 1 : 0;
      break;
    case 0x0F:
      result = (a != 0) != (b != 0) ? 1 : 0;
      break;
    case 0x11:
      result = b >= bits ? 0 : a >> b;
      break;
    default:
      throw std::invalid_argument("no such bit-vector operation");
  }
  return static_cast<std::uint32_t>(result & ones);
}

Memory::Memory(unsigned bytes_per_partition)
    : bytes_per_partition_(bytes_per_partition), bytes_(std::size_t{128} * bytes_per_partition) {}

std::uint8_t& Memory::at(unsigned partition, std::int64_t byte) {
  if (partition >= 128 || byte < 0 || byte >= bytes_per_partition_) throw std::out_of_range("reference memory");
  return bytes_[std::size_t{partition} * bytes_per_partition_ + static_cast<std::size_t>(byte)];
}

std::uint32_t Memory::load(unsigned partition, std::int64_t byte, unsigned bytes) {
  at(partition, byte + bytes - 1);  // inside to its last byte
  const std::uint8_t* const first = &at(partition, byte);
  std::uint32_t code = 0;
  for (unsigned i = 0; i < bytes; ++i) code |= static_cast<std::uint32_t>(first[i]) << (8 * i);
  return code;
}

void Memory::store(unsigned partition, std::int64_t byte, unsigned bytes, std::uint32_t code) {
  for (unsigned i = 0; i < bytes; ++i) at(partition, byte + i) = static_cast<std::uint8_t>(code >> (8 * i));
}

std::vector<std::int64_t> Operand::stream() const {
  std::vector<std::int64_t> bytes;
  for (std::int64_t l = 0; l < num[3]; ++l)
    for (std::int64_t k = 0; k < num[2]; ++k)
      for (std::int64_t j = 0; j < num[1]; ++j)
        for (std::int64_t i = 0; i < num[0]; ++i)
          bytes.push_back(byte + (i * step[0] + j * step[1] + k * step[2] + l * step[3]) * bytes_of(type));
  return bytes;
}

Channels read(Memory& memory, const Operand& operand) {
  Channels codes(operand.channels);
  for (std::int64_t byte : operand.stream()) {
    for (unsigned c = 0; c < operand.channels; ++c) {
      codes[c].push_back(memory.load(operand.partition + c, byte, bytes_of(operand.type)));
    }
  }
  return codes;
}

void publish(Memory& memory, const Operand& operand, const Channels& results) {
  std::size_t place = 0;
  for (std::int64_t byte : operand.stream()) {
    for (unsigned c = 0; c < operand.channels; ++c) {
      memory.store(operand.partition + c, byte, bytes_of(operand.type), results[c].at(place));
    }
    ++place;
  }
}

std::uint32_t low_bits(Type type, std::int64_t value) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(value)) & (0xFFFFFFFFU >> (32 - 8 * bytes_of(type)));
}

double widened(Type type, std::uint32_t code) { return to_fp32(decode(type, code)); }

bool is_bitvec(std::uint8_t op) { return (op >= 0x01 && op <= 0x03) || (op >= 0x0A && op <= 0x11); }

namespace {

// An operand as the integer an operation sees: unsigned operations look at its bits alone.
std::int64_t seen_by(std::uint8_t op, Type type, std::uint32_t code) {
  return op >= 0xD5 ? std::int64_t{code} : integer(type, code);
}

bool is_unary(std::uint8_t op) {
  return op == 0x00 || op == 0x01 || op == 0x19 || op == 0x1D || op == 0x22 || op == 0x23 || op == 0xCE;
}

}  // namespace

void tensor_tensor(Memory& memory, std::uint8_t op, bool exact_integers, const Operand& left, const Operand& right,
                   const Operand& destination) {
  const Channels lefts = read(memory, left), rights = read(memory, right);
  Channels results(destination.channels);
  for (unsigned c = 0; c < destination.channels; ++c) {
    const auto &a = lefts[c], &b = rights[c];
    for (std::size_t i = 0; i < a.size(); ++i) {
      results[c].push_back(
          is_bitvec(op) ? bitwise(op, a[i], b.at(i), 8 * bytes_of(left.type))
          : exact_integers || op >= 0xC0
              ? low_bits(destination.type, exact(op, seen_by(op, left.type, a[i]), seen_by(op, right.type, b.at(i))))
              : encode(destination.type, arithmetic(op, widened(left.type, a[i]), widened(right.type, b.at(i)))));
    }
  }
  publish(memory, destination, results);
}

void copy(Memory& memory, const Operand& source, const Operand& destination) {
  const Channels codes = read(memory, source);
  Channels results(destination.channels);
  for (unsigned c = 0; c < destination.channels; ++c) {
    for (std::uint32_t code : codes[c]) {
      results[c].push_back(source.type == destination.type ? code
                                                           : encode(destination.type, widened(source.type, code)));
    }
  }
  publish(memory, destination, results);
}

namespace {

// The fold of one window in any domain; `op` is a function of two values of that domain.
template <class Value, class Function>
Value fold(const std::vector<Value>& window, bool unary, std::optional<Value> start, Function op) {
  if (unary) return op(window.front(), window.front());
  Value accumulator = start ? op(*start, window.front()) : window.front();
  for (std::size_t i = 1; i < window.size(); ++i) accumulator = op(accumulator, window[i]);
  return accumulator;
}

}  // namespace

void reduce(Memory& memory, const Reduction& reduction, const Operand& source, const Operand& destination) {
  const std::uint8_t op = reduction.op;
  const unsigned bits = 8 * bytes_of(source.type);
  const Channels sources = read(memory, source), old = read(memory, destination);
  Channels results(destination.channels);
  for (unsigned c = 0; c < destination.channels; ++c) {
    const auto &codes = sources[c], &olds = old[c];
    for (std::size_t k = 0; k < olds.size(); ++k) {
      const auto first = codes.begin() + static_cast<std::ptrdiff_t>(k * reduction.window);
      const std::vector<std::uint32_t> window(first, first + static_cast<std::ptrdiff_t>(reduction.window));
      std::uint32_t result;
      if (is_bitvec(op)) {
        const auto function = [&](std::uint32_t a, std::uint32_t b) { return bitwise(op, a, b, bits); };
        result = fold<std::uint32_t>(window, is_unary(op), std::nullopt, function);
        if (reduction.accumulate) result = function(result, olds[k]);
      } else if (op >= 0xC0) {
        const auto function = [&](std::int64_t a, std::int64_t b) { return exact(op, a, b); };
        std::vector<std::int64_t> values;
        values.reserve(window.size());
        for (std::uint32_t code : window) values.push_back(seen_by(op, source.type, code));
        auto value = fold<std::int64_t>(values, is_unary(op), std::nullopt, function);
        if (reduction.negate) value = -value;
        if (reduction.accumulate) value = function(value, seen_by(op, destination.type, olds[k]));
        result = low_bits(destination.type, value);
      } else {
        const auto function = [&](double a, double b) { return arithmetic(op, a, b); };
        std::vector<double> values;
        values.reserve(window.size());
        for (std::uint32_t code : window) values.push_back(to_fp32(widened(source.type, code) / reduction.divisor));
        auto value = fold<double>(values, is_unary(op), reduction.start, function);
        if (reduction.scale != 1) value = to_fp32(value * reduction.scale);
        if (reduction.negate) value = -value;
        if (reduction.accumulate) value = function(value, widened(destination.type, olds[k]));
        result = encode(destination.type, value);
      }
      results[c].push_back(result);
    }
  }
  publish(memory, destination, results);
}

}  // namespace reference
