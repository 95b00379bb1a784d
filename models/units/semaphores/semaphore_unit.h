// The 256 semaphores: posted updates take effect at their time, waiters are told in engine order.
#pragma once

#include <array>
#include <queue>
#include <vector>

#include "models/units/unit.h"
#include "tlm/record.h"
#include "tlm/semaphore_if.h"
#include "tlm/timeline.h"

namespace tpb {

class SemaphoreUnit : public Unit, public SemaphoreIf, public Timed {
 public:
  sc_core::sc_export<SemaphoreIf> port;

  SemaphoreUnit(const sc_core::sc_module_name& name, Timeline& timeline);
  void reset(const Config& config) override;
  void observe(const std::vector<Observer*>* observers) { observers_ = observers; }

  bool wait(const SemaphoreWait& wait, SemaphoreClient& client) override;
  void post(const SemaphoreUpdate& update) override;

  std::uint32_t value(std::uint8_t semaphore) const { return values_[semaphore]; }
  // A host's write: takes effect at once, waiters included.
  void set(std::uint8_t semaphore, std::uint32_t value);

  void on_time(Phase) override;

 private:
  struct Waiter {
    SemaphoreWait wait;
    SemaphoreClient* client = nullptr;  // nullptr: nobody waits
    Tick since = 0;
  };
  // Earliest first, ties in engine order, then in program order.
  struct Later {
    bool operator()(const std::pair<SemaphoreUpdate, std::uint64_t>& a,
                    const std::pair<SemaphoreUpdate, std::uint64_t>& b) const {
      return std::tuple(a.first.at, a.first.engine, a.second) > std::tuple(b.first.at, b.first.engine, b.second);
    }
  };

  void apply(const SemaphoreUpdate& update);
  void wake();
  void report(const SemaphoreWaitRecord& record);

  Timeline& timeline_;
  const Slot slot_;
  std::array<std::uint32_t, kSemaphores> values_{};
  PerEngine<Waiter> waiters_;
  std::priority_queue<std::pair<SemaphoreUpdate, std::uint64_t>, std::vector<std::pair<SemaphoreUpdate, std::uint64_t>>,
                      Later>
      updates_;
  std::uint64_t posted_ = 0;
  const std::vector<Observer*>* observers_ = nullptr;
};

}  // namespace tpb
