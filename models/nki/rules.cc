#include "models/nki/rules.h"

namespace tpb::nki {

void Rules::refuse(std::string_view parameter, std::string value, std::string message, std::string identifier) const {
  throw Error(identifier.empty() ? fmt::format("sema.{}", method_) : std::move(identifier), {},
              std::string(instruction_), std::string(parameter), std::move(value), std::move(message));
}

void Rules::same_size(NamedTile tile, NamedTile as) const {
  require(tile.tile.partitions == as.tile.partitions && tile.tile.elements() == as.tile.elements(), tile.parameter,
          tile.tile,
          fmt::format("{} must have as many partitions, and elements in each, as {}, {}", tile.parameter, as.parameter,
                      text_of(as.tile)));
}

void Rules::not_both_in_psum(NamedTile a, NamedTile b) const {
  require(a.tile.buffer == Buffer::sbuf || b.tile.buffer == Buffer::sbuf, b.parameter, b.tile,
          fmt::format("{} and {} cannot be both in PSUM", a.parameter, b.parameter));
}

void Rules::in_sbuf(NamedTile tile) const {
  require(tile.tile.buffer == Buffer::sbuf, tile.parameter, tile.tile,
          fmt::format("{} must be in SBUF", tile.parameter));
}

void Rules::column(NamedTile tile, std::uint32_t partitions) const {
  require(tile.tile.partitions == partitions && tile.tile.is_column(), tile.parameter, tile.tile,
          fmt::format("{} must be a [{}, 1] tile", tile.parameter, partitions));
}

void Rules::scalar(std::string_view parameter, const Scalar& scalar, std::uint32_t partitions, bool bitvec) const {
  const Tile* tile = std::get_if<Tile>(&scalar);
  if (tile == nullptr) return;
  column({parameter, *tile}, partitions);
  const bool legal =
      bitvec ? tile->dtype == Dtype::int32 || tile->dtype == Dtype::uint32 : tile->dtype == Dtype::float32;
  require(legal, parameter, *tile,
          fmt::format("{} must be {}", parameter, bitvec ? "int32 or uint32 for a bit-vector operation" : "float32"));
}

}  // namespace tpb::nki
