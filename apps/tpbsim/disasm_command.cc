#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "apps/tpbsim/session.h"
#include "models/program/assembler.h"
#include "testbench/observers/output_file.h"

namespace tpb {

int disassemble_program(const Command& command, std::span<const std::string> words) {
  Arguments arguments(command, "PROGRAM");
  add_config_options(arguments);
  arguments.options().add_options()("output,o", one_text("FILE"), "the text; default: standard output");
  if (!arguments.parse(words)) return kDone;

  const Session session = open_program(arguments.positional(), config_request(arguments));
  const auto output = arguments.text("output");
  if (!output) {
    std::cout << disassemble(session.program, session.config.config, std::filesystem::current_path());
    return kDone;
  }
  require_writable(*output);
  std::error_code error;
  if (std::filesystem::equivalent(arguments.positional(), *output, error)) {
    arguments.refuse(fmt::format("the text would replace '{}', expected another name after -o", *output));
  }
  const std::string text =
      disassemble(session.program, session.config.config, std::filesystem::absolute(*output).parent_path());
  write_file_atomically(*output, [&](std::ostream& out) { out << text; });
  return kDone;
}

}  // namespace tpb
