// Runs ONNX node tests on the platform as a user would: program text, .npy files, .expect.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "testbench/conformance/mapping.h"
#include "testbench/conformance/onnx_cases.h"

namespace tpb {

struct CaseResult {
  std::string name, op, note;
  std::optional<SkipReason> skipped;
  std::string failure;  // empty: every .expect was met

  bool passed() const { return !skipped && failure.empty(); }
};

// Writes the case into `directory`, assembles and runs it there, and compares what it expects.
CaseResult run_case(const OnnxCase& onnx_case, const std::filesystem::path& directory);
// The same for a case that has been mapped, altered or not.
CaseResult run_mapped(const MappedCase& mapped, const OnnxCase& onnx_case, const std::filesystem::path& directory);

// The page docs/conformance.md: every case with its outcome, totals per operator.
std::string conformance_page(const std::vector<CaseResult>& results);

// A directory of this process under the system's temporary directory, removed with the object.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tpb
