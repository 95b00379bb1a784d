// Dispatch and completion: a TLM-2.0 protocol whose payload is a decoded, typed instruction. Sequencer to engine:
// BEGIN_REQ, accepted or refused. Engine to sequencer: SLOT_FREE when it started, COMPLETED when its results are known
// to become visible, at the annotated time. An instruction that its engine has yet to judge, `confirm`, is alone with
// it: STARTED lets the sequencer go on, FAULTED stops it.
#pragma once

#include <cstdint>
#include <tlm>

#include "models/isa/instruction.h"
#include "models/isa/legality.h"
#include "models/timing/cost.h"
#include "models/timing/tick.h"

namespace tpb {

struct Dispatch {
  Instruction instruction;
  Operands operands;
  Cost cost;
  std::uint32_t pc = 0;
  std::uint32_t line = 0;
  bool control = false;                  // no operands, no cost: passes the engine without its pipeline
  bool confirm = false;                  // legal so far; the rest depends on the state of the engine
  std::uint8_t variant = 0;              // what tells instructions of one opcode apart, where text has names for them
  const Violation* violation = nullptr;  // with FAULTED
  std::uint64_t elements = 0;            // N x partitions
  std::uint64_t tiles_written = 0;       // tile registers that have a new tile, a bit each
  // What the sequencer saw, for the books.
  Tick wait_begin = 0;             // when the semaphore wait was first evaluated
  Tick wait_end = 0;               // when it held, semaphore_wait_cycles included
  std::uint32_t update_value = 0;  // of the frame, or the register it names
};

struct DispatchProtocol {
  using tlm_payload_type = Dispatch;
  using tlm_phase_type = ::tlm::tlm_phase;
};

DECLARE_EXTENDED_PHASE(DISPATCH_REFUSED);
DECLARE_EXTENDED_PHASE(SLOT_FREE);
DECLARE_EXTENDED_PHASE(COMPLETED);
DECLARE_EXTENDED_PHASE(STARTED);
DECLARE_EXTENDED_PHASE(FAULTED);

}  // namespace tpb
