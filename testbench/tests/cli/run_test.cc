// tpbsim run: values, exit codes, and the files that each of them leaves.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "testbench/tests/cli/tool.h"
#include "testbench/tests/observers/trace_checks.h"

namespace tpb {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr std::string_view kReports = " --stats s.json --instructions i.csv --trace t.json";

class Run : public Tool {
 protected:
  Run() { write("p.tpb", kDoubling); }

  json stats() const { return json::parse(read("s.json")); }
  // What two runs of the same must agree on.
  json comparable_stats() const {
    json all = stats();
    all.erase("simulator");
    return all;
  }
  std::vector<std::string> lines_of(const std::string& name) const {
    std::istringstream text(read(name));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
  void write_program(const std::string& more) const { write("q.tpb", std::string(kDoubling) + more); }
  // y is what it should be, or differs in one element.
  void write_reference(bool right) const {
    std::vector<float> values = doubled_iota();
    if (!right) values[3 * 16 + 5] = 0;
    Tool::write_npy("ref.npy", "(128, 16)", values);
  }
};

TEST_F(Run, PrintsATableAndWritesTensors) {
  const Finished finished = tpbsim("run p.tpb --out y=y.npy");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(finished.err, "");
  EXPECT_THAT(finished.out, StartsWith("time "));
  EXPECT_THAT(finished.out, HasSubstr("\ndve "));
  const std::string array = read("y.npy");
  const std::vector<float> expected = doubled_iota();
  const std::size_t bytes = expected.size() * sizeof(float);
  ASSERT_GT(array.size(), bytes);
  EXPECT_EQ(std::memcmp(array.data() + array.size() - bytes, expected.data(), bytes), 0);
}

TEST_F(Run, WarnsOfArgumentsOutsideADocumentedRange) {
  write_program(".engine act\n  activate func=exp src=x dst=y\n  activate func=sin src=x dst=y\n");
  const Finished finished = tpbsim("run q.tpb --stats s.json");
  // The numbers 0, 1, 2... are not all in [-pi, pi]; it is one warning, and no failure.
  EXPECT_EQ(finished.code, 0);
  EXPECT_THAT(finished.err, StartsWith("warning: act pc=0x40 line=8: sin "));
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1);
  const json warnings = stats()["warnings"];
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0]["engine"], "act");
  EXPECT_EQ(warnings[0]["pc"], 64);
  EXPECT_EQ(warnings[0]["line"], 8);
  EXPECT_THAT(warnings[0]["text"].get<std::string>(), HasSubstr("sin"));
  EXPECT_EQ(tpbsim("run p.tpb --stats s.json").err, "");
  EXPECT_FALSE(stats().contains("warnings"));
}

TEST_F(Run, TakesContentsFromTheCommandLine) {
  write_npy("x.npy", "(128, 16)", std::vector<float>(128 * 16, 4.0F));
  write_npy("ref.npy", "(128, 16)", std::vector<float>(128 * 16, 8.0F));
  write_program(".expect y \"ref.npy\" exact\n");
  EXPECT_EQ(tpbsim("run q.tpb").code, 1);
  const Finished finished = tpbsim("run q.tpb --in x=x.npy");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("1 of 1 expected tensors agree\n"));
}

TEST_F(Run, WithAnotherOutputThanExpectedEndsIn1AndWritesIt) {
  write_reference(false);
  write_program(".expect y \"ref.npy\" exact\n.output y \"y.npy\"\n");
  const Finished finished = tpbsim("run q.tpb" + std::string(kReports));
  EXPECT_EQ(finished.code, 1);
  // Element [3, 5] is number 3 x 16 + 5 = 53 of iota, doubled 106.
  EXPECT_THAT(finished.err, StartsWith("q.tpb:6: expect: tensor 'y': 1 of 2048 elements differ from '"));
  EXPECT_THAT(finished.err, HasSubstr("ref.npy' (exact), first [3, 5]: got 106"));
  EXPECT_THAT(finished.err, HasSubstr("worst absolute difference 106\n"));
  EXPECT_THAT(finished.out, HasSubstr("0 of 1 expected tensors agree\n"));
  EXPECT_THAT(files(), ElementsAre("i.csv", "p.tpb", "q.tpb", "ref.npy", "s.json", "t.json", "y.npy"));
}

TEST_F(Run, TimingOnlyHasTheSameTimesAndNoValues) {
  write_reference(false);
  write_program(".expect y \"ref.npy\" exact\n.output y \"y.npy\"\n");
  ASSERT_EQ(tpbsim("run q.tpb" + std::string(kReports)).code, 1);
  const std::string table = read("i.csv");
  const json full = comparable_stats();
  std::filesystem::remove(folder_ / "y.npy");
  EXPECT_EQ(tpbsim("run q.tpb --timing-only" + std::string(kReports)).code, 0);
  EXPECT_EQ(read("i.csv"), table);
  EXPECT_EQ(comparable_stats(), full);
  EXPECT_FALSE(exists("y.npy"));
}

