#include "models/nki/lowering.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "models/isa/activation.h"
#include "models/nki/rules.h"
#include "models/program/element.h"
#include "models/program/operand.h"
#include "models/program/scalar.h"

namespace tpb::nki {
namespace {

constexpr std::uint8_t code_of(tpb::Dtype dtype) { return static_cast<std::uint8_t>(dtype); }
constexpr std::uint8_t code_of(AluOp op) { return static_cast<std::uint8_t>(op); }
constexpr std::uint8_t code_of(AccumulatorCommand command) { return static_cast<std::uint8_t>(command); }
std::uint8_t pair_of(Dtype low, Dtype high) {
  return static_cast<std::uint8_t>(code_of(wire_of(low)) | code_of(wire_of(high)) << 4);
}
std::uint8_t channels_of(const Tile& tile) { return static_cast<std::uint8_t>(tile.partitions); }

std::uint32_t fp32_bits(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }

// A scalar as a bundle holds it.
struct Immediate {
  std::uint8_t source = 0;  // ImmediateSource
  std::uint32_t value = 0;
  tpb::Dtype dtype = tpb::Dtype::fp32;
};

// An operation as a bundle holds it. Those without a code become another one with a constant.
struct WireOp {
  AluOp op;
  std::optional<double> constant{};
};

class Lowering {
 public:
  Lowering(const ir::Node& node, std::string_view instruction, const Config& config)
      : engine_(node.engine), rules_(node.name(), instruction), config_(config) {}

  std::vector<Group> operator()(const ir::Matmult& node) const {
    const bool transpose = node.is_transpose;
    const auto options = [&](bool onezero) {
      return static_cast<std::uint8_t>((onezero ? kPerfOneZero : 0) | (transpose ? kPerfTranspose : 0));
    };
    S3D3_MM load = product(Opcode::load_stationary, node.stationary, node);
    load.perf_opt = options(node.is_lhs_onezero);
    if (!node.tile_size.empty()) {
      load.row_grp = tile_group("tile_size", node.tile_position[0], node.tile_size[0]);
      load.col_grp = tile_group("tile_size", node.tile_position[1], node.tile_size[1]);
    }
    S3D3_MM multiply = product(Opcode::multiply_moving, node.moving, node);
    // The hint of either operand saves the product's passes, and the product's own flag is what counts.
    multiply.perf_opt = options(node.is_lhs_onezero || node.is_rhs_onezero);
    multiply.out_dtype = code_of(wire_of(node.dst.dtype));
    multiply.accum_flags = node.accumulate ? kAccumulateEnd : kAccumulateBegin | kAccumulateEnd;
    multiply.dst = descriptor<3>(node.dst);
    return {{load}, {multiply}};
  }

  std::vector<Group> operator()(const ir::Transpose& node) const {
    return {{moved<S4D4_TR, 4, 4>(Opcode::stream_transpose, node.data, node.dst)}};
  }

  std::vector<Group> operator()(const ir::Cast& node) const {
    const Opcode role = wire_of(node.data.dtype) == wire_of(node.dst.dtype) ? Opcode::copy : Opcode::cast;
    return {{moved<S4D4_TR, 4, 4>(role, node.data, node.dst)}};
  }

  std::vector<Group> operator()(const ir::Reciprocal& node) const {
    return {{moved<S4D4_TR, 4, 4>(Opcode::reciprocal, node.data, node.dst)}};
  }

  std::vector<Group> operator()(const ir::Activation& node) const {
    auto bundle = new_bundle<S3D3_AC>(Opcode::activate);
    bundle.src = descriptor<3>(node.data);
    bundle.dst = descriptor<3>(node.dst);
    bundle.out_dtype = code_of(wire_of(node.dst.dtype));
    bundle.num_active_channels = channels_of(node.data);
    bundle.func = static_cast<std::uint8_t>(*info_of(node.op).function);
    const Immediate scale = arithmetic("scale", node.scale);
    bundle.scale_src = scale.source;
    bundle.scale = scale.value;
    const Immediate bias = node.bias ? arithmetic("bias", *node.bias) : Immediate{};
    bundle.bias_src = bias.source;
    bundle.bias = bias.value;
    bundle.in_bias_dtype = static_cast<std::uint8_t>(code_of(wire_of(node.data.dtype)) | code_of(bias.dtype) << 4);
    if (node.slope) bundle.imm = fp32("slope", *node.slope);
    if (node.reduce_cmd != ReduceCommand::idle) {
      const ActivationReduce op = *node.reduce_op == Op::maximum   ? ActivationReduce::max
                                  : *node.reduce_op == Op::minimum ? ActivationReduce::min
                                                                   : ActivationReduce::add;
      bundle.accum_cmd =
          static_cast<std::uint8_t>(static_cast<unsigned>(node.reduce_cmd) | static_cast<unsigned>(op) << 4U);
    }
    std::vector<Group> groups{{bundle}};
    if (node.reduce_res) groups.push_back({read_out(Opcode::act_read_accumulator, *node.reduce_res)});
    return groups;
  }

