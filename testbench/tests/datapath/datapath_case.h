// One memory twice, as rows for the datapath and as bytes for the reference: random operands on it, both run, every
// byte compared.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "models/datapath/execute.h"
#include "models/datapath/fold.h"
#include "models/isa/instruction.h"
#include "testbench/reference/reference.h"

namespace tpb::testing {

using reference::Operand;
using reference::Type;

inline constexpr Type kTypes[] = {Type::int8, Type::uint8, Type::int16, Type::uint16,   Type::int32,    Type::uint32,
                                  Type::bf16, Type::fp16,  Type::fp32,  Type::fp8_e3m4, Type::fp8_e4m3, Type::fp8_e5m2};
inline constexpr Type kIntegerTypes[] = {Type::int8, Type::uint8, Type::int16, Type::uint16, Type::int32, Type::uint32};
std::vector<Type> destination_types();  // kTypes and fp32r

class DatapathCase {
 public:
  static constexpr unsigned kBytes = 2048;  // per partition

  explicit DatapathCase(unsigned seed);

  // Operands of random shape inside the memory. A source may repeat elements, a destination too.
  Operand random_operand(Type type, std::uint64_t elements, unsigned channels, unsigned max_dims);
  // An operand with the given inner counts (a window, a reduced axis) and random steps.
  Operand random_operand(Type type, std::vector<std::uint32_t> counts, unsigned channels);
  // A destination that lies on, or a few bytes beside, a source.
  Operand beside(const Operand& source, Operand destination);
  // One element per partition that lies in the destination, or anywhere: a scalar operand.
  Operand random_scalar(Type type, const Operand& destination);
  unsigned random_channels();
  // Gives every element of an operand a value that tests care about: corners, small numbers, random bits.
  void fill(const Operand& operand);
  std::uint32_t random_code(Type type);

  // Runs `instruction` through execute() on these operands and answers as that does. The reference is the caller's, on
  // `expected`.
  bool execute(const Instruction& instruction, Engine engine, std::span<const Operand> sources,
               const Operand& destination, const SemanticsOptions& semantics = {});
  bool execute(const Instruction& instruction, Engine engine, std::span<const Operand> sources,
               std::span<const Operand> destinations, const SemanticsOptions& semantics = {});
  RowView view(const Operand& operand);

  // Empty, or where rows and reference differ.
  std::string difference();
  std::uint32_t element(const Operand& operand, unsigned channel, std::size_t index);
  void set(const Operand& operand, unsigned channel, std::size_t index, std::uint32_t code);

  template <class T>
  T pick(std::span<const T> choices) {
    return choices[below(choices.size())];
  }
  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random); }

  std::mt19937 random;
  reference::Memory expected{kBytes};
  std::vector<std::uint32_t> rows;
  LaneState state;
  Scratch scratch;
};

// Bundles as their layouts; operands' patterns are given to execute() by views.
Instruction tensor_tensor(std::uint8_t op, const Operand& left, const Operand& right, const Operand& destination,
                          Opcode opcode = Opcode::tensor_tensor_arith);
Instruction tensor_reduce(Opcode role, std::uint8_t op, std::uint8_t op_dim, bool negated);
Instruction pool(PoolFunction function, float scale);

// Dense along its inner counts.
Operand dense(Type type, std::int64_t byte, std::uint32_t n0, std::uint32_t n1 = 1, std::uint32_t n2 = 1,
              std::uint32_t n3 = 1);
std::uint32_t fp32(float value);

std::uint8_t dtype_pair(Type low, Type high);

std::string describe(const Operand& operand);

}  // namespace tpb::testing
