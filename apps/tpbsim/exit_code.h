// Exit codes of every command (docs/commands.md).
#pragma once

namespace tpb {

enum ExitCode : int {
  kDone = 0,
  kOutputsDiffer = 1,
  kUnusableInput = 2,
  kFault = 3,
  kDeadlock = 4,
  kInternalError = 70,
};

}  // namespace tpb
