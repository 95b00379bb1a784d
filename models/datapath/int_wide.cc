#include "models/datapath/int_wide.h"

#include <optional>
#include <stdexcept>

#include "models/datapath/streams.h"

namespace tpb {

void int_wide(AluOp op, const RowView& left, const WideOperand& right, const RowView& low, const RowView& high,
              Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  const LaneKernels& kernels = buffers.kernels;
  const LaneKernel low_word = kernels.wide_low[static_cast<std::size_t>(op)];
  const LaneKernel high_word = kernels.wide_high[static_cast<std::size_t>(op)];
  if (low_word == nullptr || high_word == nullptr) throw std::logic_error("datapath: operation without a kernel");

  const Interpretation left_as{Domain::integer, is_signed_integer(left.dtype)};
  const Dtype right_dtype = right.tensor != nullptr ? right.tensor->dtype : right.scalar.dtype;
  const Interpretation right_as{Domain::integer, is_signed_integer(right_dtype)};
  const auto source = [&](const RowView& view, unsigned index) {
    std::vector<std::uint32_t>& copy = buffers.copies[index];
    return undisturbed(undisturbed(view, low, true, copy), high, true, copy);
  };
  const std::uint32_t* scalar = nullptr;
  std::optional<SourceStream> rights;
  if (right.tensor != nullptr) {
    rights.emplace(source(*right.tensor, 1), right_as, kernels, buffers.source[1]);
  } else {
    scalar = scalar_row(right.scalar, 0, right_as, left.lanes, scratch);
  }
  SourceStream lefts(source(left, 0), left_as, kernels, buffers.source[0]);
  const Interpretation words{Domain::integer};
  DestinationStream lows(low, words, kernels, buffers.destination[0]);
  DestinationStream highs(high, words, kernels, buffers.destination[1]);

  LaneBlock block;
  block.lanes = whole_lanes(low);
  block.left_sign = sign_bit(left_as);
  block.right_sign = sign_bit(right_as);
  // Both words of a block are computed before either is stored. Destinations that meet take turns by element.
  const unsigned most = disjoint(low, high) ? kBlockRows : 1;
  std::array<const std::uint32_t*, kBlockRows> results;
  for (std::uint64_t remaining = low.walk.elements(); remaining > 0; remaining -= block.rows) {
    block.rows = std::min(block_of(remaining), most);
    block.left = lefts.next(block.rows);
    block.right = rights ? rights->next(block.rows) : repeated(scalar);
    for (unsigned r = 0; r < block.rows; ++r) block.out[r] = buffers.destination[0].result[r].data();
    low_word(block);
    for (unsigned r = 0; r < block.rows; ++r) block.out[r] = buffers.destination[1].result[r].data();
    high_word(block);
    for (unsigned word = 0; word < 2; ++word) {
      for (unsigned r = 0; r < block.rows; ++r) results[r] = buffers.destination[word].result[r].data();
      (word == 0 ? lows : highs).store(results.data(), block.rows);
    }
  }
}

}  // namespace tpb
