// docs/nki.md: its example is a file, prints what is shown, and its table is the catalogue.
#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "models/nki/validators.h"
#include "testbench/tests/cli/tool.h"
#include "testbench/tests/project/text.h"

namespace tpb {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(TPB_SOURCE_DIR "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class NkiPage : public Tool {};

TEST_F(NkiPage, ExamplePrintsWhatIsShown) {
  const std::string page = contents("docs/nki.md");
  EXPECT_THAT(fenced_blocks(page, "json"), testing::ElementsAre(contents("docs/examples/nki_calls.json")));
  const auto commands = shown_commands(page);
  ASSERT_EQ(commands.size(), 1U);
  EXPECT_EQ(commands[0].command, "tpbsim nki docs/examples/nki_calls.json");
  const Finished finished = tpbsim("nki '" TPB_SOURCE_DIR "/docs/examples/nki_calls.json'");
  EXPECT_EQ(finished.code, 3);
  EXPECT_EQ(finished.out, commands[0].output);
}

TEST_F(NkiPage, TableIsTheCatalogue) {
  const std::string page = contents("docs/nki.md");
  std::string table;
  for (const nki::Validator& validator : nki::validators()) {
    table += fmt::format("| `{}` | {} | {} |\n", validator.name, validator.rule, validator.raises);
  }
  EXPECT_THAT(page, testing::HasSubstr(table));
}

}  // namespace
}  // namespace tpb
