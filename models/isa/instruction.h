// A decoded instruction: one of the layouts, typed by the variant's alternative, and its operands in general form.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "models/isa/layout.h"
#include "models/isa/opcode.h"
#include "models/isa/semantics.h"

namespace tpb {

inline constexpr std::uint32_t kRegisters = 64;  // of an engine; the tile engine has fewer

using Instruction = std::variant<ControlBundle, S4D4_PL, S4D4_TR, S4D4_CR, S4D2_BN, S4D2_MV, S2_BN, S3D3_SEQ_BOUNDS,
                                 S3S3D3_TT, S2S2D2D2_TT, S2D2D2_TS_WIDE, S3D3_TS, S3D3_AC, S3D3_MM, S2S2D2_STT, D4_IOTA,
                                 D4_MR, D1_RD, TILE_WORDS, TILE_MOVE>;

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

inline constexpr std::size_t kMaxSources = 3;
inline constexpr std::size_t kMaxDestinations = 2;

// The operands of one instruction, in the order of its layout: tensors, then immediates that lie in memory, one value
// per partition. No allocation.
struct Operands {
  std::array<Operand, kMaxSources> source{};
  std::array<Operand, kMaxDestinations> destination{};
  std::uint8_t source_count = 0;
  std::uint8_t scalar_count = 0;  // of the sources, the last ones
  std::uint8_t destination_count = 0;

  std::span<const Operand> sources() const { return {source.data(), source_count}; }
  std::span<const Operand> tensors() const { return sources().first(source_count - scalar_count); }
  std::span<const Operand> destinations() const { return {destination.data(), destination_count}; }
  // N of the cost rules: the larger of the elements per partition of the first source and of the destination.
  std::uint64_t elements_per_partition() const;
  std::uint32_t channels() const;
};
Operands operands_of(const Instruction& instruction);
// Of the immediates of a TensorScalar that lie in memory: fp32 for arithmetic, raw words for bit-vector operations.
Dtype scalar_dtype(const S3D3_TS& bundle);

// Reinterprets 64 bytes by the layout of their role without judging them; a layout that is not modelled becomes a
// ControlBundle.
Instruction unpack(const Bundle& bundle, const SemanticsOptions& semantics);
Bundle pack(const Instruction& instruction);

// LoadStationary; else MultiplyMoving.
inline bool loads_stationary(const S3D3_MM& bundle) {
  return bundle.frame.opcode == static_cast<std::uint8_t>(Opcode::load_stationary);
}
// The stationary operand that a matrix engine holds: `rows` partitions of `cols` values each; none before a load.
struct Stationary {
  std::uint8_t rows = 0;
  std::uint8_t cols = 0;
  bool transposes = false;  // loaded to be transposed
  bool operator==(const Stationary&) const = default;
};
// What instructions of a stream leave for later ones to build on.
struct StreamState {
  std::uint32_t match_value_channels = 0;  // partitions that MatchValueLoads have given values
  Stationary stationary{};
  bool operator==(const StreamState&) const = default;
};
StreamState state_after(const Instruction& instruction, const StreamState& before, const SemanticsOptions& semantics);

// The bundle that is left when every immediate whose address is in a register has its address: `registers` are those of
// its engine. Nothing when the bundle has no such immediate, or names a register that does not exist.
std::optional<Bundle> with_registers(const Bundle& bundle, std::span<const std::uint32_t, kRegisters> registers,
                                     const SemanticsOptions& semantics);

}  // namespace tpb
