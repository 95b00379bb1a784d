// A tile: where a tensor of nki lies, [partitions, free dimensions...], or a view of a part of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/instruction.h"
#include "models/nki/vocabulary.h"

namespace tpb::nki {

enum class Buffer : std::uint8_t { sbuf, psum };
template <>
struct Vocabulary<Buffer> {
  static constexpr std::string_view kKind = "buffer";
  static std::span<const Name<Buffer>> names();
};

// Partitions first, numpy order.
using Shape = std::vector<std::uint32_t>;

struct Tile {
  struct Dimension {
    std::uint32_t count = 1;
    std::int32_t step = 1;  // in elements
    bool operator==(const Dimension&) const = default;
  };

  Dtype dtype = Dtype::float32;
  Buffer buffer = Buffer::sbuf;
  std::uint32_t partition = 0;   // the first
  std::uint32_t partitions = 0;  // how many
  std::uint32_t address = 0;     // of the first element, in bytes within each partition
  std::vector<Dimension> free;   // outermost first

  // Dense, innermost dimension last. Throws an Error unless there are 1 to 128 partitions and elements in every
  // dimension.
  static Tile dense(Dtype dtype, Buffer buffer, const Shape& shape, std::uint32_t partition, std::uint32_t address);

  Shape shape() const;
  std::uint64_t elements() const;  // of a partition
  // First and last byte within a partition that it touches.
  ByteRange bytes() const;
  bool is_dense() const;                              // its elements lie one after the other, in order
  bool is_column() const { return elements() == 1; }  // [P, 1]: one value per partition

  // Views. All throw an Error when a part lies outside; `dimension` counts the free ones from 0.
  Tile rows(std::uint32_t first, std::uint32_t count) const;
  Tile slice(unsigned dimension, std::uint32_t first, std::uint32_t count, std::uint32_t step = 1) const;
  Tile at(unsigned dimension, std::uint32_t index) const;  // without that dimension
  Tile columns(std::uint32_t first, std::uint32_t count) const { return slice(0, first, count); }
  // The same elements in other free dimensions; of a dense tile.
  Tile reshaped(const std::vector<std::uint32_t>& free_shape) const;
  // Every element `count` times, as a new innermost dimension, or all of them again, as a new outermost one.
  Tile repeated_inner(std::uint32_t count) const;
  Tile repeated_outer(std::uint32_t count) const;
  // Of a tile [P, height, width]: [P, rows of windows, windows in a row, `height`, `width`], windows `step` apart.
  Tile windows(std::uint32_t height, std::uint32_t width, std::uint32_t step) const;
  // The same bits under another dtype of the same size: float32 as tfloat32, int32 as float32.
  Tile as(Dtype other) const;

  bool operator==(const Tile&) const = default;
};

// A tile as the operand of an instruction with at most `rank` free dimensions; dimensions of one element disappear, and
// those that continue each other are joined, but not across the border between the `inner` innermost ones and the rest.
// Throws an Error when there are more.
struct TileOperand {
  Operand operand;
  unsigned inner = 0;  // of its dimensions, those that the `inner` innermost ones became
};
TileOperand operand_of(const Tile& tile, const MemoryMap& map, unsigned rank, unsigned inner);
inline Operand operand_of(const Tile& tile, const MemoryMap& map, unsigned rank) {
  return operand_of(tile, map, rank, 0).operand;
}

// "bfloat16 [128, 512] in sbuf"
std::string text_of(const Tile& tile);

}  // namespace tpb::nki
