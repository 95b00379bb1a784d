#include "models/nki/allocator.h"

#include <fmt/format.h>

#include "models/nki/error.h"

namespace tpb::nki {
namespace {

constexpr std::uint32_t kAlignment = 64;

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

}  // namespace

std::uint32_t Allocator::take(std::uint64_t bytes) {
  std::uint64_t first = round_up(top_, kAlignment);
  // Every step goes up, past a bank or past what is occupied, so it ends.
  for (bool moved = true; moved;) {
    moved = false;
    if (bank_ != 0 && bytes <= bank_ && first / bank_ != (first + bytes - 1) / bank_) first = round_up(first, bank_);
    for (const ByteRange& taken : occupied_) {
      const auto from = static_cast<std::uint64_t>(taken.first), to = static_cast<std::uint64_t>(taken.last);
      if (first > to || first + bytes <= from) continue;
      first = round_up(to + 1, kAlignment);
      moved = true;
    }
  }
  if (first + bytes > capacity_) refuse(bytes);
  top_ = static_cast<std::uint32_t>(first + bytes);
  highest_ = std::max(highest_, top_);
  return static_cast<std::uint32_t>(first);
}

std::uint32_t Allocator::take_last(std::uint64_t bytes) {
  if (bytes > capacity_) refuse(bytes);
  const std::uint64_t first = (capacity_ - bytes) / kAlignment * kAlignment;
  if (first < highest_) refuse(bytes);
  capacity_ = static_cast<std::uint32_t>(first);
  return capacity_;
}

void Allocator::refuse(std::uint64_t bytes) const {
  throw Error(
      "allocator", {}, "tile", std::string(spelling(buffer_)), fmt::format("{} bytes per partition", bytes),
      fmt::format("{} of {} bytes per partition are or were in use, expected room for the tile", highest_, capacity_));
}

}  // namespace tpb::nki