  std::vector<Group> operator()(const ir::TensorTensor& node) const {
    const bool bitvec = is_bitvec_op(node.op);
    auto bundle = new_bundle<S3S3D3_TT>(bitvec ? Opcode::tensor_tensor_bitvec : Opcode::tensor_tensor_arith);
    bundle.in0_in1_dtype = pair_of(node.data1.dtype, node.data2.dtype);
    bundle.out_dtype = code_of(wire_of(node.dst.dtype));
    bundle.op = code_of(*info_of(node.op).wire);
    bundle.num_active_channels = channels_of(node.data1);
    bundle.src0 = descriptor<3>(node.data1);
    bundle.src1 = descriptor<3>(node.data2);
    bundle.dst = descriptor<3>(node.dst);
    return {{bundle}};
  }

  std::vector<Group> operator()(const ir::TensorTensorScan& node) const {
    auto bundle = new_bundle<S2S2D2_STT>(Opcode::tensor_tensor_scan);
    fill(bundle, node.data0, node.data1, node.dst);
    bundle.op0 = code_of(*info_of(node.op0).wire);
    bundle.op1 = code_of(*info_of(node.op1).wire);
    bundle.reverse = reverse(node.reverse0, node.reverse1);
    put(bundle, arithmetic("initial", node.initial));
    return {{bundle}};
  }

  std::vector<Group> operator()(const ir::ScalarTensorTensor& node) const {
    const bool bitvec = is_bitvec_op(node.op0);
    auto bundle =
        new_bundle<S2S2D2_STT>(bitvec ? Opcode::scalar_tensor_tensor_bitvec : Opcode::scalar_tensor_tensor_arith);
    fill(bundle, node.data, node.operand1, node.dst);
    const WireOp op0 = wire_op(node.op0);
    const WireOp op1 = wire_op(node.op1);
    rules_.require(node.op0 != Op::logical_not, "op0", node.op0, "has no bit-vector code for op0=logical_not");
    rules_.require(!op1.constant, "op1", node.op1, "has no code for this op1");
    bundle.op0 = code_of(op0.op);
    bundle.op1 = code_of(op1.op);
    bundle.reverse = reverse(node.reverse0 && !op0.constant, node.reverse1);
    put(bundle, immediate("operand0", op0, node.operand0, bitvec));
    return {{bundle}};
  }

  std::vector<Group> operator()(const ir::TensorVectorScalar& node) const {
    if (node.reduce_op) {
      S3D3_TS bundle = with_scalar(Opcode::tensor_scalar_cache_reduce, node.data, node.dst);
      const WireOp op0 = wire_op(node.op0);
      bundle.accumulator_cmd = code_of(AccumulatorCommand::reset_reduce);
      bundle.op0 = code_of(op0.op);
      put_first(bundle, immediate("operand0", op0, node.operand0, false));
      bundle.op1 = code_of(*info_of(*node.reduce_op).wire);
      return {{bundle, read_out(Opcode::dve_read_accumulator, *node.reduce_res)}};
    }
    // logical_not compares, which is arithmetic.
    const bool inverts = node.op0 == Op::logical_not || (node.op1 && *node.op1 == Op::logical_not);
    rules_.require(!inverts || (node.op0 == Op::logical_not && (!node.op1 || *node.op1 == Op::logical_not)), "op1",
                   value_of(node.op1),
                   "has no bit-vector code for logical_not: it cannot be combined with another one");
    const bool bitvec = is_bitvec_op(node.op0) && !inverts;
    S3D3_TS bundle =
        with_scalar(bitvec ? Opcode::tensor_scalar_bitvec : Opcode::tensor_scalar_arith, node.data, node.dst);
    const WireOp op0 = wire_op(node.op0);
    bundle.op0 = code_of(op0.op);
    put_first(bundle, immediate("operand0", op0, node.operand0, bitvec));
    bool reverse1 = false;
    if (node.op1) {
      const WireOp op1 = wire_op(*node.op1);
      bundle.op1 = code_of(op1.op);
      put_second(bundle, immediate("operand1", op1, *node.operand1, bitvec));
      reverse1 = node.reverse1 && !op1.constant;
    }
    bundle.reverse = reverse(node.reverse0 && !op0.constant, reverse1);
    return {{bundle}};
  }

