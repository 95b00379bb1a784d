// The order of elements and every bit are the same whatever the width of the vectors: the scalar kernels agree.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "models/config/digest.h"
#include "testbench/tests/cli/tool.h"

namespace tpb {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = TPB_SOURCE_DIR;

struct Workload {
  fs::path program;
  std::string options;
};

// Every instruction that is modelled, on random numbers.
std::vector<Workload> workloads() {
  const fs::path seeds = kRoot / "testbench/fuzz/seeds";
  const auto configured = [](const std::string& generation) {
    return fmt::format("--config {}", (kRoot / "configs/generations" / (generation + ".toml")).string());
  };
  return {{seeds / "every_generation.tpb", ""},
          {seeds / "every_generation.tpb", configured("sunda")},
          {seeds / "cayman_on.tpb", ""},
          {seeds / "sunda.tpb", configured("sunda")},
          {seeds / "maverick.tpb", configured("maverick")},
          {seeds / "transposing.tpb", ""},
          {seeds / "transposing_free_axis.tpb", "--set 'semantics.profile=\"public\"'"}};
}

std::vector<std::string> tensors_of(const fs::path& program) {
  std::vector<std::string> names;
  std::ifstream file(program);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string directive, name;
    words >> directive >> name;
    if (directive == ".tensor") names.push_back(name);
  }
  return names;
}

class Lanes : public Tool {
 protected:
  // Digests of all tensors after the run, by name.
  std::map<std::string, std::string> digests(const Workload& workload) {
    const std::vector<std::string> names = tensors_of(workload.program);
    std::string outputs;
    for (const std::string& name : names) outputs += fmt::format(" --out {}={}.npy", name, name);
    const Finished finished = tpbsim(fmt::format("run {} {}{}", workload.program.string(), workload.options, outputs));
    EXPECT_EQ(finished.code, 0) << workload.program << '\n' << finished.out << finished.err;
    std::map<std::string, std::string> digests;
    for (const std::string& name : names) digests[name] = sha256_hex(read(name + ".npy"));
    return digests;
  }
};

TEST_F(Lanes, OneAtATimeGivesTheSameDigests) {
  for (const Workload& workload : workloads()) {
    ::unsetenv("TPBSIM_LANES");
    const auto vector = digests(workload);
    ::setenv("TPBSIM_LANES", "scalar", 1);
    EXPECT_EQ(digests(workload), vector) << workload.program << ' ' << workload.options;
  }
  ::unsetenv("TPBSIM_LANES");
}

}  // namespace
}  // namespace tpb
