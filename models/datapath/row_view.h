// A row is one element of every partition at once: 128 lanes of 32 bits, 512 contiguous bytes. A RowView is what a
// memory answers to an access: where the rows of one operand lie and how to walk them.
#pragma once

#include <cstdint>

#include "models/isa/instruction.h"

namespace tpb {

inline constexpr unsigned kLanes = kPartitions;
inline constexpr unsigned kLaneGroup = 32;  // kernels work on whole groups; starts are multiples of it

// Word w of partition p of a memory lies at words[w * kLanes + p]. An element of less than 32 bits shares its word:
// byte b of a partition is byte b % 4 (little endian) of word b / 4.
struct RowView {
  std::uint32_t* words = nullptr;  // word 0, partition 0 of the memory
  std::uint32_t byte_offset = 0;   // of the first element within its partition
  std::uint32_t first_lane = 0;    // start partition, a multiple of kLaneGroup
  std::uint32_t lanes = 0;         // 1..128; first_lane + lanes <= 128
  Dtype dtype = Dtype::fp32;
  AccessPattern walk;  // steps and counts in elements; start_addr unused
};

}  // namespace tpb
