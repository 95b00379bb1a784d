// Which engine runs a call: the one asked for, if the intrinsic may run there, or what `unknown` picks.
#pragma once

#include "models/nki/validators.h"

namespace tpb::nki {

// Throws an Error when the engine that was asked for never runs the intrinsic. `call.engine` is not read.
Engine choose_engine(const CallView& call);

// The largest square that the vector engine transposes.
inline constexpr std::uint32_t kVectorTranspose = 32;

}  // namespace tpb::nki
