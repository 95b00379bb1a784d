#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "models/program/contents.h"
#include "models/program/element.h"

namespace tpb {
namespace {

// Element bits as a number that steps by one from each value to the next; +0 and -0 are one.
std::int64_t ordinal(std::uint32_t bits, Dtype dtype) {
  const unsigned width = 8 * bytes_of(dtype);
  if (is_integer(dtype)) return static_cast<std::int64_t>(element_value(bits, dtype));
  constexpr unsigned kFp32rUnused = 10;  // 13 of fp32's 23 mantissa bits
  const std::uint32_t sign = 1U << (width - 1);
  const std::int64_t magnitude = (bits & (sign - 1)) >> (dtype == Dtype::fp32r ? kFp32rUnused : 0);
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

bool agrees(std::uint32_t actual, std::uint32_t expected, Dtype dtype, const Expectation& expectation) {
  if (actual == expected) return true;
  if (!expectation.ulp && !expectation.rtol && !expectation.atol) return false;
  const double a = element_value(actual, dtype);
  const double e = element_value(expected, dtype);
  if (std::isnan(a) || std::isnan(e)) return std::isnan(a) && std::isnan(e);
  if (std::isinf(a) || std::isinf(e)) return a == e;
  if (expectation.ulp) {
    const std::int64_t distance = std::abs(ordinal(actual, dtype) - ordinal(expected, dtype));
    return static_cast<std::uint64_t>(distance) <= *expectation.ulp;
  }
  return std::abs(a - e) <= expectation.atol.value_or(0) + expectation.rtol.value_or(0) * std::abs(e);
}

std::string value_text(std::uint32_t bits, Dtype dtype) {
  const double value = element_value(bits, dtype);
  const std::string number = is_integer(dtype) ? fmt::format("{}", static_cast<std::int64_t>(value))
                                               : fmt::format("{}", static_cast<float>(value));
  return fmt::format("{} (0x{:0{}x})", number, bits, 2 * bytes_of(dtype));
}

std::string index_text(std::uint64_t element, const std::vector<std::uint32_t>& shape) {
  std::vector<std::uint64_t> index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = element % shape[axis];
    element /= shape[axis];
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

}  // namespace

std::optional<Difference> compare(const Tensor& tensor, std::span<const std::uint8_t> actual,
                                  std::span<const std::uint8_t> expected, const Expectation& expectation) {
  Difference difference;
  difference.total = tensor.elements();
  for (std::uint64_t i = 0; i < difference.total; ++i) {
    const std::uint32_t a = load_element(actual, i, tensor.dtype);
    const std::uint32_t e = load_element(expected, i, tensor.dtype);
    if (agrees(a, e, tensor.dtype, expectation)) continue;
    if (difference.count++ == 0) {
      difference.first = fmt::format("{}: got {}, expected {}", index_text(i, tensor.shape),
                                     value_text(a, tensor.dtype), value_text(e, tensor.dtype));
    }
    const double distance = std::abs(element_value(a, tensor.dtype) - element_value(e, tensor.dtype));
    if (std::isfinite(distance)) difference.worst_absolute = std::max(difference.worst_absolute, distance);
  }
  if (difference.count == 0) return std::nullopt;
  return difference;
}

}  // namespace tpb
