// Folds over partitions, in increasing order, to the one partition where the destination starts.
#pragma once

#include "models/datapath/execute.h"
#include "models/isa/alu_op.h"

namespace tpb {

struct CrossLane {
  AluOp op = AluOp::add;
  float scale = 1.0F;  // fp32: elements are multiplied by it before they are combined, when `average`
  bool average = false;
  bool transposed = false;  // of blocks of 32 partitions by 32 elements of the source, transposed
  bool everything = false;  // then fold those results, in stream order, to one
};
void cross_lane(const CrossLane& reduction, const RowView& source, const RowView& destination, Scratch& scratch);

}  // namespace tpb
