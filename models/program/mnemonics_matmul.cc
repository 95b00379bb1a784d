// The matrix engine: S3D3_MM, whose bundles have the stationary or the moving operand of a product.
#include <fmt/format.h>

#include "models/program/mnemonic_rows.h"

namespace tpb {
namespace {

constexpr std::int64_t kTileUnit = 32;
constexpr Choice kAccumulations[]{
    {"single", kAccumulateBegin | kAccumulateEnd}, {"begin", kAccumulateBegin}, {"middle", 0}, {"end", kAccumulateEnd}};
constexpr std::uint8_t kSingle = kAccumulateBegin | kAccumulateEnd;

// What both bundles have.
S3D3_MM matmul(Opcode role, const Fields& fields, std::uint64_t columns, const SemanticsOptions& semantics) {
  const Operand& src = fields.operand("src");
  S3D3_MM bundle{};
  bundle.frame = frame_for(role, semantics);
  bundle.src = descriptor_of<3>(src.pattern);
  bundle.in_dtype = code_of(src.dtype);
  if (fields.has("tfloat32")) {
    if (src.dtype != Dtype::fp32) {
      throw Problem{fields.column("tfloat32"),
                    fmt::format("tfloat32 of {}, expected fp32, which it rounds", name_of(src.dtype))};
    }
    bundle.fp32_mode = 1;
  }
  if (fields.has("onezero")) bundle.perf_opt |= kPerfOneZero;
  if (fields.has("transpose")) bundle.perf_opt |= kPerfTranspose;
  bundle.rows = channels_of(src);
  bundle.cols = static_cast<std::uint8_t>(columns);
  return bundle;
}

void put_matmul(Fields& fields, const S3D3_MM& bundle) {
  put_flag(fields, "transpose", (bundle.perf_opt & kPerfTranspose) != 0);
  put_flag(fields, "onezero", (bundle.perf_opt & kPerfOneZero) != 0);
  put_flag(fields, "tfloat32", bundle.fp32_mode != 0);
}

// ---- tiles: rows, then columns --------------------------------------------------------------------------------------

constexpr Integers::value_type position_of(std::uint8_t group) { return (group & 0xF) * kTileUnit; }
constexpr Integers::value_type size_of(std::uint8_t group) { return (group >> 4) * kTileUnit; }

// In units of 32.
std::uint8_t units_of(const Fields& fields, std::string_view name, std::size_t axis) {
  const std::int64_t value = fields.integers(name)[axis];
  if (value % kTileUnit != 0) {
    throw Problem{fields.column(name), fmt::format("{} {}, expected multiples of {}", name, value, kTileUnit)};
  }
  return static_cast<std::uint8_t>(value / kTileUnit);
}

// Without fields the whole array; a size alone starts at 0.
std::uint8_t group_of(const Fields& fields, std::size_t axis) {
  const std::uint8_t position = fields.has("tile_position") ? units_of(fields, "tile_position", axis) : 0;
  const std::uint8_t size = fields.has("tile_size") ? units_of(fields, "tile_size", axis) : 0;
  return static_cast<std::uint8_t>(position | size << 4);
}

Instructions write_load_stationary(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  const std::uint64_t columns = elements_of(fields.operand("src"));
  if (columns > kPartitions) {
    throw Problem{fields.column("src"), fmt::format("src has {} elements per partition, expected at most {} (columns)",
                                                    columns, kPartitions)};
  }
  if (fields.has("tile_position") && !fields.has("tile_size")) {
    throw Problem{fields.column("tile_position"),
                  "tile_position= without tile_size=, expected the size of the tile too"};
  }
  S3D3_MM bundle = matmul(mnemonic.roles[0], fields, columns, semantics);
  bundle.row_grp = group_of(fields, 0);
  bundle.col_grp = group_of(fields, 1);
  return {bundle};
}

Fields read_load_stationary(std::span<const Instruction> instructions) {
  const auto& bundle = std::get<S3D3_MM>(instructions[0]);
  Fields fields;
  put_operands(fields, instructions[0], {"src"}, {});
  if (bundle.row_grp != 0 || bundle.col_grp != 0) {
    fields.put("tile_position", Integers{position_of(bundle.row_grp), position_of(bundle.col_grp)});
    fields.put("tile_size", Integers{size_of(bundle.row_grp), size_of(bundle.col_grp)});
  }
  put_matmul(fields, bundle);
  return fields;
}

// ---- the product ----------------------------------------------------------------------------------------------------

Instructions write_multiply_moving(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  const Operand& dst = fields.operand("dst");
  check_elements(fields, "dst", elements_of(fields.operand("src")), "those of src");
  if (fields.has("cols") && !fields.raw("dst")) {
    throw Problem{fields.column("cols"), "cols= without a raw dst, expected the partitions of dst to speak"};
  }
  S3D3_MM bundle = matmul(mnemonic.roles[0], fields, dst.channels, semantics);
  bundle.out_dtype = code_of(dst.dtype);
  bundle.accum_flags = fields.has("accumulate") ? fields.code("accumulate") : kSingle;
  bundle.dst = descriptor_of<3>(dst.pattern);
  return {bundle};
}

Fields read_multiply_moving(std::span<const Instruction> instructions) {
  const auto& bundle = std::get<S3D3_MM>(instructions[0]);
  Fields fields;
  put_operands(fields, instructions[0], {"src"});
  fields.put("cols", Integers{bundle.cols});
  if (bundle.accum_flags != kSingle) fields.put("accumulate", bundle.accum_flags);
  put_matmul(fields, bundle);
  return fields;
}

}  // namespace

Rows matmul_rows() {
  FieldSpec product = operand_field("dst", 3);
  product.own_partitions = "cols";
  return {{"load_stationary",
           {Opcode::load_stationary},
           {operand_field("src", 3), optional(pair_field("tile_position", 0, kPartitions - kTileUnit)),
            optional(pair_field("tile_size", kTileUnit, kPartitions)), flag_field("transpose"), flag_field("onezero"),
            flag_field("tfloat32")},
           write_load_stationary,
           read_load_stationary},
          {"multiply_moving",
           {Opcode::multiply_moving},
           {operand_field("src", 3), product, optional(integer_field("cols", 1, kPartitions)),
            optional(choice_field("accumulate", kAccumulations)), flag_field("transpose"), flag_field("onezero"),
            flag_field("tfloat32")},
           write_multiply_moving,
           read_multiply_moving}};
}

}  // namespace tpb
