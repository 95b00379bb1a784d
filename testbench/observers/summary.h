// What a run prints for a person: the table at its end, and lines for faults and waits that nothing can satisfy.
#pragma once

#include <map>
#include <string>

#include "testbench/platform/platform.h"

namespace tpb {

// Time, then a line per engine that had instructions: their number, and where the time went in percent of it. The
// percentages of a line add up to 100; causes that no engine has are left out.
std::string run_table(const RunResult& result);

// "fault: pool pc=0x40 line=7 rule=NAME field=.. value=.. allowed=.."
std::string fault_line(Engine engine, std::uint32_t pc, std::uint32_t line, const Violation& violation);

// "warning: act pc=0x40 line=7: ..."
std::string warning_line(const Warning& warning);

// Names of semaphores by index, where a program gives them.
using SemaphoreNames = std::map<std::uint8_t, std::string>;
// "S[3]", or "S[3] (done)".
std::string semaphore_label(std::uint8_t semaphore, const SemaphoreNames& names);
// "deadlock: dve pc=0x40 line=7 waits for S[3] (done) >=2, which is 1; could still be updated by ..."
std::string blocked_line(const BlockedWait& wait, const SemaphoreNames& names);

}  // namespace tpb
