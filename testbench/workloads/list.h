// The workloads, each from a file of its own.
#pragma once

#include "testbench/workloads/workload.h"

namespace tpb::workloads {

Workload softmax();
Workload masked_softmax();
Workload layer_norm();
Workload rms_norm();
Workload attention();
Workload mamba_scan();
Workload tiled_matmul();
Workload cumulative_sum();
Workload average_pool();
Workload row_argmax();
Workload top16();

}  // namespace tpb::workloads
