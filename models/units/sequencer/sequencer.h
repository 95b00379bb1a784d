// One engine's sequencer: fetches bundles in order, decodes, judges legality before any effect, waits for its
// semaphore, dispatches.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <deque>
#include <optional>
#include <vector>

#include "models/units/run_mode.h"
#include "models/units/unit.h"
#include "tlm/dispatch.h"
#include "tlm/record.h"
#include "tlm/semaphore_if.h"
#include "tlm/timeline.h"

namespace tpb {

class Sequencer : public Unit, public Timed, public SemaphoreClient {
 public:
  tlm_utils::simple_initiator_socket<Sequencer> fetch;                           // 64 bytes at a time
  tlm_utils::simple_initiator_socket<Sequencer, 32, DispatchProtocol> dispatch;  // to the engine
  sc_core::sc_port<SemaphoreIf> semaphores;

  Sequencer(const sc_core::sc_module_name& name, Engine engine, Timeline& timeline);
  void reset(const Config& config) override;
  void set_mode(RunMode mode) { mode_ = mode; }
  // Source lines by bundle, for records and faults; may be shorter than the section.
  void set_lines(std::vector<std::uint32_t> lines) { lines_ = std::move(lines); }
  void set_register(std::uint8_t index, std::uint32_t value) { registers_.at(index) = value; }

  // Begins at PC 0 with a section of so many bytes, now.
  void start(std::uint64_t section_bytes);

  bool finished() const { return state_ == State::ended || state_ == State::faulted || state_ == State::reset; }
  const std::optional<Fault>& fault() const { return fault_; }
  // The wait that keeps the stream from going on, if one does.
  std::optional<SemaphoreWait> blocked_on() const;
  std::uint32_t pc() const { return pc_; }
  std::uint32_t line_of(std::uint32_t pc) const;

  void on_time(Phase) override;
  void wait_satisfied() override;

 private:
  enum class State : std::uint8_t {
    reset,        // not started
    fetching,     // the next bundle is still to be read
    decoding,     // decode_cycles run
    waiting,      // for a semaphore
    waited,       // semaphore_wait_cycles run
    dispatching,  // for a place in the engine's queue
    confirming,   // the engine judges what was dispatched
    ended,        // halt or the end of the section
    faulted,
  };

  void step();
  bool fetch_and_decode();  // false: the stream is over
  void evaluate_wait();
  bool try_dispatch();  // false: refused, SLOT_FREE will come
  void advance(bool halts);
  void raise(Violation violation);
  Dispatch& free_payload();
  ::tlm::tlm_sync_enum completed(Dispatch& payload, ::tlm::tlm_phase& phase, sc_core::sc_time& delay);

  // Decoded bundles by place, valid while the bytes are the same and earlier ones have left the same. Bounded.
  static constexpr std::size_t kDecodeCacheEntries = 1024;
  struct Decoded {
    Bundle bundle{};
    bool valid = false;
    StreamState before, after;
    Dispatch dispatch;
  };

  const Engine engine_;
  Timeline& timeline_;
  const Slot slot_;

  LegalityContext legality_;
  CostContext cost_;
  Clock clock_;
  SequencerConfig timing_;
  RunMode mode_ = RunMode::full;
  std::vector<std::uint32_t> lines_;
  std::array<std::uint32_t, 64> registers_{};

  State state_ = State::reset;
  std::uint32_t pc_ = 0;
  std::uint64_t section_bytes_ = 0;
  std::uint32_t window_lo_ = 0;
  std::uint64_t window_hi_ = 0;
  Tick resume_at_ = 0;           // end of decoding or of the wait's own cycles
  Dispatch* current_ = nullptr;  // decoded, not yet accepted by the engine
  std::optional<SemaphoreWait> wait_;
  std::optional<Fault> fault_;

  Bundle buffer_{};
  ::tlm::tlm_generic_payload fetch_payload_;
  std::vector<Decoded> cache_;
  std::deque<Dispatch> payloads_;  // grows to the largest number in flight, never shrinks
  std::vector<Dispatch*> free_;
};

}  // namespace tpb
