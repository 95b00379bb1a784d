// What `check` and `asm --mode check` print.
#pragma once

#include "apps/tpbsim/session.h"

namespace tpb {

// Prints every violated rule of every instruction in the order of engines and sections, and a line that sums up. The
// exit code: 0 or 3.
int report_legality(const Session& session);

}  // namespace tpb
