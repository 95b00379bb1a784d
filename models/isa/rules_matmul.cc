// S3D3_MM: the stationary operand of the matrix engine, and what moves past it.
#include <fmt/format.h>

#include "models/isa/common_rules.h"
#include "models/isa/describe.h"

namespace tpb {
namespace {

constexpr std::uint64_t kMostMoving = 512;  // elements per partition

// ---- fields --------------------------------------------------------------------------------------------------------

constexpr ByteLimits kRows{"rows", offsetof(S3D3_MM, rows), 1, kPartitions, "1..128"};
constexpr ByteLimits kColumns{"cols", offsetof(S3D3_MM, cols), 1, kPartitions, "1..128"};
constexpr ByteLimits kOptions{"perf_opt", offsetof(S3D3_MM, perf_opt), 0, kPerfOneZero | kPerfTranspose,
                              "0..3: bit 0 ones and zeros, bit 1 transpose"};
constexpr ByteLimits kAccumulation{"accum_flags", offsetof(S3D3_MM, accum_flags), 0, kAccumulateBegin | kAccumulateEnd,
                                   "0 (middle), 1 (begin), 2 (end) or 3 (single)"};
constexpr ByteLimits kPsumZero{"psum_zero", offsetof(S3D3_MM, psum_zero), 0, 0, "0"};

constexpr std::uint64_t kUncovered = bytes(12, 15) | bytes(36, 37) | bytes(40, 42) | bytes(46, 46);
// A load writes nothing; a product uses the tile that is loaded.
constexpr auto kLoadReserved =
    reserved_zero<kUncovered | bytes(34, 34) | bytes(43, 43) | bytes(48, 63)>("s3d3_mm_reserved_zero");
constexpr auto kMultiplyReserved = reserved_zero<kUncovered | bytes(44, 45)>("s3d3_mm_reserved_zero");

constexpr bool is_input(std::uint8_t code) {
  switch (static_cast<Dtype>(code)) {
    case Dtype::bf16:
    case Dtype::fp16:
    case Dtype::fp32:
    case Dtype::fp32r:
    case Dtype::fp8_e4m3:
    case Dtype::fp8_e5m2:
      return true;
    default:
      return false;
  }
}
constexpr Rule kInputDtype{
    "has_valid_matmul_in_dtype", [](const Subject& s) { return is_input(s.sites[kSrc].dtype); },
    [](const Subject& s) {
      return Violation{
          {}, "in_dtype", dtype_text(s.sites[kSrc].dtype), "bf16, fp16, fp32, fp32r, fp8_e4m3 or fp8_e5m2"};
    }};

// 1 is tfloat32: a way to read fp32.
constexpr Rule kFp32Mode{
    "has_valid_fp32_mode",
    [](const Subject& s) {
      const auto bundle = s.as<S3D3_MM>();
      const bool fp32 = bundle.in_dtype == static_cast<std::uint8_t>(Dtype::fp32);
      return bundle.fp32_mode <= (fp32 ? 1 : 0);
    },
    [](const Subject& s) {
      const auto bundle = s.as<S3D3_MM>();
      const bool fp32 = bundle.in_dtype == static_cast<std::uint8_t>(Dtype::fp32);
      return Violation{
          {}, "fp32_mode", std::to_string(bundle.fp32_mode), fp32 ? "0 or 1 (tfloat32)" : "0: in_dtype is not fp32"};
    }};

constexpr bool narrows(const Subject& s) { return s.context.generation >= Generation::mariana; }
constexpr Rule kOutputDtype{"has_valid_matmul_out_dtype",
                            [](const Subject& s) {
                              const auto dtype = static_cast<Dtype>(s.sites[kDst].dtype);
                              return dtype == Dtype::fp32 || (dtype == Dtype::bf16 && narrows(s));
                            },
                            [](const Subject& s) {
                              return Violation{{},
                                               "out_dtype",
                                               dtype_text(s.sites[kDst].dtype),
                                               narrows(s) ? "fp32 or bf16" : "fp32: bf16 is mariana's and later"};
                            }};

// A transpose moves values: there is nothing that they could be added to.
constexpr Rule kTransposeBegins{"transpose_accumulation_check",
                                [](const Subject& s) {
                                  const auto bundle = s.as<S3D3_MM>();
                                  return (bundle.perf_opt & kPerfTranspose) == 0 ||
                                         (bundle.accum_flags & kAccumulateBegin) != 0;
                                },
                                [](const Subject& s) {
                                  return Violation{{},
                                                   "accum_flags",
                                                   std::to_string(s.as<S3D3_MM>().accum_flags),
                                                   "1 (begin) or 3 (single): a transpose adds to nothing"};
                                }};

// ---- tiles ---------------------------------------------------------------------------------------------------------

constexpr unsigned kTileUnit = 32;

// A part of the array's rows or columns, in units; a size of zero with a position is no part.
struct Part {
  unsigned position, size;

