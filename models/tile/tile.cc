#include "models/tile/tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tpb::tile {

std::optional<Descriptor> shaped(Type type, std::uint8_t size_code, std::uint8_t mask, std::uint32_t col,
                                 std::uint32_t valid_row, std::uint32_t valid_col) {
  if (!std::has_single_bit(col) || col > kLargestCol || valid_col > col) return std::nullopt;
  const std::uint32_t rows = bytes_of_size(size_code) * 8 / (col * info_of(type).bits);
  if (rows == 0 || valid_row > rows) return std::nullopt;
  return Descriptor{type, size_code, mask, rows, col, valid_row, valid_col};
}

std::optional<std::size_t> first_undefined(const Tile& tile) {
  for (std::uint32_t row = 0; row < tile.descriptor().valid_row; ++row) {
    for (std::uint32_t column = 0; column < tile.descriptor().valid_col; ++column) {
      const std::size_t element = tile.index(row, column);
      if (!tile.is_defined(element)) return element;
    }
  }
  return std::nullopt;
}

void pad(Tile& tile, Pad value) {
  if (value == Pad::null) return;
  const Descriptor& descriptor = tile.descriptor();
  const TypeInfo& type = info_of(descriptor.type);
  const Code code = value == Pad::zero ? 0 : value == Pad::max ? type.largest : type.smallest;
  for (std::uint32_t row = 0; row < descriptor.rows; ++row) {
    const std::uint32_t first = row < descriptor.valid_row ? descriptor.valid_col : 0;
    for (std::uint32_t column = first; column < descriptor.col; ++column) tile.define(tile.index(row, column), code);
  }
}

std::string name_of_tile(unsigned index) {
  return fmt::format("{}{}", kHandNames[index / kHandTiles], index % kHandTiles);
}

std::optional<unsigned> tile_from_name(std::string_view name) {
  const auto hand = std::ranges::find(kHandNames, name.substr(0, 1));
  if (name.empty() || hand == kHandNames.end()) return std::nullopt;
  unsigned number = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 1, end, number);
  if (error != std::errc{} || stop != end || number >= kHandTiles) return std::nullopt;
  if (name.size() > 2 && name[1] == '0') return std::nullopt;
  return static_cast<unsigned>(hand - kHandNames.begin()) * kHandTiles + number;
}

TileFile::Place TileFile::place(unsigned hand, std::uint8_t size_code, std::uint8_t mask) const {
  const auto first = tiles_.begin() + hand * kHandTiles;
  const auto found = std::find(first, first + kHandTiles, std::nullopt);
  if (found == first + kHandTiles)
    return {{}, fmt::format("a free register of hand {}, which has none", kHandNames[hand])};
  const std::uint64_t charge = Descriptor{.size_code = size_code, .mask = mask}.charge();
  if (const std::uint64_t used = use().bytes; used + charge > capacity_) {
    return {{}, fmt::format("{} bytes in all PEs, not {} beside {} in use", capacity_, charge, used)};
  }
  return {static_cast<unsigned>(found - tiles_.begin()), {}};
}

void TileFile::fill(unsigned index, std::span<const Code> codes) {
  Tile& tile = *tiles_[index];
  const Descriptor& descriptor = tile.descriptor();
  const Code mask = info_of(descriptor.type).mask();
  for (std::uint32_t row = 0; row < descriptor.valid_row; ++row) {
    for (std::uint32_t column = 0; column < descriptor.valid_col; ++column) {
      const std::size_t element = std::size_t{row} * descriptor.valid_col + column;
      tile.define(tile.index(row, column), codes.empty() ? 0 : codes[element] & mask);
    }
  }
}

Use TileFile::use() const {
  Use use;
  for (unsigned index = 0; index < kTiles; ++index) {
    if (!tiles_[index]) continue;
    use.bytes += tiles_[index]->descriptor().charge();
    ++use.registers[index / kHandTiles];
  }
  return use;
}

