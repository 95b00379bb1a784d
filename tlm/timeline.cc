#include "tlm/timeline.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace tpb {

Agenda::Agenda(const sc_core::sc_module_name& name) : sc_module(name), kick_("kick") {
  due_.fill(kNever);
  SC_HAS_PROCESS(Agenda);
  SC_METHOD(advance);
  sensitive << kick_;
  dont_initialize();
}

void Agenda::reset(std::uint64_t tick_mhz) {
  due_.fill(kNever);
  ready_ = 0;
  now_ = 0;
  stop_at_ = kNever;
  stopped_ = false;
  tick_mhz_ = tick_mhz;
  origin_ = sc_core::sc_time_stamp();
  activations_ = 0;
}

Slot Agenda::enrol(Timed& unit, Phase phase) {
  if (slots_ == kMaxSlots) throw std::length_error("agenda: more slots enrolled than it has");
  const unsigned slot = slots_++;
  entries_[slot] = {&unit, phase};
  // Ranks are dense and ordered by phase, then by enrolment.
  std::array<std::uint8_t, kMaxSlots> order{};
  for (unsigned i = 0; i < slots_; ++i) order[i] = static_cast<std::uint8_t>(i);
  std::stable_sort(order.begin(), order.begin() + slots_,
                   [&](auto a, auto b) { return entries_[a].phase < entries_[b].phase; });
  for (unsigned rank = 0; rank < slots_; ++rank) {
    slot_[rank] = order[rank];
    rank_[order[rank]] = static_cast<std::uint8_t>(rank);
  }
  return static_cast<Slot>(slot);
}

void Agenda::notify_at(Slot slot, Tick at) {
  assert(at >= now_);
  const unsigned rank = rank_[static_cast<unsigned>(slot)];
  if (at <= now_) {
    ready_ |= 1U << rank;
  } else {
    due_[rank] = std::min(due_[rank], at);
  }
}

Tick Agenda::next() const { return *std::min_element(due_.begin(), due_.begin() + slots_); }

bool Agenda::pending() const { return ready_ != 0 || next() != kNever; }

void Agenda::serve_instant() {
  for (unsigned rank = 0; rank < slots_; ++rank) {
    if (due_[rank] <= now_) {
      due_[rank] = kNever;
      ready_ |= 1U << rank;
    }
  }
  while (ready_ != 0) {
    const auto rank = static_cast<unsigned>(std::countr_zero(ready_));
    ready_ &= ready_ - 1;
    const Entry& entry = entries_[slot_[rank]];
    entry.unit->on_time(entry.phase);
  }
}

sc_core::sc_time Agenda::time_of(Tick tick) const {
  // Whole femtoseconds, rounded up, in the kernel's resolution; ticks stay the truth, so nothing accumulates.
  static const auto kernel_units_per_us = static_cast<Wide>(sc_core::sc_time(1, sc_core::SC_US).value());
  const Wide units = (static_cast<Wide>(tick) * kernel_units_per_us + tick_mhz_ - 1) / tick_mhz_;
  return origin_ + sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(units));
}

void Agenda::synchronise() {
  const sc_core::sc_time since = sc_core::sc_time_stamp() - origin_;
  static const auto kernel_units_per_us = static_cast<Wide>(sc_core::sc_time(1, sc_core::SC_US).value());
  const auto tick = static_cast<Tick>(static_cast<Wide>(since.value()) * tick_mhz_ / kernel_units_per_us);
  // Never past something that is still to be served.
  now_ = std::max(now_, std::min(tick, next()));
}

void Agenda::advance() {
  ++activations_;
  for (;;) {
    serve_instant();
    const Tick following = next();
    if (following == kNever || following > stop_at_) {
      stopped_ = following != kNever;
      if (stopped_) now_ = stop_at_;
      // The kernel's clock catches up with what was served ahead of it.
      if (time_of(now_) > sc_core::sc_time_stamp()) next_trigger(time_of(now_) - sc_core::sc_time_stamp(), kick_);
      return;
    }
    const sc_core::sc_time at = time_of(following);
    const bool others_now = sc_core::sc_pending_activity_at_current_time();
    const bool others_before = sc_core::sc_pending_activity_at_future_time() &&
                               sc_core::sc_time_stamp() + sc_core::sc_time_to_pending_activity() <= at;
    if (at > sc_core::sc_time_stamp() && (others_now || others_before)) {
      next_trigger(at - sc_core::sc_time_stamp(), kick_);
      return;
    }
    now_ = following;
  }
}

}  // namespace tpb
