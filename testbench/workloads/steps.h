// Steps of the numeric rules for the stepwise references, in plain C++ and by the reference of the datapath's tests.
// What is not here is fp32 arithmetic of float, one operation a statement.
#pragma once

#include <cmath>
#include <span>

#include "testbench/reference/reference.h"
#include "testbench/workloads/workload.h"

namespace tpb::workloads {

// The dtype as the reference names it.
reference::Type type_of(nki::Dtype dtype);

// Rounded once to a dtype.
double narrowed(nki::Dtype dtype, double value);
// Its most negative finite number.
double lowest(nki::Dtype dtype);

// A function of the activation engine, which is binary64's rounded once: act(std::exp, x).
template <class Function>
float act(Function function, float x) {
  return static_cast<float>(function(double{x}));
}

// In order, from the first element.
float maximum(std::span<const float> row);
float sum(std::span<const float> row);
// The accumulators of the activation engine start at zero.
float accumulated(std::span<const float> row);

// exp of what is left of each element without the maximum, times the reciprocal of their accumulated sum.
std::vector<float> softmax_steps(std::vector<float> row);

// All values narrowed to the dtype, as the result of an instruction that writes it.
Array stored(nki::Dtype dtype, const nki::Shape& shape, std::span<const float> values);

// results[m][n] = sum over k of stationary[k][m] moving[k][n]: products rounded to fp32, added in increasing k from the
// first. Both have their k as partitions.
Array product(const Array& stationary, const Array& moving);
Array transposed(const Array& array);

}  // namespace tpb::workloads
