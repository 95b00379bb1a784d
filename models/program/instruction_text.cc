#include "models/program/instruction_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "models/program/event.h"
#include "models/program/mnemonic.h"
#include "models/program/tile_text.h"

namespace tpb {
namespace {

constexpr std::uint32_t kDefaultChannels = kPartitions;

// Reads the fields, waits and updates of one line, then writes its bundles.
class LineReader {
 public:
  LineReader(Cursor& cursor, std::uint32_t line, Engine engine, const Symbols& symbols, const Config& config,
             Problems& problems)
      : cursor_(cursor), line_(line), engine_(engine), symbols_(symbols), config_(config), problems_(problems) {}

  std::vector<Bundle> read() {
    const std::uint32_t column = cursor_.column();
    const Mnemonic* mnemonic = nullptr;
    attempt([&] {
      const std::string name = cursor_.word("an instruction or a directive");
      mnemonic = find_mnemonic(name);
      if (mnemonic == nullptr) {
        std::vector<std::string_view> names = mnemonic_names();
        std::ranges::copy(tile_names(), std::back_inserter(names));
        if (is_tile_operation(name)) {
          throw Problem{column, fmt::format("'{}' alone, expected a block that begins with BSTART.SFU {}, and a type",
                                            name, name)};
        }
        throw Problem{column, unknown_name("mnemonic", name, names)};
      }
    });
    if (mnemonic == nullptr) return {};
    while (!cursor_.at_end()) {
      attempt([&] { read_field(*mnemonic); });
      if (failed_here_) skip_to_field();
    }
    for (const FieldSpec& field : mnemonic->fields) {
      if (field.required && !given(field.name)) {
        attempt([&] {
          throw Problem{column,
                        fmt::format("{} without {}=, expected {}", mnemonic->name, field.name, usage(*mnemonic))};
        });
      }
    }
    if (!failed_) attempt([&] { place_operands(*mnemonic); });
    std::vector<Bundle> bundles;
    if (!failed_) {
      attempt([&] {
        for (const Instruction& instruction : mnemonic->write(*mnemonic, fields_, config_.semantics)) {
          synchronised_.instruction.push_back(pack(instruction));
        }
        bundles = expand(synchronised_);
      });
    }
    return bundles;
  }

 private:
  template <class Step>
  void attempt(Step step) {
    failed_here_ = false;
    try {
      step();
    } catch (const Problem& problem) {
      problems_.add(line_, problem);
      failed_ = failed_here_ = true;
    }
  }

  bool at_field() const { return at_event(cursor_) || (cursor_.peek().kind == TokenKind::word && cursor_.at("=", 1)); }

  // Leaves the rest of a field that could not be read. At least one token was taken or is taken here.
  void skip_to_field() {
    if (cursor_.column() == field_column_) cursor_.take();
    while (!cursor_.at_end() && !at_field()) cursor_.take();
  }

  static std::string usage(const Mnemonic& mnemonic) {
    std::string text;
    for (const FieldSpec& field : mnemonic.fields) {
      if (field.kind == FieldKind::refused) continue;
      const std::string name = field.kind == FieldKind::flag ? std::string(field.name) : fmt::format("{}=", field.name);
      text += fmt::format("{}{}", text.empty() ? "" : " ", field.required ? name : fmt::format("[{}]", name));
    }
    return text;
  }

  bool given(std::string_view name) const { return std::ranges::find(given_, name) != given_.end(); }

  void read_field(const Mnemonic& mnemonic) {
    field_column_ = cursor_.column();
    if (at_event(cursor_)) return read_event(cursor_, engine_, symbols_, synchronised_);
    const std::string name = cursor_.word("a field, a wait or an update");
    if (given(name)) throw Problem{field_column_, fmt::format("second {}, expected one", name)};
    if (name == "ch" && mnemonic.has_operands()) {
      given_.push_back(name);
      channels_column_ = field_column_;
      cursor_.expect("=", "'=' and a number of partitions");
      channels_ = static_cast<std::uint32_t>(cursor_.integer("partitions", 1, kPartitions));
      return;
    }
    const auto field = std::ranges::find(mnemonic.fields, name, &FieldSpec::name);
    if (field == mnemonic.fields.end()) {
      std::vector<std::string_view> names;
      for (const FieldSpec& known : mnemonic.fields) {
        if (known.kind != FieldKind::refused) names.push_back(known.name);
      }
      if (mnemonic.has_operands()) names.push_back("ch");
      throw Problem{field_column_, unknown_name(fmt::format("field of {}", mnemonic.name), name, names)};
    }
    given_.push_back(name);
    if (field->kind == FieldKind::refused) throw Problem{field_column_, std::string(field->message)};
    if (field->kind == FieldKind::flag) {
      if (cursor_.at("=")) cursor_.fail(fmt::format("no value, as {} is a flag", name));
      return fields_.put(field->name, Set{}, field_column_);
    }
    cursor_.expect("=", fmt::format("'=' and the value of {}", name));
    const std::uint32_t column = cursor_.column();
    fields_.put(field->name, read_value(*field), column);
  }

