// The published and assumed costs of the Pool and DVE instructions with immediates, searches and fills.
#include <gtest/gtest.h>

#include <algorithm>

#include "models/isa/alu_op.h"
#include "models/timing/cost.h"

namespace tpb {
namespace {

constexpr std::uint32_t kSbuf = 0x1000;
constexpr std::uint32_t kPsum = kPsumBase;
constexpr std::uint8_t kFp32 = static_cast<std::uint8_t>(Dtype::fp32);
constexpr std::uint8_t kBf16 = static_cast<std::uint8_t>(Dtype::bf16);
constexpr std::uint8_t kInt32 = static_cast<std::uint8_t>(Dtype::int32);

template <unsigned Dims>
TensorDescriptor<Dims> row(std::uint16_t n, std::uint32_t address = kSbuf, std::int16_t step = 1) {
  TensorDescriptor<Dims> result{address, {}, {}};
  std::ranges::fill(result.step, std::int16_t{1});
  std::ranges::fill(result.num, std::uint16_t{1});
  result.step[0] = step;
  result.num[0] = n;
  return result;
}

template <class Layout>
Layout of(Opcode opcode) {
  Layout bundle{};
  bundle.frame.opcode = wire_of(static_cast<std::uint8_t>(opcode), {});
  bundle.num_active_channels = 128;
  return bundle;
}

S3D3_TS tensor_scalar(Opcode opcode, std::uint8_t dtype, std::uint16_t n, std::int16_t step = 1,
                      std::uint32_t destination = kSbuf) {
  auto bundle = of<S3D3_TS>(opcode);
  bundle.in_dtype = bundle.out_dtype = dtype;
  bundle.src = row<3>(n, kSbuf, step);
  bundle.dst = row<3>(n, destination);
  return bundle;
}

S2S2D2_STT two_tensors(Opcode opcode, std::uint8_t dtype, AluOp op0, AluOp op1, std::uint16_t n) {
  auto bundle = of<S2S2D2_STT>(opcode);
  bundle.in0_in1_dtype = static_cast<std::uint8_t>(dtype | dtype << 4);
  bundle.out_dtype = kFp32;
  bundle.op0 = static_cast<std::uint8_t>(op0);
  bundle.op1 = static_cast<std::uint8_t>(op1);
  bundle.imm0_dtype = kFp32;
  bundle.src0 = bundle.src1 = bundle.dst = row<2>(n);
  return bundle;
}

// One source, one destination.
template <class Layout, unsigned Source, unsigned Destination>
Layout one_to_one(Opcode opcode, std::uint8_t dtype, std::uint16_t in, std::uint16_t out) {
  auto bundle = of<Layout>(opcode);
  bundle.in_dtype = bundle.out_dtype = dtype;
  bundle.src = row<Source>(in);
  bundle.dst = row<Destination>(out);
  return bundle;
}

D4_MR memset(std::uint8_t dtype, std::uint32_t value, std::uint16_t n) {
  auto bundle = of<D4_MR>(Opcode::memset);
  bundle.out_dtype = dtype;
  bundle.value = value;
  bundle.dst = row<4>(n);
  return bundle;
}

Cost cost(const Instruction& instruction, Engine engine = Engine::dve, Generation generation = Generation::cayman) {
  CostContext context;
  context.generation = generation;
  context.engine = engine;
  context.timing.min_ii = 64;
  return cost_of(instruction, operands_of(instruction), context);
}

TEST(VectorCost, TensorScalarIsAnElementPerCycleUnlessAModeApplies) {
  EXPECT_EQ(cost(tensor_scalar(Opcode::tensor_scalar_arith, kFp32, 512)).stream, 512U);
  // 16-bit floats on both sides in SBUF: a quarter when contiguous, half when not; half with one side in PSUM.
  const Cost contiguous = cost(tensor_scalar(Opcode::tensor_scalar_arith, kBf16, 512));
  EXPECT_EQ(contiguous.stream, 128U);
  EXPECT_EQ(contiguous.mode, PerformanceMode::x4);
  const Cost strided = cost(tensor_scalar(Opcode::tensor_scalar_arith, kBf16, 512, 2));
  EXPECT_EQ(strided.stream, 256U);
  EXPECT_EQ(strided.mode, PerformanceMode::x2);
  EXPECT_EQ(cost(tensor_scalar(Opcode::tensor_scalar_arith, kBf16, 512, 1, kPsum)).stream, 256U);
  // sunda has no modes.
  const S3D3_TS bf16 = tensor_scalar(Opcode::tensor_scalar_arith, kBf16, 512);
  EXPECT_EQ(cost(bf16, Engine::dve, Generation::sunda).stream, 512U);
  // ACT: half for 16-bit floats from mariana on.
  EXPECT_EQ(cost(bf16, Engine::act, Generation::cayman).stream, 512U);
  EXPECT_EQ(cost(bf16, Engine::act, Generation::mariana).stream, 256U);
}

TEST(VectorCost, AnImmediateInMemoryIsNoTensor) {
  S3D3_TS pointed = tensor_scalar(Opcode::tensor_scalar_arith, kBf16, 512);
  pointed.imm0_src = static_cast<std::uint8_t>(ImmediateSource::pointer);
  pointed.imm0 = kPsum;  // an fp32 in PSUM: neither of the type nor of the memory that the mode asks for
  EXPECT_EQ(cost(pointed).stream, 128U);
}

TEST(VectorCost, AccumulatingForms) {
  EXPECT_EQ(cost(tensor_scalar(Opcode::tensor_scalar_cumulative, kFp32, 300)).stream, 300U);
  EXPECT_EQ(cost(tensor_scalar(Opcode::tensor_scalar_cache_reduce, kFp32, 300)).stream, 300U);
  // No mode: only copies and plain operations with a scalar have one.
  EXPECT_EQ(cost(tensor_scalar(Opcode::tensor_scalar_cache_reduce, kBf16, 300)).stream, 300U);
  auto read = of<D1_RD>(Opcode::dve_read_accumulator);
  read.out_dtype = kFp32;
  read.dst = row<3>(1);
  EXPECT_EQ(cost(read).stream, 64U);
}

TEST(VectorCost, TwoTensorsAndAScalar) {
  constexpr auto kStt = Opcode::scalar_tensor_tensor_arith;
  EXPECT_EQ(cost(two_tensors(kStt, kFp32, AluOp::subtract, AluOp::mult, 100)).stream, 200U);
  // Half for bf16, subtract then multiply, an even number of elements.
  EXPECT_EQ(cost(two_tensors(kStt, kBf16, AluOp::subtract, AluOp::mult, 100)).stream, 100U);
  EXPECT_EQ(cost(two_tensors(kStt, kBf16, AluOp::subtract, AluOp::mult, 101)).stream, 202U);
  EXPECT_EQ(cost(two_tensors(kStt, kBf16, AluOp::subtract, AluOp::add, 100)).stream, 200U);
  EXPECT_EQ(cost(two_tensors(kStt, kBf16, AluOp::mult, AluOp::subtract, 100)).stream, 200U);
  EXPECT_EQ(cost(two_tensors(Opcode::tensor_tensor_scan, kBf16, AluOp::subtract, AluOp::mult, 100)).stream, 200U);
}

TEST(VectorCost, Searches) {
  const Cost max8 = cost(one_to_one<S4D2_BN, 4, 2>(Opcode::max8, kFp32, 20, 8));
  EXPECT_EQ(max8.stream, 20U);
  EXPECT_EQ(max8.interval, 20U);  // no floor
  EXPECT_EQ(cost(one_to_one<S4D2_BN, 4, 2>(Opcode::find_index8, kFp32, 16384, 8)).stream, 16384U);
  auto load = of<S4D2_MV>(Opcode::match_value_load);
  load.values_dtype = kFp32;
  load.data = row<4>(16384);
  load.values = row<2>(8);
  EXPECT_EQ(cost(load).stream, 8U);
}

TEST(VectorCost, ReciprocalTransposeAndReductionsOverLanes) {
  EXPECT_EQ(cost(one_to_one<S4D4_TR, 4, 4>(Opcode::reciprocal, kFp32, 100, 100)).stream, 800U);
  EXPECT_EQ(cost(one_to_one<S4D4_TR, 4, 4>(Opcode::stream_transpose, kFp32, 96, 96)).stream, 96U);
  EXPECT_EQ(cost(one_to_one<S4D4_CR, 4, 4>(Opcode::cross_lane_reduce_arith, kFp32, 96, 1), Engine::pool).stream, 96U);
  // N is the larger of the elements read and written: two planes.
  EXPECT_EQ(cost(one_to_one<S3D3_SEQ_BOUNDS, 3, 3>(Opcode::get_sequence_bounds, kInt32, 40, 80), Engine::pool).stream,
            80U);
}

TEST(VectorCost, Fills) {
  EXPECT_EQ(cost(memset(kFp32, 0, 200)).stream, 200U);
  EXPECT_EQ(cost(memset(kBf16, 0, 200)).stream, 100U);  // zero into a 16-bit type
  EXPECT_EQ(cost(memset(kBf16, 0x3F80, 200)).stream, 200U);
  auto iota = of<D4_IOTA>(Opcode::iota);
  iota.out_dtype = kInt32;
  iota.dst = row<4>(200);
  EXPECT_EQ(cost(iota, Engine::pool).stream, 200U);
}

TEST(VectorCost, WideIntegers) {
  auto tensors = of<S2S2D2D2_TT>(Opcode::tensor_tensor_int_wide);
  tensors.src0 = tensors.src1 = tensors.dst0 = tensors.dst1 = row<2>(50);
  EXPECT_EQ(cost(tensors, Engine::pool, Generation::maverick).stream, 100U);
  auto scalar = of<S2D2D2_TS_WIDE>(Opcode::tensor_scalar_int_wide);
  scalar.src = scalar.dst0 = scalar.dst1 = row<2>(50);
  EXPECT_EQ(cost(scalar, Engine::dve, Generation::maverick).stream, 50U);
}

}  // namespace
}  // namespace tpb
