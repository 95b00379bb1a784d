// What is written without being read: D4_MR, D4_IOTA.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "models/program/mnemonic_rows.h"

namespace tpb {
namespace {

constexpr std::int64_t kLowStep = std::numeric_limits<std::int16_t>::min();
constexpr std::int64_t kHighStep = std::numeric_limits<std::int16_t>::max();

Instructions write_memset(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  const Operand& dst = fields.operand("dst");
  auto bundle = to_destination<D4_MR, 4>(mnemonic.roles[0], dst, semantics);
  bundle.value = element_of(std::get<Literal>(fields.scalar("value")), dst.dtype);
  return {bundle};
}

Fields read_memset(std::span<const Instruction> instructions) {
  const auto& bundle = std::get<D4_MR>(instructions[0]);
  Fields fields;
  put_operands(fields, instructions[0], {});
  // A value that the dtype cannot have shows as another one.
  const auto dtype = static_cast<Dtype>(bundle.out_dtype);
  const unsigned unused = 32 - 8 * bytes_of(dtype);
  const bool fits = unused < 32 && bundle.value << unused >> unused == bundle.value;
  fields.put("value", Scalar(literal(fits ? element_text(bundle.value, dtype) : "0")));
  return fields;
}

Instructions write_iota(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  const Operand& dst = fields.operand("dst");
  const Integers& steps = fields.integers("steps");
  std::size_t dimensions = kPatternDims;
  while (dimensions > 1 && dst.pattern.num[dimensions - 1] == 1) --dimensions;
  // A raw operand may show outer dimensions of one element.
  const std::size_t most = fields.raw("dst") ? kPatternDims : dimensions;
  if (steps.size() < dimensions || steps.size() > most) {
    throw Problem{fields.column("steps"),
                  fmt::format("{} steps, expected one for each of the {} dimensions of dst", steps.size(), dimensions)};
  }
  auto bundle = to_destination<D4_IOTA, 4>(mnemonic.roles[0], dst, semantics);
  for (unsigned d = 0; d < kPatternDims; ++d) {
    bundle.step[d] = d < steps.size() ? static_cast<std::int16_t>(steps[d]) : std::int16_t{1};
    bundle.num[d] = bundle.dst.num[d];
  }
  bundle.start = static_cast<std::int32_t>(fields.integers("start").front());
  if (fields.has("partition_step")) {
    bundle.partition_step = static_cast<std::int16_t>(fields.integers("partition_step").front());
  }
  return {bundle};
}

Fields read_iota(std::span<const Instruction> instructions) {
  const auto& bundle = std::get<D4_IOTA>(instructions[0]);
  Fields fields;
  put_operands(fields, instructions[0], {});
  fields.put("start", Integers{bundle.start});
  fields.put("steps", Integers(std::begin(bundle.step), std::end(bundle.step)));
  if (bundle.partition_step != 0) fields.put("partition_step", Integers{bundle.partition_step});
  return fields;
}

}  // namespace

Rows fill_rows() {
  constexpr std::int64_t kLow = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kHigh = std::numeric_limits<std::int32_t>::max();
  FieldSpec steps = integer_field("steps", kLowStep, kHighStep);
  steps.kind = FieldKind::integers;
  FieldSpec value = scalar_field("value");
  value.kind = FieldKind::literal;
  return {{"memset", {Opcode::memset}, {value, operand_field("dst", 4)}, write_memset, read_memset},
          {"iota",
           {Opcode::iota},
           {integer_field("start", kLow, kHigh), steps, optional(integer_field("partition_step", kLowStep, kHighStep)),
            operand_field("dst", 4)},
           write_iota,
           read_iota}};
}

}  // namespace tpb
