// The instructions of program text: one row per mnemonic with its fields and how they reach the bundle's layout.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/isa/instruction.h"
#include "models/program/lexer.h"
#include "models/program/operand.h"
#include "models/program/scalar.h"

namespace tpb {

// A field's value: an operand, a scalar, a wire code (of an operation or a choice), an fp32, one or more integers, or a
// flag that is set.
struct Set {};
using Integers = std::vector<std::int64_t>;
using FieldValue = std::variant<TextOperand, Scalar, std::uint8_t, float, Integers, Set>;

// The fields of one instruction, by name.
class Fields {
 public:
  void put(std::string_view name, FieldValue value, std::uint32_t column = 0) {
    entries_.push_back({name, value, column});
  }
  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::uint32_t column(std::string_view name) const { return find(name)->column; }

  // Of an operand, or of a scalar that lies in memory; nullptr for other scalars and fields that were not given.
  TextOperand* text_operand(std::string_view name);
  const Operand& operand(std::string_view name) const { return std::get<TextOperand>(find(name)->value).operand; }
  bool raw(std::string_view name) const { return std::get<TextOperand>(find(name)->value).raw; }
  const Scalar& scalar(std::string_view name) const { return std::get<Scalar>(find(name)->value); }
  std::uint8_t code(std::string_view name) const { return std::get<std::uint8_t>(find(name)->value); }
  const Integers& integers(std::string_view name) const { return std::get<Integers>(find(name)->value); }
  float number(std::string_view name) const { return std::get<float>(find(name)->value); }
  const FieldValue& value(std::string_view name) const { return find(name)->value; }

 private:
  struct Entry {
    std::string_view name;
    FieldValue value;
    std::uint32_t column;
  };
  const Entry* find(std::string_view name) const;
  Entry* find(std::string_view name);

  std::vector<Entry> entries_;
};

struct Choice {
  std::string_view name;
  std::uint8_t code;
};

// A value that has a name but no encoding, and what to say instead.
struct Refusal {
  std::string_view name;
  std::string_view message;
};

enum class FieldKind : std::uint8_t {
  operand,
  scalar,   // a number whose type other fields decide, or a value in memory
  literal,  // such a number only
  choice,
  number,  // fp32
  integer,
  integers,  // [1, 2]
  pair,      // (1, 2)
  flag,
  refused,  // a flag that other instructions have
};

struct FieldSpec {
  std::string_view name;
  FieldKind kind = FieldKind::operand;
  bool required = true;
  unsigned rank = 0;                    // of an operand
  std::uint32_t partitions = 0;         // of an operand; 0: as many as the others
  std::string_view own_partitions{};    // of an operand with others than those: the field that has a raw one's
  std::span<const Choice> choices{};    // of a choice
  std::span<const Refusal> refusals{};  // of a choice
  std::int64_t low = 0, high = 0;       // of integers
  std::string_view message{};           // of what is refused, and why an operand has no more dimensions
};

struct Mnemonic {
  std::string_view name;
  std::vector<Opcode> roles;  // of its bundles, in order; `write` may pick a kindred one
  std::vector<FieldSpec> fields;
  // Judges the counts of the operands and writes the layouts, without events. Throws Problem.
  std::vector<Instruction> (*write)(const Mnemonic&, const Fields&, const SemanticsOptions&);
  // What `write` would have been given; codes without a name are found out by whoever prints them.
  Fields (*read)(std::span<const Instruction>);

  bool has_operands() const;
};

const Mnemonic* find_mnemonic(std::string_view name);
// The row that decoded instructions, which stand on one line, print as; nullptr when they have no text.
const Mnemonic* find_mnemonic(std::span<const Opcode> roles);
std::vector<std::string_view> mnemonic_names();

}  // namespace tpb
