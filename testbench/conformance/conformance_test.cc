// The ONNX node tests, an operator a test, and the page about them.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

#include "testbench/conformance/runner.h"

namespace tpb {
namespace {

std::vector<CaseResult> run_all(const std::vector<std::string>& ops) {
  const TemporaryDirectory directory;
  std::vector<CaseResult> results;
  for (const OnnxCase& onnx_case : read_onnx_cases(onnx_node_tests(), ops)) {
    results.push_back(run_case(onnx_case, directory.path() / onnx_case.name));
  }
  return results;
}

class OnnxOperator : public testing::TestWithParam<std::string> {};

TEST_P(OnnxOperator, MeetsEveryNodeTest) {
  const std::vector<CaseResult> results = run_all({GetParam()});
  if (results.empty()) GTEST_SKIP() << "the package has no case of " << GetParam();
  for (const CaseResult& result : results) EXPECT_EQ(result.failure, "") << result.name;
  EXPECT_TRUE(std::ranges::any_of(results, &CaseResult::passed));
}

INSTANTIATE_TEST_SUITE_P(All, OnnxOperator, testing::ValuesIn(mapped_ops()),
                         [](const auto& test) { return test.param; });

// A case that passed once and no longer does, or a reason that appears, is a difference.
TEST(ConformancePage, IsWhatARunWrites) {
  std::ifstream file(TPB_SOURCE_DIR "/docs/conformance.md");
  std::stringstream committed;
  committed << file.rdbuf();
  EXPECT_EQ(committed.str(), conformance_page(run_all(mapped_ops()))) << "scripts/conformance writes the page again";
}

TEST(ConformancePage, LeavesOutOnlyWhatTheReasonsExcuse) {
  for (const OnnxCase& onnx_case : read_onnx_cases(onnx_node_tests(), {"MaxPool", "AveragePool"})) {
    const bool excusable = onnx_case.name.find("pads") != std::string::npos ||
                           onnx_case.name.find("same_") != std::string::npos ||
                           onnx_case.name.find("ceil") != std::string::npos ||
                           onnx_case.name.find("3d") != std::string::npos || onnx_case.integers.contains("pads");
    if (!excusable) {
      EXPECT_FALSE(map_case(onnx_case).skipped) << onnx_case.name;
    }
  }
}

// A max pooling case of `channels` one-row images 1 2 3, windows of two: 2 3 each, plus the channel.
OnnxCase row_case(std::int64_t channels) {
  OnnxCase onnx_case;
  onnx_case.name = "rows";
  onnx_case.op = "MaxPool";
  onnx_case.integers["kernel_shape"] = {2};
  const auto array = [&](const std::vector<float>& row) {
    std::vector<float> values;
    for (std::int64_t channel = 0; channel < channels; ++channel) {
      for (float value : row) values.push_back(value + static_cast<float>(channel));
    }
    Array result{Dtype::fp32, {1, channels, static_cast<std::int64_t>(row.size())}, {}, {}, {}};
    result.bytes.resize(values.size() * sizeof(float));
    std::memcpy(result.bytes.data(), values.data(), result.bytes.size());
    return result;
  };
  onnx_case.inputs = {array({1, 2, 3})};
  onnx_case.outputs = {array({2, 3})};
  return onnx_case;
}

TEST(Mapping, FoldsMoreThan128PartitionsIntoBlocks) {
  const TemporaryDirectory directory;
  const MappedCase mapped = map_case(row_case(300));  // 128 + 128 + 44
  ASSERT_EQ(mapped.files.size(), 6U);
  EXPECT_THAT(mapped.files.back().tensor.shape, testing::ElementsAre(44, 1, 2));
  EXPECT_EQ(run_mapped(mapped, row_case(300), directory.path()).failure, "");
}

TEST(Mapping, TakesSameUpperThatDoesNotPad) {
  OnnxCase onnx_case = row_case(1);  // one window of three in a row of three, stride three: nothing to pad
  onnx_case.strings["auto_pad"] = "SAME_UPPER";
  onnx_case.integers["kernel_shape"] = {3};
  onnx_case.integers["strides"] = {3};
  onnx_case.outputs[0].shape = {1, 1, 1};
  onnx_case.outputs[0].bytes.erase(onnx_case.outputs[0].bytes.begin(), onnx_case.outputs[0].bytes.begin() + 4);  // 3
  const TemporaryDirectory directory;
  const CaseResult result = run_case(onnx_case, directory.path());
  EXPECT_FALSE(result.skipped);
  EXPECT_EQ(result.failure, "");
}

TEST(Mapping, AWrongExpectationFails) {
  OnnxCase onnx_case = row_case(3);
  onnx_case.outputs[0].bytes[0] ^= 1;  // the last bit of one value of six
  const TemporaryDirectory directory;
  const CaseResult result = run_case(onnx_case, directory.path());
  EXPECT_FALSE(result.passed());
  EXPECT_THAT(result.failure, testing::HasSubstr("1 of 6 elements"));
}

}  // namespace
}  // namespace tpb
