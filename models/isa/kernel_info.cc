#include "models/isa/kernel_info.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tpb {
namespace {

using Profile = SemanticsOptions::ReduceOpcodes;

// Documented for GetSequenceBounds. For the others no address is known: consecutive ones, assumed.
std::uint32_t entry_of(std::uint8_t opcode, Generation generation, std::size_t index) {
  constexpr std::uint32_t kText = 0x0100'0000;
  constexpr std::uint32_t kTrampolineBytes = 0x80;
  if (opcode == static_cast<std::uint8_t>(Opcode::get_sequence_bounds)) {
    if (generation == Generation::cayman) return kText + 0x4204;
    if (generation == Generation::maverick) return 0x4770;  // relative to its image
  }
  return kText + static_cast<std::uint32_t>(index) * kTrampolineBytes;
}

std::vector<KernelInfo> table_of(Generation generation, const SemanticsOptions& semantics) {
  std::vector<KernelInfo> table;
  for (const OpcodeInfo& row : opcodes()) {
    const OpcodeInfo& role = *find_opcode(role_of(row.code, semantics));
    const bool control = role.layout == Layout::control;
    if (control || !role.modelled || !role.exists_in(generation)) continue;
    if (!role.engines_in(generation).contains(Engine::pool)) continue;
    table.push_back({0, 0, 0, row.code, entry_of(row.code, generation, table.size())});
  }
  return table;
}

}  // namespace

std::span<const KernelInfo> kernel_info(Generation generation, const SemanticsOptions& semantics) {
  static const auto kTables = [] {
    std::array<std::array<std::vector<KernelInfo>, 2>, kGenerations.size()> tables;
    for (Generation each : kGenerations) {
      for (Profile profile : {Profile::seed003, Profile::arch}) {
        SemanticsOptions options;
        options.reduce_opcodes = profile;
        tables[static_cast<std::size_t>(each)][static_cast<std::size_t>(profile)] = table_of(each, options);
      }
    }
    return tables;
  }();
  return kTables[static_cast<std::size_t>(generation)][static_cast<std::size_t>(semantics.reduce_opcodes)];
}

const KernelInfo* find_kernel(std::uint8_t opcode, Generation generation, const SemanticsOptions& semantics) {
  const std::span<const KernelInfo> table = kernel_info(generation, semantics);
  const auto found = std::ranges::find(table, opcode, &KernelInfo::opcode);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace tpb
