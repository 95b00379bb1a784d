#include "testbench/reference/engines.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "testbench/reference/channels.h"

namespace reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

double in_binary64(std::uint8_t function, double x, double slope) {
  switch (function) {
    case 0:  // copy
      return x;
    case 1:  // square
      return x * x;
    case 2:
      return sigmoid(x);
    case 3:  // relu
      return std::isnan(x) ? x : arithmetic(0x08, x, 0.0);
    case 4:  // prelu
      return x < 0 ? slope * x : x;
    case 5:  // gelu
      return x / 2 * (1 + std::erf(x / std::numbers::sqrt2));
    case 6: {  // gelu_apprx_tanh
      const double cubed = x * x * x;
      return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * cubed)));
    }
    case 7:  // silu
      return x * sigmoid(x);
    case 8:
      return std::tanh(x);
    case 9:  // softplus
      return std::log1p(std::exp(x));
    case 10:  // mish
      return x * std::tanh(std::log1p(std::exp(x)));
    case 11:
      return std::erf(x);
    case 12:
      return std::exp(x);
    case 13:  // sign
      return std::isnan(x) ? x : x > 0 ? 1 : x < 0 ? -1 : 0;
    case 14:
      return std::fabs(x);
    case 15:
      return std::log(x);
    case 16:
      return std::sin(x);
    case 17:
      return std::atan(x);
    case 18:
      return std::sqrt(x);
    case 19:  // rsqrt
      return 1 / std::sqrt(x);
    case 20:  // reciprocal
      return 1 / x;
    default:
      throw std::invalid_argument("no such activation function");
  }
}

double tfloat32(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  const int unit = std::max(std::ilogb(x), -126) - 10;
  return to_fp32(std::ldexp(std::nearbyint(std::ldexp(x, -unit)), unit));
}

// The fp32 code that has a narrow code's sign, exponent and, NaN or not, digits.
std::uint32_t widened_code(Type type, std::uint32_t code) {
  const double value = decode(type, code);
  if (!std::isnan(value)) return encode(Type::fp32, value);
  const unsigned bits = 8 * bytes_of(type);
  const unsigned digits = type == Type::bf16 ? 7 : type == Type::fp16 ? 10 : type == Type::fp8_e4m3 ? 3 : 2;
  if (bits == 32) return code;
  return (code >> (bits - 1)) << 31 | 0x7F800000 | (code & ((1U << digits) - 1)) << (23 - digits);
}

}  // namespace

double activation(std::uint8_t function, double x, double slope) { return to_fp32(in_binary64(function, x, slope)); }

bool documented(std::uint8_t function, double x) {
  const auto between = [](double low, double value, double high) { return !(value < low) && !(value > high); };
  const double pi = to_fp32(std::numbers::pi);
  switch (function) {
    case 15:
      return between(std::ldexp(1, -64), x, std::ldexp(1, 64));
    case 16:
      return between(-pi, x, pi);
    case 17:
      return between(-pi / 2, x, pi / 2);
    case 18:
      return between(std::ldexp(1, -116), x, std::ldexp(1, 118));
    case 19:
      return between(std::ldexp(1, -87), x, std::ldexp(1, 97));
    case 20:
      return between(std::ldexp(1, -42), std::fabs(x), std::ldexp(1, 42));
    default:
      return true;
  }
}

bool activate(Memory& memory, const Activate& activate, Registers& registers, const Operand& source,
              const Operand& destination) {
  const Channels sources = read(memory, source);
  const auto scalars = [&](const Scalar& scalar) {
    std::vector<double> values;
    for (unsigned c = 0; c < source.channels; ++c) {
      const std::uint32_t code = scalar.pointed ? read(memory, *scalar.pointed).at(c).at(0) : scalar.word;
      values.push_back(widened(scalar.type, code));
    }
    return values;
  };
  const std::vector<double> scale = scalars(activate.scale), bias = scalars(activate.bias);
  constexpr std::uint8_t kOperations[] = {0x04, 0x08, 0x09};
  constexpr double kIdentities[] = {0, -kInfinity, kInfinity};
  bool all_documented = true;
  Channels results(source.channels);
  for (unsigned c = 0; c < source.channels; ++c) {
    if ((activate.command & 1) != 0) registers[c] = kIdentities[activate.reduce];
    for (const std::uint32_t code : sources[c]) {
      const double x = to_fp32(to_fp32(widened(source.type, code) * scale[c]) + bias[c]);
      all_documented &= documented(activate.function, x);
      const double r = activation(activate.function, x, activate.slope);
      if ((activate.command & 2) != 0) registers[c] = arithmetic(kOperations[activate.reduce], registers[c], r);
      results[c].push_back(encode(destination.type, r));
    }
  }
  publish(memory, destination, results);
  return all_documented;
}

void product(Memory& memory, const Product& product, const Operand& stationary, const Operand& moving,
             const Operand& destination) {
  const Channels weights = read(memory, stationary), values = read(memory, moving), old = read(memory, destination);
  const auto entering = [&](Type type, std::uint32_t code) {
    return product.tfloat32 ? tfloat32(widened(type, code)) : widened(type, code);
  };
  Channels results(destination.channels);
  for (unsigned m = 0; m < destination.channels; ++m) {
    for (std::size_t n = 0; n < values[0].size(); ++n) {
      double sum = 0;
      for (unsigned k = 0; k < stationary.channels; ++k) {
        const double weight = entering(stationary.type, weights[k].at(m));
        const double product_k = to_fp32(weight * entering(moving.type, values[k][n]));
        sum = k == 0 ? product_k : to_fp32(sum + product_k);
      }
      if (product.accumulate) sum = to_fp32(widened(destination.type, old[m].at(n)) + sum);
      results[m].push_back(encode(destination.type, sum));
    }
  }
  publish(memory, destination, results);
}

void bitwise_transpose(Memory& memory, const Operand& stationary, const Operand& moving, const Operand& destination) {
  const Channels data = read(memory, stationary), ones = read(memory, moving);
  Channels results(destination.channels);
  for (unsigned m = 0; m < destination.channels; ++m) {
    for (std::size_t n = 0; n < ones[0].size(); ++n) {
      std::uint32_t result = 0;
      for (unsigned k = stationary.channels; k-- > 0;) {
        if (decode(moving.type, ones[k][n]) == 0) continue;
        const std::uint32_t code = data[k].at(m);
        result = stationary.type == destination.type ? code
                 : destination.type == Type::fp32    ? widened_code(stationary.type, code)
                                                     : encode(destination.type, decode(stationary.type, code));
      }
      results[m].push_back(result);
    }
  }
  publish(memory, destination, results);
}

}  // namespace reference