TEST_F(Run, FunctionalOnlyHasTheSameValues) {
  write_reference(true);
  write_program(".expect y \"ref.npy\" exact\n");
  const Finished finished = tpbsim("run q.tpb --functional-only --stats s.json");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(stats()["engines"]["dve"]["instruction_count"], 1);
}

TEST_F(Run, IsTheSameTwice) {
  ASSERT_EQ(tpbsim("run p.tpb" + std::string(kReports)).code, 0);
  const std::string table = read("i.csv"), trace = read("t.json");
  const json first = comparable_stats();
  ASSERT_EQ(tpbsim("run p.tpb" + std::string(kReports)).code, 0);
  EXPECT_EQ(read("i.csv"), table);
  EXPECT_EQ(read("t.json"), trace);
  EXPECT_EQ(comparable_stats(), first);
}

TEST_F(Run, FollowsTheConfiguration) {
  ASSERT_EQ(tpbsim("run p.tpb --stats s.json").code, 0);
  const json before = stats();
  ASSERT_EQ(tpbsim("run p.tpb --stats s.json --set engines.dve.overhead=10000").code, 0);
  const json after = stats();
  EXPECT_GT(after["total_time_ns"], before["total_time_ns"]);
  EXPECT_EQ(after["config"]["engines"]["dve"]["overhead"], 10000);
  EXPECT_NE(after["config_digest"], before["config_digest"]);
  EXPECT_EQ(after["program_digest"], before["program_digest"]);
}

TEST_F(Run, BooksAddUp) {
  ASSERT_EQ(tpbsim("run p.tpb --stats s.json").code, 0);
  const json all = stats();
  for (const auto& [name, engine] : all["engines"].items()) {
    double sum = engine["active_time_ns"];
    for (const auto& [cause, ns] : engine["stall_ns"].items()) sum += ns.get<double>();
    EXPECT_NEAR(sum, all["total_time_ns"].get<double>(), 1e-5) << name;
  }
}

// Pool produces, DVE consumes behind a semaphore, twice.
constexpr std::string_view kPipeline = R"(.generation cayman
.tensor x fp32 [128, 8, 8] sbuf+0x0000 = iota
.tensor y fp32 [128, 4, 4] sbuf+0x1000
.tensor z fp32 [128, 4, 4] sbuf+0x2000
.tensor r fp32 [128, 1] psum+0x0
.semaphore done 3 = 0
.engine pool
  pool func=max src=x+0[1,8,2,16][2,2,4,4] dst=y  S[done]++@complete
  pool func=avg src=x+0[1,8,2,16][2,2,4,4] dst=z  S[done]++@complete
.engine dve
  tensor_reduce op=max axis=XY src=y dst=r        S[done]>=1
  tensor_tensor op=add src0=y src1=z dst=y        S[done]>=2
)";

TEST_F(Run, TracesAreValidAndShowWhoWaitedForWhom) {
  write("q.tpb", kPipeline);
  const Finished finished = tpbsim("run q.tpb" + std::string(kReports));
  ASSERT_EQ(finished.code, 0) << finished.err;
  const json trace = json::parse(read("t.json"));
  EXPECT_THAT(trace_problems(trace), IsEmpty());
  std::size_t slices = 0, arrows = 0, counts = 0;
  std::vector<std::string> tracks;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] == "X") {
      const std::string track = track_name(trace, event);
      if (track == "pool" || track == "dve") ++slices;
    }
    if (event["ph"] == "s") {
      ++arrows;
      EXPECT_EQ(track_name(trace, event), "pool");
    }
    if (event["ph"] == "f") {
      EXPECT_EQ(track_name(trace, event), "dve");
    }
    if (event["ph"] == "C" && event["name"] == "S[3]" && event["args"].contains("done")) ++counts;
    if (event["name"] == "thread_name") tracks.push_back(event["args"]["name"]);
  }
  EXPECT_EQ(slices, 4U);
  EXPECT_EQ(arrows, 2U);
  EXPECT_EQ(counts, 3U);  // 0, 1, 2
  EXPECT_THAT(tracks, testing::Contains(HasSubstr("psum bank 0")));
}

TEST_F(Run, TablesAreInTheOrderOfStarts) {
  write("q.tpb", kPipeline);
  ASSERT_EQ(tpbsim("run q.tpb" + std::string(kReports)).code, 0);
  const std::vector<std::string> lines = lines_of("i.csv");
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0],
            "index,engine,pc,line,opcode,mnemonic,ready_ns,start_ns,end_ns,stream_cycles,duration_cycles,"
            "wait_semaphore_ns,stall_ns,stall_cause,elements,performance_mode");
  // 64 elements of each of 128 partitions go into a pooling.
  EXPECT_THAT(lines[1], StartsWith("0,pool,0,8,0x45,pool,0.000000,"));
  EXPECT_THAT(lines[1], HasSubstr(",8192,none"));
  EXPECT_THAT(lines[2], StartsWith("1,pool,64,9,0x45,pool,"));
}

