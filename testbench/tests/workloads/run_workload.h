// Runs a workload on the platform.
#pragma once

#include <gmock/gmock.h>

#include "testbench/tests/support/run_program.h"
#include "testbench/workloads/workload.h"

namespace tpb::workloads {

inline test::Ran run(const Workload& workload, const Arrays& inputs, Generation generation,
                     const RunOptions& options = {}) {
  nki::Kernel kernel(generation);
  build(workload, inputs, kernel);
  test::Ran ran = test::run_program(kernel.program(), kernel.config(), options);
  EXPECT_EQ(ran.result.end, RunEnd::done);
  for (const Fault& fault : ran.result.faults) {
    ADD_FAILURE() << name_of(fault.engine) << " " << fault.violation.rule << " " << fault.violation.field << " "
                  << fault.violation.value;
  }
  for (const Warning& warning : ran.result.warnings) ADD_FAILURE() << warning.text;
  return ran;
}

}  // namespace tpb::workloads
