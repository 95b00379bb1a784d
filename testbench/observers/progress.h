// A line on a terminal that says how far a long run has come.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>

#include "tlm/record.h"

namespace tpb {

// Writes to `out` after the first second, twice a second, and wipes its line when it is destroyed. Looks at the
// host's clock once in many instructions, so that it costs a run nothing.
class Progress : public Observer {
 public:
  using Clock = std::chrono::steady_clock;
  // `interval` and `every` are for tests.
  Progress(std::ostream& out, std::uint64_t tick_mhz, Clock::duration interval = std::chrono::milliseconds(500),
           std::uint64_t every = 1U << 14);
  ~Progress() override;

  void retired(const InstructionRecord& record) override {
    if (++instructions_ % every_ == 0) show(record.end);
  }

 private:
  void show(Tick now);

  std::ostream& out_;
  std::uint64_t tick_mhz_;
  Clock::duration interval_;
  std::uint64_t every_;
  Clock::time_point next_;
  std::uint64_t instructions_ = 0;
  bool shown_ = false;
};

}  // namespace tpb
