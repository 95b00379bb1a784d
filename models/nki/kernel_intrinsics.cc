// The eleven intrinsics: judged by their validators, then by the rules of the builder, then appended as a node.
#include <fmt/format.h>

#include "models/nki/engine_choice.h"
#include "models/nki/kernel.h"

namespace tpb::nki {
namespace {

// Of two inputs, when nothing says it. Bits are not converted: they keep the first input's dtype.
Dtype result_dtype(Op op, const Tile& a, const Tile& b) {
  return is_bitvec_op(op) ? a.dtype : promote_type(a.dtype, b.dtype);
}

}  // namespace

template <class Call>
Engine Kernel::judge(const Call& call) {
  return judge(CallView{Call::kName, config_.generation, Engine::unknown, arguments_of(call)});
}

// --- tensor engine ---------------------------------------------------------------------------------------------------

Tile Kernel::nc_matmul(const NcMatmul& call) {
  const Engine engine = judge(call);
  const Rules rules(ir::Matmult::kName, call.kName);
  const Tile& stationary = call.stationary;
  const Tile& moving = call.moving;
  rules.in_sbuf({"stationary", stationary});
  rules.in_sbuf({"moving", moving});
  rules.require(stationary.partitions == moving.partitions, "moving", moving,
                fmt::format("moving must have the partitions of stationary, {}", stationary.partitions));
  rules.require(stationary.elements() <= 128, "stationary", stationary, "takes at most 128 columns of stationary");
  rules.require(moving.elements() <= 512, "moving", moving, "takes at most 512 columns of moving");
  rules.require(!call.accumulate || call.dst, "accumulate", true, "accumulates into a dst that is given");
  const Shape shape{static_cast<std::uint32_t>(stationary.elements()), static_cast<std::uint32_t>(moving.elements())};
  const Tile dst = result(rules, call.dst, {}, Dtype::float32, shape, Buffer::psum);
  rules.require(dst.buffer == Buffer::psum, "dst", dst, "writes PSUM only");
  const bool bfloat16 = dst.dtype == Dtype::bfloat16 && nc_version(config_.generation) >= 4;
  rules.require(dst.dtype == Dtype::float32 || bfloat16, "dst", dst,
                "writes float32, from NeuronCore-v4 on bfloat16 too");
  append(call.kName,
         ir::Matmult{.stationary = stationary,
                     .moving = moving,
                     .is_lhs_onezero = call.is_stationary_onezero,
                     .is_rhs_onezero = call.is_moving_onezero,
                     .is_transpose = call.is_transpose,
                     .tile_position = call.tile_position,
                     .tile_size = call.tile_size,
                     .accumulate = call.accumulate,
                     .dst = dst},
         engine);
  return dst;
}

Tile Kernel::nc_transpose(const NcTranspose& call) {
  const Engine engine = judge(call);
  const Tile& data = call.data;
  const auto columns = static_cast<std::uint32_t>(data.elements());
  const Shape shape{columns, data.partitions};
  if (engine == Engine::vector) {
    const Rules rules(ir::Transpose::kName, call.kName);
    rules.require(data.partitions <= kVectorTranspose && columns <= kVectorTranspose, "data", data,
                  "transposes at most 32 by 32 on the vector engine");
    const Tile dst = result(rules, call.dst, call.dtype, data.dtype, shape);
    if (dst.dtype == data.dtype) {
      transpose_on_vector(call.kName, data, dst);
    } else {
      const Scope scope(*this);
      const Tile transposed = sbuf(data.dtype, shape);
      transpose_on_vector(call.kName, data, transposed);
      append(call.kName, ir::Cast{transposed, dst}, Engine::vector);
    }
    return dst;
  }
  const Rules rules(ir::Matmult::kName, call.kName);
  rules.in_sbuf({"data", data});
  rules.require(columns <= 128, "data", data, "transposes at most 128 by 128 on the tensor engine");
  rules.require(is_floating(data.dtype), "data", data,
                "takes a floating dtype on the tensor engine; int32 can be viewed as float32");
  // The engine writes float32, from v4 on bfloat16 too; everything else is a cast of that.
  const Dtype dtype = call.dst ? call.dst->dtype : call.dtype.value_or(data.dtype);
  const bool direct = dtype == Dtype::float32 ||
                      (dtype == Dtype::bfloat16 && data.dtype == dtype && nc_version(config_.generation) >= 4);
  const Tile dst = result(rules, call.dst, call.dtype, data.dtype, shape, direct ? Buffer::psum : Buffer::sbuf);
  if (direct && dst.buffer == Buffer::psum) {
    transpose_on_tensor(rules, data, dst);
  } else {
    const Scope scope(*this);
    const Tile transposed = psum(Dtype::float32, shape);
    transpose_on_tensor(rules, data, transposed);
    append(call.kName, ir::Cast{transposed, dst}, Engine::vector);
  }
  return dst;
}

// The engine transposes whole squares; a smaller tile goes through one.
void Kernel::transpose_on_vector(std::string_view instruction, const Tile& data, const Tile& dst) {
  const auto columns = static_cast<std::uint32_t>(data.elements());
  if (data.partitions == kVectorTranspose && columns == kVectorTranspose) {
    append(instruction, ir::Transpose{.data = data, .dst = dst}, Engine::vector);
    return;
  }
  const Scope scope(*this);
  const Tile square = sbuf(data.dtype, {kVectorTranspose, kVectorTranspose});
  const Tile transposed = sbuf(data.dtype, {kVectorTranspose, kVectorTranspose});
  append(instruction, ir::Memset{0, square}, Engine::vector);
  append(instruction, ir::Cast{data, square.rows(0, data.partitions).columns(0, columns)}, Engine::vector);
  append(instruction, ir::Transpose{.data = square, .dst = transposed}, Engine::vector);
  append(instruction, ir::Cast{transposed.rows(0, columns).columns(0, data.partitions), dst}, Engine::vector);
}

void Kernel::transpose_on_tensor(const Rules& rules, const Tile& data, const Tile& dst) {
  append(rules.instruction(),
         ir::Matmult{.stationary = data,
                     .moving = identity(data.dtype).rows(0, data.partitions).columns(0, data.partitions),
                     .is_transpose = true,
                     .dst = dst},
         Engine::tensor);
}

// --- scalar engine ---------------------------------------------------------------------------------------------------

Tile Kernel::activate(const Rules& rules, const ir::Activation& node, const std::optional<Tile>& dst,
                      std::optional<Dtype> dtype) {
  ir::Activation complete = node;
  const std::uint32_t partitions = node.data.partitions;
  rules.scalar("scale", node.scale, partitions);
  if (node.bias) {
    if (const Tile* tile = std::get_if<Tile>(&*node.bias)) {
      rules.column({"bias", *tile}, partitions);
    } else {
      rules.require(nc_version(config_.generation) >= 3, "bias", std::get<Number>(*node.bias),
                    "bias must be a tile on NeuronCore-v2");
    }
  }
  const bool reduces = node.reduce_cmd != ReduceCommand::idle;
  rules.require(!reduces || node.reduce_op, "reduce_op", None{}, "reduce_op must be given with this reduce_cmd");
  if (node.reduce_res) rules.column({"reduce_res", *node.reduce_res}, partitions);
  rules.require((node.op == Op::prelu) == node.slope.has_value(), "slope", value_of(node.slope),
                "slope must be given for prelu, and for nothing else");
  complete.dst = result(rules, dst, dtype, node.data.dtype, node.data.shape());
  complete.dtype = complete.dst.dtype;
  append(rules.instruction(), complete, Engine::scalar);
  return complete.dst;
}

Tile Kernel::activation(const Activation& call) {
  judge(call);
  return activate(Rules(ir::Activation::kName, call.kName),
                  {.op = call.op,
                   .data = call.data,
                   .bias = call.bias,
                   .scale = call.scale,
                   .reduce_op = call.reduce_op,
                   .reduce_res = call.reduce_res,
                   .reduce_cmd = call.reduce_cmd,
                   .dtype = {},
                   .slope = call.slope,
                   .dst = {}},
                  call.dst, call.dtype);
}

Tile Kernel::activation_reduce(const ActivationReduce& call) {
  judge(call);
  const Rules rules(ir::Activation::kName, call.kName);
  if (!call.reduce_res) {
    rules.refuse("reduce_res", "None", "activation_reduce reduce_res must not be None", std::string(err::kNotNone));
  }
  return activate(rules,
                  {.op = call.op,
                   .data = call.data,
                   .bias = call.bias,
                   .scale = call.scale,
                   .reduce_op = call.reduce_op,
                   .reduce_res = call.reduce_res,
                   .reduce_cmd = ReduceCommand::reset_reduce,
                   .dtype = {},
                   .slope = call.slope,
                   .dst = {}},
                  call.dst, call.dtype);
}

// --- two tensors -----------------------------------------------------------------------------------------------------

Tile Kernel::tensor_tensor(const TensorTensor& call) {
  const Engine engine = judge(call);
  const Rules rules(ir::TensorTensor::kName, call.kName);
  rules.same_size({"data2", call.data2}, {"data1", call.data1});
  rules.not_both_in_psum({"data1", call.data1}, {"data2", call.data2});
  const Tile dst =
      result(rules, call.dst, call.dtype, result_dtype(call.op, call.data1, call.data2), call.data1.shape());
  append(call.kName,
         ir::TensorTensor{.data1 = call.data1, .data2 = call.data2, .op = call.op, .dtype = dst.dtype, .dst = dst},
         engine);
  return dst;
}

Tile Kernel::tensor_tensor_scan(const TensorTensorScan& call) {
  const Engine engine = judge(call);
  const Rules rules(ir::TensorTensorScan::kName, call.kName);
  for (const auto& [parameter, op] : {std::pair{"op0", call.op0}, std::pair{"op1", call.op1}}) {
    rules.require(is_arith_op(op) && info_of(op).operands == 2, parameter, op,
                  fmt::format("{} must be an arithmetic operation of two operands", parameter));
  }
  rules.same_size({"data1", call.data1}, {"data0", call.data0});
  rules.not_both_in_psum({"data0", call.data0}, {"data1", call.data1});
  rules.scalar("initial", call.initial, call.data0.partitions);
  const Tile dst =
      result(rules, call.dst, call.dtype, promote_type(call.data0.dtype, call.data1.dtype), call.data0.shape());
  append(call.kName,
         ir::TensorTensorScan{.data0 = call.data0,
                              .data1 = call.data1,
                              .op0 = call.op0,
                              .op1 = call.op1,
                              .initial = call.initial,
                              .reverse0 = call.reverse0,
                              .reverse1 = call.reverse1,
                              .dtype = dst.dtype,
                              .dst = dst},
         engine);
  return dst;
}

// --- a tensor and scalars --------------------------------------------------------------------------------------------

Tile Kernel::tensor_scalar(const TensorScalar& call) {
  const Engine engine = judge(call);
  const Rules rules(ir::TensorVectorScalar::kName, call.kName);
  rules.require(engine != Engine::scalar || nc_version(config_.generation) >= 3, "engine", engine,
                "runs on the scalar engine from NeuronCore-v3 on");
  rules.require(!call.reverse1 || call.op1, "reverse1", true, "reverse1 needs an op1");
  rules.scalar("operand0", call.operand0, call.data.partitions, is_bitvec_op(call.op0));
  if (call.operand1) rules.scalar("operand1", *call.operand1, call.data.partitions, is_bitvec_op(call.op0));
  const Tile dst = result(rules, call.dst, call.dtype, call.data.dtype, call.data.shape());
  append(call.kName,
         ir::TensorVectorScalar{.data = call.data,
                                .op0 = call.op0,
                                .operand0 = call.operand0,
                                .reverse0 = call.reverse0,
                                .op1 = call.op1,
                                .operand1 = call.operand1,
                                .reverse1 = call.reverse1,
                                .dtype = dst.dtype,
                                .dst = dst},
         engine);
  return dst;
}

Tile Kernel::tensor_scalar_reduce(const TensorScalarReduce& call) {
  const Engine engine = judge(call);
  const Rules rules(ir::TensorVectorScalar::kName, call.kName);
  rules.require(!call.reverse0, "reverse0", true, "reverse0 is not supported yet");
  rules.scalar("operand0", call.operand0, call.data.partitions);
  rules.column({"reduce_res", call.reduce_res}, call.data.partitions);
  const Tile dst = result(rules, call.dst, call.dtype, call.data.dtype, call.data.shape());
  append(call.kName,
         ir::TensorVectorScalar{.data = call.data,
                                .op0 = call.op0,
                                .operand0 = call.operand0,
                                .reduce_op = call.reduce_op,
                                .reduce_res = call.reduce_res,
                                .dtype = dst.dtype,
                                .dst = dst},
         engine);
  return dst;
}

Tile Kernel::tensor_scalar_cumulative(const TensorScalarCumulative& call) {
  const Engine engine = judge(call);
  const Rules rules(ir::TensorScalarCumulative::kName, call.kName);
  const bool loads = call.reduce_cmd == ReduceCommand::load_reduce;
  rules.require(is_arith_op(call.op0), "op0", call.op0, "op0 must be an arithmetic operation");
  const bool folds = call.op1 == Op::add || call.op1 == Op::subtract || call.op1 == Op::multiply ||
                     call.op1 == Op::maximum || call.op1 == Op::minimum;
  rules.require(folds, "op1", call.op1, "op1 must be add, subtract, multiply, maximum or minimum");
  rules.require(loads || call.reduce_cmd == ReduceCommand::reduce || call.reduce_cmd == ReduceCommand::reset_reduce,
                "reduce_cmd", call.reduce_cmd, "reduce_cmd must be reset_reduce, reduce or load_reduce");
  rules.require(loads == call.imm1.has_value(), "imm1", value_of(call.imm1),
                "imm1 must be given with load_reduce, and with nothing else");
  rules.same_size({"dst", call.dst}, {"src", call.src});
  for (const NamedTile& named : {NamedTile{"src", call.src}, NamedTile{"dst", call.dst}}) {
    rules.require(named.tile.dtype != Dtype::int32 && named.tile.dtype != Dtype::uint32, named.parameter, named.tile,
                  "INT32/UINT32 are not supported (ISA limitation)");
  }
  rules.scalar("imm0", call.imm0, call.src.partitions);
  if (call.imm1) rules.scalar("imm1", *call.imm1, call.src.partitions);
  append(call.kName,
         ir::TensorScalarCumulative{.src = call.src,
                                    .dst = call.dst,
                                    .op0 = call.op0,
                                    .op1 = call.op1,
                                    .imm0 = call.imm0,
                                    .imm1 = call.imm1,
                                    .reduce_cmd = call.reduce_cmd},
         engine);
  return call.dst;
}

Tile Kernel::scalar_tensor_tensor(const ScalarTensorTensor& call) {
  const Engine engine = judge(call);
  const Rules rules(ir::ScalarTensorTensor::kName, call.kName);
  rules.same_size({"operand1", call.operand1}, {"data", call.data});
  rules.not_both_in_psum({"data", call.data}, {"operand1", call.operand1});
  rules.scalar("operand0", call.operand0, call.data.partitions, is_bitvec_op(call.op0));
  const Tile dst =
      result(rules, call.dst, call.dtype, result_dtype(call.op0, call.data, call.operand1), call.data.shape());
  append(call.kName,
         ir::ScalarTensorTensor{.data = call.data,
                                .op0 = call.op0,
                                .operand0 = call.operand0,
                                .op1 = call.op1,
                                .operand1 = call.operand1,
                                .reverse0 = call.reverse0,
                                .reverse1 = call.reverse1,
                                .dtype = dst.dtype,
                                .dst = dst},
         engine);
  return dst;
}

Tile Kernel::reciprocal(const Reciprocal& call) {
  const Engine engine = judge(call);
  const Rules rules(ir::Reciprocal::kName, call.kName);
  const Tile dst = result(rules, call.dst, call.dtype, call.data.dtype, call.data.shape());
  append(call.kName, ir::Reciprocal{.data = call.data, .dtype = dst.dtype, .dst = dst}, engine);
  return dst;
}

// ---------------------------------------------------------------------------------------------------------------------

Tile Kernel::identity(Dtype dtype) {
  for (const auto& [known, tile] : identities_) {
    if (known == dtype) return tile;
  }
  // Zero where the column is the partition.
  const Scope scope(*this);
  const Tile distance = sbuf(Dtype::int32, {kPartitions, kPartitions});
  const Dtype stored = dtype == Dtype::tfloat32 ? Dtype::float32 : dtype;
  const Tile ones = Tile::dense(stored, Buffer::sbuf, {kPartitions, kPartitions}, 0,
                                sbuf_.take_last(std::uint64_t{kPartitions} * bytes_of(stored)));
  append("identity", ir::Iota{.start = 0, .steps = {1}, .partition_step = -1, .dst = distance}, Engine::gpsimd);
  append("identity",
         ir::TensorVectorScalar{.data = distance, .op0 = Op::equal, .operand0 = 0, .dtype = stored, .dst = ones},
         Engine::vector);
  return identities_.emplace_back(dtype, ones.as(dtype)).second;
}

}  // namespace tpb::nki
