// Operands as streams of rows: a block of up to 16 rows at a time, in stream order, in the domain an operation wants.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/datapath/execute.h"
#include "models/datapath/lane_kernels.h"
#include "models/datapath/row_view.h"

namespace tpb {

using Row = std::array<std::uint32_t, kLanes>;
using RowBlock = std::array<Row, kBlockRows>;

struct Scratch::Buffers {
  alignas(64) std::array<RowBlock, 2> source{};              // converted rows of each source
  alignas(64) RowBlock result{};                             // rows of results before they are stored
  alignas(64) std::array<Row, 4> masks{};                    // of the destination, by byte of the word
  alignas(64) RowBlock old{};                                // old values of a destination that accumulates
  alignas(64) Row start{}, divisor{}, scale{}, minus_one{};  // one value in every lane
  const LaneKernels& kernels = lane_kernels();
  std::array<std::vector<std::uint32_t>, 2> copies;  // sources that the destination overlaps out of step
};

// The words that hold the next elements of a view, in stream order.
class ElementWalk {
 public:
  explicit ElementWalk(const RowView& view);

  // Row (from first_lane) and bit position within the word of the next `count` elements, at most kBlockRows.
  void next(unsigned count, std::array<std::uint32_t*, kBlockRows>& rows, std::array<std::uint32_t, kBlockRows>& shift);

 private:
  std::uint32_t* base_;
  std::array<std::int64_t, kPatternDims> step_;  // bytes to the next element when a dimension advances
  std::array<std::uint32_t, kPatternDims> num_;
  std::array<std::uint32_t, kPatternDims> index_{};
  std::int64_t byte_;
};

// How a dtype enters a domain. In the integer and raw domains `is_signed` extends by the sign, else with zeros.
struct Interpretation {
  Domain domain = Domain::fp32;
  bool is_signed = false;
};

unsigned whole_lanes(const RowView& view);  // lanes rounded up to whole groups

// Reads a view. 32-bit elements that need no conversion are pointers into the memory itself.
class SourceStream {
 public:
  SourceStream(const RowView& view, Interpretation as, const LaneKernels& kernels, RowBlock& buffer);

  // Readable rows of the next `count` elements; valid until the next call.
  const std::array<const std::uint32_t*, kBlockRows>& next(unsigned count);

 private:
  ElementWalk walk_;
  LaneKernel convert_ = nullptr;  // null: rows are used where they lie
  RowBlock& buffer_;
  LaneBlock block_;
  std::array<std::uint32_t*, kBlockRows> words_;
};

// Writes a view. Only lanes and bytes that belong to the view change.
class DestinationStream {
 public:
  DestinationStream(const RowView& view, Interpretation as, const LaneKernels& kernels, Scratch::Buffers& buffers);

  // Rows to compute the next `count` results into; commit() publishes them. Results that are already in their final
  // form are computed in the memory itself.
  const std::array<std::uint32_t*, kBlockRows>& rows(unsigned count);
  void commit();
  // Converts and publishes rows that lie elsewhere, as the next `count` elements.
  void store(const std::uint32_t* const* rows, unsigned count);

 private:
  ElementWalk walk_;
  LaneKernel convert_;
  bool direct_;
  RowBlock& buffer_;
  const std::array<Row, 4>& masks_;
  LaneBlock block_;
  std::array<std::uint32_t*, kBlockRows> words_;
  unsigned count_ = 0;
};

// The view to read a source through so that writing the destination meanwhile cannot be noticed: itself when they are
// disjoint or, for an element-wise operation, in step (every element is read before its own bytes are written); else
// a copy of the rows it touches.
RowView undisturbed(const RowView& source, const RowView& destination, bool element_wise,
                    std::vector<std::uint32_t>& copy);

}  // namespace tpb