  FieldValue read_value(const FieldSpec& field) {
    switch (field.kind) {
      case FieldKind::operand:
        return read_operand(cursor_, {field.rank, field.message}, engine_, symbols_, config_.memory);
      case FieldKind::scalar:
        return read_scalar(cursor_, engine_, symbols_, config_.memory);
      case FieldKind::literal:
        return Scalar(read_literal(cursor_));
      case FieldKind::choice:
        return read_choice(field);
      case FieldKind::integer:
        return Integers{cursor_.integer(field.name, field.low, field.high)};
      case FieldKind::integers:
        return read_integers(field, "[", "]");
      case FieldKind::pair:
        return read_pair(field);
      default:
        return std::bit_cast<float>(cursor_.fp32_bits("a number"));
    }
  }

  Integers read_integers(const FieldSpec& field, std::string_view open, std::string_view close) {
    Integers values;
    cursor_.expect(open, fmt::format("'{}' and {}", open, field.name));
    do values.push_back(cursor_.integer(field.name, field.low, field.high));
    while (cursor_.accept(","));
    cursor_.expect(close, fmt::format("',' or '{}'", close));
    return values;
  }

  Integers read_pair(const FieldSpec& field) {
    const std::uint32_t column = cursor_.column();
    Integers values = read_integers(field, "(", ")");
    if (values.size() != 2) throw Problem{column, fmt::format("{} numbers, expected (rows, columns)", values.size())};
    return values;
  }

  std::uint8_t read_choice(const FieldSpec& field) {
    const std::uint32_t column = cursor_.column();
    const std::string name = cursor_.word(fmt::format("a name for {}", field.name));
    if (const auto choice = std::ranges::find(field.choices, name, &Choice::name); choice != field.choices.end()) {
      return choice->code;
    }
    const auto refusal = std::ranges::find(field.refusals, name, &Refusal::name);
    if (refusal != field.refusals.end())
      throw Problem{column, fmt::format("{}={}: {}", field.name, name, refusal->message)};
    std::vector<std::string_view> names;
    for (const Choice& choice : field.choices) names.push_back(choice.name);
    throw Problem{column, unknown_name(field.name, name, names)};
  }

  // Gives raw operands their partitions; all operands, and the scalars in memory after them, have as many.
  void place_operands(const Mnemonic& mnemonic) {
    const FieldSpec* first = nullptr;
    bool any_raw = false;
    for (const FieldKind kind : {FieldKind::operand, FieldKind::scalar}) {
      for (const FieldSpec& field : mnemonic.fields) {
        TextOperand* const operand = field.kind == kind ? fields_.text_operand(field.name) : nullptr;
        if (operand == nullptr) continue;
        if (operand->raw) place_raw_operand(*operand, partitions_of_raw(field), config_.memory);
        any_raw |= operand->raw && field.own_partitions.empty();
        if (first == nullptr) first = &field;
        check_partitions(field, *operand, *first);
      }
    }
    if (!any_raw && channels_column_ != 0) {
      throw Problem{channels_column_, "ch= without a raw operand, expected the partitions of the tensors to speak"};
    }
  }

  std::uint32_t partitions_of_raw(const FieldSpec& field) const {
    if (field.partitions != 0) return field.partitions;
    if (field.own_partitions.empty()) return channels_;
    if (!fields_.has(field.own_partitions)) return kDefaultChannels;
    return static_cast<std::uint32_t>(fields_.integers(field.own_partitions).front());
  }

  void check_partitions(const FieldSpec& field, const TextOperand& operand, const FieldSpec& first) {
    if (!field.own_partitions.empty()) return;
    const std::uint32_t found = operand.operand.channels;
    const std::uint32_t expected = field.partitions == 0 ? fields_.operand(first.name).channels : field.partitions;
    if (found == expected) return;
    const std::string origin = field.partitions == 0 ? fmt::format(" as in {}", first.name) : "";
    throw Problem{operand.column,
                  fmt::format("{} has {} partitions, expected {}{}", field.name, found, expected, origin)};
  }

  Cursor& cursor_;
  std::uint32_t line_;
  Engine engine_;
  const Symbols& symbols_;
  const Config& config_;
  Problems& problems_;

