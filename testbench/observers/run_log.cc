#include "testbench/observers/run_log.h"

#include <algorithm>

namespace tpb {

void RunLog::semaphore_updated(const SemaphoreUpdateRecord& record) {
  if (detail_ == Detail::everything) updates_.push_back(record);
}

void RunLog::semaphore_waited(const SemaphoreWaitRecord& record) {
  if (detail_ == Detail::everything) waits_.push_back(record);
}

void RunLog::resource_used(const ResourceUseRecord& record) {
  if (detail_ != Detail::everything) return;
  // A core has a handful of resources.
  auto found = std::ranges::find(resources_, record.resource, &Resource::name);
  if (found == resources_.end()) {
    resources_.push_back({std::string(record.resource), {}});
    found = resources_.end() - 1;
  }
  found->uses.push_back({record.engine, record.pc, record.from, record.to});
}

void RunLog::tiles_used(const TileUseRecord& record) {
  if (detail_ == Detail::everything) tile_uses_.push_back(record);
}

std::vector<const RunLog::Resource*> RunLog::resources() const {
  std::vector<const Resource*> sorted;
  for (const Resource& resource : resources_) sorted.push_back(&resource);
  std::ranges::sort(sorted, {}, [](const Resource* resource) -> const std::string& { return resource->name; });
  return sorted;
}

}  // namespace tpb
