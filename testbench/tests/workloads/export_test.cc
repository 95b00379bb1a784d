// Workloads as files, and their page.
#include <fstream>
#include <sstream>

#include "models/program/contents.h"
#include "models/program/image.h"
#include "testbench/tests/workloads/run_workload.h"
#include "testbench/workloads/export.h"

namespace tpb::workloads {
namespace {

namespace fs = std::filesystem;

TEST(SavedWorkload, IsJudgedByItsImage) {
  const fs::path directory = fs::temp_directory_path() / ("tpbsim_workload_" + std::to_string(getpid()));
  const fs::path image = save(workload_named("softmax"), Generation::mariana, nki::Dtype::bfloat16, directory);
  const Config config = test::config_for(Generation::mariana);
  const Program program = read_image(image, config.limits);
  ASSERT_EQ(program.expectations.size(), 1U);
  const Expectation& expectation = program.expectations[0];
  const Tensor& y = *program.find(expectation.tensor);
  const auto expected = read_npy(expectation.path, y, program.name, 0, config.limits);
  fs::remove_all(directory);
  const test::Ran ran = test::run_program(program, config);
  EXPECT_FALSE(compare(y, ran.bytes("y"), expected, expectation).has_value());
}

TEST(WorkloadsPage, IsWhatTheScriptWrites) {
  std::stringstream page;
  page << std::ifstream(fs::path(TPB_SOURCE_DIR) / "docs/workloads.md").rdbuf();
  EXPECT_EQ(page.str(), workloads_page()) << "scripts/workloads writes it";
}

}  // namespace
}  // namespace tpb::workloads
