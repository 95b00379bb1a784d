#include "testbench/observers/trace.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "testbench/tests/observers/hand_made_run.h"
#include "testbench/tests/observers/trace_checks.h"

namespace tpb {
namespace {

using Json = nlohmann::json;

std::string trace_of(const RunLog& log, const RunResult& result) {
  std::ostringstream out;
  write_trace(out, log, result, SemanticsOptions{}, {{3, "done"}});
  return out.str();
}

Json trace_of(const HandMadeRun& run) { return Json::parse(trace_of(run.log, run.result)); }

Json slice_named(const Json& trace, const std::string& track, const std::string& name) {
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "X" && event["name"] == name && track_name(trace, event) == track) return event;
  }
  ADD_FAILURE() << "no slice " << name << " on " << track;
  return {};
}

std::vector<std::string> tracks(const Json& trace) {
  std::vector<std::string> names;
  for (const Json& event : trace["traceEvents"]) {
    if (event["name"] == "thread_name") names.push_back(event["args"]["name"]);
  }
  return names;
}

TEST(Trace, IsValid) {
  const Json trace = trace_of(HandMadeRun{});
  EXPECT_THAT(trace_problems(trace), testing::IsEmpty());
  EXPECT_EQ(trace["displayTimeUnit"], "ns");
}

TEST(Trace, HasATrackPerEngineAndResource) {
  EXPECT_THAT(tracks(trace_of(HandMadeRun{})),
              testing::ElementsAre("pe", "pe waits", "act", "act waits", "dve", "dve waits", "pool", "pool waits",
                                   "sfu", "sfu waits", "psum bank 1", "psum bank 1 (2)", "sbuf[dve,pool]"));
}

TEST(Trace, CountsTheTilesThatAreInUse) {
  HandMadeRun run;
  run.log.tiles_used({560, {512, {1, 0, 0, 0}}});
  run.log.tiles_used({1120, {1024, {1, 0, 1, 0}}});
  run.log.tiles_used({1680, {512, {0, 0, 1, 0}}});
  const Json trace = trace_of(run);
  EXPECT_THAT(trace_problems(trace), testing::IsEmpty());
  // Names, microseconds (5600 ticks each) and values; what is never used has no counter.
  std::vector<std::tuple<std::string, double, int>> counters;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] != "C" || event["pid"] != 4) continue;
    const Json::const_iterator value = event["args"].begin();
    counters.emplace_back(event["name"].get<std::string>() + " " + value.key(), event["ts"], value->get<int>());
  }
  EXPECT_THAT(counters,
              testing::ElementsAre(std::tuple("storage bytes", 0.0, 0), std::tuple("storage bytes", 0.1, 512),
                                   std::tuple("storage bytes", 0.2, 1024), std::tuple("storage bytes", 0.3, 512),
                                   std::tuple("hand T registers", 0.0, 0), std::tuple("hand T registers", 0.1, 1),
                                   std::tuple("hand T registers", 0.3, 0), std::tuple("hand M registers", 0.0, 0),
                                   std::tuple("hand M registers", 0.2, 1)));
}

TEST(Trace, ShowsInstructionsWhileTheyAreBusy) {
  // 1260 ticks are 225 ns; 1580 are 282.14, to the nearest 282: from microsecond 0.225 for 0.057.
  const Json add = slice_named(trace_of(HandMadeRun{}), "dve", "tensor_tensor");
  EXPECT_DOUBLE_EQ(add["ts"], 0.225);
  EXPECT_DOUBLE_EQ(add["dur"], 0.057);
  EXPECT_EQ(add["args"], Json::parse(R"({"line": 6, "pc": "0x0", "start_ns": 225.0, "end_ns": 410.714286,
      "stream_cycles": 64, "elements": 4096, "performance_mode": "none"})"));
  // One without duration is there too.
  EXPECT_DOUBLE_EQ(slice_named(trace_of(HandMadeRun{}), "pe", "nop")["dur"], 0.0);
}

