// What an instruction costs when nothing else runs: cycles of its engine's clock, from the documented rules.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/isa/instruction.h"

namespace tpb {

enum class PerformanceMode : std::uint8_t { none, x2, x4 };
std::string_view name_of(PerformanceMode mode);  // "none", "2x", "4x", the profiler's words

// Per engine, from engines.<name>.* of the configuration; cycles of that engine's clock.
struct EngineTiming {
  std::uint32_t clock_mhz = 1400;
  std::uint32_t min_ii = 64;      // smallest interval between independent instructions
  std::uint32_t start = 0;        // before streaming, part of busy time but not of stream_cycles
  std::uint32_t overhead = 0;     // from the end of streaming until results are visible
  std::uint32_t queue_depth = 1;  // instructions dispatched and not yet started
  bool operator==(const EngineTiming&) const = default;
};

struct Cost {
  std::uint32_t start = 0;
  std::uint32_t stream = 0;    // shown as stream_cycles; never floored
  std::uint32_t interval = 0;  // to an independent successor, uncontended: max(floor, start + stream)
  std::uint32_t overhead = 0;
  PerformanceMode mode = PerformanceMode::none;
  std::uint64_t latency() const { return std::uint64_t{start} + stream + overhead; }
};

// What the rules ask besides the instruction itself.
struct CostContext {
  Generation generation = Generation::cayman;
  Engine engine = Engine::pool;
  EngineTiming timing;
  MemoryMap memory;
  SemanticsOptions semantics;
};

// The cost of a legal instruction whose operand addresses are immediate. N, the measure of all rows, is
// operands.elements_per_partition(). Counts past 2^32 - 1 cycles stay there: more than three seconds of one
// instruction, which only a broadcast step of zero can spell. Never allocates.
Cost cost_of(const Instruction& instruction, const Operands& operands, const CostContext& context);

}  // namespace tpb