  std::vector<Group> operator()(const ir::TensorScalarCumulative& node) const {
    S3D3_TS bundle = with_scalar(Opcode::tensor_scalar_cumulative, node.src, node.dst);
    const WireOp op0 = wire_op(node.op0);
    bundle.accumulator_cmd = static_cast<std::uint8_t>(node.reduce_cmd);
    bundle.op0 = code_of(op0.op);
    bundle.op1 = code_of(*info_of(node.op1).wire);
    put_first(bundle, immediate("imm0", op0, node.imm0, false));
    if (node.imm1) put_second(bundle, arithmetic("imm1", *node.imm1));
    return {{bundle}};
  }

  std::vector<Group> operator()(const ir::TensorReduce& node) const {
    const auto axes = static_cast<unsigned>(node.axes.value);
    const TileOperand data = operand_of(node.data, config_.memory, kPatternDims, axes);
    const bool bitvec = is_bitvec_op(node.op);
    auto bundle =
        moved<S4D4_TR, 4, 4>(bitvec ? Opcode::tensor_reduce_bitvec : Opcode::tensor_reduce_arith, node.data, node.dst);
    bundle.src = descriptor_of<4>(data.operand.pattern);
    bundle.op = code_of(*info_of(node.op).wire);
    constexpr unsigned kX = 2;  // the code of one reduced dimension
    bundle.op_dim = static_cast<std::uint8_t>(kX + data.inner - 1);
    bundle.negated = node.negate ? 1 : 0;
    return {{bundle}};
  }

  std::vector<Group> operator()(const ir::Pool& node) const {
    constexpr std::uint8_t kPoolDim = 3;
    auto bundle = new_bundle<S4D4_PL>(Opcode::pool);
    // The window's two dimensions keep their places, the others their order.
    const std::size_t rank = node.data.free.size();
    Tile outer = node.data;
    outer.free.resize(rank - 2);
    Operand data = operand_of(outer, config_.memory, 2);
    for (unsigned d = 0; d < 2; ++d) {
      data.pattern.num[d + 2] = data.pattern.num[d];
      data.pattern.step[d + 2] = data.pattern.step[d];
      data.pattern.num[d] = node.data.free[rank - 1 - d].count;
      data.pattern.step[d] = node.data.free[rank - 1 - d].step;
    }
    bundle.src = descriptor_of<4>(data.pattern);
    bundle.in_dtype = code_of(wire_of(node.data.dtype));
    bundle.out_dtype = code_of(wire_of(node.dst.dtype));
    bundle.num_active_channels = channels_of(node.data);
    bundle.pool_func = static_cast<std::uint8_t>(node.average ? PoolFunction::average : PoolFunction::max);
    bundle.pool_dim = kPoolDim;
    bundle.pool_scale =
        node.average ? 1.0F / static_cast<float>(std::uint64_t{data.pattern.num[0]} * data.pattern.num[1]) : 1.0F;
    bundle.dst = descriptor<4>(node.dst);
    return {{bundle}};
  }

  // Written from the last of the eight slots down, so that they descend.
  std::vector<Group> operator()(const ir::Max8& node) const {
    auto bundle = moved<S4D2_BN, 4, 2>(Opcode::max8, node.data, node.dst);
    const std::int32_t reach = 7 * bundle.dst.step[0] * static_cast<std::int32_t>(bytes_of(node.dst.dtype));
    bundle.dst.start_addr += static_cast<std::uint32_t>(reach);
    bundle.dst.step[0] = static_cast<std::int16_t>(-bundle.dst.step[0]);
    bundle.dst.step[1] = 0;
    return {{bundle}};
  }

  std::vector<Group> operator()(const ir::MaxIndex& node) const {
    return {{load_values(node), moved<S4D2_BN, 4, 2>(Opcode::find_index8, node.data, node.dst)}};
  }

  std::vector<Group> operator()(const ir::Memset& node) const {
    auto bundle = written<D4_MR, 4>(Opcode::memset, node.dst);
    const tpb::Dtype dtype = wire_of(node.dst.dtype);
    if (tpb::is_integer(dtype)) {
      const auto [low, high] = range_of(dtype);
      bundle.value = integer("value", node.value, low, high) & (~0U >> (32 - 8 * bytes_of(node.dst.dtype)));
    } else {
      bundle.value = element_from_fp32(fp32("value", node.value), dtype);
    }
    return {{bundle}};
  }

