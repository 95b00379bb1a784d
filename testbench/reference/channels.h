// Streams of codes: what the reference's instructions read and write. Internal to the reference.
#pragma once

#include <cstdint>
#include <vector>

#include "testbench/reference/reference.h"

namespace reference {

// Codes of a stream by channel and place.
using Channels = std::vector<std::vector<std::uint32_t>>;

Channels read(Memory& memory, const Operand& operand);
// In stream order, so that an element written twice keeps the last value.
void publish(Memory& memory, const Operand& operand, const Channels& results);

bool is_signed(Type type);
// The integer that a code stands for.
std::int64_t integer(Type type, std::uint32_t code);
std::uint32_t low_bits(Type type, std::int64_t value);
// A source as the fp32 value an arithmetic operation sees.
double widened(Type type, std::uint32_t code);
bool is_bitvec(std::uint8_t op);

}  // namespace reference
