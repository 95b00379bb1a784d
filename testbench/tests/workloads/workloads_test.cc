// Every workload on the platform: right to the bit, and close to binary64.
#include <gmock/gmock.h>

#include "testbench/tests/support/run_program.h"
#include "testbench/workloads/compare.h"
#include "testbench/workloads/workload.h"

namespace tpb::workloads {
namespace {

using nki::Dtype;
using testing::IsEmpty;

test::Ran run(const Workload& workload, const Arrays& inputs, Generation generation) {
  nki::Kernel kernel(generation);
  build(workload, inputs, kernel);
  test::Ran ran = test::run_program(kernel.program(), kernel.config());
  EXPECT_EQ(ran.result.end, RunEnd::done);
  for (const Fault& fault : ran.result.faults) ADD_FAILURE() << name_of(fault.engine) << " " << fault.violation.rule;
  for (const Warning& warning : ran.result.warnings) ADD_FAILURE() << warning.text;
  return ran;
}

// Of the largest magnitude in a row.
double tolerance(Dtype dtype) { return dtype == Dtype::float32 ? 1e-5 : 1e-2; }

struct Case {
  const Workload* workload;
  Generation generation;
  Dtype dtype;
};
std::string name_of_case(const Case& which) {
  return std::string(which.workload->name) + "_" + std::string(name_of(which.generation)) + "_" +
         std::string(nki::spelling(which.dtype));
}
void PrintTo(const Case& which, std::ostream* out) { *out << name_of_case(which); }

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Workload& workload : all_workloads()) {
    for (const Generation generation : {Generation::sunda, Generation::cayman, Generation::mariana}) {
      for (const Dtype dtype : workload.dtypes) all.push_back({&workload, generation, dtype});
    }
  }
  return all;
}

class Workloads : public testing::TestWithParam<Case> {};

TEST_P(Workloads, AreRightToTheBitAndCloseToBinary64) {
  const auto& [workload, generation, dtype] = GetParam();
  const Arrays inputs = workload->inputs(dtype);
  const Arrays stepwise = workload->stepwise(inputs), exact = workload->exact(inputs);
  const test::Ran ran = run(*workload, inputs, generation);
  EXPECT_THAT(stepwise, Not(IsEmpty()));
  for (const auto& [name, expected] : stepwise) {
    const std::vector<std::uint8_t> raw = ran.bytes(name);
    EXPECT_THAT(bit_differences(expected, raw), IsEmpty()) << name;
    EXPECT_THAT(far_elements(exact.at(name), raw, tolerance(dtype)), IsEmpty()) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Workloads, testing::ValuesIn(cases()),
                         [](const auto& which) { return name_of_case(which.param); });

}  // namespace
}  // namespace tpb::workloads
