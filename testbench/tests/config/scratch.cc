#include "testbench/tests/config/scratch.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace tpb {

Scratch::Scratch() {
  std::string name = testing::TempDir() + "tpb_config_XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::filesystem::path Scratch::write(const std::string& name, std::string_view text) const {
  const std::filesystem::path path = folder_ / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

LoadedConfig load_shipped(Generation generation, std::vector<std::string> overrides) {
  return load_config({.file = std::nullopt, .generation = generation, .overrides = std::move(overrides)});
}

LoadedConfig load_file(const std::filesystem::path& file, std::vector<std::string> overrides) {
  return load_config({.file = file, .generation = std::nullopt, .overrides = std::move(overrides)});
}

std::string problems(const ConfigRequest& request, const std::filesystem::path& folder) {
  try {
    load_config(request);
    return {};
  } catch (const InputError& error) {
    std::string text = error.what();
    const std::string prefix = folder.empty() ? "" : folder.string() + "/";
    if (prefix.empty()) return text;
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
      text.erase(at, prefix.size());
    }
    return text;
  }
}

std::string problems_of_file(const Scratch& scratch, std::string_view text) {
  return problems({.file = scratch.write("c.toml", text), .generation = std::nullopt, .overrides = {}},
                  scratch.folder());
}

const ShownValue& value_of(const LoadedConfig& loaded, std::string_view key) {
  const auto found = std::ranges::find(loaded.values, key, [](const ShownValue& value) { return value.info->key; });
  if (found == loaded.values.end()) throw std::out_of_range("no value of " + std::string(key));
  return *found;
}

}  // namespace tpb
