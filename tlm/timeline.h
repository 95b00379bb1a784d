// How units see time: now() and notify_at(), nothing of SystemC's. The agenda is its implementation.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <systemc>

#include "models/timing/tick.h"

namespace tpb {

// What happens at one instant, in this order: streams end; semaphore updates take effect; waits are evaluated and
// instructions start; then all requests of the instant are arbitrated together. A phase that causes work for an
// earlier one at the same instant is followed by it.
enum class Phase : std::uint8_t { stream_end, update, issue, arbitrate };

// Called when a time that was asked for has come.
class Timed {
 public:
  virtual void on_time(Phase phase) = 0;

 protected:
  ~Timed() = default;
};

// One phase of one unit on the timeline. Within a phase, units act in the order in which they were enrolled.
enum class Slot : std::uint8_t {};

class Timeline {
 public:
  virtual Slot enrol(Timed& unit, Phase phase) = 0;
  virtual Tick now() const = 0;
  // Asks for on_time at `at` (now or later). The earliest request of a slot stands; it is used up when it is served.
  virtual void notify_at(Slot slot, Tick at) = 0;

 protected:
  ~Timeline() = default;
};

// The core's list of next times. One SystemC method serves every unit, runs ahead to the kernel's next pending activity
// and sleeps until the next instant at which anything can change: no event per unit, none per cycle.
class Agenda : public sc_core::sc_module, public Timeline {
 public:
  explicit Agenda(const sc_core::sc_module_name& name);

  // Forgets every request; ticks count from the kernel's present time on.
  void reset(std::uint64_t tick_mhz);
  // Nothing that is due after this tick happens.
  void stop_at(Tick tick) { stop_at_ = tick; }
  // Lets the agenda run: call after asking for the first times, from inside or outside of the simulation.
  void kick() { kick_.notify(sc_core::SC_ZERO_TIME); }
  // Catches up with the kernel's time before a host's access acts on a unit.
  void synchronise();

  Slot enrol(Timed& unit, Phase phase) override;
  Tick now() const override { return now_; }
  void notify_at(Slot slot, Tick at) override;

  bool pending() const;                      // anything left to do
  bool stopped() const { return stopped_; }  // by stop_at, with work left
  std::uint64_t activations() const { return activations_; }

 private:
  static constexpr unsigned kMaxSlots = 32;

  void advance();  // the one SC_METHOD
  void serve_instant();
  Tick next() const;
  sc_core::sc_time time_of(Tick tick) const;

  struct Entry {
    Timed* unit = nullptr;
    Phase phase = Phase::stream_end;
  };
  // By slot, in service order: enrolment keeps them sorted by phase through `rank_`.
  std::array<Entry, kMaxSlots> entries_{};
  std::array<Tick, kMaxSlots> due_{};           // by rank
  std::array<std::uint8_t, kMaxSlots> rank_{};  // slot -> rank
  std::array<std::uint8_t, kMaxSlots> slot_{};  // rank -> slot
  unsigned slots_ = 0;
  std::uint32_t ready_ = 0;  // by rank: due now

  Tick now_ = 0;
  Tick stop_at_ = kNever;
  bool stopped_ = false;
  std::uint64_t tick_mhz_ = 1;
  sc_core::sc_time origin_;
  sc_core::sc_event kick_;
  std::uint64_t activations_ = 0;
};

}  // namespace tpb
