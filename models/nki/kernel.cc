#include "models/nki/kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/nki/engine_choice.h"

namespace tpb::nki {
namespace {

constexpr std::uint32_t kAlignment = 64;

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

}  // namespace

// --- tiles -----------------------------------------------------------------------------------------------------------

std::uint32_t Allocator::take(std::uint64_t bytes) {
  std::uint64_t first = round_up(top_, kAlignment);
  if (bank_ != 0 && bytes <= bank_ && first / bank_ != (first + bytes - 1) / bank_) first = round_up(first, bank_);
  if (first + bytes > capacity_) {
    throw Error("allocator", {}, "tile", std::string(spelling(buffer_)), fmt::format("{} bytes per partition", bytes),
                fmt::format("{} of {} bytes per partition are in use, expected room for the tile", top_, capacity_));
  }
  top_ = static_cast<std::uint32_t>(first + bytes);
  return static_cast<std::uint32_t>(first);
}

std::uint32_t Allocator::take_last(std::uint64_t bytes) {
  const std::uint32_t top = top_;
  take(bytes + kAlignment);
  top_ = top;
  capacity_ = static_cast<std::uint32_t>((capacity_ - bytes) / kAlignment * kAlignment);
  return capacity_;
}

Kernel::Kernel(Generation generation)
    : Kernel(load_config({.file = {}, .generation = generation, .overrides = {}}).config) {}

Kernel::Kernel(const Config& config)
    : config_(config),
      sbuf_(Buffer::sbuf, config.memory.sbuf_bytes_per_partition, 0),
      psum_(Buffer::psum, config.memory.psum_bytes_per_partition(), config.memory.psum_bytes_per_bank) {}

namespace {

Tile allocate(Allocator& allocator, Dtype dtype, Buffer buffer, const Shape& shape, std::uint32_t partition) {
  if (shape.empty() || std::ranges::find(shape, 0U) != shape.end() || shape[0] + partition > kPartitions) {
    throw Error("tile", {}, "tile", "shape",
                text_of(Tile::dense(dtype, buffer, shape.empty() ? Shape{0} : shape, 0, 0)),
                fmt::format("expected 1 to {} partitions from partition {}, and no empty dimension",
                            kPartitions - partition, partition));
  }
  std::uint64_t bytes = bytes_of(dtype);
  for (std::size_t d = 1; d < shape.size(); ++d) bytes *= shape[d];
  return Tile::dense(dtype, buffer, shape, partition, allocator.take(bytes));
}

}  // namespace

Tile Kernel::sbuf(Dtype dtype, const Shape& shape, std::uint32_t partition) {
  return allocate(sbuf_, dtype, Buffer::sbuf, shape, partition);
}

Tile Kernel::psum(Dtype dtype, const Shape& shape, std::uint32_t partition) {
  return allocate(psum_, dtype, Buffer::psum, shape, partition);
}

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
    rules.require(engine != Engine::gpsimd || tile->buffer == Buffer::sbuf, argument.name, *tile,
                  fmt::format("{} must be in SBUF: GpSimd cannot access PSUM", argument.name));
    rules.require(!is_written || tile->buffer == Buffer::sbuf || bytes_of(tile->dtype) == 4 ||
                      config_.generation >= Generation::mariana,
                  argument.name, *tile,
                  fmt::format("{} must be of 4 bytes in PSUM before NeuronCore-v4", argument.name));
  }
  nodes_.push_back(node);
}

}  // namespace tpb::nki
