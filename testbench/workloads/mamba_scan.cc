// The selective scan of a Mamba layer: states that decay and are driven step by step, read out at every step.
#include "testbench/workloads/list.h"
#include "testbench/workloads/steps.h"

namespace tpb::workloads {
namespace {

constexpr std::uint32_t kChannels = 128, kStates = 4, kSteps = 64;

// Channels are partitions. Every channel and state decays at a rate of its own; what drives and what reads the states
// at a step is the same for all channels.
Arrays inputs(nki::Dtype dtype) {
  return {{"x", random(dtype, {kChannels, kSteps}, 1, -1, 1)},
          {"delta", random(dtype, {kChannels, kSteps}, 2, 0.05, 1)},
          {"rate", random(nki::Dtype::float32, {kChannels, kStates}, 3, -2, -0.1)},
          {"drive", random(dtype, {1, kStates, kSteps}, 4, -1, 1)},
          {"read", random(dtype, {1, kStates, kSteps}, 5, -1, 1)}};
}

// One partition on all of them: the tensor engine multiplies by ones.
nki::Tile spread(nki::Kernel& kernel, const nki::Tile& row, std::uint32_t partitions) {
  const nki::Tile ones = kernel.sbuf(row.dtype, {1, partitions});
  kernel.memset(ones, 1);
  const nki::Tile all = kernel.nc_matmul({.stationary = ones, .moving = row});
  return all.reshaped({row.free[0].count, row.free[1].count});
}

// Between the inputs and the result everything is float32.
Tiles build(nki::Kernel& kernel, const Tiles& in) {
  using nki::Dtype, nki::Op;
  const nki::Tile &x = in.at("x"), &delta = in.at("delta"), &rate = in.at("rate");
  const nki::Tile drive = spread(kernel, in.at("drive"), x.partitions);
  const nki::Tile read = spread(kernel, in.at("read"), x.partitions);
  const nki::Tile input =
      kernel.tensor_tensor({.data1 = delta, .data2 = x, .op = Op::multiply, .dtype = Dtype::float32});
  const nki::Tile y = kernel.sbuf(x.dtype, x.shape());
  const std::uint32_t states = rate.free[0].count;
  std::optional<nki::Tile> sum;
  for (std::uint32_t s = 0; s < states; ++s) {
    const nki::Tile decay =
        kernel.activation({.op = Op::exp, .data = delta, .scale = rate.columns(s, 1), .dtype = Dtype::float32});
    const nki::Tile driven = kernel.tensor_tensor({.data1 = input, .data2 = drive.at(0, s), .op = Op::multiply});
    const nki::Tile state =
        kernel.tensor_tensor_scan({.data0 = decay, .data1 = driven, .initial = 0, .op0 = Op::multiply, .op1 = Op::add});
    const nki::Tile term = kernel.tensor_tensor({.data1 = state, .data2 = read.at(0, s), .op = Op::multiply});
    if (!sum) {
      sum = term;
      continue;
    }
    const bool last = s + 1 == states;
    kernel.tensor_tensor({.data1 = *sum, .data2 = term, .op = Op::add, .dst = last ? y : *sum});
  }
  return {{"y", y}};
}

// r[s][t] of a partition's states: the steps of either precision, `exp` being that precision's.
template <class T, class Exp>
std::vector<T> scanned(const Arrays& in, std::size_t channel, Exp exponential) {
  const std::size_t steps = in.at("x").columns(), states = in.at("rate").columns();
  const auto value = [&](const char* name, std::size_t row, std::size_t column) {
    return static_cast<T>(in.at(name).at(row, column));
  };
  std::vector<T> y(steps);
  for (std::size_t s = 0; s < states; ++s) {
    T state = 0;
    for (std::size_t t = 0; t < steps; ++t) {
      const T delta = value("delta", channel, t);
      const T exponent = delta * value("rate", channel, s);
      const T input = delta * value("x", channel, t);
      const T driven = input * value("drive", 0, s * steps + t);
      const T decayed = exponential(exponent) * state;
      state = decayed + driven;
      const T term = state * value("read", 0, s * steps + t);
      y[t] = s == 0 ? term : y[t] + term;
    }
  }
  return y;
}

Arrays stepwise(const Arrays& in) {
  const Array& x = in.at("x");
  std::vector<float> y;
  for (std::size_t channel = 0; channel < x.rows(); ++channel) {
    const auto exponential = [](float value) { return act([](double d) { return std::exp(d); }, value); };
    const std::vector<float> row = scanned<float>(in, channel, exponential);
    y.insert(y.end(), row.begin(), row.end());
  }
  return {{"y", stored(x.dtype, x.shape, y)}};
}

Arrays exact(const Arrays& in) {
  const Array& x = in.at("x");
  Array y{x.dtype, x.shape, {}};
  for (std::size_t channel = 0; channel < x.rows(); ++channel) {
    const std::vector<double> row = scanned<double>(in, channel, [](double value) { return std::exp(value); });
    y.values.insert(y.values.end(), row.begin(), row.end());
  }
  return {{"y", y}};
}

}  // namespace

Workload mamba_scan() {
  return {.name = "mamba_scan",
          .shows = "a row on all partitions by a product, exp with a scale per partition, scans in fp32",
          .dtypes = {nki::Dtype::float32, nki::Dtype::bfloat16},
          .inputs = inputs,
          .build = build,
          .stepwise = stepwise,
          .exact = exact};
}

}  // namespace tpb::workloads
