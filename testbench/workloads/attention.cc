// Attention of 128 tokens with heads of 128, on all five engines.
#include <fmt/format.h>

#include <algorithm>

#include "testbench/workloads/list.h"
#include "testbench/workloads/steps.h"

namespace tpb::workloads {
namespace {

using nki::Dtype, nki::Op;

constexpr std::uint32_t kTokens = 128, kHead = 128;

double scale_of(std::uint64_t head) { return 1 / std::sqrt(static_cast<double>(head)); }

Arrays inputs(Dtype dtype) {
  return {{"q", random(dtype, {kTokens, kHead}, 8, -1.5, 1.5)},
          {"k", random(dtype, {kTokens, kHead}, 9, -1.5, 1.5)},
          {"v", random(dtype, {kTokens, kHead}, 10, -1, 1)}};
}

// In SBUF, where the PE reads it again.
nki::Tile turned(nki::Kernel& kernel, const nki::Tile& tile) {
  const nki::Tile dst = kernel.sbuf(tile.dtype, {static_cast<std::uint32_t>(tile.elements()), tile.partitions});
  return kernel.nc_transpose({.data = tile, .dst = dst});
}

// The largest element of each row, on the SFU: 64 KiB for 128 x 128, in one of its PEs.
nki::Tile row_maxima(nki::Kernel& kernel, const nki::Tile& scores) {
  const nki::Tile most = kernel.sbuf(Dtype::float32, {scores.partitions, 1});
  kernel.text(tpb::Engine::sfu,
              fmt::format("TLOAD scores -> T<64KB> mask=1000\n"
                          "BSTART.SFU TROWMAX, FP32\n"
                          "B.DIM LB0={}\n"
                          "B.DIM LB1={}\n"
                          "B.IOT T0, mask=1000, last, ->U<512B>\n"
                          "BSTOP\n"
                          "TSTORE U0 -> most\n"
                          "TFREE T0\n"
                          "TFREE U0\n",
                          scores.elements(), scores.partitions),
              {{"scores", scores}, {"most", most}});
  return most;
}

Tiles build(nki::Kernel& kernel, const Tiles& in) {
  const nki::Tile &q = in.at("q"), &v = in.at("v");
  // PE to DVE
  const nki::Tile products = kernel.nc_matmul({.stationary = turned(kernel, q), .moving = turned(kernel, in.at("k"))});
  const nki::Tile scores =
      kernel.tensor_scalar({.data = products, .op0 = Op::multiply, .operand0 = scale_of(q.elements())});
  // to the SFU, to Pool, which flips the sign
  const nki::Tile shift = kernel.tensor_reduce(
      {.op = Op::maximum, .data = row_maxima(kernel, scores), .negate = true, .engine = nki::Engine::gpsimd});
  // to ACT, to DVE
  const nki::Tile total = kernel.sbuf(Dtype::float32, {scores.partitions, 1});
  const nki::Tile e = kernel.activation_reduce(
      {.op = Op::exp, .data = scores, .reduce_op = Op::add, .reduce_res = total, .bias = shift});
  const nki::Tile weights = kernel.tensor_scalar(
      {.data = e, .op0 = Op::multiply, .operand0 = kernel.reciprocal({.data = total}), .dtype = v.dtype});
  // to the PE, to ACT
  const nki::Tile sums = kernel.nc_matmul({.stationary = turned(kernel, weights), .moving = v});
  return {{"y", kernel.activation({.op = Op::copy, .data = sums, .dtype = v.dtype})}};
}

Arrays stepwise(const Arrays& in) {
  const Array &q = in.at("q"), &k = in.at("k"), &v = in.at("v");
  const Array products = product(transposed(q), transposed(k));
  std::vector<float> weights;
  for (std::size_t r = 0; r < products.rows(); ++r) {
    std::vector<float> scores = products.row(r);
    for (float& score : scores) score *= static_cast<float>(scale_of(q.columns()));
    std::ranges::copy(softmax_steps(scores), std::back_inserter(weights));
  }
  const Array sums = product(transposed(stored(v.dtype, products.shape, weights)), v);
  Array y{v.dtype, sums.shape, {}};
  for (const double value : sums.values) y.values.push_back(narrowed(v.dtype, value));
  return {{"y", y}};
}

Arrays exact(const Arrays& in) {
  const Array &q = in.at("q"), &k = in.at("k"), &v = in.at("v");
  Array y{v.dtype, {static_cast<std::uint32_t>(q.rows()), static_cast<std::uint32_t>(v.columns())}, {}};
  for (std::size_t r = 0; r < q.rows(); ++r) {
    std::vector<double> weights(k.rows());
    double total = 0;
    for (std::size_t t = 0; t < k.rows(); ++t) {
      double score = 0;
      for (std::size_t d = 0; d < q.columns(); ++d) score += q.at(r, d) * k.at(t, d);
      total += weights[t] = std::exp(score * scale_of(q.columns()));
    }
    for (std::size_t d = 0; d < v.columns(); ++d) {
      double sum = 0;
      for (std::size_t t = 0; t < k.rows(); ++t) sum += weights[t] * v.at(t, d);
      y.values.push_back(sum / total);
    }
  }
  return {{"y", y}};
}

}  // namespace

Workload attention() {
  return {.name = "attention",
          .shows = "all five engines: products and transposes on the PE, row maxima on the SFU, exp on ACT",
          .dtypes = {Dtype::float32, Dtype::bfloat16},
          .inputs = inputs,
          .build = build,
          .stepwise = stepwise,
          .exact = exact};
}

}  // namespace tpb::workloads
