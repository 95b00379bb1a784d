// The eleven compute intrinsics of nki.isa: a struct for the call of each, with the parameters, order and defaults of
// the intrinsics document. The last ones are this library's own: `dst`, a tile that receives the result instead of a
// new one; `accumulate`, which adds to what dst holds; `slope`, which prelu needs.
#pragma once

#include "models/nki/arguments.h"

namespace tpb::nki {

// dst[m, n] = sum over partitions k of stationary[k, m] moving[k, n].
struct NcMatmul {
  Tile stationary;
  Tile moving;
  bool is_stationary_onezero = false;
  bool is_moving_onezero = false;
  bool is_transpose = false;
  Tuple tile_position{};
  Tuple tile_size{};
  None mask{};
  bool accumulate = false;
  std::optional<Tile> dst{};

  static constexpr std::string_view kName = "nc_matmul";
  static constexpr std::tuple kParameters{
      required("stationary", &NcMatmul::stationary),
      required("moving", &NcMatmul::moving),
      defaulted("is_stationary_onezero", &NcMatmul::is_stationary_onezero),
      defaulted("is_moving_onezero", &NcMatmul::is_moving_onezero),
      defaulted("is_transpose", &NcMatmul::is_transpose),
      defaulted("tile_position", &NcMatmul::tile_position),
      defaulted("tile_size", &NcMatmul::tile_size),
      defaulted("mask", &NcMatmul::mask),
      defaulted("accumulate", &NcMatmul::accumulate),
      defaulted("dst", &NcMatmul::dst),
  };
};

// dst[f, p] = data[p, f].
struct NcTranspose {
  Tile data;
  None mask{};
  std::optional<Dtype> dtype{};
  Engine engine = Engine::unknown;
  std::optional<Tile> dst{};

  static constexpr std::string_view kName = "nc_transpose";
  static constexpr std::tuple kParameters{
      required("data", &NcTranspose::data),    defaulted("mask", &NcTranspose::mask),
      defaulted("dtype", &NcTranspose::dtype), defaulted("engine", &NcTranspose::engine),
      defaulted("dst", &NcTranspose::dst),
  };
};

// dst = op(data scale + bias); reduce_cmd and reduce_op say what its free axis adds to the accumulators, reduce_res
// receives them.
struct Activation {
  Op op;
  Tile data;
  std::optional<Scalar> bias{};
  Scalar scale = 1.0;
  std::optional<Op> reduce_op{};
  std::optional<Tile> reduce_res{};
  ReduceCommand reduce_cmd = ReduceCommand::idle;
  None mask{};
  std::optional<Dtype> dtype{};
  std::optional<Number> slope{};
  std::optional<Tile> dst{};

  static constexpr std::string_view kName = "activation";
  static constexpr std::tuple kParameters{
      required("op", &Activation::op),
      required("data", &Activation::data),
      defaulted("bias", &Activation::bias),
      defaulted("scale", &Activation::scale),
      defaulted("reduce_op", &Activation::reduce_op),
      defaulted("reduce_res", &Activation::reduce_res),
      defaulted("reduce_cmd", &Activation::reduce_cmd),
      defaulted("mask", &Activation::mask),
      defaulted("dtype", &Activation::dtype),
      defaulted("slope", &Activation::slope),
      defaulted("dst", &Activation::dst),
  };
};

// activation with reduce_cmd=reset_reduce. (reduce_res is required: None is refused when it is lowered.)
struct ActivationReduce {
  Op op;
  Tile data;
  Op reduce_op;
  std::optional<Tile> reduce_res;
  std::optional<Scalar> bias{};
  Scalar scale = 1.0;
  None mask{};
  std::optional<Dtype> dtype{};
  std::optional<Number> slope{};
  std::optional<Tile> dst{};

  static constexpr std::string_view kName = "activation_reduce";
  static constexpr std::tuple kParameters{
      required("op", &ActivationReduce::op),
      required("data", &ActivationReduce::data),
      required("reduce_op", &ActivationReduce::reduce_op),
      required("reduce_res", &ActivationReduce::reduce_res),
      defaulted("bias", &ActivationReduce::bias),
      defaulted("scale", &ActivationReduce::scale),
      defaulted("mask", &ActivationReduce::mask),
      defaulted("dtype", &ActivationReduce::dtype),
      defaulted("slope", &ActivationReduce::slope),
      defaulted("dst", &ActivationReduce::dst),
  };
};

// dst = data1 op data2.
struct TensorTensor {
  Tile data1;
  Tile data2;
  Op op;
  std::optional<Dtype> dtype{};
  None mask{};
  Engine engine = Engine::unknown;
  std::optional<Tile> dst{};

  static constexpr std::string_view kName = "tensor_tensor";
  static constexpr std::tuple kParameters{
      required("data1", &TensorTensor::data1), required("data2", &TensorTensor::data2),
      required("op", &TensorTensor::op),       defaulted("dtype", &TensorTensor::dtype),
      defaulted("mask", &TensorTensor::mask),  defaulted("engine", &TensorTensor::engine),
      defaulted("dst", &TensorTensor::dst),
  };
};

// dst = (data op0 operand0) op1 operand1.
struct TensorScalar {
  Tile data;
  Op op0;
  Scalar operand0;
  bool reverse0 = false;
  std::optional<Op> op1{};
  std::optional<Scalar> operand1{};
  bool reverse1 = false;
  std::optional<Dtype> dtype{};
  None mask{};
  Engine engine = Engine::unknown;
  std::optional<Tile> dst{};

