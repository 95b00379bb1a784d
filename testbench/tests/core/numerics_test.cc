// docs/numerics.md, rule by rule: every block is a program that carries its own outcome in comments.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <ostream>
#include <set>
#include <sstream>

#include "models/config/input_error.h"
#include "testbench/tests/support/run_program.h"

namespace tpb::test {
namespace {

constexpr std::string_view kPage = TPB_SOURCE_DIR "/docs/numerics.md";

struct Example {
  std::string rule;                                      // the section's heading
  int blocks = 0;                                        // of program text
  std::string program;                                   // the last of them
  std::map<std::string, std::string, std::less<>> bits;  // `#= TENSOR HEX...`: per tensor, blank before each
  std::string fault;                                     // `#! rule=NAME`
  std::string error;                                     // `#! error=TEXT`
  std::vector<std::string> warnings;                     // `#! warning=TEXT`, in time order
  std::vector<std::string> settings;                     // `#: KEY=VALUE`
  std::vector<std::string> unknown;                      // other lines that begin like one of these
  friend std::ostream& operator<<(std::ostream& out, const Example& example) { return out << example.rule; }
};

// Whether `line` begins with `mark`, which is cut off.
bool take(std::string& line, std::string_view mark) {
  if (!line.starts_with(mark)) return false;
  line.erase(0, mark.size());
  return true;
}

void read_line(Example& example, const std::string& text) {
  example.program += text + "\n";
  std::string line = text;
  if (take(line, "#= ")) {
    std::istringstream words(line);
    std::string tensor;
    words >> tensor;
    for (std::string word; words >> word;) example.bits[tensor] += " " + word;
  } else if (take(line, "#! rule=")) {
    example.fault = line;
  } else if (take(line, "#! error=")) {
    example.error = line;
  } else if (take(line, "#! warning=")) {
    example.warnings.push_back(line);
  } else if (take(line, "#: ")) {
    example.settings.push_back(line);
  } else if (line.starts_with("#=") || line.starts_with("#!") || line.starts_with("#:")) {
    example.unknown.push_back(line);
  }
}

std::vector<Example> examples() {
  std::ifstream page{std::string(kPage)};
  std::vector<Example> found;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (inside) {
      inside = line != "```";
      if (inside) read_line(found.back(), line);
    } else if (take(line, "### ")) {
      found.emplace_back().rule = line;
    } else if (line == "```tpb" && !found.empty()) {
      inside = true;
      ++found.back().blocks;
    }
  }
  return found;
}

// The elements of a tensor as one writes numbers, a blank before each.
std::string bits_of(const Ran& ran, const std::string& name) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto tensor = std::ranges::find(ran.program.tensors, name, &Tensor::name);
  if (tensor == ran.program.tensors.end()) return " no tensor " + name;
  const std::vector<std::uint8_t> bytes = ran.bytes(name);
  const std::size_t size = bytes_of(tensor->dtype);
  std::string words;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    words += ' ';
    for (std::size_t i = size; i-- > 0;) {
      words += kDigits[bytes[at + i] >> 4];
      words += kDigits[bytes[at + i] & 0xF];
    }
  }
  return words;
}

class Numerics : public testing::TestWithParam<Example> {};

TEST_P(Numerics, TheExampleHolds) {
  const Example& example = GetParam();
  ASSERT_EQ(example.blocks, 1) << "a rule has one example";
  ASSERT_THAT(example.unknown, testing::IsEmpty());
  ASSERT_EQ((example.bits.empty() ? 0 : 1) + (example.fault.empty() ? 0 : 1) + (example.error.empty() ? 0 : 1), 1)
      << "an example expects bits, a fault or an error";
  Ran ran;
  try {
    ran = run_text(example.program, {}, example.settings);
  } catch (const InputError& error) {
    ASSERT_FALSE(example.error.empty()) << error.what();
    EXPECT_THAT(error.what(), testing::HasSubstr(example.error));
    return;
  }
  ASSERT_EQ(example.error, "") << "the text was accepted";
  if (!example.fault.empty()) {
    ASSERT_FALSE(ran.result.faults.empty()) << "nothing was refused";
    EXPECT_EQ(ran.result.faults.front().violation.rule, example.fault);
    return;
  }
  for (const Fault& fault : ran.result.faults) ADD_FAILURE() << fault.violation.rule << " " << fault.violation.field;
  ASSERT_EQ(ran.result.end, RunEnd::done);
  ASSERT_EQ(ran.result.warnings.size(), example.warnings.size());
  for (std::size_t i = 0; i < example.warnings.size(); ++i) {
    EXPECT_THAT(ran.result.warnings[i].text, testing::HasSubstr(example.warnings[i]));
  }
  for (const auto& [tensor, bits] : example.bits) EXPECT_EQ(bits_of(ran, tensor), bits) << tensor;
}

INSTANTIATE_TEST_SUITE_P(Page, Numerics, testing::ValuesIn(examples()), [](const auto& example) {
  std::string name = example.param.rule;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST(NumericsPage, NamesEveryRuleOnce) {
  std::set<std::string> rules;
  for (const Example& example : examples()) {
    EXPECT_TRUE(rules.insert(example.rule).second) << example.rule;
    EXPECT_THAT(example.rule, testing::MatchesRegex("[a-z0-9][a-z0-9-]*"));
  }
  EXPECT_GE(rules.size(), 60U);
}

}  // namespace
}  // namespace tpb::test
