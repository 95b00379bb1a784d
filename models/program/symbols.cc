#include "models/program/symbols.h"

#include <fmt/format.h>

namespace tpb {
namespace {

template <class Names>
std::vector<std::string_view> keys_of(const Names& names) {
  std::vector<std::string_view> keys;
  for (const auto& [name, value] : names) keys.push_back(name);
  return keys;
}

template <class Values>
std::vector<std::string_view> names_of(const Values& values) {
  std::vector<std::string_view> names;
  for (const auto value : values) names.push_back(name_of(value));
  return names;
}

}  // namespace

std::string unknown_name(std::string_view what, std::string_view given, const std::vector<std::string_view>& known) {
  constexpr std::size_t kListed = 16;  // more would bury the suggestion
  std::string expected;
  if (known.size() > kListed) {
    expected = fmt::format("a known {}", what);
  } else {
    for (std::size_t i = 0; i < known.size(); ++i) {
      expected += i == 0 ? "" : i + 1 < known.size() ? ", " : " or ";
      expected += known[i];
    }
  }
  if (expected.empty()) expected = "none, as there is none";
  return fmt::format("unknown {} '{}', expected {}{}", what, given, expected, suggestion(given, known));
}

const Tensor& Symbols::tensor(std::string_view name, std::uint32_t column) const {
  const auto found = tensors.find(name);
  if (found != tensors.end()) return found->second;
  throw Problem{column, refused.contains(name) ? "" : unknown_name("tensor", name, keys_of(tensors))};
}

std::uint8_t Symbols::semaphore(std::string_view name, std::uint32_t column) const {
  const auto found = semaphores.find(name);
  if (found != semaphores.end()) return found->second;
  throw Problem{column, refused.contains(name) ? "" : unknown_name("semaphore", name, keys_of(semaphores))};
}

Dtype dtype_named(std::string_view name, std::uint32_t column) {
  if (const auto dtype = dtype_from_name(name)) return *dtype;
  std::vector<std::string_view> names;
  for (const DtypeInfo& info : dtypes()) {
    if (info.modelled) names.push_back(info.name);
  }
  throw Problem{column, unknown_name("dtype", name, names)};
}

Engine engine_named(std::string_view name, std::uint32_t column) {
  if (const auto engine = engine_from_name(name)) return *engine;
  throw Problem{column, unknown_name("engine", name, names_of(kEngines))};
}

Generation generation_named(std::string_view name, std::uint32_t column) {
  if (const auto generation = generation_from_name(name)) return *generation;
  throw Problem{column, unknown_name("generation", name, names_of(kGenerations))};
}

}  // namespace tpb
