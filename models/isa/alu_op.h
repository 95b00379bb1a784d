// ALU operations by wire code, with the families that legality asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "models/isa/generation.h"

namespace tpb {

enum class AluOp : std::uint8_t {
  bypass = 0x00,
  bitwise_not = 0x01,
  arith_shift_left = 0x02,
  arith_shift_right = 0x03,
  add = 0x04,
  subtract = 0x05,
  mult = 0x06,
  divide = 0x07,
  max = 0x08,
  min = 0x09,
  bitwise_and = 0x0A,
  bitwise_or = 0x0B,
  bitwise_xor = 0x0C,
  logical_and = 0x0D,
  logical_or = 0x0E,
  logical_xor = 0x0F,
  logical_shift_left = 0x10,
  logical_shift_right = 0x11,
  is_equal = 0x12,
  is_gt = 0x13,
  is_ge = 0x14,
  is_le = 0x15,
  is_lt = 0x16,
  abs_diff = 0x17,
  not_equal = 0x18,
  abs = 0x19,
  pow = 0x1A,
  mod = 0x1B,
  crc32 = 0x1C,
  rsqrt = 0x1D,
  abs_max = 0x20,
  abs_min = 0x21,
  relu = 0x22,
  square = 0x23,
  symmetric_clamp = 0x24,
  add_int = 0xC4,
  mult_int = 0xC5,
  subtract_int = 0xC6,
  divide_int = 0xC7,
  mod_int = 0xC8,
  is_equal_int = 0xC9,
  not_equal_int = 0xCA,
  abs_max_int = 0xCB,
  abs_min_int = 0xCC,
  abs_diff_int = 0xCD,
  abs_int = 0xCE,
  max_int = 0xCF,
  min_int = 0xD0,
  is_gt_int = 0xD1,
  is_ge_int = 0xD2,
  is_le_int = 0xD3,
  is_lt_int = 0xD4,
  max_uint = 0xD5,
  min_uint = 0xD6,
  is_gt_uint = 0xD7,
  is_ge_uint = 0xD8,
  is_le_uint = 0xD9,
  is_lt_uint = 0xDA,
  mult_uint = 0xDB,
  divide_uint = 0xDC,
  mod_uint = 0xDD,
};

enum class AluFamily : std::uint8_t { arithmetic, bitvec, integer };

struct AluOpInfo {
  AluOp code;
  std::string_view name;  // as in program text: "add", "bitwise_and", "max_int", "mult_uint"
  AluFamily family;
  Generation first, last;
};

std::span<const AluOpInfo> alu_ops();  // ascending by code
const AluOpInfo* find_alu_op(std::uint8_t code);
std::optional<AluOp> alu_op_from_name(std::string_view name);

// The wire code of an operation in the compiler's own numbering, 0..32 (pool-engine document). Two of its operations
// have none: average, which folds into a scale, and element-wise multiplication.
std::optional<AluOp> wire_of_compiler_op(unsigned number);

}  // namespace tpb
