#include "models/datapath/streams.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace tpb {
namespace {

constexpr unsigned kWordBytes = 4;

bool used_in_place(Dtype dtype, Domain domain) {
  return domain == Domain::fp32 ? dtype == Dtype::fp32 || dtype == Dtype::fp32r : bytes_of(dtype) == kWordBytes;
}

struct Bytes {
  std::int64_t first, past;
};
Bytes bytes_of_view(const RowView& view) {
  const ByteRange range = touched_bytes(view.walk, bytes_of(view.dtype));
  return {view.byte_offset + range.first, view.byte_offset + range.last + 1};
}

// Every element has bytes of its own. Sufficient: taken by increasing step, each dimension starts past the smaller
// ones.
bool is_injective(const AccessPattern& walk) {
  std::array<std::pair<std::int64_t, std::int64_t>, kPatternDims> dims;
  for (unsigned d = 0; d < kPatternDims; ++d) dims[d] = {std::abs(std::int64_t{walk.step[d]}), walk.num[d]};
  std::sort(dims.begin(), dims.end());
  std::int64_t reach = 1;
  for (const auto& [step, num] : dims) {
    if (num > 1 && step < reach) return false;
    if (num > 1) reach += step * (num - 1);
  }
  return true;
}

bool same_walk(const AccessPattern& a, const AccessPattern& b) {
  for (unsigned d = 0; d < kPatternDims; ++d) {
    if (a.num[d] != b.num[d] || (a.num[d] > 1 && a.step[d] != b.step[d])) return false;
  }
  return true;
}

bool in_step(const RowView& a, const RowView& b) {
  return a.byte_offset == b.byte_offset && a.first_lane == b.first_lane && bytes_of(a.dtype) == bytes_of(b.dtype) &&
         same_walk(a.walk, b.walk) && is_injective(a.walk);
}

}  // namespace

// No false "disjoint"; operands that interleave (odd and even columns) are recognised by the common divisor of steps.
bool disjoint(const RowView& a, const RowView& b) {
  if (a.words != b.words) return true;
  if (a.first_lane >= b.first_lane + b.lanes || b.first_lane >= a.first_lane + a.lanes) return true;
  const Bytes range_a = bytes_of_view(a), range_b = bytes_of_view(b);
  if (range_a.past <= range_b.first || range_b.past <= range_a.first) return true;
  std::int64_t period = 0;
  for (const RowView* view : {&a, &b}) {
    for (unsigned d = 0; d < kPatternDims; ++d) {
      if (view->walk.num[d] > 1) period = std::gcd(period, std::int64_t{view->walk.step[d]} * bytes_of(view->dtype));
    }
  }
  if (period == 0) return false;
  std::int64_t ahead = (std::int64_t{b.byte_offset} - a.byte_offset) % period;
  if (ahead < 0) ahead += period;
  return ahead >= bytes_of(a.dtype) && ahead + bytes_of(b.dtype) <= period;
}

RowView view_of_rows(std::uint32_t* words, std::uint32_t lanes, Dtype dtype, std::uint32_t elements) {
  RowView view;
  view.words = words;
  view.lanes = lanes;
  view.dtype = dtype;
  view.walk.num[0] = elements;
  return view;
}

Scratch::Scratch() : buffers_(std::make_unique<Buffers>()) {}
Scratch::~Scratch() = default;

ElementWalk::ElementWalk(const RowView& view)
    : base_(view.words + view.first_lane), num_(view.walk.num), byte_(view.byte_offset) {
  std::int64_t back = 0;  // what the inner dimensions have advanced when they wrap
  for (unsigned d = 0; d < kPatternDims; ++d) {
    const std::int64_t step = std::int64_t{view.walk.step[d]} * bytes_of(view.dtype);
    step_[d] = step - back;
    back += step * (std::int64_t{num_[d]} - 1);
  }
}

void ElementWalk::next(unsigned count, std::array<std::uint32_t*, kBlockRows>& rows,
                       std::array<std::uint32_t, kBlockRows>& shift) {
  for (unsigned i = 0; i < count;) {
    // A run along the innermost dimension, then one step of the dimensions around it.
    const unsigned run = std::min(count - i, num_[0] - index_[0]);
    for (const unsigned end = i + run; i < end; ++i, byte_ += step_[0]) {
      const auto byte = static_cast<std::uint64_t>(byte_);  // of an element, so not negative
      rows[i] = base_ + byte / kWordBytes * kLanes;
      shift[i] = static_cast<std::uint32_t>(byte % kWordBytes) * 8;
    }
    index_[0] += run;
    if (index_[0] < num_[0]) return;
    index_[0] = 0;
    unsigned d = 1;
    while (d + 1 < kPatternDims && ++index_[d] == num_[d]) index_[d++] = 0;
    byte_ += step_[d] - step_[0];
  }
}

unsigned whole_lanes(const RowView& view) { return (view.lanes + kLaneGroup - 1) / kLaneGroup * kLaneGroup; }

