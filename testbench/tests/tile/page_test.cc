// docs/trowmin.md: every rule has tests, every test that it names exists and passes.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "testbench/tests/tile/machine.h"

namespace tpb::tile::test {
namespace {

// `- **L2.1** text`: a rule. `| L2.1 | Suite.Name, Suite.Name |`: its tests. `## Legality: 7 entries`: a list.
struct Page {
  std::vector<std::string> rules;
  std::map<std::string, std::vector<std::string>> tests;
  std::map<char, unsigned> entries;  // by the first letter of the list
};

Page read_page() {
  static const std::regex kRule(R"(- \*\*([A-Z]\d+\.\d+)\*\* .*)"), kRow(R"(\| ([A-Z]\d+\.\d+) \| (.*) \|)"),
      kList(R"(## ([A-Z]).*: (\d+) entries)"), kTest(R"(\w+\.\w+)");
  Page page;
  std::ifstream file(TPB_SOURCE_DIR "/docs/trowmin.md");
  std::smatch match;
  for (std::string line; std::getline(file, line);) {
    if (std::regex_match(line, match, kRule)) {
      page.rules.push_back(match[1]);
    } else if (std::regex_match(line, match, kList)) {
      page.entries[match[1].str()[0]] = static_cast<unsigned>(std::stoul(match[2]));
    } else if (std::regex_match(line, match, kRow)) {
      const std::string cell = match[2];
      auto& names = page.tests[match[1]];
      for (std::sregex_iterator name(cell.begin(), cell.end(), kTest), end; name != end; ++name) {
        names.push_back(name->str());
      }
    }
  }
  return page;
}

std::set<std::string> named_tests(const Page& page) {
  std::set<std::string> names;
  for (const auto& [rule, tests] : page.tests) names.insert(tests.begin(), tests.end());
  return names;
}

std::set<std::string> tests_of_this_program() {
  std::set<std::string> names;
  const auto& program = *testing::UnitTest::GetInstance();
  for (int i = 0; i < program.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *program.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      names.insert(fmt::format("{}.{}", suite.name(), suite.GetTestInfo(j)->name()));
    }
  }
  return names;
}

TEST(Page, RestatesEveryEntryOfTheSeed) {
  // Legality, defaults, exceptions, ordering, state effects: so many entries, each with a rule at least.
  const std::map<char, unsigned> entries{{'L', 7}, {'D', 3}, {'E', 3}, {'O', 3}, {'S', 3}};
  const Page page = read_page();
  EXPECT_EQ(page.entries, entries);
  std::set<std::string> restated;
  for (const std::string& rule : page.rules) restated.insert(rule.substr(0, rule.find('.')));
  for (const auto& [list, count] : entries) {
    for (unsigned entry = 1; entry <= count; ++entry) {
      EXPECT_EQ(restated.erase(fmt::format("{}{}", list, entry)), 1U) << list << entry;
    }
  }
  EXPECT_TRUE(restated.empty());
}

TEST(Page, HasATestForEveryRule) {
  const Page page = read_page();
  EXPECT_EQ(std::set(page.rules.begin(), page.rules.end()).size(), page.rules.size()) << "a rule twice";
  for (const std::string& rule : page.rules) {
    const auto row = page.tests.find(rule);
    EXPECT_TRUE(row != page.tests.end() && !row->second.empty()) << rule;
  }
  EXPECT_EQ(page.tests.size(), page.rules.size()) << "tests of no rule";
}

TEST(Page, NamesTestsThatExist) {
  const std::set<std::string> existing = tests_of_this_program();
  const std::set<std::string> named = named_tests(read_page());
  EXPECT_GT(named.size(), 30U);
  for (const std::string& name : named) EXPECT_TRUE(existing.contains(name)) << name;
}

// By this program, started again: none is skipped or disabled.
TEST(Page, NamesTestsThatRun) {
  const std::set<std::string> named = named_tests(read_page());
  for (const std::string& name : named) ASSERT_FALSE(name.starts_with("Page.")) << "it would not end";
  const std::string command =
      fmt::format("'{}' --gtest_color=no --gtest_filter={}", testing::internal::GetArgvs()[0], fmt::join(named, ":"));
  std::FILE* pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output += static_cast<char>(c);
  EXPECT_EQ(::pclose(pipe), 0);
  for (const std::string& name : named) {
    EXPECT_THAT(output, testing::HasSubstr(fmt::format("[       OK ] {} (", name)));
  }
}

}  // namespace
}  // namespace tpb::tile::test
