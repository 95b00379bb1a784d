// The core: instantiates and binds the units, and resets them as one.
#pragma once

#include <memory>
#include <vector>

#include "models/units/engine/execution_unit.h"
#include "models/units/host_port/host_port.h"
#include "models/units/instruction_memory/instruction_memory.h"
#include "models/units/memory/row_memory.h"
#include "models/units/semaphores/semaphore_unit.h"
#include "models/units/sequencer/sequencer.h"
#include "models/units/sfu/tile_engine.h"
#include "tlm/arbiter.h"
#include "tlm/resources.h"
#include "tlm/timeline.h"

namespace tpb {

class NeuronCore : public sc_core::sc_module {
 public:
  explicit NeuronCore(const sc_core::sc_module_name& name);

  // Every unit back to its state before the first instruction.
  void reset(const Config& config);
  void set_mode(RunMode mode);
  // Who watches from now on; the vector must outlive the run.
  void observe(const std::vector<Observer*>* observers);

  tlm_utils::simple_target_socket<HostPort>& host() { return host_.socket; }
  Agenda& agenda() { return agenda_; }
  SemaphoreUnit& semaphores() { return semaphores_; }
  Arbiter& arbiter() { return *arbiter_; }
  const ResourceTable& resources() const { return resources_; }
  RowMemory& sbuf() { return sbuf_; }
  RowMemory& psum() { return psum_; }
  Sequencer& sequencer(Engine engine) { return *sequencers_[engine]; }
  ExecutionUnit& engine(Engine engine) { return *engines_[engine]; }
  TileEngine& sfu() { return *sfu_; }

 private:
  void ring(std::uint32_t engines);

  ResourceTable resources_;
  Agenda agenda_;
  std::unique_ptr<Arbiter> arbiter_;
  SemaphoreUnit semaphores_;
  RowMemory sbuf_;
  RowMemory psum_;
  InstructionMemory instructions_;
  HostPort host_;
  PerEngine<std::unique_ptr<Sequencer>> sequencers_;
  PerEngine<std::unique_ptr<ExecutionUnit>> engines_;
  TileEngine* sfu_ = nullptr;  // the one of engines_
};

}  // namespace tpb
