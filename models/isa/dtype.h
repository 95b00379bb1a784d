// Element types as they stand in a bundle: wire code, text name, width, family, generations.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "models/isa/generation.h"

namespace tpb {

enum class Dtype : std::uint8_t {
  uint64 = 0x01,
  int8 = 0x02,
  uint8 = 0x03,
  int16 = 0x04,
  uint16 = 0x05,
  bf16 = 0x06,
  fp16 = 0x07,
  int32 = 0x08,
  uint32 = 0x09,
  fp32 = 0x0A,
  fp32r = 0x0B,
  int64 = 0x0C,
  fp8_e3m4 = 0x0D,
  fp8_e4m3 = 0x0E,
  fp8_e5m2 = 0x0F,
};

enum class DtypeFamily : std::uint8_t { floating, signed_integer, unsigned_integer, other };

struct DtypeInfo {
  std::uint8_t code;
  std::string_view name;  // as in program text, "fp8_e4m3"
  unsigned bits;          // storage: fp32r occupies 32
  DtypeFamily family;
  Generation first, last;
  bool modelled;  // false: named by the disassembler, refused by is_valid_dtype
};

// Every code the public table names, modelled or not, ascending.
std::span<const DtypeInfo> dtypes();
const DtypeInfo* find_dtype(std::uint8_t code);               // nullptr: no such code
std::optional<Dtype> dtype_from_name(std::string_view name);  // modelled ones only

// Storage bytes of one element (1, 2 or 4); 0 for a dtype that is_valid_dtype refuses.
constexpr unsigned bytes_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::int8:
    case Dtype::uint8:
    case Dtype::fp8_e3m4:
    case Dtype::fp8_e4m3:
    case Dtype::fp8_e5m2:
      return 1;
    case Dtype::int16:
    case Dtype::uint16:
    case Dtype::bf16:
    case Dtype::fp16:
      return 2;
    case Dtype::int32:
    case Dtype::uint32:
    case Dtype::fp32:
    case Dtype::fp32r:
      return 4;
    default:
      return 0;
  }
}

// The is_valid_dtype of the public headers: refuses 0, 64-bit, 4-bit and scale types, and FP32R unless allowed.
constexpr bool is_valid_dtype(std::uint8_t code, bool allow_fp32r) {
  const auto dtype = static_cast<Dtype>(code);
  return bytes_of(dtype) != 0 && (allow_fp32r || dtype != Dtype::fp32r);
}

constexpr bool is_integer(Dtype dtype) {
  switch (dtype) {
    case Dtype::int8:
    case Dtype::uint8:
    case Dtype::int16:
    case Dtype::uint16:
    case Dtype::int32:
    case Dtype::uint32:
    case Dtype::int64:
    case Dtype::uint64:
      return true;
    default:
      return false;
  }
}
// bf16 or fp16: what a performance mode asks for.
constexpr bool is_float16(Dtype dtype) { return dtype == Dtype::bf16 || dtype == Dtype::fp16; }
std::string_view name_of(Dtype dtype);

}  // namespace tpb
