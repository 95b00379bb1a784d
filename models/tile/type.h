// Element types of tiles: the nine that a seed's reduction takes, and the sixteen of the public tile ISA.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "models/isa/dtype.h"

namespace tpb::tile {

using Code = std::uint64_t;  // the bits of one element, of whatever type, in the low bits

enum class Type : std::uint8_t {
  fp64 = 0,
  fp32 = 1,
  tf32 = 2,
  hf32 = 3,
  fp16 = 4,
  bf16 = 5,
  e4m3 = 7,
  e5m2 = 8,
  s64 = 16,
  s32 = 17,
  s16 = 18,
  s8 = 19,
  u64 = 24,
  u32 = 25,
  u16 = 26,
  u8 = 27,
};

enum class Family : std::uint8_t { floating, signed_integer, unsigned_integer };
enum class Dtypes : std::uint8_t { nine, sixteen };  // semantics.tile_dtypes

struct TypeInfo {
  Type type;
  std::string_view name;  // as in program text, "FP32"
  unsigned bits;
  Family family;
  bool nine;               // one of the nine
  Code largest, smallest;  // finite: what the pads Max and Min write
  // Floating types only.
  unsigned fraction_bits;  // 0: no sums and products are defined
  Code top;                // largest magnitude that is not a NaN
  Code quiet_bit;          // 0: no NaN of the type signals
  Code canonical_nan;
  Code dropped;  // bits that must be zero in a valid encoding

  Code sign() const { return Code{1} << (bits - 1); }
  Code mask() const { return sign() | (sign() - 1); }
  bool is_nan(Code code) const { return family == Family::floating && (code & (sign() - 1)) > top; }
  bool is_signalling(Code code) const { return is_nan(code) && quiet_bit != 0 && (code & quiet_bit) == 0; }
};

// Ascending codes.
std::span<const TypeInfo> types();
const TypeInfo* find_type(std::uint8_t code);  // nullptr: no such code
const TypeInfo& info_of(Type type);
std::optional<Type> type_from_name(std::string_view name);
inline bool in_profile(const TypeInfo& type, Dtypes profile) { return profile == Dtypes::sixteen || type.nine; }

// The tile type with the same elements as a type of the other engines.
std::optional<Type> type_of(Dtype dtype);
std::string dtype_names(Dtypes profile);  // of those that have one: "fp32 fp16 ..."

}  // namespace tpb::tile
