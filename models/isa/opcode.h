// The opcode table: one row for every instruction name of every generation (models/isa/opcodes.def).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "models/isa/engine.h"
#include "models/isa/generation.h"

namespace tpb {

// The opcodes that the model executes; every other byte is a number with a row in the table, or nothing.
enum class Opcode : std::uint8_t {
  load_stationary = 0x01,
  multiply_moving = 0x02,
  activate = 0x21,
  act_read_accumulator = 0x24,
  tensor_tensor_arith = 0x41,
  tensor_reduce_arith = 0x42,
  tensor_scalar_arith = 0x43,
  pool = 0x45,
  copy = 0x46,
  cast = 0x47,
  reciprocal = 0x48,
  memset = 0x49,
  tensor_tensor_bitvec = 0x51,
  tensor_reduce_bitvec = 0x52,
  tensor_scalar_bitvec = 0x53,
  stream_transpose = 0x6B,
  max8 = 0x6C,
  match_value_load = 0x6D,
  find_index8 = 0x6E,
  cross_lane_reduce_arith = 0x7C,
  cross_lane_reduce_bitvec = 0x7D,
  iota = 0x7E,
  transpose_tensor_reduce_arith = 0x83,
  transpose_tensor_reduce_bitvec = 0x84,
  tensor_tensor_add_bf16 = 0x8A,
  tensor_tensor_mult_bf16 = 0x8B,
  tensor_reduce_add_bf16 = 0x8C,
  tensor_reduce_max_bf16 = 0x8D,
  tensor_tensor_sub_bf16 = 0x8F,
  tensor_scalar_cache_reduce = 0x9A,
  dve_read_accumulator = 0x9B,
  scalar_tensor_tensor_arith = 0x9D,
  scalar_tensor_tensor_bitvec = 0x9E,
  event_semaphore = 0xA0,
  halt = 0xA1,
  nop = 0xA4,
  get_sequence_bounds = 0xBE,
  tensor_tensor_scan = 0xE5,
  tensor_scalar_cumulative = 0xE6,
  tile = 0xF0,
  tensor_tensor_int_wide = 0xF3,
  tensor_scalar_int_wide = 0xF4,
};

enum class Layout : std::uint8_t {
  none,
  control,
  s4d4_pl,
  s4d4_tr,
  s4d4_cr,
  s3s3d3_tt,
  s3d3_seq_bounds,
  s2s2d2d2_tt,
  s2d2d2_ts_wide,
  s3d3_ts,
  s3d3_ac,
  s3d3_mm,
  s4d2_bn,
  s2_bn,
  s4d4_mr,
  s2s2d2_stt,
  d4_iota,
  d4_mr,
  d1_rd,
  tile,
};

struct OpcodeInfo {
  std::uint8_t code;
  std::string_view name;      // public name, "TensorTensorAddBf16"
  std::string_view mnemonic;  // program text, "tensor_tensor_add_bf16"; empty when there is none
  Layout layout;
  EngineSet engines;         // whose streams accept it; empty when nothing is known of it here
  EngineSet cayman_engines;  // those that accept it besides, from cayman on
  Generation first, last;
  bool maintained;  // false: dormant in the public headers ("n")
  bool modelled;

  constexpr bool exists_in(Generation generation) const { return first <= generation && generation <= last; }
  constexpr EngineSet engines_in(Generation generation) const {
    return generation >= Generation::cayman ? engines | cayman_engines : engines;
  }
};

std::span<const OpcodeInfo> opcodes();             // ascending; pseudo opcodes C1..DF are not rows
const OpcodeInfo* find_opcode(std::uint8_t code);  // nullptr: unnamed byte
bool is_pseudo(std::uint8_t code);                 // C1..DF: never reaches a device
std::string_view name_of(Layout layout);           // "S4D4_PL"
std::optional<Layout> layout_from_name(std::string_view name);

}  // namespace tpb
