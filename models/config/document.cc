#include "models/config/document.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace tpb {
namespace {

// No configuration is near these; they keep a hostile file from exhausting memory or, as every dot of a dotted key is
// a level of recursion in the parser, the stack.
constexpr std::size_t kMostBytes = 1U << 20;
constexpr int kMostDotsInLine = 256;

Place place_of(const std::string& file, const toml::source_position& position) {
  return {file, static_cast<std::uint32_t>(position.line), static_cast<std::uint32_t>(position.column)};
}

// The tables that hold keys: "engines", "engines.pe", ...
const std::set<std::string, std::less<>>& known_tables() {
  static const std::set<std::string, std::less<>> tables = [] {
    std::set<std::string, std::less<>> result;
    for (const Key& key : key_table()) {
      for (std::size_t dot = key.info.key.find('.'); dot != std::string::npos; dot = key.info.key.find('.', dot + 1)) {
        result.insert(key.info.key.substr(0, dot));
      }
    }
    return result;
  }();
  return tables;
}

// What stands directly below a known table (or at the top, ""): "clock_ghz, min_ii, ..."
std::string children_of(std::string_view table) {
  std::vector<std::string> names;
  const std::string prefix = table.empty() ? "" : std::string(table) + ".";
  if (table.empty()) names.emplace_back(kBaseKey);
  for (const Key& key : key_table()) {
    if (key.info.key.compare(0, prefix.size(), prefix) != 0) continue;
    std::string name = key.info.key.substr(prefix.size());
    name = name.substr(0, name.find('.'));
    if (names.empty() || names.back() != name) names.push_back(std::move(name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void walk(const toml::table& table, const std::string& prefix, Document& document) {
  for (const auto& [name, node] : table) {
    const Place place = place_of(document.name, name.source().begin);
    const std::string path = prefix.empty() ? std::string(name.str()) : fmt::format("{}.{}", prefix, name.str());
    const Place value_place = place_of(document.name, node.source().begin);
    const bool dotted = name.str().find('.') != std::string_view::npos;  // a quoted name, not a path
    if (const auto index = find_key(path); index && !dotted) {
      document.settings[*index] = {&node, value_place};
    } else if (path == kBaseKey) {
      document.base = {&node, value_place};
    } else if (known_tables().count(path) != 0 && !dotted) {
      if (const toml::table* inner = node.as_table()) {
        walk(*inner, path, document);
      } else {
        document.errors.push_back(error_at(
            value_place, fmt::format("{} = {}, expected a table of {}", path, shown(node), children_of(path))));
      }
    } else {
      const std::string within = prefix.empty() ? "" : fmt::format(" in {}", prefix);
      document.errors.push_back(
          error_at(place, fmt::format("unknown {} '{}', expected one of {}{}{}", node.is_table() ? "table" : "key",
                                      path, children_of(prefix), within, nearest_key(path))));
    }
  }
}

void check_characters(const std::string& name, std::string_view text) {
  std::uint32_t line = 1, column = 1;
  int dots = 0;
  for (const char c : text) {
    if (c == '\0') throw InputError(error_at({name, line, column}, "a zero byte, expected text"));
    dots += c == '.' ? 1 : 0;
    if (dots > kMostDotsInLine) {
      throw InputError(
          error_at({name, line, column}, fmt::format("more than {} dots, expected a line of TOML", kMostDotsInLine)));
    }
    if (c == '\n') {
      ++line;
      column = 1;
      dots = 0;
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {  // columns count characters, as the parser does
      ++column;
    }
  }
}

Document parse(std::string name, std::filesystem::path path, std::string_view text) {
  check_characters(name, text);
  Document document;
  try {
    document.table = toml::parse(text, std::string_view(name));
  } catch (const toml::parse_error& error) {
    throw InputError(error_at(place_of(name, error.source().begin), fmt::format("not TOML: {}", error.description())));
  }
  document.name = std::move(name);
  document.path = std::move(path);
  document.settings.resize(key_table().size());
  walk(document.table, "", document);
  std::stable_sort(document.errors.begin(), document.errors.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  });
  return document;
}

}  // namespace

Diagnostic error_at(const Place& place, std::string message) {
  return {place.file, place.line, place.column, std::move(message)};
}

Document read_document(const std::filesystem::path& path, const std::optional<Place>& asked_at) {
  const std::string name = path.string();
  const auto refuse = [&](const std::string& why) -> InputError {
    return InputError(error_at(asked_at.value_or(Place{name, 1, 1}),
                               fmt::format("cannot read '{}': {}, expected a configuration file", name, why)));
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw refuse("it is a directory");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw refuse(std::strerror(errno));
  std::string text(kMostBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw refuse("reading failed");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMostBytes) throw refuse(fmt::format("it has more than {} bytes", kMostBytes));
  return parse(name, path, text);
}

Document read_override(const std::string& text, std::uint32_t number) {
  const Place place{std::string(kOverride), number, 1};
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || text.find('\n') != std::string::npos) {
    throw InputError(error_at(place, fmt::format("'{}', expected key=value", text)));
  }
  // A word that TOML does not know as a value is a string whose quotes the shell has eaten.
  const std::string value = text.substr(equals + 1);
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  constexpr std::array<std::string_view, 4> kTomlWords{"true", "false", "inf", "nan"};
  const bool word = value.find_first_of(kLetters) == 0 &&
                    value.find_first_not_of(std::string(kLetters) + "0123456789") == std::string::npos &&
                    std::find(kTomlWords.begin(), kTomlWords.end(), value) == kTomlWords.end();
  const std::string line = word ? fmt::format("{}=\"{}\"", text.substr(0, equals), value) : text;
  Document document;
  try {
    document = parse(place.file, {}, line);
  } catch (const InputError& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic& diagnostic : diagnostics) diagnostic.line = number;
    throw InputError(std::move(diagnostics));
  }
  for (Diagnostic& diagnostic : document.errors) diagnostic.line = number;
  for (Setting& setting : document.settings) setting.place.line = number;
  if (document.base.value != nullptr) {
    document.errors.push_back(error_at(place, "base inherits files, expected it in a configuration file"));
  }
  return document;
}

std::string nearest_key(std::string_view given) {
  std::vector<std::string_view> candidates{kBaseKey};
  for (const Key& key : key_table()) candidates.push_back(key.info.key);
  for (const std::string& table : known_tables()) candidates.push_back(table);
  return suggestion(given, candidates);
}

}  // namespace tpb