TEST(Trace, ShowsWaitsBesideTheirEngine) {
  const Json trace = trace_of(HandMadeRun{});
  // 1256 of 1260 ticks are the semaphore's.
  const Json wait = slice_named(trace, "dve waits", "semaphore");
  EXPECT_DOUBLE_EQ(wait["ts"], 0.0);
  EXPECT_DOUBLE_EQ(wait["dur"], 0.225);
  EXPECT_DOUBLE_EQ(slice_named(trace, "dve waits", "dependency")["dur"], 0.057);
}

TEST(Trace, DrawsAnArrowFromTheUpdateToTheWaitThatItEnded) {
  const Json trace = trace_of(HandMadeRun{});
  std::vector<Json> starts, ends;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "s") starts.push_back(event);
    if (event["ph"] == "f") ends.push_back(event);
  }
  // The other wait held at once.
  ASSERT_EQ(starts.size(), 1U);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(starts[0]["id"], ends[0]["id"]);
  EXPECT_EQ(track_name(trace, starts[0]), "pool");
  EXPECT_EQ(track_name(trace, ends[0]), "dve");
  // From a nanosecond before the end of the pool slice, 856 ticks = 152.86 ns, to the start of the addition.
  EXPECT_DOUBLE_EQ(starts[0]["ts"], 0.152);
  EXPECT_DOUBLE_EQ(ends[0]["ts"], 0.225);
}

TEST(Trace, FindsTheRightPassOfALoop) {
  // One instruction of Pool four times, 100 ticks each at 400, 800...; it updates S[7] as it ends. DVE waits for the
  // third update.
  RunLog log(RunLog::Detail::everything);
  for (Tick pass = 0; pass < 4; ++pass) {
    InstructionRecord pool;
    pool.engine = Engine::pool;
    pool.opcode = 0x45;
    pool.ready = pool.start = 400 * pass;
    pool.stream_end = pool.end = 400 * pass + 100;
    log.retired(pool);
    log.semaphore_updated(
        {pool.end, 7, static_cast<std::uint32_t>(pass), static_cast<std::uint32_t>(pass + 1), Engine::pool, 0});
  }
  InstructionRecord copy;
  copy.engine = Engine::dve;
  copy.opcode = 0x46;
  copy.start = copy.stream_end = copy.end = 900;
  copy.wait_semaphore = 900;
  log.retired(copy);
  log.semaphore_waited({0, 900, 7, Engine::dve, 0});

  const Json trace = Json::parse(trace_of(log, HandMadeRun{}.result));
  EXPECT_THAT(trace_problems(trace), testing::IsEmpty());
  for (const Json& event : trace["traceEvents"]) {
    // The third pass ends at 900 ticks, 160.71 ns, and its arrow leaves a nanosecond before.
    if (event["ph"] == "s") {
      EXPECT_DOUBLE_EQ(event["ts"], 0.160);
    }
  }
}

TEST(Trace, DrawsNoArrowToAnInstructionThatNeverRan) {
  HandMadeRun run;
  run.log.semaphore_waited({1300, 2620, 3, Engine::act, 0x00});  // ACT retired nothing
  EXPECT_EQ(trace_of(run.log, run.result), trace_of(HandMadeRun{}.log, HandMadeRun{}.result));
}

TEST(Trace, CountsSemaphores) {
  const Json trace = trace_of(HandMadeRun{});
  std::vector<std::pair<double, int>> values;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] != "C") continue;
    EXPECT_EQ(event["name"], "S[3]");
    values.emplace_back(event["ts"], event["args"]["done"]);
  }
  // 1256 ticks are 224.29 ns, 2620 are 467.86.
  EXPECT_THAT(values, testing::ElementsAre(std::pair(0.0, 0), std::pair(0.224, 1), std::pair(0.468, 0)));
}

TEST(Trace, PutsOverlappingUsesSideBySide) {
  const Json trace = trace_of(HandMadeRun{});
  EXPECT_DOUBLE_EQ(slice_named(trace, "psum bank 1", "dve")["ts"], 0.225);
  EXPECT_DOUBLE_EQ(slice_named(trace, "psum bank 1 (2)", "dve")["ts"], 0.280);  // 1570 ticks, 280.36 ns
}

