// What the activation and the matrix engine cost: published figures, and what is assumed where there are none.
#include <gtest/gtest.h>

#include "models/timing/cost.h"

namespace tpb {
namespace {

constexpr std::uint8_t code(Dtype dtype) { return static_cast<std::uint8_t>(dtype); }
constexpr std::uint32_t kActOverhead = 263;
constexpr std::uint32_t kPeOverhead = 400;

S3D3_AC activate(Dtype dtype, std::uint16_t n) {
  S3D3_AC bundle{};
  bundle.frame.opcode = 0x21;
  bundle.src = bundle.dst = {0x1000, {1, 1, 1}, {n, 1, 1}};
  bundle.in_bias_dtype = static_cast<std::uint8_t>(code(dtype) | code(Dtype::fp32) << 4);
  bundle.out_dtype = code(dtype);
  bundle.num_active_channels = 128;
  return bundle;
}

S3D3_MM load_stationary(Dtype dtype, std::uint8_t columns) {
  S3D3_MM bundle{};
  bundle.frame.opcode = 0x01;
  bundle.src = {0x1000, {1, 1, 1}, {columns, 1, 1}};
  bundle.in_dtype = code(dtype);
  bundle.rows = 128;
  bundle.cols = columns;
  return bundle;
}

S3D3_MM multiply_moving(Dtype dtype, std::uint16_t n, std::uint8_t columns) {
  S3D3_MM bundle = load_stationary(dtype, columns);
  bundle.frame.opcode = 0x02;
  bundle.src.num[0] = n;
  bundle.out_dtype = code(Dtype::fp32);
  bundle.accum_flags = kAccumulateBegin | kAccumulateEnd;
  bundle.dst = {kPsumBase, {1, 1, 1}, {n, 1, 1}};
  return bundle;
}

Cost cost(const Instruction& instruction, Engine engine, Generation generation = Generation::cayman,
          std::uint32_t min_ii = 64) {
  CostContext context;
  context.generation = generation;
  context.engine = engine;
  context.timing.min_ii = min_ii;
  context.timing.overhead = engine == Engine::pe ? kPeOverhead : kActOverhead;
  return cost_of(instruction, operands_of(instruction), context);
}

TEST(ActivateCost, IsAnElementPerCycle) {
  const Cost long_row = cost(activate(Dtype::fp32, 512), Engine::act);
  EXPECT_EQ(long_row.stream, 512U);
  EXPECT_EQ(long_row.interval, 512U);
  EXPECT_EQ(long_row.latency(), 775U);  // 512 + 263
  // One element: an independent successor 64 cycles later, a dependent one 1 + 263 = 264, as measured.
  const Cost one = cost(activate(Dtype::fp32, 1), Engine::act);
  EXPECT_EQ(one.interval, 64U);
  EXPECT_EQ(one.latency(), 264U);
}

TEST(ActivateCost, HasNoPerformanceMode) {
  // mariana's double rate for 16-bit floats is for copies and scalars.
  for (Generation generation : kGenerations) {
    const Cost narrow = cost(activate(Dtype::bf16, 512), Engine::act, generation);
    EXPECT_EQ(narrow.stream, 512U);
    EXPECT_EQ(narrow.mode, PerformanceMode::none);
  }
}

TEST(ActivateCost, ReadingTheAccumulatorsIs64) {
  D1_RD read{};
  read.frame.opcode = 0x24;
  read.out_dtype = code(Dtype::fp32);
  read.num_active_channels = 128;
  read.dst = {0x1000, {1, 1, 1}, {1, 1, 1}};
  EXPECT_EQ(cost(read, Engine::act).stream, 64U);
}

TEST(MatmulCost, ALoadTakesAQuarterOfItsColumns) {
  const Cost whole = cost(load_stationary(Dtype::bf16, 128), Engine::pe);
  EXPECT_EQ(whole.stream, 32U);
  EXPECT_EQ(whole.interval, 32U);                                           // no floor
  EXPECT_EQ(whole.latency(), 432U);                                         // 32 + 400
  EXPECT_EQ(cost(load_stationary(Dtype::bf16, 5), Engine::pe).stream, 2U);  // 5 / 4, rounded up
  EXPECT_EQ(cost(load_stationary(Dtype::fp32, 128), Engine::pe).stream, 32U);
}

TEST(MatmulCost, AProductTakesItsElementsOrItsColumnsUpTo64) {
  EXPECT_EQ(cost(multiply_moving(Dtype::bf16, 512, 128), Engine::pe).stream, 512U);
  EXPECT_EQ(cost(multiply_moving(Dtype::bf16, 100, 128), Engine::pe).stream, 100U);
  EXPECT_EQ(cost(multiply_moving(Dtype::bf16, 16, 128), Engine::pe).stream, 64U);       // max(16, min(64, 128))
  EXPECT_EQ(cost(multiply_moving(Dtype::bf16, 16, 48), Engine::pe).stream, 48U);        // max(16, min(64, 48))
  EXPECT_EQ(cost(multiply_moving(Dtype::bf16, 16, 8), Engine::pe).stream, 16U);         // max(16, min(64, 8))
  EXPECT_EQ(cost(multiply_moving(Dtype::bf16, 512, 128), Engine::pe).latency(), 912U);  // 512 + 400
}

TEST(MatmulCost, Fp32TakesFourTimesAsLong) {
  S3D3_MM product = multiply_moving(Dtype::fp32, 100, 128);
  EXPECT_EQ(cost(product, Engine::pe).stream, 400U);
  EXPECT_EQ(cost(multiply_moving(Dtype::fp32, 16, 128), Engine::pe).stream, 256U);  // 4 x max(16, 64)
  // Twice as long with a matrix of ones and zeros, and not at all as tfloat32.
  product.perf_opt = kPerfOneZero;
  EXPECT_EQ(cost(product, Engine::pe).stream, 200U);
  product.fp32_mode = 1;
  EXPECT_EQ(cost(product, Engine::pe).stream, 100U);
  product.perf_opt = 0;
  EXPECT_EQ(cost(product, Engine::pe).stream, 100U);
  // Everything else goes at full rate, and the hint saves nothing there.
  for (Dtype dtype : {Dtype::bf16, Dtype::fp16, Dtype::fp32r, Dtype::fp8_e4m3, Dtype::fp8_e5m2}) {
    S3D3_MM fast = multiply_moving(dtype, 100, 128);
    EXPECT_EQ(cost(fast, Engine::pe).stream, 100U);
    fast.perf_opt = kPerfOneZero | kPerfTranspose;
    EXPECT_EQ(cost(fast, Engine::pe).stream, 100U);
  }
}

TEST(MatmulCost, TheIntervalHasAFloorOf64WhereThereAreAsManyColumns) {
  // 16 elements past 8 columns: min(64, 8) is below the 16 of the stream.
  EXPECT_EQ(cost(multiply_moving(Dtype::bf16, 16, 8), Engine::pe).interval, 16U);
  // A larger min_ii of the configuration counts as far as there are columns: min(100, 128), min(100, 80).
  EXPECT_EQ(cost(multiply_moving(Dtype::bf16, 16, 128), Engine::pe, Generation::cayman, 100).interval, 100U);
  EXPECT_EQ(cost(multiply_moving(Dtype::bf16, 16, 80), Engine::pe, Generation::cayman, 100).interval, 80U);
  EXPECT_EQ(cost(multiply_moving(Dtype::bf16, 90, 80), Engine::pe, Generation::cayman, 100).interval, 90U);
}

}  // namespace
}  // namespace tpb
