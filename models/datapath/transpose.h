// Blocks of 32 partitions by 32 consecutive elements, transposed. Lanes and elements are multiples of 32.
#pragma once

#include "models/datapath/execute.h"

namespace tpb {

// Equal dtypes, bit by bit.
void stream_transpose(const RowView& source, const RowView& destination, Scratch& scratch);

// The whole source, transposed, as words of their own in the order of its stream: fp32; or, ahead of an operation that
// does not work in fp32, 32-bit integers.
RowView transposed(const RowView& source, bool through_fp32, Scratch& scratch);

}  // namespace tpb
