#include "testbench/observers/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>
#include <tuple>

#include "testbench/observers/instruction_table.h"

namespace tpb {
namespace {

enum class Process : std::uint8_t { engines = 1, memory = 2, semaphores = 3, tiles = 4 };

using Nanoseconds = std::uint64_t;

// Half of a flow arrow: it leaves or enters the slice of one instruction.
struct FlowEnd {
  Engine engine;
  std::size_t record;  // index into the engine's records
  std::size_t id;
  bool leaves;
  Tick at;
};

// Writes events one by one; nothing but the current event is kept.
class TraceWriter {
 public:
  TraceWriter(std::ostream& out, std::uint64_t tick_mhz) : out_(out), tick_mhz_(tick_mhz) {
    text_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  }
  ~TraceWriter() {
    text_ += "\n]}\n";
    flush();
  }
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  // To the nearest nanosecond. Splitting off whole microseconds keeps every product within 64 bits.
  Nanoseconds nanoseconds(Tick tick) const {
    const Tick rest = tick % tick_mhz_;
    return tick / tick_mhz_ * 1000 + (rest * 1000 + tick_mhz_ / 2) / tick_mhz_;
  }

  void process(Process process, std::string_view name) {
    event(R"({{"ph":"M","pid":{},"tid":0,"name":"process_name","args":{{"name":"{}"}}}})", id(process), name);
    event(R"({{"ph":"M","pid":{},"tid":0,"name":"process_sort_index","args":{{"sort_index":{}}}}})", id(process),
          id(process));
  }

  // A new track; tracks are shown in the order in which they are made.
  unsigned track(Process process, std::string_view name) {
    const unsigned tid = ++tracks_;
    event(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":{}}}}})", id(process), tid,
          quoted(name));
    event(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_sort_index","args":{{"sort_index":{}}}}})", id(process), tid,
          tid);
    return tid;
  }

  // `args` is the inside of a JSON object.
  void slice(Process process, unsigned tid, std::string_view name, Nanoseconds from, Nanoseconds to,
             std::string_view args) {
    event(R"({{"ph":"X","pid":{},"tid":{},"name":{},"ts":{},"dur":{},"args":{{{}}}}})", id(process), tid, quoted(name),
          microseconds(from), microseconds(to - from), args);
  }
  void flow(const FlowEnd& end, unsigned tid, Nanoseconds at) {
    event(R"({{"ph":"{}","pid":{},"tid":{},"name":"semaphore","cat":"semaphore","id":{},"ts":{}{}}})",
          end.leaves ? "s" : "f", id(Process::engines), tid, end.id, microseconds(at),
          end.leaves ? "" : R"(,"bp":"e")");
  }
  // Viewers show a counter's name and the key of its value together: "S[3] done".
  void counter(Process process, std::string_view name, std::string_view key, Tick at, std::uint64_t value) {
    event(R"({{"ph":"C","pid":{},"tid":0,"name":{},"ts":{},"args":{{{}:{}}}}})", id(process), quoted(name),
          microseconds(nanoseconds(at)), quoted(key), value);
  }
  void instant(unsigned tid, std::string_view name, Tick at, std::string_view args) {
    event(R"({{"ph":"i","s":"t","pid":{},"tid":{},"name":{},"ts":{},"args":{{{}}}}})", id(Process::engines), tid,
          quoted(name), microseconds(nanoseconds(at)), args);
  }

  std::string exact(Tick tick) const { return format_ns(tick, tick_mhz_); }
  static std::string quoted(std::string_view text) { return nlohmann::json(text).dump(); }

 private:
  static unsigned id(Process process) { return static_cast<unsigned>(process); }

  // The format's unit. Viewers read a double and cut it after multiplying by 1000, so a number whose product falls
  // short of the whole nanosecond (1.001 does) is written a ten-thousandth of a nanosecond higher: otherwise slices
  // that touch would overlap.
  static std::string microseconds(Nanoseconds ns) {
    std::string text = fmt::format("{}.{:03}", ns / 1000, ns % 1000);
    const double read = static_cast<double>(ns) / 1000.0;
    if (static_cast<Nanoseconds>(read * 1000.0) != ns) text += "0001";
    return text;
  }

  template <class... Args>
  void event(fmt::format_string<Args...> format, Args&&... args) {
    if (!first_) text_ += ",\n";
    first_ = false;
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    if (text_.size() > 1U << 16) flush();
  }
  void flush() {
    out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }

  std::ostream& out_;
  std::uint64_t tick_mhz_;
  std::string text_;
  bool first_ = true;
  unsigned tracks_ = 0;
};

// A track, and as many beside it as slices overlap: slices of one track either nest or do not touch in the format.
class Lanes {
 public:
  Lanes(TraceWriter& writer, Process process, std::string name)
      : writer_(writer), process_(process), name_(std::move(name)) {
    ends_.push_back({writer_.track(process_, name_), 0});
  }

