// Sums of every row up to each of its elements.
#include <algorithm>

#include "testbench/workloads/list.h"
#include "testbench/workloads/steps.h"

namespace tpb::workloads {
namespace {

constexpr std::uint32_t kTile = 2048;  // elements

// Two tiles and a part of one.
Arrays inputs(nki::Dtype dtype) { return {{"x", random(dtype, {128, 5000}, 1, -0.5, 1)}}; }

// The vector engine's register goes from tile to tile, in fp32 whatever is written.
Tiles build(nki::Kernel& kernel, const Tiles& in) {
  using nki::Op, nki::ReduceCommand;
  const nki::Tile& x = in.at("x");
  const nki::Tile y = kernel.sbuf(x.dtype, x.shape());
  const std::uint32_t length = x.free[0].count;
  for (std::uint32_t first = 0; first < length; first += kTile) {
    const std::uint32_t count = std::min(kTile, length - first);
    kernel.tensor_scalar_cumulative({.src = x.columns(first, count),
                                     .dst = y.columns(first, count),
                                     .op0 = Op::add,
                                     .op1 = Op::add,
                                     .imm0 = 0,
                                     .reduce_cmd = first == 0 ? ReduceCommand::reset_reduce : ReduceCommand::reduce});
  }
  return {{"y", y}};
}

Arrays stepwise(const Arrays& in) {
  const Array& x = in.at("x");
  std::vector<float> y;
  for (std::size_t r = 0; r < x.rows(); ++r) {
    float sum = 0;
    for (const float value : x.row(r)) {
      sum += value;
      y.push_back(sum);
    }
  }
  return {{"y", stored(x.dtype, x.shape, y)}};
}

Arrays exact(const Arrays& in) {
  const Array& x = in.at("x");
  Array y{x.dtype, x.shape, {}};
  for (std::size_t r = 0; r < x.rows(); ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < x.columns(); ++c) y.values.push_back(sum += x.at(r, c));
  }
  return {{"y", y}};
}

}  // namespace

Workload cumulative_sum() {
  return {.name = "cumulative_sum",
          .shows = "a cumulative sum in tiles, carried over in the accumulators",
          .dtypes = {nki::Dtype::float32, nki::Dtype::bfloat16},
          .inputs = inputs,
          .build = build,
          .stepwise = stepwise,
          .exact = exact};
}

}  // namespace tpb::workloads
