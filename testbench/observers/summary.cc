#include "testbench/observers/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "testbench/observers/instruction_table.h"

namespace tpb {
namespace {

struct Column {
  std::string title;
  std::vector<std::string> cells;
};

// The first column to the left, numbers to the right.
std::string aligned(const std::vector<Column>& columns) {
  const std::size_t rows = columns.front().cells.size();
  std::vector<std::size_t> widths;
  for (const Column& column : columns) {
    std::size_t width = column.title.size();
    for (const std::string& cell : column.cells) width = std::max(width, cell.size());
    widths.push_back(width);
  }
  std::string text;
  for (std::size_t row = 0; row <= rows; ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string& cell = row == 0 ? columns[i].title : columns[i].cells[row - 1];
      text += i == 0 ? fmt::format("{:<{}}", cell, widths[i]) : fmt::format("  {:>{}}", cell, widths[i]);
    }
    text += '\n';
  }
  return text;
}

std::string percent(Tick part, Tick whole) {
  return fmt::format("{:.1f}", whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

std::string run_table(const RunResult& result) {
  std::vector<Engine> shown;
  std::uint64_t instructions = 0;
  for (Engine engine : kEngines) {
    const EngineTotals& totals = result.engines[engine];
    const bool stopped = totals.stall[static_cast<std::size_t>(StallCause::fault)] != 0;
    const bool waited = totals.stall[static_cast<std::size_t>(StallCause::semaphore)] != 0;
    if (totals.instructions != 0 || stopped || waited) shown.push_back(engine);
    instructions += totals.instructions;
  }
  std::string text = fmt::format("time {} ns, {} instruction{}\n", format_ns(result.elapsed, result.tick_mhz),
                                 instructions, instructions == 1 ? "" : "s");
  if (shown.empty()) return text;

  std::vector<Column> columns{{"engine", {}}, {"instructions", {}}, {"elements/cycle", {}}, {"active %", {}}};
  for (Engine engine : shown) {
    const EngineTotals& totals = result.engines[engine];
    const std::uint64_t cycles = cycles_of(totals.busy, result.clock_mhz[engine], result.tick_mhz);
    columns[0].cells.emplace_back(name_of(engine));
    columns[1].cells.push_back(fmt::format("{}", totals.instructions));
    columns[2].cells.push_back(
        fmt::format("{:.1f}", cycles == 0 ? 0.0 : static_cast<double>(totals.elements) / static_cast<double>(cycles)));
    columns[3].cells.push_back(percent(totals.busy, result.elapsed));
  }
  for (std::size_t cause = 0; cause < kStallCauses; ++cause) {
    const auto has_cause = [&](Engine engine) { return result.engines[engine].stall[cause] != 0; };
    if (std::ranges::none_of(shown, has_cause)) continue;
    Column& column = columns.emplace_back(Column{fmt::format("{} %", name_of(static_cast<StallCause>(cause))), {}});
    for (Engine engine : shown) column.cells.push_back(percent(result.engines[engine].stall[cause], result.elapsed));
  }
  return text + aligned(columns);
}

std::string fault_line(Engine engine, std::uint32_t pc, std::uint32_t line, const Violation& violation) {
  return fmt::format("fault: {} pc=0x{:x} line={} rule={} field={} value={} allowed={}", name_of(engine), pc, line,
                     violation.rule, violation.field, violation.value, violation.allowed);
}

std::string warning_line(const Warning& warning) {
  return fmt::format("warning: {} pc=0x{:x} line={}: {}", name_of(warning.engine), warning.pc, warning.line,
                     warning.text);
}

std::string semaphore_label(std::uint8_t semaphore, const SemaphoreNames& names) {
  const auto named = names.find(semaphore);
  return named == names.end() ? fmt::format("S[{}]", semaphore) : fmt::format("S[{}] ({})", semaphore, named->second);
}

std::string blocked_line(const BlockedWait& wait, const SemaphoreNames& names) {
  return fmt::format("deadlock: {} pc=0x{:x} line={} waits for {} {}, which is {}; {}", name_of(wait.engine), wait.pc,
                     wait.line, semaphore_label(wait.semaphore, names), wait.condition, wait.present_value,
                     wait.could_update.empty()
                         ? "no instruction updates it any more"
                         : fmt::format("could still be updated by {}", fmt::join(wait.could_update, ", ")));
}

}  // namespace tpb
