#include "models/datapath/recurrence.h"

#include <algorithm>

#include "models/datapath/streams.h"

namespace tpb {

void cumulative(const Cumulative& cumulative, Row& state, const RowView& source, const RowView& destination,
                Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  const LaneKernels& kernels = buffers.kernels;
  const LaneKernel first = kernel_of(kernels, Domain::fp32, cumulative.op0);
  const LaneKernel second = kernel_of(kernels, Domain::fp32, cumulative.op1);
  SourceStream sources(undisturbed(source, destination, true, buffers.copies[0]), {}, kernels, buffers.source[0]);
  DestinationStream results(destination, {}, kernels, buffers.destination[0]);
  LaneBlock block;
  block.lanes = whole_lanes(destination);
  for (std::uint64_t remaining = destination.walk.elements(); remaining > 0; remaining -= block.rows) {
    block.rows = block_of(remaining);
    block.left = sources.next(block.rows);
    block.right = repeated(cumulative.scalar);
    for (unsigned r = 0; r < block.rows; ++r) block.out[r] = buffers.intermediate[r].data();
    first(block);
    // Rows are computed in order, so that each finds the one before it.
    std::copy_n(block.out.begin(), block.rows, block.left.begin());
    block.out = results.rows(block.rows);
    block.right[0] = state.data();
    std::copy_n(block.out.begin(), block.rows - 1, block.right.begin() + 1);
    second(block);
    std::copy_n(block.out[block.rows - 1], block.lanes, state.begin());
    results.commit();
  }
}

void scan(const Scan& scan, Row& state, const RowView& first, const RowView& second, const RowView& destination,
          Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  const LaneKernels& kernels = buffers.kernels;
  const LaneKernel kernel0 = kernel_of(kernels, Domain::fp32, scan.op0);
  const LaneKernel kernel1 = kernel_of(kernels, Domain::fp32, scan.op1);
  SourceStream firsts(undisturbed(first, destination, true, buffers.copies[0]), {}, kernels, buffers.source[0]);
  SourceStream seconds(undisturbed(second, destination, true, buffers.copies[1]), {}, kernels, buffers.source[1]);
  DestinationStream results(destination, {}, kernels, buffers.destination[0]);
  LaneBlock step;
  step.lanes = whole_lanes(destination);
  step.rows = 1;
  const auto apply = [&](LaneKernel kernel, bool reversed, const std::uint32_t* left, const std::uint32_t* right,
                         std::uint32_t* out) {
    step.left[0] = reversed ? right : left;
    step.right[0] = reversed ? left : right;
    step.out[0] = out;
    kernel(step);
  };
  std::uint32_t* const between = buffers.intermediate[0].data();
  for (std::uint64_t remaining = destination.walk.elements(); remaining > 0;) {
    const unsigned rows = block_of(remaining);
    remaining -= rows;
    const auto& lefts = firsts.next(rows);
    const auto& rights = seconds.next(rows);
    const auto& out = results.rows(rows);
    const std::uint32_t* previous = state.data();
    for (unsigned r = 0; r < rows; ++r) {
      apply(kernel0, scan.reverse0, lefts[r], previous, between);
      apply(kernel1, scan.reverse1, between, rights[r], out[r]);
      previous = out[r];
    }
    std::copy_n(previous, step.lanes, state.begin());
    results.commit();
  }
}

}  // namespace tpb
