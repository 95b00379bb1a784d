// The sixteen largest elements of every row and their places, eight in each round.
#include <algorithm>
#include <numeric>

#include "testbench/workloads/list.h"
#include "testbench/workloads/steps.h"

namespace tpb::workloads {
namespace {

constexpr std::uint32_t kRound = 8, kRounds = 2, kTop = kRound * kRounds;
constexpr std::uint32_t kColumns = 512;

// The elements of a row are distinct: whole numbers from -256 to 255, which bfloat16 has, in an order of its own.
Arrays inputs(nki::Dtype dtype) {
  constexpr std::uint32_t kRows = 128;
  const Array keys = random(nki::Dtype::float32, {kRows, kColumns}, 1, 0, 1);
  Array x{dtype, {kRows, kColumns}, {}};
  for (std::size_t r = 0; r < kRows; ++r) {
    std::vector<double> row(kColumns);
    std::iota(row.begin(), row.end(), -256.0);
    for (std::size_t i = kColumns - 1; i > 0; --i) {
      std::swap(row[i], row[static_cast<std::size_t>(keys.at(r, i) * static_cast<double>(i))]);
    }
    x.values.insert(x.values.end(), row.begin(), row.end());
  }
  return {{"x", x}};
}

// No instruction removes what was found. All elements from the eighth on are pushed below every other number instead;
// the rest gets -0 added, which changes none.
Tiles build(nki::Kernel& kernel, const Tiles& in) {
  using nki::Dtype, nki::Op;
  constexpr double kFar = -0x1p120;
  const nki::Tile& x = in.at("x");
  const nki::Tile most = kernel.sbuf(Dtype::float32, {x.partitions, kTop});
  const nki::Tile places = kernel.sbuf(Dtype::uint32, {x.partitions, kTop});
  nki::Tile rest = x;
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    const nki::Tile slots = most.columns(round * kRound, kRound);
    kernel.max8(rest, slots);
    kernel.max_index(rest, slots, places.columns(round * kRound, kRound));
    if (round + 1 == kRounds) break;
    const nki::Tile push = kernel.tensor_scalar({.data = rest,
                                                 .op0 = Op::greater_equal,
                                                 .operand0 = slots.columns(kRound - 1, 1),
                                                 .op1 = Op::multiply,
                                                 .operand1 = kFar,
                                                 .dtype = Dtype::float32});
    rest = kernel.tensor_tensor({.data1 = rest, .data2 = push, .op = Op::add});
  }
  return {{"most", most}, {"places", places}};
}

// Nothing is computed: both references are one, which sorts.
Arrays found(const Arrays& in) {
  const Array& x = in.at("x");
  Array most{nki::Dtype::float32, {x.shape[0], kTop}, {}}, places{nki::Dtype::uint32, {x.shape[0], kTop}, {}};
  for (std::size_t r = 0; r < x.rows(); ++r) {
    std::vector<std::size_t> order(x.columns());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return x.at(r, a) > x.at(r, b); });
    for (std::size_t i = 0; i < kTop; ++i) {
      most.values.push_back(x.at(r, order[i]));
      places.values.push_back(static_cast<double>(order[i]));
    }
  }
  return {{"most", most}, {"places", places}};
}

}  // namespace

Workload top16() {
  return {.name = "top16",
          .shows = "rounds of the eight largest, elements removed by a comparison with a scalar per partition",
          .dtypes = {nki::Dtype::float32, nki::Dtype::bfloat16},
          .inputs = inputs,
          .build = build,
          .stepwise = found,
          .exact = found};
}

}  // namespace tpb::workloads
