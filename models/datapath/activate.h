// What the activation engine computes: a function of every element, and a fold of the results into accumulators.
#pragma once

#include <cstdint>

#include "models/datapath/execute.h"
#include "models/datapath/streams.h"
#include "models/isa/activation.h"
#include "models/isa/alu_op.h"
#include "models/isa/layout.h"

namespace tpb {

// r = function(x * scale + bias), product and sum each rounded to fp32, the function as lane_activations.inc says.
struct Activate {
  Activation function = Activation::copy;
  const std::uint32_t* scale = nullptr;  // fp32 rows
  const std::uint32_t* bias = nullptr;
  float slope = 0.0F;  // of prelu
  AccumulatorCommand command = AccumulatorCommand::idle;
  AluOp reduce = AluOp::add;  // or max, min
};

// Element i of the destination = r[i] of element i of the source, narrowed once. Accumulators, lane 0 the first
// partition of the source, by the command: idle leaves them; reset makes them the operator's identity (0, -infinity,
// +infinity); reduce makes them op(accumulator, r[i]) in stream order; reset_reduce does one after the other. Whether
// an argument of the function was a number outside the range that the function is documented for.
bool activate(const Activate& activate, Row& accumulator, const RowView& source, const RowView& destination,
              Scratch& scratch);

}  // namespace tpb
