// Remembers what a run reports, for the writers of this folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/engine.h"
#include "tlm/record.h"

namespace tpb {

class RunLog : public Observer {
 public:
  enum class Detail : std::uint8_t {
    instructions,  // what the instruction table needs
    everything,    // semaphores and resources too: what the trace needs
  };
  explicit RunLog(Detail detail) : detail_(detail) {}

  struct ResourceUse {
    Engine engine = Engine::pe;
    std::uint32_t pc = 0;
    Tick from = 0;
    Tick to = 0;
  };
  struct Resource {
    std::string name;
    std::vector<ResourceUse> uses;  // in the order they were reported
  };

  void retired(const InstructionRecord& record) override { instructions_[record.engine].push_back(record); }
  void semaphore_updated(const SemaphoreUpdateRecord& record) override;
  void semaphore_waited(const SemaphoreWaitRecord& record) override;
  void resource_used(const ResourceUseRecord& record) override;
  void tiles_used(const TileUseRecord& record) override;

  // By engine, in program order, which is the order of their starts.
  const PerEngine<std::vector<InstructionRecord>>& instructions() const { return instructions_; }
  // Of each semaphore in time order.
  const std::vector<SemaphoreUpdateRecord>& updates() const { return updates_; }
  const std::vector<SemaphoreWaitRecord>& waits() const { return waits_; }
  // In time order.
  const std::vector<TileUseRecord>& tile_uses() const { return tile_uses_; }
  // By name.
  std::vector<const Resource*> resources() const;

 private:
  Detail detail_;
  PerEngine<std::vector<InstructionRecord>> instructions_;
  std::vector<SemaphoreUpdateRecord> updates_;
  std::vector<SemaphoreWaitRecord> waits_;
  std::vector<Resource> resources_;
  std::vector<TileUseRecord> tile_uses_;
};

}  // namespace tpb
