#include "models/timing/tick.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace tpb {
namespace {

PerEngine<std::uint32_t> clocks(std::array<std::uint32_t, kEngineCount> mhz) {
  PerEngine<std::uint32_t> result;
  std::ranges::copy(mhz, result.begin());
  return result;
}

TEST(TickFrequency, IsTheLeastCommonMultiple) {
  // 5600 MHz holds 2 ticks a cycle of 2800, 4 of 1400, 5 of 1120.
  EXPECT_EQ(tick_frequency_mhz(clocks({2800, 1400, 1120, 1400, 1400})), 5600U);
  EXPECT_EQ(tick_frequency_mhz(clocks({1, 1, 1, 1, 1})), 1U);
  // 2^5 x 3^2 x 5 x 7: each of the five brings its own primes.
  EXPECT_EQ(tick_frequency_mhz(clocks({32, 9, 5, 7, 6})), 10080U);
}

TEST(TickFrequency, EndsAtAThousandMillionMegahertz) {
  // 2^9 and 5^9 share nothing: 512 x 1953125 = 10^9 exactly.
  EXPECT_EQ(tick_frequency_mhz(clocks({512, 1953125, 1, 1, 1})), 1'000'000'000U);
  // One more factor of two passes it.
  EXPECT_EQ(tick_frequency_mhz(clocks({1024, 1953125, 1, 1, 1})), 0U);
  // Primes near 2^32 may not wrap on the way.
  EXPECT_EQ(tick_frequency_mhz(clocks({4294967291U, 4294967279U, 4294967231U, 4294967197U, 4294967189U})), 0U);
  EXPECT_EQ(tick_frequency_mhz(clocks({2400, 0, 1, 1, 1})), 0U);
}

TEST(StallCause, HasTheNamesOfTheStatistics) {
  EXPECT_EQ(name_of(StallCause::issue), "issue");
  EXPECT_EQ(name_of(StallCause::semaphore), "semaphore");
  EXPECT_EQ(name_of(StallCause::dependency), "dependency");
  EXPECT_EQ(name_of(StallCause::sbuf), "sbuf");
  EXPECT_EQ(name_of(StallCause::psum), "psum");
  EXPECT_EQ(name_of(StallCause::bus), "bus");
  EXPECT_EQ(name_of(StallCause::sfu), "sfu");
  EXPECT_EQ(name_of(StallCause::fault), "fault");
  EXPECT_EQ(name_of(StallCause::idle), "idle");
}

}  // namespace
}  // namespace tpb
