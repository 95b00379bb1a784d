// Problems in what the user gave: a file, a key, an argument. Always place, what it was, what was expected.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace tpb {

struct Diagnostic {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string message;  // "unknown mnemonic 'pol', expected an instruction (did you mean 'pool'?)"

  std::string text() const;  // FILE:LINE:COL: error: message
};

// One or more problems of one input, in file order. Exit code 2.
class InputError : public std::exception {
 public:
  explicit InputError(Diagnostic diagnostic);
  explicit InputError(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  const char* what() const noexcept override { return text_.c_str(); }  // every diagnostic, a line each

 private:
  std::vector<Diagnostic> diagnostics_;
  std::string text_;
};

// " (did you mean 'x'?)" for the nearest candidate within a sensible edit distance, else "".
std::string suggestion(std::string_view given, const std::vector<std::string_view>& candidates);

}  // namespace tpb
