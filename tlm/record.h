// What a run reports while it happens: instruction records, semaphore events, resource use, faults.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/legality.h"
#include "models/tile/tile.h"
#include "models/timing/cost.h"
#include "models/timing/tick.h"

namespace tpb {

// One instruction, from the moment it was the oldest of its engine to the moment its results were visible.
struct InstructionRecord {
  Engine engine = Engine::pe;
  std::uint8_t opcode = 0;   // wire
  std::uint8_t variant = 0;  // of the opcode (Dispatch)
  PerformanceMode mode = PerformanceMode::none;
  StallCause stall_cause = StallCause::issue;  // the longest part of stall, the last of equals
  std::uint32_t pc = 0;                        // bytes within the section
  std::uint32_t line = 0;                      // 0: unknown
  std::uint32_t stream_cycles = 0;
  std::uint64_t elements = 0;  // N x partitions
  Tick ready = 0;
  Tick start = 0;
  Tick stream_end = 0;  // end of busy time
  Tick end = 0;         // results visible
  Tick wait_semaphore = 0;
  Tick stall = 0;  // start - ready - wait_semaphore
};

// A semaphore changed. `engine` and `pc` name the instruction whose update it was.
struct SemaphoreUpdateRecord {
  Tick at = 0;
  std::uint8_t semaphore = 0;
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  Engine engine = Engine::pe;
  std::uint32_t pc = 0;
};

// A wait came to hold at `at`, having been evaluated since `since` (the same when it held at once).
struct SemaphoreWaitRecord {
  Tick since = 0;
  Tick at = 0;
  std::uint8_t semaphore = 0;
  Engine engine = Engine::pe;
  std::uint32_t pc = 0;
};

// A shared resource was used by one instruction's stream.
struct ResourceUseRecord {
  std::string_view resource;  // "sbuf[dve,pool]", "psum bank 3", "bus"; lives as long as the core
  Engine engine = Engine::pe;
  std::uint32_t pc = 0;
  Tick from = 0;
  Tick to = 0;
};

// What live tiles take of the tile engine's storage changed to `use`.
struct TileUseRecord {
  Tick at = 0;
  tile::Use use;
};

struct Fault {
  Engine engine = Engine::pe;
  std::uint32_t pc = 0;
  std::uint32_t line = 0;
  Violation violation;
  Tick at = 0;
};

// Something that a user should know and that changes nothing. The first of its instruction only.
struct Warning {
  Engine engine = Engine::pe;
  std::uint32_t pc = 0;
  std::uint32_t line = 0;
  std::string text;
  Tick at = 0;
};

// Who watches a run. Calls of one kind come in the order of each engine, semaphore or
// resource; none may change the run.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void retired(const InstructionRecord&) {}
  virtual void semaphore_updated(const SemaphoreUpdateRecord&) {}
  virtual void semaphore_waited(const SemaphoreWaitRecord&) {}
  virtual void resource_used(const ResourceUseRecord&) {}
  virtual void tiles_used(const TileUseRecord&) {}
  virtual void faulted(const Fault&) {}
};

}  // namespace tpb
