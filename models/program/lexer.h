// Tokens of one line of program text, and a cursor that reads them and says what it expected where.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/input_error.h"

namespace tpb {

// A problem at a column of the line being read; caught once per line or field. An empty message: already reported.
struct Problem {
  std::uint32_t column;
  std::string message;
};

// What was found wrong so far, with the file's name and the present line filled in.
class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}
  void add(std::uint32_t line, const Problem& problem);
  bool empty() const { return found_.empty(); }
  // Throws everything found, in the order of the lines, when anything was.
  void throw_if_any();

 private:
  std::string file_;
  std::vector<Diagnostic> found_;
};

enum class TokenKind : std::uint8_t { word, number, quoted, sign, end };

struct Token {
  TokenKind kind;
  std::string spelling;  // of a quoted text: what stands between the quotes, escapes resolved
  std::uint32_t column;  // from 1
};

// Words (with an optional leading dot), numbers, "quoted texts" with \" and \\, and signs; `#` starts a comment.
// The last token is `end`. Throws Problem.
std::vector<Token> tokenise(std::string_view line);

class Cursor {
 public:
  explicit Cursor(const std::vector<Token>& tokens) : tokens_(tokens) {}

  const Token& peek(std::size_t ahead = 0) const;
  std::uint32_t column() const { return peek().column; }
  bool at_end() const { return peek().kind == TokenKind::end; }
  bool at(std::string_view sign, std::size_t ahead = 0) const;
  bool accept(std::string_view sign);
  const Token& take();

  // Each takes a token of its kind or throws a Problem; `what` completes "expected ...".
  void expect(std::string_view sign, std::string_view what);
  std::string word(std::string_view what);
  std::string quoted(std::string_view what);
  std::int64_t integer(std::string_view what, std::int64_t low, std::int64_t high);
  std::uint64_t unsigned_integer(std::string_view what, std::uint64_t high = ~std::uint64_t{0});
  // 12, 1.5e-3, 0x1F, inf, nan, bits(0x7FC00000). Returns fp32 bits.
  std::uint32_t fp32_bits(std::string_view what);
  double tolerance();  // a decimal number, zero or more, finite
  void expect_end();

  // "'foo', expected what" at the present token.
  [[noreturn]] void fail(std::string_view what) const;

 private:
  const std::vector<Token>& tokens_;
  std::size_t next_ = 0;
};

// A float as text that fp32_bits reads back to the same bits.
std::string fp32_text(std::uint32_t bits);

}  // namespace tpb
