// tpb_conformance: runs the ONNX node tests, writes the page about them, and hands their data to the demonstration.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "models/program/contents.h"
#include "testbench/conformance/runner.h"

namespace tpb {
namespace {

constexpr const char* kUsage =
    "tpb_conformance report PAGE.md     run every case and write the page\n"
    "tpb_conformance export CASE DIR    write a case as CASE.tpb and its .npy files\n"
    "tpb_conformance demo DIR           write the data of docs/examples/demo.tpb\n";

int report(const std::filesystem::path& page) {
  const TemporaryDirectory directory;
  std::vector<CaseResult> results;
  for (const OnnxCase& onnx_case : read_onnx_cases(onnx_node_tests(), mapped_ops())) {
    results.push_back(run_case(onnx_case, directory.path() / onnx_case.name));
    if (!results.back().failure.empty()) fmt::print("{}: {}\n", onnx_case.name, results.back().failure);
  }
  std::ofstream(page) << conformance_page(results);
  const auto failed = std::ranges::count_if(results, [](const CaseResult& result) { return !result.failure.empty(); });
  fmt::print("{} cases, {} failed: {}\n", results.size(), failed, page.string());
  return failed == 0 ? 0 : 1;
}

OnnxCase case_named(const std::string& name) {
  for (OnnxCase& onnx_case : read_onnx_cases(onnx_node_tests(), mapped_ops())) {
    if (onnx_case.name == name) return std::move(onnx_case);
  }
  throw std::runtime_error(fmt::format("no single-node case '{}' of a known operator", name));
}

void export_case(const OnnxCase& onnx_case, const std::filesystem::path& directory) {
  const MappedCase mapped = map_case(onnx_case);
  if (mapped.skipped)
    throw std::runtime_error(fmt::format("{}: skipped ({})", onnx_case.name, name_of(*mapped.skipped)));
  write_case(mapped, onnx_case.name, directory);
}

void write_fp32(const std::filesystem::path& path, std::vector<std::uint32_t> shape, const std::vector<float>& values) {
  Tensor tensor;
  tensor.dtype = Dtype::fp32;
  tensor.shape = std::move(shape);
  std::vector<std::uint8_t> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  write_npy(path, tensor, bytes);
}

// The two pooling cases, and what the DVE must make of their results: an in-order sum per channel, and a sum of both.
void demo(const std::filesystem::path& directory) {
  constexpr std::uint32_t kChannels = 3, kSide = 31;
  std::vector<std::vector<float>> pooled;
  for (const char* name : {"test_maxpool_2d_default", "test_averagepool_2d_default"}) {
    const OnnxCase onnx_case = case_named(name);
    export_case(onnx_case, directory / name);
    const std::vector<std::uint8_t>& bytes = onnx_case.outputs.at(0).bytes;
    pooled.emplace_back(bytes.size() / sizeof(float));
    std::memcpy(pooled.back().data(), bytes.data(), bytes.size());
  }
  std::vector<float> total, both;
  for (std::size_t i = 0; i < pooled[0].size(); ++i) {
    if (i % (kSide * kSide) == 0) {
      total.push_back(pooled[0][i]);
    } else {
      total.back() += pooled[0][i];
    }
    both.push_back(pooled[0][i] + pooled[1][i]);
  }
  write_fp32(directory / "total.npy", {kChannels, 1}, total);
  write_fp32(directory / "both.npy", {kChannels, kSide, kSide}, both);
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() == 2 && arguments[0] == "report") return report(arguments[1]);
  if (arguments.size() == 3 && arguments[0] == "export") {
    export_case(case_named(arguments[1]), arguments[2]);
    return 0;
  }
  if (arguments.size() == 2 && arguments[0] == "demo") {
    demo(arguments[1]);
    return 0;
  }
  fmt::print(stderr, "{}", kUsage);
  return 2;
}

}  // namespace
}  // namespace tpb

int sc_main(int argc, char* argv[]) {
  try {
    return tpb::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "tpb_conformance: {}\n", error.what());
    return 2;
  }
}

int main(int argc, char* argv[]) {
  // SystemC's own main would print its copyright notice first.
  ::setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
