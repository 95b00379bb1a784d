#include "testbench/workloads/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "testbench/workloads/steps.h"

namespace tpb::workloads {
namespace {

std::string place_of(const Array& array, std::size_t index) {
  std::vector<std::size_t> place(array.shape.size());
  for (std::size_t d = place.size(); d-- > 0; index /= array.shape[d]) place[d] = index % array.shape[d];
  return fmt::format("[{}]", fmt::join(place, ", "));
}

// `complaint` of an element: nothing when it is right.
std::vector<std::string> complaints(
    const Array& expected, std::span<const std::uint8_t> raw,
    const std::function<std::string(std::size_t index, std::uint32_t code)>& complaint) {
  constexpr std::size_t kShown = 5;
  const unsigned bytes = nki::bytes_of(expected.dtype);
  if (raw.size() != expected.values.size() * bytes) {
    return {fmt::format("{} bytes, expected {} elements of {}", raw.size(), expected.values.size(), bytes)};
  }
  std::vector<std::string> lines;
  std::size_t count = 0;
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    std::uint32_t code = 0;
    std::memcpy(&code, &raw[i * bytes], bytes);
    const std::string problem = complaint(i, code);
    if (problem.empty()) continue;
    if (++count <= kShown) lines.push_back(place_of(expected, i) + ": " + problem);
  }
  if (count > kShown) lines.push_back(fmt::format("{} of {} elements in all", count, expected.values.size()));
  return lines;
}

}  // namespace

std::vector<std::string> bit_differences(const Array& expected, std::span<const std::uint8_t> raw) {
  const reference::Type type = type_of(expected.dtype);
  const unsigned digits = 2 * nki::bytes_of(expected.dtype);
  return complaints(expected, raw, [&](std::size_t index, std::uint32_t code) -> std::string {
    const std::uint32_t right = reference::encode(type, expected.values[index]);
    if (code == right) return {};
    return fmt::format("{:0{}X} ({}), expected {:0{}X} ({})", code, digits, reference::decode(type, code), right,
                       digits, reference::decode(type, right));
  });
}

std::vector<std::string> far_elements(const Array& expected, std::span<const std::uint8_t> raw, double tolerance) {
  std::vector<double> largest(expected.rows(), 0);
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    double& row = largest[i / expected.columns()];
    if (std::isfinite(expected.values[i])) row = std::max(row, std::fabs(expected.values[i]));
  }
  return complaints(expected, raw, [&](std::size_t index, std::uint32_t code) -> std::string {
    const double value = reference::decode(type_of(expected.dtype), code), right = expected.values[index];
    const double allowed = tolerance * largest[index / expected.columns()];
    if (value == right || (std::isnan(value) && std::isnan(right)) || std::fabs(value - right) <= allowed) return {};
    return fmt::format("{}, expected {} to within {}", value, right, allowed);
  });
}

}  // namespace tpb::workloads
