#include "models/program/tile_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "models/isa/opcode.h"
#include "models/program/operand.h"
#include "models/tile/reduction.h"
#include "models/tile/tile.h"
#include "models/tile/word.h"

namespace tpb {
namespace {

constexpr std::size_t kMostWords = std::size(TILE_WORDS{}.words);
constexpr std::string_view kStart = "BSTART.SFU", kStop = "BSTOP", kRawWord = ".word";

Frame tile_frame() {
  Frame frame;
  frame.opcode = static_cast<std::uint8_t>(Opcode::tile);
  return frame;
}

// --- what lines are made of ------------------------------------------------------------------------------------------

bool at_name(const Cursor& cursor, std::string_view name) {
  return cursor.peek().kind == TokenKind::word && cursor.peek().spelling == name;
}

// The place of a name in a list of them.
template <class Names>
std::uint8_t read_name(Cursor& cursor, std::string_view what, const Names& names) {
  const std::uint32_t column = cursor.column();
  const std::string name = cursor.word(fmt::format("the name of {} {}", what == "operation" ? "an" : "a", what));
  const auto found = std::ranges::find(names, name);
  if (found == std::end(names)) throw Problem{column, unknown_name(what, name, {std::begin(names), std::end(names)})};
  return static_cast<std::uint8_t>(found - std::begin(names));
}

template <class Rows>
std::vector<std::string_view> names_of(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

std::uint8_t read_tile(Cursor& cursor) {
  const auto tile = tile::tile_from_name(cursor.peek().spelling);
  if (cursor.peek().kind != TokenKind::word || !tile) cursor.fail("a tile T0..T15, U0..U15, M0..M15 or N0..N15");
  cursor.take();
  return static_cast<std::uint8_t>(*tile);
}

std::string size_name(std::uint8_t code) {
  const std::uint32_t bytes = tile::bytes_of_size(code);
  return bytes < 1024 ? fmt::format("{}B", bytes) : fmt::format("{}KB", bytes / 1024);
}

struct Destination {
  std::uint8_t hand, size_code;
};

// T<32KB>
Destination read_destination(Cursor& cursor) {
  Destination destination{read_name(cursor, "hand", tile::kHandNames), 1};
  cursor.expect("<", "'<' and a size");
  while (size_name(destination.size_code) != cursor.peek().spelling) {
    if (++destination.size_code > tile::kLargestSizeCode) {
      cursor.fail("a size 128B, 256B, 512B, 1KB, 2KB, 4KB, 8KB, 16KB, 32KB or 64KB");
    }
  }
  cursor.take();
  cursor.expect(">", "'>'");
  return destination;
}

std::string destination_text(unsigned hand, std::uint8_t size_code) {
  return fmt::format("{}<{}>", tile::kHandNames[hand], size_name(size_code));
}

std::string mask_text(std::uint8_t mask) { return fmt::format("{:04b}", mask); }

// Four binary digits as a PEMode: only some masks have one.
std::uint8_t read_pe_mode(Cursor& cursor) {
  cursor.expect("=", "'=' and a mask");
  std::vector<std::string> masks;
  for (const std::uint8_t mask : tile::kPeMasks) masks.push_back(mask_text(mask));
  const auto found = std::ranges::find(masks, cursor.peek().spelling);
  if (found == masks.end()) cursor.fail(fmt::format("one of the masks {}", fmt::join(masks, ", ")));
  cursor.take();
  return static_cast<std::uint8_t>(found - masks.begin());
}

// --- words -----------------------------------------------------------------------------------------------------------

tile::Word read_start(Cursor& cursor) {
  const std::vector<std::string_view> operations = names_of(tile::operations()), types = names_of(tile::types());
  const std::uint8_t operation = read_name(cursor, "operation", operations);
  cursor.expect(",", "',' and a type");
  const std::uint8_t type = read_name(cursor, "type", types);
  return tile::Start{static_cast<std::uint8_t>(tile::types()[type].type), tile::operations()[operation].selector};
}

tile::Word read_attributes(Cursor& cursor) {
  if (at_name(cursor, "PadValue")) cursor.fail("the padding alone, as in B.DATR Zero");
  return tile::Attributes{static_cast<tile::Pad>(read_name(cursor, "padding", tile::kPadNames))};
}

// LB0=64, LB0=R3+64
tile::Word read_dimension(Cursor& cursor) {
  static constexpr std::array<std::string_view, 3> kDimensions{"LB0", "LB1", "LB2"};
  tile::Dimension word;
  word.which = read_name(cursor, "dimension", kDimensions);
  cursor.expect("=", "'=' and a size");
  if (cursor.peek().kind == TokenKind::word) {
    word.source = read_register(cursor, Engine::sfu);
    cursor.expect("+", "'+' and a number");
  }
  word.immediate = static_cast<std::uint32_t>(cursor.unsigned_integer("a number", 0x1FFFF));
  return word;
}

// T0, mask=1111, last, ->U<2KB>: up to two sources; `last` and the destination may be missing.
tile::Word read_binding(Cursor& cursor) {
  tile::Binding word;
  static constexpr std::string_view kMask = "mask=, as in T0, mask=1111, last, ->U<2KB>";
  for (auto* const source : {&word.source0, &word.source1}) {
    if (at_name(cursor, "last") || at_name(cursor, "mask") || cursor.peek().kind != TokenKind::word) break;
    *source = read_tile(cursor);
    cursor.expect(",", fmt::format("',' and {}", kMask));
  }
  if (!at_name(cursor, "mask")) cursor.fail(kMask);
  cursor.take();
  word.pe_mode = read_pe_mode(cursor);
  bool more = cursor.accept(",");
  if (more && at_name(cursor, "last")) {
    cursor.take();
    word.last = true;
    more = cursor.accept(",");
  }
  if (!more && cursor.peek().spelling.starts_with("-")) cursor.fail("',' before '->'");
  if (more) {
    cursor.expect("->", word.last ? "'->' and a hand" : "last, or '->' and a hand");
    const Destination destination = read_destination(cursor);
    word.hand = destination.hand;
    word.size_code = destination.size_code;
  }
  return word;
}

tile::Word read_stop(Cursor&) { return tile::Stop{}; }

struct WordLine {
  std::string_view name;
  tile::Word (*read)(Cursor&);  // what follows the name
};
constexpr std::array kWordLines{WordLine{kStart, read_start}, WordLine{"B.DATR", read_attributes},
                                WordLine{"B.DIM", read_dimension}, WordLine{"B.IOT", read_binding},
                                WordLine{kStop, read_stop}};

// Nothing for a word that has no line of its own; whatever bits a line leaves out show when it is read again.
struct WordText {
  using Text = std::optional<std::string>;
  Text operator()(const tile::Start& word) const {
    const tile::Operation* const operation = tile::find_operation(word.selector);
    const tile::TypeInfo* const type = tile::find_type(word.dtype);
    if (operation == nullptr || type == nullptr) return std::nullopt;
    return fmt::format("{} {}, {}", kStart, operation->name, type->name);
  }
  Text operator()(const tile::Attributes& word) const {
    return fmt::format("B.DATR {}", tile::kPadNames[static_cast<std::size_t>(word.pad)]);
  }
  Text operator()(const tile::Dimension& word) const {
    const std::string base = word.source == 0 ? "" : fmt::format("R{}+", word.source);
    return fmt::format("B.DIM LB{}={}{}", word.which, base, word.immediate);
  }
  Text operator()(const tile::Binding& word) const {
    if (word.has_destination() && !tile::is_tile_size(word.size_code)) return std::nullopt;
    std::string text = "B.IOT ";
    for (const auto& source : {word.source0, word.source1}) {
      if (source) text += tile::name_of_tile(*source) + ", ";
    }
    text += "mask=" + mask_text(tile::kPeMasks[word.pe_mode]);
    if (word.last) text += ", last";
    if (word.has_destination()) text += ", ->" + destination_text(word.hand, word.size_code);
    return text;
  }
  Text operator()(const tile::Scalars&) const { return std::nullopt; }
  Text operator()(const tile::Shared&) const { return std::nullopt; }
  Text operator()(const tile::Stop&) const { return std::string(kStop); }
};

// The line of a word, when it says every bit of it.
std::optional<std::string> word_text(std::uint32_t bits) {
  const std::optional<tile::Word> word = tile::decode(bits);
  std::optional<std::string> text = word ? std::visit(WordText{}, *word) : std::nullopt;
  if (!text) return std::nullopt;
  try {
    const std::string_view name = std::string_view(*text).substr(0, text->find(' '));
    const std::vector<Token> tokens = tokenise(std::string_view(*text).substr(name.size()));
    Cursor cursor(tokens);
    const auto line = std::ranges::find(kWordLines, name, &WordLine::name);
    if (tile::encode(line->read(cursor)) != bits) return std::nullopt;
  } catch (const Problem&) {
    return std::nullopt;
  }
  return text;
}

// From BSTART.SFU to BSTOP, with raw words where a line cannot say what stands there; other streams are raw words, of
// which a last BSTOP keeps its name: it is an end that one more word cannot follow.
std::vector<std::string> words_text(std::span<const std::uint32_t> words) {
  const bool ends = words.size() > 1 && words.back() == tile::encode(tile::Stop{});
  const bool is_block = ends && word_text(words.front()).value_or("").starts_with(kStart);
  std::vector<std::string> lines;
  for (const std::uint32_t bits : words) {
    const std::optional<std::string> text = is_block ? word_text(bits) : std::nullopt;
    const bool within = text && (lines.empty() || !begins_block(*text)) && !ends_block(*text);
    lines.push_back(within ? *text : fmt::format("{} 0x{:08x}", kRawWord, bits));
  }
  if (ends) lines.back() = kStop;
  return lines;
}

// --- moves -----------------------------------------------------------------------------------------------------------

struct Move {
  TILE_MOVE bundle{};
  std::optional<TextOperand> operand;
  std::uint32_t channels = kPartitions;
  std::uint32_t channels_column = 0;  // 0: not given
};

struct MoveField {
  std::string_view name;
  void (*read)(Cursor&, Move&);  // from '=' on
};
constexpr std::array kMoveFields{
    MoveField{"mask", [](Cursor& cursor, Move& move) { move.bundle.mask = tile::kPeMasks[read_pe_mode(cursor)]; }},
    MoveField{"col",
              [](Cursor& cursor, Move& move) {
                cursor.expect("=", "'=' and a number of columns");
                move.bundle.col = static_cast<std::uint16_t>(cursor.integer("columns", 1, 0xFFFF));
              }},
    MoveField{"ch", [](Cursor& cursor, Move& move) {
                cursor.expect("=", "'=' and a number of partitions");
                move.channels = static_cast<std::uint32_t>(cursor.integer("partitions", 1, kPartitions));
              }}};

// What the parts of a line are, in order.
enum class Part : std::uint8_t { memory, tile, destination };
struct MoveLine {
  std::string_view name;
  TileKind kind;
  std::vector<Part> parts;
  std::span<const MoveField> fields;
};
const std::array<MoveLine, 3>& move_lines() {
  static const std::array<MoveLine, 3> lines{
      MoveLine{"TLOAD", TileKind::load, {Part::memory, Part::destination}, kMoveFields},
      MoveLine{"TSTORE", TileKind::store, {Part::tile, Part::memory}, std::span(kMoveFields).last(1)},
      MoveLine{"TFREE", TileKind::free, {Part::tile}, {}}};
  return lines;
}

void read_field(Cursor& cursor, const MoveLine& line, Move& move, std::vector<std::string>& given) {
  const std::uint32_t column = cursor.column();
  const std::string name = cursor.word("a field, a wait or an update");
  const auto field = std::ranges::find(line.fields, name, &MoveField::name);
  if (field == line.fields.end()) {
    throw Problem{column, unknown_name(fmt::format("field of {}", line.name), name, names_of(line.fields))};
  }
  if (std::ranges::find(given, name) != given.end()) {
    throw Problem{column, fmt::format("second {}, expected one", name)};
  }
  given.push_back(name);
  if (name == "ch") move.channels_column = column;
  field->read(cursor, move);
}

// Nothing when a code has no name.
std::optional<std::string> move_text(const Bundle& bundle, const SemanticsOptions& semantics) {
  const auto move = std::bit_cast<TILE_MOVE>(bundle);
  const auto line = std::ranges::find(move_lines(), static_cast<TileKind>(move.kind), &MoveLine::kind);
  if (line == move_lines().end()) return std::nullopt;
  const bool is_load = line->kind == TileKind::load;
  if (is_load ? move.tile >= tile::kHandNames.size() || !tile::is_tile_size(move.size_code)
              : move.tile >= tile::kTiles) {
    return std::nullopt;
  }
  if (line->kind == TileKind::free) return fmt::format("{} {}", line->name, tile::name_of_tile(move.tile));
  const Operands operands = operands_of(unpack(bundle, semantics));
  const std::string memory = raw_operand_text(is_load ? operands.source[0] : operands.destination[0], 4);
  const std::string channels = fmt::format(" ch={}", operands.channels());
  if (!is_load) return fmt::format("{} {} -> {}{}", line->name, tile::name_of_tile(move.tile), memory, channels);
  return fmt::format("{} {} -> {} mask={}{}{}", line->name, memory, destination_text(move.tile, move.size_code),
                     mask_text(move.mask), move.col == 0 ? "" : fmt::format(" col={}", move.col), channels);
}

std::vector<Bundle> read_again(std::string_view text, Engine engine, const Symbols& symbols, const Config& config) {
  std::optional<TileBlock> block;
  for (bool more = true; more;) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const std::string_view first = line.substr(0, line.find(' '));
    const std::vector<Token> tokens = tokenise(line);
    Cursor cursor(tokens);
    if (is_tile_move(first)) return read_tile_move(first, cursor, engine, symbols, config);
    if (!block) block.emplace(first, 1, 1, engine);
    block->read(first, cursor, symbols);
    more = end != std::string_view::npos;
    if (more) text.remove_prefix(end + 1);
  }
  return block->bundles();
}

}  // namespace

bool begins_block(std::string_view first) { return first.starts_with("BSTART"); }
bool ends_block(std::string_view first) { return first == kStop; }

// Misspelt ones too, as far as they show what they were meant to be.
bool is_block_line(std::string_view first) {
  return begins_block(first) || ends_block(first) || first == kRawWord || first.starts_with("B.");
}

bool is_tile_move(std::string_view first) {
  return std::ranges::find(move_lines(), first, &MoveLine::name) != move_lines().end();
}

std::vector<std::string_view> tile_names() {
  std::vector<std::string_view> names = names_of(move_lines());
  std::ranges::copy(names_of(kWordLines), std::back_inserter(names));
  return names;
}

bool is_tile_operation(std::string_view name) { return tile::find_operation(name) != nullptr; }

TileBlock::TileBlock(std::string_view first, std::uint32_t line, std::uint32_t column, Engine engine)
    : line_(line), column_(column), engine_(engine), may_end_(first == kRawWord) {
  if (!may_end_ && !begins_block(first)) {
    throw Problem{column, fmt::format("{} outside a block, expected {} before it", first, kStart)};
  }
}

void TileBlock::read(std::string_view first, Cursor& cursor, const Symbols& symbols) {
  const std::uint32_t column = cursor.column();
  // A point within a name begins another token.
  const auto end = column + static_cast<std::uint32_t>(first.size());
  while (!cursor.at_end() && cursor.column() < end) cursor.take();
  if (ends_block(first)) may_end_ = true;
  if (first == kRawWord) {
    words_.push_back(static_cast<std::uint32_t>(cursor.unsigned_integer("a word", 0xFFFF'FFFF)));
  } else {
    const auto line = std::ranges::find(kWordLines, first, &WordLine::name);
    if (line == kWordLines.end()) throw Problem{column, unknown_name("word", first, names_of(kWordLines))};
    words_.push_back(tile::encode(line->read(cursor)));
  }
  while (!cursor.at_end()) {
    if (!at_event(cursor)) cursor.fail("a wait, an update or the end of the line");
    read_event(cursor, engine_, symbols, synchronised_);
  }
  // The words after that are no further problems.
  if (words_.size() == kMostWords + 1) {
    throw Problem{
        column, fmt::format("word {} of the block of line {}, expected at most {}", kMostWords + 1, line_, kMostWords)};
  }
}

std::vector<Bundle> TileBlock::bundles() const {
  if (!may_end_ && words_.size() <= kMostWords) {  // else it has been told of already
    throw Problem{column_, fmt::format("block without an end, expected {}", kStop)};
  }
  TILE_WORDS bundle{};
  bundle.frame = tile_frame();
  bundle.kind = static_cast<std::uint8_t>(TileKind::words);
  bundle.count = static_cast<std::uint8_t>(std::min(words_.size(), kMostWords));
  std::ranges::copy_n(words_.begin(), bundle.count, bundle.words);
  Synchronised line = synchronised_;
  line.instruction = {std::bit_cast<Bundle>(bundle)};
  return expand(line);
}

std::vector<Bundle> read_tile_move(std::string_view first, Cursor& cursor, Engine engine, const Symbols& symbols,
                                   const Config& config) {
  const MoveLine& line = *std::ranges::find(move_lines(), first, &MoveLine::name);
  cursor.take();
  Move move;
  move.bundle.frame = tile_frame();
  move.bundle.kind = static_cast<std::uint8_t>(line.kind);
  for (const Part part : line.parts) {
    if (part != line.parts.front()) cursor.expect("->", "'->'");
    if (part == Part::memory) {
      move.operand = read_operand(cursor, {4}, engine, symbols, config.memory);
    } else if (part == Part::tile) {
      move.bundle.tile = read_tile(cursor);
    } else {
      const Destination destination = read_destination(cursor);
      move.bundle.tile = destination.hand;
      move.bundle.size_code = destination.size_code;
      move.bundle.mask = tile::kPeMasks.back();  // every PE
    }
  }
  Synchronised synchronised;
  std::vector<std::string> given;
  while (!cursor.at_end()) {
    if (at_event(cursor)) {
      read_event(cursor, engine, symbols, synchronised);
    } else {
      read_field(cursor, line, move, given);
    }
  }
  if (move.channels_column != 0 && !move.operand->raw) {
    throw Problem{move.channels_column, "ch= without a raw operand, expected the partitions of the tensors to speak"};
  }
  if (move.operand) {
    if (move.operand->raw) place_raw_operand(*move.operand, move.channels, config.memory);
    const Operand& operand = move.operand->operand;
    move.bundle.operand = descriptor_of<4>(operand.pattern);
    move.bundle.dtype = static_cast<std::uint8_t>(operand.dtype);
    move.bundle.num_active_channels = static_cast<std::uint8_t>(operand.channels);
  }
  synchronised.instruction = {std::bit_cast<Bundle>(move.bundle)};
  return expand(synchronised);
}

bool is_tile(const Synchronised& line) {
  return line.instruction.size() == 1 && line.instruction[0][0] == static_cast<std::uint8_t>(Opcode::tile);
}

namespace {
constexpr std::uint8_t kBlockVariant = 0x80;  // beside the selector, which has seven bits
}

std::uint8_t tile_variant(const Instruction& instruction) {
  if (const auto* move = std::get_if<TILE_MOVE>(&instruction)) return move->kind;
  if (const auto* words = std::get_if<TILE_WORDS>(&instruction)) {
    for (unsigned i = 0; i < words->count; ++i) {
      const auto word = tile::decode(words->words[i]);
      if (!word) break;
      if (const auto* start = std::get_if<tile::Start>(&*word)) return kBlockVariant | start->selector;
    }
  }
  return 0;
}

std::string_view tile_name_of(std::uint8_t variant) {
  if ((variant & kBlockVariant) != 0) {
    const tile::Operation* operation = tile::find_operation(static_cast<std::uint8_t>(variant & ~kBlockVariant));
    return operation != nullptr ? operation->name : "";
  }
  const auto line = std::ranges::find(move_lines(), static_cast<TileKind>(variant), &MoveLine::kind);
  return line != move_lines().end() ? line->name : "";
}

// The waits stand on the first line and the updates on the last.
std::optional<std::string> tile_text(const Synchronised& line, std::span<const Bundle> bundles, Engine engine,
                                     const Symbols& symbols, const Config& config) {
  const Bundle& bundle = line.instruction[0];
  const auto words = std::bit_cast<TILE_WORDS>(bundle);
  std::vector<std::string> lines;
  if (static_cast<TileKind>(words.kind) == TileKind::words) {
    if (words.count == 0 || words.count > kMostWords) return std::nullopt;
    lines = words_text(std::span(words.words).first(words.count));
  } else if (const auto text = move_text(bundle, config.semantics)) {
    lines = {*text};
  } else {
    return std::nullopt;
  }
  const auto waits = event_text({{}, line.waits, {}}, symbols), updates = event_text({{}, {}, line.updates}, symbols);
  if (!waits || !updates) return std::nullopt;
  lines.front() += *waits;
  lines.back() += *updates;
  const std::string text = fmt::format("{}", fmt::join(lines, "\n"));
  try {
    if (!std::ranges::equal(read_again(text, engine, symbols, config), bundles)) return std::nullopt;
  } catch (const Problem&) {
    return std::nullopt;
  }
  return text;
}

}  // namespace tpb
