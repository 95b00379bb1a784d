// A decoded instruction: one of the layouts, typed by the variant's alternative, and its operands in general form.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <variant>

#include "models/isa/layout.h"
#include "models/isa/opcode.h"
#include "models/isa/semantics.h"

namespace tpb {

using Instruction = std::variant<ControlBundle, S4D4_PL, S4D4_TR, S3S3D3_TT>;

inline const Frame& frame_of(const Instruction& instruction) {
  return std::visit([](const auto& bundle) -> const Frame& { return bundle.frame; }, instruction);
}
// What the instruction does (its role), whatever wire opcode the profile gives it.
inline Opcode opcode_of(const Instruction& instruction, const SemanticsOptions& semantics) {
  return static_cast<Opcode>(role_of(frame_of(instruction).opcode, semantics));
}

// A memory operand: the same shape whatever the layout it came from.
struct Operand {
  AccessPattern pattern;
  Dtype dtype = Dtype::fp32;
  std::uint32_t channels = 0;  // partitions, from the start partition of the address upward
};

// The operands of one instruction, in the order of its layout. No allocation.
struct Operands {
  std::array<Operand, 2> source{};
  std::array<Operand, 2> destination{};
  std::uint8_t source_count = 0;
  std::uint8_t destination_count = 0;

  std::span<const Operand> sources() const { return {source.data(), source_count}; }
  std::span<const Operand> destinations() const { return {destination.data(), destination_count}; }
  // N of the cost rules: the larger of the elements per partition of the first source and of the destination.
  std::uint64_t elements_per_partition() const;
  std::uint32_t channels() const;
};
Operands operands_of(const Instruction& instruction);

// Reinterprets 64 bytes by the layout of their role without judging them; a layout that is not modelled becomes a
// ControlBundle.
Instruction unpack(const Bundle& bundle, const SemanticsOptions& semantics);
Bundle pack(const Instruction& instruction);

}  // namespace tpb
