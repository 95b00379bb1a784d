#include "models/datapath/cross_lane.h"

#include <algorithm>
#include <bit>

#include "models/datapath/alu_domain.h"
#include "models/datapath/streams.h"

namespace tpb {
namespace {

// accumulator <- op(accumulator, row) for `count` rows in order.
void fold_rows(LaneKernel kernel, LaneBlock& block, Row& accumulator, const Row* rows, unsigned count) {
  block.left.fill(accumulator.data());
  block.out.fill(accumulator.data());
  for (unsigned done = 0; done < count; done += block.rows) {
    block.rows = block_of(count - done);
    for (unsigned r = 0; r < block.rows; ++r) block.right[r] = rows[done + r].data();
    kernel(block);
  }
}

}  // namespace

void cross_lane(const CrossLane& reduction, const RowView& source, const RowView& destination, Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  const LaneKernels& kernels = buffers.kernels;
  const Interpretation as{domain_of(reduction.op)};
  const LaneKernel kernel = kernel_of(kernels, as.domain, reduction.op);
  SourceStream elements(undisturbed(source, destination, false, buffers.copies[0]), as, kernels, buffers.source[0],
                        reduction.transposed ? &buffers.transposed : nullptr);
  DestinationStream results(destination, as, kernels, buffers.destination[0]);
  const std::uint32_t* const scale = fill(buffers.scale, std::bit_cast<std::uint32_t>(reduction.scale));

  // Tiles of partitions by elements: lanes are elements there, and rows partitions.
  auto& tile = buffers.tile;
  Row &accumulator = buffers.accumulator[0], &total = buffers.accumulator[1];
  RowBlock& scattered = buffers.source[1];  // one result per row, in lane 0
  LaneBlock block;
  block.bits = bytes_of(source.dtype) * 8;
  bool first = true;
  for (std::uint64_t remaining = source.walk.elements(); remaining > 0;) {
    // 1. Up to 128 elements of every partition.
    const auto columns = static_cast<unsigned>(std::min<std::uint64_t>(remaining, kLanes));
    remaining -= columns;
    for (unsigned column = 0; column < columns;) {
      const unsigned count = block_of(columns - column);
      const auto& rows = elements.next(count);
      for (unsigned r = 0; r < count; ++r, ++column) {
        for (unsigned partition = 0; partition < source.lanes; ++partition)
          tile[partition][column] = rows[r][partition];
      }
    }
    // 2. Folded over partitions.
    block.lanes = kLanes;
    if (reduction.average) {
      for (unsigned partition = 0; partition < source.lanes; ++partition) {
        block.rows = 1;
        block.out[0] = tile[partition].data();
        block.left[0] = tile[partition].data();
        block.right[0] = scale;
        kernel_of(kernels, as.domain, AluOp::mult)(block);
      }
    }
    accumulator = tile[0];
    fold_rows(kernel, block, accumulator, &tile[1], source.lanes - 1);
    // 3. Stored, or folded on.
    block.lanes = kLaneGroup;
    for (unsigned column = 0; column < columns;) {
      const unsigned count = block_of(columns - column);
      std::array<const std::uint32_t*, kBlockRows> rows;
      for (unsigned r = 0; r < count; ++r, ++column) {
        scattered[r][0] = accumulator[column];
        rows[r] = scattered[r].data();
      }
      if (!reduction.everything) {
        results.store(rows.data(), count);
      } else {
        const unsigned taken = first ? 1 : 0;
        if (first) total = scattered[0];
        first = false;
        fold_rows(kernel, block, total, &scattered[taken], count - taken);
      }
    }
  }
  if (reduction.everything) {
    const std::uint32_t* const row = total.data();
    results.store(&row, 1);
  }
}

}  // namespace tpb
