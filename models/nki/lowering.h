// Nodes to bundles: the layouts of models/isa, packed directly.
#pragma once

#include <string_view>
#include <vector>

#include "models/config/config.h"
#include "models/nki/ir.h"

namespace tpb::nki {

// Bundles that are one line of program text: what they wait for comes before the first, what waits for them waits for
// the last.
using Group = std::vector<Instruction>;

// Throws an Error when an operation has no such form: too many dimensions, a number that the bundle cannot hold, an
// operation without a code here. `instruction`: who asks, for the message.
std::vector<Group> lower(const ir::Node& node, std::string_view instruction, const Config& config);

}  // namespace tpb::nki
