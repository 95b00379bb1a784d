#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "models/config/config.h"
#include "models/config/document.h"

namespace tpb {
namespace {

const ShownValue* find_value(const LoadedConfig& loaded, const KeyInfo& info) {
  const auto found = std::find_if(loaded.values.begin(), loaded.values.end(),
                                  [&](const ShownValue& value) { return value.info == &info; });
  return found == loaded.values.end() ? nullptr : &*found;
}

// An origin carries a file's name, which may hold anything: within a comment it must stay on its line.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7F; }, '?');
  return text;
}

std::string with_unit(const KeyInfo& info) { return info.unit.empty() ? "" : fmt::format(" [{}]", info.unit); }

// "engines" of "engines.dve.clock_ghz"
std::string_view chapter_of(std::string_view key) { return key.substr(0, key.find('.')); }

}  // namespace

std::string config_text(const LoadedConfig& loaded) {
  constexpr std::size_t kComment = 48;  // column of the comments; the few longer values push only their own
  std::string text = fmt::format("# digest {}\n", loaded.digest);
  std::string_view chapter;
  for (const KeyInfo& info : config_keys()) {
    if (chapter_of(info.key) != chapter) text += '\n';
    chapter = chapter_of(info.key);
    const ShownValue* shown = find_value(loaded, info);
    if (shown == nullptr) {
      text += fmt::format("# {}: none, the keys below come from several\n", info.key);
      continue;
    }
    // Dotted keys, not tables: every line can be found, and given to --set, as it stands.
    text += fmt::format("{:<{}}  # {}{}; {}\n", fmt::format("{} = {}", info.key, shown->value), kComment,
                        info.description, with_unit(info), one_line(shown->origin));
  }
  return text;
}

std::string key_text(std::string_view key, const LoadedConfig& loaded) {
  if (key == kBaseKey) {
    return "base = \"other.toml\"\n  inherits a configuration file, named relative to the one it stands in\n";
  }
  std::string text;
  const std::string prefix = fmt::format("{}.", key);
  for (const KeyInfo& info : config_keys()) {
    if (info.key != key && info.key.rfind(prefix, 0) != 0) continue;
    const ShownValue* shown = find_value(loaded, info);
    text += fmt::format("{}{}\n  {}\n  accepts {}\n", info.key, with_unit(info), info.description, info.range);
    text += shown == nullptr ? "  now none, the keys it sets come from several\n"
                             : fmt::format("  now {}, from {}\n", shown->value, one_line(shown->origin));
  }
  if (text.empty()) {
    throw InputError(
        Diagnostic{"explain", 1, 1,
                   fmt::format("unknown key '{}', expected a configuration key or table{}", key, nearest_key(key))});
  }
  return text;
}

}  // namespace tpb
