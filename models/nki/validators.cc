#include "models/nki/validators.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

namespace tpb::nki {
namespace {

using Result = std::optional<Raised>;
constexpr std::nullopt_t kPassed = std::nullopt;

// --- words -----------------------------------------------------------------------------------------------------------

template <class Range>
std::string spellings(const Range& values) {
  std::vector<std::string_view> names;
  for (const auto value : values) names.push_back(spelling(value));
  return fmt::format("{}", fmt::join(names, ", "));
}

Result unsupported_op(const CallView& call, std::string_view parameter, std::string_view value,
                      std::string_view supported, std::string_view where = "") {
  return Raised{
      err::kUnsupportedOp, std::string(parameter), std::string(value),
      fmt::format("{} {}={} is not supported{}, expected {}", call.instruction, parameter, value, where, supported)};
}

// --- what several of them ask ----------------------------------------------------------------------------------------

constexpr std::array<std::string_view, 2> kOps{"op0", "op1"};

// Every given op of `parameters` satisfies `legal`.
template <class Parameters, class Legal>
Result check_ops(const CallView& call, const Parameters& parameters, Legal legal, std::string_view supported,
                 std::string_view where = "") {
  for (std::string_view parameter : parameters) {
    const Op* op = call.get<Op>(parameter);
    if (op != nullptr && !legal(*op)) return unsupported_op(call, parameter, spelling(*op), supported, where);
  }
  return kPassed;
}

bool is_alu_op(Op op) { return info_of(op).family != Family::none; }
bool is_binary_op(Op op) { return is_alu_op(op) && info_of(op).operands == 2; }
constexpr std::string_view kAluOps = "an arithmetic or bit-vector operation";
constexpr std::string_view kBinaryOps = "an arithmetic or bit-vector operation of two operands";

template <class T>
bool is_one_of(T value, std::initializer_list<T> values) {
  return std::ranges::find(values, value) != values.end();
}

// Both inputs of a matmul have one of the dtypes.
Result check_inputs(const CallView& call, std::initializer_list<Dtype> legal, std::string_view what) {
  for (std::string_view parameter : {"stationary", "moving"}) {
    const Tile* tile = call.get<Tile>(parameter);
    if (tile == nullptr || is_one_of(tile->dtype, legal)) continue;
    const std::string_view dtype = spelling(tile->dtype);
    return Raised{err::kUnsupportedDtypes, std::string(parameter), std::string(dtype),
                  fmt::format("{} {} of dtype {} is not supported{}; {}: {}", call.instruction, parameter, dtype, what,
                              err::kSupportedDtypes, spellings(legal))};
  }
  return kPassed;
}

// A tile must have one of the dtypes; a number is the fp32 of its value.
Result check_tile_dtype(const CallView& call, std::string_view parameter, std::initializer_list<Dtype> legal,
                        std::string_view identifier) {
  const Tile* tile = call.get<Tile>(parameter);
  if (tile == nullptr || is_one_of(tile->dtype, legal)) return kPassed;
  const std::string_view dtype = spelling(tile->dtype);
  return Raised{identifier, std::string(parameter), std::string(dtype),
                fmt::format("{} {} has dtype {}, expected {}", call.instruction, parameter, dtype, spellings(legal))};
}

Result asserted(std::string_view parameter, std::string value, std::string_view text) {
  return Raised{err::kAssert, std::string(parameter), std::move(value), std::string(text)};
}

}  // namespace

Engine CallView::asked_engine() const {
  const Engine* asked = get<Engine>("engine");
  return asked == nullptr ? Engine::unknown : *asked;
}

// --- nc_matmul -------------------------------------------------------------------------------------------------------

static Result _check_nc_matmul_supported_dtypes(const CallView& call) {
  return check_inputs(
      call, {Dtype::float8_e4m3, Dtype::float8_e5m2, Dtype::bfloat16, Dtype::float16, Dtype::tfloat32, Dtype::float32},
      "");
}

static Result _check_nc_matmul_pe_tiling_position_size_supported_shape(const CallView& call) {
  const Tuple& position = *call.get<Tuple>("tile_position");
  const Tuple& size = *call.get<Tuple>("tile_size");
  const Tile& stationary = *call.get<Tile>("stationary");
  const std::string position_text = text_of(position);
  const std::string size_text = text_of(size);
  const auto is_2d = [](const Tuple& tuple) { return tuple.empty() || tuple.size() == 2; };
  const auto is_integer = [](const Tuple& tuple) { return std::ranges::all_of(tuple, &Number::integer); };
  const auto is_multiple = [](const Tuple& tuple) {
    return std::ranges::all_of(tuple, [](const Number& n) { return std::fmod(n.value, 32) == 0; });
  };
  if (position.empty() != size.empty()) {
    return asserted(position.empty() ? "tile_position" : "tile_size", "()", message::kTilesBoth);
  }
  if (!is_2d(position)) return asserted("tile_position", position_text, message::kTilePosition2d);
  if (!is_2d(size)) return asserted("tile_size", size_text, message::kTileSize2d);
  if (!is_integer(position)) return asserted("tile_position", position_text, message::kTilePositionInt);
  if (!is_integer(size)) return asserted("tile_size", size_text, message::kTileSizeInt);
  if (size.empty()) return kPassed;
  if (!is_multiple(position)) return asserted("tile_position", position_text, message::kTileMultiple);
  if (!is_multiple(size)) return asserted("tile_size", size_text, message::kTileMultiple);
  if (size[0].value < stationary.partitions || size[1].value < static_cast<double>(stationary.elements())) {
    return asserted("tile_size", size_text, message::kTileSizeAccessed);
  }
  if (nc_version(call.generation) == 2 && size[0].value == 32 && size[1].value == 32) {
    return asserted("tile_size", size_text, message::kTileBoth32);
  }
  return kPassed;
}

static Result _check_nc_matmul_pe_tiling_position_size_supported_dtypes(const CallView& call) {
  if (call.get<Tuple>("tile_size")->empty()) return kPassed;
  return check_inputs(call, {Dtype::float8_e4m3, Dtype::float8_e5m2, Dtype::bfloat16, Dtype::float16}, " with tiling");
}

// --- activation ------------------------------------------------------------------------------------------------------

static Result _check_activation_supported_ops(const CallView& call) {
  return check_ops(
      call, std::array{std::string_view("op")}, [](Op op) { return info_of(op).function.has_value(); },
      "an activation function");
}

static Result _check_activation_scale_type(const CallView& call) {
  return check_tile_dtype(call, "scale", {Dtype::float32}, err::kScaleType);
}

static Result _check_activation_bias_type(const CallView& call) {
  return check_tile_dtype(call, "bias", {Dtype::float32, Dtype::float16, Dtype::bfloat16}, err::kBiasType);
}

static Result _check_activation_reciprocal_bias(const CallView& call) {
  if (nc_version(call.generation) != 2 || *call.get<Op>("op") != Op::reciprocal) return kPassed;
  const Tile* tile = call.get<Tile>("bias");
  const Number* number = call.get<Number>("bias");
  if (tile == nullptr && number == nullptr) return kPassed;
  return asserted("bias", tile != nullptr ? text_of(*tile) : text_of(Value(*number)), message::kReciprocalBias);
}

static Result _check_activation_reduce_supported_reduce_ops(const CallView& call) {
  const Op* op = call.get<Op>("reduce_op");
  if (op == nullptr) return kPassed;
  if (*op == Op::negate) {
    return Raised{err::kReduceNegate, "reduce_op", "negate",
                  fmt::format("{} reduce_op=negate is not supported: it has one operand", call.instruction)};
  }
  const bool add_only = nc_version(call.generation) == 2;
  if (*op == Op::add || (!add_only && is_one_of(*op, {Op::maximum, Op::minimum}))) return kPassed;
  return unsupported_op(call, "reduce_op", spelling(*op), add_only ? "add" : "add, maximum or minimum",
                        add_only ? " by NeuronCore-v2" : "");
}

// The helper of those that limit reduce_cmd.
static Result _check_supported_reduce_cmd(const CallView& call, std::initializer_list<ReduceCommand> supported) {
  const ReduceCommand* command = call.get<ReduceCommand>("reduce_cmd");
  if (command == nullptr || is_one_of(*command, supported)) return kPassed;
  return unsupported_op(call, "reduce_cmd", spelling(*command), spellings(supported));
}

// So spelt.
static Result _check_activiation_supported_reduce_cmd(const CallView& call) {
  return _check_supported_reduce_cmd(
      call, {ReduceCommand::idle, ReduceCommand::reset, ReduceCommand::reduce, ReduceCommand::reset_reduce});
}

// --- tensor_tensor ---------------------------------------------------------------------------------------------------

// Two integers are integers, also when no dtype holds what both of them promote to.
static Dtype operand_dtype(Dtype a, Dtype b) { return is_integer(a) && is_integer(b) ? a : promote_type(a, b); }

bool _is_tensor_tensor_gpsimd_engine_supported_op(Op op, Dtype dtype) {
  if (op == Op::power) return true;
  return is_one_of(op, {Op::add, Op::multiply, Op::subtract}) && is_integer(dtype);
}

constexpr std::array<std::string_view, 1> kOp{"op"};

static Result _check_tensor_tensor_supported_ops(const CallView& call) {
  return check_ops(call, kOp, is_binary_op, kBinaryOps);
}

static Result _check_tensor_tensor_vector_engine_supported_ops(const CallView& call) {
  if (call.engine != Engine::vector) return kPassed;
  return check_ops(call, kOp, is_binary_op, kBinaryOps, " by the vector engine");
}

static Result _check_tensor_tensor_gpsimd_engine_supported_ops(const CallView& call) {
  if (call.engine != Engine::gpsimd) return kPassed;
  const Dtype dtype = operand_dtype(call.get<Tile>("data1")->dtype, call.get<Tile>("data2")->dtype);
  return check_ops(
      call, kOp, [&](Op op) { return _is_tensor_tensor_gpsimd_engine_supported_op(op, dtype); },
      "power, or add, multiply or subtract of integers", " by the gpsimd engine");
}

// --- tensor_scalar and its family ------------------------------------------------------------------------------------

// Whatever operand a bit-vector operation has holds integers; bool_ counts.
static Result _check_tensor_scalar_bitvec_dtype(const CallView& call) {
  const bool is_bitvec = std::ranges::any_of(std::array<std::string_view, 3>{"op", "op0", "op1"}, [&](auto parameter) {
    const Op* op = call.get<Op>(parameter);
    return op != nullptr && is_bitvec_op(*op);
  });
  if (!is_bitvec) return kPassed;
  for (std::string_view parameter : {"data", "data1", "data2", "operand0", "operand1"}) {
    const Tile* tile = call.get<Tile>(parameter);
    const Number* number = call.get<Number>(parameter);
    const bool floating = tile != nullptr ? is_floating(tile->dtype) : number != nullptr && !number->integer;
    if (!floating) continue;
    std::string value = tile != nullptr ? std::string(spelling(tile->dtype)) : text_of(Value(*number));
    std::string text = fmt::format("{} {} is {}, but the operand of a bit-vector operation must be an integer",
                                   call.instruction, parameter, value);
    return Raised{err::kBitvecOperand, std::string(parameter), std::move(value), std::move(text)};
  }
  return kPassed;
}

static Result _check_tensor_scalar_supported_ops(const CallView& call) {
  return check_ops(call, kOps, is_alu_op, kAluOps);
}

static Result _check_tensor_scalar_ptr_supported_ops(const CallView& call) {
  if (call.get<Tile>("operand0") == nullptr && call.get<Tile>("operand1") == nullptr) return kPassed;
  return check_ops(call, kOps, is_alu_op, kAluOps, " with an operand that is a tile");
}

static Result _check_tensor_scalar_ptr_gpsimd_engine_supported_ops(const CallView& call) {
  if (call.engine != Engine::gpsimd) return kPassed;
  return check_ops(
      call, kOps, [](Op op) { return op == Op::rsqrt; }, "rsqrt", " by the gpsimd engine");
}

static Result _check_tensor_scalar_ptr_scalar_engine_supported_ops(const CallView& call) {
  if (call.engine != Engine::scalar) return kPassed;
  return check_ops(
      call, kOps, [](Op op) { return op == Op::multiply || op == Op::add; }, "multiply or add",
      " by the scalar engine");
}

bool _is_tensor_scalar_ptr_scalar_engine_supported_op_comb(Op op0, std::optional<Op> op1) {
  return (op0 == Op::multiply && (!op1 || op1 == Op::add)) || (op0 == Op::add && !op1);
}

static Result _check_tensor_scalar_ptr_scalar_engine_supported_op_comb(const CallView& call) {
  if (call.engine != Engine::scalar) return kPassed;
  const Op op0 = *call.get<Op>("op0");
  const Op* op1 = call.get<Op>("op1");
  if (_is_tensor_scalar_ptr_scalar_engine_supported_op_comb(op0, op1 ? std::optional(*op1) : std::nullopt)) {
    return kPassed;
  }
  const std::string value = fmt::format("({}, {})", spelling(op0), op1 == nullptr ? "None" : spelling(*op1));
  return Raised{err::kUnsupportedOpComb, "op0, op1", value,
                fmt::format("{} (op0, op1)={} is not supported by the scalar engine, expected (multiply, add), "
                            "(multiply, None) or (add, None)",
                            call.instruction, value)};
}

static Result _check_tensor_scalar_both_arith_or_bitvec(const CallView& call) {
  const Op op0 = *call.get<Op>("op0");
  const Op op1 = *call.get<Op>("op1");
  if ((is_arith_op(op0) && is_arith_op(op1)) || (is_bitvec_op(op0) && is_bitvec_op(op1))) return kPassed;
  return asserted("op0, op1", fmt::format("({}, {})", spelling(op0), spelling(op1)),
                  fmt::format("{} {}", call.instruction, message::kBothFamilies));
}

static const std::string_view* parameter_with(const CallView& call, Op wanted) {
  const auto found = std::ranges::find_if(kOps, [&](std::string_view parameter) {
    const Op* op = call.get<Op>(parameter);
    return op != nullptr && *op == wanted;
  });
  return found == kOps.end() ? nullptr : &*found;
}

static Result _check_tensor_scalar_abs(const CallView& call) {
  const std::string_view* parameter = parameter_with(call, Op::abs);
  if (parameter == nullptr) return kPassed;
  const Engine asked = call.asked_engine();
  if (!is_one_of(asked, {Engine::vector, Engine::unknown})) {
    return asserted("engine", std::string(spelling(asked)), message::kAbsEngine);
  }
  // The document gates the rule by the generation and quotes one message.
  if (nc_version(call.generation) == 2) return asserted(*parameter, "abs on gen2", message::kAbsEngine);
  return kPassed;
}

static Result _check_tensor_scalar_rsqrt(const CallView& call) {
  if (parameter_with(call, Op::rsqrt) == nullptr) return kPassed;
  const Engine asked = call.asked_engine();
  if (is_one_of(asked, {Engine::gpsimd, Engine::unknown})) return kPassed;
  return asserted("engine", std::string(spelling(asked)), message::kRsqrtEngine);
}

// --- tensor_scalar_reduce --------------------------------------------------------------------------------------------

static Result _check_tensor_scalar_reduce_supported_ops(const CallView& call) {
  return check_ops(call, std::array{std::string_view("op0")}, is_arith_op, "an arithmetic operation");
}

static Result _check_tensor_scalar_reduce_supported_reduce_ops(const CallView& call) {
  return check_ops(
      call, std::array{std::string_view("reduce_op")},
      [](Op op) {
        return is_one_of(op, {Op::add, Op::subtract, Op::multiply, Op::maximum, Op::minimum});
      },
      "add, subtract, multiply, maximum or minimum");
}

// --- tensor_scalar_cumulative ----------------------------------------------------------------------------------------

static Result _check_tensor_scalar_cumulative_immediate_values(const CallView& call) {
  const auto check_dtype = [&](std::string_view parameter) -> Result {
    const Tile* tile = call.get<Tile>(parameter);
    if (tile == nullptr || tile->dtype == Dtype::float32) return kPassed;
    return asserted(parameter, std::string(spelling(tile->dtype)),
                    fmt::format("{} {} must be FP32.", call.instruction, parameter));
  };
  if (Result imm0 = check_dtype("imm0")) return imm0;
  if (*call.get<ReduceCommand>("reduce_cmd") == ReduceCommand::load_reduce) return check_dtype("imm1");
  return kPassed;
}

// --- tables ----------------------------------------------------------------------------------------------------------

namespace {

bool has_op1(const CallView& call) { return call.get<Op>("op1") != nullptr; }

#define TPB_VALIDATOR(name, rule, raises) \
  Validator { #name, rule, raises, name }

constexpr std::string_view kGuards = "nki_assert: the guards of tile_position and tile_size";
constexpr std::string_view kOpOrNegate = "err_instruction_unsupported_op, err_reduce_unsupported_negate";

constexpr std::array kValidators{
    TPB_VALIDATOR(_check_nc_matmul_supported_dtypes,
                  "both inputs float8_e4m3, float8_e5m2, bfloat16, float16, tfloat32 or float32",
                  err::kUnsupportedDtypes),
    TPB_VALIDATOR(_check_nc_matmul_pe_tiling_position_size_supported_shape,
                  "both set or none, pairs of integers, multiples of 32, at least the accessed stationary tile; not "
                  "(32, 32) on gen2",
                  kGuards),
    TPB_VALIDATOR(_check_nc_matmul_pe_tiling_position_size_supported_dtypes,
                  "with tiling float8_e4m3, float8_e5m2, bfloat16 or float16", err::kUnsupportedDtypes),
    TPB_VALIDATOR(_check_activation_supported_ops, "op is an activation function", err::kUnsupportedOp),
    TPB_VALIDATOR(_check_activation_scale_type, "scale is float32", err::kScaleType),
    TPB_VALIDATOR(_check_activation_bias_type, "bias is float32, float16, bfloat16 or None", err::kBiasType),
    TPB_VALIDATOR(_check_activation_reciprocal_bias, "no bias with reciprocal on gen2", message::kReciprocalBias),
    TPB_VALIDATOR(_check_activation_reduce_supported_reduce_ops,
                  "reduce_op is add, on gen3 and later also maximum or minimum", kOpOrNegate),
    TPB_VALIDATOR(_check_activiation_supported_reduce_cmd, "reduce_cmd is idle, reset, reduce or reset_reduce",
                  err::kUnsupportedOp),
    TPB_VALIDATOR(_check_tensor_tensor_supported_ops, kBinaryOps, err::kUnsupportedOp),
    TPB_VALIDATOR(_check_tensor_tensor_vector_engine_supported_ops, "the same, on the vector engine",
                  err::kUnsupportedOp),
    TPB_VALIDATOR(_check_tensor_tensor_gpsimd_engine_supported_ops,
                  "on the gpsimd engine power, or add, multiply or subtract of integers", err::kUnsupportedOp),
    TPB_VALIDATOR(_check_tensor_scalar_bitvec_dtype, "operands of a bit-vector operation are integers",
                  err::kBitvecOperand),
    TPB_VALIDATOR(_check_tensor_scalar_supported_ops, kAluOps, err::kUnsupportedOp),
    TPB_VALIDATOR(_check_tensor_scalar_ptr_supported_ops, "the same, when an operand is a tile", err::kUnsupportedOp),
    TPB_VALIDATOR(_check_tensor_scalar_ptr_gpsimd_engine_supported_ops, "on the gpsimd engine rsqrt",
                  err::kUnsupportedOp),
    TPB_VALIDATOR(_check_tensor_scalar_ptr_scalar_engine_supported_ops, "on the scalar engine multiply and add",
                  err::kUnsupportedOp),
    TPB_VALIDATOR(_check_tensor_scalar_ptr_scalar_engine_supported_op_comb,
                  "on the scalar engine (multiply, add), (multiply, None) or (add, None)", err::kUnsupportedOpComb),
    Validator{"_check_tensor_scalar_both_arith_or_bitvec", "op0 and op1 are of one family", message::kBothFamilies,
              _check_tensor_scalar_both_arith_or_bitvec, has_op1},
    TPB_VALIDATOR(_check_tensor_scalar_abs, "abs on the vector engine only, and not on gen2", message::kAbsEngine),
    TPB_VALIDATOR(_check_tensor_scalar_rsqrt, "rsqrt on the gpsimd engine only", message::kRsqrtEngine),
    TPB_VALIDATOR(_check_tensor_scalar_reduce_supported_ops, "op0 is arithmetic", err::kUnsupportedOp),
    TPB_VALIDATOR(_check_tensor_scalar_reduce_supported_reduce_ops,
                  "reduce_op is add, subtract, multiply, maximum or minimum", err::kUnsupportedOp),
    TPB_VALIDATOR(_check_tensor_scalar_cumulative_immediate_values, "imm0, and imm1 under load_reduce, are float32",
                  "nki_assert: INST PARAMETER must be FP32."),
    Validator{"_check_supported_reduce_cmd", "reduce_cmd is in the set that its caller gives", err::kUnsupportedOp,
              nullptr},
};
#undef TPB_VALIDATOR

// The dispatch lists, in the document's order.
struct Dispatch {
  std::string_view instruction;
  std::vector<std::string_view> validators;
};
const std::array kDispatch{
    Dispatch{"nc_matmul",
             {"_check_nc_matmul_supported_dtypes", "_check_nc_matmul_pe_tiling_position_size_supported_shape",
              "_check_nc_matmul_pe_tiling_position_size_supported_dtypes"}},
    Dispatch{"activation",
             {"_check_activation_supported_ops", "_check_activation_scale_type", "_check_activation_bias_type",
              "_check_activation_reciprocal_bias", "_check_activation_reduce_supported_reduce_ops",
              "_check_activiation_supported_reduce_cmd"}},
    Dispatch{"activation_reduce",
             {"_check_activation_supported_ops", "_check_activation_scale_type", "_check_activation_bias_type",
              "_check_activation_reduce_supported_reduce_ops"}},
    Dispatch{"tensor_tensor",
             {"_check_tensor_tensor_supported_ops", "_check_tensor_tensor_vector_engine_supported_ops",
              "_check_tensor_tensor_gpsimd_engine_supported_ops", "_check_tensor_scalar_bitvec_dtype"}},
    Dispatch{
        "tensor_scalar",
        {"_check_tensor_scalar_supported_ops", "_check_tensor_scalar_ptr_supported_ops",
         "_check_tensor_scalar_ptr_gpsimd_engine_supported_ops", "_check_tensor_scalar_ptr_scalar_engine_supported_ops",
         "_check_tensor_scalar_ptr_scalar_engine_supported_op_comb", "_check_tensor_scalar_both_arith_or_bitvec",
         "_check_tensor_scalar_bitvec_dtype", "_check_tensor_scalar_abs", "_check_tensor_scalar_rsqrt"}},
    Dispatch{"tensor_scalar_reduce",
             {"_check_tensor_scalar_reduce_supported_ops", "_check_tensor_scalar_reduce_supported_reduce_ops",
              "_check_tensor_scalar_abs"}},
    Dispatch{"tensor_scalar_cumulative", {"_check_tensor_scalar_cumulative_immediate_values"}},
    Dispatch{"scalar_tensor_tensor",
             {"_check_tensor_scalar_supported_ops", "_check_tensor_scalar_both_arith_or_bitvec",
              "_check_tensor_scalar_bitvec_dtype", "_check_tensor_scalar_abs"}},
    Dispatch{"tensor_tensor_scan", {"_check_tensor_scalar_supported_ops"}},
};

}  // namespace

std::span<const Validator> validators() { return kValidators; }

const Validator* find_validator(std::string_view name) {
  const auto found = std::ranges::find(kValidators, name, &Validator::name);
  return found == kValidators.end() ? nullptr : &*found;
}

std::span<const std::string_view> validators_of(std::string_view instruction) {
  const auto found = std::ranges::find(kDispatch, instruction, &Dispatch::instruction);
  if (found == kDispatch.end()) return {};
  return found->validators;
}

std::vector<Verdict> run_validators(const CallView& call) {
  std::vector<Verdict> verdicts;
  for (std::string_view name : validators_of(call.instruction)) {
    const Validator& validator = *find_validator(name);
    if (validator.is_called != nullptr && !validator.is_called(call)) continue;
    verdicts.push_back({validator.name, validator.check(call)});
  }
  return verdicts;
}

}  // namespace tpb::nki
