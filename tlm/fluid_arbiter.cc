#include <algorithm>
#include <bit>
#include <bitset>

#include "tlm/arbiter.h"

namespace tpb {
namespace {

// A rate of kFullRate is one tick of work per tick; remaining work is counted in ticks times kFullRate.
constexpr std::uint64_t kFullRate = 1U << 20;
constexpr std::uint64_t kCapacity = std::uint64_t{kWholeResource} * kFullRate;
constexpr unsigned kMaxResources = 64;

using ResourceSet = std::uint64_t;
ResourceSet bit(ResourceId id) { return ResourceSet{1} << static_cast<unsigned>(id); }

class FluidArbiter final : public Arbiter, public Timed {
 public:
  FluidArbiter(Timeline& timeline, const ResourceTable& resources)
      : timeline_(timeline),
        resources_(resources),
        end_slot_(timeline.enrol(*this, Phase::stream_end)),
        arbitrate_slot_(timeline.enrol(*this, Phase::arbitrate)) {
    waiting_.reserve(kMaxFlows);
    flows_.reserve(kMaxFlows);
  }

  void reset(const Config& config) override {
    for (Flow& flow : flows_) {
      flow = Flow{flow.engine, flow.client};
      flow.period = config.tick_mhz() / config.engines[flow.engine].clock_mhz;
    }
    waiting_.clear();
    exclusive_ = divided_ = 0;
    for (unsigned i = 0; i < resources_.all().size(); ++i) {
      const Resource& resource = resources_.all()[i];
      if (!resource.shared) continue;
      (resource.policy == SharePolicy::exclusive ? exclusive_ : divided_) |= ResourceSet{1} << i;
    }
    held_ = 0;
    usage_.fill({});
    contention_.fill(0);
    rated_at_ = 0;
  }

  FlowId attach(Engine engine, FlowClient& client) override {
    flows_.push_back({engine, &client});
    return static_cast<FlowId>(flows_.size() - 1);
  }

  void request(const FlowRequest& request) override {
    Flow& flow = flows_[request.id];
    flow.request = request;
    flow.stage = Stage::waiting;
    flow.asked = flow.blocked_since = timeline_.now();
    flow.waited.fill(0);
    waiting_.push_back(request.id);
    timeline_.notify_at(arbitrate_slot_, timeline_.now());
  }

  WaitByCause waited(FlowId id) const override {
    WaitByCause waited = flows_[id].waited;
    waited[static_cast<std::size_t>(flows_[id].blocked_by)] += timeline_.now() - flows_[id].blocked_since;
    return waited;
  }

  Tick contention(StallCause cause) const override { return contention_[static_cast<std::size_t>(cause)]; }

  Tick busy(ResourceId id) const override {
    const Usage& usage = usage_[static_cast<std::size_t>(id)];
    return usage.busy + (usage.users != 0 ? timeline_.now() - usage.since : 0);
  }

  void on_time(Phase phase) override {
    if (phase == Phase::arbitrate) {
      arbitrate();
    } else {
      end_stages();
    }
  }

 private:
  enum class Stage : std::uint8_t { none, waiting, starting, streaming };

  struct Flow {
    Engine engine;
    FlowClient* client;
    FlowRequest request{};
    Stage stage = Stage::none;
    Tick period = 1;  // of the engine's clock
    Tick asked = 0;
    Tick started = 0;
    Tick streaming_since = 0;
    Tick change = kNever;  // when `starting` or, at the present rate, the stream ends
    std::uint64_t remaining = 0;
    std::uint64_t rate = 0;
    StallCause limited_by = StallCause::sbuf;  // whose resource last kept the rate below full
    WaitByCause waited{};
    StallCause blocked_by = StallCause::sbuf;
    Tick blocked_since = 0;
  };

  struct Usage {
    unsigned users = 0;
    Tick since = 0;  // of users != 0
    Tick busy = 0;
  };

  ResourceSet exclusive_of(const Flow& flow) const {
    ResourceSet set = 0;
    for (const ResourceUse& use : flow.request.uses.all()) set |= bit(use.id) & exclusive_;
    return set;
  }

  void begin_use(ResourceId id) {
    Usage& usage = usage_[static_cast<std::size_t>(id)];
    if (usage.users++ == 0) usage.since = timeline_.now();
  }
  void end_use(ResourceId id) {
    Usage& usage = usage_[static_cast<std::size_t>(id)];
    if (--usage.users == 0) usage.busy += timeline_.now() - usage.since;
  }

