// The names of nki.isa: dtypes, engines, accumulator commands, operations and their families (intrinsics document).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "models/isa/activation.h"
#include "models/isa/alu_op.h"
#include "models/isa/dtype.h"
#include "models/isa/engine.h"
#include "models/isa/generation.h"

namespace tpb::nki {

enum class Dtype : std::uint8_t {
  float8_e4m3,
  float8_e5m2,
  bfloat16,
  float16,
  tfloat32,  // stored as float32; the tensor engine reads 10 mantissa bits of it
  float32,
  int8,
  int16,
  int32,
  uint8,
  uint16,
  uint32,
  bool_,  // stored as uint8
};

enum class Engine : std::uint8_t { unknown = 0, tensor = 1, scalar = 2, gpsimd = 3, dma = 4, vector = 5, sync = 6 };

enum class ReduceCommand : std::uint8_t { idle = 0, reset = 1, reduce = 2, reset_reduce = 3, load_reduce = 4 };

enum class Op : std::uint8_t {
  // arithmetic
  add,
  subtract,
  multiply,
  divide,
  maximum,
  minimum,
  power,
  rsqrt,
  abs,
  mod,
  equal,
  greater,
  greater_equal,
  less,
  less_equal,
  not_equal,
  negate,
  // bit-vector
  bitwise_and,
  bitwise_or,
  bitwise_xor,
  bitwise_not,
  logical_and,
  logical_or,
  logical_xor,
  logical_not,
  left_shift,
  right_shift,
  // activation functions only; abs and rsqrt are such functions too
  copy,
  square,
  sigmoid,
  relu,
  prelu,
  gelu,
  gelu_apprx_tanh,
  silu,
  tanh,
  softplus,
  mish,
  erf,
  exp,
  sign,
  log,
  sin,
  arctan,
  sqrt,
  reciprocal,
};

enum class Family : std::uint8_t { none, arithmetic, bitvec };

struct OpInfo {
  Op op;
  Family family = Family::none;
  unsigned operands = 1;
  std::optional<AluOp> wire{};  // negate and logical_not have no code of their own
  std::optional<tpb::Activation> function{};
};
const OpInfo& info_of(Op op);
inline bool is_arith_op(Op op) { return info_of(op).family == Family::arithmetic; }
inline bool is_bitvec_op(Op op) { return info_of(op).family == Family::bitvec; }

// How values are spelt. The first row of a value is its name, further ones are other spellings that are accepted.
template <class T>
struct Name {
  std::string_view text;
  T value;
};
template <class T>
struct Vocabulary {};
#define TPB_NKI_VOCABULARY(Type, kind)              \
  template <>                                       \
  struct Vocabulary<Type> {                         \
    static constexpr std::string_view kKind = kind; \
    static std::span<const Name<Type>> names();     \
  }
TPB_NKI_VOCABULARY(Dtype, "dtype");
TPB_NKI_VOCABULARY(Engine, "engine");
TPB_NKI_VOCABULARY(ReduceCommand, "reduce_cmd");
TPB_NKI_VOCABULARY(Op, "operation");
TPB_NKI_VOCABULARY(Generation, "generation");  // gen2 is NC-v2, sunda
#undef TPB_NKI_VOCABULARY

template <class T>
concept Named = requires {
  Vocabulary<T>::kKind;
};

template <Named T>
std::string_view spelling(T value) {
  for (const auto& name : Vocabulary<T>::names()) {
    if (name.value == value) return name.text;
  }
  return "unknown";
}

// The generation as nki.isa counts: NC-v2 and so on.
unsigned nc_version(Generation generation);

tpb::Dtype wire_of(Dtype dtype);
tpb::Engine wire_of(Engine engine);  // of those that compute
inline unsigned bytes_of(Dtype dtype) { return tpb::bytes_of(wire_of(dtype)); }
bool is_floating(Dtype dtype);
bool is_integer(Dtype dtype);  // bool_ does not count

// The dtype of a result of two inputs: of two floating types the more precise, of two that do not hold each other the
// next that holds both; a floating type beats an integer; integers widen until both fit, past 32 bits to float32.
Dtype promote_type(Dtype a, Dtype b);

}  // namespace tpb::nki
