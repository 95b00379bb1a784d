#include "models/datapath/matmul.h"

#include <algorithm>
#include <bit>

#include "models/datapath/alu_domain.h"

namespace tpb {
namespace {

LaneKernel widen_of(const LaneKernels& kernels, Dtype dtype) { return kernels.widen[static_cast<std::size_t>(dtype)]; }

// left <- kernel(left, right), in rows of a buffer.
void apply(LaneKernel kernel, LaneBlock& block, RowBlock& buffer) {
  for (unsigned r = 0; r < block.rows; ++r) block.out[r] = buffer[r].data();
  kernel(block);
  std::copy_n(block.out.begin(), block.rows, block.left.begin());
}

// Rows of the stationary tile, by the moving elements that are not zero.
void choose_rows(const StationaryTile& stationary, const RowView& source, const RowView& destination,
                 Scratch::Buffers& buffers) {
  const LaneKernels& kernels = buffers.kernels;
  const Row& nothing = buffers.minus_one;
  fill(buffers.minus_one, 0);
  // fp32 takes the widened bits as they are, a NaN's payload too.
  const bool moves = stationary.dtype == destination.dtype || destination.dtype == Dtype::fp32;
  const bool widens = stationary.dtype != destination.dtype && bytes_of(stationary.dtype) < 4;
  SourceStream sources(undisturbed(source, destination, false, buffers.copies[0]), {}, kernels, buffers.source[0]);
  DestinationStream results(destination, {moves ? Domain::raw : Domain::fp32}, kernels, buffers.destination[0]);
  LaneBlock block;
  block.lanes = whole_lanes(destination);
  block.shift.fill(0);
  for (std::uint64_t remaining = destination.walk.elements(); remaining > 0; remaining -= block.rows) {
    block.rows = block_of(remaining);
    const auto& moving = sources.next(block.rows);
    for (unsigned r = 0; r < block.rows; ++r) {
      const std::uint32_t* const past = moving[r] + stationary.rows;
      const std::uint32_t* const one =
          std::find_if(moving[r], past, [](std::uint32_t word) { return std::bit_cast<float>(word) != 0.0F; });
      block.left[r] = one == past ? nothing.data() : stationary.words[static_cast<std::size_t>(one - moving[r])].data();
    }
    block.right = block.left;
    if (widens) apply(widen_of(kernels, stationary.dtype), block, buffers.intermediate);
    results.store(block.left.data(), block.rows);
  }
}

}  // namespace

void load_stationary(const Loading& loading, const RowView& source, StationaryTile& stationary, Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  stationary.rows = source.lanes;
  stationary.cols = static_cast<std::uint32_t>(source.walk.elements());
  stationary.dtype = source.dtype;
  stationary.transposing = loading.transposing;
  SourceStream sources(source, {loading.transposing ? Domain::raw : Domain::fp32}, buffers.kernels, buffers.source[0]);
  LaneBlock block;
  block.lanes = whole_lanes(source);
  for (unsigned m = 0; m < stationary.cols; m += block.rows) {
    block.rows = block_of(stationary.cols - m);
    block.left = block.right = sources.next(block.rows);
    if (loading.tfloat32 && !loading.transposing) apply(buffers.kernels.round_tfloat32, block, buffers.intermediate);
    for (unsigned k = 0; k < stationary.rows; ++k) {
      for (unsigned r = 0; r < block.rows; ++r) stationary.words[k][m + r] = block.left[r][k];
    }
  }
}

void multiply_moving(const Moving& moving, const StationaryTile& stationary, const RowView& source,
                     const RowView& destination, Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  if (stationary.transposing) return choose_rows(stationary, source, destination, buffers);
  const LaneKernels& kernels = buffers.kernels;
  const LaneKernel add = kernel_of(kernels, Domain::fp32, AluOp::add);
  SourceStream sources(undisturbed(source, destination, false, buffers.copies[0]), {}, kernels, buffers.source[0]);
  SourceStream olds(moving.accumulate ? undisturbed(destination, destination, true, buffers.copies[1]) : destination,
                    {}, kernels, buffers.old);
  DestinationStream results(destination, {}, kernels, buffers.destination[0]);

  LaneBlock operand;
  operand.lanes = whole_lanes(source);
  LaneBlock sums;
  sums.lanes = whole_lanes(destination);
  ProductBlock products;
  products.stationary = stationary.words[0].data();
  products.depth = stationary.rows;
  products.lanes = sums.lanes;
  for (unsigned r = 0; r < kBlockRows; ++r) products.out[r] = buffers.intermediate[r].data();
  for (std::uint64_t remaining = destination.walk.elements(); remaining > 0; remaining -= products.rows) {
    products.rows = operand.rows = sums.rows = block_of(remaining);
    operand.left = operand.right = sources.next(operand.rows);
    if (moving.tfloat32) apply(kernels.round_tfloat32, operand, buffers.source[1]);
    products.moving = operand.left;
    kernels.multiply(products);
    std::copy_n(products.out.begin(), products.rows, sums.left.begin());
    if (moving.accumulate) {
      sums.right = sums.left;
      sums.left = olds.next(sums.rows);
      apply(add, sums, buffers.intermediate);
    }
    results.store(sums.left.data(), sums.rows);
  }
}

}  // namespace tpb
