// The names that program text has declared, and the look-ups that suggest another one when a name is unknown.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "models/program/lexer.h"
#include "models/program/program.h"

namespace tpb {

struct Symbols {
  std::map<std::string, Tensor, std::less<>> tensors;
  std::map<std::string, std::uint8_t, std::less<>> semaphores;
  // Names whose declaration was refused: using one is no second problem.
  std::set<std::string, std::less<>> refused;

  // Both throw a Problem at `column`.
  const Tensor& tensor(std::string_view name, std::uint32_t column) const;
  std::uint8_t semaphore(std::string_view name, std::uint32_t column) const;
};

// "unknown op 'ad', expected ... (did you mean 'add'?)"
std::string unknown_name(std::string_view what, std::string_view given, const std::vector<std::string_view>& known);

// All throw a Problem at `column`.
Dtype dtype_named(std::string_view name, std::uint32_t column);
Engine engine_named(std::string_view name, std::uint32_t column);
Generation generation_named(std::string_view name, std::uint32_t column);

}  // namespace tpb
