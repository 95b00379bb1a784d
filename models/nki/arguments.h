// Parameters of intrinsics and IR nodes: how a struct tells its members' names, and their values in one general form.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "models/nki/tile.h"
#include "models/nki/vocabulary.h"

namespace tpb::nki {

// nki's None. A parameter of this type exists and has no other value here: mask.
struct None {
  bool operator==(const None&) const = default;
};

// A number as it is written: whether it is an integer matters to bit-vector operations; for arithmetic it is an fp32.
struct Number {
  double value = 0;
  bool integer = true;

  Number() = default;
  template <std::integral T>
  Number(T number) : value(static_cast<double>(number)) {}  // NOLINT: a number is one
  template <std::floating_point T>
  Number(T number) : value(static_cast<double>(number)), integer(false) {}  // NOLINT
  bool operator==(const Number&) const = default;
};

// The same for every partition, or a [P, 1] tile with one for each.
using Scalar = std::variant<Number, Tile>;
// (row, column), or () when it is not set.
using Tuple = std::vector<Number>;

using Value = std::variant<None, bool, Number, Op, Dtype, Engine, ReduceCommand, Tuple, Tile>;
struct Argument {
  std::string_view name;
  Value value;
};
using Arguments = std::vector<Argument>;

std::string text_of(const Value& value);

// One parameter of a struct: the struct's kParameters is a tuple of these, in nki's order.
template <class Struct, class T>
struct Parameter {
  std::string_view name;
  T Struct::*member;
  bool is_required = false;
};
template <class Struct, class T>
constexpr Parameter<Struct, T> required(std::string_view name, T Struct::*member) {
  return {name, member, true};
}
template <class Struct, class T>
constexpr Parameter<Struct, T> defaulted(std::string_view name, T Struct::*member) {
  return {name, member};
}

template <class Struct, class Visit>
void for_each_parameter(Visit visit) {
  std::apply([&](const auto&... parameter) { (visit(parameter), ...); }, Struct::kParameters);
}

template <class T>
Value value_of(const T& member) {
  return member;
}
inline Value value_of(const Scalar& scalar) {
  return std::visit([](const auto& value) -> Value { return value; }, scalar);
}
template <class T>
Value value_of(const std::optional<T>& member) {
  return member ? value_of(*member) : Value(None{});
}

template <class Struct>
Arguments arguments_of(const Struct& values) {
  Arguments arguments;
  for_each_parameter<Struct>([&](const auto& parameter) {
    arguments.push_back({parameter.name, value_of(values.*parameter.member)});
  });
  return arguments;
}

}  // namespace tpb::nki
