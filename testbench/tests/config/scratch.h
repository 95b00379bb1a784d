// Files for one test, in a folder that goes with it, and loads of them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/config.h"

namespace tpb {

class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::filesystem::path write(const std::string& name, std::string_view text) const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

LoadedConfig load_shipped(Generation generation, std::vector<std::string> overrides = {});
LoadedConfig load_file(const std::filesystem::path& file, std::vector<std::string> overrides = {});

// The problems of a request, a line each, "" when there are none; `folder` is cut from every path.
std::string problems(const ConfigRequest& request, const std::filesystem::path& folder = {});
std::string problems_of_file(const Scratch& scratch, std::string_view text);  // as c.toml

const ShownValue& value_of(const LoadedConfig& loaded, std::string_view key);

}  // namespace tpb
