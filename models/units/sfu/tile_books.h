// Where the tile engine's storage went over time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/tile/tile.h"
#include "models/timing/tick.h"

namespace tpb {

struct TileTotals {
  std::uint64_t capacity = 0;    // bytes
  tile::Use peak;                // of each at its own time
  tile::Use left;                // at the end
  std::uint64_t byte_ticks = 0;  // bytes in use times their time
  std::uint8_t status = 0;       // tile::Status bits, sticky
};

class TileBooks {
 public:
  // What is in use from `at` on; times do not decrease.
  void enter(Tick at, const tile::Use& use) {
    charge(at);
    totals_.left = use;
    totals_.peak.bytes = std::max(totals_.peak.bytes, use.bytes);
    for (std::size_t hand = 0; hand < use.registers.size(); ++hand) {
      totals_.peak.registers[hand] = std::max(totals_.peak.registers[hand], use.registers[hand]);
    }
  }
  // Closes the books.
  void finish(Tick at, const tile::TileFile& tiles) {
    charge(at);
    totals_.capacity = tiles.capacity();
    totals_.status = tiles.status();
  }
  const tile::Use& present() const { return totals_.left; }
  const TileTotals& totals() const { return totals_; }

 private:
  void charge(Tick at) {
    if (at <= since_) return;  // what was started before a time limit may reach past it
    totals_.byte_ticks += totals_.left.bytes * (at - since_);
    since_ = at;
  }

  TileTotals totals_;
  Tick since_ = 0;
};

}  // namespace tpb
