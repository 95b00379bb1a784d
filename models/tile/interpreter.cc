#include "models/tile/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace tpb::tile {
namespace {

Violation violation_of(const Fault& fault, std::string field, std::string value) {
  return {name_of(fault.kind), std::move(field), std::move(value), fault.allowed};
}

constexpr std::uint64_t ceil_div(std::uint64_t value, std::uint64_t by) { return (value + by - 1) / by; }

// A block that ends before its bundle does: what follows may yet be refused.
bool ends_early(const TILE_WORDS& bundle) {
  const auto stops = [](std::uint32_t bits) { return decode(bits) == Word(Stop{}); };
  return bundle.count > 1 && std::any_of(bundle.words, bundle.words + bundle.count - 1, stops);
}

std::string_view name_of_word(std::uint32_t bits) {
  const std::optional<Word> word = decode(bits);
  return word ? std::visit([](const auto& typed) { return typed.kName; }, *word) : "no form";
}

std::uint64_t bit(unsigned index) { return std::uint64_t{1} << index; }

TileKind kind_of(const TILE_MOVE& bundle) { return static_cast<TileKind>(bundle.kind); }

}  // namespace

std::uint32_t elements_of(const TILE_MOVE& bundle) {
  const std::uint64_t elements = pattern_of(bundle.operand).elements();
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(elements, ~std::uint32_t{0}));
}

bool is_absent(const Instruction& instruction) {
  const auto* move = std::get_if<TILE_MOVE>(&instruction);
  return move != nullptr && kind_of(*move) == TileKind::load && move->mask == 0;
}

std::uint64_t registers_read(const Instruction& instruction) {
  std::uint64_t registers = 0;
  if (const auto* move = std::get_if<TILE_MOVE>(&instruction); move != nullptr && kind_of(*move) != TileKind::load) {
    registers = bit(move->tile % kTiles);
  } else if (const auto* bundle = std::get_if<TILE_WORDS>(&instruction)) {
    for (unsigned i = 0; i < bundle->count; ++i) {
      const std::optional<Word> word = decode(bundle->words[i]);
      const auto* binding = word ? std::get_if<Binding>(&*word) : nullptr;
      if (binding == nullptr) continue;
      if (binding->source0) registers |= bit(*binding->source0);
      if (binding->source1) registers |= bit(*binding->source1);
    }
  }
  return registers;
}

std::optional<Violation> Interpreter::run(const Instruction& instruction, Done& done) {
  done = {};
  if (const auto* bundle = std::get_if<TILE_WORDS>(&instruction)) return words(*bundle, done);
  if (const auto* bundle = std::get_if<TILE_MOVE>(&instruction)) return move(*bundle, done);
  return std::nullopt;
}

std::optional<Violation> Interpreter::words(const TILE_WORDS& bundle, Done& done) {
  std::optional<std::pair<TileFile, OpenBundle>> before;
  if (ends_early(bundle)) before.emplace(tiles_, bundle_);
  for (unsigned i = 0; i < bundle.count; ++i) {
    const Step step = bundle_.step(bundle.words[i], tiles_);
    if (step.fault) {
      if (before) std::tie(tiles_, bundle_) = *std::move(before);
      return violation_of(*step.fault, fmt::format("word {} ({})", i, name_of_word(bundle.words[i])),
                          fmt::format("0x{:08X}", bundle.words[i]));
    }
    if (step.executed == nullptr) continue;
    done.columns += step.valid_col * ceil_div(step.valid_row, row_group_);
    done.elements += std::uint64_t{step.valid_col} * step.valid_row;
    done.written |= bit(step.destination);
  }
  return std::nullopt;
}

std::optional<Violation> Interpreter::move(const TILE_MOVE& bundle, Done& done) {
  if (is_absent(bundle)) return std::nullopt;
  const auto dtype = static_cast<Dtype>(bundle.dtype);
  const std::optional<Type> type = type_of(dtype);
  if (kind_of(bundle) != TileKind::free && (!type || !in_profile(info_of(*type), profile_.dtypes))) {
    return Violation{name_of(FaultKind::tile_legality), "dtype", std::string(name_of(dtype)),
                     dtype_names(profile_.dtypes)};
  }
  std::optional<Fault> fault;
  switch (kind_of(bundle)) {
    case TileKind::load: {
      const Loaded loaded = load(tiles_,
                                 {.type = *type,
                                  .hand = bundle.tile,
                                  .size_code = bundle.size_code,
                                  .mask = bundle.mask,
                                  .partitions = bundle.num_active_channels,
                                  .elements = elements_of(bundle),
                                  .col = bundle.col},
                                 profile_.dtypes, {});
      fault = loaded.fault;
      done.loaded = loaded.index;
      if (loaded.index) done.written = bit(*loaded.index);
      break;
    }
    case TileKind::store:
      fault = store_fault(tiles_, bundle.tile, *type, bundle.num_active_channels, elements_of(bundle));
      break;
    default:
      fault = free_tile(tiles_, bundle.tile);
  }
  if (!fault) return std::nullopt;
  const bool loads = kind_of(bundle) == TileKind::load;
  return violation_of(*fault, "tile", loads ? std::string(kHandNames[bundle.tile]) : name_of_tile(bundle.tile));
}

}  // namespace tpb::tile
