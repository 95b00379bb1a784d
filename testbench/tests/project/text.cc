#include "testbench/tests/project/text.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace tpb {

std::vector<std::string> linked_files(std::string_view markdown) {
  static const std::regex kLink(R"(\]\(([^)\s]+)\))");
  std::vector<std::string> files;
  for (std::cregex_iterator match(markdown.data(), markdown.data() + markdown.size(), kLink), end; match != end;
       ++match) {
    std::string target = (*match)[1];
    if (target.find("://") != std::string::npos || target.starts_with("#")) continue;
    files.push_back(target.substr(0, target.find('#')));
  }
  return files;
}

std::vector<std::string> fenced_blocks(std::string_view markdown, std::string_view language) {
  std::vector<std::string> blocks;
  std::istringstream lines{std::string(markdown)};
  std::string line;
  while (std::getline(lines, line)) {
    if (!line.starts_with("```")) continue;
    const bool wanted = line.substr(3) == language;
    std::string block;
    while (std::getline(lines, line) && line != "```") block += line + "\n";
    if (wanted) blocks.push_back(std::move(block));
  }
  return blocks;
}

std::vector<ShownCommand> shown_commands(std::string_view markdown) {
  constexpr std::string_view kPrompt = "$ ";
  std::vector<ShownCommand> commands;
  for (const std::string& block : fenced_blocks(markdown, "sh")) {
    bool within_command = false;
    std::istringstream lines(block);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(kPrompt)) {
        commands.push_back({line.substr(kPrompt.size()), {}});
        within_command = true;
      } else if (within_command) {
        commands.back().output += line + "\n";
      }
    }
  }
  return commands;
}

std::vector<std::string> plain_lines(std::string_view text) {
  std::vector<std::string> plain;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    line.erase(std::min(line.find('#'), line.size()));
    line.erase(line.find_last_not_of(" \t") + 1);
    if (!line.empty()) plain.push_back(line);
  }
  return plain;
}

}  // namespace tpb
