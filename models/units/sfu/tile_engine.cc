#include "models/units/sfu/tile_engine.h"

#include <algorithm>

#include "models/datapath/streams.h"
#include "models/program/tile_text.h"

namespace tpb {

tile::Interpreter tile_interpreter(const Config& config) {
  using Semantics = SemanticsOptions;
  tile::Profile profile;
  if (config.semantics.tile_dtypes == Semantics::TileDtypes::sixteen) profile.dtypes = tile::Dtypes::sixteen;
  if (config.semantics.tile_stream_fault == Semantics::TileStreamFault::bundle_control) {
    profile.stream_fault = tile::Profile::StreamFault::bundle_control;
  }
  return {profile, config.sfu.capacity_bytes, config.sfu.row_group};
}

void TileEngine::reset(const Config& config) {
  ExecutionUnit::reset(config);
  timing_ = config.engines[Engine::sfu];
  columns_per_cycle_ = config.sfu.columns_per_cycle;
  interpreter_ = tile_interpreter(config);
  tile_books_ = {};
  loaded_.reset();
}

void TileEngine::set_register(std::uint8_t index, std::uint32_t value) {
  if (index < tile::kScalarRegisters) interpreter_.tiles().set_scalar(index, value);
}

// A bundle of words has all its effects now: it touches no memory, and nothing else sees tiles. A load takes its
// register and its storage now, and its values when its stream starts.
std::optional<Violation> TileEngine::prepare(Dispatch& head) {
  tile::Done done;
  if (std::optional<Violation> violation = interpreter_.run(head.instruction, done)) return violation;
  loaded_ = done.loaded;
  head.variant = tile_variant(head.instruction);
  head.tiles_written = done.written;
  if (std::holds_alternative<TILE_WORDS>(head.instruction)) head.elements = done.elements;
  if (tile::is_absent(head.instruction)) {
    head.operands = {};
    head.elements = 0;
    head.cost = {};
  }
  enter_use();
  if (!has_time()) return std::nullopt;
  if (std::holds_alternative<TILE_WORDS>(head.instruction)) {
    // One bundle holds few columns: twelve words of at most 32768 of them, and 64 KiB for their rows.
    head.cost.stream = static_cast<std::uint32_t>((done.columns + columns_per_cycle_ - 1) / columns_per_cycle_);
  }
  if (head.cost.stream == 0) head.cost = {};  // it moves and folds nothing
  head.cost.interval = std::max(timing_.min_ii, head.cost.start + head.cost.stream);
  return std::nullopt;
}

bool TileEngine::depends(const Dispatch& head, const Dispatch& earlier) const {
  return (tile::registers_read(head.instruction) & earlier.tiles_written) != 0;
}

void TileEngine::enter_use() {
  const tile::Use use = tiles().use();
  if (use == tile_books_.present()) return;
  tile_books_.enter(now(), use);
  if (observers() == nullptr) return;
  for (Observer* observer : *observers()) observer->tiles_used({now(), use});
}

TileTotals TileEngine::tile_totals(Tick at) {
  tile_books_.finish(at, tiles());
  return tile_books_.totals();
}

void TileEngine::compute(const Dispatch& head) {
  const auto* bundle = std::get_if<TILE_MOVE>(&head.instruction);
  if (bundle == nullptr) return;
  Scratch::Buffers& buffers = scratch().buffers();
  const std::uint32_t elements = tile::elements_of(*bundle), partitions = bundle->num_active_channels;
  if (bundle->kind == static_cast<std::uint8_t>(TileKind::load) && loaded_) {
    std::vector<tile::Code> codes(std::size_t{partitions} * elements);
    SourceStream rows(views().source[0], {Domain::raw}, buffers.kernels, buffers.source[0]);
    for (std::uint32_t e = 0; e < elements; ++e) {
      const std::uint32_t* const row = rows.next(1)[0];
      for (std::uint32_t p = 0; p < partitions; ++p) codes[std::size_t{p} * elements + e] = row[p];
    }
    interpreter_.tiles().fill(*loaded_, codes);
  } else if (bundle->kind == static_cast<std::uint8_t>(TileKind::store)) {
    const std::vector<tile::Code> codes = tile::valid_codes(*tiles().find(bundle->tile));
    DestinationStream rows(views().destination[0], {Domain::raw}, buffers.kernels, buffers.destination[0]);
    Row& row = buffers.start;
    for (std::uint32_t e = 0; e < elements; ++e) {
      for (std::uint32_t p = 0; p < partitions; ++p) {
        row[p] = static_cast<std::uint32_t>(codes[std::size_t{p} * elements + e]);
      }
      const std::uint32_t* const next = row.data();
      rows.store(&next, 1);
    }
  }
}

}  // namespace tpb
