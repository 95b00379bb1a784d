#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "apps/tpbsim/session.h"
#include "models/program/symbols.h"

namespace tpb {
namespace {

Generation generation_named(const Arguments& arguments, const std::string& name) {
  if (const auto generation = generation_from_name(name)) return *generation;
  std::vector<std::string_view> names;
  for (Generation generation : kGenerations) names.push_back(name_of(generation));
  arguments.refuse(unknown_name("generation", name, names));
}

void add_options(Arguments& arguments) {
  add_config_options(arguments);
  arguments.options().add_options()("generation", one_text("NAME"), "the shipped configuration of a generation");
}

LoadedConfig load(const Arguments& arguments) {
  ConfigRequest request = config_request(arguments);
  if (const auto name = arguments.text("generation")) request.generation = generation_named(arguments, *name);
  return load_config(request);
}

}  // namespace

int show_config(const Command& command, std::span<const std::string> words) {
  Arguments arguments(command, std::nullopt);
  add_options(arguments);
  if (!arguments.parse(words)) return kDone;

  const LoadedConfig config = load(arguments);
  std::vector<std::string> lines;
  std::size_t width = 0;
  for (const ShownValue& shown : config.values) {
    lines.push_back(fmt::format("{} = {}", shown.info->key, shown.value));
    // A long value does not push every origin to the right.
    if (lines.back().size() <= 64) width = std::max(width, lines.back().size());
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::cout << fmt::format("{:<{}}  # {}\n", lines[i], width, config.values[i].origin);
  }
  return kDone;
}

int explain_config(const Command& command, std::span<const std::string> words) {
  Arguments arguments(command, "KEY");
  add_options(arguments);
  if (!arguments.parse(words)) return kDone;

  const std::string key = arguments.positional();
  const LoadedConfig config = load(arguments);
  const auto found = std::ranges::find(config.values, key, [](const ShownValue& shown) { return shown.info->key; });
  if (found == config.values.end()) {
    std::vector<std::string_view> keys;
    for (const KeyInfo& info : config_keys()) keys.push_back(info.key);
    arguments.refuse(unknown_name("key", key, keys));
  }
  const KeyInfo& info = *found->info;
  std::cout << fmt::format("{} = {}\n  {}\n", info.key, found->value, info.description);
  if (!info.unit.empty()) std::cout << fmt::format("  unit:  {}\n", info.unit);
  std::cout << fmt::format("  range: {}\n  from:  {}\n", info.range, found->origin);
  return kDone;
}

}  // namespace tpb
