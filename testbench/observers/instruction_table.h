// The instruction table (--instructions): one line of CSV per instruction, in the order of their starts.
#pragma once

#include <iosfwd>

#include "models/isa/semantics.h"
#include "testbench/observers/run_log.h"
#include "testbench/platform/platform.h"

namespace tpb {

// Columns: docs/outputs.md. Nanoseconds have six decimals and come from whole ticks by integer arithmetic.
void write_instruction_table(std::ostream& out, const RunLog& log, const RunResult& result,
                             const SemanticsOptions& semantics);

// How program text spells a wire opcode under this profile; its public name where text has no spelling. The variant
// is a record's.
std::string_view mnemonic_of(std::uint8_t wire_opcode, const SemanticsOptions& semantics, std::uint8_t variant = 0);

// Cycles of a clock in a span of ticks, rounded up.
std::uint64_t cycles_of(Tick span, std::uint32_t clock_mhz, std::uint64_t tick_mhz);

}  // namespace tpb
