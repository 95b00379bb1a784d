#include "models/datapath/fill.h"

#include "models/datapath/streams.h"

namespace tpb {

void memset(std::uint32_t bits, const RowView& destination, Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  DestinationStream results(destination, {Domain::raw}, buffers.kernels, buffers.destination[0]);
  const auto rows = repeated(fill(buffers.start, bits));
  for (std::uint64_t remaining = destination.walk.elements(); remaining > 0;) {
    const unsigned count = block_of(remaining);
    results.store(rows.data(), count);
    remaining -= count;
  }
}

void iota(const Iota& iota, const RowView& destination, Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  IntegerDestination results(destination, buffers);
  Row& lanes = buffers.start;
  for (unsigned l = 0; l < kLanes; ++l) lanes[l] = l * static_cast<std::uint32_t>(iota.lane_step);
  std::array<std::uint32_t, kPatternDims> index{};
  std::uint32_t value = static_cast<std::uint32_t>(iota.start);  // of lane 0; wraps
  RowBlock& rows = buffers.source[0];
  std::array<const std::uint32_t*, kBlockRows> block;
  for (unsigned r = 0; r < kBlockRows; ++r) block[r] = rows[r].data();
  for (std::uint64_t remaining = destination.walk.elements(); remaining > 0;) {
    const unsigned count = block_of(remaining);
    remaining -= count;
    for (unsigned r = 0; r < count; ++r) {
      for (unsigned l = 0; l < kLanes; ++l) rows[r][l] = value + lanes[l];
      // On to the next element: dimensions that are through start again.
      for (unsigned d = 0; d < kPatternDims; ++d) {
        const auto step = static_cast<std::uint32_t>(iota.step[d]);
        value += step;
        if (++index[d] < destination.walk.num[d]) break;
        value -= step * destination.walk.num[d];
        index[d] = 0;
      }
    }
    results.store(block.data(), count);
  }
}

}  // namespace tpb