SourceStream::SourceStream(const RowView& view, Interpretation as, const LaneKernels& kernels, RowBlock& buffer,
                           TransposedRows* transposed)
    : walk_(view), buffer_(buffer), transposed_(transposed), source_lanes_(view.lanes) {
  if (!used_in_place(view.dtype, as.domain)) {
    convert_ = as.domain == Domain::fp32 ? kernels.widen[static_cast<std::size_t>(view.dtype)]
               : as.is_signed            ? kernels.extract_signed
                                         : kernels.extract;
  }
  block_.lanes = whole_lanes(view);
  block_.bits = bytes_of(view.dtype) * 8;
}

const std::array<const std::uint32_t*, kBlockRows>& SourceStream::next(unsigned count) {
  if (transposed_ == nullptr) {
    read(count);
    return block_.left;
  }
  if (place_ == 0) transpose();
  for (unsigned r = 0; r < count; ++r) block_.left[r] = (*transposed_)[place_ + r].data();
  place_ = (place_ + count) % kTransposedSide;
  return block_.left;
}

void SourceStream::read(unsigned count) {
  walk_.next(count, words_, block_.shift);
  std::copy_n(words_.begin(), count, block_.left.begin());
  if (convert_ == nullptr) return;
  block_.rows = count;
  for (unsigned r = 0; r < count; ++r) block_.out[r] = buffer_[r].data();
  block_.right = block_.left;
  convert_(block_);
  std::copy_n(block_.out.begin(), count, block_.left.begin());
}

void SourceStream::transpose() {
  for (unsigned element = 0; element < kTransposedSide;) {
    read(kBlockRows);
    for (unsigned r = 0; r < kBlockRows; ++r, ++element) {
      for (unsigned lane = 0; lane < source_lanes_; ++lane) {
        (*transposed_)[lane % kTransposedSide][lane / kTransposedSide * kTransposedSide + element] =
            block_.left[r][lane];
      }
    }
  }
}

DestinationStream::DestinationStream(const RowView& view, Interpretation as, const LaneKernels& kernels,
                                     DestinationBuffers& buffers)
    : walk_(view),
      convert_(as.domain == Domain::fp32 ? kernels.narrow[static_cast<std::size_t>(view.dtype)] : kernels.insert),
      // fp32r is stored rounded, so unlike on the way in it is not in final form.
      direct_(used_in_place(view.dtype, as.domain) && view.dtype != Dtype::fp32r && view.lanes % kLaneGroup == 0),
      buffer_(buffers.result),
      masks_(buffers.masks) {
  block_.lanes = whole_lanes(view);
  block_.bits = bytes_of(view.dtype) * 8;
  const std::uint32_t element = 0xFFFF'FFFFU >> (32 - block_.bits);
  for (unsigned byte = 0; byte < kWordBytes; ++byte) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      buffers.masks[byte][lane] = lane < view.lanes ? element << (8 * byte) : 0;
    }
  }
}

const std::array<std::uint32_t*, kBlockRows>& DestinationStream::rows(unsigned count) {
  count_ = count;
  if (direct_) {
    walk_.next(count, words_, block_.shift);
  } else {
    for (unsigned r = 0; r < count; ++r) words_[r] = buffer_[r].data();
  }
  return words_;
}

void DestinationStream::commit() {
  if (direct_) return;
  std::array<const std::uint32_t*, kBlockRows> results;
  std::copy_n(words_.begin(), count_, results.begin());
  store(results.data(), count_);
}

void DestinationStream::store(const std::uint32_t* const* rows, unsigned count) {
  walk_.next(count, block_.out, block_.shift);
  std::copy_n(rows, count, block_.left.begin());
  for (unsigned r = 0; r < count; ++r) block_.right[r] = masks_[block_.shift[r] / 8].data();
  block_.rows = count;
  convert_(block_);
}

IntegerDestination::IntegerDestination(const RowView& view, Scratch::Buffers& buffers)
    : widen_(is_integer(view.dtype) ? nullptr : buffers.kernels.widen[static_cast<std::size_t>(Dtype::int32)]),
      converted_(buffers.source[1]),
      destination_(view, {is_integer(view.dtype) ? Domain::raw : Domain::fp32}, buffers.kernels,
                   buffers.destination[0]) {
  block_.lanes = whole_lanes(view);
  block_.shift.fill(0);
  for (unsigned r = 0; r < kBlockRows; ++r) block_.out[r] = converted_[r].data();
}

void IntegerDestination::store(const std::uint32_t* const* rows, unsigned count) {
  if (widen_ == nullptr) return destination_.store(rows, count);
  block_.rows = count;
  std::copy_n(rows, count, block_.left.begin());
  block_.right = block_.left;
  widen_(block_);
  std::copy_n(block_.out.begin(), count, block_.left.begin());
  destination_.store(block_.left.data(), count);
}

RowView undisturbed(const RowView& source, const RowView& destination, bool element_wise,
                    std::vector<std::uint32_t>& copy) {
  if (disjoint(source, destination) || (element_wise && in_step(source, destination))) return source;
  const Bytes range = bytes_of_view(source);
  const std::int64_t first_word = range.first / kWordBytes;
  const std::int64_t past_word = (range.past + kWordBytes - 1) / kWordBytes;
  copy.assign(source.words + first_word * kLanes, source.words + past_word * kLanes);
  RowView view = source;
  view.words = copy.data();
  view.byte_offset -= static_cast<std::uint32_t>(first_word * kWordBytes);
  return view;
}

}  // namespace tpb
