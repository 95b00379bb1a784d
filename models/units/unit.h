// What every unit of the core has: a name in the hierarchy, a clock, and a reset that re-reads the configuration.
#pragma once

#include <systemc>

#include "models/config/config.h"
#include "models/timing/tick.h"

namespace tpb {

class Unit : public sc_core::sc_module {
 public:
  explicit Unit(const sc_core::sc_module_name& name) : sc_module(name) {}
  // Back to the state before the first instruction, under this configuration. Called between runs only.
  virtual void reset(const Config& config) = 0;
};

// A clock is a frequency: whole ticks per cycle.
class Clock {
 public:
  Clock() = default;
  Clock(std::uint64_t tick_mhz, std::uint32_t clock_mhz) : period_(tick_mhz / clock_mhz) {}
  Tick period() const { return period_; }
  Tick ticks(std::uint64_t cycles) const { return cycles * period_; }
  // The first edge not before `at`.
  Tick edge(Tick at) const { return (at + period_ - 1) / period_ * period_; }

 private:
  Tick period_ = 1;
};

inline Clock clock_of(const Config& config, Engine engine) {
  return {config.tick_mhz(), config.engines[engine].clock_mhz};
}

}  // namespace tpb
