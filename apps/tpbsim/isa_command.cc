#include <fmt/format.h>

#include <iostream>

#include "apps/tpbsim/command.h"
#include "models/isa/opcode.h"
#include "models/isa/semantics.h"
#include "models/program/symbols.h"

namespace tpb {
namespace {

// Those that accept it in one generation, or in the latest that has it.
std::string engines_of(const OpcodeInfo& role, Generation generation) {
  if (!role.modelled) return "not modelled";
  std::string text;
  for (Engine engine : kEngines) {
    if (!role.engines_in(generation).contains(engine)) continue;
    text.append(text.empty() ? "" : " ").append(name_of(engine));
  }
  return text;
}

}  // namespace

int list_isa(const Command& command, std::span<const std::string> words) {
  Arguments arguments(command, std::nullopt);
  arguments.options().add_options()                                                    //
      ("generation", one_text("NAME"), "only the instructions that a generation has")  //
      ("struct", one_text("NAME"), "only the instructions of one layout, S3S3D3_TT");
  if (!arguments.parse(words)) return kDone;

  std::optional<Generation> generation;
  if (const auto name = arguments.text("generation")) {
    generation = generation_from_name(*name);
    std::vector<std::string_view> names;
    for (Generation known : kGenerations) names.push_back(name_of(known));
    if (!generation) arguments.refuse(unknown_name("generation", *name, names));
  }
  // Under the default profile: which opcode plays which role is the profile's choice.
  const SemanticsOptions semantics;
  const auto role_row = [&](const OpcodeInfo& row) -> const OpcodeInfo& {
    return *find_opcode(role_of(row.code, semantics));
  };
  std::optional<Layout> layout;
  if (const auto name = arguments.text("struct")) {
    layout = layout_from_name(*name);
    std::vector<std::string_view> names;
    for (const OpcodeInfo& row : opcodes()) names.push_back(name_of(row.layout));
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    if (!layout) arguments.refuse(unknown_name("struct", *name, names));
  }

  constexpr std::string_view kLine = "{:<6}{:<30}{:<26}{:<16}{:<22}{}\n";
  std::cout << fmt::format(kLine, "code", "name", "text", "struct", "generations", "engines");
  for (const OpcodeInfo& row : opcodes()) {
    if (generation && (*generation < row.first || *generation > row.last)) continue;
    const OpcodeInfo& role = role_row(row);
    // What a struct's members are does not depend on who plays which role.
    if (layout && row.layout != *layout) continue;
    std::cout << fmt::format(kLine, fmt::format("0x{:02x}", row.code), row.name, role.mnemonic, name_of(row.layout),
                             fmt::format("{}..{}", name_of(row.first), name_of(row.last)),
                             engines_of(role, generation.value_or(row.last)));
  }
  return kDone;
}

}  // namespace tpb
