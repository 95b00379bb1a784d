#include "models/isa/pattern.h"

#include <bit>

namespace tpb {
namespace {

struct Quotient {
  std::uint32_t quotient;
  std::uint32_t remainder;
};

// Strides are powers of two in every shipped configuration, and every operand of every instruction is located.
Quotient divide(std::uint32_t value, std::uint32_t stride) {
  if (std::has_single_bit(stride)) return {value >> std::countr_zero(stride), value & (stride - 1)};
  return {value / stride, value % stride};
}

}  // namespace

AddressMode address_mode(std::uint32_t addr4) {
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

ByteRange touched_bytes(const AccessPattern& pattern, unsigned element_bytes) {
  ByteRange range;
  for (unsigned d = 0; d < kPatternDims; ++d) {
    const std::int64_t reach = std::int64_t{pattern.step[d]} * (std::int64_t{pattern.num[d]} - 1);
    (reach < 0 ? range.first : range.last) += reach;
  }
  range.first *= element_bytes;
  range.last = range.last * element_bytes + element_bytes - 1;
  return range;
}

Location locate(const MemoryMap& map, std::uint32_t address) {
  if (address < kPsumBase) {
    const auto [partition, offset] = divide(address, map.sbuf_partition_stride);
    return {Space::sbuf, partition, offset};
  }
  const auto [partition, offset] = divide(address - kPsumBase, kPsumPartitionStride);
  return {Space::psum, partition, offset};
}

std::uint32_t address_of(const MemoryMap& map, const Location& location) {
  return location.space == Space::sbuf ? location.partition * map.sbuf_partition_stride + location.offset
                                       : kPsumBase + location.partition * kPsumPartitionStride + location.offset;
}

}  // namespace tpb
