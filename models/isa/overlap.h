// Whether two operands touch a common byte, exactly.
#pragma once

#include "models/isa/instruction.h"

namespace tpb {

// True when some byte of some partition belongs to both operands. Addresses are immediate. A bounding test answers most
// calls; patterns with gaps are walked.
bool overlaps(const Operand& a, const Operand& b, const MemoryMap& map);

}  // namespace tpb
