#include "models/units/memory/row_store.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace tpb {

static_assert(std::endian::native == std::endian::little, "bytes of a word are little endian");

RowStore::~RowStore() { unmap(); }

void RowStore::map(std::uint32_t bytes_per_partition) {
  void* place = mmap(nullptr, std::size_t{bytes_per_partition} * kLanes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) throw std::bad_alloc();
  words_ = static_cast<std::uint32_t*>(place);
  bytes_per_partition_ = bytes_per_partition;
  const std::uint32_t rows = bytes_per_partition / 4;
  touched_.assign((rows + kBlockRows - 1) / kBlockRows, false);
  touched_list_.clear();
  touched_list_.reserve(touched_.size());
}

void RowStore::unmap() {
  if (words_ != nullptr) munmap(words_, std::size_t{bytes_per_partition_} * kLanes);
  words_ = nullptr;
}

void RowStore::reset(std::uint32_t bytes_per_partition) {
  if (bytes_per_partition != bytes_per_partition_) {
    unmap();
    map(bytes_per_partition);
    return;
  }
  const std::uint32_t rows = bytes_per_partition_ / 4;
  for (std::uint32_t block : touched_list_) {
    const std::uint32_t first = block * kBlockRows;
    const std::uint32_t count = std::min(kBlockRows, rows - first);
    std::memset(words_ + std::size_t{first} * kLanes, 0, std::size_t{count} * kLanes * sizeof(std::uint32_t));
    touched_[block] = false;
  }
  touched_list_.clear();
}

void RowStore::touch(std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t block = first / 4 / kBlockRows; block <= last / 4 / kBlockRows; ++block) {
    if (touched_[block]) continue;
    touched_[block] = true;
    touched_list_.push_back(block);
  }
}

void RowStore::write(std::uint32_t partition, std::uint32_t offset, std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return;
  touch(offset, static_cast<std::uint32_t>(offset + bytes.size() - 1));
  std::size_t i = 0;
  while (i < bytes.size()) {
    const std::size_t at = offset + i;
    std::uint32_t& word = words_[at / 4 * kLanes + partition];
    const std::size_t skip = at % 4;
    const std::size_t count = std::min<std::size_t>(4 - skip, bytes.size() - i);
    std::memcpy(reinterpret_cast<std::uint8_t*>(&word) + skip, bytes.data() + i, count);
    i += count;
  }
}

void RowStore::read(std::uint32_t partition, std::uint32_t offset, std::span<std::uint8_t> bytes) const {
  std::size_t i = 0;
  while (i < bytes.size()) {
    const std::size_t at = offset + i;
    const std::uint32_t word = words_[at / 4 * kLanes + partition];
    const std::size_t skip = at % 4;
    const std::size_t count = std::min<std::size_t>(4 - skip, bytes.size() - i);
    std::memcpy(bytes.data() + i, reinterpret_cast<const std::uint8_t*>(&word) + skip, count);
    i += count;
  }
}

}  // namespace tpb
