// The 64-byte bundles: one plain struct per layout, every byte accounted for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/isa/pattern.h"

namespace tpb {

using Bundle = std::array<std::uint8_t, 64>;

// Header @0 and events @4, the same in every bundle.
struct Frame {
  std::uint8_t opcode = 0;
  std::uint8_t length = 0x10;
  std::uint8_t debug_cmd = 0;
  std::uint8_t debug_hint = 0;
  std::uint8_t wait_mode = 0;    // WaitMode
  std::uint8_t wait_idx = 0;     // semaphore
  std::uint8_t update_mode = 0;  // UpdateMode
  std::uint8_t update_idx = 0;
  std::uint32_t value = 0;  // shared by wait and update; a register form holds the register here
};
static_assert(sizeof(Frame) == 12);

// Wait modes; 0x80 | mode compares against a register instead of the immediate.
enum class WaitMode : std::uint8_t {
  none = 0x00,
  equal = 0x01,
  less = 0x02,
  less_equal = 0x03,
  greater = 0x04,
  greater_equal = 0x05,
};
inline constexpr std::uint8_t kWaitRegister = 0x80;

// Update modes; 0x10 set: on complete, else on read. 0x99 writes a register on complete.
enum class UpdateMode : std::uint8_t {
  none = 0x00,
  increment = 0x03,
  decrement = 0x04,
  add = 0x05,
  subtract = 0x07,
  write = 0x09,
};
inline constexpr std::uint8_t kUpdateOnComplete = 0x10;
inline constexpr std::uint8_t kUpdateWriteRegister = 0x99;

// EventSemaphore, Nop, Halt: the frame only.
struct ControlBundle {
  Frame frame;
  std::uint8_t reserved0[52];
};

// Pool (pool-engine document): source and destination of four dimensions, window = the two innermost counts of src.
struct S4D4_PL {
  Frame frame;
  TensorDescriptor<4> src;
  std::uint8_t in_dtype;
  std::uint8_t out_dtype;
  std::uint8_t num_active_channels;
  std::uint8_t reserved0;
  std::uint8_t pool_func;  // PoolFunction
  std::uint8_t pool_dim;   // 3, the only legal value
  std::uint8_t reserved1[2];
  float pool_scale;  // 1/N for average, 1.0 for max
  TensorDescriptor<4> dst;
};

// TensorReduce, Copy, Cast and their kin (pool-engine and BF16 documents).
struct S4D4_TR {
  Frame frame;
  TensorDescriptor<4> src;
  std::uint8_t in_dtype;
  std::uint8_t out_dtype;
  std::uint8_t num_active_channels;
  std::uint8_t negated;
  std::uint8_t op;      // AluOp
  std::uint8_t op_dim;  // X 2, XY 3, XYZ 4, XYZW 5
  std::uint8_t mask_enable;
  std::uint8_t reserved1[5];
  TensorDescriptor<4> dst;
};

// TensorTensor (BF16 document).
struct S3S3D3_TT {
  Frame frame;
  std::uint8_t in0_in1_dtype;  // DTYPE_PAIR: low nibble src0, high nibble src1
  std::uint8_t out_dtype;
  std::uint8_t op;  // AluOp
  std::uint8_t num_active_channels;
  TensorDescriptor<3> src0;
  TensorDescriptor<3> src1;
  TensorDescriptor<3> dst;
};

static_assert(sizeof(ControlBundle) == 64);
static_assert(sizeof(S4D4_PL) == 64 && offsetof(S4D4_PL, src) == 12 && offsetof(S4D4_PL, in_dtype) == 32 &&
              offsetof(S4D4_PL, out_dtype) == 33 && offsetof(S4D4_PL, num_active_channels) == 34 &&
              offsetof(S4D4_PL, pool_func) == 36 && offsetof(S4D4_PL, pool_dim) == 37 &&
              offsetof(S4D4_PL, pool_scale) == 40 && offsetof(S4D4_PL, dst) == 44);
static_assert(sizeof(S4D4_TR) == 64 && offsetof(S4D4_TR, src) == 12 && offsetof(S4D4_TR, in_dtype) == 32 &&
              offsetof(S4D4_TR, out_dtype) == 33 && offsetof(S4D4_TR, num_active_channels) == 34 &&
              offsetof(S4D4_TR, negated) == 35 && offsetof(S4D4_TR, op) == 36 && offsetof(S4D4_TR, op_dim) == 37 &&
              offsetof(S4D4_TR, mask_enable) == 38 && offsetof(S4D4_TR, reserved1) == 39 &&
              offsetof(S4D4_TR, dst) == 44);
static_assert(sizeof(S3S3D3_TT) == 64 && offsetof(S3S3D3_TT, in0_in1_dtype) == 12 &&
              offsetof(S3S3D3_TT, out_dtype) == 13 && offsetof(S3S3D3_TT, op) == 14 &&
              offsetof(S3S3D3_TT, num_active_channels) == 15 && offsetof(S3S3D3_TT, src0) == 16 &&
              offsetof(S3S3D3_TT, src1) == 32 && offsetof(S3S3D3_TT, dst) == 48);

enum class PoolFunction : std::uint8_t { none = 0, max = 1, average = 2 };

}  // namespace tpb
