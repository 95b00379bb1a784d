// Tests on the tree itself: layers, links, commands shown, packages named.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "testbench/tests/project/layers.h"
#include "testbench/tests/project/text.h"

namespace tpb {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const fs::path kRoot = TPB_SOURCE_DIR;

std::string contents(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Files of the tree, relative to its root; what is built or hidden is not part of it.
std::vector<fs::path> files_with(const std::vector<std::string>& extensions) {
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator entry(kRoot), end; entry != end; ++entry) {
    const std::string name = entry->path().filename().string();
    if (entry->is_directory() && (name == "build" || name.starts_with("."))) {
      entry.disable_recursion_pending();
    } else if (std::find(extensions.begin(), extensions.end(), entry->path().extension()) != extensions.end()) {
      files.push_back(fs::relative(entry->path(), kRoot));
    }
  }
  return files;
}

TEST(Layers, EveryFileIncludesOnlyWhatStandsBelowIt) {
  const std::vector<fs::path> files = files_with({".cc", ".h", ".def"});
  EXPECT_GT(files.size(), 20U);
  for (const fs::path& file : files) EXPECT_THAT(include_problems(file.string(), contents(kRoot / file)), IsEmpty());
}

TEST(Layers, TheRuleSeesWhatBreaksIt) {
  EXPECT_THAT(include_problems("models/units/a.cc", "#include <systemc>\n#include \"tlm/access.h\"\n"), IsEmpty());
  EXPECT_THAT(include_problems("models/config/a.cc", "#include <systemc>\n"), SizeIs(1));
  EXPECT_THAT(include_problems("models/config/a.cc", "#include <tlm_utils/simple_target_socket.h>\n"), SizeIs(1));
  EXPECT_THAT(include_problems("models/isa/a.h", "#include \"models/timing/cost.h\"\n"), SizeIs(1));        // above
  EXPECT_THAT(include_problems("models/tile/a.h", "#include \"models/datapath/execute.h\"\n"), SizeIs(1));  // beside
  EXPECT_THAT(include_problems("models/isa/a.h", "#include \"dtype.h\"\n"), SizeIs(1));  // not root-relative
  EXPECT_THAT(include_problems("tools/a.h", ""), SizeIs(1));                             // in no layer
}

TEST(Pages, EveryLinkLeadsToAFile) {
  for (const fs::path& page : files_with({".md"})) {
    for (const std::string& target : linked_files(contents(kRoot / page))) {
      EXPECT_TRUE(fs::exists(kRoot / page.parent_path() / target)) << page << " links to " << target;
    }
  }
}

TEST(Pages, TheMapNamesEveryPage) {
  const std::vector<std::string> mapped = linked_files(contents(kRoot / "docs/README.md"));
  for (const fs::path& page : files_with({".md"})) {
    if (page.parent_path() != "docs" || page.filename() == "README.md") continue;
    EXPECT_THAT(mapped, testing::Contains(page.filename().string()));
  }
}

TEST(Pages, LinksAndCommandsAreFound) {
  EXPECT_THAT(linked_files("[a](b.md#c), [d](#e), [f](https://example.org/) [g](h/i.tpb)"),
              ElementsAre("b.md", "h/i.tpb"));
  const auto commands = shown_commands("$ no\n```sh\n$ one\nx\ny\n$ two\n```\n```\n$ no\n```\n");
  ASSERT_THAT(commands, SizeIs(2));
  EXPECT_EQ(commands[0].command, "one");
  EXPECT_EQ(commands[0].output, "x\ny\n");
  EXPECT_EQ(commands[1].command, "two");
  EXPECT_EQ(commands[1].output, "");
}

// A command is one of the scripts, which must be there and executable, or tpbsim, which is run in the root of the tree
// and must print what the page shows.
TEST(Readme, EveryCommandDoesWhatIsShown) {
  const std::vector<ShownCommand> commands = shown_commands(contents(kRoot / "README.md"));
  EXPECT_THAT(commands, testing::Not(IsEmpty()));
  for (const auto& [command, expected] : commands) {
    if (command.starts_with("scripts/")) {
      const fs::path script = kRoot / command.substr(0, command.find(' '));
      ASSERT_TRUE(fs::exists(script)) << command;
      EXPECT_NE(fs::status(script).permissions() & fs::perms::owner_exec, fs::perms::none) << command;
    } else {
      ASSERT_TRUE(command.starts_with("tpbsim ")) << command;
      const std::string line = fmt::format("cd '{}' && {}{} 2>&1", kRoot.string(), TPB_PROGRAM, command.substr(6));
      std::FILE* pipe = ::popen(line.c_str(), "r");
      ASSERT_NE(pipe, nullptr);
      std::string output;
      for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output += static_cast<char>(c);
      EXPECT_EQ(::pclose(pipe), 0) << command;
      EXPECT_EQ(output, expected) << command;
    }
  }
}

TEST(Readme, ShownProgramsAreExampleFiles) {
  std::vector<std::string> examples;
  for (const auto& entry : fs::directory_iterator(kRoot / "docs/examples")) examples.push_back(contents(entry.path()));
  const std::vector<std::string> shown = fenced_blocks(contents(kRoot / "README.md"), "tpb");
  EXPECT_THAT(shown, testing::Not(IsEmpty()));
  for (const std::string& program : shown) EXPECT_THAT(examples, testing::Contains(program));
}

// Those that read files are given them by scripts/demo.
TEST(Examples, RunWhenTheyNeedNoFiles) {
  unsigned run = 0;
  for (const auto& entry : fs::directory_iterator(kRoot / "docs/examples")) {
    if (entry.path().extension() != ".tpb" || contents(entry.path()).find(".npy") != std::string::npos) continue;
    const std::string line = fmt::format("'{}' run '{}' >/dev/null 2>&1", TPB_PROGRAM, entry.path().string());
    EXPECT_EQ(std::system(line.c_str()), 0) << line;
    ++run;
  }
  EXPECT_GE(run, 2U);
}

TEST(Scripts, StopAtTheFirstFailure) {
  for (const auto& entry : fs::directory_iterator(kRoot / "scripts")) {
    EXPECT_THAT(contents(entry.path()), testing::HasSubstr("\nset -euo pipefail\n")) << entry.path();
  }
}

TEST(Packages, EveryOneHasItsReasonOnTheDependenciesPage) {
  const std::string page = contents(kRoot / "docs/dependencies.md");
  const std::vector<std::string> packages = plain_lines(contents(kRoot / "packages.txt"));
  EXPECT_GT(packages.size(), 10U);
  for (const std::string& package : packages) {
    EXPECT_THAT(page, testing::HasSubstr("`" + package + "`"));
  }
}

}  // namespace
}  // namespace tpb
