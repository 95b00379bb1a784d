#include "models/tile/open_bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tpb::tile {
namespace {

Fault illegal_instruction(std::string what) { return {FaultKind::illegal_instruction, std::move(what)}; }
Fault bundle_control(std::string what) { return {FaultKind::bundle_control, std::move(what)}; }
Fault legality(std::string what) { return {FaultKind::tile_legality, std::move(what)}; }
Fault allocation(std::string what) { return {FaultKind::tile_allocation, std::move(what)}; }

Fault outside(std::string_view word) { return bundle_control(fmt::format("{} outside a bundle", word)); }

constexpr std::array<std::string_view, 3> kDimensionNames{"ValidCol (LB0)", "ValidRow (LB1)", "Col (LB2)"};

}  // namespace

FaultKind OpenBundle::malformed_stream() const {
  return profile_.stream_fault == Profile::StreamFault::legality ? FaultKind::tile_legality : FaultKind::bundle_control;
}

Step OpenBundle::step(std::uint32_t bits, TileFile& file) {
  Step step;
  if (const std::optional<Word> word = decode(bits); !word) {
    step.fault = illegal_instruction("no word has this form");
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
  if (is_open()) return bundle_control("BSTART inside a bundle");
  header_.start = word;
  return std::nullopt;
}

OpenBundle::Refusal OpenBundle::accept(const Attributes& word, const TileFile&) {
  if (!is_open()) return outside(Attributes::kName);
  if (header_.attributes) return bundle_control("a second B.DATR");
  header_.attributes = word;
  return std::nullopt;
}

OpenBundle::Refusal OpenBundle::accept(const Dimension& word, const TileFile& file) {
  if (word.source >= kScalarRegisters) return illegal_instruction(fmt::format("no register R{}", word.source));
  if (!is_open()) return outside(Dimension::kName);
  auto& dimension = header_.dimensions[word.which];
  if (dimension) return Fault{malformed_stream(), fmt::format("LB{} a second time", word.which)};
  dimension = (file.scalar(word.source) + word.immediate) & 0xFFFF;
  return std::nullopt;
}

OpenBundle::Refusal OpenBundle::accept(const Binding& word, const TileFile&) {
  const bool names_a_tile = word.source0 || word.has_destination();
  if (!names_a_tile || (word.has_destination() && !is_tile_size(word.size_code))) {
    return illegal_instruction(fmt::format("SizeCode {}, not 1..10", word.size_code));
  }
  if (kPeMasks[word.pe_mode] == 0) {
    header_.absent = is_open();
    return std::nullopt;
  }
  if (!is_open()) return outside(Binding::kName);
  auto& bindings = header_.bindings;
  if (!bindings.empty() && bindings.back().last) return Fault{malformed_stream(), "a binding after the last"};
  if (!bindings.empty() && bindings.back().pe_mode != word.pe_mode) {
    return legality(
        fmt::format("PE_MASK {:04b} after {:04b}", kPeMasks[word.pe_mode], kPeMasks[bindings.back().pe_mode]));
  }
  bindings.push_back(word);
  return std::nullopt;
}

OpenBundle::Refusal OpenBundle::accept(const Scalars& word, const TileFile&) {
  const auto names_no_register = [](std::uint8_t index) { return index >= kScalarRegisters; };
  if (names_no_register(word.destination) || std::ranges::any_of(word.sources, names_no_register)) {
    return illegal_instruction("a register beyond R23");
  }
  if (!is_open()) return outside(Scalars::kName);
  if (header_.scalars) return bundle_control("a second B.IOR");
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
  if (bindings.empty()) return fault("no binding");
  if (!bindings.back().last) return fault("no binding is the last");
  if (std::ranges::none_of(bindings, &Binding::has_destination)) return fault("no destination");
  if (std::ranges::none_of(bindings, [](const Binding& b) { return b.source0.has_value(); })) return fault("no source");
  return std::nullopt;
}

OpenBundle::Refusal OpenBundle::schema() const {
  if (header_.attributes && header_.attributes->others != 0) return legality("a B.DATR field other than PadValue");
  if (header_.scalars) return legality("a reduction with B.IOR");
  if (header_.shared != 0) return legality("a reduction with B.IOS");
  if (header_.bindings.size() != 1) return legality("a reduction with more than one binding");
  if (header_.bindings.front().source1) return legality("a reduction with two sources");
  return std::nullopt;
}

OpenBundle::Refusal OpenBundle::dimensions() const {
  if (!header_.dimensions[0]) return legality("no ValidCol (LB0)");
  for (std::size_t i = 0; i < header_.dimensions.size(); ++i) {
    if (header_.dimensions[i] == 0U) return legality(fmt::format("{} is zero", kDimensionNames[i]));
  }
  if (*header_.dimensions[0] > kLargestCol) {
    return legality(fmt::format("ValidCol {} is more than {}", *header_.dimensions[0], kLargestCol));
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
  if (type == nullptr) return legality(fmt::format("DataType {} is no type", header_.start->dtype));
  if (!takes(operation, *type, profile_.dtypes)) {
    return legality(fmt::format("{} does not take {}", operation.name, type->name));
  }
  const unsigned index = *header_.bindings.front().source0;
  const auto fault = [index](std::string_view what) {
    return legality(fmt::format("{} {}", name_of_tile(index), what));
  };
  const Tile* tile = file.find(index);
  if (tile == nullptr) return fault("is not allocated");
  const Descriptor& is = tile->descriptor();
  if (is.contents != Contents::numeric) return fault("is not numeric");
  if (is.layout != Layout::row_major) return fault("is not row-major");
  if (is.type != type->type) return fault(fmt::format("is {}, not {}", info_of(is.type).name, type->name));
  if (is.valid_row != geometry.valid_row || is.valid_col != geometry.valid_col || is.col != geometry.col) {
    return fault(fmt::format("has {} rows of {} in {} columns, not {} of {} in {}", is.valid_row, is.valid_col, is.col,
                             geometry.valid_row, geometry.valid_col, geometry.col));
  }
  if (const auto element = first_undefined(*tile)) return fault(fmt::format("is undefined at {}", *element));
  if (type->dropped != 0) {
    const std::vector<Code> codes = valid_codes(*tile);
    if (std::ranges::any_of(codes, [&](Code code) { return (code & type->dropped) != 0; })) {
      return fault(fmt::format("has an encoding that {} does not", type->name));
    }
  }
  return std::nullopt;
}

Step OpenBundle::stop(TileFile& file) {
  const auto refused = [](Fault fault) { return Step{.fault = std::move(fault)}; };
  // 1. A bundle in which no PE takes part is over before anything about it is looked at.
  if (!is_open()) return refused(outside(Stop::kName));
  if (header_.absent && header_.bindings.empty() && header_.shared == 0) {
    discard();
    return {};
  }
  // 2. What is asked for.
  const Operation* operation = find_operation(header_.start->selector);
  if (operation == nullptr) {
    return refused(illegal_instruction(fmt::format("no operation has selector {:#05x}", header_.start->selector)));
  }
  for (const auto check : {&OpenBundle::incomplete, &OpenBundle::schema, &OpenBundle::dimensions}) {
    if (Refusal fault = (this->*check)()) return refused(*std::move(fault));
  }
  const Geometry shape = geometry();
  if (Refusal fault = source(*operation, shape, file)) return refused(*std::move(fault));
  // 3. Room for the result: a register, then storage, then the shape.
  const Binding& binding = header_.bindings.front();
  const std::uint8_t mask = kPeMasks[binding.pe_mode];
  const TileFile::Place place = file.place(binding.hand, binding.size_code, mask);
  if (!place.index) return refused(allocation(place.missing));
  const Tile& folded = *file.find(*binding.source0);
  const bool by_row = operation->axis == Axis::row;
  const auto descriptor = shaped(result_type(*operation, folded.descriptor().type), binding.size_code, mask,
                                 by_row ? 1 : shape.col, by_row ? shape.valid_row : 1, by_row ? 1 : shape.valid_col);
  if (!descriptor) {
    return refused(allocation(fmt::format("{} bytes do not hold the result", bytes_of_size(binding.size_code))));
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
