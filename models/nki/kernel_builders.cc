// What a kernel needs beside the intrinsics.
#include <fmt/format.h>

#include "models/nki/kernel.h"

namespace tpb::nki {
namespace {

// The tile without its `axes` innermost dimensions.
Shape outer_shape(const Rules& rules, const Tile& data, unsigned axes) {
  rules.require(axes >= 1 && axes <= data.free.size(), "axes", Number(axes),
                fmt::format("expects 1 to {} of the free dimensions of data", data.free.size()));
  Shape shape = data.shape();
  shape.resize(shape.size() - axes);
  if (shape.size() == 1) shape.push_back(1);
  return shape;
}

void require_engine(const Rules& rules, Engine engine, bool legal, std::string_view expected) {
  rules.require(legal, "engine", engine, fmt::format("runs on {}", expected));
}

bool vector_or_gpsimd(Engine engine) { return engine == Engine::vector || engine == Engine::gpsimd; }

}  // namespace

Tile Kernel::tensor_reduce(const TensorReduce& call) {
  const Rules rules(ir::TensorReduce::kName, "tensor_reduce");
  require_engine(rules, call.engine, vector_or_gpsimd(call.engine), "vector or gpsimd");
  rules.require(info_of(call.op).wire.has_value(), "op", call.op, "expects an operation that an engine folds with");
  const Tile dst = result(rules, call.dst, call.dtype, call.data.dtype, outer_shape(rules, call.data, call.axes));
  append("tensor_reduce",
         ir::TensorReduce{.op = call.op, .data = call.data, .axes = call.axes, .negate = call.negate, .dst = dst},
         call.engine);
  return dst;
}

Tile Kernel::pool(const Pool& call) {
  const Rules rules(ir::Pool::kName, "pool");
  require_engine(rules, call.engine, vector_or_gpsimd(call.engine), "vector or gpsimd");
  constexpr unsigned kWindow = 2;
  rules.require(call.data.free.size() >= kWindow, "data", call.data, "expects a window of two innermost dimensions");
  const Tile dst = result(rules, call.dst, call.dtype, call.data.dtype, outer_shape(rules, call.data, kWindow));
  append("pool", ir::Pool{.average = call.average, .data = call.data, .dst = dst}, call.engine);
  return dst;
}

Tile Kernel::max8(const Tile& data, const std::optional<Tile>& dst) {
  constexpr std::uint32_t kSlots = 8;
  const Rules rules(ir::Max8::kName, "max8");
  const Tile slots = result(rules, dst, {}, data.dtype, {data.partitions, kSlots});
  append("max8", ir::Max8{data, slots}, Engine::vector);
  return slots;
}

Tile Kernel::max_index(const Tile& data, const Tile& vals, const std::optional<Tile>& dst) {
  const Rules rules(ir::MaxIndex::kName, "max_index");
  rules.require(vals.partitions == data.partitions, "vals", vals, "expects the partitions of data");
  const Tile found = result(rules, dst, {}, Dtype::uint32, {data.partitions, 8});
  append("max_index", ir::MaxIndex{data, vals, found}, Engine::vector);
  return found;
}

void Kernel::memset(const Tile& dst, Number value, Engine engine) {
  require_engine(Rules(ir::Memset::kName, "memset"), engine, vector_or_gpsimd(engine), "vector or gpsimd");
  append("memset", ir::Memset{value, dst}, engine);
}

void Kernel::iota(const Tile& dst, const Tuple& steps, Number start, Number partition_step) {
  append("iota", ir::Iota{start, steps, partition_step, dst}, Engine::gpsimd);
}

void Kernel::copy(const Tile& data, const Tile& dst, Engine engine) {
  const Rules rules(ir::Cast::kName, "copy");
  const bool scalar = engine == Engine::scalar && nc_version(config_.generation) >= 3;
  require_engine(rules, engine, vector_or_gpsimd(engine) || scalar, "vector, gpsimd or, from NeuronCore-v3 on, scalar");
  rules.same_size({"dst", dst}, {"data", data});
  append("copy", ir::Cast{data, dst}, engine);
}

Tile Kernel::cast(const Tile& data, Dtype dtype, Engine engine) {
  const Tile dst = sbuf(dtype, data.shape());
  copy(data, dst, engine);
  return dst;
}

}  // namespace tpb::nki