Loaded load(TileFile& file, const Load& operation, Dtypes profile, std::span<const Code> codes) {
  const auto fault = [](FaultKind kind, std::string allowed) { return Loaded{{}, Fault{kind, std::move(allowed)}}; };
  if (operation.mask == 0) return {};
  const TypeInfo& type = info_of(operation.type);
  if (!in_profile(type, profile)) {
    return fault(FaultKind::tile_legality, fmt::format("a type of this profile, not {}", type.name));
  }
  if (operation.partitions == 0 || operation.elements == 0) {
    return fault(FaultKind::tile_legality, "at least one element");
  }
  if (operation.elements > kLargestCol) {
    return fault(FaultKind::tile_allocation,
                 fmt::format("at most {} elements per partition, not {}", kLargestCol, operation.elements));
  }
  if (!is_tile_size(operation.size_code)) {
    return fault(FaultKind::tile_allocation, fmt::format("SizeCode 1..10, not {}", operation.size_code));
  }
  const TileFile::Place place = file.place(operation.hand, operation.size_code, operation.mask);
  if (!place.index) return fault(FaultKind::tile_allocation, place.missing);
  if (operation.col != 0 && (!std::has_single_bit(operation.col) || operation.col < operation.elements)) {
    return fault(FaultKind::tile_allocation,
                 fmt::format("a power of two of at least {} as Col, not {}", operation.elements, operation.col));
  }
  const auto descriptor = shaped(operation.type, operation.size_code, operation.mask,
                                 operation.col == 0 ? std::bit_ceil(operation.elements) : operation.col,
                                 operation.partitions, operation.elements);
  if (!descriptor) {
    return fault(FaultKind::tile_allocation,
                 fmt::format("a size that holds {} rows of {} {} elements, not {} bytes in a PE", operation.partitions,
                             operation.elements, type.name, bytes_of_size(operation.size_code)));
  }
  file.put(*place.index, Tile(*descriptor));
  file.fill(*place.index, codes);
  return {place.index, {}};
}

std::optional<Fault> store_fault(const TileFile& file, unsigned index, Type type, std::uint32_t partitions,
                                 std::uint32_t elements) {
  const auto fault = [](std::string allowed) { return Fault{FaultKind::tile_legality, std::move(allowed)}; };
  const std::string name = name_of_tile(index);
  const Tile* tile = file.find(index);
  if (tile == nullptr) return fault(fmt::format("a live tile, which {} is not", name));
  const Descriptor& descriptor = tile->descriptor();
  if (descriptor.type != type) {
    return fault(fmt::format("{}, which {} has, not {}", info_of(descriptor.type).name, name, info_of(type).name));
  }
  if (descriptor.valid_row != partitions || descriptor.valid_col != elements) {
    return fault(fmt::format("{} partitions of {} elements, which {} has, not {} of {}", descriptor.valid_row,
                             descriptor.valid_col, name, partitions, elements));
  }
  if (const auto element = first_undefined(*tile)) {
    return fault(fmt::format("defined elements, which element {} of {} is not", *element, name));
  }
  return std::nullopt;
}

std::vector<Code> valid_codes(const Tile& tile) {
  const Descriptor& descriptor = tile.descriptor();
  std::vector<Code> codes;
  codes.reserve(std::size_t{descriptor.valid_row} * descriptor.valid_col);
  for (std::uint32_t row = 0; row < descriptor.valid_row; ++row) {
    for (std::uint32_t column = 0; column < descriptor.valid_col; ++column) {
      codes.push_back(tile.code(tile.index(row, column)));
    }
  }
  return codes;
}

std::optional<Fault> free_tile(TileFile& file, unsigned index) {
  if (file.find(index) == nullptr) {
    return Fault{FaultKind::tile_legality, fmt::format("a live tile, which {} is not", name_of_tile(index))};
  }
  file.release(index);
  return std::nullopt;
}

}  // namespace tpb::tile
