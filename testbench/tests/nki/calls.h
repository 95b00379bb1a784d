// Lists of calls run by the command, for tests.
#pragma once

#include <nlohmann/json.hpp>

#include "testbench/tests/cli/tool.h"

namespace tpb::test {

using Json = nlohmann::ordered_json;

class NkiCalls : public Tool {
 protected:
  // A call of the list. `arguments` is the inside of a JSON object with quotes of one stroke, in which the
  // names of calls.cc stand for tiles: 'F' is a [128, 64] tile of float32.
  static Json call(const std::string& name, const std::string& generation, std::string arguments);
  // The command's output for a list; fails the test unless its exit code is `code`.
  Json run(const Json& calls, int code) const;
  // Of one call: its entry.
  Json run_legal(const Json& call) const { return run(Json::array({call}), 0).at(0); }
  Json run_illegal(const Json& call) const { return run(Json::array({call}), 3).at(0); }
  // Exit code 2: the message.
  std::string refused(const std::string& text) const;
};

}  // namespace tpb::test
