#include "models/nki/arguments.h"

#include <fmt/format.h>

namespace tpb::nki {
namespace {

std::string text(const None&) { return "None"; }
std::string text(bool flag) { return flag ? "True" : "False"; }
std::string text(const Number& number) { return fmt::format("{}", number.value); }
std::string text(const Tuple& tuple) {
  std::string all;
  for (const Number& number : tuple) all += (all.empty() ? "" : ", ") + text(number);
  return "(" + all + ")";
}
std::string text(const Tile& tile) { return text_of(tile); }
template <Named T>
std::string text(T value) {
  return std::string(spelling(value));
}

}  // namespace

std::string text_of(const Value& value) {
  return std::visit([](const auto& held) { return text(held); }, value);
}

}  // namespace tpb::nki
