#include "models/isa/overlap.h"

#include <algorithm>
#include <vector>

namespace tpb {
namespace {

struct Footprint {
  Location start;
  std::int64_t first;  // bytes within a partition, inclusive
  std::int64_t last;
  bool dense;  // touches every byte between first and last
};

Footprint footprint_of(const Operand& operand, const MemoryMap& map) {
  const unsigned width = bytes_of(operand.dtype);
  const ByteRange range = touched_bytes(operand.pattern, width);
  Footprint footprint;
  footprint.start = locate(map, operand.pattern.start_addr);
  footprint.first = footprint.start.offset + range.first;
  footprint.last = footprint.start.offset + range.last;
  // Taken by increasing step, each dimension must continue where the smaller ones end for there to be no gap.
  std::array<std::pair<std::int64_t, std::int64_t>, kPatternDims> dims;
  for (unsigned d = 0; d < kPatternDims; ++d) {
    dims[d] = {std::abs(std::int64_t{operand.pattern.step[d]}), operand.pattern.num[d]};
  }
  std::sort(dims.begin(), dims.end());
  std::int64_t reach = 1;
  footprint.dense = true;
  for (const auto& [step, num] : dims) {
    if (num > 1 && step > reach) footprint.dense = false;
    if (num > 1) reach += step * (num - 1);
  }
  return footprint;
}

template <class Visit>
bool any_element(const Operand& operand, std::int64_t start, Visit visit) {
  const AccessPattern& p = operand.pattern;
  const std::int64_t width = bytes_of(operand.dtype);
  for (std::int64_t l = 0; l < p.num[3]; ++l)
    for (std::int64_t k = 0; k < p.num[2]; ++k)
      for (std::int64_t j = 0; j < p.num[1]; ++j)
        for (std::int64_t i = 0; i < p.num[0]; ++i)
          if (visit(start + width * (i * p.step[0] + j * p.step[1] + k * p.step[2] + l * p.step[3]))) return true;
  return false;
}

bool touches(const Operand& operand, const Footprint& own, std::int64_t first, std::int64_t last) {
  const std::int64_t width = bytes_of(operand.dtype);
  return any_element(operand, own.start.offset,
                     [&](std::int64_t byte) { return byte <= last && byte + width > first; });
}

}  // namespace

bool overlaps(const Operand& a, const Operand& b, const MemoryMap& map) {
  const Footprint fa = footprint_of(a, map);
  const Footprint fb = footprint_of(b, map);
  if (fa.start.space != fb.start.space) return false;
  if (fa.start.partition >= fb.start.partition + b.channels || fb.start.partition >= fa.start.partition + a.channels) {
    return false;
  }
  if (fa.last < fb.first || fb.last < fa.first) return false;
  if (fa.dense && fb.dense) return true;
  if (fa.dense) return touches(b, fb, fa.first, fa.last);
  if (fb.dense) return touches(a, fa, fb.first, fb.last);
  // Two patterns with gaps: the bytes of one as a set, looked up by the other.
  std::vector<bool> bytes(static_cast<std::size_t>(fa.last - fa.first + 1));
  const unsigned width_a = bytes_of(a.dtype);
  any_element(a, fa.start.offset, [&](std::int64_t byte) {
    std::fill_n(bytes.begin() + (byte - fa.first), width_a, true);
    return false;
  });
  return any_element(b, fb.start.offset, [&](std::int64_t byte) {
    for (std::int64_t i = byte; i < byte + bytes_of(b.dtype); ++i) {
      if (i >= fa.first && i <= fa.last && bytes[static_cast<std::size_t>(i - fa.first)]) return true;
    }
    return false;
  });
}

}  // namespace tpb
