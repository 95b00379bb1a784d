// The statistics of a run (--stats) as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "models/config/config.h"
#include "testbench/platform/platform.h"

namespace tpb {

struct RunIdentity {
  std::string version;
  std::string program_digest;
};

// Keys: docs/outputs.md. Everything but `simulator` is the same whenever program and configuration are.
nlohmann::ordered_json statistics(const RunResult& result, const LoadedConfig& config, const RunIdentity& identity);

}  // namespace tpb
