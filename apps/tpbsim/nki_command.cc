#include <iostream>

#include "apps/tpbsim/command.h"
#include "models/nki/call_list.h"

namespace tpb {

int run_nki_calls(const Command& command, std::span<const std::string> words) {
  Arguments arguments(command, "CALLS.json");
  if (!arguments.parse(words)) return kDone;
  const nki::CallList list = nki::read_calls(arguments.positional(), Limits{});

  // Everything is read before anything is printed.
  auto outcomes = nlohmann::ordered_json::array();
  bool refused = false;
  for (std::size_t i = 0; i < list.calls.size(); ++i) {
    outcomes.push_back(nki::run_call(list, i));
    refused |= outcomes.back().contains("error");
  }
  std::cout << nki::readable(outcomes) << '\n';
  return refused ? kFault : kDone;
}

}  // namespace tpb
