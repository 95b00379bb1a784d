#include "models/datapath/activate.h"

#include <algorithm>
#include <bit>

#include "models/datapath/alu_domain.h"

namespace tpb {
namespace {

constexpr std::uint32_t kNan = 0x7FC0'0000;  // that maximum and minimum pass over

// Rows of `right` one after another into one row.
void fold_into(Row& row, LaneKernel kernel, LaneBlock block) {
  block.out.fill(row.data());
  block.left.fill(row.data());
  kernel(block);
}

// The smallest and largest arguments, or magnitudes of arguments, of every lane, beside a documented range.
class RangeCheck {
 public:
  RangeCheck(const std::optional<ArgumentRange>& range, const LaneKernels& kernels) : range_(range) {
    if (!range_) return;
    const bool magnitude = range_->magnitude;
    smallest_ = kernel_of(kernels, Domain::fp32, magnitude ? AluOp::abs_min : AluOp::min);
    largest_ = kernel_of(kernels, Domain::fp32, magnitude ? AluOp::abs_max : AluOp::max);
    low_.fill(kNan);
    high_.fill(kNan);
  }
  void take(const LaneBlock& arguments) {
    if (!range_) return;
    fold_into(low_, smallest_, arguments);
    fold_into(high_, largest_, arguments);
  }
  bool outside(unsigned lanes) const {
    if (!range_) return false;
    const auto below = [&](std::uint32_t word) { return std::bit_cast<float>(word) < range_->low; };
    const auto above = [&](std::uint32_t word) { return std::bit_cast<float>(word) > range_->high; };
    return std::any_of(low_.begin(), low_.begin() + lanes, below) ||
           std::any_of(high_.begin(), high_.begin() + lanes, above);
  }

 private:
  const std::optional<ArgumentRange>& range_;
  LaneKernel smallest_ = nullptr, largest_ = nullptr;
  alignas(64) Row low_, high_;
};

}  // namespace

bool activate(const Activate& activate, Row& accumulator, const RowView& source, const RowView& destination,
              Scratch& scratch) {
  Scratch::Buffers& buffers = scratch.buffers();
  const LaneKernels& kernels = buffers.kernels;
  const LaneKernel multiply = kernel_of(kernels, Domain::fp32, AluOp::mult);
  const LaneKernel add = kernel_of(kernels, Domain::fp32, AluOp::add);
  const LaneKernel reduce = kernel_of(kernels, Domain::fp32, activate.reduce);
  const LaneKernel function = kernels.activation[static_cast<std::size_t>(activate.function)];
  const std::uint32_t* const slope = fill(buffers.start, std::bit_cast<std::uint32_t>(activate.slope));
  RangeCheck check(activations()[static_cast<std::size_t>(activate.function)].range, kernels);

  const bool resets =
      activate.command == AccumulatorCommand::reset || activate.command == AccumulatorCommand::reset_reduce;
  const bool reduces =
      activate.command == AccumulatorCommand::reduce || activate.command == AccumulatorCommand::reset_reduce;
  Row& sum = buffers.accumulator[0];
  sum = accumulator;
  if (resets) sum.fill(identity_of(activate.reduce));

  SourceStream sources(undisturbed(source, destination, true, buffers.copies[0]), {}, kernels, buffers.source[0]);
  DestinationStream results(destination, {}, kernels, buffers.destination[0]);
  LaneBlock block;
  block.lanes = whole_lanes(destination);
  for (unsigned r = 0; r < kBlockRows; ++r) block.out[r] = buffers.intermediate[r].data();
  for (std::uint64_t remaining = destination.walk.elements(); remaining > 0; remaining -= block.rows) {
    block.rows = block_of(remaining);
    // 1. The argument.
    block.left = sources.next(block.rows);
    block.right = repeated(activate.scale);
    multiply(block);
    std::copy(block.out.begin(), block.out.end(), block.left.begin());
    block.right = repeated(activate.bias);
    add(block);
    block.right = block.left;
    check.take(block);
    // 2. The function, in rows of their own: a destination may write an element twice.
    block.right = repeated(slope);
    function(block);
    // 3. The results.
    block.right = block.left;
    if (reduces) fold_into(sum, reduce, block);
    results.store(block.left.data(), block.rows);
  }
  std::copy_n(sum.begin(), source.lanes, accumulator.begin());
  return check.outside(source.lanes);
}

}  // namespace tpb
