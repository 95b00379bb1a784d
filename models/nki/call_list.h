// Lists of intrinsic calls as JSON, and what came of them.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/nki/kernel.h"

namespace tpb::nki {

// [{"name": "tensor_tensor", "generation": "gen3", "arguments": {"data1": {"dtype": "float32", "shape": [128, 512]},
// ...}}] Every call is on its own: its tiles are those of a new kernel of its generation, gen3 when none is named.
struct CallList {
  std::string name;  // of the file, for messages
  nlohmann::ordered_json calls;
};

// Throws InputError when the file cannot be read or is not JSON; a key that stands twice in an object is an error too.
CallList read_calls(const std::filesystem::path& path, const Limits& limits);

// What became of each call: {name, generation, validators, nodes} or {name, generation, validators, error, validator,
// instruction, parameter, value, message}; `validators` has those that were called and "passed" or what they raised, in
// order. Throws InputError when a call cannot be read: an unknown name or argument, a missing argument, a value of
// another type.
nlohmann::ordered_json run_calls(const CallList& list);

// JSON for reading: what fits on a line stands on one.
std::string readable(const nlohmann::ordered_json& json);

// Tiles, operations, numbers as they are written in calls.
nlohmann::ordered_json json_of(const Value& value);

}  // namespace tpb::nki
