// Bounds of a sequence. Plane k of the destination is its elements whose index in dimension 2 is k.
#pragma once

#include "models/datapath/execute.h"

namespace tpb {

// Every element of plane 0 takes the smallest value, of plane 1 the largest. Integers from their first element; fp32
// from +inf and -inf by strictly smaller and larger ones, so that NaN never counts and of two zeros the first wins.
void sequence_envelope(const RowView& source, const RowView& destination, Scratch& scratch);

// Element i of the source goes to element i of each plane: where its segment, a run of equal ids, starts, and past
// where it ends. Id 0 is padding and gives (n, -1). One partition, as the instruction has it.
void sequence_segments(const RowView& source, const RowView& destination, Scratch& scratch);

}  // namespace tpb
