// Where tiles of a kernel lie.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/nki/tile.h"

namespace tpb::nki {

// Bytes within the partitions of one memory, given out in order.
class Allocator {
 public:
  // `bank`: a block that fits into one does not straddle two; 0: there are none.
  Allocator(Buffer buffer, std::uint32_t capacity, std::uint32_t bank)
      : buffer_(buffer), capacity_(capacity), bank_(bank) {}
  // An offset that is a multiple of 64. Throws an Error when there is no room.
  std::uint32_t take(std::uint64_t bytes);
  // Somebody else's: nothing is given out that lies there.
  void occupy(ByteRange bytes) { occupied_.push_back(bytes); }
  // For good, at the end of the memory, where nothing has been before.
  std::uint32_t take_last(std::uint64_t bytes);
  std::uint32_t top() const { return top_; }
  void return_to(std::uint32_t top) { top_ = std::max(top, kept_); }
  // What lies below stays taken.
  void keep(std::uint32_t below) {
    if (below <= top_) kept_ = std::max(kept_, below);
  }

 private:
  [[noreturn]] void refuse(std::uint64_t bytes) const;

  Buffer buffer_;
  std::uint32_t capacity_;
  std::uint32_t bank_;
  std::uint32_t top_ = 0;
  std::uint32_t kept_ = 0;
  std::uint32_t highest_ = 0;  // that top_ ever was
  std::vector<ByteRange> occupied_;
};

}  // namespace tpb::nki
