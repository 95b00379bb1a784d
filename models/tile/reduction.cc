#include "models/tile/reduction.h"

#include <algorithm>
#include <array>

#include "models/tile/float_arithmetic.h"

namespace tpb::tile {

// `took`: the right element became the accumulator, in other bits.
struct Combined {
  Code code;
  std::uint8_t status;
  bool took;
};

struct Fold {
  Combined (*combine)(const TypeInfo& type, Code accumulator, Code element);
  // What the fold starts from, before element zero; without one it starts from that element's bits.
  Code (*identity)(const TypeInfo& type);
  bool gives_index;
  bool computes;  // needs sums or products of the type
};

namespace {

// Codes in this order are numbers in theirs; -0 comes before +0. Not for NaN.
Code order_key(const TypeInfo& type, Code code) {
  switch (type.family) {
    case Family::unsigned_integer:
      return code;
    case Family::signed_integer:
      return code ^ type.sign();
    case Family::floating:
      break;
  }
  return (code & type.sign()) != 0 ? ~code & type.mask() : code | type.sign();
}

template <bool Largest>
Combined select(const TypeInfo& type, Code left, Code right) {
  const bool signals = type.is_signalling(left) || type.is_signalling(right);
  const std::uint8_t status = signals ? kNV : 0;
  if (type.is_nan(left) && type.is_nan(right)) return {type.canonical_nan, status, false};
  if (type.is_nan(right)) return {left, status, false};
  if (type.is_nan(left)) return {right, status, true};
  const Code a = order_key(type, left), b = order_key(type, right);
  const bool took = Largest ? b > a : b < a;
  return {took ? right : left, status, took};
}

Combined sum(const TypeInfo& type, Code left, Code right) {
  if (type.family != Family::floating) return {(left + right) & type.mask(), 0, false};
  const Computed computed = add(type, left, right);
  return {computed.code, computed.status, false};
}

Combined product(const TypeInfo& type, Code left, Code right) {
  if (type.family != Family::floating) return {(left * right) & type.mask(), 0, false};
  const Computed computed = multiply(type, left, right);
  return {computed.code, computed.status, false};
}

constexpr Code zero(const TypeInfo&) { return 0; }

constexpr Fold kSum{sum, zero, false, true}, kProduct{product, one_of, false, true};
constexpr Fold kMax{select<true>, nullptr, false, false}, kMin{select<false>, nullptr, false, false};
constexpr Fold kArgMax{select<true>, nullptr, true, false}, kArgMin{select<false>, nullptr, true, false};

constexpr std::array kOperations{
    Operation{0x40, "TROWSUM", kSum, Axis::row},          Operation{0x41, "TROWMAX", kMax, Axis::row},
    Operation{0x42, "TROWMIN", kMin, Axis::row},          Operation{0x43, "TROWPROD", kProduct, Axis::row},
    Operation{0x4C, "TROWARGMAX", kArgMax, Axis::row},    Operation{0x4D, "TROWARGMIN", kArgMin, Axis::row},
    Operation{0x50, "TCOLSUM", kSum, Axis::column},       Operation{0x51, "TCOLMAX", kMax, Axis::column},
    Operation{0x52, "TCOLMIN", kMin, Axis::column},       Operation{0x53, "TCOLPROD", kProduct, Axis::column},
    Operation{0x5C, "TCOLARGMAX", kArgMax, Axis::column}, Operation{0x5D, "TCOLARGMIN", kArgMin, Axis::column},
};

}  // namespace

std::span<const Operation> operations() { return kOperations; }

const Operation* find_operation(std::uint8_t selector) {
  const auto found = std::ranges::find(kOperations, selector, &Operation::selector);
  return found == kOperations.end() ? nullptr : &*found;
}

const Operation* find_operation(std::string_view name) {
  const auto found = std::ranges::find(kOperations, name, &Operation::name);
  return found == kOperations.end() ? nullptr : &*found;
}

// The public tile ISA gives indices for the nine types only, and no arithmetic of TF32, HF32, E4M3 and E5M2.
bool takes(const Operation& operation, const TypeInfo& type, Dtypes profile) {
  if (operation.fold.gives_index) return type.nine;
  if (operation.fold.computes && type.family == Family::floating && type.fraction_bits == 0) return false;
  return in_profile(type, profile);
}

Type result_type(const Operation& operation, Type source) { return operation.fold.gives_index ? Type::u32 : source; }

std::uint8_t reduce(const Operation& operation, const Tile& source, Tile& destination) {
  const Fold& fold = operation.fold;
  const Descriptor& shape = source.descriptor();
  const TypeInfo& type = info_of(shape.type);
  const bool by_row = operation.axis == Axis::row;
  const std::uint32_t results = by_row ? shape.valid_row : shape.valid_col;
  const std::uint32_t count = by_row ? shape.valid_col : shape.valid_row;
  std::uint8_t status = 0;
  for (std::uint32_t result = 0; result < results; ++result) {
    const auto element = [&](std::uint32_t i) {
      return source.code(by_row ? source.index(result, i) : source.index(i, result));
    };
    const bool starts_before = fold.identity != nullptr;
    Code accumulator = starts_before ? fold.identity(type) : element(0);
    std::uint32_t index = 0;
    for (std::uint32_t i = starts_before ? 0 : 1; i < count; ++i) {
      const Combined next = fold.combine(type, accumulator, element(i));
      accumulator = next.code;
      status = static_cast<std::uint8_t>(status | next.status);
      if (next.took) index = i;
    }
    const std::size_t place = by_row ? destination.index(result, 0) : destination.index(0, result);
    destination.define(place, fold.gives_index ? index : accumulator);
  }
  return status;
}

}  // namespace tpb::tile
