#include "models/nki/tile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "models/nki/error.h"

namespace tpb::nki {
namespace {

constexpr Name<Buffer> kBuffers[]{{"sbuf", Buffer::sbuf}, {"psum", Buffer::psum}};

// Of a descriptor.
constexpr std::uint32_t kMostCount = 0xFFFF;
constexpr std::int32_t kMostStep = 0x7FFF;

[[noreturn]] void refuse(const Tile& tile, const std::string& asked, const std::string& message) {
  throw Error("tile", {}, "tile", text_of(tile), asked, message);
}

Tile::Dimension& dimension_of(Tile& tile, unsigned dimension) {
  if (dimension >= tile.free.size()) {
    refuse(tile, fmt::format("dimension {}", dimension), fmt::format("expected one below {}", tile.free.size()));
  }
  return tile.free[dimension];
}

}  // namespace

std::span<const Name<Buffer>> Vocabulary<Buffer>::names() { return kBuffers; }

Tile Tile::dense(Dtype dtype, Buffer buffer, const Shape& shape, std::uint32_t partition, std::uint32_t address) {
  constexpr std::uint64_t kMost = 1U << 24;  // bytes in a partition: more than any memory has
  std::uint64_t bytes = bytes_of(dtype);
  for (std::size_t d = 1; d < shape.size() && bytes != 0 && bytes <= kMost; ++d) bytes *= shape[d];
  if (shape.empty() || shape[0] == 0 || shape[0] > kPartitions || partition > kPartitions - shape[0] || bytes == 0 ||
      bytes > kMost) {
    throw Error(
        "tile", {}, "tile", "shape", fmt::format("[{}]", fmt::join(shape, ", ")),
        fmt::format("expected at most {} partitions from partition {}, no empty dimension, and at most {} bytes",
                    kPartitions - std::min(partition, kPartitions), partition, kMost));
  }
  Tile tile{dtype, buffer, partition, shape[0], address, {}};
  tile.free.resize(shape.size() - 1);
  std::int32_t step = 1;
  for (std::size_t d = tile.free.size(); d-- > 0;) {
    tile.free[d] = {shape[d + 1], step};
    step *= static_cast<std::int32_t>(shape[d + 1]);
  }
  return tile;
}

Shape Tile::shape() const {
  Shape all{partitions};
  for (const Dimension& dimension : free) all.push_back(dimension.count);
  return all;
}

std::uint64_t Tile::elements() const {
  std::uint64_t count = 1;
  for (const Dimension& dimension : free) count *= dimension.count;
  return count;
}

ByteRange Tile::bytes() const {
  ByteRange range{address, address + bytes_of(dtype) - 1};
  for (const Dimension& dimension : free) {
    const std::int64_t reach = std::int64_t{dimension.step} * (std::int64_t{dimension.count} - 1) * bytes_of(dtype);
    (reach < 0 ? range.first : range.last) += reach;
  }
  return range;
}

bool Tile::is_dense() const {
  std::int64_t step = 1;
  for (std::size_t d = free.size(); d-- > 0;) {
    if (free[d].count != 1 && free[d].step != step) return false;
    step *= free[d].count;
  }
  return true;
}

Tile Tile::rows(std::uint32_t first, std::uint32_t count) const {
  if (count == 0 || std::uint64_t{first} + count > partitions) {
    refuse(*this, fmt::format("rows {}..{}", first, first + count), fmt::format("expected some of {}", partitions));
  }
  Tile part = *this;
  part.partition += first;
  part.partitions = count;
  return part;
}

Tile Tile::slice(unsigned dimension, std::uint32_t first, std::uint32_t count, std::uint32_t step) const {
  Tile part = *this;
  Dimension& sliced = dimension_of(part, dimension);
  if (count == 0 || step == 0 || first + (std::uint64_t{count} - 1) * step >= sliced.count) {
    refuse(*this, fmt::format("dimension {} from {}, {} elements, step {}", dimension, first, count, step),
           fmt::format("expected some of {}", sliced.count));
  }
  part.address += first * static_cast<std::uint32_t>(sliced.step) * bytes_of(dtype);
  sliced = {count, sliced.step * static_cast<std::int32_t>(step)};
  return part;
}

Tile Tile::at(unsigned dimension, std::uint32_t index) const {
  Tile part = slice(dimension, index, 1);
  part.free.erase(part.free.begin() + dimension);
  return part;
}

Tile Tile::reshaped(const std::vector<std::uint32_t>& free_shape) const {
  Shape shape{partitions};
  shape.insert(shape.end(), free_shape.begin(), free_shape.end());
  const Tile other = dense(dtype, buffer, shape, partition, address);
  if (!is_dense() || other.elements() != elements()) {
    refuse(*this, fmt::format("reshaped to [{}]", fmt::join(shape, ", ")),
           "expected as many elements, one after the other");
  }
  return other;
}

Tile Tile::repeated_inner(std::uint32_t count) const {
  Tile more = *this;
  more.free.push_back({count, 0});
  return more;
}

Tile Tile::repeated_outer(std::uint32_t count) const {
  Tile more = *this;
  more.free.insert(more.free.begin(), {count, 0});
  return more;
}

Tile Tile::windows(std::uint32_t height, std::uint32_t width, std::uint32_t step) const {
  const bool fits =
      free.size() == 2 && height != 0 && width != 0 && step != 0 && height <= free[0].count && width <= free[1].count;
  if (!fits) {
    refuse(*this, fmt::format("windows of {} by {}, step {}", height, width, step),
           "expected some that fit into a tile [partitions, height, width]");
  }
  Tile view = *this;
  const auto apart = static_cast<std::int32_t>(step);
  view.free = {{(free[0].count - height) / step + 1, free[0].step * apart},
               {(free[1].count - width) / step + 1, free[1].step * apart},
               {height, free[0].step},
               {width, free[1].step}};
  return view;
}

Tile Tile::as(Dtype other) const {
  if (bytes_of(other) != bytes_of(dtype)) {
    refuse(*this, fmt::format("as {}", spelling(other)), "expected a dtype of the same size");
  }
  Tile same = *this;
  same.dtype = other;
  return same;
}

TileOperand operand_of(const Tile& tile, const MemoryMap& map, unsigned rank, unsigned inner) {
  std::vector<Tile::Dimension> inner_first;
  TileOperand result;
  const std::size_t border = tile.free.size() - std::min<std::size_t>(inner, tile.free.size());
  for (std::size_t d = tile.free.size(); d-- > 0;) {
    const Tile::Dimension& dimension = tile.free[d];
    if (dimension.count == 1) continue;
    const bool at_border = d < border && result.inner != 0 && result.inner == inner_first.size();
    if (!at_border && !inner_first.empty()) {
      Tile::Dimension& last = inner_first.back();
      const bool continues = std::int64_t{dimension.step} == std::int64_t{last.step} * last.count;
      if (continues && std::uint64_t{last.count} * dimension.count <= kMostCount) {
        last.count *= dimension.count;
        continue;
      }
    }
    inner_first.push_back(dimension);
    if (d >= border) result.inner = static_cast<unsigned>(inner_first.size());
  }
  // Inner dimensions of one element each are still one.
  if (inner != 0 && result.inner == 0) {
    inner_first.insert(inner_first.begin(), {1, 1});
    result.inner = 1;
  }
  if (inner_first.size() > rank) {
    refuse(tile, fmt::format("{} free dimensions", inner_first.size()), fmt::format("expected at most {}", rank));
  }
  for (const Tile::Dimension& dimension : inner_first) {
    if (dimension.count > kMostCount || std::abs(dimension.step) > kMostStep) {
      refuse(tile, fmt::format("{} elements, step {}", dimension.count, dimension.step),
             fmt::format("expected at most {} in one dimension, and steps of at most {}", kMostCount, kMostStep));
    }
  }
  Operand& operand = result.operand;
  operand.dtype = wire_of(tile.dtype);
  operand.channels = tile.partitions;
  const Space space = tile.buffer == Buffer::sbuf ? Space::sbuf : Space::psum;
  operand.pattern.start_addr = address_of(map, {space, tile.partition, tile.address});
  for (std::size_t d = 0; d < inner_first.size(); ++d) {
    operand.pattern.step[d] = inner_first[d].step;
    operand.pattern.num[d] = inner_first[d].count;
  }
  return result;
}

std::string text_of(const Tile& tile) {
  return fmt::format("{} [{}] in {}", spelling(tile.dtype), fmt::join(tile.shape(), ", "), spelling(tile.buffer));
}

}  // namespace tpb::nki
