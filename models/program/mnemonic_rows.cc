#include "models/program/mnemonic_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tpb {
namespace {

constexpr Choice kFreeAxes[]{{"X", 2}, {"XY", 3}, {"XYZ", 4}, {"XYZW", 5}};

constexpr Choice kCommands[]{{"idle", code_of(AccumulatorCommand::idle)},
                             {"reset", code_of(AccumulatorCommand::reset)},
                             {"reduce", code_of(AccumulatorCommand::reduce)},
                             {"reset_reduce", code_of(AccumulatorCommand::reset_reduce)},
                             {"load_reduce", code_of(AccumulatorCommand::load_reduce)}};

std::vector<Choice> operation_choices() {
  std::vector<Choice> all;
  for (const AluOpInfo& info : alu_ops()) all.push_back({info.name, code_of(info.code)});
  return all;
}

std::string either_of(std::span<const Dtype> dtypes) {
  std::vector<std::string_view> names;
  for (const Dtype dtype : dtypes) names.push_back(name_of(dtype));
  return fmt::format("{}", fmt::join(names, " or "));
}

}  // namespace

FieldSpec operand_field(std::string_view name, unsigned rank) { return {.name = name, .rank = rank}; }
FieldSpec scalar_field(std::string_view name) { return {.name = name, .kind = FieldKind::scalar}; }
FieldSpec choice_field(std::string_view name, std::span<const Choice> choices, std::span<const Refusal> refusals) {
  return {.name = name, .kind = FieldKind::choice, .choices = choices, .refusals = refusals};
}
FieldSpec operation_field(std::string_view name, std::span<const Refusal> refusals) {
  static const std::vector<Choice> choices = operation_choices();
  return choice_field(name, choices, refusals);
}
FieldSpec number_field(std::string_view name) { return {.name = name, .kind = FieldKind::number}; }
FieldSpec integer_field(std::string_view name, std::int64_t low, std::int64_t high) {
  return {.name = name, .kind = FieldKind::integer, .low = low, .high = high};
}
FieldSpec pair_field(std::string_view name, std::int64_t low, std::int64_t high) {
  return {.name = name, .kind = FieldKind::pair, .low = low, .high = high};
}
FieldSpec flag_field(std::string_view name) { return {.name = name, .kind = FieldKind::flag, .required = false}; }
FieldSpec refused_field(std::string_view name, std::string_view message) {
  return {.name = name, .kind = FieldKind::refused, .required = false, .message = message};
}
FieldSpec optional(FieldSpec field) {
  field.required = false;
  return field;
}

std::span<const Choice> free_axes() { return kFreeAxes; }
std::span<const Choice> accumulator_commands() { return kCommands; }

bool is_bitvec(std::uint8_t op) {
  const AluOpInfo* info = find_alu_op(op);
  return info != nullptr && info->family == AluFamily::bitvec;
}

Frame frame_for(Opcode role, const SemanticsOptions& semantics) {
  Frame frame;
  frame.opcode = wire_of(static_cast<std::uint8_t>(role), semantics);
  return frame;
}

std::uint64_t elements_of(const Operand& operand, unsigned reduced) {
  std::uint64_t count = 1;
  for (unsigned d = reduced; d < kPatternDims; ++d) count *= operand.pattern.num[d];
  return count;
}

namespace {

void check_elements(const TextOperand& operand, std::uint32_t column, std::string_view name, std::uint64_t expected,
                    std::string_view origin) {
  const std::uint64_t found = elements_of(operand.operand);
  if (found != expected) {
    throw Problem{column,
                  fmt::format("{} has {} elements per partition, expected {} ({})", name, found, expected, origin)};
  }
}

}  // namespace

void check_elements(const Fields& fields, std::string_view name, std::uint64_t expected, std::string_view origin) {
  check_elements(std::get<TextOperand>(fields.value(name)), fields.column(name), name, expected, origin);
}

