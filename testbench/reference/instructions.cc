#include "testbench/reference/instructions.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "testbench/reference/channels.h"

namespace reference {
namespace {

using Integer = boost::multiprecision::cpp_int;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Codes of a scalar by channel.
std::vector<std::uint32_t> codes_of(Memory& memory, const Scalar& scalar, unsigned channels) {
  std::vector<std::uint32_t> codes(channels, scalar.word);
  if (scalar.pointed) {
    const Channels elements = read(memory, *scalar.pointed);
    for (unsigned c = 0; c < channels; ++c) codes[c] = elements.at(c).at(0);
  }
  return codes;
}

bool shifts(std::uint8_t op) { return op == 0x02 || op == 0x03 || op == 0x10 || op == 0x11; }

// Operands in the order of the operation.
double arithmetic_step(std::uint8_t op, bool reversed, double a, double b) {
  return reversed ? arithmetic(op, b, a) : arithmetic(op, a, b);
}
// Of a scalar word the element's width counts, except when it says how far to shift.
std::uint32_t bitwise_step(std::uint8_t op, bool reversed, std::uint32_t a, std::uint32_t b, unsigned bits) {
  if (reversed || !shifts(op)) b &= 0xFFFFFFFFU >> (32 - bits);
  return reversed ? bitwise(op, b, a, bits) : bitwise(op, a, b, bits);
}

}  // namespace

std::vector<std::vector<double>> element_wise(Memory& memory, const Steps& steps, const Operand& source,
                                              const Operand& destination) {
  const Channels sources = read(memory, source);
  const auto first = codes_of(memory, steps.first, source.channels);
  const auto second = codes_of(memory, steps.second, source.channels);
  const Channels tensor = steps.tensor ? read(memory, *steps.tensor) : Channels{};
  const unsigned bits = 8 * bytes_of(source.type);
  Channels results(source.channels);
  std::vector<std::vector<double>> values(source.channels);
  for (unsigned c = 0; c < source.channels; ++c) {
    for (std::size_t i = 0; i < sources[c].size(); ++i) {
      if (is_bitvec(steps.op0)) {
        std::uint32_t r = bitwise_step(steps.op0, steps.reverse0, sources[c][i], first[c], bits);
        if (steps.op1) {
          r = bitwise_step(*steps.op1, steps.reverse1, r, steps.tensor ? tensor[c].at(i) : second[c], bits);
        }
        results[c].push_back(r);
        continue;
      }
      double r = arithmetic_step(steps.op0, steps.reverse0, widened(source.type, sources[c][i]),
                                 widened(steps.first.type, first[c]));
      if (steps.op1) {
        const double operand =
            steps.tensor ? widened(steps.tensor->type, tensor[c].at(i)) : widened(steps.second.type, second[c]);
        r = arithmetic_step(*steps.op1, steps.reverse1, r, operand);
      }
      values[c].push_back(r);
      results[c].push_back(encode(destination.type, r));
    }
  }
  publish(memory, destination, results);
  return values;
}

Registers registers_of(Memory& memory, const Scalar& scalar, unsigned channels) {
  Registers registers;
  for (const std::uint32_t code : codes_of(memory, scalar, channels)) registers.push_back(decode(Type::fp32, code));
  return registers;
}

void cumulative(Memory& memory, std::uint8_t op0, std::uint8_t op1, const Scalar& scalar, Registers& registers,
                const Operand& source, const Operand& destination) {
  const Channels sources = read(memory, source);
  const Registers operand = registers_of(memory, scalar, source.channels);
  Channels results(source.channels);
  for (unsigned c = 0; c < source.channels; ++c) {
    for (const std::uint32_t code : sources[c]) {
      const double x = arithmetic(op0, widened(source.type, code), operand[c]);
      registers[c] = arithmetic(op1, x, registers[c]);
      results[c].push_back(encode(destination.type, registers[c]));
    }
  }
  publish(memory, destination, results);
}

void scan(Memory& memory, const Scan& scan, Registers registers, const Operand& first, const Operand& second,
          const Operand& destination) {
  const Channels firsts = read(memory, first), seconds = read(memory, second);
  Channels results(first.channels);
  for (unsigned c = 0; c < first.channels; ++c) {
    for (std::size_t i = 0; i < firsts[c].size(); ++i) {
      const double between = arithmetic_step(scan.op0, scan.reverse0, widened(first.type, firsts[c][i]), registers[c]);
      registers[c] = arithmetic_step(scan.op1, scan.reverse1, between, widened(second.type, seconds[c].at(i)));
      results[c].push_back(encode(destination.type, registers[c]));
    }
  }
  publish(memory, destination, results);
}

namespace {

// The 64 bits that an operation leaves of two integers of any size.
std::uint64_t wide(std::uint8_t op, const Integer& a, const Integer& b) {
  const Integer modulus = Integer(1) << 64;
  // Shifts work on the 64 bits of a; further than 64, which a negative amount is without its sign, is as far as 64.
  const auto amount = static_cast<unsigned>(b < 0 || b > 64 ? Integer(64) : b);
  const Integer bits = a < 0 ? Integer(a + modulus) : a;
  Integer result;
  switch (op) {
    case 0xC4:
      result = a + b;
      break;
    case 0xC6:
      result = a - b;
      break;
    case 0xC5:
    case 0xDB:
      result = a * b;
      break;
    case 0x02:
    case 0x10:
      result = bits << amount;
      break;
    case 0x11:
      result = bits >> amount;
      break;
    case 0x03: {
      // Divided by a power of two, rounded down.
      const Integer divisor = Integer(1) << amount;
      result = a / divisor;
      if (a % divisor != 0 && a < 0) result -= 1;
      break;
    }
    default:
      throw std::invalid_argument("no such wide operation");
  }
  result %= modulus;
  if (result < 0) result += modulus;
  return static_cast<std::uint64_t>(result);
}

}  // namespace

void int_wide(Memory& memory, std::uint8_t op, const Operand& left, const std::optional<Operand>& right,
              const Scalar& scalar, const Operand& low, const Operand& high) {
  const Channels lefts = read(memory, left);
  const Channels rights = right ? read(memory, *right) : Channels{};
  const auto scalars = codes_of(memory, scalar, left.channels);
  const auto low_bytes = low.stream(), high_bytes = high.stream();
  for (std::size_t i = 0; i < low_bytes.size(); ++i) {
    for (unsigned c = 0; c < left.channels; ++c) {
      const Integer a = integer(left.type, lefts[c].at(i));
      const std::uint32_t code = scalars[c] & (0xFFFFFFFFU >> (32 - 8 * bytes_of(scalar.type)));
      const Integer b = right ? integer(right->type, rights[c].at(i)) : integer(scalar.type, code);
      const std::uint64_t result = wide(op, a, b);
      memory.store(low.partition + c, low_bytes[i], bytes_of(low.type), static_cast<std::uint32_t>(result));
      memory.store(high.partition + c, high_bytes[i], bytes_of(high.type), static_cast<std::uint32_t>(result >> 32));
    }
  }
}

void max8(Memory& memory, const Operand& source, const Operand& destination) {
  Channels results(source.channels);
  const Channels sources = read(memory, source);
  for (unsigned c = 0; c < source.channels; ++c) {
    std::vector<double> numbers;
    for (const std::uint32_t code : sources[c]) {
      const double value = widened(source.type, code);
      if (!std::isnan(value)) numbers.push_back(value);
    }
    std::stable_sort(numbers.begin(), numbers.end(), [](double a, double b) { return a > b; });
    numbers.resize(std::max<std::size_t>(numbers.size(), 8), -kInfinity);
    for (std::size_t i = 8; i-- > 0;) results[c].push_back(encode(destination.type, numbers[i]));
  }
  publish(memory, destination, results);
}

void find_index8(Memory& memory, bool successive, const Operand& values, const Operand& source,
                 const Operand& destination) {
  const Channels wanted = read(memory, values), sources = read(memory, source);
  const bool exactly = is_integer(values.type) && values.type == source.type;
  Channels results(source.channels);
  for (unsigned c = 0; c < source.channels; ++c) {
    std::vector<bool> taken(sources[c].size());
    for (std::size_t slot = 0; slot < 8; ++slot) {
      std::uint32_t found = 0xFFFFFFFF;
      for (std::size_t i = 0; i < sources[c].size(); ++i) {
        const bool equal = exactly ? wanted[c].at(slot) == sources[c][i]
                                   : widened(values.type, wanted[c].at(slot)) == widened(source.type, sources[c][i]);
        if (!equal || (successive && taken[i])) continue;
        taken[i] = true;
        found = static_cast<std::uint32_t>(i);
        break;
      }
      results[c].push_back(found & (0xFFFFFFFFU >> (32 - 8 * bytes_of(destination.type))));
    }
  }
  publish(memory, destination, results);
}

namespace {

// The same codes for the planes of a destination: first all of plane 0, then all of plane 1.
void publish_planes(Memory& memory, const Operand& destination, const std::vector<double>& first,
                    const std::vector<double>& second) {
  Channels results(1);
  for (const std::vector<double>* plane : {&first, &second}) {
    for (const double value : *plane) results[0].push_back(encode(destination.type, value));
  }
  publish(memory, destination, results);
}

}  // namespace

void envelope(Memory& memory, const Operand& source, const Operand& destination) {
  const auto codes = read(memory, source).at(0);
  double low = kInfinity, high = -kInfinity;
  for (const std::uint32_t code : codes) {
    const double value = decode(source.type, code);  // an int32 too is exact in binary64
    if (value < low) low = value;
    if (value > high) high = value;
  }
  publish_planes(memory, destination, std::vector<double>(codes.size(), low), std::vector<double>(codes.size(), high));
}

void segments(Memory& memory, const Operand& source, const Operand& destination) {
  const auto codes = read(memory, source).at(0);
  const std::size_t n = codes.size();
  std::vector<double> ids, starts, ends;
  ids.reserve(n);
  for (const std::uint32_t code : codes) ids.push_back(decode(source.type, code));
  for (std::size_t i = 0; i < n; ++i) {
    if (ids[i] == 0) {
      starts.push_back(static_cast<double>(n));
      ends.push_back(-1);
      continue;
    }
    std::size_t start = i, end = i + 1;
    while (start > 0 && ids[start - 1] == ids[i]) --start;
    while (end < n && ids[end] == ids[i]) ++end;
    starts.push_back(static_cast<double>(start));
    ends.push_back(static_cast<double>(end));
  }
  publish_planes(memory, destination, starts, ends);
}

namespace {

Channels transposed(const Channels& codes) {
  Channels result = codes;
  for (std::size_t c = 0; c < codes.size(); ++c) {
    for (std::size_t i = 0; i < codes[c].size(); ++i) {
      result[c / 32 * 32 + i % 32].at(i / 32 * 32 + c % 32) = codes[c][i];
    }
  }
  return result;
}

// A source as a transposing reduction sees it, in a memory of its own: fp32, or raw words.
struct Transposed {
  Memory memory;
  Operand operand;
};
Transposed transposed(Memory& memory, const Operand& source, bool raw) {
  Channels codes = read(memory, source);
  if (!raw) {
    for (auto& channel : codes) {
      for (std::uint32_t& code : channel) code = encode(Type::fp32, widened(source.type, code));
    }
  }
  const auto elements = static_cast<unsigned>(codes[0].size());
  Transposed result{Memory(elements * 4), {}};
  result.operand.type = raw ? source.type : Type::fp32;
  result.operand.channels = source.channels;
  result.operand.num = {elements, 1, 1, 1};
  publish(result.memory, result.operand, transposed(codes));
  return result;
}

}  // namespace

void transpose(Memory& memory, const Operand& source, const Operand& destination) {
  publish(memory, destination, transposed(read(memory, source)));
}

void cross_lane(Memory& memory, const CrossLane& reduction, const Operand& source, const Operand& destination) {
  static constexpr std::uint8_t kOperations[] = {0x04, 0x04, 0x08, 0x0B, 0x0A, 0x0C};
  const std::uint8_t op = kOperations[reduction.op];
  const bool raw = is_bitvec(op);
  Operand operand = source;
  Channels codes;
  if (reduction.transposing) {
    Transposed other = transposed(memory, source, raw);
    operand = other.operand;
    codes = read(other.memory, operand);
  } else {
    codes = read(memory, source);
  }
  const unsigned bits = 8 * bytes_of(operand.type);
  // A code or, in arithmetic, the code of an fp32 value.
  const auto combine = [&](std::uint32_t a, std::uint32_t b) {
    return raw ? bitwise(op, a, b, bits)
               : encode(Type::fp32, arithmetic(op, decode(Type::fp32, a), decode(Type::fp32, b)));
  };
  std::vector<std::uint32_t> folds;
  for (std::size_t i = 0; i < codes[0].size(); ++i) {
    std::optional<std::uint32_t> fold;
    for (const auto& channel : codes) {
      std::uint32_t x = channel[i];
      if (!raw) {
        double value = widened(operand.type, x);
        if (reduction.op == 1) value = to_fp32(value * reduction.scale);
        x = encode(Type::fp32, value);
      }
      fold = fold ? combine(*fold, x) : x;
    }
    folds.push_back(*fold);
  }
  if (reduction.everything) {
    for (std::size_t i = 1; i < folds.size(); ++i) folds[0] = combine(folds[0], folds[i]);
    folds.resize(1);
  }
  Channels results(1);
  for (const std::uint32_t fold : folds) {
    results[0].push_back(raw ? fold : encode(destination.type, decode(Type::fp32, fold)));
  }
  publish(memory, destination, results);
}

void transposing_reduce(Memory& memory, const Reduction& reduction, const Operand& source, const Operand& destination) {
  Transposed other = transposed(memory, source, is_bitvec(reduction.op));
  // Folded in a memory of their own, from where the results move on as they are.
  Operand dense;
  dense.type = destination.type;
  dense.channels = destination.channels;
  dense.num = {static_cast<std::uint32_t>(destination.stream().size()), 1, 1, 1};
  Memory both((other.operand.num[0] + dense.num[0]) * 4);
  publish(both, other.operand, read(other.memory, other.operand));
  dense.byte = other.operand.num[0] * 4;
  reduce(both, reduction, other.operand, dense);
  publish(memory, destination, read(both, dense));
}

void fill(Memory& memory, std::uint32_t word, const Operand& destination) {
  publish(memory, destination,
          Channels(destination.channels, std::vector<std::uint32_t>(destination.stream().size(), word)));
}

void iota(Memory& memory, std::int64_t start, const std::array<std::int32_t, 4>& step, std::int64_t channel_step,
          const Operand& destination) {
  Channels results(destination.channels);
  for (unsigned c = 0; c < destination.channels; ++c) {
    for (std::uint32_t l = 0; l < destination.num[3]; ++l)
      for (std::uint32_t k = 0; k < destination.num[2]; ++k)
        for (std::uint32_t j = 0; j < destination.num[1]; ++j)
          for (std::uint32_t i = 0; i < destination.num[0]; ++i) {
            const std::int64_t value = start + std::int64_t{i} * step[0] + std::int64_t{j} * step[1] +
                                       std::int64_t{k} * step[2] + std::int64_t{l} * step[3] + c * channel_step;
            const auto word = static_cast<std::uint32_t>(static_cast<std::uint64_t>(value));
            results[c].push_back(is_integer(destination.type)
                                     ? low_bits(destination.type, value)
                                     : encode(destination.type, to_fp32(decode(Type::int32, word))));
          }
  }
  publish(memory, destination, results);
}

}  // namespace reference
