// The validators of nki.isa under their own names, and which intrinsic calls which (intrinsics document).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/nki/arguments.h"
#include "models/nki/error.h"

namespace tpb::nki {

// A call as validators see it: any intrinsic's arguments by name.
struct CallView {
  std::string_view instruction;
  Generation generation;
  Engine engine;  // that runs it: the one asked for, or what unknown picks
  Arguments arguments;

  // Nothing when the intrinsic has no such parameter, its value is None or something else.
  template <class T>
  const T* get(std::string_view name) const {
    for (const Argument& argument : arguments) {
      if (argument.name == name) return std::get_if<T>(&argument.value);
    }
    return nullptr;
  }
  // What `engine` was asked for; unknown when the intrinsic has no such parameter.
  Engine asked_engine() const;
};

// What a validator found.
struct Raised {
  std::string_view identifier;
  std::string parameter;
  std::string value;
  std::string message;
};

struct Validator {
  std::string_view name;
  std::string_view rule;
  std::string_view raises;  // identifiers, or the message of an nki_assert
  std::optional<Raised> (*check)(const CallView&);
  bool (*is_called)(const CallView&) = nullptr;  // nullptr: always. Not called is not the same as called and passed
};

// The twenty-five names, grouped as in the document. The last is a helper of another one, on no intrinsic's list.
std::span<const Validator> validators();
const Validator* find_validator(std::string_view name);

// Those that an intrinsic calls, in order. nc_transpose and reciprocal call none.
std::span<const std::string_view> validators_of(std::string_view instruction);

// Every validator that was called, and what it raised. The first that raised decides what the call's error is; those
// after it are asked too, so that a report can tell everything.
struct Verdict {
  std::string_view validator;
  std::optional<Raised> raised;
};
std::vector<Verdict> run_validators(const CallView& call);

// The two predicates.
bool _is_tensor_tensor_gpsimd_engine_supported_op(Op op, Dtype dtype);
bool _is_tensor_scalar_ptr_scalar_engine_supported_op_comb(Op op0, std::optional<Op> op1);

// Identifiers. Those of the second group belong to the document's vocabulary, but no compute intrinsic raises them.
namespace err {
inline constexpr std::string_view kUnsupportedOp = "err_instruction_unsupported_op";
inline constexpr std::string_view kUnsupportedDtypes = "err_instruction_unsupported_dtypes";
inline constexpr std::string_view kSupportedDtypes =
    "err_instruction_supported_dtypes";  // begins the list of legal ones
inline constexpr std::string_view kUnsupportedOpComb = "err_instruction_engine_unsupported_op_comb";
inline constexpr std::string_view kBitvecOperand = "err_bitvec_operand_must_be_integer";
inline constexpr std::string_view kScaleType = "err_activation_scale_invalid_type";
inline constexpr std::string_view kBiasType = "err_activation_bias_invalid_type";
inline constexpr std::string_view kReduceNegate = "err_reduce_unsupported_negate";
inline constexpr std::string_view kAssert = "nki_assert";
inline constexpr std::string_view kNotNone = "assert_not_none";

inline constexpr std::string_view kParReduceOp = "err_par_reduce_unsupported_op";
inline constexpr std::string_view kParReduceBitvec = "err_par_reduce_bitvec_op_invalid_dtype";
inline constexpr std::string_view kReduceBitvec = "err_reduce_bitvec_op_invalid_dtype";
inline constexpr std::string_view kHwdge = "err_min_arch_support_for_hwdge";
}  // namespace err

// Messages of guards, word for word.
namespace message {
inline constexpr std::string_view kTilesBoth = "nc_matmul tile_position and tile_size must be both set or not set.";
inline constexpr std::string_view kTilePosition2d =
    "nc_matmul tile_position must be a 2D tuple (row_tile_position, col_tile_position) or ().";
inline constexpr std::string_view kTileSize2d =
    "nc_matmul tile_size must be a 2D tuple (row_tile_size, col_tile_size) or ().";
inline constexpr std::string_view kTilePositionInt = "nc_matmul tile_position only supports int or affine expression.";
inline constexpr std::string_view kTileSizeInt = "nc_matmul tile_size only supports int or affine expression.";
// Needs a perf mode, which is not a parameter here: no call can cause it.
inline constexpr std::string_view kNoTilingMode = "- nc_matmul: missing tiling mode and perf mode";
inline constexpr std::string_view kTileMultiple = "Values in tile_position and tile_size must be multiple of 32.";
inline constexpr std::string_view kTileSizeAccessed =
    "tile_size must be larger than or equal to accessed stationary tile size.";
inline constexpr std::string_view kTileBoth32 =
    "Both the row and column sizes in tile_size cannot be 32 for NeuronCore-v2.";
inline constexpr std::string_view kReciprocalBias = "reciprocal must have bias=None for trn1.";
inline constexpr std::string_view kBothFamilies = "op0/op1 must be both bitvec or both arithmetic operators.";
inline constexpr std::string_view kAbsEngine = "'abs' engine must be Vector or Unknown.";
inline constexpr std::string_view kRsqrtEngine = "'rsqrt' engine must be GpSimd or Unknown.";
inline constexpr std::string_view kTensorScalarEngine =
    "Engine for tensor_scalar can only be Scalar or Vector or GpSIMD or Unknown.";
inline constexpr std::string_view kOperand1 = "operand1 and op1 input arguments must be both provided or both None.";
}  // namespace message

}  // namespace tpb::nki
