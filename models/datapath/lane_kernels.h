// Lane kernels: what happens to one block of rows, by table. A kernel sees rows of 32-bit lanes and nothing else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/datapath/row_view.h"
#include "models/isa/activation.h"
#include "models/isa/alu_op.h"
#include "models/isa/dtype.h"

namespace tpb {

inline constexpr unsigned kBlockRows = 16;

// Up to kBlockRows rows of operands. For every row r in increasing order and every lane l < lanes:
//   out[r][l] = f(out[r][l], left[r][l], right[r][l]).
// Rows of `out` may be the rows of `left` or `right`, or the same row again: an in-order fold is the element-wise
// kernel with the accumulator as both left operand and result. Every pointer is readable, even where f ignores it.
struct LaneBlock {
  std::array<std::uint32_t*, kBlockRows> out;
  std::array<const std::uint32_t*, kBlockRows> left;
  std::array<const std::uint32_t*, kBlockRows> right;
  std::array<std::uint32_t, kBlockRows> shift;  // widen, narrow: bit position of the element in its word
  unsigned rows = 0;
  unsigned lanes = 0;           // a multiple of kLaneGroup
  unsigned bits = 32;           // raw domain: width of an element
  std::uint32_t left_sign = 0;  // integer domain: 0x80000000 when the operand is signed, else 0
  std::uint32_t right_sign = 0;
  std::uint32_t position = 0;  // search: place of row 0 in its stream
};

using LaneKernel = void (*)(const LaneBlock&);

// Rows of the PE array: out[r][m] = the sum over k < depth, in increasing order and from the first product on, of
// stationary[k][m] x moving[r][k] in fp32, a product being rounded before it is added. A NaN result is any NaN.
struct ProductBlock {
  std::array<std::uint32_t*, kBlockRows> out;
  std::array<const std::uint32_t*, kBlockRows> moving;
  const std::uint32_t* stationary = nullptr;  // row k at k * kLanes
  unsigned rows = 0;
  unsigned depth = 1;  // 1..kLanes
  unsigned lanes = 0;  // of a stationary row and of a result, a multiple of kLaneGroup
};

using ProductKernel = void (*)(const ProductBlock&);

// Three domains in which an operation can work on lanes (semantics chapter 2): fp32 values, integers exact in 64 bits,
// raw bits. Absent combinations are null.
enum class Domain : std::uint8_t { fp32, integer, raw };

struct LaneKernels {
  // By AluOp. fp32 results are never a NaN other than 7FC00000; integer results are the low 32 bits.
  std::array<LaneKernel, 256> fp32{}, integer{}, raw{};
  // By Dtype. widen: element at `shift` of left -> fp32. narrow: fp32 of left -> element at `shift` of out, where the
  // mask in right has ones.
  std::array<LaneKernel, 16> widen{}, narrow{};
  // fp32 rounded to the ten mantissa bits of tfloat32.
  LaneKernel round_tfloat32 = nullptr;
  // Raw elements of `bits` bits out of their words, zero- or sign-extended, and back under the mask in right.
  LaneKernel extract = nullptr, extract_signed = nullptr, insert = nullptr;
  // By Activation: the function of left; right is the slope of prelu.
  std::array<LaneKernel, 32> activation{};
  ProductKernel multiply = nullptr;
  // By AluOp: low and high word of the 64-bit results of integer operands.
  std::array<LaneKernel, 256> wide_low{}, wide_high{};
  // fp32, left the accumulator: right where it is strictly smaller (larger), so neither NaN nor an equal zero.
  LaneKernel take_smaller = nullptr, take_larger = nullptr;

  // Searches take the rows of right one after another into the eight rows of out, their slots.
  // insert8: slots stay descending; an element goes behind those equal to it and the last one drops out.
  LaneKernel insert8 = nullptr;
  // match: a slot that is all ones takes the element's place where its value, in left, equals the element; every such
  // slot, or only the lowest.
  struct Match {
    LaneKernel first = nullptr, successive = nullptr;
  };
  Match match_fp32, match_raw;

  LaneKernel operation(Domain domain, AluOp op) const {
    const auto& table = domain == Domain::fp32 ? fp32 : domain == Domain::integer ? integer : raw;
    return table[static_cast<std::size_t>(op)];
  }
};

// Two builds of the same source: for the widest vectors the processor has, and one lane at a time. Equal to the bit.
const LaneKernels& vector_lane_kernels();
const LaneKernels& scalar_lane_kernels();
// The scalar build when the environment variable TPBSIM_LANES is "scalar", else the vector build.
const LaneKernels& lane_kernels();

}  // namespace tpb
