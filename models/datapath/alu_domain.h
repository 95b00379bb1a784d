// The domain in which an ALU operation works, and how operands enter it (semantics chapter 2).
#pragma once

#include <cstdint>

#include "models/datapath/lane_kernels.h"
#include "models/datapath/streams.h"
#include "models/isa/alu_op.h"

namespace tpb {

bool is_integer_band(AluOp op);
bool is_bitvec(AluOp op);
bool is_shift(AluOp op);
bool is_unary(AluOp op);  // uses its left operand only
bool is_signed_integer(Dtype dtype);

// Integers for the integer band, raw bits for bit-vector operations, fp32 for everything else.
Domain domain_of(AluOp op);
// Operands of the unsigned operations are bits without a sign whatever their dtype.
Interpretation interpretation(Domain domain, AluOp op, Dtype dtype);
std::uint32_t sign_bit(const Interpretation& as);

// What an accumulator starts from when its command is to reset: fp32 bits, for add, subtract, mult, max and min.
std::uint32_t identity_of(AluOp op);

// Throws when there is none: legality admits no such operation, so reaching it is a mistake of this program.
LaneKernel kernel_of(const LaneKernels& kernels, Domain domain, AluOp op);

}  // namespace tpb
