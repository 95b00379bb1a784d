// The bundle that the tile engine is in: words come one by one, BSTOP runs it or refuses it as a whole.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/tile/reduction.h"
#include "models/tile/tile.h"
#include "models/tile/word.h"

namespace tpb::tile {

// Where documents disagree.
struct Profile {
  // The fault of a binding stream that is malformed: an LB set twice, a binding after Last, no Last, no source or
  // destination.
  enum class StreamFault : std::uint8_t { legality, bundle_control };
  Dtypes dtypes = Dtypes::nine;
  StreamFault stream_fault = StreamFault::legality;
};

struct Step {
  std::optional<Fault> fault;                  // nothing has changed: the word can be tried again
  const Operation* executed = nullptr;         // by BSTOP; nullptr when no PE takes part
  std::uint32_t valid_row = 0, valid_col = 0;  // folded
  unsigned destination = 0;
};

class OpenBundle {
 public:
  explicit OpenBundle(const Profile& profile = {}) : profile_(profile) {}

  Step step(std::uint32_t bits, TileFile& file);

  bool is_open() const { return header_.start.has_value(); }
  void discard() { header_ = {}; }
  bool operator==(const OpenBundle& other) const { return header_ == other.header_; }

 private:
  struct Header {
    std::optional<Start> start;
    std::optional<Attributes> attributes;
    std::array<std::optional<std::uint32_t>, 3> dimensions;
    std::vector<Binding> bindings;
    std::optional<Scalars> scalars;
    unsigned shared = 0;
    bool absent = false;  // a binding in which no PE takes part
    bool operator==(const Header&) const = default;
  };
  struct Geometry {
    std::uint32_t valid_row, valid_col, col;
  };
  using Refusal = std::optional<Fault>;

  Refusal accept(const Start& word, const TileFile& file);
  Refusal accept(const Attributes& word, const TileFile& file);
  Refusal accept(const Dimension& word, const TileFile& file);
  Refusal accept(const Binding& word, const TileFile& file);
  Refusal accept(const Scalars& word, const TileFile& file);
  Refusal accept(const Shared& word, const TileFile& file);
  Step stop(TileFile& file);

  FaultKind malformed_stream() const;
  Refusal incomplete() const;
  Refusal schema() const;
  Refusal dimensions() const;
  Refusal source(const Operation& operation, const Geometry& geometry, const TileFile& file) const;
  Geometry geometry() const;

  Profile profile_;
  Header header_;
};

}  // namespace tpb::tile
