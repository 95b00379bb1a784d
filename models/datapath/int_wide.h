// Integer operations with results of 64 bits, their words to two destinations.
#pragma once

#include "models/datapath/element_wise.h"

namespace tpb {

// Both operands are widened to 64 bits by their own signedness; the low word of element i goes to element i of `low`,
// the high word to that of `high`. The right operand is a tensor or a scalar.
struct WideOperand {
  const RowView* tensor = nullptr;
  Immediate scalar;
};
void int_wide(AluOp op, const RowView& left, const WideOperand& right, const RowView& low, const RowView& high,
              Scratch& scratch);

}  // namespace tpb
