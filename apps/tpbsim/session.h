// What every command that takes a program starts with: the program and its effective configuration.
#pragma once

#include "apps/tpbsim/command.h"
#include "models/config/config.h"
#include "models/program/program.h"

namespace tpb {

// --config and --set, the same for every command that has a configuration.
void add_config_options(Arguments& arguments);
ConfigRequest config_request(const Arguments& arguments);

struct Session {
  LoadedConfig config;
  Program program;
};

// Program text or an image, told apart by their first bytes. Throws InputError.
Session open_program(const std::string& path, const ConfigRequest& request);
// Raw 64-byte bundles, ENGINE=FILE each. Throws InputError.
Session open_bundles(const Arguments& arguments, const std::vector<std::string>& bundles, const ConfigRequest& request);

// Names of semaphores, for messages and tracks.
std::map<std::uint8_t, std::string> semaphore_names(const Program& program);

LegalityContext legality_context(const Config& config, Engine engine);

}  // namespace tpb
