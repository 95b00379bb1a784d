#include "apps/tpbsim/legality_report.h"
#include "apps/tpbsim/session.h"

namespace tpb {

int check_program(const Command& command, std::span<const std::string> words) {
  Arguments arguments(command, "PROGRAM");
  add_config_options(arguments);
  if (!arguments.parse(words)) return kDone;
  return report_legality(open_program(arguments.positional(), config_request(arguments)));
}

}  // namespace tpb
