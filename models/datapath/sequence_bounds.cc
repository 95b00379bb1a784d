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

// Integer results of one partition, one after another.
class Writer {
 public:
  Writer(const RowView& destination, Scratch::Buffers& buffers)
      : destination_(destination, buffers), rows_(buffers.intermediate) {
    for (unsigned r = 0; r < kBlockRows; ++r) block_[r] = rows_[r].data();
  }
  void write(std::uint64_t value, std::uint64_t times) {
    for (; times > 0; --times) {
      rows_[filled_][0] = static_cast<std::uint32_t>(value);
      if (++filled_ == kBlockRows) flush();
    }
  }
  void flush() {
    destination_.store(block_.data(), filled_);
    filled_ = 0;
  }

 private:
  IntegerDestination destination_;
  RowBlock& rows_;
  std::array<const std::uint32_t*, kBlockRows> block_;
  unsigned filled_ = 0;
};

// Ids compare as numbers. A run of equal ids is written when it has ended.
template <class Number>
void segments(const RowView& source, const RowView& destination, Scratch::Buffers& buffers) {
  const std::uint64_t length = source.walk.elements();
  const RowView ids = undisturbed(source, destination, false, buffers.copies[0]);
  for (unsigned bound = 0; bound < 2; ++bound) {
    SourceStream elements(ids, {Domain::raw}, buffers.kernels, buffers.source[0]);
    Writer results(plane(destination, bound), buffers);
    std::uint64_t begin = 0;
    Number id{};
    const auto end_run = [&](std::uint64_t end) {
      const std::uint64_t padding = bound == 0 ? length : ~std::uint64_t{0};
      results.write(id == Number{0} ? padding : bound == 0 ? begin : end, end - begin);
      begin = end;
    };
    for (std::uint64_t i = 0; i < length;) {
      const unsigned count = block_of(length - i);
      const auto& rows = elements.next(count);
      for (unsigned r = 0; r < count; ++r, ++i) {
        const auto next = std::bit_cast<Number>(rows[r][0]);
        if (i > 0 && !(next == id)) end_run(i);
        id = next;
      }
    }
    end_run(length);
    results.flush();
  }
}

}  // namespace

void sequence_segments(const RowView& source, const RowView& destination, Scratch& scratch) {
  if (is_integer(source.dtype)) return segments<std::int32_t>(source, destination, scratch.buffers());
  segments<float>(source, destination, scratch.buffers());
}

}  // namespace tpb
