#include "models/tile/type.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tpb::tile {
namespace {

constexpr auto kFloat = Family::floating;

constexpr TypeInfo integer(Type type, std::string_view name, unsigned bits, Family family) {
  const Code half = Code{1} << (bits - 1);
  const bool is_signed = family == Family::signed_integer;
  return {.type = type,
          .name = name,
          .bits = bits,
          .family = family,
          .nine = bits <= 32,
          .largest = is_signed ? half - 1 : half | (half - 1),
          .smallest = is_signed ? half : 0,
          .fraction_bits = 0,
          .top = 0,
          .quiet_bit = 0,
          .canonical_nan = 0,
          .dropped = 0};
}
constexpr TypeInfo signed_integer(Type type, std::string_view name, unsigned bits) {
  return integer(type, name, bits, Family::signed_integer);
}
constexpr TypeInfo unsigned_integer(Type type, std::string_view name, unsigned bits) {
  return integer(type, name, bits, Family::unsigned_integer);
}

// TF32 and HF32 are FP32 with fraction bits dropped. E4M3 has no infinity: its only NaN is all ones.
constexpr std::array kTypes{
    TypeInfo{Type::fp64, "FP64", 64, kFloat, false, 0x7FEF'FFFF'FFFF'FFFF, 0xFFEF'FFFF'FFFF'FFFF, 52,
             0x7FF0'0000'0000'0000, Code{1} << 51, 0x7FF8'0000'0000'0000, 0},
    TypeInfo{Type::fp32, "FP32", 32, kFloat, true, 0x7F7F'FFFF, 0xFF7F'FFFF, 23, 0x7F80'0000, 1U << 22, 0x7FC0'0000, 0},
    TypeInfo{Type::tf32, "TF32", 32, kFloat, false, 0x7F7F'E000, 0xFF7F'E000, 0, 0x7F80'0000, 1U << 22, 0x7FC0'0000,
             0x1FFF},
    TypeInfo{Type::hf32, "HF32", 32, kFloat, false, 0x7F7F'F000, 0xFF7F'F000, 0, 0x7F80'0000, 1U << 22, 0x7FC0'0000,
             0x0FFF},
    TypeInfo{Type::fp16, "FP16", 16, kFloat, true, 0x7BFF, 0xFBFF, 10, 0x7C00, 1U << 9, 0x7E00, 0},
    TypeInfo{Type::bf16, "BF16", 16, kFloat, true, 0x7F7F, 0xFF7F, 7, 0x7F80, 1U << 6, 0x7FC0, 0},
    TypeInfo{Type::e4m3, "E4M3", 8, kFloat, false, 0x7E, 0xFE, 0, 0x7E, 0, 0x7F, 0},
    TypeInfo{Type::e5m2, "E5M2", 8, kFloat, false, 0x7B, 0xFB, 0, 0x7C, 1U << 1, 0x7E, 0},
    signed_integer(Type::s64, "S64", 64),
    signed_integer(Type::s32, "S32", 32),
    signed_integer(Type::s16, "S16", 16),
    signed_integer(Type::s8, "S8", 8),
    unsigned_integer(Type::u64, "U64", 64),
    unsigned_integer(Type::u32, "U32", 32),
    unsigned_integer(Type::u16, "U16", 16),
    unsigned_integer(Type::u8, "U8", 8),
};

constexpr std::array<std::pair<Dtype, Type>, 10> kSameElements{{
    {Dtype::int32, Type::s32},
    {Dtype::uint32, Type::u32},
    {Dtype::fp32, Type::fp32},
    {Dtype::int16, Type::s16},
    {Dtype::uint16, Type::u16},
    {Dtype::fp16, Type::fp16},
    {Dtype::bf16, Type::bf16},
    {Dtype::int8, Type::s8},
    {Dtype::uint8, Type::u8},
    {Dtype::fp8_e5m2, Type::e5m2},
}};

}  // namespace

std::span<const TypeInfo> types() { return kTypes; }

const TypeInfo* find_type(std::uint8_t code) {
  const auto found = std::ranges::find(kTypes, static_cast<Type>(code), &TypeInfo::type);
  return found == kTypes.end() ? nullptr : &*found;
}

const TypeInfo& info_of(Type type) { return *find_type(static_cast<std::uint8_t>(type)); }

std::optional<Type> type_from_name(std::string_view name) {
  const auto found = std::ranges::find(kTypes, name, &TypeInfo::name);
  if (found == kTypes.end()) return std::nullopt;
  return found->type;
}

std::optional<Type> type_of(Dtype dtype) {
  const auto found = std::ranges::find(kSameElements, dtype, &std::pair<Dtype, Type>::first);
  if (found == kSameElements.end()) return std::nullopt;
  return found->second;
}

std::string dtype_names(Dtypes profile) {
  std::string names;
  for (const auto& [dtype, type] : kSameElements) {
    if (!in_profile(info_of(type), profile)) continue;
    if (!names.empty()) names += ' ';
    names += name_of(dtype);
  }
  return names;
}

}  // namespace tpb::tile
