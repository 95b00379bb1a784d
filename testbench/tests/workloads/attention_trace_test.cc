// What a viewer shows of attention: work of every engine, and arrows from what was computed to what waited for it.
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "testbench/observers/trace.h"
#include "testbench/tests/observers/trace_checks.h"
#include "testbench/tests/workloads/run_workload.h"

namespace tpb::workloads {
namespace {

using Json = nlohmann::json;
using testing::IsEmpty;
using testing::IsSupersetOf;

Json trace_of(const Workload& workload, Generation generation) {
  RunLog log(RunLog::Detail::everything);
  RunOptions options;
  options.observers.push_back(&log);
  const test::Ran ran = run(workload, workload.inputs(nki::Dtype::float32), generation, options);
  SemaphoreNames names;
  for (const SemaphoreInit& semaphore : ran.program.semaphores) names[semaphore.index] = semaphore.name;
  std::ostringstream out;
  write_trace(out, log, ran.result, SemanticsOptions{}, names);
  return Json::parse(out.str());
}

// "pe -> dve"
std::set<std::string> arrows(const Json& trace) {
  std::map<int, std::string> tracks;
  std::set<std::string> arrows;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "s") tracks[event["id"]] = track_name(trace, event);
  }
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "f") arrows.insert(tracks.at(event["id"]) + " -> " + track_name(trace, event));
  }
  return arrows;
}

TEST(AttentionTrace, HasWorkOfEveryEngineAndArrowsBetweenThem) {
  for (const Generation generation : kGenerations) {
    const Json trace = trace_of(workload_named("attention"), generation);
    EXPECT_THAT(trace_problems(trace), IsEmpty());
    std::set<std::string> working;
    for (const Json& event : trace["traceEvents"]) {
      if (event["ph"] == "X") working.insert(track_name(trace, event));
    }
    EXPECT_THAT(working, IsSupersetOf({"pe", "act", "dve", "pool", "sfu"})) << name_of(generation);
    // Products to be scaled, scores to be searched, maxima to be negated, shifts to be added, exponentials to be
    // weighed, weights to be multiplied, and the result.
    EXPECT_THAT(arrows(trace), IsSupersetOf({"pe -> dve", "dve -> sfu", "sfu -> pool", "pool -> act", "act -> dve",
                                             "dve -> pe", "pe -> act"}))
        << name_of(generation);
  }
}

}  // namespace
}  // namespace tpb::workloads
