// The one elaborated platform of a process: a core, its instruction memory and a host. Reset per run, run any number
// of times.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/program/program.h"
#include "models/units/engine/books.h"
#include "models/units/run_mode.h"
#include "models/units/sfu/tile_books.h"
#include "tlm/record.h"

namespace tpb {

struct RunOptions {
  RunMode mode = RunMode::full;
  std::optional<double> max_time_ns;  // stop at this simulated time
  std::vector<Observer*> observers;   // in call order; may be empty
};

// A wait that nothing can satisfy any more.
struct BlockedWait {
  Engine engine = Engine::pe;
  std::uint32_t pc = 0;
  std::uint32_t line = 0;
  std::uint8_t semaphore = 0;
  std::string condition;  // ">=2"
  std::uint32_t present_value = 0;
  std::vector<std::string> could_update;  // "pool pc=0x40 line=7 (not executed: blocked on S[3])"
};

enum class RunEnd : std::uint8_t { done, fault, deadlock, time_limit };

struct MemoryTotals {
  std::uint64_t read_bytes = 0;
  std::uint64_t write_bytes = 0;
  Tick contention = 0;  // waited for, or lost in, sharing this memory
};

struct RunResult {
  RunEnd end = RunEnd::done;
  Tick elapsed = 0;
  std::uint64_t tick_mhz = 1;  // ticks per microsecond
  PerEngine<EngineTotals> engines;
  PerEngine<std::uint32_t> clock_mhz{};
  MemoryTotals sbuf, psum;
  std::vector<Tick> psum_bank_busy;  // per bank, union of the streams that used it
  TileTotals tiles;                  // of the tile engine's storage
  std::vector<Fault> faults;         // in time order
  std::vector<Warning> warnings;     // in time order
  std::vector<BlockedWait> blocked;  // with RunEnd::deadlock, or beside faults
  double host_seconds = 0;           // CPU time from reset to the end of the run
  std::uint64_t activations = 0;     // SystemC method activations of the core

  double nanoseconds(Tick ticks) const { return static_cast<double>(ticks) * 1000.0 / static_cast<double>(tick_mhz); }
};
// Exact decimal nanoseconds with six digits after the point, rounded half up.
std::string format_ns(Tick ticks, std::uint64_t tick_mhz);

class Platform {
 public:
  // Elaborates on first call; the same object ever after.
  static Platform& instance();

  // Brings every unit to its reset state under this configuration. Memory is zero, semaphores are zero.
  void reset(const Config& config);
  // Puts a program's bundles, semaphores and registers in place. Tensor contents are written with write_tensor.
  void load(const Program& program);
  RunResult run(const RunOptions& options);

  // Host access through the core's TLM target sockets (transport_dbg), element order of numpy, little endian.
  // False when any byte lies outside memory.
  bool write_tensor(const Tensor& tensor, std::span<const std::uint8_t> bytes);
  bool read_tensor(const Tensor& tensor, std::span<std::uint8_t> bytes);

 private:
  Platform();
  ~Platform();
  void blocked_waits(RunResult& result);
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tpb
