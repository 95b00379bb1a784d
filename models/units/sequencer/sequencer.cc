#include "models/units/sequencer/sequencer.h"

#include <fmt/format.h>

#include <cassert>

#include "models/units/instruction_memory/instruction_memory.h"

namespace tpb {

Sequencer::Sequencer(const sc_core::sc_module_name& name, Engine engine, Timeline& timeline)
    : Unit(name),
      fetch("fetch"),
      dispatch("dispatch"),
      semaphores("semaphores"),
      engine_(engine),
      timeline_(timeline),
      slot_(timeline.enrol(*this, Phase::issue)),
      cache_(kDecodeCacheEntries) {
  dispatch.register_nb_transport_bw(this, &Sequencer::completed);
  fetch_payload_.set_command(::tlm::TLM_READ_COMMAND);
  fetch_payload_.set_data_ptr(buffer_.data());
  fetch_payload_.set_data_length(sizeof(Bundle));
  fetch_payload_.set_streaming_width(sizeof(Bundle));
}

void Sequencer::reset(const Config& config) {
  legality_ = {config.generation, engine_, config.memory, config.semantics};
  cost_ = {config.generation, engine_, config.engines[engine_], config.memory, config.semantics};
  clock_ = clock_of(config, engine_);
  timing_ = config.sequencer;
  mode_ = RunMode::full;
  lines_.clear();
  registers_.fill(0);
  state_ = State::reset;
  current_ = nullptr;
  wait_.reset();
  fault_.reset();
  for (Decoded& entry : cache_) entry.valid = false;
  free_.clear();
  for (Dispatch& payload : payloads_) free_.push_back(&payload);
}

void Sequencer::start(std::uint64_t section_bytes) {
  section_bytes_ = section_bytes;
  const auto& window = timing_.pc_window[engine_];
  window_lo_ = window ? window->first : 0;
  window_hi_ = window ? window->second : section_bytes;
  pc_ = 0;
  state_ = section_bytes == 0 ? State::ended : State::fetching;
  timeline_.notify_at(slot_, timeline_.now());
}

std::optional<SemaphoreWait> Sequencer::blocked_on() const { return state_ == State::waiting ? wait_ : std::nullopt; }

std::uint32_t Sequencer::line_of(std::uint32_t pc) const {
  const std::size_t index = pc / sizeof(Bundle);
  return index < lines_.size() ? lines_[index] : 0;
}

void Sequencer::on_time(Phase) { step(); }

void Sequencer::wait_satisfied() {
  state_ = State::waited;
  resume_at_ = timeline_.now() + clock_.ticks(timing_.semaphore_wait_cycles);
  timeline_.notify_at(slot_, timeline_.now());
}

// 1 fetch and decode, 2 wait for the semaphore, 3 dispatch; as far as it goes at this instant.
void Sequencer::step() {
  for (;;) {
    switch (state_) {
      case State::fetching:
        if (!fetch_and_decode()) return;
        break;
      case State::decoding:
        if (timeline_.now() < resume_at_) return timeline_.notify_at(slot_, resume_at_);
        evaluate_wait();
        break;
      case State::waited:
        if (timeline_.now() < resume_at_) return timeline_.notify_at(slot_, resume_at_);
        current_->wait_end = timeline_.now();
        state_ = State::dispatching;
        break;
      case State::dispatching:
        if (!try_dispatch()) return;
        break;
      case State::reset:
      case State::waiting:
      case State::confirming:
      case State::ended:
      case State::faulted:
        return;
    }
  }
}

bool Sequencer::fetch_and_decode() {
  if (pc_ == section_bytes_ && pc_ == window_hi_) {
    state_ = State::ended;
    return false;
  }
  if (pc_ < window_lo_ || pc_ + sizeof(Bundle) > std::min(window_hi_, section_bytes_)) {
    raise({"pc_bounds", "pc", fmt::format("0x{:x}", pc_), fmt::format("[0x{:x}, 0x{:x})", window_lo_, window_hi_)});
    return false;
  }
  fetch_payload_.set_address(section_base(engine_) + pc_);
  fetch_payload_.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time no_delay;
  fetch->b_transport(fetch_payload_, no_delay);
  if (!fetch_payload_.is_response_ok()) {
    raise({"pc_bounds", "pc", fmt::format("0x{:x}", pc_), "an address of instruction memory"});
    return false;
  }

  Decoded& entry = cache_[pc_ / sizeof(Bundle) % kDecodeCacheEntries];
  if (!entry.valid || entry.bundle != buffer_) {
    entry.valid = false;
    // An immediate whose address is in a register is judged twice: as it stands, and as what the register makes of it.
    std::optional<Violation> violation = first_violation(buffer_, legality_);
    const std::optional<Bundle> resolved =
        violation ? std::nullopt : with_registers(buffer_, registers_, legality_.semantics);
    if (resolved) violation = first_violation(*resolved, legality_);
    if (violation) {
      raise(std::move(*violation));
      return false;
    }
    Dispatch& decoded = entry.dispatch;
    decoded.instruction = unpack(resolved.value_or(buffer_), legality_.semantics);
    legality_.match_value_channels =
        std::max(legality_.match_value_channels, match_value_channels(decoded.instruction, legality_.semantics));
    legality_.stationary = stationary_of(decoded.instruction).value_or(legality_.stationary);
    decoded.operands = operands_of(decoded.instruction);
    decoded.control = std::holds_alternative<ControlBundle>(decoded.instruction);
    decoded.confirm = opcode_of(decoded.instruction, legality_.semantics) == Opcode::tile;
    decoded.cost = mode_ == RunMode::functional_only ? Cost{} : cost_of(decoded.instruction, decoded.operands, cost_);
    decoded.elements = decoded.control ? 0 : decoded.operands.elements_per_partition() * decoded.operands.channels();
    entry.bundle = buffer_;
    entry.valid = !resolved;  // a register can change
  }
  current_ = &free_payload();
  *current_ = entry.dispatch;
  current_->pc = pc_;
  current_->line = line_of(pc_);
  const Frame& frame = frame_of(current_->instruction);
  current_->update_value = frame.update_mode == kUpdateWriteRegister ? registers_[frame.value & 0x3F] : frame.value;
  state_ = State::decoding;
  resume_at_ =
      mode_ == RunMode::functional_only ? timeline_.now() : timeline_.now() + clock_.ticks(timing_.decode_cycles);
  return true;
}

void Sequencer::evaluate_wait() {
  const Frame& frame = frame_of(current_->instruction);
  current_->wait_begin = current_->wait_end = timeline_.now();
  if (frame.wait_mode == 0) {
    state_ = State::dispatching;
    return;
  }
  const bool by_register = (frame.wait_mode & kWaitRegister) != 0;
  wait_ = SemaphoreWait{engine_, frame.wait_idx, static_cast<WaitMode>(frame.wait_mode & ~kWaitRegister),
                        by_register ? registers_[frame.value & 0x3F] : frame.value, pc_};
  state_ = State::waiting;
  if (semaphores->wait(*wait_, *this)) wait_satisfied();
}

bool Sequencer::try_dispatch() {
  ::tlm::tlm_phase phase = ::tlm::BEGIN_REQ;
  sc_core::sc_time no_delay;
  dispatch->nb_transport_fw(*current_, phase, no_delay);
  if (phase == DISPATCH_REFUSED) return false;
  const bool halts = opcode_of(current_->instruction, legality_.semantics) == Opcode::halt;
  const bool confirm = current_->confirm;
  current_ = nullptr;
  if (confirm) {
    state_ = State::confirming;
  } else {
    advance(halts);
  }
  return true;
}

void Sequencer::advance(bool halts) {
  pc_ += static_cast<std::uint32_t>(sizeof(Bundle));
  state_ = halts ? State::ended : State::fetching;
}

void Sequencer::raise(Violation violation) {
  state_ = State::faulted;
  fault_ = Fault{engine_, pc_, line_of(pc_), std::move(violation), timeline_.now()};
}

Dispatch& Sequencer::free_payload() {
  if (free_.empty()) return payloads_.emplace_back();
  Dispatch* payload = free_.back();
  free_.pop_back();
  return *payload;
}

::tlm::tlm_sync_enum Sequencer::completed(Dispatch& payload, ::tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (phase == SLOT_FREE) {
    if (state_ == State::dispatching) timeline_.notify_at(slot_, timeline_.now());
  } else if (phase == STARTED) {
    advance(false);
    timeline_.notify_at(slot_, timeline_.now());
  } else if (phase == FAULTED) {
    raise(*payload.violation);
    free_.push_back(&payload);
  } else {
    assert(phase == COMPLETED);
    free_.push_back(&payload);
  }
  return ::tlm::TLM_ACCEPTED;
}

}  // namespace tpb
