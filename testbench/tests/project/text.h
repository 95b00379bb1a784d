// What the pages of the tree promise: links and commands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tpb {

// Targets of the links of a page that are files of the tree: no URL, no anchor within the page; anchors cut off.
std::vector<std::string> linked_files(std::string_view markdown);

// One line `$ command` of a fenced ```sh block and the lines after it, up to the next command or the end of the block.
struct ShownCommand {
  std::string command;
  std::string output;
};
std::vector<ShownCommand> shown_commands(std::string_view markdown);

// The contents of the fenced blocks of a page that carry this language.
std::vector<std::string> fenced_blocks(std::string_view markdown, std::string_view language);

// The lines of a file without comments (#) and blank lines.
std::vector<std::string> plain_lines(std::string_view text);

}  // namespace tpb
