// The timeline of a run (--trace) as trace-event JSON, for Perfetto and chrome://tracing.
#pragma once

#include <iosfwd>

#include "models/isa/semantics.h"
#include "testbench/observers/run_log.h"
#include "testbench/observers/summary.h"
#include "testbench/platform/platform.h"

namespace tpb {

// A track per engine (its instructions, and beside it what they waited for), per shared resource and PSUM bank, and a
// counter per semaphore; a flow arrow from a semaphore's update to the wait that it ended; an instant per fault.
// Slices that overlap on one track go to numbered tracks beside it. Times are whole nanoseconds, which is what viewers
// keep; exact ones stand in the arguments. The same run gives the same bytes.
void write_trace(std::ostream& out, const RunLog& log, const RunResult& result, const SemanticsOptions& semantics,
                 const SemaphoreNames& names);

}  // namespace tpb
