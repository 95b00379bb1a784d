#include "models/units/sfu/tile_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/datapath/streams.h"
#include "models/program/tile_text.h"

namespace tpb {
namespace {

Violation violation_of(const tile::Fault& fault, std::string field, std::string value) {
  return {tile::name_of(fault.kind), std::move(field), std::move(value), fault.what};
}

constexpr std::uint64_t ceil_div(std::uint64_t value, std::uint64_t by) { return (value + by - 1) / by; }

std::uint32_t elements_of(const TILE_MOVE& bundle) {
  const std::uint64_t elements = pattern_of(bundle.operand).elements();
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(elements, ~std::uint32_t{0}));
}

tile::Profile profile_of(const SemanticsOptions& semantics) {
  tile::Profile profile;
  if (semantics.tile_dtypes == SemanticsOptions::TileDtypes::sixteen) profile.dtypes = tile::Dtypes::sixteen;
  if (semantics.tile_stream_fault == SemanticsOptions::TileStreamFault::bundle_control) {
    profile.stream_fault = tile::Profile::StreamFault::bundle_control;
  }
  return profile;
}

}  // namespace

void TileEngine::reset(const Config& config) {
  ExecutionUnit::reset(config);
  timing_ = config.engines[Engine::sfu];
  profile_ = profile_of(config.semantics);
  rate_ = config.sfu;
  tiles_ = tile::TileFile(config.sfu.capacity_bytes);
  bundle_ = tile::OpenBundle(profile_);
  books_ = {};
  loaded_.reset();
}

void TileEngine::set_register(std::uint8_t index, std::uint32_t value) {
  if (index < tile::kScalarRegisters) tiles_.set_scalar(index, value);
}

std::optional<Violation> TileEngine::prepare(Dispatch& head) {
  std::optional<Violation> violation = judge(head);
  if (!violation) {
    head.variant = tile_variant(head.instruction);
    enter_use();
  }
  return violation;
}

std::optional<Violation> TileEngine::judge(Dispatch& head) {
  if (const auto* words = std::get_if<TILE_WORDS>(&head.instruction)) return run_words(*words, head);
  const auto& bundle = std::get<TILE_MOVE>(head.instruction);
  const std::optional<tile::Fault> fault = move(bundle);
  if (!fault) return std::nullopt;
  const bool loads = bundle.kind == static_cast<std::uint8_t>(TileKind::load);
  return violation_of(*fault, "tile", loads ? std::string(1, "TUMN"[bundle.tile]) : tile::name_of_tile(bundle.tile));
}

// The words have their effects now: they touch no memory, and nothing else sees tiles.
std::optional<Violation> TileEngine::run_words(const TILE_WORDS& bundle, Dispatch& head) {
  std::uint64_t columns = 0, elements = 0;
  for (unsigned i = 0; i < bundle.count; ++i) {
    const tile::Step step = bundle_.step(bundle.words[i], tiles_);
    if (step.fault)
      return violation_of(*step.fault, fmt::format("word {}", i), fmt::format("0x{:08X}", bundle.words[i]));
    columns += step.valid_col * ceil_div(step.valid_row, rate_.row_group);
    elements += std::uint64_t{step.valid_col} * step.valid_row;
  }
  Cost& cost = head.cost;
  // One bundle holds few columns: twelve words of at most 32768 of them, and 64 KiB for their rows.
  cost.stream = static_cast<std::uint32_t>(ceil_div(columns, rate_.columns_per_cycle));
  cost.interval = std::max(timing_.min_ii, cost.start + cost.stream);
  head.elements = elements;
  return std::nullopt;
}

void TileEngine::enter_use() {
  const tile::Use use = tiles_.use();
  if (use == books_.present()) return;
  books_.enter(now(), use);
  if (observers() == nullptr) return;
  for (Observer* observer : *observers()) observer->tiles_used({now(), use});
}

TileTotals TileEngine::tile_totals(Tick at) {
  books_.finish(at, tiles_);
  return books_.totals();
}

std::optional<tile::Fault> TileEngine::move(const TILE_MOVE& bundle) {
  switch (static_cast<TileKind>(bundle.kind)) {
    case TileKind::load:
      // Takes its register and its storage now, and its values when its stream starts.
      return load(bundle, {});
    case TileKind::store: {
      const auto type = tile::type_of(static_cast<Dtype>(bundle.dtype));
      if (!type) return tile::Fault{tile::FaultKind::tile_legality, "a type that a tile has"};
      return tile::store_fault(tiles_, bundle.tile, *type, bundle.num_active_channels, elements_of(bundle));
    }
    default:
      return tile::free_tile(tiles_, bundle.tile);
  }
}

std::optional<tile::Fault> TileEngine::load(const TILE_MOVE& bundle, std::span<const tile::Code> codes) {
  const auto type = tile::type_of(static_cast<Dtype>(bundle.dtype));
  if (!type) return tile::Fault{tile::FaultKind::tile_legality, "a type that a tile has"};
  tile::Load operation;
  operation.type = *type;
  operation.hand = bundle.tile;
  operation.size_code = bundle.size_code;
  operation.mask = bundle.mask;
  operation.partitions = bundle.num_active_channels;
  operation.elements = elements_of(bundle);
  operation.col = bundle.col;
  const tile::Loaded loaded = tile::load(tiles_, operation, profile_.dtypes, codes);
  loaded_ = loaded.index;
  return loaded.fault;
}

void TileEngine::compute(const Dispatch& head) {
  const auto* bundle = std::get_if<TILE_MOVE>(&head.instruction);
  if (bundle == nullptr) return;
  Scratch::Buffers& buffers = scratch().buffers();
  const std::uint32_t elements = elements_of(*bundle), partitions = bundle->num_active_channels;
  if (bundle->kind == static_cast<std::uint8_t>(TileKind::load) && loaded_) {
    std::vector<tile::Code> codes(std::size_t{partitions} * elements);
    SourceStream rows(views().source[0], {Domain::raw}, buffers.kernels, buffers.source[0]);
    for (std::uint32_t e = 0; e < elements; ++e) {
      const std::uint32_t* const row = rows.next(1)[0];
      for (std::uint32_t p = 0; p < partitions; ++p) codes[std::size_t{p} * elements + e] = row[p];
    }
    tiles_.release(*loaded_);  // the lowest free one again
    load(*bundle, codes);
  } else if (bundle->kind == static_cast<std::uint8_t>(TileKind::store)) {
    const std::vector<tile::Code> codes = tile::valid_codes(*tiles_.find(bundle->tile));
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
