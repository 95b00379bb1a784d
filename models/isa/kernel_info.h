// The kernels of the Pool engine: packed 8-byte records that it scans from the first for the opcode of an instruction
// (sequence-bounds document). What is not in the table it does not know.
#pragma once

#include <cstdint>
#include <span>

#include "models/isa/generation.h"
#include "models/isa/semantics.h"

namespace tpb {

struct KernelInfo {
  std::uint8_t zero0;
  std::uint8_t zero1;
  std::uint8_t spec;  // 0 but for extended instructions, which are not modelled
  std::uint8_t opcode;
  std::uint32_t entry;  // address of the kernel's trampoline
};
static_assert(sizeof(KernelInfo) == 8);

// One record for every modelled opcode that a Pool stream computes, in the order of the opcodes. The profile decides
// only whether 83 and 84 are among them.
std::span<const KernelInfo> kernel_info(Generation generation, const SemanticsOptions& semantics);
// nullptr: an unknown opcode.
const KernelInfo* find_kernel(std::uint8_t opcode, Generation generation, const SemanticsOptions& semantics);

}  // namespace tpb
