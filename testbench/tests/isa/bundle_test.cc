// Addresses, patterns, and the way between bytes and typed bundles.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <random>

#include "models/isa/instruction.h"

namespace tpb {
namespace {

TEST(Addresses, MarkersInTheTopThreeBits) {
  EXPECT_EQ(address_mode(0x0000'0000), AddressMode::immediate);
  EXPECT_EQ(address_mode(0x1FFF'FFFF), AddressMode::immediate);
  EXPECT_EQ(address_mode(0x8000'0003), AddressMode::address_register);
  EXPECT_EQ(address_mode(0x4000'0000), AddressMode::shape_register);
  EXPECT_EQ(address_mode(0xC000'0000), AddressMode::shape_register);
  EXPECT_EQ(address_mode(0x2000'0000), AddressMode::indirect);
  EXPECT_EQ(address_mode(0xA000'0000), AddressMode::indirect);
}

TEST(Addresses, LocateSbufAndPsum) {
  const MemoryMap map;
  const auto expect = [&](std::uint32_t address, Space space, std::uint32_t partition, std::uint32_t offset) {
    const Location at = locate(map, address);
    EXPECT_EQ(at.space, space);
    EXPECT_EQ(at.partition, partition);
    EXPECT_EQ(at.offset, offset);
    EXPECT_EQ(address_of(map, at), address);
  };
  expect(0, Space::sbuf, 0, 0);
  expect(0x3FFFF, Space::sbuf, 0, 0x3FFFF);
  expect(0x40000, Space::sbuf, 1, 0);
  expect(0x01FF'FFFF, Space::sbuf, 127, 0x3FFFF);  // 127 strides of 0x40000 are 0x01FC0000
  expect(0x0200'0000, Space::psum, 0, 0);
  expect(0x0200'8004, Space::psum, 1, 4);
  expect(0x0200'0000 + 128 * 0x8000, Space::psum, 128, 0);  // one past the last partition
}

TEST(Addresses, AStrideThatIsNoPowerOfTwo) {
  MemoryMap map;
  map.sbuf_partition_stride = 0x30000;
  const Location at = locate(map, 5 * 0x30000 + 12);
  EXPECT_EQ(at.partition, 5U);
  EXPECT_EQ(at.offset, 12U);
}

// Every element visited, one by one.
ByteRange brute_force(const AccessPattern& p, unsigned width) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  for (std::int64_t l = 0; l < p.num[3]; ++l)
    for (std::int64_t k = 0; k < p.num[2]; ++k)
      for (std::int64_t j = 0; j < p.num[1]; ++j)
        for (std::int64_t i = 0; i < p.num[0]; ++i) {
          const std::int64_t at = (i * p.step[0] + j * p.step[1] + k * p.step[2] + l * p.step[3]) * width;
          first = std::min(first, at);
          last = std::max(last, at + width - 1);
        }
  return {first, last};
}

TEST(Patterns, TouchedBytesAgreesWithVisitingEveryElement) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    AccessPattern pattern;
    for (unsigned d = 0; d < kPatternDims; ++d) {
      pattern.step[d] = static_cast<int>(random() % 401) - 200;
      pattern.num[d] = static_cast<std::uint32_t>(1 + random() % 5);
    }
    const unsigned width = 1U << random() % 3;
    const ByteRange expected = brute_force(pattern, width);
    const ByteRange range = touched_bytes(pattern, width);
    ASSERT_EQ(range.first, expected.first);
    ASSERT_EQ(range.last, expected.last);
  }
}

TEST(Patterns, TouchedBytesOfTheLargestDescriptor) {
  // Four dimensions of 65534 steps of -32768 elements of 4 bytes: -4 x 65534 x 32768 x 4 = -34358689792.
  AccessPattern pattern;
  pattern.step.fill(-32768);
  pattern.num.fill(65535);
  EXPECT_EQ(touched_bytes(pattern, 4).first, -34358689792);
  EXPECT_EQ(touched_bytes(pattern, 4).last, 3);
  // 65535^4 elements still fit 64 bits.
  EXPECT_EQ(pattern.elements(), 18445618199572250625U);
}

TEST(Patterns, OuterDimensionsOfASmallDescriptorAreOne) {
  const TensorDescriptor<2> descriptor{0x100, {3, -7}, {5, 6}};
  const AccessPattern pattern = pattern_of(descriptor);
  EXPECT_EQ(pattern.start_addr, 0x100U);
  EXPECT_EQ(pattern.step, (std::array<std::int32_t, 4>{3, -7, 1, 1}));
  EXPECT_EQ(pattern.num, (std::array<std::uint32_t, 4>{5, 6, 1, 1}));
  EXPECT_EQ(pattern.elements(), 30U);
}

TEST(Bundles, UnpackAndPackAreInverseWhateverTheBytes) {
  std::mt19937 random(11);
  SemanticsOptions arch;
  arch.reduce_opcodes = SemanticsOptions::ReduceOpcodes::arch;
  for (unsigned opcode = 0; opcode < 256; ++opcode) {
    Bundle bundle;
    for (auto& byte : bundle) byte = static_cast<std::uint8_t>(random());
    bundle[0] = static_cast<std::uint8_t>(opcode);
    EXPECT_EQ(pack(unpack(bundle, SemanticsOptions{})), bundle);
    EXPECT_EQ(pack(unpack(bundle, arch)), bundle);
  }
}

TEST(Bundles, TheRoleChoosesTheLayout) {
  Bundle bundle{};
  SemanticsOptions arch;
  arch.reduce_opcodes = SemanticsOptions::ReduceOpcodes::arch;
  const auto unpacked = [&](std::uint8_t opcode, const SemanticsOptions& semantics) {
    bundle[0] = opcode;
    return unpack(bundle, semantics);
  };
  EXPECT_TRUE(std::holds_alternative<S4D4_PL>(unpacked(0x45, {})));
  EXPECT_TRUE(std::holds_alternative<S3S3D3_TT>(unpacked(0x41, {})));
  EXPECT_TRUE(std::holds_alternative<S3S3D3_TT>(unpacked(0x8F, {})));
  EXPECT_TRUE(std::holds_alternative<S4D4_TR>(unpacked(0x8C, {})));
  EXPECT_TRUE(std::holds_alternative<S4D4_TR>(unpacked(0x46, {})));
  EXPECT_TRUE(std::holds_alternative<ControlBundle>(unpacked(0xA4, {})));
  EXPECT_TRUE(std::holds_alternative<ControlBundle>(unpacked(0x00, {})));
  // Free-axis reduction is 7C under seed003 and 42 under arch.
  EXPECT_TRUE(std::holds_alternative<S4D4_TR>(unpacked(0x7C, {})));
  EXPECT_FALSE(std::holds_alternative<S4D4_TR>(unpacked(0x42, {})));
  EXPECT_TRUE(std::holds_alternative<S4D4_TR>(unpacked(0x42, arch)));
  EXPECT_FALSE(std::holds_alternative<S4D4_TR>(unpacked(0x7C, arch)));
  EXPECT_EQ(opcode_of(unpacked(0x7C, {}), {}), Opcode::tensor_reduce_arith);
}

TEST(Bundles, FieldsStandAtTheirDocumentedBytes) {
  Bundle bundle{};
  for (unsigned i = 0; i < 64; ++i) bundle[i] = static_cast<std::uint8_t>(i);
  bundle[0] = 0x45;
  const auto pool = std::get<S4D4_PL>(unpack(bundle, {}));
  EXPECT_EQ(pool.frame.value, 0x0B0A0908U);
  EXPECT_EQ(pool.src.start_addr, 0x0F0E0D0CU);
  EXPECT_EQ(pool.src.step[0], 0x1110);
  EXPECT_EQ(pool.src.num[3], 0x1F1E);
  EXPECT_EQ(pool.in_dtype, 32);
  EXPECT_EQ(pool.pool_func, 36);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(pool.pool_scale), 0x2B2A2928U);
  EXPECT_EQ(pool.dst.start_addr, 0x2F2E2D2CU);
  bundle[0] = 0x41;
  const auto tt = std::get<S3S3D3_TT>(unpack(bundle, {}));
  EXPECT_EQ(tt.in0_in1_dtype, 12);
  EXPECT_EQ(tt.op, 14);
  EXPECT_EQ(tt.src1.start_addr, 0x23222120U);
  EXPECT_EQ(tt.dst.num[2], 0x3F3E);
}

TEST(Bundles, FieldsOfActivationsAndProducts) {
  Bundle bundle{};
  for (unsigned i = 0; i < 64; ++i) bundle[i] = static_cast<std::uint8_t>(i);
  bundle[0] = 0x21;
  const auto activation = std::get<S3D3_AC>(unpack(bundle, {}));
  EXPECT_EQ(activation.imm_src, 12);
  EXPECT_EQ(activation.scale_src, 13);
  EXPECT_EQ(activation.accum_cmd, 14);
  EXPECT_EQ(activation.bias_src, 15);
  EXPECT_EQ(activation.src.start_addr, 0x13121110U);
  EXPECT_EQ(activation.in_bias_dtype, 32);
  EXPECT_EQ(activation.out_dtype, 33);
  EXPECT_EQ(activation.num_active_channels, 34);
  EXPECT_EQ(activation.func, 35);
  EXPECT_EQ(activation.scale, 0x27262524U);
  EXPECT_EQ(activation.bias, 0x2B2A2928U);
  EXPECT_EQ(activation.imm, 0x2F2E2D2CU);
  EXPECT_EQ(activation.dst.start_addr, 0x33323130U);
  bundle[0] = 0x02;
  const auto product = std::get<S3D3_MM>(unpack(bundle, {}));
  EXPECT_EQ(product.src.start_addr, 0x13121110U);
  EXPECT_EQ(product.in_dtype, 32);
  EXPECT_EQ(product.fp32_mode, 33);
  EXPECT_EQ(product.out_dtype, 34);
  EXPECT_EQ(product.perf_opt, 35);
  EXPECT_EQ(product.rows, 38);
  EXPECT_EQ(product.cols, 39);
  EXPECT_EQ(product.accum_flags, 43);
  EXPECT_EQ(product.row_grp, 44);
  EXPECT_EQ(product.col_grp, 45);
  EXPECT_EQ(product.psum_zero, 47);
  EXPECT_EQ(product.dst.num[2], 0x3F3E);
}

TEST(Operands, OfActivations) {
  S3D3_AC activation{};
  activation.frame.opcode = 0x21;
  activation.in_bias_dtype = 0x7A;  // fp32 in, an fp16 bias
  activation.out_dtype = 0x06;
  activation.num_active_channels = 64;
  activation.src = {0x10, {1, 1, 1}, {20, 1, 1}};
  activation.dst = {0x100, {1, 1, 1}, {20, 1, 1}};
  activation.scale = 0x1000;
  activation.bias = 0x2000;
  EXPECT_EQ(operands_of(activation).source_count, 1);
  EXPECT_EQ(operands_of(activation).source[0].dtype, Dtype::fp32);
  EXPECT_EQ(operands_of(activation).destination[0].dtype, Dtype::bf16);
  // What lies in memory follows the tensor: scale, then bias.
  activation.bias_src = 1;
  const Operands biased = operands_of(activation);
  EXPECT_EQ(biased.tensors().size(), 1U);
  ASSERT_EQ(biased.source_count, 2);
  EXPECT_EQ(biased.source[1].dtype, Dtype::fp16);
  EXPECT_EQ(biased.source[1].pattern.start_addr, 0x2000U);
  activation.scale_src = 1;
  const Operands both = operands_of(activation);
  EXPECT_EQ(both.scalar_count, 2);
  ASSERT_EQ(both.source_count, 3);
  EXPECT_EQ(both.source[1].dtype, Dtype::fp32);
  EXPECT_EQ(both.source[1].pattern.start_addr, 0x1000U);
  EXPECT_EQ(both.source[2].pattern.start_addr, 0x2000U);
  EXPECT_EQ(both.source[2].channels, 64U);
}

TEST(Operands, OfActivationsWhoseScalarsAreInRegisters) {
  S3D3_AC activation{};
  activation.frame.opcode = 0x21;
  activation.scale_src = activation.bias_src = 2;
  activation.scale = 5;
  activation.bias = 63;
  std::array<std::uint32_t, kRegisters> registers{};
  registers[5] = 0x1000;
  registers[63] = 0x2000;
  const auto bundle = with_registers(pack(activation), registers, {});
  ASSERT_TRUE(bundle);
  const auto followed = std::get<S3D3_AC>(unpack(*bundle, {}));
  EXPECT_EQ(followed.scale_src, 1);
  EXPECT_EQ(followed.bias_src, 1);
  EXPECT_EQ(followed.scale, 0x1000U);
  EXPECT_EQ(followed.bias, 0x2000U);
  EXPECT_EQ(with_registers(*bundle, registers, {}), std::nullopt);
}

TEST(Operands, OfProducts) {
  S3D3_MM bundle{};
  bundle.frame.opcode = 0x01;
  bundle.src = {0x10, {1, 1, 1}, {96, 1, 1}};
  bundle.in_dtype = 0x06;
  bundle.rows = 64;
  bundle.cols = 96;
  const Operands load = operands_of(bundle);
  EXPECT_EQ(load.source_count, 1);
  EXPECT_EQ(load.destination_count, 0);
  EXPECT_EQ(load.channels(), 64U);
  EXPECT_EQ(stationary_of(bundle), (Stationary{64, 96}));
  // A row of the array is a partition of the source, a column one of the destination.
  bundle.frame.opcode = 0x02;
  bundle.src.num[0] = 300;
  bundle.out_dtype = 0x0A;
  bundle.dst = {kPsumBase, {1, 1, 1}, {300, 1, 1}};
  const Operands product = operands_of(bundle);
  ASSERT_EQ(product.destination_count, 1);
  EXPECT_EQ(product.source[0].channels, 64U);
  EXPECT_EQ(product.source[0].dtype, Dtype::bf16);
  EXPECT_EQ(product.destination[0].channels, 96U);
  EXPECT_EQ(product.destination[0].dtype, Dtype::fp32);
  EXPECT_EQ(product.elements_per_partition(), 300U);
  EXPECT_EQ(stationary_of(bundle), std::nullopt);
  EXPECT_EQ(stationary_of(ControlBundle{}), std::nullopt);
}

TEST(Operands, OfTensorTensor) {
  S3S3D3_TT tt{};
  tt.frame.opcode = 0x41;
  tt.in0_in1_dtype = 0x86;  // low nibble bf16 is the first operand's, high nibble int32 the second's
  tt.out_dtype = 0x0A;
  tt.num_active_channels = 96;
  tt.src0 = {0x10, {1, 2, 3}, {4, 5, 6}};
  tt.src1 = {0x20, {1, 1, 1}, {120, 1, 1}};
  tt.dst = {0x30, {-1, 1, 1}, {60, 2, 1}};
  const Operands operands = operands_of(tt);
  ASSERT_EQ(operands.sources().size(), 2U);
  ASSERT_EQ(operands.destinations().size(), 1U);
  EXPECT_EQ(operands.source[0].dtype, Dtype::bf16);
  EXPECT_EQ(operands.source[1].dtype, Dtype::int32);
  EXPECT_EQ(operands.destination[0].dtype, Dtype::fp32);
  EXPECT_EQ(operands.destination[0].pattern.step[0], -1);
  EXPECT_EQ(operands.channels(), 96U);
  EXPECT_EQ(operands.elements_per_partition(), 120U);
}

TEST(Operands, OfPoolAndControl) {
  S4D4_PL pool{};
  pool.frame.opcode = 0x45;
  pool.in_dtype = 0x7;
  pool.out_dtype = 0xB;
  pool.num_active_channels = 128;
  pool.src = {0, {1, 32, 2, 64}, {2, 2, 16, 16}};
  pool.dst = {0x2000, {1, 16, 1, 1}, {16, 16, 1, 1}};
  const Operands operands = operands_of(pool);
  EXPECT_EQ(operands.source_count, 1);
  EXPECT_EQ(operands.destination_count, 1);
  EXPECT_EQ(operands.source[0].dtype, Dtype::fp16);
  EXPECT_EQ(operands.destination[0].dtype, Dtype::fp32r);
  // 2 x 2 x 16 x 16 elements are read and 16 x 16 written: the larger counts.
  EXPECT_EQ(operands.elements_per_partition(), 1024U);

  const Operands none = operands_of(ControlBundle{});
  EXPECT_EQ(none.source_count + none.destination_count, 0);
  EXPECT_EQ(none.channels(), 0U);
  EXPECT_EQ(none.elements_per_partition(), 0U);
}

}  // namespace
}  // namespace tpb
