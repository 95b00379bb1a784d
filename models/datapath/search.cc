#include "models/datapath/search.h"

#include "models/datapath/alu_domain.h"
#include "models/datapath/element_wise.h"
#include "models/datapath/streams.h"

namespace tpb {
namespace {

constexpr std::uint32_t kMinusInfinity = 0xFF80'0000;
constexpr std::uint32_t kMissing = 0xFFFF'FFFF;

// The state's values as an operand of eight elements.
RowView match_values(LaneState& state, std::uint32_t lanes) {
  const Dtype words = is_signed_integer(state.match_dtype) ? Dtype::int32
                      : is_integer(state.match_dtype)      ? Dtype::uint32
                                                           : Dtype::fp32;
  return view_of_rows(state.match_values[0].data(), lanes, words, kSlots);
}

// Runs a search kernel over a whole stream; `block` has the slots.
void search(LaneKernel kernel, LaneBlock& block, SourceStream& elements, std::uint64_t count) {
  block.position = 0;
  for (std::uint64_t remaining = count; remaining > 0; remaining -= block.rows) {
    block.rows = block_of(remaining);
    block.right = elements.next(block.rows);
    kernel(block);
    block.position += block.rows;
  }
}

}  // namespace

void max8(const RowView& source, const RowView& destination, Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  SourceStream elements(undisturbed(source, destination, false, buffers.copies[0]), {}, buffers.kernels,
                        buffers.source[0]);
  DestinationStream results(destination, {}, buffers.kernels, buffers.destination[0]);
  LaneBlock block;
  block.lanes = whole_lanes(source);
  std::array<const std::uint32_t*, kSlots> ascending;
  for (unsigned slot = 0; slot < kSlots; ++slot) {  // descending
    Row& row = buffers.intermediate[slot];
    row.fill(kMinusInfinity);
    block.out[slot] = row.data();
    ascending[kSlots - 1 - slot] = row.data();
  }
  search(buffers.kernels.insert8, block, elements, source.walk.elements());
  results.store(ascending.data(), kSlots);
}

void load_match_values(const RowView& values, LaneState& state, Scratch& scratch) {
  state.match_dtype = is_integer(values.dtype) ? values.dtype : Dtype::fp32;
  copy(values, match_values(state, values.lanes), scratch);
}

void find_index8(bool successive, LaneState& state, const RowView& source, const RowView& destination,
                 Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  const LaneKernels& kernels = buffers.kernels;
  const bool integers = is_integer(state.match_dtype) && state.match_dtype == source.dtype;
  const Interpretation as{integers ? Domain::raw : Domain::fp32, is_signed_integer(source.dtype)};
  SourceStream values(match_values(state, source.lanes), as, kernels, buffers.source[1]);
  SourceStream elements(undisturbed(source, destination, false, buffers.copies[0]), as, kernels, buffers.source[0]);
  DestinationStream results(destination, {Domain::raw}, kernels, buffers.destination[0]);
  LaneBlock block;
  block.lanes = whole_lanes(source);
  block.left = values.next(kSlots);
  std::array<const std::uint32_t*, kSlots> indices;
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    Row& row = buffers.intermediate[slot];
    row.fill(kMissing);
    indices[slot] = block.out[slot] = row.data();
  }
  const LaneKernels::Match& match = integers ? kernels.match_raw : kernels.match_fp32;
  search(successive ? match.successive : match.first, block, elements, source.walk.elements());
  results.store(indices.data(), kSlots);
}

}  // namespace tpb
