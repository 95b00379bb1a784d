#include "models/program/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <tuple>

namespace tpb {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Longest first, so that ">=" is not read as ">".
constexpr std::array<std::string_view, 22> kSigns{"++", "--", "+=", "-=", "==", ">=", "<=", "->", ">", "<", "=",
                                                  "@",  "[",  "]",  "(",  ")",  ",",  ":",  "+",  "-", "*", "/"};

// Digits, letters, points and underscores, and the sign of a decimal exponent.
std::size_t number_length(std::string_view rest) {
  const bool hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
  std::size_t length = 1;
  while (length < rest.size()) {
    const char c = rest[length];
    const char before = rest[length - 1];
    const bool exponent_sign = (c == '+' || c == '-') && (before == 'e' || before == 'E') && !hexadecimal;
    if (!is_letter(c) && !is_digit(c) && c != '.' && !exponent_sign) break;
    ++length;
  }
  return length;
}

// Reads `spelling` whole as an unsigned integer, decimal or 0x.
std::errc read_integer(std::string_view spelling, std::uint64_t& value) {
  int base = 10;
  if (spelling.starts_with("0x") || spelling.starts_with("0X")) {
    base = 16;
    spelling.remove_prefix(2);
  }
  const auto [end, error] = std::from_chars(spelling.data(), spelling.data() + spelling.size(), value, base);
  if (error != std::errc{}) return error;
  return end == spelling.data() + spelling.size() && !spelling.empty() ? std::errc{} : std::errc::invalid_argument;
}

std::string range_text(std::string_view what, const std::string& low, const std::string& high) {
  return fmt::format("{} in {}..{}", what, low, high);
}

}  // namespace

void Problems::add(std::uint32_t line, const Problem& problem) {
  if (!problem.message.empty()) found_.push_back({file_, line, problem.column, problem.message});
}

void Problems::throw_if_any() {
  if (found_.empty()) return;
  std::ranges::stable_sort(found_, [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  });
  throw InputError(std::move(found_));
}

std::vector<Token> tokenise(std::string_view line) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  const auto column = [&] { return static_cast<std::uint32_t>(at + 1); };
  const auto push = [&](TokenKind kind, std::size_t length) {
    tokens.push_back({kind, std::string(line.substr(at, length)), column()});
    at += length;
  };
  while (at < line.size() && line[at] != '#') {
    const std::string_view rest = line.substr(at);
    const char c = rest[0];
    const char next = rest.size() > 1 ? rest[1] : ' ';
    if (c == ' ' || c == '\t' || c == '\r') {
      ++at;
    } else if (is_letter(c) || (c == '.' && is_letter(next))) {
      std::size_t length = 1;
      while (length < rest.size() && (is_letter(rest[length]) || is_digit(rest[length]))) ++length;
      push(TokenKind::word, length);
    } else if (is_digit(c) || (c == '.' && is_digit(next))) {
      push(TokenKind::number, number_length(rest));
    } else if (c == '"') {
      Token token{TokenKind::quoted, {}, column()};
      for (++at; at < line.size() && line[at] != '"'; ++at) {
        if (line[at] == '\\' && at + 1 < line.size() && (line[at + 1] == '"' || line[at + 1] == '\\')) ++at;
        token.spelling += line[at];
      }
      if (at == line.size()) throw Problem{token.column, "quoted text without an end, expected a closing '\"'"};
      ++at;
      tokens.push_back(std::move(token));
    } else {
      const auto sign = std::ranges::find_if(kSigns, [&](std::string_view s) { return rest.starts_with(s); });
      if (sign == kSigns.end()) {
        const bool printable = c > ' ' && c < 0x7F;
        throw Problem{column(), printable ? fmt::format("character '{}', expected an instruction or a directive", c)
                                          : fmt::format("byte 0x{:02x}, expected an instruction or a directive",
                                                        static_cast<unsigned char>(c))};
      }
      push(TokenKind::sign, sign->size());
    }
  }
  tokens.push_back({TokenKind::end, {}, column()});
  return tokens;
}

const Token& Cursor::peek(std::size_t ahead) const { return tokens_[std::min(next_ + ahead, tokens_.size() - 1)]; }

bool Cursor::at(std::string_view sign, std::size_t ahead) const {
  return peek(ahead).kind == TokenKind::sign && peek(ahead).spelling == sign;
}

bool Cursor::accept(std::string_view sign) {
  if (!at(sign)) return false;
  take();
  return true;
}

const Token& Cursor::take() {
  const Token& token = peek();
  if (next_ + 1 < tokens_.size()) ++next_;
  return token;
}

