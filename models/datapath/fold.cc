#include "models/datapath/fold.h"

#include <algorithm>
#include <bit>

#include "models/datapath/alu_domain.h"
#include "models/datapath/streams.h"

namespace tpb {

Fold average_fold(std::uint64_t window) {
  Fold mean;
  mean.op = AluOp::add;
  mean.window = window;
  mean.divisor = static_cast<float>(window);
  return mean;
}

namespace {

// Complete rows of a fold: results[k] <- kernel(results[k], right[k]), kept in rows[k].
struct Completed {
  std::array<const std::uint32_t*, kBlockRows> results;
  unsigned count = 0;

  void apply(LaneKernel kernel, const std::array<const std::uint32_t*, kBlockRows>& right, LaneBlock block,
             RowBlock& rows) {
    for (unsigned k = 0; k < count; ++k) block.out[k] = rows[k].data();
    block.left = results;
    block.right = right;
    block.rows = count;
    kernel(block);
    std::copy_n(block.out.begin(), count, results.begin());
  }
  void apply(LaneKernel kernel, const std::uint32_t* right, const LaneBlock& block, RowBlock& rows) {
    apply(kernel, repeated(right), block, rows);
  }
};

}  // namespace

void fold(const Fold& fold, const RowView& source, const RowView& destination, Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  const LaneKernels& kernels = buffers.kernels;
  const Domain domain = domain_of(fold.op);
  const LaneKernel kernel = kernel_of(kernels, domain, fold.op);
  const bool unary = is_unary(fold.op);
  const Interpretation as = interpretation(domain, fold.op, source.dtype);
  SourceStream sources(undisturbed(source, destination, fold.window == 1 && !fold.transposed, buffers.copies[0]), as,
                       kernels, buffers.source[0], fold.transposed ? &buffers.transposed : nullptr);
  SourceStream olds(fold.accumulate ? undisturbed(destination, destination, true, buffers.copies[1]) : destination,
                    interpretation(domain, fold.op, destination.dtype), kernels, buffers.old);
  DestinationStream destinations(destination, as, kernels, buffers.destination[0]);

  const std::uint32_t* const start =
      fold.start ? fill(buffers.start, std::bit_cast<std::uint32_t>(*fold.start)) : nullptr;
  const std::uint32_t* const scale = fill(buffers.scale, std::bit_cast<std::uint32_t>(fold.scale));
  const std::uint32_t* const divisor = fill(buffers.divisor, std::bit_cast<std::uint32_t>(fold.divisor));
  const std::uint32_t* const minus_one =
      fill(buffers.minus_one, domain == Domain::integer ? ~0U : std::bit_cast<std::uint32_t>(-1.0F));

  LaneBlock block;
  block.lanes = whole_lanes(destination);
  block.bits = bytes_of(source.dtype) * 8;
  block.left_sign = block.right_sign = sign_bit(as);

  RowBlock& accumulators = buffers.destination[0].result;
  const std::uint32_t* accumulator = start;  // of the window being folded
  std::uint64_t position = 0;                // within the window
  for (std::uint64_t remaining = destination.walk.elements() * fold.window; remaining > 0;) {
    const unsigned rows = block_of(remaining);
    remaining -= rows;
    std::array<const std::uint32_t*, kBlockRows> elements = sources.next(rows);
    if (fold.divisor != 1.0F) {
      Completed divided{elements, rows};
      divided.apply(kernel_of(kernels, domain, AluOp::divide), divisor, block, buffers.source[1]);
      elements = divided.results;
    }
    // 1. One step per element, except that a window that starts from its first element only takes it.
    Completed completed;
    block.rows = 0;
    for (unsigned r = 0; r < rows; ++r) {
      const bool first = position == 0;
      if (unary ? first : !first || start != nullptr) {
        block.left[block.rows] = unary ? elements[r] : accumulator;
        block.right[block.rows] = elements[r];
        accumulator = block.out[block.rows++] = accumulators[completed.count].data();
      } else if (first) {
        accumulator = elements[r];
      }
      if (++position == fold.window) {
        completed.results[completed.count++] = accumulator;
        accumulator = start;
        position = 0;
      }
    }
    if (block.rows > 0) kernel(block);
    // 2. What follows a complete fold.
    if (completed.count > 0) {
      if (fold.scale != 1.0F) {
        completed.apply(kernel_of(kernels, domain, AluOp::mult), scale, block, accumulators);
      }
      if (fold.negate) {
        LaneBlock signed_block = block;
        signed_block.right_sign = 0x8000'0000U;
        completed.apply(kernel_of(kernels, domain, AluOp::mult), minus_one, signed_block, accumulators);
      }
      if (fold.accumulate) completed.apply(kernel, olds.next(completed.count), block, accumulators);
      destinations.store(completed.results.data(), completed.count);
    }
    // 3. A window that goes on keeps its accumulator where the next block does not write.
    if (position != 0 && accumulator != accumulators[0].data()) {
      std::copy_n(accumulator, block.lanes, accumulators[0].data());
      accumulator = accumulators[0].data();
    }
  }
}

}  // namespace tpb
