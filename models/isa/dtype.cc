#include "models/isa/dtype.h"

#include <algorithm>
#include <array>

namespace tpb {
namespace {

constexpr auto kFirst = Generation::sunda;
constexpr auto kLast = Generation::maverick;
constexpr auto kFloat = DtypeFamily::floating;
constexpr auto kSigned = DtypeFamily::signed_integer;
constexpr auto kUnsigned = DtypeFamily::unsigned_integer;
constexpr auto kOther = DtypeFamily::other;

// The CPTC types have no public width.
constexpr std::array kDtypes{
    DtypeInfo{0x01, "uint64", 64, kUnsigned, kFirst, kLast, false},
    DtypeInfo{0x02, "int8", 8, kSigned, kFirst, kLast, true},
    DtypeInfo{0x03, "uint8", 8, kUnsigned, kFirst, kLast, true},
    DtypeInfo{0x04, "int16", 16, kSigned, kFirst, kLast, true},
    DtypeInfo{0x05, "uint16", 16, kUnsigned, kFirst, kLast, true},
    DtypeInfo{0x06, "bf16", 16, kFloat, kFirst, kLast, true},
    DtypeInfo{0x07, "fp16", 16, kFloat, kFirst, kLast, true},
    DtypeInfo{0x08, "int32", 32, kSigned, kFirst, kLast, true},
    DtypeInfo{0x09, "uint32", 32, kUnsigned, kFirst, kLast, true},
    DtypeInfo{0x0A, "fp32", 32, kFloat, kFirst, kLast, true},
    DtypeInfo{0x0B, "fp32r", 32, kFloat, kFirst, kLast, true},
    DtypeInfo{0x0C, "int64", 64, kSigned, kFirst, kLast, false},
    DtypeInfo{0x0D, "fp8_e3m4", 8, kFloat, kFirst, kLast, true},
    DtypeInfo{0x0E, "fp8_e4m3", 8, kFloat, kFirst, kLast, true},
    DtypeInfo{0x0F, "fp8_e5m2", 8, kFloat, kFirst, kLast, true},
    DtypeInfo{0x10, "fp4_e2m1", 4, kFloat, Generation::mariana, kLast, false},
    DtypeInfo{0x11, "fp8_e2", 8, kOther, Generation::maverick, kLast, false},
    DtypeInfo{0x12, "int4", 4, kSigned, Generation::maverick, kLast, false},
    DtypeInfo{0x13, "sfp8_e8", 8, kOther, Generation::maverick, kLast, false},
    DtypeInfo{0x14, "sfp8_e7", 8, kOther, Generation::maverick, kLast, false},
    DtypeInfo{0x15, "sfp8_e6", 8, kOther, Generation::maverick, kLast, false},
    DtypeInfo{0x16, "sfp8_e5", 8, kOther, Generation::maverick, kLast, false},
    DtypeInfo{0x19, "cptc1", 0, kOther, Generation::mariana, kLast, false},
    DtypeInfo{0x1A, "cptc2", 0, kOther, Generation::mariana, kLast, false},
    DtypeInfo{0x1B, "cptc3", 0, kOther, Generation::mariana, kLast, false},
    DtypeInfo{0x1C, "cptc4", 0, kOther, Generation::mariana, kLast, false},
    DtypeInfo{0x1D, "cptc5", 0, kOther, Generation::mariana, kLast, false},
    DtypeInfo{0x1E, "cptc6", 0, kOther, Generation::mariana, kLast, false},
    DtypeInfo{0x1F, "cptc7", 0, kOther, Generation::mariana, kLast, false},
};

}  // namespace

std::span<const DtypeInfo> dtypes() { return kDtypes; }

const DtypeInfo* find_dtype(std::uint8_t code) {
  const auto found = std::find_if(kDtypes.begin(), kDtypes.end(), [&](const auto& row) { return row.code == code; });
  return found == kDtypes.end() ? nullptr : &*found;
}

std::optional<Dtype> dtype_from_name(std::string_view name) {
  const auto found =
      std::find_if(kDtypes.begin(), kDtypes.end(), [&](const auto& row) { return row.modelled && row.name == name; });
  if (found == kDtypes.end()) return std::nullopt;
  return static_cast<Dtype>(found->code);
}

std::string_view name_of(Dtype dtype) {
  const DtypeInfo* info = find_dtype(static_cast<std::uint8_t>(dtype));
  return info == nullptr ? "unknown" : info->name;
}

}  // namespace tpb
