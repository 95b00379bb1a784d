#include "models/units/engine/execution_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "models/isa/activation.h"
#include "models/isa/overlap.h"

namespace tpb {
namespace {

constexpr unsigned kMaxRandomStallCycles = 15;

std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t z = state += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

}  // namespace

ExecutionUnit::ExecutionUnit(const sc_core::sc_module_name& name, Engine engine, Timeline& timeline, Arbiter& arbiter,
                             const ResourceTable& resources)
    : Unit(name),
      dispatch("dispatch"),
      sbuf("sbuf"),
      psum("psum"),
      semaphores("semaphores"),
      engine_(engine),
      timeline_(timeline),
      arbiter_(arbiter),
      resources_(resources),
      slot_(timeline.enrol(*this, Phase::issue)),
      in_flight_(64) {
  dispatch.register_nb_transport_fw(this, &ExecutionUnit::accept);
  sides_[kPipeline].flow = arbiter.attach(engine, *this);
}

void ExecutionUnit::reset(const Config& config) {
  clock_ = clock_of(config, engine_);
  map_ = config.memory;
  semantics_ = config.semantics;
  update_cycles_ = config.sequencer.semaphore_update_cycles;
  stall_seed_ = config.random_stall_seed;
  stall_state_ = stall_seed_ * kEngineCount + static_cast<std::uint64_t>(engine_);
  mode_ = RunMode::full;
  queue_.clear();
  queue_.set_capacity(config.engines[engine_].queue_depth);
  in_flight_.clear();
  unresolved_ = 0;
  requested_ = refused_ = head_seen_ = false;
  for (Side& side : sides_) side = {.flow = side.flow};
  ready_ = last_read_ = last_end_ = 0;
  lane_state_ = {};
  books_ = {};
  warnings_.clear();
  warned_.clear();
}

::tlm::tlm_sync_enum ExecutionUnit::accept(Dispatch& payload, ::tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (queue_.full()) {
    refused_ = true;
    phase = DISPATCH_REFUSED;
    return ::tlm::TLM_UPDATED;
  }
  queue_.push_back(&payload);
  timeline_.notify_at(slot_, timeline_.now());
  return ::tlm::TLM_ACCEPTED;
}

void ExecutionUnit::on_time(Phase) {
  report_complete(timeline_.now());
  issue();
}

// Starts what can start at this instant. Conditions in order: the issue interval, operands, shared resources.
void ExecutionUnit::issue() {
  while (!queue_.empty() && !requested_) {
    Dispatch& head = *queue_.front();
    if (!head_seen_) {
      head_seen_ = true;
      issued_at_ = independent_at_ = kNever;
      issue_until_ = timeline_.now();
      if (stall_seed_ != 0) issue_until_ += clock_.ticks(split_mix(stall_state_) % (kMaxRandomStallCycles + 1));
    }
    const Tick now = timeline_.now();
    const Tick edge = clock_.edge(std::max(now, issue_until_));
    if (edge > now) return timeline_.notify_at(slot_, edge);
    if (!(head.control ? start_control(head) : request_flow(head))) return;
  }
}

bool ExecutionUnit::start_control(Dispatch& head) {
  issued_at_ = independent_at_ = timeline_.now();
  begin(head, {});
  resolve();
  return true;
}

bool ExecutionUnit::request_flow(Dispatch& head) {
  const Tick now = timeline_.now();
  // 1. The issue interval; the end of the stream before calls again.
  const Side& side = sides_[beside(head) ? kBeside : kPipeline];
  if (side.streaming) return false;
  if (side.next_issue > now) {
    timeline_.notify_at(slot_, clock_.edge(side.next_issue));
    return false;
  }
  issued_at_ =
      std::min(now, clock_.edge(std::max({side.next_issue, side.streamed_until, head.wait_end, ready_, issue_until_})));
  // 2. What was prepared beside the pipeline for it, and results of this engine that are still on their way.
  if (sides_[kBeside].streaming) return false;
  if (const Tick until = dependency_end(head); until > now) {
    timeline_.notify_at(slot_, clock_.edge(until));
    return false;
  }
  independent_at_ = now;
  if (head.confirm) {
    if (const std::optional<Violation> violation = prepare(head)) {
      reject(head, *violation);
      return false;
    }
  }
  // 3. Memory answers with rows and resources; the arbiter decides at the end of this instant.
  FlowRequest flow{.id = side.flow, .pc = head.pc, .uses = {}};
  bool half_rate = false;
  for (unsigned i = 0; i < head.operands.source_count; ++i) {
    access(source_access_[i], ::tlm::TLM_READ_COMMAND, head.operands.source[i], head.cost, views_.source[i], flow,
           half_rate);
  }
  for (unsigned i = 0; i < head.operands.destination_count; ++i) {
    access(destination_access_[i], ::tlm::TLM_WRITE_COMMAND, head.operands.destination[i], head.cost,
           views_.destination[i], flow, half_rate);
  }
  if (resources_.has_bus() && (engine_ == Engine::pool || head.cost.mode != PerformanceMode::none) &&
      (engine_ == Engine::pool || engine_ == Engine::dve)) {
    const ResourceId bus = resources_.bus();
    flow.uses.add(bus, resources_.demand(bus, engine_, head.cost.stream, head.cost.stream), false,
                  resources_.demand_limit(bus));
  }
  flow.start += clock_.ticks(head.cost.start);
  flow.stream = clock_.ticks(std::uint64_t{head.cost.stream} * (half_rate ? 2 : 1));
  requested_ = true;
  arbiter_.request(flow);
  return false;
}

void ExecutionUnit::access(AccessPayload& payload, ::tlm::tlm_command command, const Operand& operand, const Cost& cost,
                           RowView& view, FlowRequest& flow, bool& half_rate) {
  auto& transaction = payload.prepare(command, engine_, operand, cost.stream, mode_ != RunMode::timing_only);
  sc_core::sc_time no_delay;
  const bool in_psum = locate(map_, operand.pattern.start_addr).space == Space::psum;
  (in_psum ? psum : sbuf)->b_transport(transaction, no_delay);
  if (!transaction.is_response_ok()) {
    // Legality has judged every address before; what gets here is a defect of the model.
    throw std::logic_error(fmt::format("{}: memory refused an operand at 0x{:x}: {}", name(),
                                       operand.pattern.start_addr, transaction.get_response_string()));
  }
  const AccessExtension& answer = payload.answer();
  view = answer.view;
  half_rate |= answer.half_rate;
  flow.start = std::max(flow.start, clock_.ticks(answer.head_latency));
  // Without time, nothing is shared.
  if (mode_ == RunMode::functional_only) return;
  for (const ResourceUse& use : answer.uses.all()) flow.uses.add(use, resources_.demand_limit(use.id));
}

Tick ExecutionUnit::dependency_end(const Dispatch& head) const {
  Tick until = 0;
  for (const InFlight& entry : in_flight_) {
    if (entry.end <= std::max(until, timeline_.now())) continue;
    if (depends(head, *entry.dispatch)) {
      until = entry.end;
      continue;
    }
    for (const Operand& result : entry.dispatch->operands.destinations()) {
      auto touches = [&](const Operand& operand) { return overlaps(operand, result, map_); };
      if (std::ranges::any_of(head.operands.sources(), touches) ||
          std::ranges::any_of(head.operands.destinations(), touches)) {
        until = entry.end;
        break;
      }
    }
  }
  return until;
}

// The head leaves the queue without any effect.
void ExecutionUnit::reject(Dispatch& head, const Violation& violation) {
  enter_waits(head, timeline_.now(), {});
  queue_.pop_front();
  head_seen_ = false;
  head.violation = &violation;
  ::tlm::tlm_phase phase = FAULTED;
  sc_core::sc_time no_delay;
  dispatch->nb_transport_bw(head, phase, no_delay);
}

// What the head has waited for until `to`, into the books: each moment with the reason of its time. `arbitrated` is
// what it waited for in arbitration. Returns the time by cause.
WaitByCause ExecutionUnit::enter_waits(const Dispatch& head, Tick to, const WaitByCause& arbitrated) {
  WaitByCause stalled = arbitrated;
  Tick at = std::min(ready_, to);
  const auto pass = [&](Tick until, StallCause cause) {
    until = std::clamp(until, at, to);
    if (cause != StallCause::semaphore) stalled[static_cast<std::size_t>(cause)] += until - at;
    books_.enter(until, cause);
    at = until;
  };
  pass(head.wait_begin, StallCause::issue);
  pass(head.wait_end, StallCause::semaphore);
  pass(issued_at_, StallCause::issue);
  pass(independent_at_, StallCause::dependency);
  // What remains was spent in arbitration, one resource after the other.
  for (std::size_t cause = 0; cause < kStallCauses; ++cause) {
    at = std::min(to, at + arbitrated[cause]);
    books_.enter(at, static_cast<StallCause>(cause));
  }
  return stalled;
}

// The head leaves the queue: its record, its part of the books, and a free place for the sequencer.
ExecutionUnit::InFlight& ExecutionUnit::begin(Dispatch& head, const WaitByCause& waited) {
  const Tick now = timeline_.now();
  const Tick wait_begin = std::clamp(head.wait_begin, ready_, now);
  const Tick wait_end = std::clamp(head.wait_end, wait_begin, now);

  InstructionRecord record;
  record.engine = engine_;
  record.opcode = frame_of(head.instruction).opcode;
  record.variant = head.variant;
  record.mode = head.cost.mode;
  record.pc = head.pc;
  record.line = head.line;
  record.stream_cycles = head.cost.stream;
  record.elements = head.elements;
  record.ready = ready_;
  record.start = now;
  record.wait_semaphore = wait_end - wait_begin;
  record.stall = now - ready_ - record.wait_semaphore;

  const WaitByCause stalled = enter_waits(head, now, waited);
  // Of equal causes the one that came last: it is what the start depended on.
  const auto longest = std::max_element(stalled.rbegin(), stalled.rend());
  record.stall_cause = static_cast<StallCause>(stalled.rend() - longest - 1);

  queue_.pop_front();
  head_seen_ = false;
  ready_ = now;
  if (in_flight_.full()) in_flight_.set_capacity(in_flight_.capacity() * 2);
  in_flight_.push_back({.dispatch = &head, .record = record});
  ++unresolved_;
  timeline_.notify_at(slot_, now);
  if (refused_ || head.confirm) {
    ::tlm::tlm_phase phase = refused_ ? SLOT_FREE : STARTED;
    sc_core::sc_time no_delay;
    refused_ = false;
    dispatch->nb_transport_bw(head, phase, no_delay);
  }
  return in_flight_.back();
}

void ExecutionUnit::compute(const Dispatch& head) {
  if (!execute(head.instruction, engine_, semantics_, views_, lane_state_, scratch_)) return;
  const auto function = static_cast<Activation>(std::get<S3D3_AC>(head.instruction).func);
  warn(head, fmt::format("{} of a value outside {}, the range it is documented for", name_of(function),
                         range_text(function)));
}

void ExecutionUnit::warn(const Dispatch& head, std::string text) {
  if (!warned_.insert(head.pc).second) return;
  warnings_.push_back({engine_, head.pc, head.line, std::move(text), timeline_.now()});
}

void ExecutionUnit::flow_started(FlowId id, const WaitByCause& waited) {
  Dispatch& head = *queue_.front();
  if (mode_ != RunMode::timing_only) compute(head);
  const bool is_beside = id != sides_[kPipeline].flow;
  InFlight& entry = begin(head, waited);
  entry.streaming = true;
  entry.beside = is_beside;
  requested_ = false;
  books_.begin_streaming();
  Side& side = sides_[is_beside ? kBeside : kPipeline];
  side.streaming = true;
  side.next_issue = timeline_.now() + clock_.ticks(head.cost.interval);
}

void ExecutionUnit::flow_ended(FlowId id) {
  const Tick now = timeline_.now();
  const bool was_beside = id != sides_[kPipeline].flow;
  Side& side = sides_[was_beside ? kBeside : kPipeline];
  side.streaming = false;
  side.streamed_until = now;
  books_.end_streaming(now);
  // Of the instructions with no known end, the first that computes on this side is the one that streamed.
  for (std::size_t i = in_flight_.size() - unresolved_; i < in_flight_.size(); ++i) {
    InFlight& entry = in_flight_[i];
    if (!entry.streaming || entry.beside != was_beside) continue;
    entry.streaming = false;
    entry.read = now;
    entry.end = now + clock_.ticks(entry.dispatch->cost.overhead);
    break;
  }
  resolve();
  timeline_.notify_at(slot_, now);
}

// Gives every instruction in front of the first stream that still passes its times, in program order.
void ExecutionUnit::resolve() {
  while (unresolved_ != 0) {
    InFlight& entry = in_flight_[in_flight_.size() - unresolved_];
    if (entry.streaming) return;
    if (entry.dispatch->control) entry.read = entry.end = entry.record.start;
    entry.record.stream_end = entry.read;
    entry.read = last_read_ = std::max(last_read_, entry.read);
    entry.end = entry.record.end = last_end_ = std::max(last_end_, entry.end);
    --unresolved_;
    post(entry);
  }
}

void ExecutionUnit::post(const InFlight& entry) {
  const Frame& frame = frame_of(entry.dispatch->instruction);
  if (frame.update_mode == 0) return;
  const bool on_complete = (frame.update_mode & kUpdateOnComplete) != 0;
  const bool writes_register = frame.update_mode == kUpdateWriteRegister;
  const auto operation =
      writes_register ? UpdateMode::write : static_cast<UpdateMode>(frame.update_mode & ~kUpdateOnComplete);
  const Tick delay = mode_ == RunMode::functional_only ? 0 : clock_.ticks(update_cycles_);
  semaphores->post({.at = (on_complete ? entry.end : entry.read) + delay,
                    .engine = engine_,
                    .semaphore = frame.update_idx,
                    .operation = operation,
                    .on_complete = on_complete,
                    .value = entry.dispatch->update_value,
                    .pc = entry.dispatch->pc});
}

void ExecutionUnit::report_complete(Tick by) {
  while (in_flight_.size() > unresolved_ && in_flight_.front().end <= by) {
    const InFlight& entry = in_flight_.front();
    books_.count(entry.record.elements);
    if (observers_ != nullptr) {
      for (Observer* observer : *observers_) observer->retired(entry.record);
    }
    ::tlm::tlm_phase phase = COMPLETED;
    sc_core::sc_time no_delay;
    dispatch->nb_transport_bw(*entry.dispatch, phase, no_delay);
    in_flight_.pop_front();
  }
}

void ExecutionUnit::finish(Tick at, StallCause cause) {
  report_complete(at);
  if (head_seen_ && !queue_.empty()) {
    const Dispatch& head = *queue_.front();
    const Side& side = sides_[beside(head) ? kBeside : kPipeline];
    enter_waits(head, at, requested_ ? arbiter_.waited(side.flow) : WaitByCause{});
  }
  books_.enter(at, cause);
}

}  // namespace tpb
