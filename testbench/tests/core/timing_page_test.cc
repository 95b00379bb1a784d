// docs/timing.md, "Loads beside multiplications": the table of its example is a program that carries its own times.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "testbench/tests/support/run_program.h"

namespace tpb::test {
namespace {

// | `instruction` | starts, in cycles | since | visible, or nothing |
struct Line {
  std::string instruction;
  std::uint64_t start = 0;
  std::string visible;
};

std::vector<Line> lines_of_page() {
  std::ifstream page(TPB_SOURCE_DIR "/docs/timing.md");
  std::vector<Line> lines;
  bool inside = false;
  for (std::string text; std::getline(page, text);) {
    if (text.starts_with("## ")) inside = text == "## Loads beside multiplications";
    if (!inside || !text.starts_with("| `")) continue;
    std::array<std::string, 4> cells;
    std::size_t at = 2;  // behind "| "
    for (std::string& cell : cells) {
      const std::size_t end = text.find('|', at);
      cell = text.substr(at, end - at);
      cell.erase(cell.find_last_not_of(' ') + 1);
      at = std::min(end + 2, text.size());
    }
    lines.push_back({cells[0].substr(1, cells[0].size() - 2), std::stoull(cells[1]), cells[3]});
  }
  return lines;
}

std::vector<InstructionRecord> run_lines(const std::vector<Line>& lines, Ran& ran) {
  std::string program = R"(
    .generation cayman
    .tensor a bf16 [128, 128] sbuf+0x000 = ones
    .tensor b bf16 [128, 128] sbuf+0x100 = ones
    .tensor x bf16 [128, 512] sbuf+0x200 = ones
    .tensor y fp32 [128, 512] psum+0x000
    .tensor z fp32 [128, 512] psum+0x800
    .engine pe
)";
  for (const Line& line : lines) program += line.instruction + "\n";
  ran = run_text(program);
  return ran.of(Engine::pe);
}

TEST(TimingPage, TheChainStartsWhenItSays) {
  const std::vector<Line> lines = lines_of_page();
  ASSERT_EQ(lines.size(), 6U);
  Ran ran;
  const auto records = run_lines(lines, ran);
  ASSERT_EQ(records.size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(ran.cycles(Engine::pe, records[i].start), lines[i].start) << lines[i].instruction;
    if (lines[i].visible.empty()) continue;
    EXPECT_EQ(std::to_string(ran.cycles(Engine::pe, records[i].end)), lines[i].visible) << lines[i].instruction;
  }
  EXPECT_EQ(ran.cycles(Engine::pe, ran.result.elapsed), 1968U);
}

// "Had the second added to y, it would have started at 944": 32 + 512 + 400 cycles.
TEST(TimingPage, AnAccumulationWaitsForWhatItAddsTo) {
  std::vector<Line> lines = lines_of_page();
  ASSERT_EQ(lines.size(), 6U);
  lines[3].instruction = "multiply_moving src=x dst=y accumulate=end";
  Ran ran;
  const auto records = run_lines(lines, ran);
  ASSERT_EQ(records.size(), lines.size());
  EXPECT_EQ(ran.cycles(Engine::pe, records[3].start), 944U);
}

}  // namespace
}  // namespace tpb::test
