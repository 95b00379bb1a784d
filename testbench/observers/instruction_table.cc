#include "testbench/observers/instruction_table.h"

#include <array>
#include <charconv>
#include <ostream>

#include "models/program/tile_text.h"

namespace tpb {
namespace {

// Rows are gathered in one buffer: formatting through the stream costs several times the digits themselves.
class Row {
 public:
  explicit Row(std::ostream& out) : out_(out) { buffer_.reserve(kFlushAt + 512); }
  ~Row() { flush(); }

  Row& number(std::uint64_t value) {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return text({digits.data(), end});
  }
  Row& text(std::string_view value) {
    if (!first_) buffer_ += ',';
    first_ = false;
    buffer_ += value;
    return *this;
  }
  Row& opcode(std::uint8_t code) {
    static constexpr std::string_view kHex = "0123456789abcdef";
    return text(std::array{'0', 'x', kHex[code >> 4], kHex[code & 15]});
  }
  void end() {
    buffer_ += '\n';
    first_ = true;
    if (buffer_.size() > kFlushAt) flush();
  }

 private:
  static constexpr std::size_t kFlushAt = 1U << 16;
  Row& text(const std::array<char, 4>& value) { return text(std::string_view(value.data(), value.size())); }
  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

  std::ostream& out_;
  std::string buffer_;
  bool first_ = true;
};

constexpr std::array<std::string_view, 16> kColumns{"index",
                                                    "engine",
                                                    "pc",
                                                    "line",
                                                    "opcode",
                                                    "mnemonic",
                                                    "ready_ns",
                                                    "start_ns",
                                                    "end_ns",
                                                    "stream_cycles",
                                                    "duration_cycles",
                                                    "wait_semaphore_ns",
                                                    "stall_ns",
                                                    "stall_cause",
                                                    "elements",
                                                    "performance_mode"};

}  // namespace

std::string_view mnemonic_of(std::uint8_t wire_opcode, const SemanticsOptions& semantics, std::uint8_t variant) {
  const OpcodeInfo* info = find_opcode(role_of(wire_opcode, semantics));
  if (info == nullptr) return "unknown";
  if (info->layout == Layout::tile && variant != 0) {
    if (const std::string_view name = tile_name_of(variant); !name.empty()) return name;
  }
  return info->mnemonic.empty() ? info->name : info->mnemonic;
}

std::uint64_t cycles_of(Tick span, std::uint32_t clock_mhz, std::uint64_t tick_mhz) {
  const std::uint64_t ticks_per_cycle = tick_mhz / clock_mhz;
  return (span + ticks_per_cycle - 1) / ticks_per_cycle;
}

void write_instruction_table(std::ostream& out, const RunLog& log, const RunResult& result,
                             const SemanticsOptions& semantics) {
  Row row(out);
  for (std::string_view column : kColumns) row.text(column);
  row.end();

  const auto& streams = log.instructions();
  PerEngine<std::size_t> next{};
  for (std::uint64_t index = 0;; ++index) {
    // The earliest start; engine order decides between equals because a later engine must be strictly earlier.
    const InstructionRecord* first = nullptr;
    for (Engine engine : kEngines) {
      if (next[engine] == streams[engine].size()) continue;
      const InstructionRecord& candidate = streams[engine][next[engine]];
      if (first == nullptr || candidate.start < first->start) first = &candidate;
    }
    if (first == nullptr) return;
    const InstructionRecord& record = *first;
    ++next[record.engine];

    const auto ns = [&](Tick ticks) { row.text(format_ns(ticks, result.tick_mhz)); };
    row.number(index).text(name_of(record.engine)).number(record.pc).number(record.line).opcode(record.opcode);
    row.text(mnemonic_of(record.opcode, semantics, record.variant));
    ns(record.ready);
    ns(record.start);
    ns(record.end);
    row.number(record.stream_cycles);
    row.number(cycles_of(record.end - record.start, result.clock_mhz[record.engine], result.tick_mhz));
    ns(record.wait_semaphore);
    ns(record.stall);
    row.text(record.stall == 0 ? "none" : name_of(record.stall_cause));
    row.number(record.elements).text(name_of(record.mode)).end();
  }
}

}  // namespace tpb
