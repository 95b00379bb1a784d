// What streams share: ports of SBUF and PSUM, PSUM banks, the bus of DVE and Pool. Built from the configuration at
// reset.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/timing/tick.h"

namespace tpb {

enum class ResourceId : std::uint8_t {};

// Demands and capacities are fixed point: kWholeResource is the full capacity of a resource.
inline constexpr std::uint32_t kWholeResource = 1U << 16;
inline constexpr std::uint32_t kMaxDemand = kWholeResource * 1024U;

struct Resource {
  std::string name;     // "sbuf[dve,pool]", "psum bank 3", "bus[dve,pool]"
  StallCause cause;     // what an instruction that waits for it is stalled by
  bool shared = false;  // false: only watched, never waited for
  SharePolicy policy = SharePolicy::fair;
  std::uint32_t rows_per_cycle = 0;  // of the PE clock; 0: never limits one user alone
};

class ResourceTable {
 public:
  void reset(const Config& config);

  std::span<const Resource> all() const { return resources_; }
  const Resource& operator[](ResourceId id) const { return resources_[static_cast<std::size_t>(id)]; }
  ResourceId sbuf_port(Engine engine) const { return sbuf_port_[engine]; }
  ResourceId psum_port(Engine engine) const { return psum_port_[engine]; }
  ResourceId psum_bank(std::uint32_t bank) const { return static_cast<ResourceId>(first_bank_ + bank); }
  std::uint32_t psum_banks() const { return banks_; }
  bool has_bus() const { return has_bus_; }
  ResourceId bus() const { return bus_; }

  // The share of a resource that a stream of `rows` rows over `cycles` cycles of its engine takes at full rate, and the
  // most that one instruction may take: a resource of unstated capacity never limits one user alone.
  std::uint32_t demand_limit(ResourceId id) const {
    return (*this)[id].rows_per_cycle == 0 ? kWholeResource : kMaxDemand;
  }
  std::uint32_t demand(ResourceId id, Engine engine, std::uint64_t rows, std::uint64_t cycles) const;

 private:
  ResourceId add(Resource resource);
  PerEngine<ResourceId> add_ports(const std::string& memory, StallCause cause, const std::vector<EngineSet>& groups,
                                  const ShareConfig& share);

  std::vector<Resource> resources_;
  PerEngine<ResourceId> sbuf_port_{}, psum_port_{};
  PerEngine<std::uint32_t> clock_mhz_{};
  std::uint32_t first_bank_ = 0;
  std::uint32_t banks_ = 0;
  bool has_bus_ = false;
  ResourceId bus_{};
};

// The resources that one instruction's operands use; no allocation. Reads and writes of a resource go side by side:
// reads add up, writes add up, the larger sum is the demand.
struct ResourceUse {
  ResourceId id{};
  std::uint32_t demand = 0;
  std::uint32_t read = 0;
  std::uint32_t written = 0;
};
class ResourceUses {
 public:
  void add(ResourceId id, std::uint32_t amount, bool write, std::uint32_t limit) {
    unsigned i = 0;
    while (i < count_ && uses_[i].id != id) ++i;
    if (i == count_) uses_.at(count_++) = {.id = id};
    ResourceUse& use = uses_[i];
    (write ? use.written : use.read) += amount;
    use.demand = std::min(limit, std::max(use.read, use.written));
  }
  void add(const ResourceUse& other, std::uint32_t limit) {
    add(other.id, other.read, false, limit);
    add(other.id, other.written, true, limit);
  }
  void clear() { count_ = 0; }
  std::span<const ResourceUse> all() const { return {uses_.data(), count_}; }

 private:
  // Ports, bus and the 32 banks of the largest configuration.
  std::array<ResourceUse, 40> uses_{};
  unsigned count_ = 0;
};

}  // namespace tpb
