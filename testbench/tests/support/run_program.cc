#include "testbench/tests/support/run_program.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "models/program/contents.h"

namespace tpb::test {
namespace {

class Recorder final : public Observer {
 public:
  explicit Recorder(Ran& ran) : ran_(ran) {}
  void retired(const InstructionRecord& record) override { ran_.records.push_back(record); }
  void semaphore_updated(const SemaphoreUpdateRecord& record) override { ran_.updates.push_back(record); }
  void semaphore_waited(const SemaphoreWaitRecord& record) override { ran_.waits.push_back(record); }
  void resource_used(const ResourceUseRecord& record) override { ran_.uses.push_back(record); }

 private:
  Ran& ran_;
};

}  // namespace

std::vector<InstructionRecord> Ran::of(Engine engine) const {
  std::vector<InstructionRecord> own;
  for (const InstructionRecord& record : records) {
    if (record.engine == engine) own.push_back(record);
  }
  return own;
}

std::uint64_t Ran::cycles(Engine engine, Tick ticks) const {
  const Tick period = result.tick_mhz / result.clock_mhz[engine];
  EXPECT_EQ(ticks % period, 0U) << "not a whole number of cycles";
  return ticks / period;
}

std::vector<std::uint8_t> Ran::bytes(std::string_view name) const {
  const auto found = tensors.find(name);
  if (found != tensors.end()) return found->second;
  ADD_FAILURE() << "no tensor " << name;
  return {};
}

Config config_for(Generation generation, const std::vector<std::string>& overrides) {
  return load_config({.file = std::nullopt, .generation = generation, .overrides = overrides}).config;
}

Ran run_program(const Program& program, const Config& config, const RunOptions& options) {
  Ran ran;
  ran.program = program;
  Recorder recorder(ran);
  RunOptions observed = options;
  observed.observers.push_back(&recorder);
  Platform& platform = Platform::instance();
  platform.reset(config);
  platform.load(program);
  for (const Tensor& tensor : program.tensors) {
    const auto bytes = initial_bytes(tensor, program.name, config.limits);
    if (!bytes.empty()) {
      EXPECT_TRUE(platform.write_tensor(tensor, bytes)) << tensor.name;
    }
  }
  ran.result = platform.run(observed);
  for (const Tensor& tensor : program.tensors) {
    std::vector<std::uint8_t> raw(tensor.elements() * bytes_of(tensor.dtype));
    EXPECT_TRUE(platform.read_tensor(tensor, raw)) << tensor.name;
    ran.tensors.emplace(tensor.name, std::move(raw));
  }
  return ran;
}

Ran run_text(const std::string& text, const RunOptions& options, const std::vector<std::string>& overrides) {
  const auto path = std::filesystem::temp_directory_path() / ("tpbsim_test_" + std::to_string(getpid()) + ".tpb");
  std::ofstream(path) << text;
  Program program;
  Config config;
  try {
    config = config_for(declared_generation(path).value_or(Generation::cayman), overrides);
    program = assemble(path, config);
  } catch (...) {
    std::filesystem::remove(path);
    throw;
  }
  std::filesystem::remove(path);
  return run_program(program, config, options);
}

}  // namespace tpb::test
