#include "models/program/scalar.h"

#include <fmt/format.h>

#include <bit>

#include "models/program/element.h"

namespace tpb {
namespace {

constexpr std::string_view kBits = "bits";

bool at_call(const Cursor& cursor, std::string_view name) {
  return cursor.peek().kind == TokenKind::word && cursor.peek().spelling == name && cursor.at("(", 1);
}

bool at_literal(const Cursor& cursor) {
  const Token& token = cursor.peek();
  if (cursor.at("-") || token.kind == TokenKind::number || at_call(cursor, kBits)) return true;
  const bool indexed = cursor.at("[", 1) || cursor.at("+", 1) || cursor.at("@", 1);
  return token.kind == TokenKind::word && (token.spelling == "inf" || token.spelling == "nan") && !indexed;
}

// bits(0x7FC0); the highest is that of the field.
std::uint32_t read_bits(Cursor& cursor, std::string_view what, std::uint32_t high) {
  cursor.take();
  cursor.expect("(", fmt::format("'(' and {}", what));
  const auto bits = static_cast<std::uint32_t>(cursor.unsigned_integer(what, high));
  cursor.expect(")", "')'");
  return bits;
}

template <class Read>
std::uint32_t evaluate(const Literal& literal, Read read) {
  Cursor cursor(literal.tokens);
  const std::uint32_t bits = read(cursor);
  cursor.expect_end();
  return bits;
}

}  // namespace

Literal read_literal(Cursor& cursor) {
  if (!at_literal(cursor)) cursor.fail("a number or bits(0x...)");
  Literal literal;
  if (at_call(cursor, kBits)) {
    for (int word_parenthesis_number = 0; word_parenthesis_number < 3 && !cursor.at_end(); ++word_parenthesis_number) {
      literal.tokens.push_back(cursor.take());
    }
    if (!cursor.at(")")) cursor.fail("')'");
  } else if (cursor.at("-")) {
    literal.tokens.push_back(cursor.take());
  }
  literal.tokens.push_back(cursor.take());
  literal.tokens.push_back({TokenKind::end, {}, cursor.column()});
  return literal;
}

Scalar read_scalar(Cursor& cursor, Engine engine, const Symbols& symbols, const MemoryMap& memory) {
  if (at_literal(cursor)) return read_literal(cursor);
  if (at_call(cursor, "reg")) {
    cursor.take();
    cursor.take();
    const std::uint8_t number = read_register(cursor, engine);
    cursor.expect(")", "')'");
    return RegisterAddress{number};
  }
  if (cursor.peek().kind != TokenKind::word) cursor.fail("a number, a tensor, dtype@address or reg(Rn)");
  if (cursor.at("@", 1)) return read_raw_element(cursor);
  constexpr Rank kRank{1};  // [P, 1]
  return read_operand(cursor, kRank, engine, symbols, memory);
}

Literal literal(std::string_view text) { return {tokenise(text)}; }

std::string scalar_text(const Scalar& scalar) {
  if (const auto* address = std::get_if<RegisterAddress>(&scalar)) return fmt::format("reg(R{})", address->number);
  if (const auto* operand = std::get_if<TextOperand>(&scalar)) return raw_element_text(operand->operand);
  std::string text;
  for (const Token& token : std::get<Literal>(scalar).tokens) text += token.spelling;
  return text;
}

std::uint32_t fp32_of(const Literal& literal) {
  return evaluate(literal, [](Cursor& cursor) { return cursor.fp32_bits("a number"); });
}

std::uint32_t element_of(const Literal& literal, Dtype dtype) {
  return evaluate(literal, [&](Cursor& cursor) { return read_element(cursor, dtype); });
}

std::uint32_t word_of(const Literal& literal, std::string_view what, std::int64_t low, std::int64_t high) {
  return evaluate(literal, [&](Cursor& cursor) {
    if (at_call(cursor, kBits)) return read_bits(cursor, "32 bits", 0xFFFF'FFFF);
    return static_cast<std::uint32_t>(cursor.integer(what, low, high));
  });
}

IntegerRange range_of(Dtype dtype) {
  const std::int64_t patterns = std::int64_t{1} << (8 * bytes_of(dtype));
  const bool is_signed = find_dtype(static_cast<std::uint8_t>(dtype))->family == DtypeFamily::signed_integer;
  return is_signed ? IntegerRange{-patterns / 2, patterns / 2 - 1} : IntegerRange{0, patterns - 1};
}

std::uint32_t read_element(Cursor& cursor, Dtype dtype) {
  const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << (8 * bytes_of(dtype))) - 1);
  if (cursor.peek().kind == TokenKind::word && cursor.peek().spelling == kBits) {
    return read_bits(cursor, "the bits of an element", mask);
  }
  if (!is_integer(dtype)) return element_from_fp32(cursor.fp32_bits("a number"), dtype);
  const auto [low, high] = range_of(dtype);
  return static_cast<std::uint32_t>(cursor.integer(fmt::format("a value of {}", name_of(dtype)), low, high)) & mask;
}

std::string element_text(std::uint32_t bits, Dtype dtype) {
  const double value = element_value(bits, dtype);
  if (is_integer(dtype)) return fmt::format("{}", static_cast<std::int64_t>(value));
  const auto narrow = static_cast<float>(value);
  const auto fp32 = dtype == Dtype::fp32 ? bits : std::bit_cast<std::uint32_t>(narrow);
  // A NaN that fp32 text would not bring back.
  if (element_from_fp32(fp32, dtype) != bits || narrow != narrow) {
    return fmt::format("bits(0x{:0{}x})", bits, 2 * bytes_of(dtype));
  }
  return fp32_text(fp32);
}

}  // namespace tpb
