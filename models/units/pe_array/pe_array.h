// The PE array: keeps a stationary tile and multiplies what moves through it. The next tile is loaded beside the
// multiplication that still passes.
#pragma once

#include "models/datapath/matmul.h"
#include "models/units/engine/execution_unit.h"

namespace tpb {

class PeArray final : public ExecutionUnit {
 public:
  PeArray(const sc_core::sc_module_name& name, Engine engine, Timeline& timeline, Arbiter& arbiter,
          const ResourceTable& resources);
  void reset(const Config& config) override;

 private:
  bool beside(const Dispatch& head) const override;
  void compute(const Dispatch& head) override;

  Generation generation_ = Generation::cayman;
  StationaryTile stationary_;
};

}  // namespace tpb
