#include "models/nki/schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/isa/overlap.h"
#include "models/program/event.h"

namespace tpb::nki {
namespace {

std::size_t index_of(tpb::Engine engine) { return static_cast<std::size_t>(engine); }

template <class Clock>
void merge(Clock& into, const Clock& from) {
  for (std::size_t e = 0; e < into.size(); ++e) into[e] = std::max(into[e], from[e]);
}

// Whether every byte between its first and its last belongs to the operand.
bool is_solid(const Operand& operand) {
  std::array<std::pair<std::int64_t, std::int64_t>, kPatternDims> dims;
  for (unsigned d = 0; d < kPatternDims; ++d) {
    dims[d] = {std::abs(std::int64_t{operand.pattern.step[d]}), operand.pattern.num[d]};
  }
  std::ranges::sort(dims);
  std::int64_t reach = 1;
  for (const auto& [step, num] : dims) {
    if (num == 1) continue;
    if (step != reach) return false;
    reach *= num;
  }
  return true;
}

// Whether a solid operand has every byte of the other one.
bool covers(const Operand& solid, const Operand& other, const MemoryMap& map) {
  const Location a = locate(map, solid.pattern.start_addr);
  const Location b = locate(map, other.pattern.start_addr);
  if (a.space != b.space || b.partition < a.partition || b.partition + other.channels > a.partition + solid.channels) {
    return false;
  }
  const ByteRange own = touched_bytes(solid.pattern, bytes_of(solid.dtype));
  const ByteRange its = touched_bytes(other.pattern, bytes_of(other.dtype));
  return b.offset + its.first >= a.offset + own.first && b.offset + its.last <= a.offset + own.last;
}

bool same(const Operand& a, const Operand& b) {
  return a.pattern == b.pattern && a.dtype == b.dtype && a.channels == b.channels;
}

}  // namespace

void Schedule::depend(const Access& access, Clock& needed) const {
  for (const Access& earlier : accesses_) {
    if (earlier.engine == access.engine || !(earlier.writes || access.writes)) continue;
    std::uint32_t& through = needed[index_of(earlier.engine)];
    if (earlier.through <= through) continue;
    if (overlaps(earlier.operand, access.operand, config_.memory)) through = earlier.through;
  }
}

void Schedule::remember(const Access& access) {
  // Whoever conflicts with what a write covers conflicts with the write, which comes after it.
  const bool solid = access.writes && is_solid(access.operand);
  std::erase_if(accesses_, [&](const Access& earlier) {
    if (solid && covers(access.operand, earlier.operand, config_.memory)) return true;
    return earlier.engine == access.engine && earlier.writes == access.writes && same(earlier.operand, access.operand);
  });
  accesses_.push_back(access);
}

void Schedule::append(tpb::Engine engine, const Group& group) {
  std::vector<Step>& stream = streams_[engine];
  const auto through = static_cast<std::uint32_t>(stream.size() + 1);
  std::vector<Access> touched;
  for (const Instruction& instruction : group) {
    const Operands operands = operands_of(instruction);
    for (const Operand& source : operands.sources()) touched.push_back({source, false, engine, through});
    for (const Operand& destination : operands.destinations()) touched.push_back({destination, true, engine, through});
  }
  Clock needed = known_[engine];
  for (const Access& access : touched) depend(access, needed);

  Step step{group, groups_++, {}, {}, false};
  const auto last_of = [&](tpb::Engine other) -> Step& { return streams_[other][needed[index_of(other)] - 1]; };
  const auto is_news = [&](tpb::Engine other) {
    return other != engine && needed[index_of(other)] > known_[engine][index_of(other)];
  };
  for (const tpb::Engine other : kEngines) {
    if (!is_news(other)) continue;
    // Another one that is waited for may have waited for it already.
    const bool implied = std::ranges::any_of(kEngines, [&](tpb::Engine third) {
      return third != other && is_news(third) && last_of(third).known[index_of(other)] >= needed[index_of(other)];
    });
    if (!implied) step.waits.emplace_back(other, needed[index_of(other)]);
  }
  for (const auto& [other, count] : step.waits) {
    Step& awaited = streams_[other][count - 1];
    awaited.is_waited_for = true;
    merge(known_[engine], awaited.known);
    known_[engine][index_of(other)] = std::max(known_[engine][index_of(other)], count);
  }
  step.known = known_[engine];
  // Its own engine has completed what came before it by the time it is complete.
  step.known[index_of(engine)] = through;
  stream.push_back(std::move(step));
  for (const Access& access : touched) remember(access);
  instructions_ += group.size();
}

void Schedule::write_to(Program& program) const {
  PerEngine<std::vector<std::uint32_t>> counts;  // of the engine's counter after so many groups
  for (const tpb::Engine engine : kEngines) {
    counts[engine].push_back(0);
    for (const Step& step : streams_[engine])
      counts[engine].push_back(counts[engine].back() + (step.is_waited_for ? 1U : 0U));
    if (counts[engine].back() != 0) {
      program.semaphores.push_back(
          {fmt::format("{}_done", name_of(engine)), static_cast<std::uint8_t>(index_of(engine)), 0, 0});
    }
  }
  for (const tpb::Engine engine : kEngines) {
    Section& section = program.sections[engine];
    for (const Step& step : streams_[engine]) {
      Synchronised line;
      for (const Instruction& instruction : step.group) line.instruction.push_back(pack(instruction));
      for (const auto& [other, through] : step.waits) {
        line.waits.push_back({static_cast<std::uint8_t>(WaitMode::greater_equal),
                              static_cast<std::uint8_t>(index_of(other)), counts[other][through], true});
      }
      if (step.is_waited_for) {
        line.updates.push_back(
            {static_cast<std::uint8_t>(static_cast<std::uint8_t>(UpdateMode::increment) | kUpdateOnComplete),
             static_cast<std::uint8_t>(index_of(engine)), 0, false});
      }
      const std::vector<Bundle> bundles = expand(line);
      section.bundles.insert(section.bundles.end(), bundles.begin(), bundles.end());
      section.lines.insert(section.lines.end(), bundles.size(), step.order + 1);
    }
  }
}

}  // namespace tpb::nki
