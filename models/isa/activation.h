// Functions of the activation engine by wire code, and the ranges of arguments they are documented for (intrinsics
// document).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tpb {

// The order is the public one of the intrinsics; that the codes are its places is assumed.
enum class Activation : std::uint8_t {
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
  abs,
  log,
  sin,
  arctan,
  sqrt,
  rsqrt,
  reciprocal,
};

// Ends included. Of `magnitude`, it is |x| that lies between them.
struct ArgumentRange {
  float low, high;
  bool magnitude = false;
};

struct ActivationInfo {
  Activation code;
  std::string_view name;               // as in program text, "gelu_apprx_tanh"
  std::optional<ArgumentRange> range;  // none: every number. A value outside gets the same formula and a warning
};

std::span<const ActivationInfo> activations();             // ascending by code, without gaps
const ActivationInfo* find_activation(std::uint8_t code);  // nullptr: no such code
std::optional<Activation> activation_from_name(std::string_view name);
std::string_view name_of(Activation function);
std::string range_text(Activation function);  // "[-3.1415927, 3.1415927]"

}  // namespace tpb