  std::vector<Group> operator()(const ir::Iota& node) const {
    constexpr std::int64_t kLow = std::numeric_limits<std::int16_t>::min();
    constexpr std::int64_t kHigh = std::numeric_limits<std::int16_t>::max();
    // A step for every dimension of dst: none of them may be joined.
    rules_.require(node.steps.size() == node.dst.free.size() && node.steps.size() <= kPatternDims, "steps", node.steps,
                   "needs a step for each free dimension of dst, four at most");
    auto bundle = written<D4_IOTA, 4>(Opcode::iota, node.dst);
    for (unsigned d = 0; d < kPatternDims; ++d) {
      const bool has = d < node.steps.size();
      const Tile::Dimension dimension = has ? node.dst.free[node.steps.size() - 1 - d] : Tile::Dimension{};
      bundle.step[d] =
          has ? static_cast<std::int16_t>(integer("steps", node.steps[node.steps.size() - 1 - d], kLow, kHigh))
              : std::int16_t{1};
      bundle.num[d] = static_cast<std::uint16_t>(dimension.count);
      bundle.dst.num[d] = bundle.num[d];
      bundle.dst.step[d] = static_cast<std::int16_t>(dimension.count == 1 ? 1 : dimension.step);
    }
    bundle.start = static_cast<std::int32_t>(integer("start", node.start, std::numeric_limits<std::int32_t>::min(),
                                                     std::numeric_limits<std::int32_t>::max()));
    bundle.partition_step = static_cast<std::int16_t>(integer("partition_step", node.partition_step, kLow, kHigh));
    return {{bundle}};
  }

 private:
  template <class Layout>
  Layout new_bundle(Opcode role) const {
    Layout bundle{};
    bundle.frame = Frame{};
    bundle.frame.opcode = tpb::wire_of(static_cast<std::uint8_t>(role), config_.semantics);
    return bundle;
  }

  template <unsigned Dims>
  TensorDescriptor<Dims> descriptor(const Tile& tile) const {
    return descriptor_of<Dims>(operand_of(tile, config_.memory, Dims).pattern);
  }

  template <class Layout, unsigned SourceDims, unsigned DestinationDims>
  Layout moved(Opcode role, const Tile& src, const Tile& dst) const {
    auto bundle = new_bundle<Layout>(role);
    bundle.src = descriptor<SourceDims>(src);
    bundle.in_dtype = code_of(wire_of(src.dtype));
    bundle.out_dtype = code_of(wire_of(dst.dtype));
    bundle.num_active_channels = channels_of(src);
    bundle.dst = descriptor<DestinationDims>(dst);
    return bundle;
  }

  template <class Layout, unsigned Dims>
  Layout written(Opcode role, const Tile& dst) const {
    auto bundle = new_bundle<Layout>(role);
    bundle.out_dtype = code_of(wire_of(dst.dtype));
    bundle.num_active_channels = channels_of(dst);
    bundle.dst = descriptor<Dims>(dst);
    return bundle;
  }

  D1_RD read_out(Opcode role, const Tile& dst) const { return written<D1_RD, 3>(role, dst); }

  S3D3_TS with_scalar(Opcode role, const Tile& src, const Tile& dst) const {
    return moved<S3D3_TS, 3, 3>(role, src, dst);
  }

  void fill(S2S2D2_STT& bundle, const Tile& src0, const Tile& src1, const Tile& dst) const {
    bundle.src0 = descriptor<2>(src0);
    bundle.src1 = descriptor<2>(src1);
    bundle.dst = descriptor<2>(dst);
    bundle.in0_in1_dtype = pair_of(src0.dtype, src1.dtype);
    bundle.out_dtype = code_of(wire_of(dst.dtype));
    bundle.num_active_channels = channels_of(src0);
  }

  S3D3_MM product(Opcode role, const Tile& src, const ir::Matmult& node) const {
    auto bundle = new_bundle<S3D3_MM>(role);
    bundle.src = descriptor<3>(src);
    bundle.in_dtype = code_of(wire_of(src.dtype));
    bundle.fp32_mode = src.dtype == Dtype::tfloat32 ? 1 : 0;
    bundle.rows = channels_of(node.stationary);
    bundle.cols = static_cast<std::uint8_t>(node.stationary.elements());
    return bundle;
  }

