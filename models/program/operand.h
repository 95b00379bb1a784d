// Operands of program text: whole tensors, slices, patterns within a tensor, raw addresses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/isa/instruction.h"
#include "models/program/lexer.h"
#include "models/program/symbols.h"

namespace tpb {

struct TextOperand {
  Operand operand;
  std::uint32_t column = 0;
  bool raw = false;  // dtype@address: `ch=` says how many partitions, and memory is the bound
};

// The most free dimensions that an operand may have, and why, where a document has words for it.
struct Rank {
  unsigned most;
  std::string_view reason{};
};

// Reads one operand of at most `rank` free dimensions. A raw operand has no channels yet. Throws Problem.
TextOperand read_operand(Cursor& cursor, const Rank& rank, Engine engine, const Symbols& symbols,
                         const MemoryMap& memory);

// Gives a raw operand its partitions. Throws Problem unless every element lies in memory; an address in a register
// is not known here.
void place_raw_operand(TextOperand& operand, std::uint32_t channels, const MemoryMap& memory);

// "fp32@0x1000": one element per partition, at an address that is known. Throws Problem.
TextOperand read_raw_element(Cursor& cursor);
std::string raw_element_text(const Operand& operand);

// "fp32@0x1000[1,32][32,4]" with `rank` steps and counts.
std::string raw_operand_text(const Operand& operand, unsigned rank);

// "R3" as a number below `count` (64 registers; the SFU has 24). Throws Problem.
std::uint8_t read_register(Cursor& cursor, Engine engine);

// The inverse of pattern_of, for patterns that fit the descriptor.
template <unsigned Dims>
TensorDescriptor<Dims> descriptor_of(const AccessPattern& pattern) {
  TensorDescriptor<Dims> descriptor{};
  descriptor.start_addr = pattern.start_addr;
  for (unsigned d = 0; d < Dims; ++d) {
    descriptor.step[d] = static_cast<std::int16_t>(pattern.step[d]);
    descriptor.num[d] = static_cast<std::uint16_t>(pattern.num[d]);
  }
  return descriptor;
}

}  // namespace tpb
