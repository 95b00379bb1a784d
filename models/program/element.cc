#include "models/program/element.h"

#include <algorithm>
#include <array>
#include <bit>

#include "models/datapath/lane_kernels.h"

namespace tpb {
namespace {

using Row = std::array<std::uint32_t, kLanes>;

// Runs a conversion kernel on one row, an element in the low bits of each lane.
Row convert(LaneKernel kernel, const Row& row) {
  Row out{};
  Row mask;
  mask.fill(0xFFFF'FFFF);
  LaneBlock block{};
  block.out.fill(out.data());
  block.left.fill(row.data());
  block.right.fill(mask.data());
  block.rows = 1;
  block.lanes = kLanes;
  kernel(block);
  return out;
}

}  // namespace

std::uint32_t load_element(std::span<const std::uint8_t> bytes, std::size_t index, Dtype dtype) {
  const unsigned size = bytes_of(dtype);
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < size; ++i) bits |= std::uint32_t{bytes[index * size + i]} << (8 * i);
  return bits;
}

std::vector<std::uint8_t> pack_elements(std::span<const std::uint32_t> elements, Dtype dtype) {
  const unsigned size = bytes_of(dtype);
  std::vector<std::uint8_t> bytes(elements.size() * size);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    bytes[at] = static_cast<std::uint8_t>(elements[at / size] >> (8 * (at % size)));
  }
  return bytes;
}

void narrow_from_fp32(std::span<std::uint32_t> values, Dtype dtype) {
  if (dtype == Dtype::fp32) return;
  const LaneKernel kernel = lane_kernels().narrow[static_cast<std::size_t>(dtype)];
  while (!values.empty()) {
    const auto chunk = values.first(std::min<std::size_t>(values.size(), kLanes));
    Row row{};
    std::ranges::copy(chunk, row.begin());
    row = convert(kernel, row);
    std::copy_n(row.begin(), chunk.size(), chunk.begin());
    values = values.subspan(chunk.size());
  }
}

std::uint32_t element_from_fp32(std::uint32_t fp32_bits, Dtype dtype) {
  narrow_from_fp32({&fp32_bits, 1}, dtype);
  return fp32_bits;
}

double element_value(std::uint32_t bits, Dtype dtype) {
  const DtypeInfo* info = find_dtype(static_cast<std::uint8_t>(dtype));
  const unsigned unused = 32 - info->bits;
  switch (info->family) {
    case DtypeFamily::signed_integer:
      return static_cast<std::int32_t>(bits << unused) >> unused;
    case DtypeFamily::unsigned_integer:
      return bits;
    default:
      break;
  }
  Row row{};
  row[0] = bits;
  if (dtype != Dtype::fp32) row = convert(lane_kernels().widen[static_cast<std::size_t>(dtype)], row);
  return std::bit_cast<float>(row[0]);
}

}  // namespace tpb
