#include <algorithm>
#include <iostream>

#include "apps/tpbsim/command.h"
#include "models/nki/call_list.h"

namespace tpb {

int run_nki_calls(const Command& command, std::span<const std::string> words) {
  Arguments arguments(command, "CALLS.json");
  if (!arguments.parse(words)) return kDone;
  const nki::CallList list = nki::read_calls(arguments.positional(), Limits{});

  const auto outcomes = nki::run_calls(list);
  std::cout << nki::readable(outcomes) << '\n';
  const bool refused = std::ranges::any_of(outcomes, [](const auto& outcome) { return outcome.contains("error"); });
  return refused ? kFault : kDone;
}

}  // namespace tpb
