#include "tlm/resources.h"

#include <algorithm>

namespace tpb {
namespace {

std::string with_engines(const std::string& what, const EngineSet& engines) {
  std::string text = what + "[";
  for (Engine engine : kEngines) {
    if (!engines.contains(engine)) continue;
    if (text.back() != '[') text += ',';
    text += name_of(engine);
  }
  return text + "]";
}

}  // namespace

ResourceId ResourceTable::add(Resource resource) {
  resources_.push_back(std::move(resource));
  return static_cast<ResourceId>(resources_.size() - 1);
}

PerEngine<ResourceId> ResourceTable::add_ports(const std::string& memory, StallCause cause,
                                               const std::vector<EngineSet>& groups, const ShareConfig& share) {
  PerEngine<ResourceId> ports{};
  EngineSet grouped;
  for (const EngineSet& group : groups) {
    const ResourceId port = add({with_engines(memory, group), cause, true, share.policy, share.rows_per_cycle});
    for (Engine engine : kEngines) {
      if (!group.contains(engine)) continue;
      grouped.insert(engine);
      ports[engine] = port;
    }
  }
  // An engine in no group has a port of its own; a configured width still limits it.
  for (Engine engine : kEngines) {
    if (grouped.contains(engine)) continue;
    ports[engine] =
        add({with_engines(memory, {engine}), cause, share.rows_per_cycle != 0,
             share.policy == SharePolicy::exclusive ? SharePolicy::fair : share.policy, share.rows_per_cycle});
  }
  return ports;
}

void ResourceTable::reset(const Config& config) {
  resources_.clear();
  for (Engine engine : kEngines) clock_mhz_[engine] = config.engines[engine].clock_mhz;
  sbuf_port_ = add_ports("sbuf", StallCause::sbuf, config.sbuf_groups, config.sbuf_share);
  psum_port_ = add_ports("psum", StallCause::psum, config.psum_groups, config.psum_share);
  first_bank_ = static_cast<std::uint32_t>(resources_.size());
  banks_ = config.memory.psum_banks;
  for (std::uint32_t bank = 0; bank < banks_; ++bank) {
    add({"psum bank " + std::to_string(bank), StallCause::psum, config.psum_banks_shared, config.psum_share.policy,
         config.psum_share.rows_per_cycle});
  }
  has_bus_ = config.bus_shared;
  if (has_bus_) {
    bus_ = add({with_engines("bus", {Engine::dve, Engine::pool}), StallCause::bus, true, config.bus_share.policy,
                config.bus_share.rows_per_cycle});
  }
}

std::uint32_t ResourceTable::demand(ResourceId id, Engine engine, std::uint64_t rows, std::uint64_t cycles) const {
  if (cycles == 0) return 0;
  const std::uint32_t capacity = (*this)[id].rows_per_cycle;
  auto share = static_cast<Wide>(kWholeResource) * rows;
  Wide whole = cycles;
  if (capacity != 0) {
    // rows / cycles of the engine's clock over capacity rows per cycle of the PE's.
    share *= clock_mhz_[engine];
    whole *= static_cast<Wide>(capacity) * clock_mhz_[Engine::pe];
  }
  return static_cast<std::uint32_t>(std::min<Wide>(share / whole, kMaxDemand));
}

}  // namespace tpb
