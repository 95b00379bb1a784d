// The same kernels one lane at a time (this file is compiled without vectorisation), to compare with, and the choice.
#include <cstdlib>
#include <string_view>
#define TPB_LANE_KERNEL
#define TPB_LANE_TABLE scalar_lane_kernels
#include "models/datapath/lane_kernels.inc"  // NOLINT(bugprone-suspicious-include)

namespace tpb {

const LaneKernels& lane_kernels() {
  const char* lanes = std::getenv("TPBSIM_LANES");
  return lanes != nullptr && std::string_view(lanes) == "scalar" ? scalar_lane_kernels() : vector_lane_kernels();
}

}  // namespace tpb