  static constexpr std::string_view kName = "tensor_scalar";
  static constexpr std::tuple kParameters{
      required("data", &TensorScalar::data),          required("op0", &TensorScalar::op0),
      required("operand0", &TensorScalar::operand0),  defaulted("reverse0", &TensorScalar::reverse0),
      defaulted("op1", &TensorScalar::op1),           defaulted("operand1", &TensorScalar::operand1),
      defaulted("reverse1", &TensorScalar::reverse1), defaulted("dtype", &TensorScalar::dtype),
      defaulted("mask", &TensorScalar::mask),         defaulted("engine", &TensorScalar::engine),
      defaulted("dst", &TensorScalar::dst),
  };
};

// dst = data op0 operand0; reduce_res = reduce_op over its free axis.
struct TensorScalarReduce {
  Tile data;
  Op op0;
  Scalar operand0;
  Op reduce_op;
  Tile reduce_res;
  bool reverse0 = false;
  std::optional<Dtype> dtype{};
  None mask{};
  std::optional<Tile> dst{};

  static constexpr std::string_view kName = "tensor_scalar_reduce";
  static constexpr std::tuple kParameters{
      required("data", &TensorScalarReduce::data),
      required("op0", &TensorScalarReduce::op0),
      required("operand0", &TensorScalarReduce::operand0),
      required("reduce_op", &TensorScalarReduce::reduce_op),
      required("reduce_res", &TensorScalarReduce::reduce_res),
      defaulted("reverse0", &TensorScalarReduce::reverse0),
      defaulted("dtype", &TensorScalarReduce::dtype),
      defaulted("mask", &TensorScalarReduce::mask),
      defaulted("dst", &TensorScalarReduce::dst),
  };
};

// For every element register = (src op0 imm0) op1 register, and that is its result.
struct TensorScalarCumulative {
  Tile src;
  Tile dst;
  Op op0;
  Op op1;
  Scalar imm0;
  std::optional<Scalar> imm1{};
  ReduceCommand reduce_cmd = ReduceCommand::reset_reduce;
  None mask{};

  static constexpr std::string_view kName = "tensor_scalar_cumulative";
  static constexpr std::tuple kParameters{
      required("src", &TensorScalarCumulative::src),
      required("dst", &TensorScalarCumulative::dst),
      required("op0", &TensorScalarCumulative::op0),
      required("op1", &TensorScalarCumulative::op1),
      required("imm0", &TensorScalarCumulative::imm0),
      defaulted("imm1", &TensorScalarCumulative::imm1),
      defaulted("reduce_cmd", &TensorScalarCumulative::reduce_cmd),
      defaulted("mask", &TensorScalarCumulative::mask),
  };
};

// dst = (data op0 operand0) op1 operand1, operand1 being a tile like data.
struct ScalarTensorTensor {
  Tile data;
  Op op0;
  Scalar operand0;
  Op op1;
  Tile operand1;
  bool reverse0 = false;
  bool reverse1 = false;
  std::optional<Dtype> dtype{};
  None mask{};
  std::optional<Tile> dst{};

  static constexpr std::string_view kName = "scalar_tensor_tensor";
  static constexpr std::tuple kParameters{
      required("data", &ScalarTensorTensor::data),          required("op0", &ScalarTensorTensor::op0),
      required("operand0", &ScalarTensorTensor::operand0),  required("op1", &ScalarTensorTensor::op1),
      required("operand1", &ScalarTensorTensor::operand1),  defaulted("reverse0", &ScalarTensorTensor::reverse0),
      defaulted("reverse1", &ScalarTensorTensor::reverse1), defaulted("dtype", &ScalarTensorTensor::dtype),
      defaulted("mask", &ScalarTensorTensor::mask),         defaulted("dst", &ScalarTensorTensor::dst),
  };
};

// dst[:, i] = (data0[:, i] op0 dst[:, i - 1]) op1 data1[:, i], starting from initial.
struct TensorTensorScan {
  Tile data0;
  Tile data1;
  Scalar initial;
  Op op0;
  Op op1;
  bool reverse0 = false;
  bool reverse1 = false;
  std::optional<Dtype> dtype{};
  None mask{};
  std::optional<Tile> dst{};

  static constexpr std::string_view kName = "tensor_tensor_scan";
  static constexpr std::tuple kParameters{
      required("data0", &TensorTensorScan::data0),
      required("data1", &TensorTensorScan::data1),
      required("initial", &TensorTensorScan::initial),
      required("op0", &TensorTensorScan::op0),
      required("op1", &TensorTensorScan::op1),
      defaulted("reverse0", &TensorTensorScan::reverse0),
      defaulted("reverse1", &TensorTensorScan::reverse1),
      defaulted("dtype", &TensorTensorScan::dtype),
      defaulted("mask", &TensorTensorScan::mask),
      defaulted("dst", &TensorTensorScan::dst),
  };
};

// dst = 1 / data.
struct Reciprocal {
  Tile data;
  std::optional<Dtype> dtype{};
  None mask{};
  std::optional<Tile> dst{};

  static constexpr std::string_view kName = "reciprocal";
  static constexpr std::tuple kParameters{
      required("data", &Reciprocal::data),
      defaulted("dtype", &Reciprocal::dtype),
      defaulted("mask", &Reciprocal::mask),
      defaulted("dst", &Reciprocal::dst),
  };
};

using AnyCall =
    std::variant<NcMatmul, NcTranspose, Activation, ActivationReduce, TensorTensor, TensorScalar, TensorScalarReduce,
                 TensorScalarCumulative, ScalarTensorTensor, TensorTensorScan, Reciprocal>;

}  // namespace tpb::nki
