#include "models/datapath/operations.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "models/datapath/streams.h"

namespace tpb {
namespace {

// Bits 7 and 6 of a wire code mark the integer datapath.
bool is_integer_band(AluOp op) { return static_cast<unsigned>(op) >> 6 == 3; }
bool is_unsigned_band(AluOp op) { return op >= AluOp::max_uint; }
bool is_bitvec(AluOp op) {
  const auto code = static_cast<unsigned>(op);
  return (code >= 0x01 && code <= 0x03) || (code >= 0x0A && code <= 0x11);
}
bool is_unary(AluOp op) {
  switch (op) {
    case AluOp::bypass:
    case AluOp::bitwise_not:
    case AluOp::abs:
    case AluOp::rsqrt:
    case AluOp::relu:
    case AluOp::square:
    case AluOp::abs_int:
      return true;
    default:
      return false;
  }
}
bool is_signed_integer(Dtype dtype) { return dtype == Dtype::int8 || dtype == Dtype::int16 || dtype == Dtype::int32; }

LaneKernel kernel_of(const LaneKernels& kernels, Domain domain, AluOp op) {
  const LaneKernel kernel = kernels.operation(domain, op);
  // Legality admits no such operation; reaching it is a mistake of this program, not of the simulated one.
  if (kernel == nullptr) throw std::logic_error("datapath: operation without a kernel");
  return kernel;
}

// Operands of the unsigned operations are bits without a sign whatever their dtype.
Interpretation interpretation(Domain domain, AluOp op, Dtype dtype) {
  return {domain, domain == Domain::integer && is_signed_integer(dtype) && !is_unsigned_band(op)};
}
std::uint32_t sign_bit(const Interpretation& as) { return as.is_signed ? 0x8000'0000U : 0U; }

unsigned block_of(std::uint64_t remaining) {
  return static_cast<unsigned>(std::min<std::uint64_t>(remaining, kBlockRows));
}

}  // namespace

void combine(AluOp op, bool exact, const RowView& left, const RowView& right, const RowView& destination,
             Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  const LaneKernels& kernels = buffers.kernels;
  const Domain domain = exact || is_integer_band(op) ? Domain::integer : Domain::fp32;
  const LaneKernel kernel = kernel_of(kernels, domain, op);
  const Interpretation left_as = interpretation(domain, op, left.dtype);
  const Interpretation right_as = interpretation(domain, op, right.dtype);
  SourceStream lefts(undisturbed(left, destination, true, buffers.copies[0]), left_as, kernels, buffers.source[0]);
  SourceStream rights(undisturbed(right, destination, true, buffers.copies[1]), right_as, kernels, buffers.source[1]);
  DestinationStream results(destination, {domain}, kernels, buffers);

  LaneBlock block;
  block.lanes = whole_lanes(destination);
  block.left_sign = sign_bit(left_as);
  block.right_sign = sign_bit(right_as);
  for (std::uint64_t remaining = destination.walk.elements(); remaining > 0; remaining -= block.rows) {
    block.rows = block_of(remaining);
    block.left = lefts.next(block.rows);
    block.right = rights.next(block.rows);
    block.out = results.rows(block.rows);
    kernel(block);
    results.commit();
  }
}

void copy(const RowView& source, const RowView& destination, Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  const Interpretation as{source.dtype == destination.dtype ? Domain::raw : Domain::fp32};
  SourceStream sources(undisturbed(source, destination, true, buffers.copies[0]), as, buffers.kernels,
                       buffers.source[0]);
  DestinationStream results(destination, as, buffers.kernels, buffers);
  for (std::uint64_t remaining = destination.walk.elements(); remaining > 0;) {
    const unsigned rows = block_of(remaining);
    results.store(sources.next(rows).data(), rows);
    remaining -= rows;
  }
}

Fold average_fold(std::uint64_t window) {
  Fold mean;
  mean.op = AluOp::add;
  mean.window = window;
  mean.divisor = static_cast<float>(window);
  return mean;
}

namespace {

// One value in every lane.
const std::uint32_t* fill(Row& row, std::uint32_t value) {
  row.fill(value);
  return row.data();
}

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
    std::array<const std::uint32_t*, kBlockRows> same;
    same.fill(right);
    apply(kernel, same, block, rows);
  }
};

}  // namespace

void fold(const Fold& fold, const RowView& source, const RowView& destination, Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  const LaneKernels& kernels = buffers.kernels;
  const Domain domain = is_integer_band(fold.op) ? Domain::integer : is_bitvec(fold.op) ? Domain::raw : Domain::fp32;
  const LaneKernel kernel = kernel_of(kernels, domain, fold.op);
  const bool unary = is_unary(fold.op);
  const Interpretation as = interpretation(domain, fold.op, source.dtype);
  SourceStream sources(undisturbed(source, destination, fold.window == 1, buffers.copies[0]), as, kernels,
                       buffers.source[0]);
  SourceStream olds(fold.accumulate ? undisturbed(destination, destination, true, buffers.copies[1]) : destination,
                    interpretation(domain, fold.op, destination.dtype), kernels, buffers.old);
  DestinationStream destinations(destination, as, kernels, buffers);

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

  RowBlock& accumulators = buffers.result;
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
