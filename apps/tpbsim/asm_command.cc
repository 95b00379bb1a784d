#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <map>

#include "apps/tpbsim/legality_report.h"
#include "apps/tpbsim/session.h"
#include "models/program/image.h"
#include "models/program/symbols.h"
#include "testbench/observers/instruction_table.h"
#include "testbench/observers/output_file.h"

namespace tpb {
namespace {

// How often each engine has each opcode, and how many instructions it has.
void print_census(const Session& session) {
  const auto row = [](Engine engine, std::string_view opcode, std::string_view mnemonic, std::size_t count) {
    std::cout << fmt::format("{:<5} {:<4}  {:<28} {:>8}\n", name_of(engine), opcode, mnemonic, count);
  };
  for (Engine engine : kEngines) {
    const std::vector<Bundle>& bundles = session.program.sections[engine].bundles;
    std::map<std::uint8_t, std::size_t> counts;
    for (const Bundle& bundle : bundles) ++counts[bundle[0]];
    for (const auto& [opcode, count] : counts) {
      row(engine, fmt::format("0x{:02x}", opcode), mnemonic_of(opcode, session.config.config.semantics), count);
    }
    if (!bundles.empty()) row(engine, "all", "", bundles.size());
  }
}

}  // namespace

int assemble_program(const Command& command, std::span<const std::string> words) {
  Arguments arguments(command, "PROGRAM");
  add_config_options(arguments);
  arguments.options().add_options()                                                        //
      ("output,o", one_text("FILE"), "the image; default: the program's name with .tpbx")  //
      ("mode", one_text("MODE"), "generate, check or collect");
  if (!arguments.parse(words)) return kDone;

  const std::string mode = arguments.text("mode").value_or("generate");
  if (mode != "generate" && mode != "check" && mode != "collect") {
    arguments.refuse(unknown_name("mode", mode, {"generate", "check", "collect"}));
  }
  const std::string path = arguments.positional();
  const std::filesystem::path image =
      arguments.text("output").value_or(std::filesystem::path(path).replace_extension(".tpbx").string());
  if (mode != "generate" && arguments.has("output")) {
    arguments.refuse(fmt::format("-o with --mode {}, which writes nothing; expected one of them", mode));
  }
  const Session session = open_program(path, config_request(arguments));
  if (mode == "check") return report_legality(session);
  if (mode == "collect") {
    print_census(session);
    return kDone;
  }
  require_replaceable(image);
  std::error_code error;
  if (std::filesystem::equivalent(path, image, error)) {
    arguments.refuse(fmt::format("the image would replace '{}', expected another name after -o", path));
  }
  write_image(session.program, image);
  return kDone;
}

}  // namespace tpb
