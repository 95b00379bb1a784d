// The SFU: an engine with storage of its own for tiles. What its bundles may do depends on the tiles that are there, so
// it judges them itself when everything before them has had its effects.
#pragma once

#include "models/tile/open_bundle.h"
#include "models/units/engine/execution_unit.h"
#include "models/units/sfu/tile_books.h"

namespace tpb {

class TileEngine final : public ExecutionUnit {
 public:
  using ExecutionUnit::ExecutionUnit;
  void reset(const Config& config) override;
  // R0 reads zero; of the engine's 64 registers the tile instruction set reads the first 24.
  void set_register(std::uint8_t index, std::uint32_t value) override;

  const tile::TileFile& tiles() const { return tiles_; }
  // Closes the books of its storage at the end of a run.
  TileTotals tile_totals(Tick at);

 private:
  std::optional<Violation> prepare(Dispatch& head) override;
  void compute(const Dispatch& head) override;

  std::optional<Violation> judge(Dispatch& head);
  std::optional<Violation> run_words(const TILE_WORDS& bundle, Dispatch& head);
  void enter_use();
  std::optional<tile::Fault> move(const TILE_MOVE& bundle);
  std::optional<tile::Fault> load(const TILE_MOVE& bundle, std::span<const tile::Code> codes);

  EngineTiming timing_;
  SfuConfig rate_;
  tile::Profile profile_;
  tile::TileFile tiles_;
  tile::OpenBundle bundle_;
  TileBooks books_;
  std::optional<unsigned> loaded_;  // the register of the load that is about to read its values
};

}  // namespace tpb