void Cursor::fail(std::string_view what) const {
  const std::string found = at_end() ? "the end of the line" : fmt::format("'{}'", peek().spelling);
  throw Problem{column(), fmt::format("{}, expected {}", found, what)};
}

void Cursor::expect(std::string_view sign, std::string_view what) {
  if (!accept(sign)) fail(what);
}

std::string Cursor::word(std::string_view what) {
  if (peek().kind != TokenKind::word) fail(what);
  return take().spelling;
}

std::string Cursor::quoted(std::string_view what) {
  if (peek().kind != TokenKind::quoted) fail(what);
  return take().spelling;
}

std::uint64_t Cursor::unsigned_integer(std::string_view what, std::uint64_t high) {
  const std::string expected = high == std::numeric_limits<std::uint64_t>::max()
                                   ? std::string(what)
                                   : range_text(what, "0", std::to_string(high));
  const std::uint32_t start = column();
  if (at("-") && peek(1).kind == TokenKind::number) {
    throw Problem{start, fmt::format("'-{}', expected {}", peek(1).spelling, expected)};
  }
  if (peek().kind != TokenKind::number) fail(expected);
  std::uint64_t value = 0;
  if (read_integer(peek().spelling, value) != std::errc{} || value > high) fail(expected);
  take();
  return value;
}

std::int64_t Cursor::integer(std::string_view what, std::int64_t low, std::int64_t high) {
  const std::string expected = range_text(what, std::to_string(low), std::to_string(high));
  const std::uint32_t start = column();
  const bool negative = accept("-");
  if (peek().kind != TokenKind::number) fail(expected);
  const std::string& spelling = peek().spelling;
  std::uint64_t magnitude = 0;
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (read_integer(spelling, magnitude) == std::errc{} && magnitude <= kLargest) {
    const auto value = negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
    if (value >= low && value <= high) {
      take();
      return value;
    }
  }
  throw Problem{start, fmt::format("'{}{}', expected {}", negative ? "-" : "", spelling, expected)};
}

std::uint32_t Cursor::fp32_bits(std::string_view what) {
  const bool is_bits = peek().kind == TokenKind::word && peek().spelling == "bits" && at("(", 1);
  if (is_bits) {
    take();
    take();
    const auto bits = static_cast<std::uint32_t>(unsigned_integer("32 bits", 0xFFFF'FFFF));
    expect(")", "')'");
    return bits;
  }
  const std::uint32_t start = column();
  const bool negative = accept("-");
  const std::uint32_t sign = negative ? 0x8000'0000U : 0U;
  const std::string spelling = peek().spelling;
  if (peek().kind == TokenKind::word && spelling == "inf") {
    take();
    return sign | 0x7F80'0000U;
  }
  if (peek().kind == TokenKind::word && spelling == "nan" && !negative) {
    take();
    return 0x7FC0'0000U;
  }
  if (peek().kind != TokenKind::number) fail(what);
  float value = 0;
  std::uint64_t whole = 0;
  const bool hexadecimal = spelling.starts_with("0x") || spelling.starts_with("0X");
  std::errc error{};
  if (hexadecimal) {
    error = read_integer(spelling, whole);
    value = static_cast<float>(whole);
  } else {
    const char* end = spelling.data() + spelling.size();
    const auto result = std::from_chars(spelling.data(), end, value);
    error = result.ec == std::errc{} && result.ptr != end ? std::errc::invalid_argument : result.ec;
  }
  if (error == std::errc::result_out_of_range) {
    throw Problem{start, fmt::format("'{}{}' does not fit fp32, expected {}", negative ? "-" : "", spelling, what)};
  }
  if (error != std::errc{}) fail(what);
  take();
  return sign | std::bit_cast<std::uint32_t>(value);
}

double Cursor::tolerance() {
  constexpr std::string_view kExpected = "a finite number, zero or more";
  if (peek().kind != TokenKind::number) fail(kExpected);
  const std::string& spelling = peek().spelling;
  double value = 0;
  const auto [end, error] = std::from_chars(spelling.data(), spelling.data() + spelling.size(), value);
  if (error != std::errc{} || end != spelling.data() + spelling.size()) fail(kExpected);
  take();
  return value;
}

void Cursor::expect_end() {
  if (!at_end()) fail("the end of the line");
}

std::string fp32_text(std::uint32_t bits) {
  const float value = std::bit_cast<float>(bits);
  if (std::isnan(value) && bits != 0x7FC0'0000U) return fmt::format("bits(0x{:08x})", bits);
  return fmt::format("{}", value);
}

}  // namespace tpb
