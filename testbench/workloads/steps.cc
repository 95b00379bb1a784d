#include "testbench/workloads/steps.h"

#include <limits>

namespace tpb::workloads {

reference::Type type_of(nki::Dtype dtype) { return static_cast<reference::Type>(nki::wire_of(dtype)); }

double narrowed(nki::Dtype dtype, double value) {
  return reference::decode(type_of(dtype), reference::encode(type_of(dtype), value));
}

double lowest(nki::Dtype dtype) {
  // One below the code of -infinity.
  const std::uint32_t infinity = reference::encode(type_of(dtype), -std::numeric_limits<double>::infinity());
  return reference::decode(type_of(dtype), infinity - 1);
}

float maximum(std::span<const float> row) {
  constexpr std::uint8_t kMax = 0x08;
  double most = row[0];
  for (const float x : row.subspan(1)) most = reference::arithmetic(kMax, most, x);
  return static_cast<float>(most);
}

float sum(std::span<const float> row) {
  float total = row[0];
  for (const float x : row.subspan(1)) total += x;
  return total;
}

float accumulated(std::span<const float> row) {
  float total = 0;
  for (const float x : row) total += x;
  return total;
}

std::vector<float> softmax_steps(std::vector<float> row) {
  const float most = maximum(row);
  for (float& value : row) {
    const float below = value - most;
    value = act([](double x) { return std::exp(x); }, below);
  }
  const float inverse = 1 / accumulated(row);
  for (float& value : row) value *= inverse;
  return row;
}

Array stored(nki::Dtype dtype, const nki::Shape& shape, std::span<const float> values) {
  Array array{dtype, shape, {}};
  for (const float value : values) array.values.push_back(narrowed(dtype, value));
  return array;
}

Array product(const Array& stationary, const Array& moving) {
  const std::size_t terms = stationary.rows(), rows = stationary.columns(), columns = moving.columns();
  std::vector<float> results(rows * columns);
  for (std::size_t k = 0; k < terms; ++k) {
    const std::vector<float> left = stationary.row(k), right = moving.row(k);
    for (std::size_t m = 0; m < rows; ++m) {
      for (std::size_t n = 0; n < columns; ++n) {
        const float term = left[m] * right[n];
        float& result = results[m * columns + n];
        result = k == 0 ? term : result + term;
      }
    }
  }
  return stored(nki::Dtype::float32, {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns)}, results);
}

Array transposed(const Array& array) {
  Array result{
      array.dtype, {static_cast<std::uint32_t>(array.columns()), static_cast<std::uint32_t>(array.rows())}, {}};
  for (std::size_t c = 0; c < array.columns(); ++c) {
    for (std::size_t r = 0; r < array.rows(); ++r) result.values.push_back(array.at(r, c));
  }
  return result;
}

}  // namespace tpb::workloads