  // Grants, in order of request and then of engine, every flow whose exclusive resources are all free at an edge of its
  // clock. A flow that has to wait keeps later ones from the resources it waits for: first come, first served.
  void arbitrate() {
    const Tick now = timeline_.now();
    std::sort(waiting_.begin(), waiting_.end(),
              [&](FlowId a, FlowId b) { return std::pair(flows_[a].asked, a) < std::pair(flows_[b].asked, b); });
    ResourceSet claimed = 0;
    std::array<FlowId, kMaxFlows> granted{};
    std::size_t grants = 0;
    std::erase_if(waiting_, [&](FlowId id) {
      Flow& flow = flows_[id];
      const ResourceSet wanted = exclusive_of(flow);
      const ResourceSet taken = wanted & (held_ | claimed);
      flow.waited[static_cast<std::size_t>(flow.blocked_by)] += now - flow.blocked_since;
      flow.blocked_since = now;
      const Tick past_edge = now % flow.period;
      if (taken != 0) {
        flow.blocked_by = resources_[static_cast<ResourceId>(std::countr_zero(taken))].cause;
      } else if (past_edge != 0) {
        timeline_.notify_at(arbitrate_slot_, now - past_edge + flow.period);
      } else {
        held_ |= wanted;
        granted[grants++] = id;
        return true;
      }
      claimed |= wanted;
      return false;
    });
    for (std::size_t i = 0; i < grants; ++i) grant(granted[i]);
    if (grants != 0) settle_rates();
  }

  void grant(FlowId id) {
    Flow& flow = flows_[id];
    flow.started = timeline_.now();
    for (std::size_t cause = 0; cause < kStallCauses; ++cause) contention_[cause] += flow.waited[cause];
    for (const ResourceUse& use : flow.request.uses.all()) {
      if ((bit(use.id) & exclusive_) != 0) begin_use(use.id);
    }
    if (flow.request.start != 0) {
      flow.stage = Stage::starting;
      flow.change = flow.started + flow.request.start;
    } else {
      begin_streaming(flow);
    }
    flow.client->flow_started(id, flow.waited);
  }

  void begin_streaming(Flow& flow) {
    flow.stage = Stage::streaming;
    flow.streaming_since = timeline_.now();
    flow.remaining = flow.request.stream * kFullRate;
    flow.rate = 0;
    for (const ResourceUse& use : flow.request.uses.all()) {
      if ((bit(use.id) & exclusive_) == 0) begin_use(use.id);
    }
  }

  void end_stages() {
    const Tick now = timeline_.now();
    std::bitset<kMaxFlows> ended;
    bool changed = false;
    for (std::size_t id = 0; id < flows_.size(); ++id) {
      Flow& flow = flows_[id];
      if (flow.change > now) continue;
      changed = true;
      if (flow.stage == Stage::starting) {
        begin_streaming(flow);
        continue;
      }
      finish(flow);
      ended.set(id);
    }
    if (changed) settle_rates();
    for (std::size_t id = 0; id < flows_.size(); ++id) {
      if (ended.test(id)) flows_[id].client->flow_ended(static_cast<FlowId>(id));
    }
    if (ended.any() && !waiting_.empty()) timeline_.notify_at(arbitrate_slot_, now);
    schedule();
  }

  void finish(Flow& flow) {
    const Tick now = timeline_.now();
    held_ &= ~exclusive_of(flow);
    const Tick lost = now - flow.streaming_since - flow.request.stream;
    contention_[static_cast<std::size_t>(flow.limited_by)] += lost;
    for (const ResourceUse& use : flow.request.uses.all()) {
      end_use(use.id);
      if (observers_ == nullptr) continue;
      const bool from_start = (bit(use.id) & exclusive_) != 0;
      for (Observer* observer : *observers_) {
        observer->resource_used({resources_[use.id].name, flow.engine, flow.request.pc,
                                 from_start ? flow.started : flow.streaming_since, now});
      }
    }
    flow.stage = Stage::none;
    flow.change = kNever;
  }

  // Progress so far at the old rates, then max-min fair rates for the streams of this moment.
  void settle_rates() {
    const Tick now = timeline_.now();
    std::array<Flow*, kMaxFlows> streams{};
    std::size_t count = 0;
    for (Flow& flow : flows_) {
      if (flow.stage != Stage::streaming) continue;
      flow.remaining -= std::min(flow.remaining, flow.rate * (now - std::max(rated_at_, flow.streaming_since)));
      streams[count++] = &flow;
    }
    rated_at_ = now;
    divide({streams.data(), count});
    for (std::size_t i = 0; i < count; ++i) {
      Flow& flow = *streams[i];
      if (flow.rate == 0 && flow.remaining != 0) {
        flow.change = kNever;
        continue;
      }
      const Tick left = flow.remaining == 0 ? 0 : (flow.remaining + flow.rate - 1) / flow.rate;
      // Durations are whole cycles of the engine.
      flow.change = (now + left + flow.period - 1) / flow.period * flow.period;
    }
    schedule();
  }

