#include "testbench/observers/progress.h"

#include <fmt/format.h>

#include <ostream>

#include "testbench/platform/platform.h"

namespace tpb {
namespace {

constexpr std::string_view kWipe = "\r\x1b[K";  // to the beginning of the line, and erase it

}  // namespace

Progress::Progress(std::ostream& out, std::uint64_t tick_mhz, Clock::duration interval, std::uint64_t every)
    : out_(out), tick_mhz_(tick_mhz), interval_(interval), every_(every), next_(Clock::now() + 2 * interval) {}

Progress::~Progress() {
  if (shown_) out_ << kWipe << std::flush;
}

void Progress::show(Tick now) {
  const Clock::time_point time = Clock::now();
  if (time < next_) return;
  next_ = time + interval_;
  shown_ = true;
  out_ << fmt::format("{}{} instructions, {} ns", kWipe, instructions_, format_ns(now, tick_mhz_)) << std::flush;
}

}  // namespace tpb
