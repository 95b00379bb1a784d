// First pass over a configuration: one file or one override, parsed, its keys known, nothing applied.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <toml++/toml.h>

#include "models/config/keys.h"

namespace tpb {

inline constexpr std::string_view kOverride = "--set";

struct Place {
  std::string file;  // as shown to the user; kOverride for an override
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};
Diagnostic error_at(const Place& place, std::string message);

// A value and where it stands; no value: the key is not named.
struct Setting {
  const toml::node* value = nullptr;
  Place place;
};

struct Document {
  std::string name;               // as shown to the user
  std::filesystem::path path;     // empty for an override
  toml::table table;              // what the settings point into
  std::vector<Setting> settings;  // one per row of key_table()
  Setting base;
  std::vector<Diagnostic> errors;  // unknown keys, in file order
};

// Throw InputError where the text is no TOML or the file cannot be read (the error then stands at `asked_at`).
Document read_document(const std::filesystem::path& path, const std::optional<Place>& asked_at);
// `key=value`; a value that is a bare word needs no quotes. `number` counts overrides from one: it is their line.
Document read_override(const std::string& text, std::uint32_t number);

// " (did you mean '...'?)" with the nearest key or table of keys, or "".
std::string nearest_key(std::string_view given);

}  // namespace tpb