TEST(Trace, MarksFaults) {
  HandMadeRun run;
  run.result.faults = {{Engine::dve, 0x80, 8, {"quoted\"rule", "field", "\"1\"", "a\\b"}, 2800}};
  const Json trace = trace_of(run);
  EXPECT_THAT(trace_problems(trace), testing::IsEmpty());
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] != "i") continue;
    EXPECT_EQ(event["name"], "fault quoted\"rule");
    EXPECT_EQ(event["args"]["allowed"], "a\\b");
    EXPECT_EQ(track_name(trace, event), "dve");
    EXPECT_DOUBLE_EQ(event["ts"], 0.5);
    return;
  }
  FAIL() << "no instant";
}

TEST(Trace, TimesSurviveAReaderThatCutsThemToNanoseconds) {
  // Slices of 100 ticks (17.86 ns), end to end over 2 ms: a reader that multiplies by 1000 and drops the rest must find
  // each end where the next begins.
  RunLog log(RunLog::Detail::everything);
  constexpr Tick kCount = 100000;
  for (Tick i = 0; i < kCount; ++i) {
    InstructionRecord record;
    record.engine = Engine::pool;
    record.opcode = 0x45;
    record.ready = record.start = 100 * i;
    record.stream_end = record.end = 100 * (i + 1);
    log.retired(record);
  }
  const Json trace = Json::parse(trace_of(log, HandMadeRun{}.result));
  std::int64_t end = 0;
  const auto cut = [](const Json& microseconds) {
    return static_cast<std::int64_t>(microseconds.get<double>() * 1000.0);
  };
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    ASSERT_EQ(cut(event["ts"]), end);
    end += cut(event["dur"]);
  }
  EXPECT_EQ(end, 1785714);  // 10^7 ticks / 5.6, to the nearest
}

TEST(Trace, ProblemsAreSeen) {
  const auto problems = [](const std::string& events) {
    return trace_problems(Json::parse("{\"traceEvents\":[" + events + "]}"));
  };
  const std::string track = R"({"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"a"}},)"
                            R"({"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":"p"}},)";
  const std::string slice = R"({"ph":"X","pid":1,"tid":1,"name":"x","ts":0,"dur":2})";
  EXPECT_THAT(problems(track + slice), testing::IsEmpty());
  EXPECT_THAT(problems(slice), testing::Not(testing::IsEmpty()));  // unnamed
  EXPECT_THAT(problems(track + slice + R"(,{"ph":"X","pid":1,"tid":1,"name":"y","ts":1,"dur":2})"),
              testing::ElementsAre(testing::HasSubstr("overlaps")));
  EXPECT_THAT(problems(track + slice + R"(,{"ph":"X","pid":1,"tid":1,"name":"y","ts":3,"dur":-1})"),
              testing::ElementsAre(testing::HasSubstr("negative")));
  EXPECT_THAT(problems(track + slice + R"(,{"ph":"s","pid":1,"tid":1,"name":"f","id":1,"ts":1})"),
              testing::ElementsAre(testing::HasSubstr("without an end")));
  EXPECT_THAT(problems(track + slice + R"(,{"ph":"f","pid":1,"tid":1,"name":"f","id":1,"ts":1})"),
              testing::ElementsAre(testing::HasSubstr("without a start")));
  EXPECT_THAT(problems(track + slice + R"(,{"ph":"s","pid":1,"tid":1,"name":"f","id":1,"ts":5})" +
                       R"(,{"ph":"f","pid":1,"tid":1,"name":"f","id":1,"ts":1})"),
              testing::Contains(testing::HasSubstr("in no slice")));
  EXPECT_THAT(problems(track + R"({"ph":"X","pid":1,"tid":1,"name":"x","ts":5,"dur":2},)" + slice),
              testing::Contains(testing::HasSubstr("goes back")));
}

}  // namespace
}  // namespace tpb
