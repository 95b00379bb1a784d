// One engine: takes dispatched instructions in order, starts each when its pipeline, its operands and its shared
// resources allow, computes its values and posts its semaphore updates.
#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <boost/circular_buffer.hpp>
#include <unordered_set>

#include "models/datapath/execute.h"
#include "models/units/engine/books.h"
#include "models/units/run_mode.h"
#include "models/units/unit.h"
#include "tlm/access.h"
#include "tlm/arbiter.h"
#include "tlm/dispatch.h"
#include "tlm/semaphore_if.h"

namespace tpb {

class ExecutionUnit : public Unit, public Timed, public FlowClient {
 public:
  tlm_utils::passthrough_target_socket<ExecutionUnit, 32, DispatchProtocol> dispatch;
  tlm_utils::simple_initiator_socket<ExecutionUnit> sbuf;
  tlm_utils::simple_initiator_socket<ExecutionUnit> psum;
  sc_core::sc_port<SemaphoreIf> semaphores;

  ExecutionUnit(const sc_core::sc_module_name& name, Engine engine, Timeline& timeline, Arbiter& arbiter,
                const ResourceTable& resources);
  void reset(const Config& config) override;
  void set_mode(RunMode mode) { mode_ = mode; }
  void observe(const std::vector<Observer*>* observers) { observers_ = observers; }
  // Of a unit whose instructions read registers themselves.
  virtual void set_register(std::uint8_t, std::uint32_t) {}

  bool idle() const { return queue_.empty() && unresolved_ == 0; }
  // When the last instruction so far is complete.
  Tick last_end() const { return last_end_; }
  // Reports everything complete by `at` and closes the books there; `cause` is what the engine is stalled by at the
  // end.
  void finish(Tick at, StallCause cause);
  const EngineTotals& totals() const { return books_.totals(); }
  const std::vector<Warning>& warnings() const { return warnings_; }

  void on_time(Phase) override;
  void flow_started(FlowId id, const WaitByCause& waited) override;
  void flow_ended(FlowId id) override;

 protected:
  // Whether the head uses results of one that is in flight which are not in memory.
  virtual bool depends(const Dispatch& /*head*/, const Dispatch& /*earlier*/) const { return false; }
  // Judges a head that is to be confirmed, everything before it having started, and says what it costs.
  virtual std::optional<Violation> prepare(Dispatch&) { return std::nullopt; }
  // Of an engine that can prepare one instruction while another streams: whether this one passes beside the pipeline.
  // It follows its predecessors' starts alone, and what comes after it waits until it has passed.
  virtual bool beside(const Dispatch&) const { return false; }
  // Called in the constructor of such an engine.
  void add_side() { sides_[kBeside].flow = arbiter_.attach(engine_, *this); }
  // The values of an instruction that starts now.
  virtual void compute(const Dispatch& head);

  const SemanticsOptions& semantics() const { return semantics_; }
  void warn(const Dispatch& head, std::string text);

  const OperandViews& views() const { return views_; }
  Tick now() const { return timeline_.now(); }
  bool has_time() const { return mode_ != RunMode::functional_only; }
  const std::vector<Observer*>* observers() const { return observers_; }  // null: nobody watches
  Scratch& scratch() { return scratch_; }

 private:
  // Started, results perhaps not yet visible.
  struct InFlight {
    Dispatch* dispatch = nullptr;
    bool streaming = false;  // its stream has not ended
    bool beside = false;
    Tick read = 0;  // operands read; in program order
    Tick end = 0;   // results visible; in program order
    InstructionRecord record;
  };

  ::tlm::tlm_sync_enum accept(Dispatch& payload, ::tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void issue();
  bool start_control(Dispatch& head);
  bool request_flow(Dispatch& head);
  void access(AccessPayload& payload, ::tlm::tlm_command command, const Operand& operand, const Cost& cost,
              RowView& view, FlowRequest& flow, bool& half_rate);
  Tick dependency_end(const Dispatch& head) const;
  void reject(Dispatch& head, const Violation& violation);
  WaitByCause enter_waits(const Dispatch& head, Tick to, const WaitByCause& arbitrated);
  InFlight& begin(Dispatch& head, const WaitByCause& waited);
  void resolve();
  void post(const InFlight& entry);
  void report_complete(Tick by);

  const Engine engine_;
  Timeline& timeline_;
  Arbiter& arbiter_;
  const ResourceTable& resources_;
  const Slot slot_;

  Clock clock_;
  MemoryMap map_;
  SemanticsOptions semantics_;
  std::uint32_t update_cycles_ = 0;
  std::uint64_t stall_seed_ = 0;
  std::uint64_t stall_state_ = 0;
  RunMode mode_ = RunMode::full;
  const std::vector<Observer*>* observers_ = nullptr;

  boost::circular_buffer<Dispatch*> queue_;     // dispatched, not started; capacity is queue_depth
  boost::circular_buffer<InFlight> in_flight_;  // in program order
  std::size_t unresolved_ = 0;                  // how many at its back have no known end
  bool requested_ = false;                      // the head is in arbitration
  bool refused_ = false;                        // the sequencer waits for a place in the queue

  // The head of the queue on its way: when each condition came to hold.
  bool head_seen_ = false;
  Tick issue_until_ = 0;     // a random stall, when configured
  Tick issued_at_ = 0;       // the issue interval had passed
  Tick independent_at_ = 0;  // no operand depended on an unfinished instruction

  // The pipeline, and what passes beside it.
  enum : std::size_t { kPipeline, kBeside };
  struct Side {
    FlowId flow = 0;
    bool streaming = false;   // its last instruction is passing
    Tick next_issue = 0;      // the interval of that instruction ends
    Tick streamed_until = 0;  // its stream ended
  };
  std::array<Side, 2> sides_;

  Tick ready_ = 0;  // the head became the oldest: its predecessor started
  Tick last_read_ = 0;
  Tick last_end_ = 0;

  std::array<AccessPayload, kMaxSources> source_access_;
  std::array<AccessPayload, kMaxDestinations> destination_access_;
  OperandViews views_;
  LaneState lane_state_;
  Scratch scratch_;
  Books books_;
  std::vector<Warning> warnings_;
  std::unordered_set<std::uint32_t> warned_;  // program counters
};

}  // namespace tpb
