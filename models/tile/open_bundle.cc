#include "models/tile/open_bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tpb::tile {
namespace {

Fault illegal_instruction(std::string allowed) { return {FaultKind::illegal_instruction, std::move(allowed)}; }
Fault bundle_control(std::string allowed) { return {FaultKind::bundle_control, std::move(allowed)}; }
Fault legality(std::string allowed) { return {FaultKind::tile_legality, std::move(allowed)}; }
Fault allocation(std::string allowed) { return {FaultKind::tile_allocation, std::move(allowed)}; }

Fault outside(std::string_view word) { return bundle_control(fmt::format("{} after a BSTART", word)); }

constexpr std::array<std::string_view, 3> kDimensionNames{"ValidCol (LB0)", "ValidRow (LB1)", "Col (LB2)"};

}  // namespace

FaultKind OpenBundle::malformed_stream() const {
  return profile_.stream_fault == Profile::StreamFault::legality ? FaultKind::tile_legality : FaultKind::bundle_control;
}

Step OpenBundle::step(std::uint32_t bits, TileFile& file) {
  Step step;
  if (const std::optional<Word> word = decode(bits); !word) {
    step.fault = illegal_instruction("a word of the tile instruction set");
  } else if (std::holds_alternative<Stop>(*word)) {
    step = stop(file);
  } else {
    step.fault = std::visit(
        [&](const auto& typed) -> Refusal {
          if constexpr (std::is_same_v<std::decay_t<decltype(typed)>, Stop>) {
            return std::nullopt;
          } else {
            return accept(typed, file);
          }
        },
        *word);
  }
  if (step.fault) step.fault->word = bits;
  return step;
}

// ---- the header, word by word --------------------------------------------------------------------------------------

OpenBundle::Refusal OpenBundle::accept(const Start& word, const TileFile&) {
  if (is_open()) return bundle_control("BSTOP before the next BSTART");
  header_.start = word;
  return std::nullopt;
}

OpenBundle::Refusal OpenBundle::accept(const Attributes& word, const TileFile&) {
  if (!is_open()) return outside(Attributes::kName);
  if (header_.attributes) return bundle_control("one B.DATR");
  header_.attributes = word;
  return std::nullopt;
}

OpenBundle::Refusal OpenBundle::accept(const Dimension& word, const TileFile& file) {
  if (word.source >= kScalarRegisters)
    return illegal_instruction(fmt::format("register R0..R23, not R{}", word.source));
  if (!is_open()) return outside(Dimension::kName);
  auto& dimension = header_.dimensions[word.which];
  if (dimension) return Fault{malformed_stream(), fmt::format("LB{} once", word.which)};
  dimension = (file.scalar(word.source) + word.immediate) & 0xFFFF;
  return std::nullopt;
}

OpenBundle::Refusal OpenBundle::accept(const Binding& word, const TileFile&) {
  const bool names_a_tile = word.source0 || word.has_destination();
  if (!names_a_tile || (word.has_destination() && !is_tile_size(word.size_code))) {
    return illegal_instruction(fmt::format("SizeCode 1..10, not {}", word.size_code));
  }
  if (kPeMasks[word.pe_mode] == 0) {
    header_.absent = is_open();
    return std::nullopt;
  }
  if (!is_open()) return outside(Binding::kName);
  auto& bindings = header_.bindings;
  if (!bindings.empty() && bindings.back().last) return Fault{malformed_stream(), "no binding after the last"};
  if (!bindings.empty() && bindings.back().pe_mode != word.pe_mode) {
    return legality(
        fmt::format("PE_MASK {:04b} as before, not {:04b}", kPeMasks[bindings.back().pe_mode], kPeMasks[word.pe_mode]));
  }
  bindings.push_back(word);
  return std::nullopt;
}

OpenBundle::Refusal OpenBundle::accept(const Scalars& word, const TileFile&) {
  const auto names_no_register = [](std::uint8_t index) { return index >= kScalarRegisters; };
  if (names_no_register(word.destination) || std::ranges::any_of(word.sources, names_no_register)) {
    return illegal_instruction("registers R0..R23");
  }
  if (!is_open()) return outside(Scalars::kName);
  if (header_.scalars) return bundle_control("one B.IOR");
  header_.scalars = word;
  return std::nullopt;
}

OpenBundle::Refusal OpenBundle::accept(const Shared& word, const TileFile&) {
  if (kPeMasks[word.pe_mode] == 0) {
    header_.absent = is_open();
    return std::nullopt;
  }
  if (!is_open()) return outside(Shared::kName);
  ++header_.shared;
  return std::nullopt;
}

// ---- BSTOP ---------------------------------------------------------------------------------------------------------

OpenBundle::Refusal OpenBundle::incomplete() const {
  const auto fault = [this](std::string_view what) { return Fault{malformed_stream(), std::string(what)}; };
  const auto& bindings = header_.bindings;
  if (bindings.empty()) return fault("a binding (B.IOT)");
  if (!bindings.back().last) return fault("last on the last binding");
  if (std::ranges::none_of(bindings, &Binding::has_destination)) return fault("a destination");
  if (std::ranges::none_of(bindings, [](const Binding& b) { return b.source0.has_value(); })) return fault("a source");
  return std::nullopt;
}

OpenBundle::Refusal OpenBundle::schema() const {
  if (header_.attributes && header_.attributes->others != 0) return legality("no field of B.DATR but PadValue");
  if (header_.scalars) return legality("no B.IOR in a reduction");
  if (header_.shared != 0) return legality("no B.IOS in a reduction");
  if (header_.bindings.size() != 1) return legality(fmt::format("one binding, not {}", header_.bindings.size()));
  if (header_.bindings.front().source1) return legality("one source, not 2");
  return std::nullopt;
}

