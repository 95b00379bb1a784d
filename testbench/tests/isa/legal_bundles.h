// A legal bundle of each instruction, for tests to break in one place.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <string>
#include <string_view>

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
inline S4D4_TR reduce_bitvec() {
  S4D4_TR bundle = reduce(0x7D);
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

inline std::string fmt_hex(unsigned byte) { return fmt::format("0x{:02X}", byte); }
inline std::string fmt_address(std::uint32_t address) { return fmt::format("0x{:08X}", address); }

template <class BundleLayout>
Bundle bytes_of_bundle(const BundleLayout& bundle) {
  return std::bit_cast<Bundle>(bundle);
}

template <class BundleLayout>
void expect_legal(const BundleLayout& bundle, const LegalityContext& context) {
  const auto violation = first_violation(bytes_of_bundle(bundle), context);
  EXPECT_FALSE(violation.has_value()) << violation->rule << ' ' << violation->field << ' ' << violation->value << " ("
                                      << violation->allowed << ')';
  EXPECT_TRUE(all_violations(bytes_of_bundle(bundle), context).empty());
}

template <class BundleLayout>
void expect_violation(const BundleLayout& bundle, const LegalityContext& context, std::string_view rule,
                      std::string_view field, std::string_view value, std::string_view allowed = "") {
  const auto violation = first_violation(bytes_of_bundle(bundle), context);
  ASSERT_TRUE(violation.has_value()) << "expected " << rule;
  EXPECT_EQ(violation->rule, rule);
  EXPECT_EQ(violation->field, field);
  EXPECT_EQ(violation->value, value);
  EXPECT_FALSE(violation->allowed.empty());
  EXPECT_THAT(violation->allowed, testing::HasSubstr(std::string(allowed)));
}

}  // namespace tpb::test
