// Arbitration of shared resources: an instruction is one flow with a use per resource; the arbiter says when it starts
// and when its last row has passed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "tlm/record.h"
#include "tlm/resources.h"
#include "tlm/timeline.h"

namespace tpb {

// Who asks: an engine has as many as it has instructions under way side by side.
using FlowId = std::uint8_t;
inline constexpr std::size_t kMaxFlows = 8;

// What an engine asks for: `start` ticks of latency, then `stream` ticks of streaming at full rate.
struct FlowRequest {
  FlowId id = 0;
  std::uint32_t pc = 0;
  Tick start = 0;
  Tick stream = 0;
  ResourceUses uses;
};

// How long a granted flow had waited, by the resource that was in its way.
using WaitByCause = std::array<Tick, kStallCauses>;

class FlowClient {
 public:
  virtual void flow_started(FlowId id, const WaitByCause& waited) = 0;  // now
  virtual void flow_ended(FlowId id) = 0;                               // now: its last row has passed

 protected:
  ~FlowClient() = default;
};

class Arbiter {
 public:
  virtual ~Arbiter() = default;
  virtual void reset(const Config& config) = 0;
  // Once per elaboration and flow, in the order in which ties are decided, which is engine order.
  virtual FlowId attach(Engine engine, FlowClient& client) = 0;
  // One request per flow at a time. Decided at the end of the present instant.
  virtual void request(const FlowRequest& flow) = 0;
  // How long a request that is not granted yet has waited until now, by the resource that was in its way.
  virtual WaitByCause waited(FlowId id) const = 0;
  // Time that instructions waited for, or lost in, resources of a cause.
  virtual Tick contention(StallCause cause) const = 0;
  // Time in which at least one stream used the resource, up to now.
  virtual Tick busy(ResourceId id) const = 0;
  // Told of every use of a resource by a stream; nobody when empty.
  void observe(const std::vector<Observer*>* observers) { observers_ = observers; }

 protected:
  const std::vector<Observer*>* observers_ = nullptr;
};

// Recomputes rates only when a stream starts or ends; work and rates are integers, so nothing drifts. Exclusive
// resources are held from start to end, first come first served; fair ones are shared max-min fairly.
std::unique_ptr<Arbiter> make_fluid_arbiter(Timeline& timeline, const ResourceTable& resources);

}  // namespace tpb