  unsigned first() const { return ends_.front().tid; }
  // The first track that is free from `from` on. Starts must not decrease.
  unsigned place(Nanoseconds from, Nanoseconds to) {
    auto free = std::ranges::find_if(ends_, [&](const Lane& lane) { return lane.end <= from; });
    if (free == ends_.end()) {
      const std::string name = fmt::format("{} ({})", name_, ends_.size() + 1);
      free = ends_.insert(ends_.end(), Lane{writer_.track(process_, name), 0});
    }
    free->end = to;
    return free->tid;
  }

 private:
  struct Lane {
    unsigned tid;
    Nanoseconds end;
  };
  TraceWriter& writer_;
  Process process_;
  std::string name_;
  std::vector<Lane> ends_;
};

class Trace {
 public:
  Trace(std::ostream& out, const RunLog& log, const RunResult& result, const SemanticsOptions& semantics,
        const SemaphoreNames& names)
      : writer_(out, result.tick_mhz), log_(log), result_(result), semantics_(semantics), names_(names) {}

  void write() {
    find_flows();
    writer_.process(Process::engines, "engines");
    for (Engine engine : kEngines) write_engine(engine);
    writer_.process(Process::memory, "memory and bus");
    for (const RunLog::Resource* resource : log_.resources()) write_resource(*resource);
    writer_.process(Process::semaphores, "semaphores");
    write_semaphores();
    if (!log_.tile_uses().empty()) write_tiles();
  }

 private:
  void find_flows();
  void write_engine(Engine engine);
  void write_waits(Engine engine);
  void write_resource(const RunLog::Resource& resource);
  void write_semaphores();
  void write_tiles();

