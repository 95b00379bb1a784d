// What a run is for: values and time, time alone, or values alone.
#pragma once

#include <cstdint>

namespace tpb {

enum class RunMode : std::uint8_t { full, timing_only, functional_only };

}  // namespace tpb