  std::uint8_t tile_group(std::string_view parameter, const Number& position, const Number& size) const {
    constexpr std::int64_t kUnit = 32;
    constexpr std::int64_t kMost = 128;
    const std::uint32_t first = integer("tile_position", position, 0, kMost - kUnit);
    const std::uint32_t count = integer(parameter, size, kUnit, kMost);
    return static_cast<std::uint8_t>(first / kUnit | count / kUnit << 4U);
  }

  Instruction load_values(const ir::MaxIndex& node) const {
    if (config_.semantics.match_value_load == SemanticsOptions::MatchValueLoad::s2_bn) {
      auto bundle = new_bundle<S2_BN>(Opcode::match_value_load);
      bundle.src = descriptor<2>(node.vals);
      bundle.in_dtype = code_of(wire_of(node.vals.dtype));
      bundle.num_active_channels = channels_of(node.vals);
      return bundle;
    }
    auto bundle = new_bundle<S4D2_MV>(Opcode::match_value_load);
    bundle.data = descriptor<4>(node.data);
    bundle.data_dtype = code_of(wire_of(node.data.dtype));
    bundle.values_dtype = code_of(wire_of(node.vals.dtype));
    bundle.num_active_channels = channels_of(node.vals);
    bundle.values = descriptor<2>(node.vals);
    return bundle;
  }

  // --- operations and scalars ---

  static WireOp wire_op(Op op) {
    if (op == Op::negate) return {AluOp::mult, -1.0};
    if (op == Op::logical_not) return {AluOp::is_equal, 0.0};
    return {*info_of(op).wire};
  }

  static std::uint8_t reverse(bool reverse0, bool reverse1) {
    return static_cast<std::uint8_t>((reverse0 ? 1 : 0) | (reverse1 ? 2 : 0));
  }

  std::uint32_t integer(std::string_view parameter, const Number& number, std::int64_t low, std::int64_t high) const {
    const bool fits = number.value >= static_cast<double>(low) && number.value <= static_cast<double>(high) &&
                      number.value == std::floor(number.value);
    rules_.require(fits, parameter, number, fmt::format("{} must be an integer from {} to {}", parameter, low, high));
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(number.value));
  }

  std::uint32_t fp32(std::string_view parameter, const Number& number) const {
    const bool fits = !std::isfinite(number.value) || std::abs(number.value) <= std::numeric_limits<float>::max();
    rules_.require(fits, parameter, number, fmt::format("{} must be a float32", parameter));
    return fp32_bits(number.value);
  }

  Immediate pointer(const Tile& tile) const {
    return {static_cast<std::uint8_t>(ImmediateSource::pointer), operand_of(tile, config_.memory, 1).pattern.start_addr,
            wire_of(tile.dtype)};
  }

  Immediate arithmetic(std::string_view parameter, const Scalar& scalar) const {
    if (const auto* tile = std::get_if<Tile>(&scalar)) return pointer(*tile);
    return {0, fp32(parameter, std::get<Number>(scalar)), tpb::Dtype::fp32};
  }

  Immediate immediate(std::string_view parameter, const WireOp& op, const Scalar& scalar, bool bitvec) const {
    if (op.constant) return {0, fp32_bits(*op.constant), tpb::Dtype::fp32};
    if (!bitvec) return arithmetic(parameter, scalar);
    if (const auto* tile = std::get_if<Tile>(&scalar)) return pointer(*tile);
    const Number& number = std::get<Number>(scalar);
    const auto [low, high] = std::pair{std::int64_t{std::numeric_limits<std::int32_t>::min()},
                                       std::int64_t{std::numeric_limits<std::uint32_t>::max()}};
    return {0, integer(parameter, number, low, high), number.value < 0 ? tpb::Dtype::int32 : tpb::Dtype::uint32};
  }

  static void put_first(S3D3_TS& bundle, const Immediate& immediate) {
    bundle.imm0_src = immediate.source;
    bundle.imm0 = immediate.value;
  }
  static void put_second(S3D3_TS& bundle, const Immediate& immediate) {
    bundle.imm1_src = immediate.source;
    bundle.imm1 = immediate.value;
  }
  static void put(S2S2D2_STT& bundle, const Immediate& immediate) {
    bundle.imm0_src = immediate.source;
    bundle.imm0 = immediate.value;
    bundle.imm0_dtype = code_of(immediate.dtype);
  }

  Engine engine_;
  Rules rules_;
  const Config& config_;
};

}  // namespace

std::vector<Group> lower(const ir::Node& node, std::string_view instruction, const Config& config) {
  return std::visit(Lowering(node, instruction, config), node.operation);
}

}  // namespace tpb::nki
