#include "models/isa/operation_rules.h"

#include <fmt/format.h>

namespace tpb {

std::string alu_op_text(std::uint8_t code) {
  const AluOpInfo* info = find_alu_op(code);
  return info == nullptr ? hex_byte(code) : std::string(info->name);
}

Violation explain_operation(std::uint8_t op, const CodeSet& legal, std::string_view field) {
  std::string allowed;
  for (const AluOpInfo& info : alu_ops()) {
    if (legal.contains(static_cast<std::uint8_t>(info.code))) {
      allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", info.name);
    }
  }
  return {{}, std::string(field), alu_op_text(op), allowed};
}

Violation explain_integer_dtype(const Site& site, std::string_view of) {
  return {{}, std::string(site.names->dtype), dtype_text(site.dtype), fmt::format("an integer type in {}", of)};
}

Violation explain_same_size(const Site& site, const Site& reference) {
  return {{},
          std::string(site.names->dtype),
          dtype_text(site.dtype),
          fmt::format("a type of the size of {}", dtype_text(reference.dtype))};
}

}  // namespace tpb
