// Waits and updates of program text, and how any number of them on a line become bundles and back.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/isa/layout.h"
#include "models/program/lexer.h"
#include "models/program/symbols.h"

namespace tpb {

// A wait or an update as a frame holds it.
struct Event {
  std::uint8_t mode = 0;
  std::uint8_t semaphore = 0;
  std::uint32_t value = 0;
  bool has_value = false;  // increment and decrement have none
};

// The bundles of one instruction, with the waits and updates of its line in text order.
struct Synchronised {
  std::vector<Bundle> instruction;  // without events
  std::vector<Event> waits;
  std::vector<Event> updates;
};

// Whether S[ follows.
bool at_event(const Cursor& cursor);
// Reads S[i] and what follows into waits or updates. Throws Problem.
void read_event(Cursor& cursor, Engine engine, const Symbols& symbols, Synchronised& line);

// The first wait goes into the instruction's first bundle and the first update into its last; further waits, and a wait
// whose value clashes with the update's in one bundle, into event_semaphore bundles before it, further updates into
// ones after it.
std::vector<Bundle> expand(const Synchronised& line);

// The inverse of expand for the bundles of one line; nothing when they are no such line.
std::optional<Synchronised> fold(std::span<const Bundle> bundles);

// "S[done]>=1  S[4]++" for those waits and updates; nothing when a mode has no text.
std::optional<std::string> event_text(const Synchronised& line, const Symbols& symbols);

}  // namespace tpb
