#include "models/program/mnemonic.h"

#include <algorithm>

#include "models/program/mnemonic_rows.h"

namespace tpb {
namespace {

const Rows& table() {
  static const Rows rows = [] {
    Rows all;
    for (const auto family : {pool_rows, reduce_rows, search_rows, tensor_rows, wide_rows, scalar_rows, accumulate_rows,
                              activate_rows, matmul_rows, fill_rows, control_rows}) {
      std::ranges::move(family(), std::back_inserter(all));
    }
    return all;
  }();
  return rows;
}

}  // namespace

const Fields::Entry* Fields::find(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &Entry::name);
  return found == entries_.end() ? nullptr : &*found;
}

Fields::Entry* Fields::find(std::string_view name) {
  return const_cast<Entry*>(static_cast<const Fields*>(this)->find(name));
}

TextOperand* Fields::text_operand(std::string_view name) {
  Entry* const entry = find(name);
  if (entry == nullptr) return nullptr;
  if (auto* const scalar = std::get_if<Scalar>(&entry->value)) return std::get_if<TextOperand>(scalar);
  return std::get_if<TextOperand>(&entry->value);
}

bool Mnemonic::has_operands() const {
  return std::ranges::any_of(fields, [](const FieldSpec& field) { return field.kind == FieldKind::operand; });
}

const Mnemonic* find_mnemonic(std::string_view name) {
  const auto found = std::ranges::find(table(), name, &Mnemonic::name);
  return found == table().end() ? nullptr : &*found;
}

// One bundle has the mnemonic of its opcode, which several kindred ones may share.
const Mnemonic* find_mnemonic(std::span<const Opcode> roles) {
  const OpcodeInfo* info = find_opcode(static_cast<std::uint8_t>(roles.front()));
  const auto found = std::ranges::find_if(table(), [&](const Mnemonic& row) {
    if (row.roles.size() != roles.size()) return false;
    return roles.size() == 1 ? info != nullptr && row.name == info->mnemonic : std::ranges::equal(row.roles, roles);
  });
  return found == table().end() ? nullptr : &*found;
}

std::vector<std::string_view> mnemonic_names() {
  std::vector<std::string_view> names;
  for (const Mnemonic& row : table()) names.push_back(row.name);
  return names;
}

}  // namespace tpb
