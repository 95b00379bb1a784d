#include "testbench/platform/platform.h"

#include <fmt/format.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <ctime>
#include <stdexcept>

#include "models/core/neuron_core.h"

namespace tpb {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Tick ticks_of(double nanoseconds, std::uint64_t tick_mhz) {
  const double ticks = nanoseconds * static_cast<double>(tick_mhz) / 1000.0;
  constexpr double kBeyond = 9e18;  // more than a run can take; what is not below it (a NaN too) is no limit
  return ticks < kBeyond ? static_cast<Tick>(std::max(ticks, 0.0)) : kNever;
}

std::string condition_text(const SemaphoreWait& wait) {
  switch (wait.condition) {
    case WaitMode::equal:
      return fmt::format("=={}", wait.value);
    case WaitMode::less:
      return fmt::format("<{}", wait.value);
    case WaitMode::less_equal:
      return fmt::format("<={}", wait.value);
    case WaitMode::greater:
      return fmt::format(">{}", wait.value);
    case WaitMode::greater_equal:
      return fmt::format(">={}", wait.value);
    case WaitMode::none:
      break;
  }
  return {};
}

// The other end of the core's host socket.
class Host : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Host> socket;
  explicit Host(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {}

  bool debug(::tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, std::size_t length) {
    ::tlm::tlm_generic_payload payload;
    set(payload, command, address, data, length);
    return length == 0 || socket->transport_dbg(payload) == length;
  }
  bool write_word(std::uint64_t address, std::uint32_t value) {
    ::tlm::tlm_generic_payload payload;
    set(payload, ::tlm::TLM_WRITE_COMMAND, address, reinterpret_cast<std::uint8_t*>(&value), sizeof value);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    return payload.is_response_ok();
  }

 private:
  static void set(::tlm::tlm_generic_payload& payload, ::tlm::tlm_command command, std::uint64_t address,
                  std::uint8_t* data, std::size_t length) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(static_cast<unsigned>(length));
    payload.set_streaming_width(static_cast<unsigned>(length));
  }
};

}  // namespace

