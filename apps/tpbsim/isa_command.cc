#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "apps/tpbsim/command.h"
#include "models/isa/kernel_info.h"
#include "models/isa/opcode.h"
#include "models/isa/semantics.h"
#include "models/program/symbols.h"

namespace tpb {
namespace {

// Which opcode plays which role is the profile's choice; what is listed holds for the default one.
const SemanticsOptions kSemantics;

std::optional<Generation> generation_option(const Arguments& arguments) {
  const auto name = arguments.text("generation");
  if (!name) return std::nullopt;
  const auto generation = generation_from_name(*name);
  std::vector<std::string_view> names;
  for (Generation known : kGenerations) names.push_back(name_of(known));
  if (!generation) arguments.refuse(unknown_name("generation", *name, names));
  return generation;
}

std::optional<Layout> struct_option(const Arguments& arguments) {
  const auto name = arguments.text("struct");
  if (!name) return std::nullopt;
  const auto layout = layout_from_name(*name);
  std::vector<std::string_view> names;
  for (const OpcodeInfo& row : opcodes()) names.push_back(name_of(row.layout));
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  if (!layout) arguments.refuse(unknown_name("struct", *name, names));
  return layout;
}

// How a line of cells is written: columns for reading, or the rows of a Markdown table.
struct LineFormat {
  std::string_view cells;
  std::string_view under_header;
};

const LineFormat& format_option(const Arguments& arguments, const LineFormat& table, const LineFormat& markdown) {
  const std::string name = arguments.text("format").value_or("table");
  if (name == "markdown") return markdown;
  if (name != "table") {
    const std::vector<std::string_view> formats{"table", "markdown"};
    arguments.refuse(unknown_name("format", name, formats));
  }
  return table;
}

// Engines that accept an opcode in one generation.
std::string engines_of(const OpcodeInfo& role, Generation generation) {
  std::string text;
  for (Engine engine : kEngines) {
    if (!role.engines_in(generation).contains(engine)) continue;
    text.append(text.empty() ? "" : " ").append(name_of(engine));
  }
  return text.empty() ? "-" : text;
}

std::string_view or_dash(std::string_view text) { return text.empty() ? "-" : text; }

}  // namespace

int list_isa(const Command& command, std::span<const std::string> words) {
  constexpr LineFormat kTable{"{:<6}{:<31}{:<26}{:<17}{:<22}{:<14}{:<14}{}\n", ""};
  constexpr LineFormat kMarkdown{"| {} | {} | {} | {} | {} | {} | {} | {} |\n", "|---|---|---|---|---|---|---|---|\n"};
  Arguments arguments(command, std::nullopt);
  arguments.options().add_options()                                                    //
      ("generation", one_text("NAME"), "only the instructions that a generation has")  //
      ("struct", one_text("NAME"), "only the instructions of one layout, S3S3D3_TT")   //
      ("format", one_text("FORMAT"), "table (the default) or markdown");
  if (!arguments.parse(words)) return kDone;
  const std::optional<Generation> generation = generation_option(arguments);
  const std::optional<Layout> layout = struct_option(arguments);
  const LineFormat& format = format_option(arguments, kTable, kMarkdown);

  std::cout << fmt::format(fmt::runtime(format.cells), "code", "name", "text", "struct", "engines", "first", "last",
                           "modelled")
            << format.under_header;
  for (const OpcodeInfo& row : opcodes()) {
    if (generation && (*generation < row.first || *generation > row.last)) continue;
    // What a struct's members are does not depend on who plays which role.
    if (layout && row.layout != *layout) continue;
    const OpcodeInfo& role = *find_opcode(role_of(row.code, kSemantics));
    std::cout << fmt::format(fmt::runtime(format.cells), fmt::format("0x{:02x}", row.code), row.name,
                             or_dash(role.mnemonic), row.layout == Layout::none ? "-" : name_of(row.layout),
                             engines_of(role, generation.value_or(row.last)), name_of(row.first), name_of(row.last),
                             role.modelled ? "yes" : "no");
  }
  return kDone;
}

int list_kernels(const Command& command, std::span<const std::string> words) {
  Arguments arguments(command, std::nullopt);
  arguments.options().add_options()("generation", one_text("NAME"), "only the table of one generation");
  if (!arguments.parse(words)) return kDone;
  const std::optional<Generation> only = generation_option(arguments);

  constexpr std::string_view kLine = "{:<14}{:>5}  {:<6}{:<8}{:<12}{}\n";
  std::cout << fmt::format(kLine, "generation", "index", "spec", "opcode", "entry", "name");
  for (Generation generation : kGenerations) {
    if (only && generation != *only) continue;
    std::size_t index = 0;
    for (const KernelInfo& kernel : kernel_info(generation, kSemantics)) {
      std::cout << fmt::format(kLine, name_of(generation), index++, kernel.spec, fmt::format("0x{:02x}", kernel.opcode),
                               fmt::format("0x{:08x}", kernel.entry), find_opcode(kernel.opcode)->name);
    }
  }
  return kDone;
}

}  // namespace tpb
