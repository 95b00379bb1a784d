// Tiles, and the tile engine's architectural state.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/tile/fault.h"
#include "models/tile/type.h"
#include "models/tile/word.h"

namespace tpb::tile {

inline constexpr std::uint64_t kDefaultCapacity = 262144;  // bytes
inline constexpr std::uint32_t kLargestCol = 32768;

// Everything here makes row-major tiles of numbers; the other kinds exist to be refused.
enum class Layout : std::uint8_t { row_major, other };
enum class Contents : std::uint8_t { numeric, predicate };

struct Descriptor {
  Type type = Type::fp32;
  std::uint8_t size_code = 1;
  std::uint8_t mask = 0b1111;  // PEs that hold the tile
  std::uint32_t rows = 0, col = 0;
  std::uint32_t valid_row = 0, valid_col = 0;
  Layout layout = Layout::row_major;
  Contents contents = Contents::numeric;
  bool operator==(const Descriptor&) const = default;

  // What every tile takes of the capacity: its storage in each PE that holds it.
  std::uint64_t charge() const { return std::uint64_t{bytes_of_size(size_code)} * unsigned(std::popcount(mask)); }
};

// A descriptor whose rows are what the storage holds; nothing when the valid region or the shape does not fit.
std::optional<Descriptor> shaped(Type type, std::uint8_t size_code, std::uint8_t mask, std::uint32_t col,
                                 std::uint32_t valid_row, std::uint32_t valid_col);

// Elements by place, row by row over the physical shape: their codes, and whether they are defined.
class Tile {
 public:
  explicit Tile(const Descriptor& descriptor)  // nothing defined
      : descriptor_(descriptor), codes_(std::size_t{descriptor.rows} * descriptor.col), defined_(codes_.size()) {}

  const Descriptor& descriptor() const { return descriptor_; }
  std::size_t index(std::uint32_t row, std::uint32_t column) const {
    return std::size_t{row} * descriptor_.col + column;
  }
  std::size_t elements() const { return codes_.size(); }
  bool is_defined(std::size_t element) const { return defined_[element]; }
  Code code(std::size_t element) const { return codes_[element]; }  // zero while it is undefined
  void define(std::size_t element, Code code) {
    codes_[element] = code;
    defined_[element] = true;
  }
  bool operator==(const Tile&) const = default;

 private:
  Descriptor descriptor_;
  std::vector<Code> codes_;
  std::vector<bool> defined_;
};

// Of the valid region, in row order.
std::optional<std::size_t> first_undefined(const Tile& tile);
// Writes every element outside the valid region; Null leaves them as they are.
void pad(Tile& tile, Pad value);

// Text of a register: T0..T15, U0..U15, M0..M15, N0..N15.
std::string name_of_tile(unsigned index);
std::optional<unsigned> tile_from_name(std::string_view name);

// What the live tiles take.
struct Use {
  std::uint64_t bytes = 0;                                  // of the capacity
  std::array<std::uint8_t, kHandNames.size()> registers{};  // of each hand
  bool operator==(const Use&) const = default;
};

class TileFile {
 public:
  explicit TileFile(std::uint64_t capacity = kDefaultCapacity) : capacity_(capacity) {}

  const Tile* find(unsigned index) const { return tiles_[index] ? &*tiles_[index] : nullptr; }
  void put(unsigned index, Tile tile) { tiles_[index] = std::move(tile); }
  // Defines the valid region of a live tile, row by row; no codes: with zeros.
  void fill(unsigned index, std::span<const Code> codes);
  void release(unsigned index) { tiles_[index].reset(); }

  // The lowest register of the hand that is free, once it is known that a tile of this charge may be made; otherwise
  // what is missing, in the order in which it is asked for: a register, then storage.
  struct Place {
    std::optional<unsigned> index;
    std::string missing;
  };
  Place place(unsigned hand, std::uint8_t size_code, std::uint8_t mask) const;

  std::uint64_t capacity() const { return capacity_; }
  Use use() const;

  std::uint8_t status() const { return status_; }
  void raise(std::uint8_t status) { status_ = static_cast<std::uint8_t>(status_ | status); }

  std::uint64_t scalar(unsigned index) const { return scalars_[index]; }
  void set_scalar(unsigned index, std::uint64_t value) {
    if (index != 0) scalars_[index] = value;
  }
  bool operator==(const TileFile&) const = default;

 private:
  std::uint64_t capacity_;
  std::array<std::optional<Tile>, kTiles> tiles_;
  std::array<std::uint64_t, kScalarRegisters> scalars_{};
  std::uint8_t status_ = 0;
};

// ---- TLOAD, TSTORE, TFREE ------------------------------------------------------------------------------------------

struct Load {
  Type type = Type::fp32;
  std::uint8_t hand = 0;
  std::uint8_t size_code = 1;
  std::uint8_t mask = 0b1111;  // 0: nothing happens
  std::uint32_t partitions = 0, elements = 0;
  std::uint32_t col = 0;  // 0: `elements` rounded up to a power of two
};
struct Loaded {
  std::optional<unsigned> index;
  std::optional<Fault> fault;
};
// Partition by partition, each in stream order. No codes: zeros, of a load whose values follow.
Loaded load(TileFile& file, const Load& operation, Dtypes profile, std::span<const Code> codes);

// What stops the store of a whole valid region as `partitions` times `elements` elements of a type.
std::optional<Fault> store_fault(const TileFile& file, unsigned index, Type type, std::uint32_t partitions,
                                 std::uint32_t elements);
// The elements of the valid region, row by row: what a store writes when there is no such fault.
std::vector<Code> valid_codes(const Tile& tile);

std::optional<Fault> free_tile(TileFile& file, unsigned index);

}  // namespace tpb::tile