// The same instruction where the ACT engine would have to execute it: faults when it is decoded.
constexpr std::string_view kFaulty = R"(.generation cayman
.tensor x fp32 [128, 4, 4] sbuf+0x0000 = iota
.tensor y fp32 [128, 2, 2] sbuf+0x1000
.output y "y.npy"
.engine act
  pool func=max src=x+0[1,4,2,8][2,2,2,2] dst=y
)";

TEST_F(Run, OfAnIllegalInstructionEndsIn3) {
  write("q.tpb", kFaulty);
  const Finished finished = tpbsim("run q.tpb --out y=z.npy" + std::string(kReports));
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.err, StartsWith("fault: act pc=0x0 line=6 rule=engine_accepts_opcode field="));
  EXPECT_THAT(files(), ElementsAre("i.csv", "p.tpb", "q.tpb", "s.json", "t.json"));
  const json fault = stats()["fault"];
  EXPECT_EQ(fault["engine"], "act");
  EXPECT_EQ(fault["pc"], 0);
  EXPECT_EQ(fault["line"], 6);
  EXPECT_EQ(fault["rule"], "engine_accepts_opcode");
  EXPECT_THAT(trace_problems(json::parse(read("t.json"))), IsEmpty());
}

TEST_F(Run, OfAWaitThatNothingEndsEndsIn4) {
  write("q.tpb", R"(.generation cayman
.tensor x fp32 [128, 4] sbuf+0x0000 = iota
.output x "x.npy"
.semaphore ready 5 = 1
.engine dve
  nop      S[ready]>=3
  nop      S[6]++@complete
.engine pool
  nop      S[6]>=1
  nop      S[ready]+=2@complete
)");
  const Finished finished = tpbsim("run q.tpb" + std::string(kReports));
  EXPECT_EQ(finished.code, 4);
  EXPECT_THAT(finished.err, HasSubstr("deadlock: dve pc=0x0 line=6 waits for S[5] (ready) >=3, which is 1; "));
  EXPECT_THAT(finished.err, HasSubstr("deadlock: pool pc=0x0 line=9 waits for S[6] >=1, which is 0; "));
  EXPECT_THAT(finished.err, HasSubstr("pool pc=0x40 line=10"));
  EXPECT_FALSE(exists("x.npy"));
  EXPECT_EQ(stats()["end"], "deadlock");
}

TEST_F(Run, FaultComesBeforeDeadlock) {
  // DVE waits for an update that the faulting engine would have made.
  write("q.tpb", std::string(kFaulty) + ".engine dve\n  nop S[1]>=1\n");
  const Finished finished = tpbsim("run q.tpb");
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.err, HasSubstr("fault: act"));
  EXPECT_THAT(finished.err, HasSubstr("dve pc=0x0 line=8 waits for S[1] >=1, which is 0"));
}

TEST_F(Run, StopsAtALimit) {
  const Finished finished = tpbsim("run p.tpb --max-time 10 --stats s.json");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(finished.err, HasSubstr("stopped at --max-time 10 ns before the program ended\n"));
  EXPECT_EQ(stats()["end"], "time_limit");
  EXPECT_LE(stats()["total_time_ns"], 10.0);
}

TEST_F(Run, OfAnImageIsTheSame) {
  ASSERT_EQ(tpbsim("asm p.tpb -o p.tpbx").code, 0);
  ASSERT_EQ(tpbsim("run p.tpb" + std::string(kReports)).code, 0);
  const std::string table = read("i.csv");
  const json text = comparable_stats();
  ASSERT_EQ(tpbsim("run p.tpbx" + std::string(kReports)).code, 0);
  EXPECT_EQ(read("i.csv"), table);
  EXPECT_EQ(comparable_stats(), text);
}

TEST_F(Run, OfRawBundles) {
  // Halt and an unnamed opcode: byte 0 the opcode, byte 1 the length 0x10, the rest zero.
  std::string halt(64, '\0');
  halt[0] = static_cast<char>(0xA1);
  halt[1] = 0x10;
  std::string unnamed = halt;
  unnamed[0] = 0x00;
  write("c.toml", "generation = \"cayman\"\n");
  write("halt.bin", halt);
  write("unnamed.bin", unnamed);
  const Finished legal = tpbsim("run --config c.toml --bundles dve=halt.bin pool=halt.bin --stats s.json");
  EXPECT_EQ(legal.code, 0) << legal.err;
  EXPECT_EQ(stats()["engines"]["pool"]["instruction_count"], 1);
  const Finished illegal = tpbsim("run --config c.toml --bundles dve=unnamed.bin");
  EXPECT_EQ(illegal.code, 3);
  EXPECT_THAT(illegal.err, StartsWith("fault: dve pc=0x0 line=0 rule="));
}

TEST_F(Run, WritesToDevices) {
  const Finished finished = tpbsim("run p.tpb --stats /dev/null --instructions /dev/stdout | cat");
  EXPECT_EQ(finished.err, "");
  EXPECT_THAT(finished.out, HasSubstr("time "));
  EXPECT_THAT(finished.out, HasSubstr("index,engine,pc"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace tpb
