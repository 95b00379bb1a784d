// The instructions beyond element-wise tensors and folds (reference.h): scalars, recurrences, searches, bounds, lanes.
#pragma once

#include <optional>

#include "testbench/reference/reference.h"

namespace reference {

// A scalar operand: the same word for every channel, or one element of memory per channel.
struct Scalar {
  Type type = Type::fp32;
  std::uint32_t word = 0;
  std::optional<Operand> pointed{};
};

// r = op1(op0(x, first), second), operands exchanged where reversed. `second` is a scalar or a tensor; without op1 the
// first step is all. Returns the fp32 results of every channel before they were narrowed (nothing for bit vectors).
struct Steps {
  std::uint8_t op0 = 0;
  std::optional<std::uint8_t> op1{};
  bool reverse0 = false, reverse1 = false;
  Scalar first{};
  Scalar second{};
  std::optional<Operand> tensor{};
};
std::vector<std::vector<double>> element_wise(Memory& memory, const Steps& steps, const Operand& source,
                                              const Operand& destination);

// One fp32 value per channel.
using Registers = std::vector<double>;
// register = op1(op0(x, scalar), register), written at every element.
void cumulative(Memory& memory, std::uint8_t op0, std::uint8_t op1, const Scalar& scalar, Registers& registers,
                const Operand& source, const Operand& destination);
// r = op1(op0(first, r), second), from the registers on.
struct Scan {
  std::uint8_t op0, op1;
  bool reverse0, reverse1;
};
void scan(Memory& memory, const Scan& scan, Registers registers, const Operand& first, const Operand& second,
          const Operand& destination);
Registers registers_of(Memory& memory, const Scalar& scalar, unsigned channels);

// 64-bit results, low word and high word. The right operand is a tensor or a scalar.
void int_wide(Memory& memory, std::uint8_t op, const Operand& left, const std::optional<Operand>& right,
              const Scalar& scalar, const Operand& low, const Operand& high);

// The eight largest, ascending.
void max8(Memory& memory, const Operand& source, const Operand& destination);
void find_index8(Memory& memory, bool successive, const Operand& values, const Operand& source,
                 const Operand& destination);

void envelope(Memory& memory, const Operand& source, const Operand& destination);
void segments(Memory& memory, const Operand& source, const Operand& destination);

// Blocks of 32 channels by 32 elements.
void transpose(Memory& memory, const Operand& source, const Operand& destination);

// reduce_op of the wire: 0 add, 1 average, 2 max, 3 or, 4 and, 5 xor.
struct CrossLane {
  std::uint8_t op = 0;
  double scale = 1;
  bool everything = false;
  bool transposing = false;
};
void cross_lane(Memory& memory, const CrossLane& reduction, const Operand& source, const Operand& destination);
// A fold along the free axis of a source that is transposed first.
void transposing_reduce(Memory& memory, const Reduction& reduction, const Operand& source, const Operand& destination);

void fill(Memory& memory, std::uint32_t word, const Operand& destination);
void iota(Memory& memory, std::int64_t start, const std::array<std::int32_t, 4>& step, std::int64_t channel_step,
          const Operand& destination);

}  // namespace reference