OpenBundle::Refusal OpenBundle::dimensions() const {
  if (!header_.dimensions[0]) return legality("ValidCol (LB0), which has no default");
  for (std::size_t i = 0; i < header_.dimensions.size(); ++i) {
    if (header_.dimensions[i] == 0U) return legality(fmt::format("{} of at least 1, not 0", kDimensionNames[i]));
  }
  if (*header_.dimensions[0] > kLargestCol) {
    return legality(fmt::format("ValidCol (LB0) up to {}, not {}", kLargestCol, *header_.dimensions[0]));
  }
  return std::nullopt;
}

OpenBundle::Geometry OpenBundle::geometry() const {
  const auto& [valid_col, valid_row, col] = header_.dimensions;
  return {valid_row.value_or(1), *valid_col, col.value_or(*valid_col)};
}

OpenBundle::Refusal OpenBundle::source(const Operation& operation, const Geometry& geometry,
                                       const TileFile& file) const {
  const TypeInfo* type = find_type(header_.start->dtype);
  if (type == nullptr) return legality(fmt::format("the code of a DataType, not {}", header_.start->dtype));
  if (!takes(operation, *type, profile_.dtypes)) {
    return legality(fmt::format("a DataType that {} takes, not {}", operation.name, type->name));
  }
  const unsigned index = *header_.bindings.front().source0;
  const std::string name = name_of_tile(index);
  const Tile* tile = file.find(index);
  if (tile == nullptr) return legality(fmt::format("a live tile, which {} is not", name));
  const Descriptor& is = tile->descriptor();
  if (is.contents != Contents::numeric) return legality(fmt::format("a tile of numbers, which {} is not", name));
  if (is.layout != Layout::row_major) return legality(fmt::format("a tile in row-major order, which {} is not", name));
  if (is.type != type->type) {
    return legality(fmt::format("DataType {}, which {} has, not {}", info_of(is.type).name, name, type->name));
  }
  const std::array sides{std::pair(is.valid_col, geometry.valid_col), std::pair(is.valid_row, geometry.valid_row),
                         std::pair(is.col, geometry.col)};
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const auto [has, asked] = sides[i];
    if (has == asked) continue;
    return legality(fmt::format("{} {}, which {} has, not {}{}", kDimensionNames[i], has, name, asked,
                                header_.dimensions[i] ? "" : ", its default"));
  }
  if (const auto element = first_undefined(*tile)) {
    return legality(fmt::format("defined elements, which element {} of {} is not", *element, name));
  }
  if (type->dropped != 0) {
    const std::vector<Code> codes = valid_codes(*tile);
    if (std::ranges::any_of(codes, [&](Code code) { return (code & type->dropped) != 0; })) {
      return legality(fmt::format("encodings of {}, which {} does not have throughout", type->name, name));
    }
  }
  return std::nullopt;
}

Step OpenBundle::stop(TileFile& file) {
  const auto refused = [](Fault fault) { return Step{.fault = std::move(fault)}; };
  // 1. A bundle in which no PE takes part is over before anything about it is looked at. To the tile document a bundle
  // that never had a binding is a malformed one, to the executable specification it is over too.
  if (!is_open()) return refused(outside(Stop::kName));
  const bool executable = profile_.stream_fault == Profile::StreamFault::bundle_control;
  if ((header_.absent || executable) && header_.bindings.empty() && header_.shared == 0) {
    discard();
    return {};
  }
  // 2. What is asked for.
  const Operation* operation = find_operation(header_.start->selector);
  if (operation == nullptr) {
    return refused(
        illegal_instruction(fmt::format("the selector of an operation, not {:#05x}", header_.start->selector)));
  }
  for (const auto check : {&OpenBundle::incomplete, &OpenBundle::schema, &OpenBundle::dimensions}) {
    if (Refusal fault = (this->*check)()) return refused(*std::move(fault));
  }
  const Geometry shape = geometry();
  if (Refusal fault = source(*operation, shape, file)) return refused(*std::move(fault));
  const Binding& binding = header_.bindings.front();
  const std::uint8_t mask = kPeMasks[binding.pe_mode];
  if (const std::uint8_t held = file.find(*binding.source0)->descriptor().mask; (mask & ~held) != 0) {
    return refused(
        legality(fmt::format("PEs of {:04b}, which hold {}, not {:04b}", held, name_of_tile(*binding.source0), mask)));
  }
  // 3. Room for the result: a register, then storage, then the shape.
  const TileFile::Place place = file.place(binding.hand, binding.size_code, mask);
  if (!place.index) return refused(allocation(place.missing));
  const Tile& folded = *file.find(*binding.source0);
  const bool by_row = operation->axis == Axis::row;
  const auto descriptor = shaped(result_type(*operation, folded.descriptor().type), binding.size_code, mask,
                                 by_row ? 1 : shape.col, by_row ? shape.valid_row : 1, by_row ? 1 : shape.valid_col);
  if (!descriptor) {
    return refused(allocation(fmt::format("a size that holds the {} x {} {} result, not {} bytes in a PE",
                                          by_row ? shape.valid_row : 1, by_row ? 1 : shape.col,
                                          info_of(result_type(*operation, folded.descriptor().type)).name,
                                          bytes_of_size(binding.size_code))));
  }
  // 4. All of it, and then all of it at once.
  Tile result(*descriptor);
  const std::uint8_t status = reduce(*operation, folded, result);
  pad(result, header_.attributes ? header_.attributes->pad : Pad::null);
  file.put(*place.index, std::move(result));
  file.raise(status);
  discard();
  return {{}, operation, shape.valid_row, shape.valid_col, *place.index};
}

}  // namespace tpb::tile
