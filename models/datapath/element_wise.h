// Element-wise operations: element i of the destination comes from element i of every source.
#pragma once

#include <span>

#include "models/datapath/alu_domain.h"
#include "models/datapath/execute.h"
#include "models/isa/alu_op.h"

namespace tpb {

// The immediate number `index` of an instruction as a row of one value per lane, already in a domain. It lies in
// memory, `pointed`, or, when that is null, is `word` in every lane. A scalar is read before any result is written.
// Raw immediates are words: `bits` is how many of them the operation looks at.
struct Immediate {
  std::uint32_t word = 0;
  const RowView* pointed = nullptr;
  Dtype dtype = Dtype::fp32;
};
const std::uint32_t* scalar_row(const Immediate& immediate, unsigned index, Interpretation as, std::uint32_t lanes,
                                Scratch& scratch, unsigned bits = 32);

// One step: r = op(r, operand), or op(operand, r) when reversed. The operand is a tensor or, when that is null, a
// scalar; a unary operation has any.
struct Step {
  AluOp op = AluOp::bypass;
  const RowView* tensor = nullptr;
  const std::uint32_t* scalar = nullptr;
  bool reversed = false;
};

// What the results of the last step, still in their domain, are folded into: starts from the first element.
struct Accumulation {
  AluOp op;
  Row& row;
};

// r = first, then every step in turn; r is never narrowed between steps. At most one step has a tensor.
void element_wise(Domain domain, const RowView& first, std::span<const Step> steps, const RowView& destination,
                  Scratch& scratch, const Accumulation* accumulation = nullptr);

// Element i of the destination = op(element i of left, element i of right). Exact: all three dtypes are integers and
// the operation works on 64-bit integers, low bits kept; else in the operation's own domain.
void combine(AluOp op, bool exact, const RowView& left, const RowView& right, const RowView& destination,
             Scratch& scratch);

// Equal dtypes: bit by bit; else through fp32.
void copy(const RowView& source, const RowView& destination, Scratch& scratch);

// Element i of partition p of every block of 32 by 32 goes to element p of partition i. Equal dtypes, bit by bit.
void stream_transpose(const RowView& source, const RowView& destination, Scratch& scratch);

// 1 / x, correctly rounded.
void reciprocal(const RowView& source, const RowView& destination, Scratch& scratch);

}  // namespace tpb
