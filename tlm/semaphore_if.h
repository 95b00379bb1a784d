// Semaphore sync events: updates and waits as units exchange them with the semaphore unit.
#pragma once

#include <cstdint>
#include <systemc>

#include "models/isa/layout.h"
#include "models/timing/tick.h"

namespace tpb {

inline constexpr unsigned kSemaphores = 256;

struct SemaphoreUpdate {
  Tick at = 0;
  Engine engine = Engine::pe;  // whose instruction updates
  std::uint8_t semaphore = 0;
  UpdateMode operation = UpdateMode::none;
  bool on_complete = true;  // the trigger: results written, not operands read
  std::uint32_t value = 0;
  std::uint32_t pc = 0;
};

struct SemaphoreWait {
  Engine engine = Engine::pe;
  std::uint8_t semaphore = 0;
  WaitMode condition = WaitMode::none;
  std::uint32_t value = 0;
  std::uint32_t pc = 0;
};

// Unsigned comparison of the present value with the wait's.
bool holds(const SemaphoreWait& wait, std::uint32_t present);

class SemaphoreClient {
 public:
  virtual void wait_satisfied() = 0;  // now; once per registered wait

 protected:
  ~SemaphoreClient() = default;
};

class SemaphoreIf : public virtual sc_core::sc_interface {
 public:
  // True when the wait holds now; otherwise it is registered and its client told once, when it does. One wait per
  // engine.
  virtual bool wait(const SemaphoreWait& wait, SemaphoreClient& client) = 0;
  // An update that will take effect at update.at, which is not in the past.
  virtual void post(const SemaphoreUpdate& update) = 0;
};

}  // namespace tpb
