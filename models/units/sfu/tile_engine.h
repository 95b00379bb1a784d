// The SFU: an engine with storage of its own for tiles. What its bundles may do depends on the tiles that are there, so
// it judges them itself when everything before them has had its effects.
#pragma once

#include "models/tile/interpreter.h"
#include "models/units/engine/execution_unit.h"
#include "models/units/sfu/tile_books.h"

namespace tpb {

// What executes the tile engine's stream under this configuration.
tile::Interpreter tile_interpreter(const Config& config);

class TileEngine final : public ExecutionUnit {
 public:
  using ExecutionUnit::ExecutionUnit;
  void reset(const Config& config) override;
  // R0 reads zero; of the engine's 64 registers the tile instruction set reads the first 24.
  void set_register(std::uint8_t index, std::uint32_t value) override;

  const tile::TileFile& tiles() const { return interpreter_.tiles(); }
  // Closes the books of its storage at the end of a run.
  TileTotals tile_totals(Tick at);

 private:
  std::optional<Violation> prepare(Dispatch& head) override;
  bool depends(const Dispatch& head, const Dispatch& earlier) const override;
  void compute(const Dispatch& head) override;
  void enter_use();

  EngineTiming timing_;
  std::uint32_t columns_per_cycle_ = 1;
  tile::Interpreter interpreter_{{}, 0, 1};
  TileBooks tile_books_;
  std::optional<unsigned> loaded_;  // the register of the load that is about to read its values
};

}  // namespace tpb
