// What the rows of the mnemonic table are made of, family by family. Internal to the room.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "models/isa/alu_op.h"
#include "models/program/mnemonic.h"

namespace tpb {

using Rows = std::vector<Mnemonic>;
using Instructions = std::vector<Instruction>;

Rows pool_rows();        // pool, cross_lane_reduce, get_sequence_bounds
Rows reduce_rows();      // the free-axis reductions
Rows tensor_rows();      // element by element: two tensors, or one that is moved
Rows wide_rows();        // 64-bit integers
Rows scalar_rows();      // tensors with scalars
Rows accumulate_rows();  // what leaves something in the accumulators
Rows activate_rows();    // functions of one tensor
Rows matmul_rows();      // products of matrices
Rows search_rows();      // the eight largest and where they are
Rows fill_rows();        // memset, iota
Rows control_rows();

// --- fields ----------------------------------------------------------------------------------------------------------

FieldSpec operand_field(std::string_view name, unsigned rank);
FieldSpec scalar_field(std::string_view name);
FieldSpec choice_field(std::string_view name, std::span<const Choice> choices, std::span<const Refusal> refusals = {});
FieldSpec operation_field(std::string_view name, std::span<const Refusal> refusals = {});
FieldSpec number_field(std::string_view name);
FieldSpec integer_field(std::string_view name, std::int64_t low, std::int64_t high);
FieldSpec pair_field(std::string_view name, std::int64_t low, std::int64_t high);
FieldSpec flag_field(std::string_view name);
FieldSpec refused_field(std::string_view name, std::string_view message);
FieldSpec optional(FieldSpec field);

// X, XY, XYZ, XYZW as wire codes of the sub-dimension.
std::span<const Choice> free_axes();
// What an instruction does to the accumulators; which of these it may do the decoder knows.
std::span<const Choice> accumulator_commands();

// --- writing ---------------------------------------------------------------------------------------------------------

bool is_bitvec(std::uint8_t op);
template <class Code>
constexpr std::uint8_t code_of(Code code) {
  return static_cast<std::uint8_t>(code);
}
constexpr std::uint8_t pair_of(Dtype low, Dtype high) {
  return static_cast<std::uint8_t>(code_of(low) | code_of(high) << 4);
}
constexpr Dtype low_of(std::uint8_t pair) { return static_cast<Dtype>(pair & 0xF); }
constexpr Dtype high_of(std::uint8_t pair) { return static_cast<Dtype>(pair >> 4); }
inline std::uint8_t channels_of(const Operand& operand) { return static_cast<std::uint8_t>(operand.channels); }

Frame frame_for(Opcode role, const SemanticsOptions& semantics);

// Elements per partition of an operand, without its `reduced` innermost dimensions.
std::uint64_t elements_of(const Operand& operand, unsigned reduced = 0);
// Throws Problem unless the operand has as many; `origin` says where the number comes from.
void check_elements(const Fields& fields, std::string_view name, std::uint64_t expected, std::string_view origin);

// The layouts with one source, one destination and a dtype each.
template <class Layout, unsigned SourceDims, unsigned DestinationDims>
Layout source_to_destination(Opcode role, const Operand& source, const Operand& destination,
                             const SemanticsOptions& semantics) {
  Layout bundle{};
  bundle.frame = frame_for(role, semantics);
  bundle.src = descriptor_of<SourceDims>(source.pattern);
  bundle.in_dtype = code_of(source.dtype);
  bundle.out_dtype = code_of(destination.dtype);
  bundle.num_active_channels = channels_of(source);
  bundle.dst = descriptor_of<DestinationDims>(destination.pattern);
  return bundle;
}

// Those with a destination only.
template <class Layout, unsigned Dims>
Layout to_destination(Opcode role, const Operand& destination, const SemanticsOptions& semantics) {
  Layout bundle{};
  bundle.frame = frame_for(role, semantics);
  bundle.out_dtype = code_of(destination.dtype);
  bundle.num_active_channels = channels_of(destination);
  bundle.dst = descriptor_of<Dims>(destination.pattern);
  return bundle;
}

// A scalar as a bundle holds it.
struct Immediate {
  std::uint8_t source = 0;  // ImmediateSource
  std::uint32_t value = 0;
  Dtype dtype = Dtype::fp32;
};
// A tensor must have one of the dtypes; a number is of the first, or of any of them when they are integers.
Immediate immediate_of(const Fields& fields, std::string_view name, std::span<const Dtype> dtypes,
                       std::string_view origin);
// fp32 for arithmetic, raw 32-bit integers for bit-vector operations.
Immediate immediate_of(const Fields& fields, std::string_view name, std::uint8_t op);

// Bit 0: reverse0, bit 1: reverse1.
std::uint8_t reverse_of(const Fields& fields);

// --- reading ---------------------------------------------------------------------------------------------------------

TextOperand raw(const Operand& operand);
// The operands of a bundle as fields, in the order of its layout.
void put_operands(Fields& fields, const Instruction& instruction, std::initializer_list<std::string_view> sources,
                  std::initializer_list<std::string_view> destinations = {"dst"});
Scalar scalar_of(const Immediate& immediate);
void put_reverse(Fields& fields, std::uint8_t reverse);
void put_flag(Fields& fields, std::string_view name, bool set);

}  // namespace tpb
