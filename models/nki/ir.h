// The intermediate representation: a typed node for every hardware operation that a kernel calls for, named after it,
// with the parameter names of the builder that intrinsics call (intrinsics document). Every dtype and tile is decided.
#pragma once

#include "models/nki/arguments.h"

namespace tpb::nki::ir {

// nc_matmul; nc_transpose on the tensor engine, `moving` being an identity.
struct Matmult {
  Tile stationary;
  Tile moving;
  bool is_lhs_onezero = false;
  bool is_rhs_onezero = false;
  bool is_transpose = false;
  Tuple tile_position{};
  Tuple tile_size{};
  None mask{};
  bool accumulate = false;
  Tile dst;

  static constexpr std::string_view kName = "matmult";
  static constexpr std::tuple kParameters{
      required("stationary", &Matmult::stationary),         required("moving", &Matmult::moving),
      required("is_lhs_onezero", &Matmult::is_lhs_onezero), required("is_rhs_onezero", &Matmult::is_rhs_onezero),
      required("is_transpose", &Matmult::is_transpose),     required("tile_position", &Matmult::tile_position),
      required("tile_size", &Matmult::tile_size),           required("mask", &Matmult::mask),
      required("accumulate", &Matmult::accumulate),         required("dst", &Matmult::dst),
  };
};

// nc_transpose on the vector engine.
struct Transpose {
  Tile data;
  None mask{};
  Tile dst;

  static constexpr std::string_view kName = "transpose";
  static constexpr std::tuple kParameters{
      required("data", &Transpose::data),
      required("mask", &Transpose::mask),
      required("dst", &Transpose::dst),
  };
};

// nki.isa.cast, which nc_transpose appends; copies between equal dtypes.
struct Cast {
  Tile data;
  Tile dst;

  static constexpr std::string_view kName = "cast";
  static constexpr std::tuple kParameters{required("data", &Cast::data), required("dst", &Cast::dst)};
};

// activation, activation_reduce.
struct Activation {
  Op op;
  Tile data;
  std::optional<Scalar> bias;
  Scalar scale;
  std::optional<Op> reduce_op;
  std::optional<Tile> reduce_res;
  ReduceCommand reduce_cmd;
  None mask{};
  Dtype dtype;
  std::optional<Number> slope;
  Tile dst;

  static constexpr std::string_view kName = "activation";
  static constexpr std::tuple kParameters{
      required("op", &Activation::op),
      required("data", &Activation::data),
      required("bias", &Activation::bias),
      required("scale", &Activation::scale),
      required("reduce_op", &Activation::reduce_op),
      required("reduce_res", &Activation::reduce_res),
      required("reduce_cmd", &Activation::reduce_cmd),
      required("mask", &Activation::mask),
      required("dtype", &Activation::dtype),
      required("slope", &Activation::slope),
      required("dst", &Activation::dst),
  };
};

// tensor_tensor.
struct TensorTensor {
  Tile data1;
  Tile data2;
  Op op;
  Dtype dtype;
  None mask{};
  Tile dst;

  static constexpr std::string_view kName = "tensortensor";
  static constexpr std::tuple kParameters{
      required("data1", &TensorTensor::data1), required("data2", &TensorTensor::data2),
      required("op", &TensorTensor::op),       required("dtype", &TensorTensor::dtype),
      required("mask", &TensorTensor::mask),   required("dst", &TensorTensor::dst),
  };
};

// tensor_tensor_scan: the same operation with a flag.
struct TensorTensorScan {
  Tile data0;
  Tile data1;
  Op op0;
  Op op1;
  Scalar initial;
  bool reverse0 = false;
  bool reverse1 = false;
  Dtype dtype;
  None mask{};
  bool scan = true;
  Tile dst;

  static constexpr std::string_view kName = "tensortensor";
  static constexpr std::tuple kParameters{
      required("data0", &TensorTensorScan::data0),       required("data1", &TensorTensorScan::data1),
      required("op0", &TensorTensorScan::op0),           required("op1", &TensorTensorScan::op1),
      required("initial", &TensorTensorScan::initial),   required("reverse0", &TensorTensorScan::reverse0),
      required("reverse1", &TensorTensorScan::reverse1), required("dtype", &TensorTensorScan::dtype),
      required("mask", &TensorTensorScan::mask),         required("scan", &TensorTensorScan::scan),
      required("dst", &TensorTensorScan::dst),
  };
};

// tensor_scalar; tensor_scalar_reduce, which has a reduce_op.
struct TensorVectorScalar {
  Tile data;
  Op op0;
  Scalar operand0;
  bool reverse0 = false;
  std::optional<Op> op1{};
  std::optional<Scalar> operand1{};
  bool reverse1 = false;
  std::optional<Op> reduce_op{};
  std::optional<Tile> reduce_res{};
  Dtype dtype;
  None mask{};
  Tile dst;

