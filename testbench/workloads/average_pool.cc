// Averages of overlapping windows of an image.
#include "testbench/workloads/list.h"
#include "testbench/workloads/steps.h"

namespace tpb::workloads {
namespace {

constexpr std::uint32_t kWindow = 3, kStep = 2;

// A channel per partition.
Arrays inputs(nki::Dtype dtype) { return {{"image", random(dtype, {128, 31, 33}, 1, -1, 3)}}; }

Tiles build(nki::Kernel& kernel, const Tiles& in) {
  return {{"y", kernel.pool({.data = in.at("image").windows(kWindow, kWindow, kStep), .average = true})}};
}

// Elements of the window whose upper left corner is (row, column), line by line.
std::vector<double> window_of(const Array& image, std::size_t channel, std::size_t row, std::size_t column) {
  std::vector<double> window;
  for (std::size_t r = row; r < row + kWindow; ++r) {
    for (std::size_t c = column; c < column + kWindow; ++c) window.push_back(image.at(channel, r * image.shape[2] + c));
  }
  return window;
}

// What `average` makes of every window.
template <class Average>
std::vector<double> averages(const Array& image, Average average) {
  std::vector<double> results;
  for (std::size_t channel = 0; channel < image.rows(); ++channel) {
    for (std::size_t r = 0; r + kWindow <= image.shape[1]; r += kStep) {
      for (std::size_t c = 0; c + kWindow <= image.shape[2]; c += kStep) {
        results.push_back(average(window_of(image, channel, r, c)));
      }
    }
  }
  return results;
}

Array result_of(const Array& image, std::vector<double> values) {
  const auto windows = [](std::uint32_t length) { return (length - kWindow) / kStep + 1; };
  return {image.dtype, {image.shape[0], windows(image.shape[1]), windows(image.shape[2])}, std::move(values)};
}

// A sum in order, times the rounded reciprocal.
Arrays stepwise(const Arrays& in) {
  const Array& image = in.at("image");
  const auto average = [&](const std::vector<double>& window) {
    const std::vector<float> elements(window.begin(), window.end());
    const float ninth = 1.0F / static_cast<float>(elements.size());
    const float mean = sum(elements) * ninth;
    return narrowed(image.dtype, mean);
  };
  return {{"y", result_of(image, averages(image, average))}};
}

Arrays exact(const Arrays& in) {
  const Array& image = in.at("image");
  const auto average = [](const std::vector<double>& window) {
    double total = 0;
    for (const double value : window) total += value;
    return total / static_cast<double>(window.size());
  };
  return {{"y", result_of(image, averages(image, average))}};
}

}  // namespace

Workload average_pool() {
  return {.name = "average_pool",
          .shows = "overlapping windows as a view of four dimensions, on the Pool engine",
          .dtypes = {nki::Dtype::float32, nki::Dtype::bfloat16},
          .inputs = inputs,
          .build = build,
          .stepwise = stepwise,
          .exact = exact};
}

}  // namespace tpb::workloads
