// Whole kernels, each with what it must compute: to the bit, step by step, and in binary64.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/nki/kernel.h"

namespace tpb::workloads {

// A tensor in numpy order, partitions first. Values are those of its dtype; in a binary64 result they are not rounded
// to it.
struct Array {
  nki::Dtype dtype = nki::Dtype::float32;
  nki::Shape shape;
  std::vector<double> values;

  std::size_t rows() const { return shape.at(0); }
  std::size_t columns() const { return values.size() / rows(); }  // elements of a partition
  double at(std::size_t row, std::size_t column) const { return values.at(row * columns() + column); }
  std::vector<float> row(std::size_t row) const;  // for steps in fp32, which holds every value of a floating dtype
};
using Arrays = std::map<std::string, Array, std::less<>>;
using Tiles = std::map<std::string, nki::Tile, std::less<>>;

// All functions name the same inputs and the same results, and take any values and, where `build` can, any sizes.
struct Workload {
  std::string_view name;
  std::string_view shows;          // what it is an example of
  std::vector<nki::Dtype> dtypes;  // of its inputs
  Arrays (*inputs)(nki::Dtype dtype);
  Tiles (*build)(nki::Kernel& kernel, const Tiles& inputs);
  Arrays (*stepwise)(const Arrays& inputs);  // every instruction's arithmetic in its order, by the numeric rules
  Arrays (*exact)(const Arrays& inputs);     // the mathematical definition, in binary64
};

inline constexpr std::array kGenerations{Generation::sunda, Generation::cayman, Generation::mariana};

std::span<const Workload> all_workloads();
// Throws std::invalid_argument when there is none of this name.
const Workload& workload_named(std::string_view name);

// Declares the inputs, makes the workload's calls and names its results.
void build(const Workload& workload, const Arrays& inputs, nki::Kernel& kernel);

// Values of the dtype, spread evenly from low to high; the same for the same seed, everywhere.
Array random(nki::Dtype dtype, const nki::Shape& shape, std::uint64_t seed, double low, double high);

}  // namespace tpb::workloads