  Fields fields_;
  Synchronised synchronised_;
  std::vector<std::string> given_;
  std::uint32_t channels_ = kDefaultChannels;
  std::uint32_t channels_column_ = 0;  // 0: not given
  std::uint32_t field_column_ = 0;
  bool failed_ = false;
  bool failed_here_ = false;
};

std::optional<std::string> field_text(const FieldSpec& field, const FieldValue& value) {
  switch (field.kind) {
    case FieldKind::operand:
      return fmt::format("{}={}", field.name, raw_operand_text(std::get<TextOperand>(value).operand, field.rank));
    case FieldKind::scalar:
    case FieldKind::literal:
      return fmt::format("{}={}", field.name, scalar_text(std::get<Scalar>(value)));
    case FieldKind::choice: {
      const auto choice = std::ranges::find(field.choices, std::get<std::uint8_t>(value), &Choice::code);
      if (choice == field.choices.end()) return std::nullopt;
      return fmt::format("{}={}", field.name, choice->name);
    }
    case FieldKind::number:
      return fmt::format("{}={}", field.name, fp32_text(std::bit_cast<std::uint32_t>(std::get<float>(value))));
    case FieldKind::integer:
      return fmt::format("{}={}", field.name, std::get<Integers>(value).front());
    case FieldKind::integers:
      return fmt::format("{}=[{}]", field.name, fmt::join(std::get<Integers>(value), ","));
    case FieldKind::pair:
      return fmt::format("{}=({})", field.name, fmt::join(std::get<Integers>(value), ","));
    case FieldKind::flag:
    case FieldKind::refused:
      return std::string(field.name);
  }
  return std::nullopt;
}

std::optional<std::string> line_text(const Synchronised& line, const Symbols& symbols,
                                     const SemanticsOptions& semantics) {
  std::vector<Instruction> instructions;
  std::vector<Opcode> roles;
  for (const Bundle& bundle : line.instruction) {
    instructions.push_back(unpack(bundle, semantics));
    roles.push_back(opcode_of(instructions.back(), semantics));
  }
  const Mnemonic* mnemonic = find_mnemonic(roles);
  if (mnemonic == nullptr) return std::nullopt;
  const Fields fields = mnemonic->read(instructions);
  std::string text(mnemonic->name);
  for (const FieldSpec& field : mnemonic->fields) {
    if (!fields.has(field.name)) continue;
    const std::optional<std::string> field_words = field_text(field, fields.value(field.name));
    if (!field_words) return std::nullopt;
    text += " " + *field_words;
  }
  if (mnemonic->has_operands()) text += fmt::format(" ch={}", operands_of(instructions.front()).channels());
  const std::optional<std::string> events = event_text(line, symbols);
  if (!events) return std::nullopt;
  return text + *events;
}

}  // namespace

std::vector<Bundle> read_instruction(Cursor& cursor, std::uint32_t line, Engine engine, const Symbols& symbols,
                                     const Config& config, Problems& problems) {
  return LineReader(cursor, line, engine, symbols, config, problems).read();
}

Bundle read_raw_bundle(std::string_view rest, std::uint32_t column) {
  Bundle bundle{};
  std::size_t digits = 0;
  const auto expected = [&](std::string_view found, std::size_t at) {
    throw Problem{column + static_cast<std::uint32_t>(at), fmt::format("{}, expected 64 bytes in hexadecimal", found)};
  };
  std::size_t at = 0;
  for (; at < rest.size() && rest[at] != '#'; ++at) {
    const char c = rest[at];
    if (c == ' ' || c == '\t' || c == '\r') continue;
    const unsigned value = c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
                           : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a') + 10
                           : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A') + 10
                                                  : 16;
    if (value == 16) expected(fmt::format("'{}'", c), at);
    if (digits == 2 * bundle.size()) expected("more than 128 digits", at);
    auto& byte = bundle[digits++ / 2];
    byte = static_cast<std::uint8_t>(unsigned{byte} << 4 | value);
  }
  if (digits != 2 * bundle.size()) expected(fmt::format("{} digits", digits), at);
  return bundle;
}

std::optional<std::string> instruction_text(std::span<const Bundle> bundles, Engine engine, const Symbols& symbols,
                                            const Config& config) {
  const std::optional<Synchronised> line = fold(bundles);
  if (!line) return std::nullopt;
  if (is_tile(*line)) return tile_text(*line, bundles, engine, symbols, config);
  const std::optional<std::string> text = line_text(*line, symbols, config.semantics);
  if (!text) return std::nullopt;
  // Whatever the text cannot say (reserved bytes, debug commands, codes without a name) shows here.
  Problems problems("");
  try {
    const std::vector<Token> tokens = tokenise(*text);
    Cursor cursor(tokens);
    const std::vector<Bundle> again = read_instruction(cursor, 1, engine, symbols, config, problems);
    if (!problems.empty() || !std::ranges::equal(again, bundles)) return std::nullopt;
  } catch (const Problem&) {
    return std::nullopt;
  }
  return text;
}

std::string raw_bundle_text(const Bundle& bundle) {
  const OpcodeInfo* info = find_opcode(bundle[0]);
  const std::string_view name = info != nullptr ? info->name : is_pseudo(bundle[0]) ? "Pseudo" : "no opcode";
  std::string text = ".bundle ";
  for (const std::uint8_t byte : bundle) text += fmt::format("{:02x}", byte);
  return fmt::format("{}  # {}", text, name);
}

}  // namespace tpb
