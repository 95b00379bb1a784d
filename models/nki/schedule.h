// The streams of a kernel, and the semaphores that order what engines share.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/nki/lowering.h"
#include "models/program/program.h"

namespace tpb::nki {

// Engines complete their instructions in order, and order what they share with themselves. So one counter per engine is
// enough: it counts the completions that some other engine waits for, and an instruction waits until the counter of
// each engine it depends on has reached the last such completion.
class Schedule {
 public:
  explicit Schedule(const Config& config) : config_(config) {}

  // Appends to the engine's stream. The group comes after every earlier one of another engine that touches a common
  // byte, when one of the two writes.
  void append(tpb::Engine engine, const Group& group);

  std::size_t instructions() const { return instructions_; }
  // Sections and semaphores. Bundles of a group have one line number, groups in the order of appending.
  void write_to(Program& program) const;

 private:
  // How many groups of each engine are known to be complete.
  using Clock = std::array<std::uint32_t, kEngineCount>;
  struct Step {
    Group group;
    std::uint32_t order;                                       // among all engines' groups
    std::vector<std::pair<tpb::Engine, std::uint32_t>> waits;  // for the first so many groups of an engine
    Clock known;                                               // when it starts
    bool is_waited_for = false;
  };
  struct Access {
    Operand operand;
    bool writes;
    tpb::Engine engine;
    std::uint32_t through;  // complete when so many groups of the engine are
  };

  void depend(const Access& access, Clock& needed) const;
  void remember(const Access& access);

  Config config_;
  PerEngine<std::vector<Step>> streams_;
  PerEngine<Clock> known_;  // by the next group of each
  std::vector<Access> accesses_;
  std::uint32_t groups_ = 0;
  std::size_t instructions_ = 0;
};

}  // namespace tpb::nki
