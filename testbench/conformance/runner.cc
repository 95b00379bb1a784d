#include "testbench/conformance/runner.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <map>
#include <stdexcept>

#include "models/config/config.h"
#include "models/program/assembler.h"
#include "models/program/contents.h"
#include "testbench/platform/platform.h"

namespace tpb {
namespace {

// Empty when the run ended as it should and every expectation is met.
std::string run_program(const std::filesystem::path& path) {
  ConfigRequest request;
  request.generation = declared_generation(path);
  const Config config = load_config(request).config;
  const Program program = assemble(path, config);
  Platform& platform = Platform::instance();
  platform.reset(config);
  platform.load(program);
  for (const Tensor& tensor : program.tensors) {
    const std::vector<std::uint8_t> bytes = initial_bytes(tensor, program.name, config.limits);
    if (!bytes.empty() && !platform.write_tensor(tensor, bytes)) return tensor.name + " does not fit memory";
  }
  const RunResult result = platform.run({});
  for (const Fault& fault : result.faults) {
    return fmt::format("fault: line={} rule={} field={} value={} allowed={}", fault.line, fault.violation.rule,
                       fault.violation.field, fault.violation.value, fault.violation.allowed);
  }
  if (result.end != RunEnd::done) return "did not finish";
  if (program.expectations.empty()) return "expects nothing";
  for (const Expectation& expectation : program.expectations) {
    const Tensor& tensor = *program.find(expectation.tensor);
    const auto expected = read_npy(expectation.path, tensor, program.name, expectation.line, config.limits);
    std::vector<std::uint8_t> actual(expected.size());
    if (!platform.read_tensor(tensor, actual)) return tensor.name + " cannot be read";
    if (const auto difference = compare(tensor, actual, expected, expectation)) {
      return fmt::format("{}: {} of {} elements differ, first {}", tensor.name, difference->count, difference->total,
                         difference->first);
    }
  }
  return {};
}

}  // namespace

CaseResult run_mapped(const MappedCase& mapped, const OnnxCase& onnx_case, const std::filesystem::path& directory) {
  CaseResult result{onnx_case.name, onnx_case.op, mapped.note, mapped.skipped, {}};
  if (mapped.skipped) return result;
  try {
    result.failure = run_program(write_case(mapped, onnx_case.name, directory));
  } catch (const InputError& error) {
    result.failure = error.what();
  }
  return result;
}

CaseResult run_case(const OnnxCase& onnx_case, const std::filesystem::path& directory) {
  return run_mapped(map_case(onnx_case), onnx_case, directory);
}

std::string conformance_page(const std::vector<CaseResult>& results) {
  struct Totals {
    unsigned passed = 0, skipped = 0, failed = 0;
  };
  std::map<std::string, Totals> totals;
  for (const std::string& op : mapped_ops()) totals[op] = {};
  std::string cases;
  for (const CaseResult& result : results) {
    Totals& total = totals[result.op];
    std::string outcome;
    if (result.skipped) {
      ++total.skipped;
      outcome = fmt::format("skipped ({})", name_of(*result.skipped));
    } else if (result.passed()) {
      ++total.passed;
      outcome = result.note.empty() ? "passed" : fmt::format("passed ({})", result.note);
    } else {
      ++total.failed;
      outcome = "FAILED: " + result.failure;
    }
    cases += fmt::format("| {} | {} | {} |\n", result.name, result.op, outcome);
  }
  std::string page =
      "# Conformance to the ONNX node tests\n"
      "\n"
      "Written by `scripts/conformance`; a test compares this page with a fresh one. The cases are the single-node "
      "tests\n"
      "of Debian's `libonnx-testdata`, which nobody here wrote: each becomes program text with its data in `.npy` "
      "files\n"
      "(`testbench/conformance/mapping.h` says how), runs on the simulator and is compared with the outputs that ONNX\n"
      "gives: maxima, minima and integers exactly, everything else within 1e-6 relative. Where terms cancel, that "
      "takes\n"
      "the same order of additions: ONNX's values come from NumPy, which adds eight or more numbers pairwise, a pool\n"
      "instruction adds them one after another. In `test_averagepool_2d_strides`, windows of 25, the orders differ by "
      "up\n"
      "to 1.6e-5 relative (3.8e-8 absolute). Such an average is computed by both: in ONNX's order with "
      "`tensor_tensor`,\n"
      "within 1e-6 relative like all else, and by `pool`, within 1e-7 absolute besides. To see a case as a program:\n"
      "`build/release/testbench/conformance/tpb_conformance export CASE DIRECTORY`.\n"
      "\n"
      "A case is left out for one of these reasons only:\n"
      "\n"
      "- `padding`: the window would take values from outside the input; a pool instruction has no such values.\n"
      "- `ceil_mode`: the last window would leave the input.\n"
      "- `3-D`: the window has three dimensions; an instruction's window has two.\n"
      "- `dtype`: the core has no such type (64 bits, strings).\n"
      "- `truncation`: ONNX's bf16 values are fp32 cut off; the core rounds to nearest even.\n"
      "- `fmod`: the remainder takes the sign of the dividend; the core's takes the divisor's.\n"
      "\n"
      "TopK, ArgMax and ArgMin are `max8` and `max_index` on rows padded with -inf, CumSum is\n"
      "`tensor_scalar_cumulative`; 64-bit indices are compared as uint32. An operator without a case has none in the\n"
      "package.\n"
      "\n"
      "| operator | passed | skipped | failed |\n"
      "|---|---|---|---|\n";
  Totals all;
  for (const auto& [op, total] : totals) {
    page += fmt::format("| {} | {} | {} | {} |\n", op, total.passed, total.skipped, total.failed);
    all.passed += total.passed;
    all.skipped += total.skipped;
    all.failed += total.failed;
  }
  page += fmt::format("| all | {} | {} | {} |\n\n", all.passed, all.skipped, all.failed);
  return page + "| case | operator | outcome |\n|---|---|---|\n" + cases;
}

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tpbsim-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
  path_ = pattern;
}
TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tpb
