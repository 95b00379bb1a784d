// One mapper per family of ONNX operators.
#pragma once

#include "testbench/conformance/mapping.h"

namespace tpb {

MappedCase map_pool(const OnnxCase& onnx_case);
MappedCase map_reduce(const OnnxCase& onnx_case);
MappedCase map_elementwise(const OnnxCase& onnx_case);
MappedCase map_cast(const OnnxCase& onnx_case);
MappedCase map_search(const OnnxCase& onnx_case);
MappedCase map_cumulative(const OnnxCase& onnx_case);

MappedCase skipped(SkipReason reason);
// Pooling and reductions compute in fp32, which holds 8- and 16-bit integers, but not their sums.
bool exact_through_fp32(Dtype dtype, bool sums);

}  // namespace tpb
