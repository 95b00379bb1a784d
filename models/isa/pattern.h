// Addresses and access patterns: the descriptors of a bundle and the one general form that memories,
// datapaths and cost rules read.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "models/isa/dtype.h"

namespace tpb {

inline constexpr unsigned kPartitions = 128;
inline constexpr unsigned kPatternDims = 4;

// A descriptor as it stands in a bundle: 8, 12, 16 or 20 bytes. Steps are in elements, dimension 0 innermost.
template <unsigned Dims>
struct TensorDescriptor {
  std::uint32_t start_addr;  // ADDR4: marker in bits 31..29, address in 28..0
  std::int16_t step[Dims];
  std::uint16_t num[Dims];
  bool operator==(const TensorDescriptor&) const = default;
};
static_assert(sizeof(TensorDescriptor<1>) == 8 && sizeof(TensorDescriptor<2>) == 12);
static_assert(sizeof(TensorDescriptor<3>) == 16 && sizeof(TensorDescriptor<4>) == 20);

// ADDR4 markers. Only `immediate` and `address_register` are modelled.
enum class AddressMode : std::uint8_t { immediate, address_register, shape_register, indirect };
constexpr AddressMode address_mode(std::uint32_t addr4) {
  switch (addr4 >> 29) {
    case 0b000:
      return AddressMode::immediate;
    case 0b100:
      return AddressMode::address_register;
    case 0b010:
    case 0b110:
      return AddressMode::shape_register;
    default:
      return AddressMode::indirect;  // x01, and x11 that no document names
  }
}

// A descriptor of any rank with outer dimensions (step 1, num 1) filled in.
struct AccessPattern {
  std::uint32_t start_addr = 0;
  std::array<std::int32_t, kPatternDims> step{1, 1, 1, 1};
  std::array<std::uint32_t, kPatternDims> num{1, 1, 1, 1};

  std::uint64_t elements() const { return std::uint64_t{num[0]} * num[1] * num[2] * num[3]; }
  bool operator==(const AccessPattern&) const = default;
};

template <unsigned Dims>
AccessPattern pattern_of(const TensorDescriptor<Dims>& descriptor) {
  AccessPattern pattern;
  pattern.start_addr = descriptor.start_addr;
  for (unsigned d = 0; d < Dims; ++d) {
    pattern.step[d] = descriptor.step[d];
    pattern.num[d] = descriptor.num[d];
  }
  return pattern;
}

// First and last byte that a pattern touches in each of its partitions, relative to its start address.
struct ByteRange {
  std::int64_t first = 0;
  std::int64_t last = 0;  // inclusive
};
// (`Pattern`: an AccessPattern, or whatever else has its steps and counts.)
template <class Pattern>
constexpr ByteRange touched_bytes(const Pattern& pattern, unsigned element_bytes) {
  std::int64_t first = 0;
  std::int64_t last = 0;
  for (unsigned d = 0; d < kPatternDims; ++d) {
    const std::int64_t reach = std::int64_t{pattern.step[d]} * (std::int64_t{pattern.num[d]} - 1);
    first += std::min<std::int64_t>(reach, 0);
    last += std::max<std::int64_t>(reach, 0);
  }
  return {first * element_bytes, last * element_bytes + element_bytes - 1};
}

// Where memories live in the 29-bit address space (facts: SBUF from 0, stride 0x40000; PSUM from
// 0x02000000, stride 0x8000, 8 banks of 2 KiB). Capacities come from the configuration.
enum class Space : std::uint8_t { sbuf, psum };
inline constexpr std::uint32_t kPsumBase = 0x0200'0000;
inline constexpr std::uint32_t kPsumPartitionStride = 0x8000;

struct MemoryMap {
  std::uint32_t sbuf_bytes_per_partition = 192 * 1024;
  std::uint32_t sbuf_partition_stride = 0x40000;
  std::uint32_t psum_banks = 8;
  std::uint32_t psum_bytes_per_bank = 2048;

  std::uint32_t psum_bytes_per_partition() const { return psum_banks * psum_bytes_per_bank; }
  bool operator==(const MemoryMap&) const = default;
};

struct Location {
  Space space = Space::sbuf;
  std::uint32_t partition = 0;  // may be >= 128 when the address lies past the last partition
  std::uint32_t offset = 0;     // bytes within the partition; may lie past the capacity
};

constexpr Location locate(const MemoryMap& map, std::uint32_t address) {
  if (address >= kPsumBase) {
    const std::uint32_t inside = address - kPsumBase;
    return {Space::psum, inside / kPsumPartitionStride, inside % kPsumPartitionStride};
  }
  // Every operand of every instruction is located, and shipped strides are powers of two.
  const std::uint32_t stride = map.sbuf_partition_stride;
  if ((stride & (stride - 1)) == 0) return {Space::sbuf, address >> std::countr_zero(stride), address & (stride - 1)};
  return {Space::sbuf, address / stride, address % stride};
}

constexpr std::uint32_t address_of(const MemoryMap& map, const Location& location) {
  return location.space == Space::sbuf ? location.partition * map.sbuf_partition_stride + location.offset
                                       : kPsumBase + location.partition * kPsumPartitionStride + location.offset;
}

}  // namespace tpb
