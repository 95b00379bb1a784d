#include "testbench/tests/tile/machine.h"

#include <bit>

namespace tpb::tile::test {

std::vector<Word> Recipe::header() const {
  std::vector<Word> words{Start{static_cast<std::uint8_t>(type), find_operation(operation)->selector}};
  if (pad) words.emplace_back(Attributes{*pad, 0});
  const std::optional<std::uint32_t> dimensions[] = {valid_col, valid_row, col};
  for (std::uint8_t which = 0; which < 3; ++which) {
    if (dimensions[which]) words.emplace_back(Dimension{which, 0, *dimensions[which]});
  }
  return words;
}

Binding Recipe::binding() const { return {source, {}, last, size_code, pe_mode, hand}; }

std::vector<std::uint32_t> Recipe::words() const {
  std::vector<Word> words = header();
  words.emplace_back(binding());
  words.emplace_back(Stop{});
  return bits_of(words);
}

std::vector<std::uint32_t> bits_of(const std::vector<Word>& words) {
  std::vector<std::uint32_t> bits;
  for (const Word& word : words) bits.push_back(encode(word));
  return bits;
}

unsigned Machine::load(Type type, const Rows& rows, std::uint8_t hand) {
  std::vector<Code> codes;
  for (const auto& row : rows) codes.insert(codes.end(), row.begin(), row.end());
  const auto partitions = static_cast<std::uint32_t>(rows.size()),
             elements = static_cast<std::uint32_t>(rows[0].size());
  std::uint8_t size_code = 1;
  while (bytes_of_size(size_code) * 8 < partitions * std::bit_ceil(elements) * info_of(type).bits) ++size_code;
  const Loaded loaded = tile::load(
      file, {.type = type, .hand = hand, .size_code = size_code, .partitions = partitions, .elements = elements},
      Dtypes::sixteen, codes);
  EXPECT_EQ(text_of(loaded.fault), "");
  return loaded.index.value_or(0);
}

std::optional<Fault> Machine::run_bits(const std::vector<std::uint32_t>& words) {
  for (const std::uint32_t word : words) {
    last = bundle.step(word, file);
    if (last.fault) return last.fault;
  }
  return std::nullopt;
}

Outcome fold(std::string_view operation, Type type, const std::vector<Code>& elements, Dtypes dtypes) {
  Machine machine({.dtypes = dtypes});
  const bool by_row = find_operation(operation)->axis == Axis::row;
  Rows rows;
  if (by_row) {
    rows = {elements};
  } else {
    for (const Code code : elements) rows.push_back({code});
  }
  Recipe recipe{.operation = operation, .type = type};
  recipe.source = static_cast<std::uint8_t>(machine.load(type, rows));
  const Descriptor& source = machine.file.find(recipe.source)->descriptor();
  recipe.valid_col = source.valid_col;
  recipe.valid_row = source.valid_row;
  recipe.col = source.col;
  EXPECT_EQ(text_of(machine.run(recipe)), "");
  const Tile* result = machine.file.find(machine.last.destination);
  return {result->code(0), machine.file.status()};
}

std::vector<Type> nine_types() {
  return {Type::s32, Type::u32, Type::fp32, Type::s16, Type::u16, Type::fp16, Type::bf16, Type::s8, Type::u8};
}

std::string text_of(const std::optional<Fault>& fault) {
  return fault ? std::string(name_of(fault->kind)) + ": " + fault->allowed : "";
}

}  // namespace tpb::tile::test
