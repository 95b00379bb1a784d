// Layer norm and RMS norm of every row.
#include "testbench/workloads/list.h"
#include "testbench/workloads/steps.h"

namespace tpb::workloads {
namespace {

using nki::Dtype, nki::Op;

constexpr std::uint32_t kRows = 128, kColumns = 384;  // 1 / 384 is no float32
constexpr double kEpsilon = 1e-5;

// A row on every partition, in PSUM: a matrix product with a column of ones.
nki::Tile on_all_partitions(nki::Kernel& kernel, const nki::Tile& row, std::uint32_t partitions) {
  const nki::Tile ones = kernel.sbuf(row.dtype, {1, partitions});
  kernel.memset(ones, 1.0);
  return kernel.nc_matmul({.stationary = ones, .moving = row});
}

double inverse_count(const nki::Tile& x) { return 1.0 / static_cast<double>(x.elements()); }

// The sum of squares over the columns, then the mean of them plus epsilon.
nki::Tile mean_square(nki::Kernel& kernel, const nki::Tile& x) {
  const nki::Tile total = kernel.sbuf(Dtype::float32, {x.partitions, 1});
  kernel.activation_reduce(
      {.op = Op::square, .data = x, .reduce_op = Op::add, .reduce_res = total, .dtype = Dtype::float32});
  return kernel.tensor_scalar(
      {.data = total, .op0 = Op::multiply, .operand0 = inverse_count(x), .op1 = Op::add, .operand1 = kEpsilon});
}

float mean_square_steps(const std::vector<float>& row) {
  std::vector<float> squares;
  for (const float x : row) squares.push_back(x * x);
  const float mean = accumulated(squares) * static_cast<float>(1.0 / static_cast<double>(row.size()));
  return mean + static_cast<float>(kEpsilon);
}

double mean_square_in_binary64(const Array& x, std::size_t row, double mean) {
  double total = 0;
  for (std::size_t c = 0; c < x.columns(); ++c) total += (x.at(row, c) - mean) * (x.at(row, c) - mean);
  return total / static_cast<double>(x.columns()) + kEpsilon;
}

// --- layer norm ------------------------------------------------------------------------------------------------------

Arrays layer_inputs(Dtype dtype) {
  return {{"x", random(dtype, {kRows, kColumns}, 3, -2, 3)},
          {"gamma", random(dtype, {1, kColumns}, 4, 0.5, 1.5)},
          {"beta", random(dtype, {1, kColumns}, 5, -1, 1)}};
}

Tiles build_layer(nki::Kernel& kernel, const Tiles& in) {
  const nki::Tile& x = in.at("x");
  const nki::Tile gamma = on_all_partitions(kernel, in.at("gamma"), x.partitions);
  const nki::Tile beta = on_all_partitions(kernel, in.at("beta"), x.partitions);
  const nki::Tile total = kernel.tensor_reduce({.op = Op::add, .data = x, .dtype = Dtype::float32});
  const nki::Tile mean = kernel.tensor_scalar({.data = total, .op0 = Op::multiply, .operand0 = inverse_count(x)});
  const nki::Tile centred =
      kernel.tensor_scalar({.data = x, .op0 = Op::subtract, .operand0 = mean, .dtype = Dtype::float32});
  const nki::Tile variance = mean_square(kernel, centred);
  const nki::Tile inverse = kernel.tensor_scalar({.data = variance, .op0 = Op::rsqrt, .operand0 = 0});  // on gpsimd
  const nki::Tile scaled = kernel.scalar_tensor_tensor(
      {.data = centred, .op0 = Op::multiply, .operand0 = inverse, .op1 = Op::multiply, .operand1 = gamma});
  return {{"y", kernel.tensor_tensor({.data1 = scaled, .data2 = beta, .op = Op::add, .dtype = x.dtype})}};
}

Arrays layer_stepwise(const Arrays& in) {
  const Array& x = in.at("x");
  const std::vector<float> gamma = in.at("gamma").row(0), beta = in.at("beta").row(0);
  std::vector<float> y;
  for (std::size_t r = 0; r < x.rows(); ++r) {
    std::vector<float> centred = x.row(r);
    const float mean = sum(centred) * static_cast<float>(1.0 / static_cast<double>(x.columns()));
    for (float& value : centred) value -= mean;
    const float inverse = act([](double d) { return 1 / std::sqrt(d); }, mean_square_steps(centred));
    for (std::size_t c = 0; c < x.columns(); ++c) {
      const float normal = centred[c] * inverse;
      const float scaled = normal * gamma[c];
      y.push_back(scaled + beta[c]);
    }
  }
  return {{"y", stored(x.dtype, x.shape, y)}};
}

Arrays layer_exact(const Arrays& in) {
  const Array& x = in.at("x");
  Array y{x.dtype, x.shape, {}};
  for (std::size_t r = 0; r < x.rows(); ++r) {
    double mean = 0;
    for (std::size_t c = 0; c < x.columns(); ++c) mean += x.at(r, c) / static_cast<double>(x.columns());
    const double deviation = std::sqrt(mean_square_in_binary64(x, r, mean));
    for (std::size_t c = 0; c < x.columns(); ++c) {
      y.values.push_back((x.at(r, c) - mean) / deviation * in.at("gamma").at(0, c) + in.at("beta").at(0, c));
    }
  }
  return {{"y", y}};
}

// --- RMS norm --------------------------------------------------------------------------------------------------------

Arrays rms_inputs(Dtype dtype) {
  return {{"x", random(dtype, {kRows, kColumns}, 6, -3, 3)}, {"gamma", random(dtype, {1, kColumns}, 7, 0.5, 1.5)}};
}

Tiles build_rms(nki::Kernel& kernel, const Tiles& in) {
  const nki::Tile& x = in.at("x");
  const nki::Tile gamma = on_all_partitions(kernel, in.at("gamma"), x.partitions);
  const nki::Tile root = kernel.activation({.op = Op::sqrt, .data = mean_square(kernel, x)});
  const nki::Tile inverse = kernel.reciprocal({.data = root});
  return {{"y", kernel.scalar_tensor_tensor({.data = x,
                                             .op0 = Op::multiply,
                                             .operand0 = inverse,
                                             .op1 = Op::multiply,
                                             .operand1 = gamma,
                                             .dtype = x.dtype})}};
}

Arrays rms_stepwise(const Arrays& in) {
  const Array& x = in.at("x");
  const std::vector<float> gamma = in.at("gamma").row(0);
  std::vector<float> y;
  for (std::size_t r = 0; r < x.rows(); ++r) {
    const std::vector<float> row = x.row(r);
    const float inverse = 1 / act([](double d) { return std::sqrt(d); }, mean_square_steps(row));
    for (std::size_t c = 0; c < x.columns(); ++c) {
      const float normal = row[c] * inverse;
      y.push_back(normal * gamma[c]);
    }
  }
  return {{"y", stored(x.dtype, x.shape, y)}};
}

Arrays rms_exact(const Arrays& in) {
  const Array& x = in.at("x");
  Array y{x.dtype, x.shape, {}};
  for (std::size_t r = 0; r < x.rows(); ++r) {
    const double root = std::sqrt(mean_square_in_binary64(x, r, 0));
    for (std::size_t c = 0; c < x.columns(); ++c) y.values.push_back(x.at(r, c) / root * in.at("gamma").at(0, c));
  }
  return {{"y", y}};
}

}  // namespace

Workload layer_norm() {
  return {.name = "layer_norm",
          .shows = "sums by tensor_reduce and by activation_reduce, rsqrt on gpsimd, a row on all partitions by the PE",
          .dtypes = {Dtype::float32, Dtype::bfloat16},
          .inputs = layer_inputs,
          .build = build_layer,
          .stepwise = layer_stepwise,
          .exact = layer_exact};
}

Workload rms_norm() {
  return {.name = "rms_norm",
          .shows = "the sum of squares as they are computed, a square root on ACT and a reciprocal on DVE",
          .dtypes = {Dtype::float32, Dtype::bfloat16},
          .inputs = rms_inputs,
          .build = build_rms,
          .stepwise = rms_stepwise,
          .exact = rms_exact};
}

}  // namespace tpb::workloads
