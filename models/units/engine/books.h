// The books of one engine: busy time and stall causes, to the tick, adding up to the elapsed time.
#pragma once

#include <array>
#include <cstdint>

#include "models/timing/tick.h"

namespace tpb {

struct EngineTotals {
  std::uint64_t instructions = 0;
  std::uint64_t elements = 0;              // N x partitions, summed
  Tick busy = 0;                           // union of [start, end of streaming]
  std::array<Tick, kStallCauses> stall{};  // by StallCause; busy + their sum = elapsed

  Tick total() const {
    Tick sum = busy;
    for (Tick part : stall) sum += part;
    return sum;
  }
};

// Time is entered once, in order: what lies before the last entry is never entered again, so the sum is the elapsed
// time.
class Books {
 public:
  // From the last entry up to `to` the engine was busy, when it streams, or stalled by `cause`.
  void enter(Tick to, StallCause cause) {
    if (to <= entered_) return;
    (streams_ != 0 ? totals_.busy : totals_.stall[static_cast<std::size_t>(cause)]) += to - entered_;
    entered_ = to;
  }
  void begin_streaming() { ++streams_; }
  void end_streaming(Tick at) {
    enter(at, StallCause::issue);
    --streams_;
  }
  void count(std::uint64_t elements) {
    ++totals_.instructions;
    totals_.elements += elements;
  }
  const EngineTotals& totals() const { return totals_; }

 private:
  EngineTotals totals_;
  Tick entered_ = 0;
  unsigned streams_ = 0;
};

}  // namespace tpb
