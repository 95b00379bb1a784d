#include "models/program/operand.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <optional>
#include <vector>

namespace tpb {
namespace {

constexpr std::uint32_t kAddressRegister = 0x8000'0000;  // marker 100 in bits 31..29
constexpr std::uint32_t kAddressMask = 0x1FFF'FFFF;
constexpr unsigned kSfuRegisters = 24;

// One index of a slice, resolved: `count` elements from `start` on, `step` apart.
struct Range {
  std::int64_t start = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
  bool integer = false;  // removes its dimension
};

std::int64_t read_index(Cursor& cursor) {
  constexpr std::int64_t kLarge = std::numeric_limits<std::int32_t>::max();
  return cursor.integer("an index", -kLarge, kLarge);
}

// `i`, `a:b` or `a:b:s` of a dimension of `size` elements; negative indices count from the end as in numpy, but
// nothing is clipped.
Range read_range(Cursor& cursor, std::int64_t size, std::size_t dimension) {
  const std::uint32_t column = cursor.column();
  const auto outside = [&](std::int64_t index) {
    throw Problem{column, fmt::format("index {} outside dimension {} of {} elements", index, dimension, size)};
  };
  std::optional<std::int64_t> start, stop;
  if (!cursor.at(":")) start = read_index(cursor);
  if (!cursor.accept(":")) {
    const std::int64_t index = *start < 0 ? *start + size : *start;
    if (index < 0 || index >= size) outside(*start);
    return {index, 1, 1, true};
  }
  if (!cursor.at(":") && !cursor.at(",") && !cursor.at("]")) stop = read_index(cursor);
  std::int64_t step = 1;
  if (cursor.accept(":") && !cursor.at(",") && !cursor.at("]")) {
    const std::uint32_t step_column = cursor.column();
    step = read_index(cursor);
    if (step == 0) throw Problem{step_column, "step 0, expected another step"};
  }
  const std::int64_t first = start ? (*start < 0 ? *start + size : *start) : (step > 0 ? 0 : size - 1);
  const std::int64_t end = stop ? (*stop < 0 ? *stop + size : *stop) : (step > 0 ? size : -1);
  if (start && (first < 0 || first > size)) outside(*start);
  if (stop && (end < 0 || end > size)) outside(*stop);
  const std::int64_t distance = step > 0 ? end - first : first - end;
  if (distance <= 0) throw Problem{column, "slice without elements, expected at least one"};
  if (first == size) outside(*start);
  const std::int64_t magnitude = step > 0 ? step : -step;
  return {first, step, (distance + magnitude - 1) / magnitude, false};
}

// Puts dimension `d` into the pattern when a descriptor can hold it.
void set_dimension(AccessPattern& pattern, unsigned d, std::int64_t step, std::int64_t count, std::uint32_t column) {
  if (count > std::numeric_limits<std::uint16_t>::max()) {
    throw Problem{column, fmt::format("dimension of {} elements, expected at most 65535 in a descriptor", count)};
  }
  if (step < std::numeric_limits<std::int16_t>::min() || step > std::numeric_limits<std::int16_t>::max()) {
    // A dimension of one element is never stepped.
    if (count != 1) throw Problem{column, fmt::format("step of {} elements, expected -32768..32767", step)};
    step = 1;
  }
  pattern.step[d] = static_cast<std::int32_t>(step);
  pattern.num[d] = static_cast<std::uint32_t>(count);
}

void check_rank(std::size_t dimensions, const Rank& rank, std::uint32_t column) {
  if (dimensions > rank.most) {
    throw Problem{column, fmt::format("operand with {} free dimensions, expected at most {}{}{}", dimensions, rank.most,
                                      rank.reason.empty() ? "" : ": ", rank.reason)};
  }
}

std::uint32_t address_in(const Tensor& tensor, std::int64_t partition, std::int64_t element, const MemoryMap& memory) {
  Location location = tensor.start;
  location.partition += static_cast<std::uint32_t>(partition);
  location.offset += static_cast<std::uint32_t>(element) * bytes_of(tensor.dtype);
  return address_of(memory, location);
}

// A tensor or a slice of it; missing trailing indices take all.
Operand read_slice(Cursor& cursor, const Tensor& tensor, const Rank& rank, std::uint32_t column,
                   const MemoryMap& memory) {
  std::vector<Range> ranges;
  if (cursor.accept("[")) {
    do {
      if (ranges.size() == tensor.shape.size()) {
        cursor.fail(fmt::format("no more than the {} indices of '{}'", tensor.shape.size(), tensor.name));
      }
      const std::uint32_t index_column = cursor.column();
      ranges.push_back(read_range(cursor, tensor.shape[ranges.size()], ranges.size()));
      if (ranges.size() == 1 && ranges[0].step != 1) {
        throw Problem{index_column, fmt::format("partition step {}, expected 1", ranges[0].step)};
      }
    } while (cursor.accept(","));
    cursor.expect("]", "',' or ']'");
  }
  while (ranges.size() < tensor.shape.size()) ranges.push_back({0, 1, tensor.shape[ranges.size()], false});

  Operand operand;
  operand.dtype = tensor.dtype;
  operand.channels = static_cast<std::uint32_t>(ranges[0].count);
  std::size_t dimensions = 0;
  for (std::size_t axis = 1; axis < ranges.size(); ++axis) dimensions += ranges[axis].integer ? 0U : 1U;
  check_rank(dimensions, rank, column);
  std::int64_t first = 0;
  std::int64_t stride = 1;
  unsigned d = 0;
  for (std::size_t axis = ranges.size() - 1; axis >= 1; --axis) {  // numpy's last is dimension 0
    const Range& range = ranges[axis];
    first += range.start * stride;
    if (!range.integer) set_dimension(operand.pattern, d++, range.step * stride, range.count, column);
    stride *= tensor.shape[axis];
  }
  operand.pattern.start_addr = address_in(tensor, ranges[0].start, first, memory);
  return operand;
}

// [steps][nums], innermost first.
AccessPattern read_pattern(Cursor& cursor, const Rank& rank, std::uint32_t column) {
  std::vector<std::int64_t> steps, counts;
  cursor.expect("[", "'[' and the steps");
  do steps.push_back(cursor.integer("a step", -32768, 32767));
  while (cursor.accept(","));
  cursor.expect("]", "',' or ']'");
  cursor.expect("[", "'[' and the counts");
  do counts.push_back(cursor.integer("a count", 1, 65535));
  while (cursor.accept(","));
  cursor.expect("]", "',' or ']'");
  if (steps.size() != counts.size()) {
    throw Problem{column, fmt::format("{} steps and {} counts, expected as many of both", steps.size(), counts.size())};
  }
  check_rank(steps.size(), rank, column);
  AccessPattern pattern;
  for (unsigned d = 0; d < steps.size(); ++d) set_dimension(pattern, d, steps[d], counts[d], column);
  return pattern;
}

// t+OFFSET[steps][nums]
Operand read_offset(Cursor& cursor, const Tensor& tensor, const Rank& rank, std::uint32_t column,
                    const MemoryMap& memory) {
  const std::uint32_t offset_column = cursor.column();
  const auto size = static_cast<std::int64_t>(tensor.elements_per_partition());
  const auto offset = static_cast<std::int64_t>(cursor.unsigned_integer("an offset in elements", 0xFFFF'FFFF));
  Operand operand{read_pattern(cursor, rank, column), tensor.dtype, tensor.shape[0]};
  const ByteRange touched = touched_bytes(operand.pattern, 1);  // in elements
  const std::int64_t first = offset + touched.first;
  const std::int64_t last = offset + touched.last;
  if (first < 0 || last >= size) {
    throw Problem{offset_column, fmt::format("elements {}..{} per partition, expected 0..{} of '{}'", first, last,
                                             size - 1, tensor.name)};
  }
  operand.pattern.start_addr = address_in(tensor, 0, offset, memory);
  return operand;
}

}  // namespace

std::uint8_t read_register(Cursor& cursor, Engine engine) {
  const unsigned count = engine == Engine::sfu ? kSfuRegisters : kRegisters;
  const std::string expected = fmt::format("a register R0..R{}", count - 1);
  const std::string& spelling = cursor.peek().spelling;
  if (cursor.peek().kind != TokenKind::word || spelling.size() < 2 || spelling.size() > 3 || spelling[0] != 'R') {
    cursor.fail(expected);
  }
  unsigned number = 0;
  for (const char c : spelling.substr(1)) {
    if (c < '0' || c > '9') cursor.fail(expected);
    number = number * 10 + static_cast<unsigned>(c - '0');
  }
  if (number >= count) cursor.fail(expected);
  cursor.take();
  return static_cast<std::uint8_t>(number);
}

TextOperand read_operand(Cursor& cursor, const Rank& rank, Engine engine, const Symbols& symbols,
                         const MemoryMap& memory) {
  const std::uint32_t column = cursor.column();
  const std::string name = cursor.word("a tensor or dtype@address");
  if (cursor.accept("@")) {
    const Dtype dtype = dtype_named(name, column);
    std::uint32_t address = 0;
    if (cursor.peek().kind == TokenKind::word && cursor.peek().spelling == "reg") {
      cursor.take();
      cursor.expect("(", "'(' and a register");
      address = kAddressRegister | read_register(cursor, engine);
      cursor.expect(")", "')'");
    } else {
      address = static_cast<std::uint32_t>(cursor.unsigned_integer("an address", kAddressMask));
    }
    Operand operand{read_pattern(cursor, rank, column), dtype, 0};
    operand.pattern.start_addr = address;
    return {operand, column, true};
  }
  const Tensor& tensor = symbols.tensor(name, column);
  if (cursor.accept("+")) return {read_offset(cursor, tensor, rank, column, memory), column, false};
  return {read_slice(cursor, tensor, rank, column, memory), column, false};
}

TextOperand read_raw_element(Cursor& cursor) {
  const std::uint32_t column = cursor.column();
  Operand operand;
  operand.dtype = dtype_named(cursor.word("a dtype"), column);
  cursor.expect("@", "'@' and an address");
  operand.pattern.start_addr = static_cast<std::uint32_t>(cursor.unsigned_integer("an address", kAddressMask));
  return {operand, column, true};
}

void place_raw_operand(TextOperand& raw, std::uint32_t channels, const MemoryMap& memory) {
  raw.operand.channels = channels;
  const AccessPattern& pattern = raw.operand.pattern;
  if (pattern.start_addr >= kAddressRegister) return;
  const Location start = locate(memory, pattern.start_addr);
  const std::int64_t capacity =
      start.space == Space::sbuf ? memory.sbuf_bytes_per_partition : memory.psum_bytes_per_partition();
  const ByteRange touched = touched_bytes(pattern, bytes_of(raw.operand.dtype));
  const std::int64_t first = std::int64_t{start.offset} + touched.first;
  const std::int64_t last = std::int64_t{start.offset} + touched.last;
  const std::string_view space = start.space == Space::sbuf ? "sbuf" : "psum";
  if (std::uint64_t{start.partition} + channels > kPartitions) {
    throw Problem{raw.column, fmt::format("partitions {}..{} of {}, expected 0..127", start.partition,
                                          std::uint64_t{start.partition} + channels - 1, space)};
  }
  if (first < 0 || last >= capacity) {
    throw Problem{raw.column,
                  fmt::format("bytes {}..{} of a partition of {}, expected 0..{}", first, last, space, capacity - 1)};
  }
}

std::string raw_element_text(const Operand& operand) {
  return fmt::format("{}@0x{:x}", name_of(operand.dtype), operand.pattern.start_addr);
}

std::string raw_operand_text(const Operand& operand, unsigned rank) {
  const AccessPattern& pattern = operand.pattern;
  const std::string address = address_mode(pattern.start_addr) == AddressMode::address_register
                                  ? fmt::format("reg(R{})", pattern.start_addr & 0xFF)
                                  : fmt::format("0x{:x}", pattern.start_addr);
  return fmt::format("{}@{}[{}][{}]", name_of(operand.dtype), address,
                     fmt::join(pattern.step.begin(), pattern.step.begin() + rank, ","),
                     fmt::join(pattern.num.begin(), pattern.num.begin() + rank, ","));
}

}  // namespace tpb