  constexpr explicit Part(std::uint8_t group) : position(group & 0xFU), size(group >> 4U) {
    if (group == 0) size = kPartitions / kTileUnit;
  }
  constexpr bool valid(unsigned least) const {
    const bool power = size == 1 || size == 2 || size == 4;
    return power && size >= least && position + size <= kPartitions / kTileUnit;
  }
};

// A way to cut the array, and how much of it the operand takes.
struct Cut {
  std::string_view field;
  std::size_t group, used;  // offsets
  bool wide_on_sunda;       // at least 64 there
};
constexpr Cut kRowTile{"row_grp", offsetof(S3D3_MM, row_grp), offsetof(S3D3_MM, rows), true};
constexpr Cut kColumnTile{"col_grp", offsetof(S3D3_MM, col_grp), offsetof(S3D3_MM, cols), false};

constexpr unsigned least_size(const Subject& s, const Cut& cut) {
  return cut.wide_on_sunda && s.context.generation == Generation::sunda ? 2 : 1;
}
Violation explain_tile(const Subject& s, const Cut& cut) {
  const Part part(s.bundle[cut.group]);
  return {{},
          std::string(cut.field),
          fmt::format("position {}, size {}", part.position * kTileUnit, part.size * kTileUnit),
          fmt::format("size {}64 or 128, position + size at most 128", least_size(s, cut) == 1 ? "32, " : "")};
}
Violation explain_tile_fit(const Subject& s, const Cut& cut) {
  const Part part(s.bundle[cut.group]);
  return {{},
          std::string(cut.wide_on_sunda ? kRows.field : kColumns.field),
          std::to_string(s.bundle[cut.used]),
          fmt::format("at most {}, the size of the tile", part.size * kTileUnit)};
}

template <const Cut& kCut>
constexpr Rule kTile{"pe_tiling_position_size_check",
                     [](const Subject& s) { return Part(s.bundle[kCut.group]).valid(least_size(s, kCut)); },
                     [](const Subject& s) { return explain_tile(s, kCut); }};
template <const Cut& kCut>
constexpr Rule kTileFit{"pe_tiling_shape_check",
                        [](const Subject& s) {
                          const Part part(s.bundle[kCut.group]);
                          return !part.valid(1) || s.bundle[kCut.used] <= part.size * kTileUnit;
                        },
                        [](const Subject& s) { return explain_tile_fit(s, kCut); }};

// ---- operands ------------------------------------------------------------------------------------------------------

constexpr std::uint32_t columns(const Subject& s) { return s.bundle[kColumns.offset]; }
constexpr Rule kProductStart{"start_addr_active_channels",
                             [](const Subject& s) { return start_address_valid(s.sites[kDst], columns(s)); },
                             [](const Subject& s) { return explain_start_address(s.sites[kDst], columns(s)); }};

// Every partition of the source is a row of the array, every element in it a column.
constexpr Rule kColumnCount{"load_stationary_element_count_check",
                            [](const Subject& s) { return s.sites[kSrc].pattern.elements() == columns(s); },
                            [](const Subject& s) { return explain_count(s.sites[kSrc], columns(s), "cols"); }};

constexpr bool stationary_fits(const Subject& s) {
  const Stationary& loaded = s.context.earlier.stationary;
  return loaded.rows == s.bundle[kRows.offset] && loaded.cols == s.bundle[kColumns.offset];
}
constexpr Rule kStationaryLoaded{
    "load_stationary_missing", [](const Subject& s) { return s.context.earlier.stationary.rows != 0; },
    [](const Subject&) {
      return Violation{
          {}, "stationary", "none", "one, by a LoadStationary earlier in the stream: load_stationary missing"};
    }};
constexpr Rule kStationaryFits{
    "stationary_shape_check",
    [](const Subject& s) { return s.context.earlier.stationary.rows == 0 || stationary_fits(s); },
    [](const Subject& s) {
      const Stationary& loaded = s.context.earlier.stationary;
      return Violation{{},
                       "rows,cols",
                       fmt::format("{},{}", s.bundle[kRows.offset], s.bundle[kColumns.offset]),
                       fmt::format("{},{}: those of the loaded stationary", loaded.rows, loaded.cols)};
    }};

bool transposes(const Subject& s) { return (s.as<S3D3_MM>().perf_opt & kPerfTranspose) != 0; }
// The array is told twice, and does one thing.
constexpr Rule kStationaryTransposes{"stationary_transpose_check",
                                     [](const Subject& s) {
                                       const Stationary& loaded = s.context.earlier.stationary;
                                       return loaded.rows == 0 || loaded.transposes == transposes(s);
                                     },
                                     [](const Subject& s) {
                                       return Violation{{},
                                                        "perf_opt",
                                                        std::to_string(s.as<S3D3_MM>().perf_opt),
                                                        transposes(s)
                                                            ? "no transpose, as the stationary was loaded for none"
                                                            : "a transpose, as the stationary was loaded for one"};
                                     }};

// ---- tables --------------------------------------------------------------------------------------------------------

constexpr std::tuple kShape{byte_rule<kRows>("check_active_rows"), byte_rule<kColumns>("check_active_columns")};
constexpr std::tuple kInput{byte_rule<kPsumZero>("has_valid_psum_zero"), kInputDtype, kFp32Mode,
                            byte_rule<kOptions>("has_valid_perf_opt")};

constexpr auto kLoadTable =
    std::tuple_cat(kShape, std::tuple{kLoadReserved}, kInput,
                   std::tuple{kTile<kRowTile>, kTile<kColumnTile>, kTileFit<kRowTile>, kTileFit<kColumnTile>,
                              kStartAddrActiveChannels<kSrc>, kDirectAddress<kSrc>,
                              kTensor3dValid<kSrc, WriteTensor::no, Psum::never>, kColumnCount});

constexpr auto kMultiplyTable = std::tuple_cat(
    kShape, std::tuple{kMultiplyReserved}, kInput,
    std::tuple{kOutputDtype, byte_rule<kAccumulation>("has_valid_accum_flags"), kTransposeBegins,
               kStartAddrActiveChannels<kSrc>, kProductStart, kDirectAddress<kSrc>, kDirectAddress<kDst>,
               kTensor3dValid<kSrc, WriteTensor::no, Psum::never>, kTensor3dValid<kDst, WriteTensor::yes, Psum::only>,
               element_count<kSrc, 1, kMostMoving>("multiply_moving_element_count_check"),
               same_element_count<kDst, kSrc>("same_element_count_t3d"), kStationaryLoaded, kStationaryFits,
               kStationaryTransposes});

}  // namespace

constexpr RuleSet kLoadStationaryRules = rule_set<kLoadTable>(describe_s3d3_mm);
constexpr RuleSet kMultiplyMovingRules = rule_set<kMultiplyTable>(describe_s3d3_mm);

}  // namespace tpb
