// tpbsim: the command line.
#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <systemc>

#include "apps/tpbsim/command.h"
#include "models/config/input_error.h"

namespace tpb {
namespace {

constexpr std::string_view kHelpHint = "expected a command that 'tpbsim --help' lists";

void print_overview(std::ostream& out) {
  out << "Usage: tpbsim COMMAND [arguments]\n\n"
         "Runs programs of a NeuronCore-like core: what they compute, how long they take and why.\n\nCommands:\n";
  for (const Command& command : commands()) out << fmt::format("  {:<16}{}\n", command.name, command.summary);
  out << "\n  --version       print the version\n"
         "  --help          print this help; after a command, its help\n";
}

// The command that the first words name, and how many words they are.
const Command& find_command(std::span<const std::string> arguments, std::size_t& words) {
  std::vector<std::string_view> names, first_words;
  for (const Command& command : commands()) {
    names.push_back(command.name);
    const std::size_t space = command.name.find(' ');
    words = space == std::string_view::npos ? 1 : 2;
    if (words == 1 && arguments[0] == command.name) return command;
    if (words == 2 && arguments.size() > 1 && arguments[0] + " " + arguments[1] == command.name) return command;
    if (words == 2) first_words.push_back(command.name.substr(0, space));
  }
  std::string given = arguments[0];
  for (std::string_view first : first_words) {
    if (given != first) continue;
    if (arguments.size() > 1) given += " " + arguments[1];
    break;
  }
  throw InputError(Diagnostic{"tpbsim", 0, 0,
                              fmt::format("unknown command '{}', {}{}", given, kHelpHint, suggestion(given, names))});
}

int run_command_line(std::span<const std::string> arguments) {
  if (arguments.empty()) {
    print_overview(std::cerr);
    return kUnusableInput;
  }
  if (arguments[0] == "--help" || arguments[0] == "-h") {
    print_overview(std::cout);
    return kDone;
  }
  if (arguments[0] == "--version") {
    std::cout << "tpbsim " TPB_VERSION "\n";
    return kDone;
  }
  std::size_t words = 0;
  const Command& command = find_command(arguments, words);
  return command.run(command, arguments.subspan(words));
}

}  // namespace
}  // namespace tpb

int sc_main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    const int code = tpb::run_command_line(arguments);
    // What was printed may not have arrived: a full disk, a closed pipe.
    if (std::cout.flush()) return code;
    std::cerr << "tpbsim:0:0: error: standard output cannot be written, expected it to take what is printed\n";
    return tpb::kUnusableInput;
  } catch (const tpb::InputError& error) {
    std::cerr << error.what() << '\n';
    return tpb::kUnusableInput;
  } catch (const std::exception& error) {
    std::cerr << "tpbsim: internal error: " << error.what() << '\n';
    return tpb::kInternalError;
  }
}

int main(int argc, char** argv) {
  // SystemC's own main would print its copyright notice before every run.
  ::setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
