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

// A block of 32 partitions by 32 consecutive elements is transposed at a time.
inline constexpr unsigned kTransposedSide = 32;
using TransposedRows = std::array<Row, kTransposedSide>;

struct DestinationBuffers {
  alignas(64) RowBlock result{};           // rows of results before they are stored
  alignas(64) std::array<Row, 4> masks{};  // by byte of the word
};

struct Scratch::Buffers {
  alignas(64) std::array<RowBlock, 2> source{};  // converted rows of each source
  std::array<DestinationBuffers, kMaxDestinations> destination{};
  alignas(64) RowBlock old{};                                // old values of a destination that accumulates
  alignas(64) RowBlock intermediate{};                       // results of a step that is not the last
  alignas(64) Row start{}, divisor{}, scale{}, minus_one{};  // one value in every lane
  alignas(64) std::array<Row, 2> immediate{}, scalar{};      // the immediates as they came, and as they are used
  alignas(64) std::array<Row, 2> accumulator{};
  alignas(64) std::array<Row, kLanes> tile{};  // elements of every partition, on their way across
  alignas(64) TransposedRows transposed{};
  const LaneKernels& kernels = lane_kernels();
  std::array<std::vector<std::uint32_t>, 2> copies;  // sources that the destination overlaps out of step
};

// Rows of the next block when `remaining` elements are left.
inline unsigned block_of(std::uint64_t remaining) {
  return static_cast<unsigned>(remaining < kBlockRows ? remaining : kBlockRows);
}
// One value in every lane.
inline const std::uint32_t* fill(Row& row, std::uint32_t value) {
  row.fill(value);
  return row.data();
}
// The same row for every element of a block.
inline std::array<const std::uint32_t*, kBlockRows> repeated(const std::uint32_t* row) {
  std::array<const std::uint32_t*, kBlockRows> rows;
  rows.fill(row);
  return rows;
}
// Words that lie in rows of their own, one after another, as a memory to read or write: `elements` of 32 bits.
RowView view_of_rows(std::uint32_t* words, std::uint32_t lanes, Dtype dtype, std::uint32_t elements = 1);

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

// Reads a view. 32-bit elements that need no conversion are pointers into the memory itself. Given rows to transpose
// in, it delivers the elements after that: lanes and elements are multiples of 32 then, and blocks are whole.
class SourceStream {
 public:
  SourceStream(const RowView& view, Interpretation as, const LaneKernels& kernels, RowBlock& buffer,
               TransposedRows* transposed = nullptr);

  // Readable rows of the next `count` elements; valid until the next call.
  const std::array<const std::uint32_t*, kBlockRows>& next(unsigned count);

 private:
  void read(unsigned count);
  void transpose();

  ElementWalk walk_;
  LaneKernel convert_ = nullptr;  // null: rows are used where they lie
  RowBlock& buffer_;
  TransposedRows* transposed_;
  unsigned place_ = 0;  // of the next element in its transposed block
  unsigned source_lanes_;
  LaneBlock block_;
  std::array<std::uint32_t*, kBlockRows> words_;
};

// Writes a view. Only lanes and bytes that belong to the view change.
class DestinationStream {
 public:
  DestinationStream(const RowView& view, Interpretation as, const LaneKernels& kernels, DestinationBuffers& buffers);

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

// Writes int32 results into a view of any dtype: low bits into integers, by way of fp32 into floating types.
class IntegerDestination {
 public:
  IntegerDestination(const RowView& view, Scratch::Buffers& buffers);
  void store(const std::uint32_t* const* rows, unsigned count);

 private:
  LaneKernel widen_;  // null: the destination is an integer
  RowBlock& converted_;
  DestinationStream destination_;
  LaneBlock block_;
};

// Whether no byte of a partition belongs to both. May say no of views that are.
bool disjoint(const RowView& a, const RowView& b);

// The view to read a source through so that writing the destination meanwhile cannot be noticed: itself when they are
// disjoint or, for an element-wise operation, in step (every element is read before its own bytes are written); else
// a copy of the rows it touches.
RowView undisturbed(const RowView& source, const RowView& destination, bool element_wise,
                    std::vector<std::uint32_t>& copy);

}  // namespace tpb
