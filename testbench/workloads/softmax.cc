// Softmax of every row, alone and of a masked one.
#include <algorithm>
#include <functional>
#include <limits>

#include "testbench/workloads/list.h"
#include "testbench/workloads/steps.h"

namespace tpb::workloads {
namespace {

using nki::Dtype, nki::Op;

// Between the input and the result everything is float32.
nki::Tile softmax_of(nki::Kernel& kernel, const nki::Tile& x, Dtype dtype) {
  const nki::Tile most = kernel.tensor_reduce({.op = Op::maximum, .data = x, .dtype = Dtype::float32});
  const nki::Tile below =
      kernel.tensor_scalar({.data = x, .op0 = Op::subtract, .operand0 = most, .dtype = Dtype::float32});
  const nki::Tile total = kernel.sbuf(Dtype::float32, {x.partitions, 1});
  const nki::Tile e =
      kernel.activation_reduce({.op = Op::exp, .data = below, .reduce_op = Op::add, .reduce_res = total});
  const nki::Tile inverse = kernel.reciprocal({.data = total});
  return kernel.tensor_scalar({.data = e, .op0 = Op::multiply, .operand0 = inverse, .dtype = dtype});
}

std::vector<double> softmax_in_binary64(std::vector<double> row) {
  const double most = *std::ranges::max_element(row);
  double total = 0;
  for (double& value : row) total += value = std::exp(value - most);
  for (double& value : row) value /= total;
  return row;
}

Arrays inputs(Dtype dtype) { return {{"x", random(dtype, {128, 512}, 1, -8, 8)}}; }

Tiles build(nki::Kernel& kernel, const Tiles& in) {
  const nki::Tile& x = in.at("x");
  return {{"y", softmax_of(kernel, x, x.dtype)}};
}

Arrays stepwise(const Arrays& in) {
  const Array& x = in.at("x");
  std::vector<float> y;
  for (std::size_t r = 0; r < x.rows(); ++r) std::ranges::copy(softmax_steps(x.row(r)), std::back_inserter(y));
  return {{"y", stored(x.dtype, x.shape, y)}};
}

Arrays exact(const Arrays& in) {
  const Array& x = in.at("x");
  Array y{x.dtype, x.shape, {}};
  for (std::size_t r = 0; r < x.rows(); ++r) {
    const auto row = x.values.begin() + static_cast<std::ptrdiff_t>(r * x.columns());
    std::ranges::copy(softmax_in_binary64({row, row + static_cast<std::ptrdiff_t>(x.columns())}),
                      std::back_inserter(y.values));
  }
  return {{"y", y}};
}

// --- masked ----------------------------------------------------------------------------------------------------------

// A row sees its first columns, a few more than the row before, and the last two rows none. What even rows do not see
// is -infinity, for odd ones the dtype's lowest number.
Arrays masked_inputs(Dtype dtype) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr std::uint32_t kRows = 128, kColumns = 64;
  Array mask{dtype, {kRows, kColumns}, {}};
  for (std::uint32_t r = 0; r < kRows; ++r) {
    const std::uint32_t seen = r < kRows - 2 ? r / 2 + 1 : 0;
    const double unseen = r % 2 == 0 ? -kInfinity : lowest(dtype);
    for (std::uint32_t c = 0; c < kColumns; ++c) mask.values.push_back(c < seen ? 0 : unseen);
  }
  return {{"x", random(dtype, {kRows, kColumns}, 2, -8, 8)}, {"mask", mask}};
}

Tiles build_masked(nki::Kernel& kernel, const Tiles& in) {
  const nki::Tile& x = in.at("x");
  const nki::Tile masked =
      kernel.tensor_tensor({.data1 = x, .data2 = in.at("mask"), .op = Op::add, .dtype = Dtype::float32});
  return {{"y", softmax_of(kernel, masked, x.dtype)}};
}

// What the softmax sees: x + mask.
Arrays with_mask(const Arrays& in, const std::function<double(double)>& rounded) {
  Array x = in.at("x");
  for (std::size_t i = 0; i < x.values.size(); ++i) x.values[i] = rounded(x.values[i] + in.at("mask").values[i]);
  return {{"x", x}};
}

Arrays masked_stepwise(const Arrays& in) { return stepwise(with_mask(in, reference::to_fp32)); }
Arrays masked_exact(const Arrays& in) {
  return exact(with_mask(in, [](double sum) { return sum; }));
}

}  // namespace

Workload softmax() {
  return {.name = "softmax",
          .shows = "maximum, subtract, exp with its sum, reciprocal and multiply over a row",
          .dtypes = {Dtype::float32, Dtype::bfloat16},
          .inputs = inputs,
          .build = build,
          .stepwise = stepwise,
          .exact = exact};
}

Workload masked_softmax() {
  return {.name = "masked_softmax",
          .shows = "the same of a row plus a mask of -infinity or the lowest number, some of it fully masked",
          .dtypes = {Dtype::float32, Dtype::bfloat16},
          .inputs = masked_inputs,
          .build = build_masked,
          .stepwise = masked_stepwise,
          .exact = masked_exact};
}

}  // namespace tpb::workloads
