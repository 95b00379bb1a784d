// Recurrences along the free axis: every result depends on the one before it.
#pragma once

#include <cstdint>

#include "models/datapath/element_wise.h"

namespace tpb {

// Both start from the row `state` and leave the last result in it; all in fp32, never narrowed on the way.

// state = op1(op0(source[i], scalar), state); the destination takes every state.
struct Cumulative {
  AluOp op0, op1;
  const std::uint32_t* scalar;
};
void cumulative(const Cumulative& cumulative, Row& state, const RowView& source, const RowView& destination,
                Scratch& scratch);

// state = op1(op0(first[i], state), second[i]), the operands of each exchanged where it is reversed.
struct Scan {
  AluOp op0, op1;
  bool reverse0 = false, reverse1 = false;
};
void scan(const Scan& scan, Row& state, const RowView& first, const RowView& second, const RowView& destination,
          Scratch& scratch);

}  // namespace tpb
