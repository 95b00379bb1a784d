// The workloads, each from a file of its own.
#pragma once

#include "testbench/workloads/workload.h"

namespace tpb::workloads {

Workload softmax();

}  // namespace tpb::workloads
