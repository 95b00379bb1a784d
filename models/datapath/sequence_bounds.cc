#include "models/datapath/sequence_bounds.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "models/datapath/alu_domain.h"
#include "models/datapath/element_wise.h"
#include "models/datapath/streams.h"

namespace tpb {
namespace {

RowView plane(const RowView& destination, std::uint32_t index) {
  RowView view = destination;
  view.byte_offset = static_cast<std::uint32_t>(std::int64_t{view.byte_offset} +
                                                std::int64_t{index} * view.walk.step[2] * bytes_of(view.dtype));
  view.walk.num[2] = 1;
  return view;
}

}  // namespace

void sequence_envelope(const RowView& source, const RowView& destination, Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  const LaneKernels& kernels = buffers.kernels;
  const bool integers = is_integer(source.dtype);
  const Interpretation as{integers ? Domain::integer : Domain::fp32, is_signed_integer(source.dtype)};
  const LaneKernel take[] = {integers ? kernel_of(kernels, as.domain, AluOp::min) : kernels.take_smaller,
                             integers ? kernel_of(kernels, as.domain, AluOp::max) : kernels.take_larger};
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  LaneBlock block;
  block.lanes = whole_lanes(source);
  block.left_sign = block.right_sign = sign_bit(as);

  SourceStream elements(source, as, kernels, buffers.source[0]);
  for (std::uint64_t remaining = source.walk.elements(); remaining > 0; remaining -= block.rows) {
    const bool first = remaining == source.walk.elements();
    block.rows = block_of(remaining);
    block.right = elements.next(block.rows);
    for (unsigned bound = 0; bound < 2; ++bound) {
      Row& row = buffers.accumulator[bound];
      if (first && integers) std::copy_n(block.right[0], block.lanes, row.begin());
      if (first && !integers) row.fill(std::bit_cast<std::uint32_t>(bound == 0 ? kInfinity : -kInfinity));
      block.left.fill(row.data());
      block.out.fill(row.data());
      take[bound](block);
    }
  }
  for (unsigned bound = 0; bound < 2; ++bound) {
    const RowView to = plane(destination, bound);
    // The one value again and again.
    RowView value = view_of_rows(buffers.accumulator[bound].data(), source.lanes, source.dtype);
    value.walk.num = to.walk.num;
    value.walk.step.fill(0);
    copy(value, to, scratch);
  }
}

namespace {

// Ids compare as numbers.
template <class Number>
void segments(const RowView& source, const RowView& destination, Scratch::Buffers& buffers) {
  const auto length = static_cast<std::size_t>(source.walk.elements());
  const std::size_t lanes = source.lanes;
  const auto same = [](std::uint32_t a, std::uint32_t b) {
    return std::bit_cast<Number>(a) == std::bit_cast<Number>(b);
  };
  std::vector<std::uint32_t>& ids = buffers.stream;
  std::vector<std::int32_t>& ends = buffers.ends;
  ids.resize(length * lanes);
  ends.resize(length * lanes);
  SourceStream elements(source, {Domain::raw}, buffers.kernels, buffers.source[0]);
  for (std::size_t i = 0; i < length;) {
    const unsigned count = block_of(length - i);
    const auto& rows = elements.next(count);
    for (unsigned r = 0; r < count; ++r, ++i) std::copy_n(rows[r], lanes, &ids[i * lanes]);
  }
  // 1. Ends, backwards: that of the next element when it has the same id.
  for (std::size_t i = length; i-- > 0;) {
    for (std::size_t at = i * lanes; at < (i + 1) * lanes; ++at) {
      const bool goes_on = i + 1 < length && same(ids[at], ids[at + lanes]);
      ends[at] = same(ids[at], 0) ? -1 : goes_on ? ends[at + lanes] : static_cast<std::int32_t>(i + 1);
    }
  }
  // 2. Starts, forwards, then the ends.
  Row& previous = buffers.accumulator[0];
  for (unsigned bound = 0; bound < 2; ++bound) {
    IntegerDestination results(plane(destination, bound), buffers);
    RowBlock& rows = buffers.intermediate;
    std::array<const std::uint32_t*, kBlockRows> block;
    for (unsigned r = 0; r < kBlockRows; ++r) block[r] = rows[r].data();
    for (std::size_t i = 0; i < length;) {
      const unsigned count = block_of(length - i);
      for (unsigned r = 0; r < count; ++r, ++i) {
        for (std::size_t lane = 0, at = i * lanes; lane < lanes; ++lane, ++at) {
          const bool goes_on = i > 0 && same(ids[at], ids[at - lanes]);
          const auto start = static_cast<std::uint32_t>(same(ids[at], 0) ? length : goes_on ? previous[lane] : i);
          rows[r][lane] = bound == 0 ? previous[lane] = start : static_cast<std::uint32_t>(ends[at]);
        }
      }
      results.store(block.data(), count);
    }
  }
}

}  // namespace

void sequence_segments(const RowView& source, const RowView& destination, Scratch& scratch) {
  if (is_integer(source.dtype)) return segments<std::int32_t>(source, destination, scratch.buffers());
  segments<float>(source, destination, scratch.buffers());
}

}  // namespace tpb