  TraceWriter writer_;
  const RunLog& log_;
  const RunResult& result_;
  const SemanticsOptions& semantics_;
  const SemaphoreNames& names_;
  std::vector<FlowEnd> flows_;  // by engine, then record
};

// One arrow per wait that had to wait: the last update of its semaphore until it held is the one that ended it.
void Trace::find_flows() {
  std::array<std::vector<const SemaphoreUpdateRecord*>, 256> updates;
  for (const SemaphoreUpdateRecord& update : log_.updates()) updates[update.semaphore].push_back(&update);

  std::size_t id = 0;
  for (const SemaphoreWaitRecord& wait : log_.waits()) {
    if (wait.at == wait.since) continue;
    const auto& history = updates[wait.semaphore];
    const auto after = std::ranges::upper_bound(history, wait.at, {}, &SemaphoreUpdateRecord::at);
    if (after == history.begin()) continue;
    const SemaphoreUpdateRecord& update = **std::prev(after);

    // A program counter comes again in a loop: the update is of its last instruction started by then, the wait of the
    // first one started from then on.
    const auto& updaters = log_.instructions()[update.engine];
    auto updater = std::ranges::upper_bound(updaters, update.at, {}, &InstructionRecord::start);
    while (updater != updaters.begin() && std::prev(updater)->pc != update.pc) --updater;
    const auto& waiters = log_.instructions()[wait.engine];
    auto waiter = std::ranges::lower_bound(waiters, wait.at, {}, &InstructionRecord::start);
    waiter = std::ranges::find(waiter, waiters.end(), wait.pc, &InstructionRecord::pc);
    // Either may still have been under way when the run ended.
    if (updater == updaters.begin() || waiter == waiters.end()) continue;

    ++id;
    flows_.push_back({update.engine, static_cast<std::size_t>(updater - updaters.begin()) - 1, id, true, update.at});
    flows_.push_back({wait.engine, static_cast<std::size_t>(waiter - waiters.begin()), id, false, waiter->start});
  }
  std::ranges::sort(flows_, {}, [](const FlowEnd& end) { return std::tuple(end.engine, end.record, end.id); });
}

void Trace::write_engine(Engine engine) {
  Lanes lanes(writer_, Process::engines, std::string(name_of(engine)));
  const auto& records = log_.instructions()[engine];
  auto flow = std::ranges::lower_bound(flows_, engine, {}, &FlowEnd::engine);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const InstructionRecord& record = records[i];
    const Nanoseconds from = writer_.nanoseconds(record.start);
    const Nanoseconds to = writer_.nanoseconds(record.stream_end);
    const unsigned tid = lanes.place(from, to);
    writer_.slice(Process::engines, tid, mnemonic_of(record.opcode, semantics_, record.variant), from, to,
                  fmt::format(R"("line":{},"pc":"0x{:x}","start_ns":{},"end_ns":{},"stream_cycles":{},"elements":{},)"
                              R"("performance_mode":"{}")",
                              record.line, record.pc, writer_.exact(record.start), writer_.exact(record.end),
                              record.stream_cycles, record.elements, name_of(record.mode)));
    // An update takes effect after the busy time; its arrow leaves from the slice's last nanosecond, as at its end it
    // would be taken for that of a slice that follows at once.
    const Nanoseconds last = to > from ? to - 1 : from;
    for (; flow != flows_.end() && flow->engine == engine && flow->record == i; ++flow) {
      writer_.flow(*flow, tid, std::clamp(writer_.nanoseconds(flow->at), from, last));
    }
  }
  for (const Fault& fault : result_.faults) {
    if (fault.engine != engine) continue;
    writer_.instant(lanes.first(), fmt::format("fault {}", fault.violation.rule), fault.at,
                    fmt::format(R"("line":{},"pc":"0x{:x}","field":{},"value":{},"allowed":{})", fault.line, fault.pc,
                                TraceWriter::quoted(fault.violation.field), TraceWriter::quoted(fault.violation.value),
                                TraceWriter::quoted(fault.violation.allowed)));
  }
  write_waits(engine);
}

// From the moment an instruction is the oldest of its engine until it starts, named after what it mostly waits for.
void Trace::write_waits(Engine engine) {
  Lanes lanes(writer_, Process::engines, fmt::format("{} waits", name_of(engine)));
  for (const InstructionRecord& record : log_.instructions()[engine]) {
    if (record.ready == record.start) continue;
    const Nanoseconds from = writer_.nanoseconds(record.ready);
    const Nanoseconds to = writer_.nanoseconds(record.start);
    const StallCause cause = record.wait_semaphore >= record.stall ? StallCause::semaphore : record.stall_cause;
    writer_.slice(Process::engines, lanes.place(from, to), name_of(cause), from, to,
                  fmt::format(R"("line":{},"pc":"0x{:x}","wait_semaphore_ns":{},"stall_ns":{},"stall_cause":"{}")",
                              record.line, record.pc, writer_.exact(record.wait_semaphore), writer_.exact(record.stall),
                              record.stall == 0 ? "none" : name_of(record.stall_cause)));
  }
}

void Trace::write_resource(const RunLog::Resource& resource) {
  std::vector<RunLog::ResourceUse> uses = resource.uses;
  std::ranges::sort(uses, {},
                    [](const RunLog::ResourceUse& use) { return std::tuple(use.from, use.to, use.engine, use.pc); });
  Lanes lanes(writer_, Process::memory, resource.name);
  for (const RunLog::ResourceUse& use : uses) {
    const Nanoseconds from = writer_.nanoseconds(use.from);
    const Nanoseconds to = writer_.nanoseconds(use.to);
    writer_.slice(Process::memory, lanes.place(from, to), name_of(use.engine), from, to,
                  fmt::format(R"("pc":"0x{:x}","start_ns":{},"end_ns":{})", use.pc, writer_.exact(use.from),
                              writer_.exact(use.to)));
  }
}

void Trace::write_semaphores() {
  std::vector<const SemaphoreUpdateRecord*> updates;
  for (const SemaphoreUpdateRecord& update : log_.updates()) updates.push_back(&update);
  std::ranges::stable_sort(updates, {}, &SemaphoreUpdateRecord::semaphore);
  const SemaphoreUpdateRecord* previous = nullptr;
  std::string name, key;
  for (const SemaphoreUpdateRecord* update : updates) {
    if (previous == nullptr || previous->semaphore != update->semaphore) {
      name = fmt::format("S[{}]", update->semaphore);
      const auto named = names_.find(update->semaphore);
      key = named == names_.end() ? "value" : named->second;
      if (update->at != 0) writer_.counter(Process::semaphores, name, key, 0, update->before);
    }
    writer_.counter(Process::semaphores, name, key, update->at, update->after);
    previous = update;
  }
}

// A counter per hand that is used, and one of the storage.
void Trace::write_tiles() {
  writer_.process(Process::tiles, "tiles");
  const auto series = [&](std::string_view name, std::string_view key, auto value) {
    std::uint64_t previous = 0;
    bool written = false;
    for (const TileUseRecord& record : log_.tile_uses()) {
      const std::uint64_t now = value(record.use);
      if (now == previous) continue;
      if (!written && record.at != 0) writer_.counter(Process::tiles, name, key, 0, 0);
      written = true;
      writer_.counter(Process::tiles, name, key, record.at, now);
      previous = now;
    }
  };
  series("storage", "bytes", [](const tile::Use& use) { return use.bytes; });
  for (std::size_t hand = 0; hand < tile::kHandNames.size(); ++hand) {
    series(fmt::format("hand {}", tile::kHandNames[hand]), "registers",
           [&](const tile::Use& use) { return use.registers[hand]; });
  }
}

}  // namespace

void write_trace(std::ostream& out, const RunLog& log, const RunResult& result, const SemanticsOptions& semantics,
                 const SemaphoreNames& names) {
  Trace(out, log, result, semantics, names).write();
}

}  // namespace tpb
