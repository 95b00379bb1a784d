#include "testbench/workloads/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "testbench/workloads/list.h"
#include "testbench/workloads/steps.h"

namespace tpb::workloads {

std::vector<float> Array::row(std::size_t row) const {
  std::vector<float> floats;
  for (std::size_t c = 0; c < columns(); ++c) floats.push_back(static_cast<float>(at(row, c)));
  return floats;
}

std::span<const Workload> all_workloads() {
  static const std::vector<Workload> workloads{
      softmax(),      masked_softmax(), layer_norm(),   rms_norm(),   attention(), mamba_scan(),
      tiled_matmul(), cumulative_sum(), average_pool(), row_argmax(), top16(),
  };
  return workloads;
}

const Workload& workload_named(std::string_view name) {
  const auto found = std::ranges::find(all_workloads(), name, &Workload::name);
  if (found == all_workloads().end()) throw std::invalid_argument(fmt::format("no workload '{}'", name));
  return *found;
}

void build(const Workload& workload, const Arrays& inputs, nki::Kernel& kernel) {
  Tiles tiles;
  for (const auto& [name, array] : inputs) {
    const std::vector<float> numbers(array.values.begin(), array.values.end());
    tiles.emplace(name, kernel.input(name, array.dtype, array.shape, nki::values(array.dtype, numbers)));
  }
  for (const auto& [name, tile] : workload.build(kernel, tiles)) kernel.output(name, tile);
}

Array random(nki::Dtype dtype, const nki::Shape& shape, std::uint64_t seed, double low, double high) {
  Array array{dtype, shape, {}};
  std::size_t elements = 1;
  for (const std::uint32_t count : shape) elements *= count;
  std::uint64_t state = seed;
  for (std::size_t i = 0; i < elements; ++i) {
    // SplitMix64; its upper 53 bits are a fraction.
    state += 0x9E3779B97F4A7C15U;
    std::uint64_t bits = state;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
    bits ^= bits >> 31;
    array.values.push_back(narrowed(dtype, low + (high - low) * static_cast<double>(bits >> 11) / 0x1p53));
  }
  return array;
}

}  // namespace tpb::workloads
