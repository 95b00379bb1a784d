#include "models/nki/kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "models/nki/engine_choice.h"
#include "models/program/assembler.h"
#include "models/program/element.h"
#include "models/program/scalar.h"

namespace tpb::nki {
namespace {

Tile allocate(Allocator& allocator, Dtype dtype, Buffer buffer, const Shape& shape, std::uint32_t partition) {
  Tile tile = Tile::dense(dtype, buffer, shape, partition, 0);
  tile.address = allocator.take(tile.elements() * bytes_of(dtype));
  return tile;
}

}  // namespace

// --- tiles -----------------------------------------------------------------------------------------------------------

Kernel::Kernel(Generation generation)
    : Kernel(load_config({.file = {}, .generation = generation, .overrides = {}}).config) {}

Kernel::Kernel(const Config& config)
    : config_(config),
      schedule_(config),
      sbuf_(Buffer::sbuf, config.memory.sbuf_bytes_per_partition, 0),
      psum_(Buffer::psum, config.memory.psum_bytes_per_partition(), config.memory.psum_bytes_per_bank) {
  for (const tpb::Engine engine : kEngines) {
    legality_[engine] = {
        .generation = config.generation, .engine = engine, .memory = config.memory, .semantics = config.semantics};
  }
}

Tile Kernel::sbuf(Dtype dtype, const Shape& shape, std::uint32_t partition) {
  return allocate(sbuf_, dtype, Buffer::sbuf, shape, partition);
}

Tile Kernel::psum(Dtype dtype, const Shape& shape, std::uint32_t partition) {
  return allocate(psum_, dtype, Buffer::psum, shape, partition);
}

void Kernel::occupy(const Tile& tile) { (tile.buffer == Buffer::sbuf ? sbuf_ : psum_).occupy(tile.bytes()); }

// --- judging ---------------------------------------------------------------------------------------------------------

Engine Kernel::judge(CallView view) {
  verdicts_.clear();
  view.engine = choose_engine(view);
  if (view.instruction == "tensor_scalar") {
    const bool has_op = view.get<Op>("op1") != nullptr;
    const bool has_operand = view.get<None>("operand1") == nullptr;
    if (has_op != has_operand) {
      throw Error(std::string(err::kAssert), {}, std::string(view.instruction), has_op ? "operand1" : "op1", "None",
                  std::string(message::kOperand1));
    }
  }
  verdicts_ = run_validators(view);
  for (const Verdict& verdict : verdicts_) {
    if (!verdict.raised) continue;
    const Raised& raised = *verdict.raised;
    throw Error(std::string(raised.identifier), std::string(verdict.validator), std::string(view.instruction),
                raised.parameter, raised.value, raised.message);
  }
  return view.engine;
}

// --- the nodes -------------------------------------------------------------------------------------------------------

Tile Kernel::result(const Rules& rules, const std::optional<Tile>& dst, std::optional<Dtype> dtype, Dtype otherwise,
                    const Shape& shape, Buffer buffer) {
  if (!dst) {
    const Dtype chosen = dtype.value_or(otherwise);
    return buffer == Buffer::sbuf ? sbuf(chosen, shape) : psum(chosen, shape);
  }
  std::uint64_t elements = 1;
  for (std::size_t d = 1; d < shape.size(); ++d) elements *= shape[d];
  rules.require(dst->partitions == shape[0] && dst->elements() == elements, "dst", *dst,
                fmt::format("dst must have {} partitions with {} elements each", shape[0], elements));
  rules.require(!dtype || *dtype == dst->dtype, "dst", *dst, "dst must have the dtype that is asked for");
  return *dst;
}

void Kernel::append(std::string_view instruction, ir::Operation operation, Engine engine) {
  const ir::Node node{std::move(operation), engine, config_.generation};
  const Rules rules(node.name(), instruction);
  // Where a tile may lie does not depend on what is done with it.
  for (const Argument& argument : node.arguments()) {
    const Tile* tile = std::get_if<Tile>(&argument.value);
    if (tile == nullptr) continue;
    const bool is_written = argument.name == "dst" || argument.name == "reduce_res";
    rules.require(tile->dtype != Dtype::tfloat32 || (engine == Engine::tensor && !is_written), argument.name, *tile,
                  "takes float32: tfloat32 is what the tensor engine reads");
    const std::uint32_t capacity = tile->buffer == Buffer::sbuf ? config_.memory.sbuf_bytes_per_partition
                                                                : config_.memory.psum_bytes_per_partition();
    rules.require(tile->bytes().first >= 0 && tile->bytes().last < capacity, argument.name, *tile,
                  fmt::format("{} must lie in the {} bytes of a partition", argument.name, capacity));
    rules.require(engine != Engine::gpsimd || tile->buffer == Buffer::sbuf, argument.name, *tile,
                  fmt::format("{} must be in SBUF: GpSimd cannot access PSUM", argument.name));
    rules.require(!is_written || tile->buffer == Buffer::sbuf || bytes_of(tile->dtype) == 4 ||
                      config_.generation >= Generation::mariana,
                  argument.name, *tile,
                  fmt::format("{} must be of 4 bytes in PSUM before NeuronCore-v4", argument.name));
  }
  append(instruction, wire_of(engine), lower(node, instruction, config_));
  nodes_.push_back(node);
}

void Kernel::append(std::string_view instruction, tpb::Engine engine, const std::vector<Group>& groups) {
  LegalityContext context = legality_[engine];
  for (const Group& group : groups) {
    for (const Instruction& bundle : group) {
      if (const auto violation = first_violation(pack(bundle), context)) {
        throw Error(std::string(violation->rule), {}, std::string(instruction), violation->field, violation->value,
                    fmt::format("the instruction is illegal, expected {}", violation->allowed));
      }
      context.earlier = state_after(bundle, context.earlier, context.semantics);
    }
  }
  legality_[engine] = context;
  for (const Group& group : groups) schedule_.append(engine, group);
}

// --- the program -----------------------------------------------------------------------------------------------------

void Kernel::name(const std::string& name, const Tile& tile, Contents contents) {
  const auto refuse = [&](const std::string& message) {
    throw Error("program", {}, "tensor", name, text_of(tile), message);
  };
  if (std::ranges::find(tensors_, name, &Tensor::name) != tensors_.end())
    refuse("the name is taken, expected a new one");
  if (!tile.is_dense()) refuse("the tile is a view with gaps, expected a dense one");
  const Space space = tile.buffer == Buffer::sbuf ? Space::sbuf : Space::psum;
  // Its bytes are read when the program ends: nothing may be put there after it.
  (tile.buffer == Buffer::sbuf ? sbuf_ : psum_).keep(static_cast<std::uint32_t>(tile.bytes().last) + 1);
  tensors_.push_back({.name = name,
                      .dtype = wire_of(tile.dtype),
                      .shape = tile.shape(),
                      .start = {space, tile.partition, tile.address},
                      .contents = std::move(contents)});
}

Tile Kernel::input(const std::string& name, Dtype dtype, const Shape& shape, Contents contents) {
  // Where nothing ever was: its contents are there before the first instruction.
  Tile tile = Tile::dense(dtype, Buffer::sbuf, shape, 0, 0);
  tile.address = sbuf_.take_last(tile.elements() * bytes_of(dtype));
  this->name(name, tile, std::move(contents));
  return tile;
}

void Kernel::output(const std::string& name, const Tile& tile, const std::filesystem::path& path) {
  this->name(name, tile, Uninitialised{});
  if (!path.empty()) outputs_.push_back({name, std::filesystem::absolute(path), 0});
}

Program Kernel::program() const {
  Program program;
  program.name = "kernel";
  program.generation = config_.generation;
  program.tensors = tensors_;
  program.outputs = outputs_;
  schedule_.write_to(program);
  return program;
}

void Kernel::text(tpb::Engine engine, const std::string& lines,
                  const std::vector<std::pair<std::string, Tile>>& tiles) {
  std::string program = fmt::format(".generation {}\n", tpb::name_of(config_.generation));
  for (const auto& [name, tile] : tiles) {
    if (!tile.is_dense()) {
      throw Error("program", {}, "text", name, text_of(tile), "the tile is a view with gaps, expected a dense one");
    }
    program += fmt::format(".tensor {} {} [{}] {}[{}]+{}\n", name, tpb::name_of(wire_of(tile.dtype)),
                           fmt::join(tile.shape(), ", "), spelling(tile.buffer), tile.partition, tile.address);
  }
  program += fmt::format(".engine {}\n{}\n", tpb::name_of(engine), lines);
  const Program assembled = assemble_text(program, "text", config_);
  const Section& section = assembled.sections[engine];
  std::vector<Group> groups;
  for (std::size_t i = 0; i < section.bundles.size(); ++i) {
    const Instruction instruction = unpack(section.bundles[i], config_.semantics);
    const Frame& frame = frame_of(instruction);
    if (std::holds_alternative<ControlBundle>(instruction) || frame.wait_mode != 0 || frame.update_mode != 0) {
      throw Error("program", {}, "text", fmt::format("line {}", section.lines[i] - tiles.size() - 2),
                  disassemble(section.bundles[i], config_),
                  "expected no control instruction, no wait and no update: the kernel orders its calls itself");
    }
    if (i == 0 || section.lines[i] != section.lines[i - 1]) groups.emplace_back();
    groups.back().push_back(instruction);
  }
  append("text", engine, groups);
}

Contents values(Dtype dtype, std::span<const float> numbers) {
  ListContents list;
  const tpb::Dtype wire = wire_of(dtype);
  for (const float number : numbers) {
    if (tpb::is_integer(wire)) {
      const auto [low, high] = range_of(wire);
      const auto whole = static_cast<std::int64_t>(number);
      if (static_cast<float>(whole) != number || whole < low || whole > high) {
        throw Error("program", {}, "values", std::string(spelling(dtype)), fmt::format("{}", number),
                    fmt::format("expected an integer from {} to {}", low, high));
      }
      list.bits.push_back(static_cast<std::uint32_t>(whole) & (~0U >> (32 - 8 * bytes_of(dtype))));
    } else {
      list.bits.push_back(element_from_fp32(std::bit_cast<std::uint32_t>(number), wire));
    }
  }
  return list;
}

}  // namespace tpb::nki
