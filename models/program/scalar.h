// Scalars of program text: numbers whose type other fields decide, and values that lie in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/program/lexer.h"
#include "models/program/operand.h"

namespace tpb {

// "-1.5" or "bits(0x7FC00000)", kept as it is spelt.
struct Literal {
  std::vector<Token> tokens;
};
struct RegisterAddress {  // reg(R3): of one value per partition
  std::uint8_t number;
};
using Scalar = std::variant<Literal, RegisterAddress, TextOperand>;

Literal read_literal(Cursor& cursor);
// A tensor is read as any operand; a raw one has no pattern: "fp32@0x1000". Throws Problem.
Scalar read_scalar(Cursor& cursor, Engine engine, const Symbols& symbols, const MemoryMap& memory);

Literal literal(std::string_view text);
std::string scalar_text(const Scalar& scalar);

// What a number means. All throw a Problem.
std::uint32_t fp32_of(const Literal& literal);
std::uint32_t element_of(const Literal& literal, Dtype dtype);  // the bits of one element
// 32 bits of an integer in low..high, negative ones in two's complement.
std::uint32_t word_of(const Literal& literal, std::string_view what, std::int64_t low, std::int64_t high);

// Least and most of an integer dtype.
struct IntegerRange {
  std::int64_t low, high;
};
IntegerRange range_of(Dtype dtype);

// An element of a tensor's contents as its bits, and back.
std::uint32_t read_element(Cursor& cursor, Dtype dtype);
std::string element_text(std::uint32_t bits, Dtype dtype);

}  // namespace tpb
