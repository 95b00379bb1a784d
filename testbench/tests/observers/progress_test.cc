#include "testbench/observers/progress.h"

#include <gmock/gmock.h>

#include <sstream>

namespace tpb {
namespace {

InstructionRecord ended_at(Tick end) {
  InstructionRecord record;
  record.end = end;
  return record;
}

TEST(Progress, SaysHowFarItIsAndWipesItsLine) {
  std::ostringstream out;
  {
    Progress progress(out, 5600, std::chrono::seconds(0), 2);
    progress.retired(ended_at(56));
    EXPECT_EQ(out.str(), "");  // every second instruction
    progress.retired(ended_at(2800));
    // 2800 ticks of 1/5.6 ns.
    EXPECT_EQ(out.str(), "\r\x1b[K2 instructions, 500.000000 ns");
  }
  EXPECT_TRUE(out.str().ends_with("ns\r\x1b[K"));
}

TEST(Progress, OfAShortRunIsSilent) {
  std::ostringstream out;
  {
    Progress progress(out, 5600, std::chrono::hours(1), 1);
    progress.retired(ended_at(56));
  }
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace tpb
