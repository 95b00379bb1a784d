// Folds along the free axis.
#pragma once

#include <cstdint>

#include "models/datapath/execute.h"
#include "models/isa/alu_op.h"

namespace tpb {

// A fold of every `window` consecutive elements of the source stream into one element of the destination, in stream
// order, accumulator on the left, starting from the first element. Arithmetic operations work in fp32, bit-vector ones
// on raw bits, the integer band on exact integers. Unary operations give op(first element).
struct Fold {
  AluOp op = AluOp::add;
  std::uint64_t window = 1;
  bool transposed = false;       // of blocks of 32 partitions by 32 elements of the source, transposed
  const float* start = nullptr;  // fp32: start from this value and combine the first element too
  float divisor = 1.0F;          // fp32: elements are divided by it before they are combined, when not 1
  float scale = 1.0F;            // fp32: one multiply after the fold, when not 1
  bool negate = false;           // after the fold (not for bit-vector operations)
  bool accumulate = false;       // then combine with the destination's old value on the right
};
void fold(const Fold& fold, const RowView& source, const RowView& destination, Scratch& scratch);

// The mean as the reference computes it: acc = first / N, then acc = acc + x / N.
Fold average_fold(std::uint64_t window);

}  // namespace tpb
