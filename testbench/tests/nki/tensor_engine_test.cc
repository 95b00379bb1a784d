// Kernels that use the tensor engine.
#include "testbench/tests/nki/kernels.h"

namespace tpb::nki {
namespace {

using test::Ran;
using testing::ElementsAre;
using testing::ElementsAreArray;

TEST_F(Kernels, MatmulMultipliesAndAccumulates) {
  // stationary [2, 3], moving [2, 2].
  const Tile s = input({2, 3}, {1, 2, 3, 4, 5, 6}, Dtype::bfloat16);
  const Tile m = input({2, 2}, {1, 10, 100, 1000}, Dtype::bfloat16);
  const Tile sum = kernel_.nc_matmul({.stationary = s, .moving = m});
  kernel_.nc_matmul({.stationary = s, .moving = m, .accumulate = true, .dst = sum});
  // Column k of s with column n of m: 1*1 + 4*100, 1*10 + 4*1000; 2 and 5; 3 and 6; all twice.
  EXPECT_THAT(result(sum), ElementsAre(802, 8020, 1004, 10040, 1206, 12060));
}

TEST_F(Kernels, AHintOfEitherOperandSavesHalfThePasses) {
  // 64 moving elements of float32 take 4 x 64 cycles, with a hint 2 x 64.
  const Tile s = kernel_.input("s", Dtype::float32, {64, 64}, Ones{});
  const Tile m = kernel_.input("m", Dtype::float32, {64, 64}, Ones{});
  kernel_.nc_matmul({.stationary = s, .moving = m});
  kernel_.nc_matmul({.stationary = s, .moving = m, .is_stationary_onezero = true});
  kernel_.nc_matmul({.stationary = s, .moving = m, .is_moving_onezero = true});
  std::vector<std::uint32_t> products;
  for (const InstructionRecord& record : run(kernel_).of(tpb::Engine::pe)) {
    if (record.opcode == 0x02) products.push_back(record.stream_cycles);
  }
  EXPECT_THAT(products, ElementsAre(256, 128, 128));
}

TEST_F(Kernels, TransposesOnBothEngines) {
  const Tile data = input({3, 2}, {1, 2, 3, 4, 5, 6});
  const Tile vector = kernel_.nc_transpose({.data = data});
  const Tile tensor = kernel_.nc_transpose({.data = data, .engine = Engine::tensor});
  const Tile narrow = kernel_.nc_transpose({.data = data, .dtype = Dtype::bfloat16, .engine = Engine::tensor});
  kernel_.output("vector", vector);
  kernel_.output("tensor", tensor);
  kernel_.output("narrow", narrow);
  EXPECT_EQ(tensor.buffer, Buffer::psum);
  const Ran ran = run(kernel_);
  EXPECT_THAT(ran.values<float>("vector"), ElementsAre(1, 3, 5, 2, 4, 6));
  EXPECT_THAT(ran.values<float>("tensor"), ElementsAre(1, 3, 5, 2, 4, 6));
  // bfloat16 is the upper half of float32.
  EXPECT_THAT(ran.values<std::uint16_t>("narrow"), ElementsAre(0x3F80, 0x4040, 0x40A0, 0x4000, 0x4080, 0x40C0));
}

// Four engines take turns on few tiles, whose bytes are used again and again; random delays change no value.
TEST_F(Kernels, ManyStepsKeepTheirOrder) {
  const auto build = [](Kernel& kernel) {
    const Tile x = kernel.input("x", Dtype::float32, {32, 32}, values(Dtype::float32, counting(1024)));
    const Tile y = kernel.sbuf(Dtype::float32, {32, 32});
    kernel.memset(y, 0);
    for (int i = 0; i < 20; ++i) {
      const Kernel::Scope scope(kernel);
      const Tile e = kernel.activation({.op = Op::copy, .data = x, .scale = 0.5});
      const Tile t = kernel.nc_transpose({.data = e, .engine = Engine::tensor});
      const Tile s = kernel.tensor_tensor({.data1 = e, .data2 = t, .op = Op::add});
      kernel.memset(e, i, Engine::gpsimd);
      kernel.tensor_tensor({.data1 = y, .data2 = s, .op = Op::add, .dst = y});
      kernel.tensor_tensor({.data1 = y, .data2 = e, .op = Op::subtract, .dst = y});
    }
    kernel.output("y", y);
  };
  // 20 times (x + x^T) / 2, less 0 + 1 + ... + 19.
  std::vector<float> expected;
  for (int p = 0; p < 32; ++p) {
    for (int f = 0; f < 32; ++f) expected.push_back(static_cast<float>(10 * (32 * p + f + 32 * f + p) - 190));
  }
  for (const Generation generation : {Generation::sunda, Generation::cayman, Generation::mariana}) {
    for (const char* seed : {"0", "1", "2"}) {
      Kernel kernel(test::config_for(generation, {std::string("debug.random_stall_seed=") + seed}));
      build(kernel);
      EXPECT_THAT(run(kernel).values<float>("y"), ElementsAreArray(expected)) << name_of(generation) << seed;
    }
  }
}

}  // namespace
}  // namespace tpb::nki
