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

// Free-axis TensorReduce, its packed and transposing forms, Copy, Cast, Reciprocal and StreamTranspose (pool-engine and
// BF16 documents).
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

// CrossLaneReduce (pool-engine document).
struct S4D4_CR {
  Frame frame;
  TensorDescriptor<4> src;
  std::uint8_t in_dtype;
  std::uint8_t out_dtype;
  std::uint8_t num_active_channels;
  std::uint8_t reduce_op;    // CrossLaneOp
  std::uint8_t reduce_axis;  // 1: C, over partitions; 0: XYZWC, over everything
  std::uint8_t reserved0[3];
  float scale;  // of average: each element is multiplied by it
  TensorDescriptor<4> dst;
};

// Max8, FindIndex8 (pool-engine document): a row of data to eight values or indices.
struct S4D2_BN {
  Frame frame;
  TensorDescriptor<4> src;
  std::uint8_t in_dtype;
  std::uint8_t out_dtype;
  std::uint8_t num_active_channels;
  std::uint8_t reserved0[5];
  std::uint32_t zero0;  // immediates of batch normalisation
  std::uint32_t zero1;
  TensorDescriptor<2> dst;
  std::uint8_t reserved1[4];
};

// MatchValueLoad as the pool-engine document has it: data and values; only the values are read.
struct S4D2_MV {
  Frame frame;
  TensorDescriptor<4> data;
  std::uint8_t data_dtype;
  std::uint8_t values_dtype;
  std::uint8_t num_active_channels;
  std::uint8_t reserved0[13];
  TensorDescriptor<2> values;
  std::uint8_t reserved1[4];
};

// MatchValueLoad as the public headers have it: the values alone.
struct S2_BN {
  Frame frame;
  std::uint8_t reserved0[4];
  TensorDescriptor<2> src;
  std::uint32_t imm1;
  std::uint8_t in_dtype;
  std::uint8_t reserved1;
  std::uint8_t num_active_channels;
  std::uint8_t reserved2[9];
  std::uint32_t imm0_ptr;
  std::uint8_t imm0_src;
  std::uint8_t reserved3[15];
};

