#include "models/program/assembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <list>
#include <utility>

#include "models/program/file.h"
#include "models/program/instruction_text.h"
#include "models/program/npy.h"
#include "models/program/operand.h"
#include "models/program/scalar.h"
#include "models/program/tile_text.h"

namespace tpb {
namespace {

constexpr std::size_t kMostDimensions = 32;
constexpr std::string_view kRawBundle = ".bundle";

struct SourceLine {
  std::uint32_t number;
  std::string_view text;
};

std::string read_text(const std::filesystem::path& path, const Limits& limits) {
  try {
    const std::vector<std::uint8_t> bytes = read_file(path, limits);
    return {bytes.begin(), bytes.end()};
  } catch (const FileProblem& problem) {
    refuse_file(path, problem.what);
  }
}

std::vector<SourceLine> lines_of(std::string_view text) {
  std::vector<SourceLine> lines;
  std::uint32_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back({++number, text.substr(0, end)});
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

// What a line begins with, up to the next blank or comment; empty when there is nothing.
std::string_view first_word(std::string_view line) {
  const std::size_t start = std::min(line.find_first_not_of(" \t\r"), line.size());
  return line.substr(start, std::min(line.find_first_of(" \t\r#", start), line.size()) - start);
}

Generation read_generation(Cursor& cursor) {
  cursor.take();  // the directive
  const std::uint32_t column = cursor.column();
  const Generation generation = generation_named(cursor.word("the name of a generation"), column);
  cursor.expect_end();
  return generation;
}

// Reads the directives that declare things first, then everything that may name them, so that order does not matter.
class Assembler {
 public:
  Assembler(const std::filesystem::path& path, const Config& config)
      : config_(config),
        directory_(std::filesystem::absolute(path).lexically_normal().parent_path()),
        problems_(path.string()) {
    program_.name = path.string();
  }

  Program assemble(std::string_view text) {
    for (const SourceLine& line : lines_of(text)) read_line(line);
    for (const Deferred& deferred : deferred_) read_deferred(deferred);
    close_block();
    check_overlaps();
    problems_.throw_if_any();
    return std::move(program_);
  }

 private:
  // A line that may name what is declared further down, or a declaration, which ends a block like any other line.
  struct Deferred {
    SourceLine line;
    std::optional<Engine> engine;
    bool is_declaration = false;
  };

  template <class Step>
  void attempt(std::uint32_t line, Step step) {
    try {
      step();
    } catch (const Problem& problem) {
      problems_.add(line, problem);
    }
  }

  void read_line(const SourceLine& line) {
    attempt(line.number, [&] {
      if (const std::size_t zero = line.text.find('\0'); zero != std::string_view::npos) {
        throw Problem{static_cast<std::uint32_t>(zero + 1), "zero byte, expected text"};
      }
      const std::string_view first = first_word(line.text);
      using Declaration = void (Assembler::*)(Cursor&, std::uint32_t);
      static constexpr std::pair<std::string_view, Declaration> kDeclarations[] = {
          {".generation", &Assembler::generation},
          {".tensor", &Assembler::tensor},
          {".semaphore", &Assembler::semaphore},
          {".register", &Assembler::initial_register},
          {".engine", &Assembler::engine}};
      const auto declaration =
          std::ranges::find(kDeclarations, first, &std::pair<std::string_view, Declaration>::first);
      if (declaration == std::end(kDeclarations)) {
        if (!first.empty()) deferred_.push_back({line, engine_});
        return;
      }
      deferred_.push_back({line, engine_, true});
      const std::vector<Token> tokens = tokenise(line.text);
      Cursor cursor(tokens);
      (this->*declaration->second)(cursor, line.number);
    });
  }

  void read_deferred(const Deferred& deferred) {
    attempt(deferred.line.number, [&] {
      const std::string_view first = first_word(deferred.line.text);
      if (is_block_line(first)) return block_line(first, deferred);
      close_block();
      if (deferred.is_declaration) return;
      if (first == kRawBundle) return raw_bundle(deferred);  // its digits are no tokens
      const std::vector<Token> tokens = tokenise(deferred.line.text);
      Cursor cursor(tokens);
      if (first == ".output") return output(cursor, deferred.line.number);
      if (first == ".expect") return expectation(cursor, deferred.line.number);
      if (first.starts_with(".")) {
        throw Problem{cursor.column(), unknown_name("directive", first,
                                                    {".generation", ".tensor", ".output", ".expect", ".semaphore",
                                                     ".register", ".engine", kRawBundle, ".word"})};
      }
      instruction(cursor, deferred);
    });
  }

  // --- declarations --------------------------------------------------------------------------------------------------

  void generation(Cursor& cursor, std::uint32_t line) {
    if (program_.generation) {
      throw Problem{cursor.column(),
                    fmt::format("second .generation, expected one (line {})", program_.generation_line)};
    }
    program_.generation = read_generation(cursor);
    program_.generation_line = line;
  }

  void engine(Cursor& cursor, std::uint32_t) {
    cursor.take();
    const std::uint32_t column = cursor.column();
    // After a misspelt name the instructions are still read, for their own problems.
    if (!engine_) engine_ = Engine::pe;
    engine_ = engine_named(cursor.word("the name of an engine"), column);
    cursor.expect_end();
  }

  void tensor(Cursor& cursor, std::uint32_t line) {
    cursor.take();
    const std::uint32_t column = cursor.column();
    Tensor tensor;
    tensor.line = line;
    tensor.name = cursor.word("a name");
    try {
      if (const auto earlier = symbols_.tensors.find(tensor.name); earlier != symbols_.tensors.end()) {
        throw Problem{column, fmt::format("second tensor '{}', expected another name (line {})", tensor.name,
                                          earlier->second.line)};
      }
      if (program_.tensors.size() == config_.limits.tensors) {
        throw Problem{column,
                      fmt::format("more tensors than limits.tensors, expected at most {}", config_.limits.tensors)};
      }
      const std::uint32_t dtype_column = cursor.column();
      tensor.dtype = dtype_named(cursor.word("a dtype"), dtype_column);
      shape(cursor, tensor);
      place(cursor, tensor);
      if (cursor.accept("=")) contents(cursor, tensor);
      cursor.expect_end();
    } catch (const Problem&) {
      if (!symbols_.tensors.contains(tensor.name)) symbols_.refused.insert(tensor.name);
      throw;
    }
    program_.tensors.push_back(tensor);
    tensor_columns_.push_back(column);
    tensor.contents = Uninitialised{};  // kept once
    symbols_.tensors.emplace(tensor.name, std::move(tensor));
  }

  void shape(Cursor& cursor, Tensor& tensor) {
    cursor.expect("[", "'[' and a shape, partitions first");
    do {
      if (tensor.shape.size() == kMostDimensions) cursor.fail(fmt::format("at most {} dimensions", kMostDimensions));
      const std::int64_t most = tensor.shape.empty() ? kPartitions : 0x1FFF'FFFF;
      const std::string_view what = tensor.shape.empty() ? "partitions" : "a dimension";
      tensor.shape.push_back(static_cast<std::uint32_t>(cursor.integer(what, 1, most)));
    } while (cursor.accept(","));
    cursor.expect("]", "',' or ']'");
  }

  // sbuf+OFFSET or psum[PARTITION]+OFFSET; the tensor must end within its partitions and its memory.
  void place(Cursor& cursor, Tensor& tensor) {
    const std::uint32_t column = cursor.column();
    const std::string space = cursor.word("sbuf or psum");
    if (space != "sbuf" && space != "psum") throw Problem{column, unknown_name("memory", space, {"sbuf", "psum"})};
    tensor.start.space = space == "sbuf" ? Space::sbuf : Space::psum;
    if (cursor.accept("[")) {
      tensor.start.partition = static_cast<std::uint32_t>(cursor.integer("a partition", 0, kPartitions - 1));
      cursor.expect("]", "']'");
    }
    cursor.expect("+", "'+' and an offset in bytes");
    tensor.start.offset = static_cast<std::uint32_t>(cursor.unsigned_integer("an offset in bytes", 0x1FFF'FFFF));
    if (tensor.start.partition + tensor.shape[0] > kPartitions) {
      throw Problem{column, fmt::format("partitions {}..{} of {}, expected 0..127", tensor.start.partition,
                                        tensor.start.partition + tensor.shape[0] - 1, space)};
    }
    const std::uint64_t capacity = tensor.start.space == Space::sbuf ? config_.memory.sbuf_bytes_per_partition
                                                                     : config_.memory.psum_bytes_per_partition();
    // Each factor is checked before the next, so that nothing overflows.
    std::uint64_t end = bytes_of(tensor.dtype);
    for (std::size_t axis = 1; axis < tensor.shape.size() && end <= capacity; ++axis) end *= tensor.shape[axis];
    if (end > capacity) {
      throw Problem{column, fmt::format("more than the {} bytes of a partition of {}, expected a smaller tensor",
                                        capacity, space)};
    }
    end += tensor.start.offset;
    if (end > capacity) {
      throw Problem{column, fmt::format("bytes {}..{} of a partition of {}, expected 0..{}", tensor.start.offset,
                                        end - 1, space, capacity - 1)};
    }
  }

  void contents(Cursor& cursor, Tensor& tensor) {
    const std::uint32_t column = cursor.column();
    if (cursor.peek().kind == TokenKind::quoted) {
      tensor.contents = FileContents{path_of(cursor.take().spelling, column)};
      check_file(std::get<FileContents>(tensor.contents).path, tensor, column);
    } else if (cursor.at("[")) {
      tensor.contents = list(cursor, tensor);
    } else {
      const std::string word = cursor.word("a file, zeros, ones, iota, random(SEED), [values] or uninitialised");
      if (word == "zeros") {
        tensor.contents = Zeros{};
      } else if (word == "ones") {
        tensor.contents = Ones{};
      } else if (word == "iota") {
        tensor.contents = Iota{};
      } else if (word == "uninitialised") {
        tensor.contents = Uninitialised{};
      } else if (word == "random") {
        cursor.expect("(", "'(' and a seed");
        tensor.contents = RandomValues{cursor.unsigned_integer("a seed")};
        cursor.expect(")", "')'");
      } else {
        throw Problem{column, unknown_name("contents", word, {"zeros", "ones", "iota", "random", "uninitialised"})};
      }
    }
  }

  // [1, 2, 3]: one value, or one for each element.
  ListContents list(Cursor& cursor, const Tensor& tensor) {
    const std::uint32_t column = cursor.column();
    ListContents list;
    cursor.expect("[", "'['");
    do list.bits.push_back(read_element(cursor, tensor.dtype));
    while (cursor.accept(","));
    cursor.expect("]", "',' or ']'");
    if (list.bits.size() != 1 && list.bits.size() != tensor.elements()) {
      throw Problem{column, fmt::format("{} values, expected 1 or {}", list.bits.size(), tensor.elements())};
    }
    return list;
  }

  void semaphore(Cursor& cursor, std::uint32_t line) {
    cursor.take();
    SemaphoreInit init;
    init.line = line;
    const std::uint32_t name_column = cursor.column();
    if (cursor.peek().kind == TokenKind::word) init.name = cursor.take().spelling;
    try {
      if (symbols_.semaphores.contains(init.name)) {
        throw Problem{name_column, fmt::format("second semaphore '{}', expected another name", init.name)};
      }
      const std::uint32_t column = cursor.column();
      init.index = static_cast<std::uint8_t>(cursor.unsigned_integer("a semaphore", 255));
      const auto same = std::ranges::find(program_.semaphores, init.index, &SemaphoreInit::index);
      if (same != program_.semaphores.end()) {
        throw Problem{column, fmt::format("second .semaphore {}, expected one (line {})", init.index, same->line)};
      }
      if (cursor.accept("=")) {
        init.value = static_cast<std::uint32_t>(cursor.unsigned_integer("an initial value", 0xFFFF'FFFF));
      }
      cursor.expect_end();
    } catch (const Problem&) {
      if (!symbols_.semaphores.contains(init.name)) symbols_.refused.insert(init.name);
      throw;
    }
    if (!init.name.empty()) symbols_.semaphores.emplace(init.name, init.index);
    program_.semaphores.push_back(std::move(init));
  }

  void initial_register(Cursor& cursor, std::uint32_t line) {
    cursor.take();
    RegisterInit init{};
    init.line = line;
    const std::uint32_t engine_column = cursor.column();
    init.engine = engine_named(cursor.word("the name of an engine"), engine_column);
    const std::uint32_t column = cursor.column();
    init.index = read_register(cursor, init.engine);
    if (init.engine == Engine::sfu && init.index == 0)
      throw Problem{column, "R0 of the sfu reads zero, expected R1..R23"};
    for (const RegisterInit& other : program_.registers) {
      if (other.engine == init.engine && other.index == init.index) {
        throw Problem{column, fmt::format("second value for R{} of {}, expected one (line {})", init.index,
                                          name_of(init.engine), other.line)};
      }
    }
    cursor.expect("=", "'=' and a value");
    init.value = static_cast<std::uint32_t>(cursor.unsigned_integer("a value", 0xFFFF'FFFF));
    cursor.expect_end();
    program_.registers.push_back(init);
  }

  // Only one of two tensors in the same place can have contents.
  void check_overlaps() {
    struct Extent {
      std::uint64_t begin, end;
      std::size_t tensor;
    };
    std::array<std::vector<Extent>, 2> spaces;
    for (std::size_t i = 0; i < program_.tensors.size(); ++i) {
      const Tensor& tensor = program_.tensors[i];
      if (std::holds_alternative<Uninitialised>(tensor.contents)) continue;
      const std::uint64_t begin = tensor.start.offset;
      spaces[static_cast<std::size_t>(tensor.start.space)].push_back(
          {begin, begin + tensor.elements_per_partition() * bytes_of(tensor.dtype), i});
    }
    for (std::vector<Extent>& extents : spaces) {
      std::ranges::stable_sort(extents, {}, &Extent::begin);
      // Those that reach to the present offset: at most one per partition, as long as none overlap.
      std::list<Extent> active;
      for (const Extent& extent : extents) {
        active.remove_if([&](const Extent& other) { return other.end <= extent.begin; });
        const Tensor& tensor = program_.tensors[extent.tensor];
        const auto meets = [&](const Extent& other) {
          const Tensor& there = program_.tensors[other.tensor];
          return there.start.partition < tensor.start.partition + tensor.shape[0] &&
                 tensor.start.partition < there.start.partition + there.shape[0];
        };
        const auto other = std::ranges::find_if(active, meets);
        if (other == active.end()) {
          active.push_back(extent);
          continue;
        }
        const std::size_t later = std::max(extent.tensor, other->tensor);
        const Tensor& first = program_.tensors[std::min(extent.tensor, other->tensor)];
        const Tensor& second = program_.tensors[later];
        problems_.add(second.line, {tensor_columns_[later],
                                    fmt::format("'{}' overlaps '{}' (line {}) and both have contents, expected one",
                                                second.name, first.name, first.line)});
      }
    }
  }

  // --- what names declared things ------------------------------------------------------------------------------------

  void output(Cursor& cursor, std::uint32_t line) {
    cursor.take();
    const std::uint32_t column = cursor.column();
    const std::string name = cursor.word("a tensor");
    symbols_.tensor(name, column);
    const std::uint32_t path_column = cursor.column();
    program_.outputs.push_back({name, path_of(cursor.quoted("a quoted path"), path_column), line});
    cursor.expect_end();
  }

  void expectation(Cursor& cursor, std::uint32_t line) {
    cursor.take();
    Expectation expectation;
    expectation.line = line;
    const std::uint32_t column = cursor.column();
    expectation.tensor = cursor.word("a tensor");
    const Tensor& tensor = symbols_.tensor(expectation.tensor, column);
    const std::uint32_t path_column = cursor.column();
    expectation.path = path_of(cursor.quoted("a quoted path"), path_column);
    check_file(expectation.path, tensor, path_column);
    constexpr std::string_view kModes = "exact, ulp=, or rtol= and atol=";
    bool exact = false;
    do {
      const std::uint32_t mode_column = cursor.column();
      const std::string mode = cursor.word(kModes);
      const bool any = expectation.ulp || expectation.rtol || expectation.atol;
      const bool again = exact || expectation.ulp || (mode == "exact" && any) || (mode == "ulp" && any) ||
                         (mode == "rtol" && expectation.rtol) || (mode == "atol" && expectation.atol);
      if (mode != "exact" && mode != "ulp" && mode != "rtol" && mode != "atol") {
        throw Problem{mode_column, unknown_name("comparison", mode, {"exact", "ulp", "rtol", "atol"})};
      }
      if (again) throw Problem{mode_column, fmt::format("{} besides another comparison, expected {}", mode, kModes)};
      if (mode == "exact") {
        exact = true;
        continue;
      }
      cursor.expect("=", "'=' and a number");
      if (mode == "ulp") {
        expectation.ulp = cursor.unsigned_integer("a number of units in the last place", 0xFFFF'FFFF);
      } else {
        (mode == "rtol" ? expectation.rtol : expectation.atol) = cursor.tolerance();
      }
    } while (!cursor.at_end());
    program_.expectations.push_back(std::move(expectation));
  }

  Section* section(const Deferred& deferred, std::uint32_t column) {
    if (!deferred.engine) throw Problem{column, "instruction outside a section, expected .engine NAME before it"};
    return &program_.sections[*deferred.engine];
  }

  void append(Section& section, const std::vector<Bundle>& bundles, std::uint32_t line, std::uint32_t column) {
    if (bundles.size() > config_.limits.instructions - instructions_) {
      if (!full_) {
        problems_.add(line, {column, fmt::format("more instructions than limits.instructions, expected at most {}",
                                                 config_.limits.instructions)});
      }
      full_ = true;
      return;
    }
    instructions_ += static_cast<std::uint32_t>(bundles.size());
    section.bundles.insert(section.bundles.end(), bundles.begin(), bundles.end());
    section.lines.insert(section.lines.end(), bundles.size(), line);
  }

  void instruction(Cursor& cursor, const Deferred& deferred) {
    const std::uint32_t column = cursor.column();
    Section* const here = section(deferred, column);
    const std::string_view first = first_word(deferred.line.text);
    append(*here,
           is_tile_move(first)
               ? read_tile_move(first, cursor, *deferred.engine, symbols_, config_)
               : read_instruction(cursor, deferred.line.number, *deferred.engine, symbols_, config_, problems_),
           deferred.line.number, column);
  }

  void block_line(std::string_view first, const Deferred& deferred) {
    if (begins_block(first)) close_block();
    if (!block_) {
      const auto column = static_cast<std::uint32_t>(first.data() - deferred.line.text.data() + 1);
      section(deferred, column);
      block_.emplace(first, deferred.line.number, column, *deferred.engine);
    }
    attempt(deferred.line.number, [&] {
      const std::vector<Token> tokens = tokenise(deferred.line.text);
      Cursor cursor(tokens);
      block_->read(first, cursor, symbols_);
    });
    if (ends_block(first)) close_block();
  }

  void close_block() {
    if (!block_) return;
    const TileBlock block = *std::exchange(block_, std::nullopt);
    attempt(block.line(),
            [&] { append(program_.sections[block.engine()], block.bundles(), block.line(), block.column()); });
  }

  void raw_bundle(const Deferred& deferred) {
    const std::size_t start = deferred.line.text.find(kRawBundle);
    const auto column = static_cast<std::uint32_t>(start + 1);
    Section* const here = section(deferred, column);
    const std::size_t digits = start + kRawBundle.size();
    append(*here, {read_raw_bundle(deferred.line.text.substr(digits), static_cast<std::uint32_t>(digits + 1))},
           deferred.line.number, column);
  }

  std::filesystem::path path_of(const std::string& text, std::uint32_t column) const {
    if (text.empty()) throw Problem{column, "empty path, expected a file"};
    return (directory_ / text).lexically_normal();
  }

  void check_file(const std::filesystem::path& path, const Tensor& tensor, std::uint32_t column) {
    try {
      check_npy(path, tensor, config_.limits);
    } catch (const FileProblem& problem) {
      throw Problem{column,
                    fmt::format("'{}' {}", path.lexically_proximate(directory_).generic_string(), problem.what)};
    }
  }

  const Config& config_;
  std::filesystem::path directory_;
  Problems problems_;
  Program program_;
  Symbols symbols_;
  std::vector<std::uint32_t> tensor_columns_;
  std::vector<Deferred> deferred_;
  std::optional<Engine> engine_;
  std::optional<TileBlock> block_;  // that is open
  std::uint32_t instructions_ = 0;
  bool full_ = false;
};

}  // namespace

std::optional<Generation> declared_generation(const std::filesystem::path& path) {
  const std::string text = read_text(path, Limits{});
  Problems problems(path.string());
  std::optional<Generation> generation;
  for (const SourceLine& line : lines_of(text)) {
    try {
      const std::vector<Token> tokens = tokenise(line.text);
      Cursor cursor(tokens);
      if (cursor.peek().spelling == ".generation") {
        generation = read_generation(cursor);
        break;
      }
    } catch (const Problem& problem) {
      // Other lines are judged when the program is assembled.
      if (line.text.find(".generation") != std::string_view::npos) problems.add(line.number, problem);
    }
  }
  problems.throw_if_any();
  return generation;
}

Program assemble(const std::filesystem::path& path, const Config& config) {
  return assemble_text(read_text(path, config.limits), path, config);
}

Program assemble_text(const std::string& text, const std::filesystem::path& name, const Config& config) {
  return Assembler(name, config).assemble(text);
}

}  // namespace tpb
