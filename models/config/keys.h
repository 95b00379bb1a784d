// The table of configuration keys: the one place that knows how a key is spelt, what it accepts and which field of
// Config it reaches. Parsing, overrides, validation, `config show` and the digest are loops over it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "models/config/config.h"

namespace tpb {

struct Key {
  KeyInfo info;
  std::vector<std::string_view> choices;                         // of a key that takes a word, else empty
  std::function<bool(const toml::node&, Config&)> set;           // false, Config unchanged: not what info.range says
  std::function<std::optional<std::string>(const Config&)> get;  // as TOML; nothing: several keys in a mixture
};

// In documented order. A key that sets others stands before them, so that applying a layer in this order lets the
// single keys of the layer win.
const std::vector<Key>& key_table();
std::optional<std::size_t> find_key(std::string_view key);

// A value as the user wrote it, short enough for a message.
std::string shown(const toml::node& value);

// `base` is no field of Config: the reader of files follows it.
inline constexpr std::string_view kBaseKey = "base";

}  // namespace tpb
