// Storage of rows: word w of partition p at words[w * 128 + p], so that one row is 512 contiguous bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/datapath/row_view.h"

namespace tpb {

// Mapped, never cleared as a whole: rows that may have been written are listed by block and cleared on reset.
class RowStore {
 public:
  RowStore() = default;
  ~RowStore();
  RowStore(const RowStore&) = delete;
  RowStore& operator=(const RowStore&) = delete;

  // Zero everywhere, with this capacity (a multiple of 4).
  void reset(std::uint32_t bytes_per_partition);

  std::uint32_t bytes_per_partition() const { return bytes_per_partition_; }
  std::uint32_t* words() { return words_; }
  // Notes that bytes first..last (inclusive) of any partition may be written from now on.
  void touch(std::uint32_t first, std::uint32_t last);

  // Bytes of one partition, from `offset` on; the range must lie inside.
  void write(std::uint32_t partition, std::uint32_t offset, std::span<const std::uint8_t> bytes);
  void read(std::uint32_t partition, std::uint32_t offset, std::span<std::uint8_t> bytes) const;

 private:
  static constexpr std::uint32_t kBlockRows = 16;  // 8 KiB of memory
  void map(std::uint32_t bytes_per_partition);
  void unmap();

  std::uint32_t* words_ = nullptr;
  std::uint32_t bytes_per_partition_ = 0;
  std::vector<bool> touched_;  // by block
  std::vector<std::uint32_t> touched_list_;
};

}  // namespace tpb
