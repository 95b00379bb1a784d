#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <span>

#include "models/program/assembler.h"
#include "models/program/instruction_text.h"
#include "models/program/scalar.h"

namespace tpb {
namespace {

// A line of text, where it stood, and the engine whose section it needs.
struct TextLine {
  std::uint32_t line = 0;  // 0: wherever there is room
  std::string text;
  std::optional<Engine> engine;
  std::string raw = {};  // of one bundle: the same as `.bundle`
};

std::string quoted(const std::filesystem::path& path, const std::filesystem::path& directory) {
  const std::filesystem::path relative = path.lexically_relative(directory);
  std::string text = "\"";
  for (const char c : (relative.empty() ? path : relative).generic_string()) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

struct ContentsText {
  Dtype dtype;
  const std::filesystem::path& directory;

  std::string operator()(const Uninitialised&) const { return ""; }
  std::string operator()(const Zeros&) const { return " = zeros"; }
  std::string operator()(const Ones&) const { return " = ones"; }
  std::string operator()(const Iota&) const { return " = iota"; }
  std::string operator()(const RandomValues& random) const { return fmt::format(" = random({})", random.seed); }
  std::string operator()(const FileContents& file) const { return " = " + quoted(file.path, directory); }
  std::string operator()(const ListContents& list) const {
    std::vector<std::string> values;
    for (const std::uint32_t bits : list.bits) values.push_back(element_text(bits, dtype));
    return fmt::format(" = [{}]", fmt::join(values, ", "));
  }
};

std::string tensor_text(const Tensor& tensor, const std::filesystem::path& directory) {
  const std::string_view space = tensor.start.space == Space::sbuf ? "sbuf" : "psum";
  const std::string partition = tensor.start.partition == 0 ? "" : fmt::format("[{}]", tensor.start.partition);
  return fmt::format(".tensor {} {} [{}] {}{}+0x{:x}{}", tensor.name, name_of(tensor.dtype),
                     fmt::join(tensor.shape, ", "), space, partition, tensor.start.offset,
                     std::visit(ContentsText{tensor.dtype, directory}, tensor.contents));
}

std::string expectation_text(const Expectation& expectation, const std::filesystem::path& directory) {
  std::string text = fmt::format(".expect {} {}", expectation.tensor, quoted(expectation.path, directory));
  if (expectation.ulp) text += fmt::format(" ulp={}", *expectation.ulp);
  if (expectation.rtol) text += fmt::format(" rtol={}", *expectation.rtol);
  if (expectation.atol) text += fmt::format(" atol={}", *expectation.atol);
  if (!expectation.ulp && !expectation.rtol && !expectation.atol) text += " exact";
  return text;
}

// The order of a list has meaning: a line that goes back, or has no number, follows its predecessor.
void keep_order(std::span<TextLine> list) {
  for (std::size_t i = 1; i < list.size(); ++i) list[i].line = std::max(list[i].line, list[i - 1].line);
}

std::vector<TextLine> directives(const Program& program, const std::filesystem::path& directory) {
  std::vector<TextLine> lines;
  const auto list = [&](const auto& items, auto text_of) {
    const std::size_t first = lines.size();
    for (const auto& item : items) lines.push_back({item.line, text_of(item), std::nullopt});
    keep_order(std::span(lines).subspan(first));
  };
  if (program.generation) {
    lines.push_back(
        {program.generation_line, fmt::format(".generation {}", name_of(*program.generation)), std::nullopt});
  }
  list(program.semaphores, [](const SemaphoreInit& init) {
    return fmt::format(".semaphore {}{}{} = {}", init.name, init.name.empty() ? "" : " ", init.index, init.value);
  });
  list(program.registers, [](const RegisterInit& init) {
    return fmt::format(".register {} R{} = 0x{:x}", name_of(init.engine), init.index, init.value);
  });
  list(program.tensors, [&](const Tensor& tensor) { return tensor_text(tensor, directory); });
  list(program.outputs, [&](const Output& output) {
    return fmt::format(".output {} {}", output.tensor, quoted(output.path, directory));
  });
  list(program.expectations, [&](const Expectation& expectation) { return expectation_text(expectation, directory); });
  return lines;
}

void add_section(std::vector<TextLine>& lines, Engine engine, const Section& section, const Symbols& symbols,
                 const Config& config) {
  const std::span<const Bundle> bundles(section.bundles);
  const std::size_t start = lines.size();
  for (std::size_t first = 0; first < bundles.size();) {
    // Bundles of one line are one instruction and the event_semaphores that its waits and updates needed.
    const std::uint32_t line = section.lines[first];
    std::size_t last = first + 1;
    while (line != 0 && last < bundles.size() && section.lines[last] == line) ++last;
    const auto whole = instruction_text(bundles.subspan(first, last - first), engine, symbols, config);
    if (whole) {
      lines.push_back({line, *whole, engine, last - first == 1 ? raw_bundle_text(bundles[first]) : ""});
    } else {
      for (std::size_t i = first; i < last; ++i) {
        const auto single = instruction_text(bundles.subspan(i, 1), engine, symbols, config);
        lines.push_back({line, single ? *single : raw_bundle_text(bundles[i]), engine});
      }
    }
    first = last;
  }
  keep_order(std::span(lines).subspan(start));
}

std::string indented(const std::string& lines) {
  std::string text = "  ";
  for (const char c : lines) text += c == '\n' ? "\n  " : std::string(1, c);
  return text;
}

// Every line where it stood, as far as the order of each list and the `.engine` lines allow.
std::string place(std::vector<TextLine> lines) {
  std::ranges::stable_sort(lines, {}, &TextLine::line);
  std::string text;
  std::uint32_t next = 1;
  std::optional<Engine> engine;
  const auto put = [&](std::uint32_t line, const std::string& words) {
    for (; next < line; ++next) text += '\n';
    text += words + '\n';
    next += 1 + static_cast<std::uint32_t>(std::ranges::count(words, '\n'));
  };
  // Words outside a block go on as long as words follow.
  const auto is_word = [](std::string_view words) { return words.starts_with(".word"); };
  bool open = false;
  for (TextLine& line : lines) {
    const bool goes_on = open && is_word(line.text);
    if (goes_on && line.engine == engine && next >= line.line && line.line != 0 && !line.raw.empty()) {
      line.text = line.raw;  // there is no room for a line that would end the words before
    } else if (line.engine && (line.engine != engine || goes_on)) {
      put(line.line == 0 ? 0 : line.line - 1, fmt::format(".engine {}", name_of(*line.engine)));
      engine = line.engine;
    }
    open = is_word(std::string_view(line.text).substr(line.text.rfind('\n') + 1));
    put(line.line, line.engine ? indented(line.text) : line.text);
  }
  return text;
}

}  // namespace

std::string disassemble(const Program& program, const Config& config, const std::filesystem::path& directory) {
  const std::filesystem::path base = std::filesystem::absolute(directory).lexically_normal();
  Symbols symbols;
  for (const SemaphoreInit& init : program.semaphores) {
    if (!init.name.empty()) symbols.semaphores.emplace(init.name, init.index);
  }
  std::vector<TextLine> lines = directives(program, base);
  for (const Engine engine : kEngines) add_section(lines, engine, program.sections[engine], symbols, config);
  return place(std::move(lines));
}

std::string disassemble(const Bundle& bundle, const Config& config) {
  const auto text = instruction_text({&bundle, 1}, Engine::pe, {}, config);
  return text ? *text : raw_bundle_text(bundle);
}

}  // namespace tpb
