// Simulated time as the model counts it, and the reasons an engine can have for not being busy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "models/isa/engine.h"

namespace tpb {

// Whole ticks of the least common multiple of the core's clocks, relative to the start of the run.
using Tick = std::uint64_t;
inline constexpr Tick kNever = ~Tick{0};
// For products of a time and a frequency.
__extension__ using Wide = unsigned __int128;

// Why an engine is not busy. `idle`: nothing left in its stream; `fault`: stopped by one.
enum class StallCause : std::uint8_t { issue, semaphore, dependency, sbuf, psum, bus, sfu, fault, idle };
inline constexpr std::size_t kStallCauses = 9;
std::string_view name_of(StallCause cause);

// The least common multiple of the clocks, in MHz; 0 when it exceeds 10^9 MHz.
std::uint64_t tick_frequency_mhz(const PerEngine<std::uint32_t>& clock_mhz);

}  // namespace tpb
