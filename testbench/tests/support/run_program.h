// Runs program text on the platform of this process and keeps what tests look at.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/program/assembler.h"
#include "testbench/platform/platform.h"

namespace tpb::test {

struct Ran {
  RunResult result;
  std::vector<InstructionRecord> records;  // per engine in program order
  std::vector<SemaphoreUpdateRecord> updates;
  std::vector<SemaphoreWaitRecord> waits;
  std::vector<ResourceUseRecord> uses;
  Program program;
  std::map<std::string, std::vector<std::uint8_t>, std::less<>> tensors;  // after the run, raw bytes in numpy order

  // Records of one engine.
  std::vector<InstructionRecord> of(Engine engine) const;
  // Ticks to whole cycles of an engine; fails the test when they are not whole.
  std::uint64_t cycles(Engine engine, Tick ticks) const;
  // A tensor after the run; fails the test when there is none of this name.
  std::vector<std::uint8_t> bytes(std::string_view tensor) const;
  template <class T>
  std::vector<T> values(std::string_view tensor) const {
    const auto raw = bytes(tensor);
    std::vector<T> typed(raw.size() / sizeof(T));
    std::memcpy(typed.data(), raw.data(), typed.size() * sizeof(T));
    return typed;
  }
};

// Assembles, resets, loads and runs. `overrides` are --set values.
Ran run_text(const std::string& text, const RunOptions& options = {}, const std::vector<std::string>& overrides = {});
// The same for a program that exists already.
Ran run_program(const Program& program, const Config& config, const RunOptions& options = {});
// The configuration that run_text uses for a program of this generation.
Config config_for(Generation generation, const std::vector<std::string>& overrides = {});

}  // namespace tpb::test
