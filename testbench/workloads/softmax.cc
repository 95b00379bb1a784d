// Softmax of every row.
#include <algorithm>

#include "testbench/workloads/list.h"
#include "testbench/workloads/steps.h"

namespace tpb::workloads {
namespace {

Arrays inputs(nki::Dtype dtype) { return {{"x", random(dtype, {128, 512}, 1, -8, 8)}}; }

// Between the input and the result everything is float32.
Tiles build(nki::Kernel& kernel, const Tiles& in) {
  using nki::Dtype, nki::Op;
  const nki::Tile& x = in.at("x");
  const nki::Tile most = kernel.tensor_reduce({.op = Op::maximum, .data = x, .dtype = Dtype::float32});
  const nki::Tile below =
      kernel.tensor_scalar({.data = x, .op0 = Op::subtract, .operand0 = most, .dtype = Dtype::float32});
  const nki::Tile total = kernel.sbuf(Dtype::float32, {x.partitions, 1});
  const nki::Tile e =
      kernel.activation_reduce({.op = Op::exp, .data = below, .reduce_op = Op::add, .reduce_res = total});
  const nki::Tile inverse = kernel.reciprocal({.data = total});
  return {{"y", kernel.tensor_scalar({.data = e, .op0 = Op::multiply, .operand0 = inverse, .dtype = x.dtype})}};
}

Arrays stepwise(const Arrays& in) {
  const Array& x = in.at("x");
  std::vector<float> y;
  for (std::size_t r = 0; r < x.rows(); ++r) {
    std::vector<float> e = x.row(r);
    const float most = maximum(e);
    for (float& value : e) {
      const float below = value - most;
      value = act([](double d) { return std::exp(d); }, below);
    }
    const float inverse = 1 / accumulated(e);
    for (const float value : e) y.push_back(value * inverse);
  }
  return {{"y", stored(x.dtype, x.shape, y)}};
}

Arrays exact(const Arrays& in) {
  const Array& x = in.at("x");
  Array y{x.dtype, x.shape, {}};
  for (std::size_t r = 0; r < x.rows(); ++r) {
    double total = 0, most = x.at(r, 0);
    for (std::size_t c = 0; c < x.columns(); ++c) most = std::max(most, x.at(r, c));
    for (std::size_t c = 0; c < x.columns(); ++c) total += std::exp(x.at(r, c) - most);
    for (std::size_t c = 0; c < x.columns(); ++c) y.values.push_back(std::exp(x.at(r, c) - most) / total);
  }
  return {{"y", y}};
}

}  // namespace

Workload softmax() {
  return {.name = "softmax",
          .shows = "maximum, subtract, exp with its sum, reciprocal, multiply",
          .dtypes = {nki::Dtype::float32, nki::Dtype::bfloat16},
          .inputs = inputs,
          .build = build,
          .stepwise = stepwise,
          .exact = exact};
}

}  // namespace tpb::workloads
