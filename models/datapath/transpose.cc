#include "models/datapath/transpose.h"

#include <algorithm>

#include "models/datapath/alu_domain.h"
#include "models/datapath/streams.h"

namespace tpb {
namespace {

constexpr unsigned kSide = 32;

// Calls sink(rows) for every 32 elements, transposed.
template <class Sink>
void transpose_blocks(const RowView& source, Interpretation as, Scratch::Buffers& buffers, Sink sink) {
  SourceStream elements(source, as, buffers.kernels, buffers.source[0]);
  auto& tile = buffers.tile;
  for (std::uint64_t remaining = source.walk.elements(); remaining > 0; remaining -= kSide) {
    for (unsigned i = 0; i < kSide; i += kBlockRows) {
      const auto& rows = elements.next(kBlockRows);
      for (unsigned r = 0; r < kBlockRows; ++r) {
        for (unsigned lane = 0; lane < source.lanes; ++lane) {
          tile[lane % kSide][lane / kSide * kSide + i + r] = rows[r][lane];
        }
      }
    }
    std::array<const std::uint32_t*, kSide> rows;
    for (unsigned r = 0; r < kSide; ++r) rows[r] = tile[r].data();
    sink(rows);
  }
}

}  // namespace

void stream_transpose(const RowView& source, const RowView& destination, Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  const Interpretation as{Domain::raw};
  DestinationStream results(destination, as, buffers.kernels, buffers.destination[0]);
  transpose_blocks(undisturbed(source, destination, false, buffers.copies[0]), as, buffers, [&](const auto& rows) {
    for (unsigned r = 0; r < kSide; r += kBlockRows) results.store(&rows[r], kBlockRows);
  });
}

RowView transposed(const RowView& source, bool through_fp32, Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  const bool is_signed = is_signed_integer(source.dtype);
  buffers.stream.resize(source.walk.elements() * kLanes);
  std::uint32_t* next = buffers.stream.data();
  const Interpretation as{through_fp32 ? Domain::fp32 : Domain::raw, is_signed};
  transpose_blocks(source, as, buffers, [&](const auto& rows) {
    for (const std::uint32_t* row : rows) next = std::copy_n(row, kLanes, next);
  });
  const Dtype dtype = through_fp32 ? Dtype::fp32 : is_signed ? Dtype::int32 : Dtype::uint32;
  RowView view = view_of_rows(buffers.stream.data(), source.lanes, dtype);
  view.walk.num = source.walk.num;
  std::int32_t step = 1;
  for (unsigned d = 0; d < kPatternDims; ++d) {
    view.walk.step[d] = step;
    step *= static_cast<std::int32_t>(view.walk.num[d]);
  }
  return view;
}

}  // namespace tpb