  void divide(std::span<Flow* const> streams) {
    std::array<std::uint64_t, kMaxResources> demand{};
    ResourceSet crowded = 0;
    for (Flow* flow : streams) {
      flow->rate = kFullRate;
      for (const ResourceUse& use : flow->request.uses.all()) {
        if ((bit(use.id) & divided_) == 0) continue;
        demand[static_cast<std::size_t>(use.id)] += use.demand;
        if (demand[static_cast<std::size_t>(use.id)] > kWholeResource) crowded |= bit(use.id);
      }
    }
    if (crowded == 0) return;  // everything fits: the common case

    std::array<std::uint64_t, kMaxResources> left;
    left.fill(kCapacity);
    auto fix = [&](Flow& flow, std::uint64_t rate) {
      flow.rate = rate;
      for (const ResourceUse& use : flow.request.uses.all()) {
        if ((bit(use.id) & divided_) == 0) continue;
        demand[static_cast<std::size_t>(use.id)] -= use.demand;
        left[static_cast<std::size_t>(use.id)] -= std::min(left[static_cast<std::size_t>(use.id)], use.demand * rate);
      }
    };
    std::array<Flow*, kMaxFlows> open{};
    std::size_t count = 0;
    // Users of a priority resource come first, in engine order, and take what they can use.
    for (Flow* flow : streams) {
      bool by_priority = false;
      std::uint64_t rate = kFullRate;
      for (const ResourceUse& use : flow->request.uses.all()) {
        if ((bit(use.id) & divided_) == 0 || use.demand == 0) continue;
        by_priority |= resources_[use.id].policy == SharePolicy::priority;
        const std::uint64_t possible = left[static_cast<std::size_t>(use.id)] / use.demand;
        if (possible < rate) {
          rate = possible;
          flow->limited_by = resources_[use.id].cause;
        }
      }
      if (by_priority) {
        fix(*flow, rate);
      } else {
        open[count++] = flow;
      }
    }
    // The rest rise together; whoever uses the resource that fills first stays at that level.
    while (count != 0) {
      std::uint64_t level = kFullRate;
      ResourceSet full = 0;
      for (unsigned id = 0; id < resources_.all().size(); ++id) {
        if ((divided_ >> id & 1) == 0 || demand[id] == 0) continue;
        const std::uint64_t possible = left[id] / demand[id];
        if (possible > level) continue;
        if (possible < level) full = 0;
        if (possible < kFullRate) full |= ResourceSet{1} << id;
        level = possible;
      }
      std::size_t still_open = 0;
      for (std::size_t i = 0; i < count; ++i) {
        Flow& flow = *open[i];
        ResourceSet used = 0;
        for (const ResourceUse& use : flow.request.uses.all()) {
          if (use.demand != 0) used |= bit(use.id);
        }
        if (full != 0 && (used & full) == 0) {
          open[still_open++] = &flow;
          continue;
        }
        if (full != 0) flow.limited_by = resources_[static_cast<ResourceId>(std::countr_zero(used & full))].cause;
        fix(flow, level);
      }
      count = still_open;
    }
  }

  void schedule() {
    Tick next = kNever;
    for (const Flow& flow : flows_) next = std::min(next, flow.change);
    if (next != kNever) timeline_.notify_at(end_slot_, next);
  }

  Timeline& timeline_;
  const ResourceTable& resources_;
  Slot end_slot_;
  Slot arbitrate_slot_;
  std::vector<Flow> flows_;  // by FlowId
  std::vector<FlowId> waiting_;
  ResourceSet exclusive_ = 0;  // by policy
  ResourceSet divided_ = 0;
  ResourceSet held_ = 0;
  std::array<Usage, kMaxResources> usage_{};
  WaitByCause contention_{};
  Tick rated_at_ = 0;
};

}  // namespace

std::unique_ptr<Arbiter> make_fluid_arbiter(Timeline& timeline, const ResourceTable& resources) {
  return std::make_unique<FluidArbiter>(timeline, resources);
}

}  // namespace tpb
