// Where the largest element of every row stands: the first of them.
#include <algorithm>

#include "testbench/workloads/list.h"
#include "testbench/workloads/steps.h"

namespace tpb::workloads {
namespace {

// In bfloat16 the largest value is in a row more than once.
Arrays inputs(nki::Dtype dtype) { return {{"x", random(dtype, {128, 3168}, 1, -4, 4)}}; }

Tiles build(nki::Kernel& kernel, const Tiles& in) {
  const nki::Tile& x = in.at("x");
  const nki::Tile most = kernel.max8(x);
  const nki::Tile places = kernel.max_index(x, most);
  return {{"most", most.columns(0, 1)}, {"place", places.columns(0, 1)}};
}

// Nothing is computed: both references are one.
Arrays found(const Arrays& in) {
  const Array& x = in.at("x");
  Array most{x.dtype, {x.shape[0], 1}, {}}, place{nki::Dtype::uint32, {x.shape[0], 1}, {}};
  for (std::size_t r = 0; r < x.rows(); ++r) {
    std::size_t best = 0;
    for (std::size_t c = 1; c < x.columns(); ++c) {
      if (x.at(r, c) > x.at(r, best)) best = c;
    }
    most.values.push_back(x.at(r, best));
    place.values.push_back(static_cast<double>(best));
  }
  return {{"most", most}, {"place", place}};
}

}  // namespace

Workload row_argmax() {
  return {.name = "row_argmax",
          .shows = "the largest elements, and a search for them",
          .dtypes = {nki::Dtype::float32, nki::Dtype::bfloat16},
          .inputs = inputs,
          .build = build,
          .stepwise = found,
          .exact = found};
}

}  // namespace tpb::workloads
