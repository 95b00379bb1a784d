// The eight largest values and where they are: S4D2_BN, S4D2_MV, S2_BN.
#include <fmt/format.h>

#include <limits>

#include "models/program/mnemonic_rows.h"

namespace tpb {
namespace {

constexpr unsigned kSlots = 8;

void check_slots(const Fields& fields, std::string_view name) { check_elements(fields, name, kSlots, "eight slots"); }

// The unit writes the smallest of the eight first, so that a descriptor from the last slot down leaves them descending:
// start + 7 x step x size, step -step and 0 (the pool-engine document). Its own inverse but for the second step.
Operand from_other_end(Operand run) {
  AccessPattern& pattern = run.pattern;
  const std::int64_t reach = std::int64_t{kSlots - 1} * pattern.step[0] * bytes_of(run.dtype);
  pattern.start_addr = static_cast<std::uint32_t>(pattern.start_addr + reach);
  pattern.step[0] = -pattern.step[0];
  return run;
}

Instructions write_max8(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  check_slots(fields, "dst");
  const Operand& dst = fields.operand("dst");
  if (address_mode(dst.pattern.start_addr) != AddressMode::immediate) {
    throw Problem{fields.column("dst"),
                  "dst at an address in a register, expected a number, as max8 starts at its end"};
  }
  if (dst.pattern.step[0] == std::numeric_limits<std::int16_t>::min()) {
    throw Problem{
        fields.column("dst"),
        fmt::format("dst with step {}, expected -32767..32767, as max8 writes backwards", dst.pattern.step[0])};
  }
  auto bundle =
      source_to_destination<S4D2_BN, 4, 2>(mnemonic.roles[0], fields.operand("src"), from_other_end(dst), semantics);
  bundle.dst.step[1] = 0;
  return {bundle};
}

Fields read_max8(std::span<const Instruction> instructions) {
  Fields fields;
  put_operands(fields, instructions[0], {"src"}, {});
  fields.put("dst", raw(from_other_end(operands_of(instructions[0]).destination[0])));
  return fields;
}

// The values alone, or with the data that they are looked for in, which nothing reads.
Instruction match_value_load(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  check_slots(fields, "vals");
  const Operand& values = fields.operand("vals");
  const Frame frame = frame_for(Opcode::match_value_load, semantics);
  if (semantics.match_value_load == SemanticsOptions::MatchValueLoad::s2_bn) {
    S2_BN bundle{};
    bundle.frame = frame;
    bundle.src = descriptor_of<2>(values.pattern);
    bundle.in_dtype = code_of(values.dtype);
    bundle.num_active_channels = channels_of(values);
    return bundle;
  }
  if (!fields.has("data")) {
    throw Problem{fields.column("vals"), fmt::format("{} without data=, expected data= vals=", mnemonic.name)};
  }
  const Operand& data = fields.operand("data");
  S4D2_MV bundle{};
  bundle.frame = frame;
  bundle.data = descriptor_of<4>(data.pattern);
  bundle.data_dtype = code_of(data.dtype);
  bundle.values_dtype = code_of(values.dtype);
  bundle.num_active_channels = channels_of(values);
  bundle.values = descriptor_of<2>(values.pattern);
  return bundle;
}

Instruction find_index8(const Fields& fields, const SemanticsOptions& semantics) {
  check_slots(fields, "dst");
  return source_to_destination<S4D2_BN, 4, 2>(Opcode::find_index8, fields.operand("data"), fields.operand("dst"),
                                              semantics);
}

Instructions write_match_value_load(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  return {match_value_load(mnemonic, fields, semantics)};
}
Instructions write_find_index8(const Mnemonic&, const Fields& fields, const SemanticsOptions& semantics) {
  return {find_index8(fields, semantics)};
}
Instructions write_max_index(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  return {match_value_load(mnemonic, fields, semantics), find_index8(fields, semantics)};
}

Fields read_match_value_load(std::span<const Instruction> instructions) {
  Fields fields;
  put_operands(fields, instructions[0], {"vals"}, {});
  if (const auto* bundle = std::get_if<S4D2_MV>(&instructions[0])) {
    fields.put("data",
               raw({pattern_of(bundle->data), static_cast<Dtype>(bundle->data_dtype), bundle->num_active_channels}));
  }
  return fields;
}
Fields read_find_index8(std::span<const Instruction> instructions) {
  Fields fields;
  put_operands(fields, instructions[0], {"data"});
  return fields;
}
Fields read_max_index(std::span<const Instruction> instructions) {
  Fields fields = read_find_index8(instructions.subspan(1));
  put_operands(fields, instructions[0], {"vals"}, {});
  return fields;
}

}  // namespace

Rows search_rows() {
  return {{"max8", {Opcode::max8}, {operand_field("src", 4), operand_field("dst", 1)}, write_max8, read_max8},
          {"max_index",
           {Opcode::match_value_load, Opcode::find_index8},
           {operand_field("data", 4), operand_field("vals", 2), operand_field("dst", 2)},
           write_max_index,
           read_max_index},
          {"match_value_load",
           {Opcode::match_value_load},
           {optional(operand_field("data", 4)), operand_field("vals", 2)},
           write_match_value_load,
           read_match_value_load},
          {"find_index8",
           {Opcode::find_index8},
           {operand_field("data", 4), operand_field("dst", 2)},
           write_find_index8,
           read_find_index8}};
}

}  // namespace tpb
