// A product of matrices that are larger than the tensor engine's tiles in all three directions.
#include <fmt/format.h>

#include <algorithm>

#include "testbench/workloads/list.h"
#include "testbench/workloads/steps.h"

namespace tpb::workloads {
namespace {

constexpr std::uint32_t kDepth = 128, kRows = 128, kColumns = 512;  // of a tile

// y = a^T b. Row k of both is partition k % 128, in slice k / 128: four slices. The last tiles of the other two
// directions are not full.
Arrays inputs(nki::Dtype dtype) {
  return {{"a", random(dtype, {kDepth, 4, 160}, 1, -1, 1)}, {"b", random(dtype, {kDepth, 4, 600}, 2, -1, 1)}};
}

// Rows of the result from `first` on, at most a tile of them.
std::string name_of_rows(std::size_t first) { return fmt::format("y{}", first / kRows); }

Tiles build(nki::Kernel& kernel, const Tiles& in) {
  const nki::Tile &a = in.at("a"), &b = in.at("b");
  const std::uint32_t slices = a.free[0].count, rows = a.free[1].count, columns = b.free[1].count;
  Tiles results;
  for (std::uint32_t m = 0; m < rows; m += kRows) {
    const std::uint32_t height = std::min(kRows, rows - m);
    const nki::Tile y = kernel.sbuf(b.dtype, {height, columns});
    for (std::uint32_t n = 0; n < columns; n += kColumns) {
      const nki::Kernel::Scope scope(kernel);
      const std::uint32_t width = std::min(kColumns, columns - n);
      const nki::Tile sum = kernel.psum(nki::Dtype::float32, {height, width});
      for (std::uint32_t k = 0; k < slices; ++k) {
        kernel.nc_matmul({.stationary = a.at(0, k).columns(m, height),
                          .moving = b.at(0, k).columns(n, width),
                          .accumulate = k > 0,
                          .dst = sum});
      }
      kernel.copy(sum, y.columns(n, width));
    }
    results.emplace(name_of_rows(m), y);
  }
  return results;
}

// Element k of slice i in one of the operands.
Array slice_of(const Array& array, std::size_t index) {
  const std::uint32_t columns = array.shape[2];
  Array slice{array.dtype, {array.shape[0], columns}, {}};
  for (std::size_t k = 0; k < array.rows(); ++k) {
    for (std::size_t c = 0; c < columns; ++c) slice.values.push_back(array.at(k, index * columns + c));
  }
  return slice;
}

// The result by tiles of rows.
Arrays cut(const Array& y) {
  Arrays results;
  for (std::size_t m = 0; m < y.rows(); m += kRows) {
    const std::size_t end = std::min(m + kRows, y.rows());
    const auto at = [&](std::size_t row) { return y.values.begin() + static_cast<std::ptrdiff_t>(row * y.columns()); };
    results[name_of_rows(m)] = {
        y.dtype, {static_cast<std::uint32_t>(end - m), y.shape[1]}, std::vector<double>(at(m), at(end))};
  }
  return results;
}

// Each slice's sum of products by itself, then one after the other.
Arrays stepwise(const Arrays& in) {
  const Array &a = in.at("a"), &b = in.at("b");
  std::vector<float> sums;
  for (std::size_t k = 0; k < a.shape[1]; ++k) {
    const Array part = product(slice_of(a, k), slice_of(b, k));
    sums.resize(part.values.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const auto addend = static_cast<float>(part.values[i]);
      sums[i] = k == 0 ? addend : sums[i] + addend;
    }
  }
  return cut(stored(b.dtype, {a.shape[2], b.shape[2]}, sums));
}

Arrays exact(const Arrays& in) {
  const Array &a = in.at("a"), &b = in.at("b");
  const std::size_t rows = a.shape[2], columns = b.shape[2];
  Array y{b.dtype, {a.shape[2], b.shape[2]}, std::vector<double>(rows * columns)};
  for (std::size_t p = 0; p < a.rows(); ++p) {
    for (std::size_t k = 0; k < a.shape[1]; ++k) {
      for (std::size_t m = 0; m < rows; ++m) {
        const double left = a.at(p, k * rows + m);
        for (std::size_t n = 0; n < columns; ++n) y.values[m * columns + n] += left * b.at(p, k * columns + n);
      }
    }
  }
  return cut(y);
}

}  // namespace

Workload tiled_matmul() {
  return {.name = "tiled_matmul",
          .shows = "tiles of all three directions, sums that stay in PSUM, tiles that are not full",
          .dtypes = {nki::Dtype::float32, nki::Dtype::bfloat16},
          .inputs = inputs,
          .build = build,
          .stepwise = stepwise,
          .exact = exact};
}

}  // namespace tpb::workloads
