#include "testbench/workloads/export.h"

#include <fmt/format.h>

#include <cstring>

#include "models/program/contents.h"
#include "models/program/image.h"
#include "testbench/platform/platform.h"
#include "testbench/workloads/steps.h"

namespace tpb::workloads {
namespace {

constexpr const char* kHead =
    "# Whole kernels\n"
    "\n"
    "Written by `scripts/workloads`; a test compares this page with a fresh one. `testbench/workloads` has kernels of\n"
    "[the intrinsics](nki.md) to start from. `ctest --preset release -R Workloads` runs every one on sunda, cayman "
    "and\n"
    "mariana and checks it twice: bit for bit against a reference that takes the steps of [numerics.md](numerics.md) "
    "one\n"
    "after the other in plain C++, and against binary64, of which results from float32 stay within 1e-5 and from "
    "bfloat16\n"
    "within 1e-2 of the largest magnitude in their row.\n"
    "\n"
    "As a program that `tpbsim run` judges, with `--trace` and all other options:\n"
    "\n"
    "    build/release/testbench/workloads/tpb_workloads save attention cayman bfloat16 DIRECTORY\n"
    "    build/release/apps/tpbsim/tpbsim run DIRECTORY/attention.tpbx --trace attention.json\n"
    "\n"
    "A new one is a function that returns a `Workload`, and a line each in `list.h` and `workload.cc`.\n"
    "\n";

std::vector<std::uint8_t> raw_bytes(const Array& array) {
  const unsigned bytes = nki::bytes_of(array.dtype);
  std::vector<std::uint8_t> raw(array.values.size() * bytes);
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    const std::uint32_t code = reference::encode(type_of(array.dtype), array.values[i]);
    std::memcpy(&raw[i * bytes], &code, bytes);
  }
  return raw;
}

std::string microseconds(const Workload& workload, Generation generation, nki::Dtype dtype) {
  nki::Kernel kernel(generation);
  build(workload, workload.inputs(dtype), kernel);
  Platform& platform = Platform::instance();
  platform.reset(kernel.config());
  platform.load(kernel.program());
  RunOptions options;
  options.mode = RunMode::timing_only;
  const RunResult result = platform.run(options);
  return fmt::format("{:.2f}", result.nanoseconds(result.elapsed) / 1000);
}

}  // namespace

std::filesystem::path save(const Workload& workload, Generation generation, nki::Dtype dtype,
                           const std::filesystem::path& directory) {
  const Arrays inputs = workload.inputs(dtype);
  nki::Kernel kernel(generation);
  build(workload, inputs, kernel);
  Program program = kernel.program();
  const std::filesystem::path place = std::filesystem::absolute(directory);
  std::filesystem::create_directories(place);
  for (const auto& [name, expected] : workload.stepwise(inputs)) {
    const std::filesystem::path file = place / fmt::format("{}.{}.npy", workload.name, name);
    write_npy(file, *program.find(name), raw_bytes(expected));
    program.expectations.push_back({.tensor = name, .path = file, .ulp = {}, .rtol = {}, .atol = {}});
  }
  const std::filesystem::path image = place / fmt::format("{}.tpbx", workload.name);
  write_image(program, image);
  return image;
}

std::string workloads_page() {
  std::string page = kHead;
  page += "| workload | what it shows |\n|---|---|\n";
  for (const Workload& workload : all_workloads()) page += fmt::format("| {} | {} |\n", workload.name, workload.shows);
  page += "\nSimulated microseconds, with the shipped configurations:\n\n";
  page += "| workload | inputs | sunda | cayman | mariana |\n|---|---|---|---|---|\n";
  for (const Workload& workload : all_workloads()) {
    for (const nki::Dtype dtype : workload.dtypes) {
      page += fmt::format("| {} | {} |", workload.name, nki::spelling(dtype));
      for (const Generation generation : kGenerations) {
        page += fmt::format(" {} |", microseconds(workload, generation, dtype));
      }
      page += '\n';
    }
  }
  return page;
}

}  // namespace tpb::workloads
