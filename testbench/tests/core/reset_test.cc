// One elaborated platform, any number of runs: nothing of one run reaches the next.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "testbench/tests/support/run_program.h"

namespace tpb::test {
namespace {

// Everything of a run that must not depend on what ran before, as text.
std::string fingerprint(const Ran& ran, std::string_view tensor) {
  std::string text = std::to_string(static_cast<int>(ran.result.end)) + " " + std::to_string(ran.result.elapsed) + "\n";
  for (const InstructionRecord& r : ran.records) {
    for (std::uint64_t value : {std::uint64_t{static_cast<std::uint8_t>(r.engine)}, std::uint64_t{r.pc}, r.ready,
                                r.start, r.stream_end, r.end, r.wait_semaphore, r.stall, r.elements}) {
      text += std::to_string(value) + " ";
    }
    text += "\n";
  }
  for (const SemaphoreUpdateRecord& u : ran.updates) {
    text += std::to_string(u.at) + ":" + std::to_string(u.semaphore) + "=" + std::to_string(u.after) + " ";
  }
  for (std::uint8_t byte : ran.bytes(tensor)) text += std::to_string(byte) + ",";
  return text;
}

struct Case {
  std::string text;
  std::optional<double> max_time_ns;
};

// Two hundred small programs of three configurations; every tenth is cut by a time limit below 190 ns, before its first
// pooling (150 + 64 + 100 cycles at 1.4 GHz are 224 ns, more at 1.2) can be complete.
std::vector<Case> cases() {
  std::vector<Case> all;
  const std::array<const char*, 3> generations{"sunda", "cayman", "mariana"};
  for (int i = 0; i < 200; ++i) {
    std::mt19937 random(static_cast<unsigned>(i));
    auto pick = [&](int lo, int hi) { return lo + static_cast<int>(random() % static_cast<unsigned>(hi - lo + 1)); };
    std::string text = ".generation " + std::string(generations[static_cast<std::size_t>(i) % 3]) + "\n";
    text += ".tensor x fp32 [128, 64] sbuf+0x0 = random(" + std::to_string(i) + ")\n";
    text += ".tensor y fp32 [128, 64] sbuf+0x100\n.tensor z fp32 [128, 64] sbuf+0x200\n";
    text += ".engine pool\n";
    const int pools = pick(1, 4);
    for (int k = 0; k < pools; ++k) {
      text += "  pool func=" + std::string(pick(0, 1) != 0 ? "avg" : "max") + " src=x+0[1,2,4,0][2,2,16,1] dst=y+" +
              std::to_string(16 * k) + "[1][16] S[0]++\n";
    }
    text += ".engine dve\n";
    for (int k = 0; k < pools; ++k) {
      text += "  tensor_tensor op=" + std::string(pick(0, 1) != 0 ? "add" : "mult") + " src0=x+0[1][16] src1=y+" +
              std::to_string(16 * k) + "[1][16] dst=z+" + std::to_string(16 * k) +
              "[1][16] S[0]>=" + std::to_string(k + 1) + " S[1]++@read\n";
    }
    text += ".engine act\n  nop S[1]>=" + std::to_string(pools) + "\n";
    all.push_back({text, i % 10 == 9 ? std::optional<double>(90.0 + i / 2.0) : std::nullopt});
  }
  return all;
}

std::string run_case(const Case& c) {
  return fingerprint(run_text(c.text, {.mode = RunMode::full, .max_time_ns = c.max_time_ns, .observers = {}}), "z");
}

// In a process of its own: forked before anything is elaborated.
std::string run_case_in_fresh_process(const Case& c) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const std::string text = run_case(c);
    std::size_t sent = 0;
    while (sent < text.size()) {
      const ssize_t n = write(ends[1], text.data() + sent, text.size() - sent);
      if (n <= 0) _exit(1);
      sent += static_cast<std::size_t>(n);
    }
    close(ends[1]);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 65536> buffer;
  for (ssize_t n = 0; (n = read(ends[0], buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return text;
}

TEST(OnePlatform, TwoHundredProgramsInAnyOrderMatchFreshProcesses) {
  const std::vector<Case> all = cases();
  std::vector<std::string> fresh;
  int cut = 0;
  for (const Case& c : all) fresh.push_back(run_case_in_fresh_process(c));
  // Only now does this process elaborate.
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), std::mt19937(2026));
  for (std::size_t i : order) {
    EXPECT_EQ(run_case(all[i]), fresh[i]) << "program " << i;
    cut += fresh[i].starts_with(std::to_string(static_cast<int>(RunEnd::time_limit)) + " ") ? 1 : 0;
  }
  // Every tenth was cut, and its limit did cut it.
  EXPECT_EQ(cut, 20);
}

TEST(OnePlatform, AFaultOrADeadlockLeavesNothingBehind) {
  const std::string good = cases()[0].text;
  const std::string before = run_case({good, {}});
  run_text(".engine dve\n  nop S[0]>=5\n");
  EXPECT_EQ(run_case({good, {}}), before);
  run_text(".generation sunda\n.engine pe\n  .bundle " + std::string(128, '0') + "\n");
  EXPECT_EQ(run_case({good, {}}), before);
}

}  // namespace
}  // namespace tpb::test