// GetSequenceBounds (sequence-bounds document).
struct S3D3_SEQ_BOUNDS {
  Frame frame;
  std::uint8_t num_active_channels;
  std::uint8_t reserved0;
  std::uint8_t in_dtype;
  std::uint8_t out_dtype;
  TensorDescriptor<3> src;
  TensorDescriptor<3> dst;
  std::uint8_t reserved1[16];
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

// TensorTensorIntWide (BF16 document): low words to dst0, high words to dst1.
struct S2S2D2D2_TT {
  Frame frame;
  std::uint8_t in0_in1_dtype;    // DTYPE_PAIR
  std::uint8_t out0_out1_dtype;  // DTYPE_PAIR
  std::uint8_t op;               // AluOp
  std::uint8_t num_active_channels;
  TensorDescriptor<2> src0;
  TensorDescriptor<2> src1;
  TensorDescriptor<2> dst0;
  TensorDescriptor<2> dst1;
};

// Where a scalar operand comes from.
enum class ImmediateSource : std::uint8_t {
  instruction = 0,       // the immediate is the value
  pointer = 1,           // it is the address of one value per partition
  register_pointer = 2,  // it is the number of a register that holds that address
};

// TensorScalarIntWide (BF16 document).
struct S2D2D2_TS_WIDE {
  Frame frame;
  std::uint8_t in_imm_dtype;     // DTYPE_PAIR: low nibble src, high nibble the immediate
  std::uint8_t out0_out1_dtype;  // DTYPE_PAIR
  std::uint8_t op;               // AluOp
  std::uint8_t num_active_channels;
  TensorDescriptor<2> src;
  TensorDescriptor<2> dst0;
  TensorDescriptor<2> dst1;
  std::uint8_t imm_src;  // ImmediateSource
  std::uint8_t reserved0[3];
  std::uint32_t imm;
  std::uint8_t reserved1[4];
};

// Accumulator commands, called reduce_cmd in program text.
enum class AccumulatorCommand : std::uint8_t {
  idle = 0,
  reset = 1,
  reduce = 2,
  reset_reduce = 3,
  load_reduce = 4,
};

// TensorScalar, TensorScalarCacheReduce, TensorScalarCacheCumulative (intrinsics document).
struct S3D3_TS {
  Frame frame;
  std::uint8_t accumulator_cmd;  // AccumulatorCommand
  std::uint8_t reserved0[3];
  TensorDescriptor<3> src;
  std::uint8_t in_dtype;
  std::uint8_t out_dtype;
  std::uint8_t num_active_channels;
  std::uint8_t imm0_src;  // ImmediateSource
  std::uint8_t op0;       // AluOp
  std::uint8_t op1;       // AluOp; bypass: none. The operator of a cache reduction
  std::uint8_t reverse;   // bit 0: of op0, bit 1: of op1; the immediate becomes the left operand
  std::uint8_t imm1_src;  // ImmediateSource
  std::uint32_t imm0;
  std::uint32_t imm1;
  TensorDescriptor<3> dst;
};

// ScalarTensorTensor and TensorTensorScan (intrinsics document).
struct S2S2D2_STT {
  Frame frame;
  TensorDescriptor<2> src0;
  TensorDescriptor<2> src1;
  std::uint8_t op0;      // AluOp
  std::uint8_t op1;      // AluOp
  std::uint8_t reverse;  // bit 0: of op0, bit 1: of op1
  std::uint8_t imm0_src;
  std::uint8_t in0_in1_dtype;  // DTYPE_PAIR
  std::uint8_t out_dtype;
  std::uint8_t num_active_channels;
  std::uint8_t imm0_dtype;
  std::uint8_t accumulator_cmd;  // 0
  std::uint8_t reserved0[3];
  TensorDescriptor<2> dst;
  std::uint32_t imm0;
};

// Iota: value = start + sum of index x step, plus partition x partition_step.
struct D4_IOTA {
  Frame frame;
  std::uint8_t reserved0[4];
  std::int16_t step[4];
  std::uint16_t num[4];   // those of dst
  std::uint8_t in_dtype;  // 0
  std::uint8_t out_dtype;
  std::uint8_t num_active_channels;
  std::uint8_t reserved1;
  std::int32_t start;
  std::int16_t partition_step;
  std::uint8_t reserved2[2];
  TensorDescriptor<4> dst;
};

// Memset.
struct D4_MR {
  Frame frame;
  std::uint8_t reserved0[21];
  std::uint8_t out_dtype;
  std::uint8_t num_active_channels;
  std::uint8_t reserved1[5];
  std::uint32_t value;  // the bits of one element
  TensorDescriptor<4> dst;
};

// DveReadAccumulator and ActReadAccumulator: one element per partition.
struct D1_RD {
  Frame frame;
  std::uint8_t reserved0[21];
  std::uint8_t out_dtype;
  std::uint8_t num_active_channels;
  std::uint8_t reserved1[13];
  TensorDescriptor<3> dst;
};

// The operator of an activation's reduction, in the high nibble of accum_cmd (assumed).
enum class ActivationReduce : std::uint8_t { add = 0, max = 1, min = 2 };

// Activate: function(src * scale + bias) (intrinsics document).
struct S3D3_AC {
  Frame frame;
  std::uint8_t imm_src;    // 0: no other source is documented
  std::uint8_t scale_src;  // ImmediateSource
  std::uint8_t accum_cmd;  // low nibble AccumulatorCommand, high nibble ActivationReduce
  std::uint8_t bias_src;   // ImmediateSource
  TensorDescriptor<3> src;
  std::uint8_t in_bias_dtype;  // DTYPE_PAIR: low nibble src, high nibble the bias
  std::uint8_t out_dtype;
  std::uint8_t num_active_channels;
  std::uint8_t func;    // Activation
  std::uint32_t scale;  // fp32
  std::uint32_t bias;   // fp32 in the instruction; none is 0
  std::uint32_t imm;    // fp32: the slope of prelu
  TensorDescriptor<3> dst;
};

// What accum_flags says of the sums that a product begins or ends; neither: it adds to those that are there.
inline constexpr std::uint8_t kAccumulateBegin = 1;
inline constexpr std::uint8_t kAccumulateEnd = 2;
// Of perf_opt (assumed): one operand holds only ones and zeros, which tells of time alone; the product is a transpose.
inline constexpr std::uint8_t kPerfOneZero = 1;
inline constexpr std::uint8_t kPerfTranspose = 2;

// LoadStationary, which leaves everything from dst's side zero, and MultiplyMoving (intrinsics document).
struct S3D3_MM {
  Frame frame;
  std::uint8_t reserved0[4];
  TensorDescriptor<3> src;
  std::uint8_t in_dtype;
  std::uint8_t fp32_mode;  // 1: tfloat32, inputs rounded to 10 bits of mantissa (assumed)
  std::uint8_t out_dtype;
  std::uint8_t perf_opt;
  std::uint8_t reserved1[2];
  std::uint8_t rows;  // partitions of src
  std::uint8_t cols;  // of the stationary, partitions of dst
  std::uint8_t reserved2[3];
  std::uint8_t accum_flags;
  std::uint8_t row_grp;  // of a load (assumed): low nibble position / 32, high nibble size / 32; 0 is the whole array
  std::uint8_t col_grp;
  std::uint8_t reserved3;
  std::uint8_t psum_zero;  // 0
  TensorDescriptor<3> dst;
};

// What a bundle of the tile engine holds. The layouts are ours: instruction memory has bundles of one size.
enum class TileKind : std::uint8_t { words = 1, load = 2, store = 3, free = 4 };

// 32-bit words of the tile instruction set, from BSTART to BSTOP at most.
struct TILE_WORDS {
  Frame frame;
  std::uint8_t kind;   // TileKind::words
  std::uint8_t count;  // of words
  std::uint8_t reserved0[2];
  std::uint32_t words[12];
};

// TLOAD, TSTORE and TFREE: a tile, and the operand that it is read from or written to.
struct TILE_MOVE {
  Frame frame;
  std::uint8_t kind;   // TileKind::load, store or free
  std::uint8_t count;  // 0
  std::uint8_t reserved0[2];
  TensorDescriptor<4> operand;
  std::uint8_t dtype;
  std::uint8_t num_active_channels;
  std::uint8_t size_code;  // of a load: n is 128 bytes << (n - 1)
  std::uint8_t tile;       // of a load the hand, else the register
  std::uint8_t mask;       // of a load: PEs that hold the tile, bit 3 is PE0
  std::uint8_t reserved1;
  std::uint16_t col;  // of a load: physical columns; 0: the elements of a partition, rounded up to a power of two
  std::uint8_t reserved2[20];
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
static_assert(sizeof(S4D4_CR) == 64 && offsetof(S4D4_CR, src) == 12 && offsetof(S4D4_CR, in_dtype) == 32 &&
              offsetof(S4D4_CR, out_dtype) == 33 && offsetof(S4D4_CR, num_active_channels) == 34 &&
              offsetof(S4D4_CR, reduce_op) == 35 && offsetof(S4D4_CR, reduce_axis) == 36 &&
              offsetof(S4D4_CR, scale) == 40 && offsetof(S4D4_CR, dst) == 44);
static_assert(sizeof(S4D2_BN) == 64 && offsetof(S4D2_BN, src) == 12 && offsetof(S4D2_BN, in_dtype) == 32 &&
              offsetof(S4D2_BN, out_dtype) == 33 && offsetof(S4D2_BN, num_active_channels) == 34 &&
              offsetof(S4D2_BN, reserved0) == 35 && offsetof(S4D2_BN, zero0) == 40 && offsetof(S4D2_BN, zero1) == 44 &&
              offsetof(S4D2_BN, dst) == 48 && offsetof(S4D2_BN, reserved1) == 60);
static_assert(sizeof(S4D2_MV) == 64 && offsetof(S4D2_MV, data) == 12 && offsetof(S4D2_MV, data_dtype) == 32 &&
              offsetof(S4D2_MV, values_dtype) == 33 && offsetof(S4D2_MV, num_active_channels) == 34 &&
              offsetof(S4D2_MV, reserved0) == 35 && offsetof(S4D2_MV, values) == 48 &&
              offsetof(S4D2_MV, reserved1) == 60);
static_assert(sizeof(S2_BN) == 64 && offsetof(S2_BN, src) == 16 && offsetof(S2_BN, imm1) == 28 &&
              offsetof(S2_BN, in_dtype) == 32 && offsetof(S2_BN, num_active_channels) == 34 &&
              offsetof(S2_BN, imm0_ptr) == 44 && offsetof(S2_BN, imm0_src) == 48);
static_assert(sizeof(S3D3_SEQ_BOUNDS) == 64 && offsetof(S3D3_SEQ_BOUNDS, num_active_channels) == 12 &&
              offsetof(S3D3_SEQ_BOUNDS, reserved0) == 13 && offsetof(S3D3_SEQ_BOUNDS, in_dtype) == 14 &&
              offsetof(S3D3_SEQ_BOUNDS, out_dtype) == 15 && offsetof(S3D3_SEQ_BOUNDS, src) == 16 &&
              offsetof(S3D3_SEQ_BOUNDS, dst) == 32 && offsetof(S3D3_SEQ_BOUNDS, reserved1) == 48);
static_assert(sizeof(S2S2D2D2_TT) == 64 && offsetof(S2S2D2D2_TT, in0_in1_dtype) == 12 &&
              offsetof(S2S2D2D2_TT, out0_out1_dtype) == 13 && offsetof(S2S2D2D2_TT, op) == 14 &&
              offsetof(S2S2D2D2_TT, num_active_channels) == 15 && offsetof(S2S2D2D2_TT, src0) == 16 &&
              offsetof(S2S2D2D2_TT, src1) == 28 && offsetof(S2S2D2D2_TT, dst0) == 40 &&
              offsetof(S2S2D2D2_TT, dst1) == 52);
static_assert(sizeof(S2D2D2_TS_WIDE) == 64 && offsetof(S2D2D2_TS_WIDE, in_imm_dtype) == 12 &&
              offsetof(S2D2D2_TS_WIDE, out0_out1_dtype) == 13 && offsetof(S2D2D2_TS_WIDE, op) == 14 &&
              offsetof(S2D2D2_TS_WIDE, num_active_channels) == 15 && offsetof(S2D2D2_TS_WIDE, src) == 16 &&
              offsetof(S2D2D2_TS_WIDE, dst0) == 28 && offsetof(S2D2D2_TS_WIDE, dst1) == 40 &&
              offsetof(S2D2D2_TS_WIDE, imm_src) == 52 && offsetof(S2D2D2_TS_WIDE, imm) == 56);
static_assert(sizeof(S3D3_TS) == 64 && offsetof(S3D3_TS, accumulator_cmd) == 12 && offsetof(S3D3_TS, src) == 16 &&
              offsetof(S3D3_TS, in_dtype) == 32 && offsetof(S3D3_TS, out_dtype) == 33 &&
              offsetof(S3D3_TS, num_active_channels) == 34 && offsetof(S3D3_TS, imm0_src) == 35 &&
              offsetof(S3D3_TS, op0) == 36 && offsetof(S3D3_TS, op1) == 37 && offsetof(S3D3_TS, reverse) == 38 &&
              offsetof(S3D3_TS, imm1_src) == 39 && offsetof(S3D3_TS, imm0) == 40 && offsetof(S3D3_TS, imm1) == 44 &&
              offsetof(S3D3_TS, dst) == 48);
static_assert(sizeof(S2S2D2_STT) == 64 && offsetof(S2S2D2_STT, src0) == 12 && offsetof(S2S2D2_STT, src1) == 24 &&
              offsetof(S2S2D2_STT, op0) == 36 && offsetof(S2S2D2_STT, op1) == 37 &&
              offsetof(S2S2D2_STT, reverse) == 38 && offsetof(S2S2D2_STT, imm0_src) == 39 &&
              offsetof(S2S2D2_STT, in0_in1_dtype) == 40 && offsetof(S2S2D2_STT, out_dtype) == 41 &&
              offsetof(S2S2D2_STT, num_active_channels) == 42 && offsetof(S2S2D2_STT, imm0_dtype) == 43 &&
              offsetof(S2S2D2_STT, accumulator_cmd) == 44 && offsetof(S2S2D2_STT, dst) == 48 &&
              offsetof(S2S2D2_STT, imm0) == 60);
static_assert(sizeof(D4_IOTA) == 64 && offsetof(D4_IOTA, step) == 16 && offsetof(D4_IOTA, num) == 24 &&
              offsetof(D4_IOTA, in_dtype) == 32 && offsetof(D4_IOTA, out_dtype) == 33 &&
              offsetof(D4_IOTA, num_active_channels) == 34 && offsetof(D4_IOTA, start) == 36 &&
              offsetof(D4_IOTA, partition_step) == 40 && offsetof(D4_IOTA, dst) == 44);
static_assert(sizeof(D4_MR) == 64 && offsetof(D4_MR, out_dtype) == 33 && offsetof(D4_MR, num_active_channels) == 34 &&
              offsetof(D4_MR, value) == 40 && offsetof(D4_MR, dst) == 44);
static_assert(sizeof(D1_RD) == 64 && offsetof(D1_RD, out_dtype) == 33 && offsetof(D1_RD, num_active_channels) == 34 &&
              offsetof(D1_RD, dst) == 48);
static_assert(sizeof(S3D3_AC) == 64 && offsetof(S3D3_AC, imm_src) == 12 && offsetof(S3D3_AC, scale_src) == 13 &&
              offsetof(S3D3_AC, accum_cmd) == 14 && offsetof(S3D3_AC, bias_src) == 15 && offsetof(S3D3_AC, src) == 16 &&
              offsetof(S3D3_AC, in_bias_dtype) == 32 && offsetof(S3D3_AC, out_dtype) == 33 &&
              offsetof(S3D3_AC, num_active_channels) == 34 && offsetof(S3D3_AC, func) == 35 &&
              offsetof(S3D3_AC, scale) == 36 && offsetof(S3D3_AC, bias) == 40 && offsetof(S3D3_AC, imm) == 44 &&
              offsetof(S3D3_AC, dst) == 48);
static_assert(sizeof(S3D3_MM) == 64 && offsetof(S3D3_MM, src) == 16 && offsetof(S3D3_MM, in_dtype) == 32 &&
              offsetof(S3D3_MM, fp32_mode) == 33 && offsetof(S3D3_MM, out_dtype) == 34 &&
              offsetof(S3D3_MM, perf_opt) == 35 && offsetof(S3D3_MM, rows) == 38 && offsetof(S3D3_MM, cols) == 39 &&
              offsetof(S3D3_MM, accum_flags) == 43 && offsetof(S3D3_MM, row_grp) == 44 &&
              offsetof(S3D3_MM, col_grp) == 45 && offsetof(S3D3_MM, psum_zero) == 47 && offsetof(S3D3_MM, dst) == 48);
static_assert(sizeof(TILE_WORDS) == 64 && offsetof(TILE_WORDS, kind) == 12 && offsetof(TILE_WORDS, count) == 13 &&
              offsetof(TILE_WORDS, words) == 16);
static_assert(sizeof(TILE_MOVE) == 64 && offsetof(TILE_MOVE, kind) == 12 && offsetof(TILE_MOVE, operand) == 16 &&
              offsetof(TILE_MOVE, dtype) == 36 && offsetof(TILE_MOVE, num_active_channels) == 37 &&
              offsetof(TILE_MOVE, size_code) == 38 && offsetof(TILE_MOVE, tile) == 39 &&
              offsetof(TILE_MOVE, mask) == 40 && offsetof(TILE_MOVE, col) == 42 &&
              offsetof(TILE_MOVE, reserved2) == 44);

enum class CrossLaneOp : std::uint8_t {
  add = 0,
  average = 1,
  max = 2,
  bitwise_or = 3,
  bitwise_and = 4,
  bitwise_xor = 5
};
enum class PoolFunction : std::uint8_t { none = 0, max = 1, average = 2 };

}  // namespace tpb
