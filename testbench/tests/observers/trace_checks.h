// What every viewer asks of a trace, judged without one.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace tpb {

inline std::string track_name(const nlohmann::json& trace, const nlohmann::json& event) {
  for (const nlohmann::json& other : trace["traceEvents"]) {
    if (other["name"] == "thread_name" && other["pid"] == event["pid"] && other["tid"] == event["tid"]) {
      return other["args"]["name"];
    }
  }
  return {};
}

// Processes and tracks are named; on a track, times do not go back, durations are not negative and slices touch at
// most; every flow has one start in a slice and one end at or after it, in a slice. A sentence per problem.
inline std::vector<std::string> trace_problems(const nlohmann::json& trace) {
  using Track = std::pair<int, int>;
  std::vector<std::string> problems;
  std::set<Track> named_tracks;
  std::set<int> named_processes;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("name") == "thread_name") named_tracks.emplace(event.at("pid"), event.at("tid"));
    if (event.at("name") == "process_name") named_processes.emplace(event.at("pid"));
  }
  // As a reader of nanoseconds sees them.
  const auto ns = [](const nlohmann::json& microseconds) {
    return static_cast<std::int64_t>(microseconds.get<double>() * 1000.0);
  };
  struct Slice {
    std::int64_t from = 0, to = 0;
  };
  std::map<Track, std::vector<Slice>> slices;
  std::map<std::pair<int, std::string>, std::int64_t> counters;
  std::map<int, std::int64_t> flow_starts, flow_ends;
  for (const auto& event : trace.at("traceEvents")) {
    const std::string kind = event.at("ph");
    const Track track{event.at("pid"), event.at("tid")};
    const std::string text = event.dump();
    if (kind == "M") continue;
    if (!named_processes.contains(track.first)) problems.push_back("no name for the process of " + text);
    const std::int64_t at = ns(event.at("ts"));
    if (kind == "C") {
      auto& last = counters[{track.first, event.at("name")}];
      if (at < last) problems.push_back("counter goes back: " + text);
      last = at;
      continue;
    }
    if (!named_tracks.contains(track)) problems.push_back("no name for the track of " + text);
    auto& on_track = slices[track];
    if (kind == "X") {
      const std::int64_t to = at + ns(event.at("dur"));
      if (to < at) problems.push_back("negative duration: " + text);
      if (!on_track.empty() && at < on_track.back().from) problems.push_back("goes back: " + text);
      if (!on_track.empty() && at < on_track.back().to) problems.push_back("overlaps the slice before it: " + text);
      on_track.push_back({at, to});
    } else if (kind == "s" || kind == "f") {
      // A flow end is written after its slice.
      if (on_track.empty() || at < on_track.back().from || at > on_track.back().to) {
        problems.push_back("flow in no slice: " + text);
      } else if (on_track.back().to > on_track.back().from && at == on_track.back().to) {
        problems.push_back("flow where the next slice may start: " + text);
      }
      auto& ends = kind == "s" ? flow_starts : flow_ends;
      if (!ends.emplace(event.at("id"), at).second) problems.push_back("second of its kind: " + text);
    } else if (kind != "i") {
      problems.push_back("unknown kind: " + text);
    }
  }
  for (const auto& [id, at] : flow_starts) {
    if (!flow_ends.contains(id)) {
      problems.push_back("flow without an end: " + std::to_string(id));
    } else if (flow_ends.at(id) < at) {
      problems.push_back("flow ends before it starts: " + std::to_string(id));
    }
  }
  for (const auto& [id, at] : flow_ends) {
    if (!flow_starts.contains(id)) problems.push_back("flow without a start: " + std::to_string(id));
  }
  return problems;
}

}  // namespace tpb
