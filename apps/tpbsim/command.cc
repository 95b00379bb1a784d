#include "apps/tpbsim/command.h"

#include <fmt/format.h>

#include <iostream>

#include "models/config/input_error.h"

namespace tpb {
namespace po = boost::program_options;

Arguments::Arguments(const Command& command, std::optional<std::string> positional)
    : command_(command), positional_(std::move(positional)) {
  options_.add_options()("help,h", "print this help");
}

bool Arguments::parse(std::span<const std::string> arguments) {
  // The name of a hidden option would be accepted as one; this one cannot be typed.
  po::options_description all;
  all.add(options_);
  po::positional_options_description places;
  if (positional_) {
    all.add_options()(kPositional, po::value<std::string>());
    places.add(kPositional, 1);
  }
  // Guessing would take a misspelt option for the one it abbreviates.
  const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
  try {
    po::store(po::command_line_parser({arguments.begin(), arguments.end()})
                  .options(all)
                  .positional(places)
                  .style(style)
                  .run(),
              values_);
    po::notify(values_);
  } catch (const po::unknown_option& error) {
    std::vector<std::string> names;
    for (const auto& option : options_.options()) names.push_back("--" + option->long_name());
    const std::string given = error.get_option_name();
    refuse(fmt::format("unknown option '{}', expected one that 'tpbsim {} --help' lists{}", given, command_.name,
                       suggestion(given, {names.begin(), names.end()})));
  } catch (const po::too_many_positional_options_error&) {
    refuse(positional_ ? fmt::format("more than one argument, expected {}", *positional_)
                       : "an argument, expected options only");
  } catch (const po::error& error) {
    refuse(fmt::format("{}, expected {}", error.what(), command_.usage));
  }
  if (!has("help")) return true;
  print_help();
  return false;
}

std::optional<std::string> Arguments::text(const std::string& option) const {
  return has(option) ? std::optional(values_[option].as<std::string>()) : std::nullopt;
}

std::vector<std::string> Arguments::texts(const std::string& option) const {
  return has(option) ? values_[option].as<std::vector<std::string>>() : std::vector<std::string>{};
}

std::string Arguments::positional() const {
  if (!has_positional()) refuse(fmt::format("no {}, expected {}", *positional_, command_.usage));
  return values_[kPositional].as<std::string>();
}

void Arguments::refuse(const std::string& message) const {
  throw InputError(Diagnostic{fmt::format("tpbsim {}", command_.name), 0, 0, message});
}

void Arguments::print_help() const {
  std::cout << fmt::format("Usage: tpbsim {} {}\n\n{}\n\n", command_.name, command_.usage, command_.details);
  std::cout << options_;
}

po::typed_value<std::string>* one_text(const char* shown) { return po::value<std::string>()->value_name(shown); }

po::typed_value<std::vector<std::string>>* many_texts(const char* shown) {
  return po::value<std::vector<std::string>>()->composing()->value_name(shown);
}

Assignment assignment_of(const Arguments& arguments, std::string_view option, std::string_view form,
                         const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    arguments.refuse(fmt::format("{} '{}', expected {}", option, text, form));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace tpb
