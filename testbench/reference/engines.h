// What the activation engine and the PE array compute (reference.h): by the definitions, one element at a time.
#pragma once

#include <cstdint>

#include "testbench/reference/instructions.h"

namespace reference {

// A function by wire code, of an fp32 value: what binary64 gives, rounded once to fp32.
double activation(std::uint8_t function, double x, double slope = 0);
// Whether the function is documented for this value. A NaN is no value outside.
bool documented(std::uint8_t function, double x);

// r = activation(x scale + bias), every step rounded to fp32.
struct Activate {
  std::uint8_t function = 0;
  Scalar scale{Type::fp32, 0x3F800000};
  Scalar bias{};
  double slope = 0;
  std::uint8_t command = 0;  // bit 0: registers are reset; bit 1: they reduce
  std::uint8_t reduce = 0;   // 0 add, 1 max, 2 min
};
// Whether every argument of the function was documented.
bool activate(Memory& memory, const Activate& activate, Registers& registers, const Operand& source,
              const Operand& destination);

struct Product {
  bool accumulate = false;  // to what the destination holds
  bool tfloat32 = false;
};
// destination[m][n] = sum over k of stationary[k][m] moving[k][n]; the first index is the channel, the second the
// place.
void product(Memory& memory, const Product& product, const Operand& stationary, const Operand& moving,
             const Operand& destination);
// destination[m][n] = stationary[k][m], bit for bit, with the first k for which moving[k][n] is not zero.
void bitwise_transpose(Memory& memory, const Operand& stationary, const Operand& moving, const Operand& destination);

}  // namespace reference