  static constexpr std::string_view kName = "tensorvectorscalar";
  static constexpr std::tuple kParameters{
      required("data", &TensorVectorScalar::data),
      required("op0", &TensorVectorScalar::op0),
      required("operand0", &TensorVectorScalar::operand0),
      required("reverse0", &TensorVectorScalar::reverse0),
      required("op1", &TensorVectorScalar::op1),
      required("operand1", &TensorVectorScalar::operand1),
      required("reverse1", &TensorVectorScalar::reverse1),
      required("reduce_op", &TensorVectorScalar::reduce_op),
      required("reduce_res", &TensorVectorScalar::reduce_res),
      required("dtype", &TensorVectorScalar::dtype),
      required("mask", &TensorVectorScalar::mask),
      required("dst", &TensorVectorScalar::dst),
  };
};

// scalar_tensor_tensor: the same operation with a flag.
struct ScalarTensorTensor {
  Tile data;
  Op op0;
  Scalar operand0;
  Op op1;
  Tile operand1;
  bool reverse0 = false;
  bool reverse1 = false;
  Dtype dtype;
  None mask{};
  bool is_scalar_tensor_tensor = true;
  Tile dst;

  static constexpr std::string_view kName = "tensorvectorscalar";
  static constexpr std::tuple kParameters{
      required("data", &ScalarTensorTensor::data),
      required("op0", &ScalarTensorTensor::op0),
      required("operand0", &ScalarTensorTensor::operand0),
      required("op1", &ScalarTensorTensor::op1),
      required("operand1", &ScalarTensorTensor::operand1),
      required("reverse0", &ScalarTensorTensor::reverse0),
      required("reverse1", &ScalarTensorTensor::reverse1),
      required("dtype", &ScalarTensorTensor::dtype),
      required("mask", &ScalarTensorTensor::mask),
      required("is_scalar_tensor_tensor", &ScalarTensorTensor::is_scalar_tensor_tensor),
      required("dst", &ScalarTensorTensor::dst),
  };
};

// tensor_scalar_cumulative.
struct TensorScalarCumulative {
  Tile src;
  Tile dst;
  Op op0;
  Op op1;
  Scalar imm0;
  std::optional<Scalar> imm1;
  ReduceCommand reduce_cmd;
  None mask{};

  static constexpr std::string_view kName = "tensorscalarcumulative";
  static constexpr std::tuple kParameters{
      required("src", &TensorScalarCumulative::src),
      required("dst", &TensorScalarCumulative::dst),
      required("op0", &TensorScalarCumulative::op0),
      required("op1", &TensorScalarCumulative::op1),
      required("imm0", &TensorScalarCumulative::imm0),
      required("imm1", &TensorScalarCumulative::imm1),
      required("reduce_cmd", &TensorScalarCumulative::reduce_cmd),
      required("mask", &TensorScalarCumulative::mask),
  };
};

// reciprocal.
struct Reciprocal {
  Tile data;
  Dtype dtype;
  None mask{};
  Tile dst;

  static constexpr std::string_view kName = "reciprocal";
  static constexpr std::tuple kParameters{
      required("data", &Reciprocal::data),
      required("dtype", &Reciprocal::dtype),
      required("mask", &Reciprocal::mask),
      required("dst", &Reciprocal::dst),
  };
};

// --- of the builder itself: nki.isa has other names for them, or none ------------------------------------------------

struct TensorReduce {
  Op op;
  Tile data;
  Number axes;  // innermost free dimensions that are folded
  bool negate = false;
  Tile dst;

  static constexpr std::string_view kName = "tensorreduce";
  static constexpr std::tuple kParameters{
      required("op", &TensorReduce::op),     required("data", &TensorReduce::data),
      required("axes", &TensorReduce::axes), required("negate", &TensorReduce::negate),
      required("dst", &TensorReduce::dst),
  };
};

// The two innermost dimensions of data are the window.
struct Pool {
  bool average;  // else the maximum
  Tile data;
  Tile dst;

  static constexpr std::string_view kName = "pool";
  static constexpr std::tuple kParameters{
      required("average", &Pool::average),
      required("data", &Pool::data),
      required("dst", &Pool::dst),
  };
};

struct Max8 {
  Tile data;
  Tile dst;

  static constexpr std::string_view kName = "max8";
  static constexpr std::tuple kParameters{required("data", &Max8::data), required("dst", &Max8::dst)};
};

struct MaxIndex {
  Tile data;
  Tile vals;
  Tile dst;

  static constexpr std::string_view kName = "maxindex";
  static constexpr std::tuple kParameters{
      required("data", &MaxIndex::data),
      required("vals", &MaxIndex::vals),
      required("dst", &MaxIndex::dst),
  };
};

struct Memset {
  Number value;
  Tile dst;

  static constexpr std::string_view kName = "memset";
  static constexpr std::tuple kParameters{required("value", &Memset::value), required("dst", &Memset::dst)};
};

// start + partition_step p + sum of steps i, steps outermost first.
struct Iota {
  Number start;
  Tuple steps;
  Number partition_step;
  Tile dst;

  static constexpr std::string_view kName = "iota";
  static constexpr std::tuple kParameters{
      required("start", &Iota::start),
      required("steps", &Iota::steps),
      required("partition_step", &Iota::partition_step),
      required("dst", &Iota::dst),
  };
};

using Operation = std::variant<Matmult, Transpose, Cast, Activation, TensorTensor, TensorTensorScan, TensorVectorScalar,
                               ScalarTensorTensor, TensorScalarCumulative, Reciprocal, TensorReduce, Pool, Max8,
                               MaxIndex, Memset, Iota>;

struct Node {
  Operation operation;
  Engine engine;  // chosen
  Generation target;

  std::string_view name() const {
    return std::visit([](const auto& op) { return op.kName; }, operation);
  }
  Arguments arguments() const {
    return std::visit([](const auto& op) { return arguments_of(op); }, operation);
  }
};

}  // namespace tpb::nki::ir
