#include "models/units/pe_array/pe_array.h"

namespace tpb {

PeArray::PeArray(const sc_core::sc_module_name& name, Engine engine, Timeline& timeline, Arbiter& arbiter,
                 const ResourceTable& resources)
    : ExecutionUnit(name, engine, timeline, arbiter, resources) {
  add_side();
}

void PeArray::reset(const Config& config) {
  ExecutionUnit::reset(config);
  generation_ = config.generation;
  stationary_.rows = stationary_.cols = 0;
}

bool PeArray::beside(const Dispatch& head) const {
  const auto* bundle = std::get_if<S3D3_MM>(&head.instruction);
  return bundle != nullptr && loads_stationary(*bundle);
}

void PeArray::compute(const Dispatch& head) {
  const auto* bundle = std::get_if<S3D3_MM>(&head.instruction);
  if (bundle == nullptr) return ExecutionUnit::compute(head);
  const bool tfloat32 = bundle->fp32_mode != 0;
  if (loads_stationary(*bundle)) {
    const bool transposing = (bundle->perf_opt & kPerfTranspose) != 0 && transposes_bits(generation_);
    load_stationary({.transposing = transposing, .tfloat32 = tfloat32}, views().source[0], stationary_, scratch());
  } else {
    const bool accumulate = (bundle->accum_flags & kAccumulateBegin) == 0;
    multiply_moving({.accumulate = accumulate, .tfloat32 = tfloat32}, stationary_, views().source[0],
                    views().destination[0], scratch());
  }
}

}  // namespace tpb
