// The commands of tpbsim, and the reading of a command's arguments.
#pragma once

#include <boost/program_options.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/tpbsim/exit_code.h"

namespace tpb {

struct Command {
  std::string_view name;     // "run", "config show"
  std::string_view usage;    // what follows the name, "PROGRAM [options]"
  std::string_view summary;  // one line, for the list of commands
  std::string_view details;  // paragraphs and examples, for --help
  int (*run)(const Command& command, std::span<const std::string> arguments);
};

// In the order in which help shows them.
std::span<const Command> commands();

// One per file.
int run_program(const Command& command, std::span<const std::string> arguments);
int check_program(const Command& command, std::span<const std::string> arguments);
int assemble_program(const Command& command, std::span<const std::string> arguments);
int disassemble_program(const Command& command, std::span<const std::string> arguments);
int run_nki_calls(const Command& command, std::span<const std::string> arguments);
int show_config(const Command& command, std::span<const std::string> arguments);
int explain_config(const Command& command, std::span<const std::string> arguments);
int list_isa(const Command& command, std::span<const std::string> arguments);
int list_kernels(const Command& command, std::span<const std::string> arguments);

// The options and the one positional argument of a command. Every problem is an InputError that says what was expected.
class Arguments {
 public:
  // `positional`: what the argument without a name is called ("PROGRAM"); nothing when the command takes none.
  Arguments(const Command& command, std::optional<std::string> positional);

  boost::program_options::options_description& options() { return options_; }

  // False when --help was asked for and has been printed.
  bool parse(std::span<const std::string> arguments);

  bool has(const std::string& option) const { return values_.contains(option); }
  std::optional<std::string> text(const std::string& option) const;
  std::vector<std::string> texts(const std::string& option) const;
  // Throws when it was not given.
  std::string positional() const;
  bool has_positional() const { return has(kPositional); }

  // Throws: a problem with the command line itself.
  [[noreturn]] void refuse(const std::string& message) const;

 private:
  static constexpr const char* kPositional = "argument";
  void print_help() const;

  const Command& command_;
  std::optional<std::string> positional_;
  boost::program_options::options_description options_{"Options"};
  boost::program_options::variables_map values_;
};

// An option's value that is one text, and one that may be repeated.
boost::program_options::typed_value<std::string>* one_text(const char* shown);
boost::program_options::typed_value<std::vector<std::string>>* many_texts(const char* shown);

// NAME=FILE of an option. `form` is how help spells it.
struct Assignment {
  std::string name;
  std::string value;
};
Assignment assignment_of(const Arguments& arguments, std::string_view option, std::string_view form,
                         const std::string& text);

}  // namespace tpb
