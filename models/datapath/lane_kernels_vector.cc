// The kernels for the widest vectors of the processor that runs them.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__)  // clang clones no templates
#define TPB_LANE_KERNEL __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TPB_LANE_KERNEL
#endif
#define TPB_LANE_TABLE vector_lane_kernels
#include "models/datapath/lane_kernels.inc"  // NOLINT(bugprone-suspicious-include)
