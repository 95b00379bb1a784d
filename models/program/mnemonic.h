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

namespace tpb {

// A field's value: an operand, a wire code (of an operation or a choice), an fp32, or a flag that is set.
struct Set {};
using FieldValue = std::variant<TextOperand, std::uint8_t, float, Set>;

// The fields of one instruction, by name.
class Fields {
 public:
  void put(std::string_view name, FieldValue value, std::uint32_t column = 0) {
    entries_.push_back({name, value, column});
  }
  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::uint32_t column(std::string_view name) const { return find(name)->column; }

  TextOperand& text_operand(std::string_view name) { return std::get<TextOperand>(find(name)->value); }
  const Operand& operand(std::string_view name) const { return std::get<TextOperand>(find(name)->value).operand; }
  std::uint8_t code(std::string_view name) const { return std::get<std::uint8_t>(find(name)->value); }
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

enum class FieldKind : std::uint8_t { operand, choice, number, flag };

struct FieldSpec {
  std::string_view name;
  FieldKind kind = FieldKind::operand;
  bool required = true;
  unsigned rank = 0;                    // of an operand
  std::span<const Choice> choices{};    // of a choice
  std::span<const Refusal> refusals{};  // of a choice
};

struct Mnemonic {
  std::string_view name;
  Opcode role;  // of the bundle; `write` may pick a kindred one
  std::vector<FieldSpec> fields;
  // Judges the counts of the operands and writes the layout, without events. Throws Problem.
  Instruction (*write)(const Mnemonic&, const Fields&, const SemanticsOptions&);
  // What `write` would have been given; codes without a name are found out by whoever prints them.
  Fields (*read)(const Instruction&);

  bool has_operands() const;
};

const Mnemonic* find_mnemonic(std::string_view name);
// The row that a decoded instruction prints as; nullptr when it has no text.
const Mnemonic* find_mnemonic(Opcode role);
std::vector<std::string_view> mnemonic_names();

}  // namespace tpb
