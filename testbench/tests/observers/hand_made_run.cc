#include "testbench/tests/observers/hand_made_run.h"

namespace tpb {
namespace {

InstructionRecord record(Engine engine, std::uint8_t opcode, std::uint32_t pc, std::uint32_t line) {
  InstructionRecord record;
  record.engine = engine;
  record.opcode = opcode;
  record.pc = pc;
  record.line = line;
  return record;
}

}  // namespace

HandMadeRun::HandMadeRun(RunLog::Detail detail) : log(detail) {
  InstructionRecord pool = record(Engine::pool, 0x45, 0x00, 3);
  pool.stream_cycles = 64;  // 150 cycles of start and 64 of streaming are 214, 856 ticks
  pool.elements = 64 * 128;
  pool.stream_end = 856;
  pool.end = 1256;  // 100 cycles later
  InstructionRecord halt = record(Engine::pool, 0xA1, 0x40, 4);
  halt.ready = 0;
  halt.start = halt.stream_end = halt.end = 856;
  halt.stall = 856;
  halt.stall_cause = StallCause::issue;
  InstructionRecord add = record(Engine::dve, 0x41, 0x00, 6);
  add.stream_cycles = 64;
  add.elements = 32 * 128;
  add.start = 1260;       // the first DVE edge not before 1256
  add.stream_end = 1580;  // 64 cycles of 5 ticks
  add.end = 2300;         // 144 more
  add.wait_semaphore = 1256;
  add.stall = 4;
  add.stall_cause = StallCause::issue;
  InstructionRecord copy = record(Engine::dve, 0x46, 0x40, 7);
  copy.stream_cycles = 64;
  copy.elements = 64 * 128;
  copy.mode = PerformanceMode::x2;
  copy.ready = 1260;
  copy.start = 1580;
  copy.stream_end = 1900;
  copy.end = 2620;
  copy.stall = 320;
  copy.stall_cause = StallCause::dependency;
  const InstructionRecord nop = record(Engine::pe, 0xA4, 0x00, 9);

  // Engines retire on their own: a run reports them in the order of their completions.
  for (const InstructionRecord& each : {nop, pool, halt, add, copy}) log.retired(each);
  log.semaphore_updated({1256, 3, 0, 1, Engine::pool, 0x00});
  log.semaphore_updated({2620, 3, 1, 0, Engine::dve, 0x40});
  log.semaphore_waited({0, 1256, 3, Engine::dve, 0x00});
  log.semaphore_waited({1300, 1300, 3, Engine::dve, 0x40});  // held at once: no arrow
  log.resource_used({"sbuf[dve,pool]", Engine::pool, 0x00, 600, 856});
  log.resource_used({"psum bank 1", Engine::dve, 0x00, 1260, 1580});
  log.resource_used({"psum bank 1", Engine::dve, 0x40, 1570, 1900});  // shares the bank for 10 ticks

  result.end = RunEnd::done;
  result.elapsed = 2800;
  result.tick_mhz = 5600;
  result.clock_mhz[Engine::pe] = 2800;
  result.clock_mhz[Engine::act] = 1400;
  result.clock_mhz[Engine::dve] = 1120;
  result.clock_mhz[Engine::pool] = 1400;
  result.clock_mhz[Engine::sfu] = 1400;
  const auto totals = [&](Engine engine, std::uint64_t instructions, std::uint64_t elements,
                          Tick busy) -> EngineTotals& {
    EngineTotals& own = result.engines[engine];
    own.instructions = instructions;
    own.elements = elements;
    own.busy = busy;
    return own;
  };
  const auto at = [](StallCause cause) { return static_cast<std::size_t>(cause); };
  totals(Engine::pool, 2, 8192, 856).stall[at(StallCause::idle)] = 2800 - 856;
  EngineTotals& dve = totals(Engine::dve, 2, 12288, 640);  // 1260..1900
  dve.stall[at(StallCause::semaphore)] = 1256;
  dve.stall[at(StallCause::issue)] = 4;
  dve.stall[at(StallCause::idle)] = 900;  // 2800 - 1900
  totals(Engine::pe, 1, 0, 0).stall[at(StallCause::idle)] = 2800;
  totals(Engine::act, 0, 0, 0).stall[at(StallCause::idle)] = 2800;
  totals(Engine::sfu, 0, 0, 0).stall[at(StallCause::idle)] = 2800;
  result.sbuf = {4096, 2048, 28};
  result.psum_bank_busy = {0, 640, 0, 0, 0, 0, 0, 0};
  result.host_seconds = 0.5;
  result.activations = 10;
}

}  // namespace tpb
