// Kernels that run on the platform, for tests.
#pragma once

#include <gmock/gmock.h>

#include <numeric>

#include "models/nki/kernel.h"
#include "testbench/tests/support/run_program.h"

namespace tpb::nki {

inline test::Ran run(const Kernel& kernel) {
  test::Ran ran = test::run_program(kernel.program(), kernel.config());
  for (const Fault& fault : ran.result.faults) {
    ADD_FAILURE() << name_of(fault.engine) << " " << fault.violation.rule << " " << fault.violation.field << " "
                  << fault.violation.value;
  }
  EXPECT_EQ(ran.result.end, RunEnd::done);
  return ran;
}

// 0, 1, 2... in numpy order.
inline std::vector<float> counting(std::size_t count) {
  std::vector<float> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  return numbers;
}

class Kernels : public testing::Test {
 protected:
  Kernel kernel_{Generation::cayman};

  Tile input(const Shape& shape, const std::vector<float>& numbers, Dtype dtype = Dtype::float32) {
    return kernel_.input("in" + std::to_string(inputs_++), dtype, shape, values(dtype, numbers));
  }
  // Runs, and returns the tile's elements.
  template <class T = float>
  std::vector<T> result(const Tile& tile) {
    kernel_.output("result", tile);
    return run(kernel_).values<T>("result");
  }

 private:
  int inputs_ = 0;
};

}  // namespace tpb::nki
