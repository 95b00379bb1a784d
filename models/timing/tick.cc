#include "models/timing/tick.h"

#include <array>
#include <numeric>

namespace tpb {

std::string_view name_of(StallCause cause) {
  static constexpr std::array<std::string_view, kStallCauses> kNames{"issue", "semaphore", "dependency", "sbuf", "psum",
                                                                     "bus",   "sfu",       "fault",      "idle"};
  return kNames[static_cast<std::size_t>(cause)];
}

std::uint64_t tick_frequency_mhz(const PerEngine<std::uint32_t>& clock_mhz) {
  constexpr std::uint64_t kLimit = 1'000'000'000;
  std::uint64_t multiple = 1;
  for (std::uint32_t mhz : clock_mhz) {
    if (mhz == 0) return 0;
    // Both factors are below 2^32, so the product is exact; judged before it can grow past the limit.
    multiple = multiple / std::gcd(multiple, std::uint64_t{mhz}) * mhz;
    if (multiple > kLimit) return 0;
  }
  return multiple;
}

}  // namespace tpb
