// A legal bundle of each instruction, for tests to break in one place.
#pragma once

#include <algorithm>
#include <bit>

#include "models/isa/legality.h"

namespace tpb::test {

inline constexpr std::uint8_t kFp32 = 0xA, kFp32r = 0xB, kBf16 = 0x6, kFp16 = 0x7, kInt32 = 0x8, kUint32 = 0x9,
                              kInt16 = 0x4, kUint8 = 0x3;

inline LegalityContext on(Engine engine, Generation generation = Generation::cayman) {
  LegalityContext context;
  context.engine = engine;
  context.generation = generation;
  return context;
}

// `arch`: every reduce opcode does what its name says.
inline LegalityContext arch(LegalityContext context) {
  context.semantics.reduce_opcodes = SemanticsOptions::ReduceOpcodes::arch;
  return context;
}
// Behind a MatchValueLoad.
inline LegalityContext loaded(LegalityContext context) {
  context.earlier.match_value_channels = kPartitions;
  return context;
}

// Behind a LoadStationary.
inline LegalityContext with_stationary(LegalityContext context, std::uint8_t rows = 128, std::uint8_t cols = 128,
                                       bool transposes = false) {
  context.earlier.stationary = {rows, cols, transposes};
  return context;
}

inline ControlBundle control(std::uint8_t opcode = 0xA4) {
  ControlBundle bundle{};
  bundle.frame.opcode = opcode;
  return bundle;
}

// 2 x 2 average over 32 x 32 fp32 in 128 partitions.
inline S4D4_PL pool() {
  S4D4_PL bundle{};
  bundle.frame.opcode = 0x45;
  bundle.src = {0, {1, 32, 2, 64}, {2, 2, 16, 16}};
  bundle.in_dtype = bundle.out_dtype = kFp32;
  bundle.num_active_channels = 128;
  bundle.pool_func = 2;
  bundle.pool_dim = 3;
  bundle.pool_scale = 0.25F;
  bundle.dst = {0x2000, {1, 16, 1, 1}, {16, 16, 1, 1}};
  return bundle;
}

// Sum of 32 elements, 8 times; wire opcode 7C is the free-axis one under the default profile.
inline S4D4_TR reduce(std::uint8_t opcode = 0x7C) {
  S4D4_TR bundle{};
  bundle.frame.opcode = opcode;
  bundle.src = {0, {1, 32, 1, 1}, {32, 8, 1, 1}};
  bundle.in_dtype = bundle.out_dtype = kFp32;
  bundle.num_active_channels = 128;
  bundle.op = 0x04;
  bundle.op_dim = 2;
  bundle.dst = {0x2000, {1, 1, 1, 1}, {8, 1, 1, 1}};
  return bundle;
}

// Bitwise or of int32.
inline S4D4_TR reduce_bitvec(std::uint8_t opcode = 0x7D) {
  S4D4_TR bundle = reduce(opcode);
  bundle.op = 0x0B;
  bundle.in_dtype = bundle.out_dtype = kInt32;
  return bundle;
}

inline S4D4_TR reduce_bf16(std::uint8_t opcode = 0x8C) {
  S4D4_TR bundle = reduce(opcode);
  bundle.in_dtype = kBf16;
  return bundle;
}

inline S4D4_TR copy(std::uint8_t opcode = 0x46) {
  S4D4_TR bundle = reduce(opcode);
  bundle.op = bundle.op_dim = 0;
  bundle.dst = {0x2000, {1, 1, 1, 1}, {256, 1, 1, 1}};
  return bundle;
}

inline S3S3D3_TT tensor_tensor() {
  S3S3D3_TT bundle{};
  bundle.frame.opcode = 0x41;
  bundle.in0_in1_dtype = kFp32 | kFp32 << 4;
  bundle.out_dtype = kFp32;
  bundle.op = 0x04;
  bundle.num_active_channels = 128;
  bundle.src0 = {0, {1, 32, 1}, {32, 4, 1}};
  bundle.src1 = {0x1000, {1, 1, 1}, {128, 1, 1}};
  bundle.dst = {0x2000, {1, 32, 1}, {32, 4, 1}};
  return bundle;
}

inline S3S3D3_TT tensor_tensor_bf16(std::uint8_t opcode = 0x8A, std::uint8_t op = 0x04) {
  S3S3D3_TT bundle = tensor_tensor();
  bundle.frame.opcode = opcode;
  bundle.op = op;
  bundle.in0_in1_dtype = kBf16 | kBf16 << 4;
  return bundle;
}

inline S3S3D3_TT tensor_tensor_bitvec() {
  S3S3D3_TT bundle = tensor_tensor();
  bundle.frame.opcode = 0x51;
  bundle.op = 0x0C;
  bundle.in0_in1_dtype = kInt32 | kUint32 << 4;
  bundle.out_dtype = kUint32;
  return bundle;
}

// Sum over partitions; wire opcode 42 is a cross-lane one under the default profile, 83 and 84 transpose first.
inline S4D4_CR cross_lane(std::uint8_t opcode = 0x42) {
  S4D4_CR bundle{};
  bundle.frame.opcode = opcode;
  bundle.src = bundle.dst = {0, {1, 32, 1, 1}, {32, 8, 1, 1}};
  bundle.in_dtype = bundle.out_dtype = kFp32;
  bundle.num_active_channels = 128;
  bundle.reduce_axis = 1;
  bundle.dst.start_addr = 0x2000;
  return bundle;
}

inline S4D4_CR cross_lane_bitvec(std::uint8_t opcode = 0x52) {
  S4D4_CR bundle = cross_lane(opcode);
  bundle.reduce_op = 3;
  bundle.in_dtype = bundle.out_dtype = kInt32;
  return bundle;
}

// The eight largest of 32, in descending order: the destination runs backwards.
inline S4D2_BN max8() {
  S4D2_BN bundle{};
  bundle.frame.opcode = 0x6C;
  bundle.src = {0, {1, 8, 1, 1}, {8, 4, 1, 1}};
  bundle.in_dtype = bundle.out_dtype = kFp32;
  bundle.num_active_channels = 128;
  bundle.dst = {0x2000 + 7 * 4, {-1, 0}, {8, 1}};
  return bundle;
}

inline S4D2_BN find_index8() {
  S4D2_BN bundle = max8();
  bundle.frame.opcode = 0x6E;
  bundle.out_dtype = kUint32;
  bundle.dst = {0x2000, {1, 1}, {8, 1}};
  return bundle;
}

inline S4D2_MV match_value_load() {
  S4D2_MV bundle{};
  bundle.frame.opcode = 0x6D;
  bundle.data = max8().src;
  bundle.data_dtype = bundle.values_dtype = kFp32;
  bundle.num_active_channels = 128;
  bundle.values = {0x2000, {1, 1}, {8, 1}};
  return bundle;
}

inline S2_BN match_value_load_s2_bn() {
  S2_BN bundle{};
  bundle.frame.opcode = 0x6D;
  bundle.src = {0x2000, {1, 1}, {8, 1}};
  bundle.in_dtype = kFp32;
  bundle.num_active_channels = 128;
  return bundle;
}

// Nine ids in one partition.
inline S3D3_SEQ_BOUNDS sequence_bounds() {
  S3D3_SEQ_BOUNDS bundle{};
  bundle.frame.opcode = 0xBE;
  bundle.num_active_channels = 1;
  bundle.in_dtype = bundle.out_dtype = kInt32;
  bundle.src = {0, {1, 3, 1}, {3, 3, 1}};
  bundle.dst = {0x2000, {1, 1, 9}, {9, 1, 2}};
  return bundle;
}

// 32 sums of two words with their carries.
inline S2S2D2D2_TT tensor_tensor_int_wide() {
  S2S2D2D2_TT bundle{};
  bundle.frame.opcode = 0xF3;
  bundle.in0_in1_dtype = bundle.out0_out1_dtype = kUint32 | kUint32 << 4;
  bundle.op = 0xC4;
  bundle.num_active_channels = 128;
  bundle.src0 = {0, {1, 8}, {8, 4}};
  bundle.src1 = {0x1000, {1, 8}, {8, 4}};
  bundle.dst0 = {0x2000, {1, 1}, {32, 1}};
  bundle.dst1 = {0x3000, {1, 1}, {32, 1}};
  return bundle;
}

inline S2D2D2_TS_WIDE tensor_scalar_int_wide() {
  S2D2D2_TS_WIDE bundle{};
  bundle.frame.opcode = 0xF4;
  bundle.in_imm_dtype = bundle.out0_out1_dtype = kUint32 | kUint32 << 4;
  bundle.op = 0xC4;
  bundle.num_active_channels = 128;
  bundle.src = {0, {1, 8}, {8, 4}};
  bundle.dst0 = {0x2000, {1, 1}, {32, 1}};
  bundle.dst1 = {0x3000, {1, 1}, {32, 1}};
  bundle.imm = 7;
  return bundle;
}

// 128 times x * 2 + 1.
inline S3D3_TS tensor_scalar() {
  S3D3_TS bundle{};
  bundle.frame.opcode = 0x43;
  bundle.src = {0, {1, 32, 1}, {32, 4, 1}};
  bundle.in_dtype = bundle.out_dtype = kFp32;
  bundle.num_active_channels = 128;
  bundle.op0 = 0x06;
  bundle.op1 = 0x04;
  bundle.imm0 = std::bit_cast<std::uint32_t>(2.0F);
  bundle.imm1 = std::bit_cast<std::uint32_t>(1.0F);
  bundle.dst = {0x2000, {1, 1, 1}, {128, 1, 1}};
  return bundle;
}

// x & 0xFF | 0x100.
inline S3D3_TS tensor_scalar_bitvec() {
  S3D3_TS bundle = tensor_scalar();
  bundle.frame.opcode = 0x53;
  bundle.in_dtype = bundle.out_dtype = kInt32;
  bundle.op0 = 0x0A;
  bundle.op1 = 0x0B;
  bundle.imm0 = 0xFF;
  bundle.imm1 = 0x100;
  return bundle;
}

// x * 2, and the sum of those.
inline S3D3_TS cache_reduce() {
  S3D3_TS bundle = tensor_scalar();
  bundle.frame.opcode = 0x9A;
  bundle.accumulator_cmd = 3;
  bundle.imm1 = 0;
  return bundle;
}

inline S3D3_TS cumulative() {
  S3D3_TS bundle = cache_reduce();
  bundle.frame.opcode = 0xE6;
  return bundle;
}

inline D1_RD read_accumulator() {
  D1_RD bundle{};
  bundle.frame.opcode = 0x9B;
  bundle.out_dtype = kFp32;
  bundle.num_active_channels = 128;
  bundle.dst = {0x2000, {1, 1, 1}, {1, 1, 1}};
  return bundle;
}

// (src0 - 2) * src1 for 9D; any of the arithmetic ones.
inline S2S2D2_STT scalar_tensor_tensor(std::uint8_t opcode = 0x9D) {
  S2S2D2_STT bundle{};
  bundle.frame.opcode = opcode;
  bundle.src0 = {0, {1, 32}, {32, 4}};
  bundle.src1 = {0x1000, {1, 1}, {128, 1}};
  bundle.op0 = 0x05;
  bundle.op1 = 0x06;
  bundle.in0_in1_dtype = kFp32 | kFp32 << 4;
  bundle.out_dtype = bundle.imm0_dtype = kFp32;
  bundle.num_active_channels = 128;
  bundle.dst = {0x2000, {1, 32}, {32, 4}};
  bundle.imm0 = std::bit_cast<std::uint32_t>(2.0F);
  return bundle;
}

inline S2S2D2_STT scalar_tensor_tensor_bitvec() {
  S2S2D2_STT bundle = scalar_tensor_tensor(0x9E);
  bundle.op0 = 0x0A;
  bundle.op1 = 0x0B;
  bundle.in0_in1_dtype = kInt32 | kUint32 << 4;
  bundle.out_dtype = kInt32;
  bundle.imm0_dtype = kUint32;
  return bundle;
}

// 128 times exp(x * 2).
inline S3D3_AC activate() {
  S3D3_AC bundle{};
  bundle.frame.opcode = 0x21;
  bundle.src = {0, {1, 32, 1}, {32, 4, 1}};
  bundle.in_bias_dtype = kFp32 | kFp32 << 4;
  bundle.out_dtype = kFp32;
  bundle.num_active_channels = 128;
  bundle.func = 12;
  bundle.scale = std::bit_cast<std::uint32_t>(2.0F);
  bundle.dst = {0x2000, {1, 1, 1}, {128, 1, 1}};
  return bundle;
}

inline S3D3_MM load_stationary(std::uint8_t rows = 128, std::uint8_t cols = 128) {
  S3D3_MM bundle{};
  bundle.frame.opcode = 0x01;
  bundle.src = {0, {1, 1, 1}, {cols, 1, 1}};
  bundle.in_dtype = kFp32;
  bundle.rows = rows;
  bundle.cols = cols;
  return bundle;
}

// 256 sums of 128 products in 128 partitions of PSUM.
inline S3D3_MM multiply_moving() {
  S3D3_MM bundle{};
  bundle.frame.opcode = 0x02;
  bundle.src = {0x1000, {1, 64, 1}, {64, 4, 1}};
  bundle.in_dtype = bundle.out_dtype = kFp32;
  bundle.rows = bundle.cols = 128;
  bundle.accum_flags = 3;
  bundle.dst = {kPsumBase, {1, 1, 1}, {256, 1, 1}};
  return bundle;
}

inline D4_MR memset() {
  D4_MR bundle{};
  bundle.frame.opcode = 0x49;
  bundle.out_dtype = kFp32;
  bundle.num_active_channels = 128;
  bundle.value = 0x3F80'0000;
  bundle.dst = {0x2000, {1, 32, 1, 1}, {32, 4, 1, 1}};
  return bundle;
}

inline D4_IOTA iota() {
  D4_IOTA bundle{};
  bundle.frame.opcode = 0x7E;
  bundle.step[0] = 1;
  bundle.step[1] = 32;
  bundle.dst = memset().dst;
  std::ranges::copy(bundle.dst.num, bundle.num);
  bundle.out_dtype = kInt32;
  bundle.num_active_channels = 128;
  bundle.partition_step = 128;
  return bundle;
}

// A block in which no PE takes part: BSTART TROWMIN FP32, B.IOT with mask 0000, BSTOP.
inline TILE_WORDS tile_words() {
  TILE_WORDS bundle{};
  bundle.frame.opcode = 0xF0;
  bundle.kind = 1;
  bundle.count = 3;
  bundle.words[0] = 0x0C21'9181;
  bundle.words[1] = 0x0008'D013;
  bundle.words[2] = 0x0000'0001;
  return bundle;
}

// 128 x 8 fp32 into the lowest register of hand T, 4 KiB in each of four PEs.
inline TILE_MOVE tile_load() {
  TILE_MOVE bundle{};
  bundle.frame.opcode = 0xF0;
  bundle.kind = 2;
  bundle.operand = {0, {1, 1, 1, 1}, {8, 1, 1, 1}};
  bundle.dtype = kFp32;
  bundle.num_active_channels = 128;
  bundle.size_code = 6;
  bundle.mask = 15;
  return bundle;
}

// What that load has read.
inline TILE_MOVE tile_store() {
  TILE_MOVE bundle = tile_load();
  bundle.kind = 3;
  bundle.operand.start_addr = 0x1000;
  bundle.size_code = bundle.mask = 0;
  return bundle;
}
inline TILE_MOVE tile_free() {
  TILE_MOVE bundle{};
  bundle.frame.opcode = 0xF0;
  bundle.kind = 4;
  return bundle;
}

}  // namespace tpb::test
