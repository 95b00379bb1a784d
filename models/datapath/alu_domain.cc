#include "models/datapath/alu_domain.h"

#include <bit>
#include <limits>
#include <stdexcept>

namespace tpb {

// Bits 7 and 6 of a wire code mark the integer datapath.
bool is_integer_band(AluOp op) { return static_cast<unsigned>(op) >> 6 == 3; }
bool is_bitvec(AluOp op) {
  const auto code = static_cast<unsigned>(op);
  return (code >= 0x01 && code <= 0x03) || (code >= 0x0A && code <= 0x11);
}
bool is_shift(AluOp op) {
  return op == AluOp::arith_shift_left || op == AluOp::arith_shift_right || op == AluOp::logical_shift_left ||
         op == AluOp::logical_shift_right;
}
bool is_unary(AluOp op) {
  switch (op) {
    case AluOp::bypass:
    case AluOp::bitwise_not:
    case AluOp::abs:
    case AluOp::rsqrt:
    case AluOp::relu:
    case AluOp::square:
    case AluOp::abs_int:
      return true;
    default:
      return false;
  }
}
bool is_signed_integer(Dtype dtype) { return dtype == Dtype::int8 || dtype == Dtype::int16 || dtype == Dtype::int32; }

Domain domain_of(AluOp op) {
  return is_integer_band(op) ? Domain::integer : is_bitvec(op) ? Domain::raw : Domain::fp32;
}

Interpretation interpretation(Domain domain, AluOp op, Dtype dtype) {
  return {domain, domain == Domain::integer && is_signed_integer(dtype) && op < AluOp::max_uint};
}
std::uint32_t sign_bit(const Interpretation& as) { return as.is_signed ? 0x8000'0000U : 0U; }

std::uint32_t identity_of(AluOp op) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  return std::bit_cast<std::uint32_t>(op == AluOp::mult  ? 1.0F
                                      : op == AluOp::max ? -kInfinity
                                      : op == AluOp::min ? kInfinity
                                                         : 0.0F);
}

LaneKernel kernel_of(const LaneKernels& kernels, Domain domain, AluOp op) {
  const LaneKernel kernel = kernels.operation(domain, op);
  if (kernel == nullptr) throw std::logic_error("datapath: operation without a kernel");
  return kernel;
}

}  // namespace tpb
