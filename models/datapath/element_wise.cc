#include "models/datapath/element_wise.h"

#include <algorithm>
#include <bit>

#include "models/datapath/streams.h"

namespace tpb {

const std::uint32_t* scalar_row(const Immediate& immediate, unsigned index, Interpretation as, std::uint32_t lanes,
                                Scratch& scratch, unsigned bits) {
  Scratch::Buffers& buffers = scratch.buffers();
  Row& word = buffers.immediate[index];
  Row& row = buffers.scalar[index];
  word.fill(immediate.word);
  const RowView inline_view = view_of_rows(word.data(), lanes, immediate.dtype);
  SourceStream value(immediate.pointed != nullptr ? *immediate.pointed : inline_view, as, buffers.kernels,
                     buffers.source[0]);
  const std::uint32_t* const lane = value.next(1)[0];
  for (unsigned l = 0; l < whole_lanes(inline_view); ++l) row[l] = lane[l] & (0xFFFF'FFFFU >> (32 - bits));
  return row.data();
}

void element_wise(Domain domain, const RowView& first, std::span<const Step> steps, const RowView& destination,
                  Scratch& scratch, const Accumulation* accumulation) {
  Scratch::Buffers& buffers = scratch.buffers();
  const LaneKernels& kernels = buffers.kernels;
  const auto as = [&](const Step& step, const RowView& view) { return interpretation(domain, step.op, view.dtype); };
  const RowView* second = nullptr;
  Interpretation second_as;
  for (const Step& step : steps) {
    if (step.tensor == nullptr) continue;
    second = step.tensor;
    second_as = as(step, *second);
  }
  const Interpretation first_as = as(steps.front(), first);
  SourceStream firsts(undisturbed(first, destination, true, buffers.copies[0]), first_as, kernels, buffers.source[0]);
  SourceStream seconds(second != nullptr ? undisturbed(*second, destination, true, buffers.copies[1]) : first,
                       second_as, kernels, buffers.source[1]);
  DestinationStream results(destination, {domain}, kernels, buffers.destination[0]);

  std::array<LaneKernel, 2> kernel{};
  for (std::size_t i = 0; i < steps.size(); ++i) kernel[i] = kernel_of(kernels, domain, steps[i].op);
  const LaneKernel gather = accumulation != nullptr ? kernel_of(kernels, domain, accumulation->op) : nullptr;
  bool started = false;

  LaneBlock block;
  block.lanes = whole_lanes(destination);
  block.bits = bytes_of(first.dtype) * 8;
  block.left_sign = sign_bit(first_as);
  block.right_sign = sign_bit(second_as);
  for (std::uint64_t remaining = destination.walk.elements(); remaining > 0; remaining -= block.rows) {
    block.rows = block_of(remaining);
    block.left = firsts.next(block.rows);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].tensor != nullptr) {
        block.right = seconds.next(block.rows);
      } else {
        block.right = steps[i].scalar != nullptr ? repeated(steps[i].scalar) : block.left;
      }
      if (steps[i].reversed) std::swap(block.left, block.right);
      // Results that are gathered stay in rows of their own: a destination may write an element twice.
      if (i + 1 == steps.size() && gather == nullptr) {
        block.out = results.rows(block.rows);
      } else {
        for (unsigned r = 0; r < block.rows; ++r) block.out[r] = buffers.intermediate[r].data();
      }
      kernel[i](block);
      std::copy_n(block.out.begin(), block.rows, block.left.begin());
    }
    if (gather != nullptr) {
      LaneBlock fold = block;
      Row& row = accumulation->row;
      unsigned taken = 0;
      if (!started) std::copy_n(block.left[taken++], block.lanes, row.begin());
      started = true;
      fold.rows = block.rows - taken;
      std::copy_n(block.left.begin() + taken, fold.rows, fold.right.begin());
      fold.left.fill(row.data());
      fold.out.fill(row.data());
      if (fold.rows > 0) gather(fold);
      results.store(block.left.data(), block.rows);
    } else {
      results.commit();
    }
  }
}

void combine(AluOp op, bool exact, const RowView& left, const RowView& right, const RowView& destination,
             Scratch& scratch) {
  const Step step{op, &right, nullptr, false};
  element_wise(exact ? Domain::integer : domain_of(op), left, {&step, 1}, destination, scratch);
}

namespace {

void move_elements(const RowView& source, bool transposed, const RowView& destination, Scratch::Buffers& buffers) {
  const Interpretation as{source.dtype == destination.dtype ? Domain::raw : Domain::fp32};
  SourceStream sources(undisturbed(source, destination, !transposed, buffers.copies[0]), as, buffers.kernels,
                       buffers.source[0], transposed ? &buffers.transposed : nullptr);
  DestinationStream results(destination, as, buffers.kernels, buffers.destination[0]);
  for (std::uint64_t remaining = destination.walk.elements(); remaining > 0;) {
    const unsigned rows = block_of(remaining);
    results.store(sources.next(rows).data(), rows);
    remaining -= rows;
  }
}

}  // namespace

void copy(const RowView& source, const RowView& destination, Scratch& scratch) {
  move_elements(source, false, destination, scratch.buffers());
}
void stream_transpose(const RowView& source, const RowView& destination, Scratch& scratch) {
  move_elements(source, true, destination, scratch.buffers());
}

void reciprocal(const RowView& source, const RowView& destination, Scratch& scratch) {
  const Immediate one{std::bit_cast<std::uint32_t>(1.0F), nullptr, Dtype::fp32};
  const Step divide{AluOp::divide, nullptr, scalar_row(one, 0, {Domain::fp32}, source.lanes, scratch), true};
  element_wise(Domain::fp32, source, {&divide, 1}, destination, scratch);
}

}  // namespace tpb