std::string format_ns(Tick ticks, std::uint64_t tick_mhz) {
  // One tick is 1000 / tick_mhz nanoseconds: a billion times that, in millionths of a nanosecond, rounded half up.
  const Wide millionths = (Wide{ticks} * 2'000'000'000 + tick_mhz) / (Wide{tick_mhz} * 2);
  return fmt::format("{}.{:06}", static_cast<std::uint64_t>(millionths / 1'000'000),
                     static_cast<std::uint64_t>(millionths % 1'000'000));
}

struct Platform::Parts {
  Parts() : core("core"), host("host") { host.socket.bind(core.host()); }

  NeuronCore core;
  Host host;
  Config config;
  std::uint64_t tick_mhz = 1;
  PerEngine<Section> sections;
  double reset_at = 0;
};

Platform& Platform::instance() {
  static Platform platform;
  return platform;
}

Platform::Platform() {
  // Ticks are exact by themselves; the finest kernel time keeps the derived one close. Before the first sc_time.
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  parts_ = std::make_unique<Parts>();
  // Sockets are bound when elaboration ends; from here on the host can reach memory.
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

Platform::~Platform() = default;

void Platform::reset(const Config& config) {
  parts_->reset_at = cpu_seconds();
  parts_->config = config;
  parts_->tick_mhz = config.tick_mhz();
  parts_->sections = {};
  parts_->core.reset(config);
}

void Platform::load(const Program& program) {
  Parts& parts = *parts_;
  for (Engine engine : kEngines) {
    const Section& section = program.sections[engine];
    parts.sections[engine] = section;
    parts.core.sequencer(engine).set_lines(section.lines);
    auto bytes = section.bundles;
    const std::uint64_t at = kHostInstructions + section_base(engine);
    if (!parts.host.debug(::tlm::TLM_WRITE_COMMAND, at, reinterpret_cast<std::uint8_t*>(bytes.data()),
                          bytes.size() * sizeof(Bundle))) {
      throw std::length_error(fmt::format("the {} section has more than limits.instructions bundles", name_of(engine)));
    }
  }
  for (const SemaphoreInit& init : program.semaphores) parts.core.semaphores().set(init.index, init.value);
  for (const RegisterInit& init : program.registers) {
    parts.core.sequencer(init.engine).set_register(init.index, init.value);
    parts.core.engine(init.engine).set_register(init.index, init.value);
  }
}

namespace {
// Addresses run on from partition to partition; a tensor does not.
bool fits(const Tensor& tensor, const MemoryMap& map) {
  const std::uint64_t room =
      tensor.start.space == Space::sbuf ? map.sbuf_bytes_per_partition : map.psum_bytes_per_partition();
  return tensor.start.offset + std::uint64_t{tensor.elements_per_partition()} * bytes_of(tensor.dtype) <= room &&
         std::uint64_t{tensor.start.partition} + tensor.shape.at(0) <= kPartitions;
}
}  // namespace

bool Platform::write_tensor(const Tensor& tensor, std::span<const std::uint8_t> bytes) {
  if (!fits(tensor, parts_->config.memory)) return false;
  const std::size_t run = tensor.elements_per_partition() * bytes_of(tensor.dtype);
  std::vector<std::uint8_t> part(run);
  for (std::uint32_t p = 0; p < tensor.shape.at(0); ++p) {
    const Location at{tensor.start.space, tensor.start.partition + p, tensor.start.offset};
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(p * run), run, part.begin());
    if (!parts_->host.debug(::tlm::TLM_WRITE_COMMAND, address_of(parts_->config.memory, at), part.data(), run)) {
      return false;
    }
  }
  return true;
}

bool Platform::read_tensor(const Tensor& tensor, std::span<std::uint8_t> bytes) {
  if (!fits(tensor, parts_->config.memory)) return false;
  const std::size_t run = tensor.elements_per_partition() * bytes_of(tensor.dtype);
  for (std::uint32_t p = 0; p < tensor.shape.at(0); ++p) {
    const Location at{tensor.start.space, tensor.start.partition + p, tensor.start.offset};
    if (!parts_->host.debug(::tlm::TLM_READ_COMMAND, address_of(parts_->config.memory, at), bytes.data() + p * run,
                            run)) {
      return false;
    }
  }
  return true;
}

RunResult Platform::run(const RunOptions& options) {
  Parts& parts = *parts_;
  NeuronCore& core = parts.core;
  core.set_mode(options.mode);
  core.observe(&options.observers);
  const Tick limit = options.max_time_ns ? ticks_of(*options.max_time_ns, parts.tick_mhz) : kNever;
  core.agenda().stop_at(limit);
  std::uint32_t engines = 0;
  for (Engine engine : kEngines) engines |= 1U << static_cast<unsigned>(engine);
  if (!parts.host.write_word(kHostDoorbell, engines)) throw std::logic_error("the doorbell does not answer");
  sc_core::sc_start();
  if (core.agenda().pending() && !core.agenda().stopped())
    throw std::logic_error("the simulation ended with work left");

  RunResult result;
  result.tick_mhz = parts.tick_mhz;
  result.clock_mhz = parts.config.clocks_mhz();
  // The last completion may lie behind the last thing that had to be simulated, and behind the limit.
  result.elapsed = core.agenda().now();
  for (Engine engine : kEngines) result.elapsed = std::max(result.elapsed, core.engine(engine).last_end());
  const bool cut = core.agenda().stopped() || result.elapsed > limit;
  if (cut) result.elapsed = limit;
  for (Engine engine : kEngines) {
    Sequencer& sequencer = core.sequencer(engine);
    StallCause at_end = StallCause::idle;
    if (sequencer.fault()) {
      result.faults.push_back(*sequencer.fault());
      at_end = StallCause::fault;
    } else if (sequencer.blocked_on()) {
      at_end = StallCause::semaphore;
    } else if (!sequencer.finished() || !core.engine(engine).idle()) {
      at_end = StallCause::issue;
    }
    core.engine(engine).finish(result.elapsed, at_end);
    result.engines[engine] = core.engine(engine).totals();
    const auto& warnings = core.engine(engine).warnings();
    result.warnings.insert(result.warnings.end(), warnings.begin(), warnings.end());
    if (result.engines[engine].total() != result.elapsed) {
      throw std::logic_error(fmt::format("the books of {} hold {} ticks of {}", name_of(engine),
                                         result.engines[engine].total(), result.elapsed));
    }
  }
  result.tiles = core.sfu().tile_totals(result.elapsed);
  std::ranges::stable_sort(result.faults, {}, &Fault::at);
  std::ranges::stable_sort(result.warnings, {}, &Warning::at);
  for (Observer* observer : options.observers) {
    for (const Fault& fault : result.faults) observer->faulted(fault);
  }
  // A cut run may yet have gone on.
  if (!cut) blocked_waits(result);
  if (cut) {
    result.end = RunEnd::time_limit;
  } else if (!result.faults.empty()) {
    result.end = RunEnd::fault;
  } else if (!result.blocked.empty()) {
    result.end = RunEnd::deadlock;
  }
  result.sbuf = {core.sbuf().read_bytes(), core.sbuf().write_bytes(), core.arbiter().contention(StallCause::sbuf)};
  result.psum = {core.psum().read_bytes(), core.psum().write_bytes(), core.arbiter().contention(StallCause::psum)};
  for (std::uint32_t bank = 0; bank < core.resources().psum_banks(); ++bank) {
    result.psum_bank_busy.push_back(core.arbiter().busy(core.resources().psum_bank(bank)));
  }
  result.activations = core.agenda().activations();
  core.observe(nullptr);
  result.host_seconds = cpu_seconds() - parts.reset_at;
  return result;
}

// Who waits, for what, and who could still update it: unexecuted instructions of every stream that name the semaphore.
void Platform::blocked_waits(RunResult& result) {
  NeuronCore& core = parts_->core;
  for (Engine engine : kEngines) {
    const Sequencer& sequencer = core.sequencer(engine);
    const auto wait = sequencer.blocked_on();
    if (!wait) continue;
    BlockedWait blocked{engine,
                        wait->pc,
                        sequencer.line_of(wait->pc),
                        wait->semaphore,
                        condition_text(*wait),
                        core.semaphores().value(wait->semaphore),
                        {}};
    for (Engine other : kEngines) {
      const Sequencer& stream = core.sequencer(other);
      if (stream.finished() && !stream.fault()) continue;
      const auto& bundles = parts_->sections[other].bundles;
      for (std::size_t i = stream.pc() / sizeof(Bundle); i < bundles.size(); ++i) {
        const auto frame = std::bit_cast<ControlBundle>(bundles[i]).frame;
        if (frame.update_mode == 0 || frame.update_idx != wait->semaphore) continue;
        const auto pc = static_cast<std::uint32_t>(i * sizeof(Bundle));
        std::string why = "not reached";
        if (stream.fault()) why = "stopped by a fault";
        if (const auto its = stream.blocked_on()) why = fmt::format("behind its wait for S[{}]", its->semaphore);
        blocked.could_update.push_back(
            fmt::format("{} pc=0x{:x} line={} ({})", name_of(other), pc, stream.line_of(pc), why));
      }
    }
    result.blocked.push_back(std::move(blocked));
  }
}

}  // namespace tpb