Immediate immediate_of(const Fields& fields, std::string_view name, std::span<const Dtype> dtypes,
                       std::string_view origin) {
  const Scalar& scalar = fields.scalar(name);
  const Dtype dtype = dtypes.front();
  if (const auto* address = std::get_if<RegisterAddress>(&scalar)) {
    return {static_cast<std::uint8_t>(ImmediateSource::register_pointer), address->number, dtype};
  }
  if (const auto* literal = std::get_if<Literal>(&scalar)) {
    if (dtype == Dtype::fp32) return {0, fp32_of(*literal), dtype};
    std::int64_t low = 0, high = 0;
    for (const Dtype allowed : dtypes) {
      low = std::min(low, range_of(allowed).low);
      high = std::max(high, range_of(allowed).high);
    }
    return {0, word_of(*literal, "a value of " + either_of(dtypes), low, high), dtype};
  }
  const auto& operand = std::get<TextOperand>(scalar);
  check_elements(operand, fields.column(name), name, 1, "a scalar for each");
  if (std::ranges::find(dtypes, operand.operand.dtype) == dtypes.end()) {
    throw Problem{fields.column(name), fmt::format("{} is {}, expected {} ({})", name, name_of(operand.operand.dtype),
                                                   either_of(dtypes), origin)};
  }
  return {static_cast<std::uint8_t>(ImmediateSource::pointer), operand.operand.pattern.start_addr,
          operand.operand.dtype};
}

Immediate immediate_of(const Fields& fields, std::string_view name, std::uint8_t op) {
  static constexpr Dtype kWords[]{Dtype::uint32, Dtype::int32};
  static constexpr Dtype kNumber[]{Dtype::fp32};
  if (is_bitvec(op)) return immediate_of(fields, name, kWords, "of a bit-vector operation");
  return immediate_of(fields, name, kNumber, "of an arithmetic operation");
}

std::uint8_t reverse_of(const Fields& fields) {
  return static_cast<std::uint8_t>((fields.has("reverse0") ? 1 : 0) | (fields.has("reverse1") ? 2 : 0));
}

TextOperand raw(const Operand& operand) { return {operand, 0, true}; }

void put_operands(Fields& fields, const Instruction& instruction, std::initializer_list<std::string_view> sources,
                  std::initializer_list<std::string_view> destinations) {
  const Operands operands = operands_of(instruction);
  std::size_t i = 0;
  for (const std::string_view name : sources) fields.put(name, raw(operands.source[i++]));
  i = 0;
  for (const std::string_view name : destinations) fields.put(name, raw(operands.destination[i++]));
}

// Sources that do not exist become numbers, which their text shows not to be the same bundle.
Scalar scalar_of(const Immediate& immediate) {
  switch (static_cast<ImmediateSource>(immediate.source)) {
    case ImmediateSource::pointer: {
      Operand one;
      one.pattern.start_addr = immediate.value;
      one.dtype = immediate.dtype;
      return raw(one);
    }
    case ImmediateSource::register_pointer:
      return RegisterAddress{static_cast<std::uint8_t>(std::min(immediate.value, kRegisters))};
    default:
      if (immediate.dtype == Dtype::fp32) return literal(fp32_text(immediate.value));
      if (immediate.dtype == Dtype::uint32) return literal(fmt::format("0x{:x}", immediate.value));
      const auto value = static_cast<std::int32_t>(immediate.value);
      const auto [low, high] = is_integer(immediate.dtype) ? range_of(immediate.dtype) : IntegerRange{};
      return literal(value >= low && value <= high ? std::to_string(value)
                                                   : fmt::format("bits(0x{:x})", immediate.value));
  }
}

void put_flag(Fields& fields, std::string_view name, bool set) {
  if (set) fields.put(name, Set{});
}

void put_reverse(Fields& fields, std::uint8_t reverse) {
  put_flag(fields, "reverse0", (reverse & 1) != 0);
  put_flag(fields, "reverse1", (reverse & 2) != 0);
}

}  // namespace tpb
