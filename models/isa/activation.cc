#include "models/isa/activation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tpb {
namespace {

constexpr float kPi = 0x1.921FB6p+1F;  // the nearest, a little above

// The name of a function in program text is its enumerator.
#define TPB_ACTIVATION(name, ...)                          \
  ActivationInfo {                                         \
    Activation::name, #name, ArgumentRange { __VA_ARGS__ } \
  }
#define TPB_ACTIVATION_ANYWHERE(name) \
  ActivationInfo { Activation::name, #name, std::nullopt }

constexpr std::array kActivations{
    TPB_ACTIVATION_ANYWHERE(copy),
    TPB_ACTIVATION_ANYWHERE(square),
    TPB_ACTIVATION_ANYWHERE(sigmoid),
    TPB_ACTIVATION_ANYWHERE(relu),
    TPB_ACTIVATION_ANYWHERE(prelu),
    TPB_ACTIVATION_ANYWHERE(gelu),
    TPB_ACTIVATION_ANYWHERE(gelu_apprx_tanh),
    TPB_ACTIVATION_ANYWHERE(silu),
    TPB_ACTIVATION_ANYWHERE(tanh),
    TPB_ACTIVATION_ANYWHERE(softplus),
    TPB_ACTIVATION_ANYWHERE(mish),
    TPB_ACTIVATION_ANYWHERE(erf),
    TPB_ACTIVATION_ANYWHERE(exp),
    TPB_ACTIVATION_ANYWHERE(sign),
    TPB_ACTIVATION_ANYWHERE(abs),
    TPB_ACTIVATION(log, 0x1p-64F, 0x1p64F),
    TPB_ACTIVATION(sin, -kPi, kPi),
    TPB_ACTIVATION(arctan, -kPi / 2, kPi / 2),
    TPB_ACTIVATION(sqrt, 0x1p-116F, 0x1p118F),
    TPB_ACTIVATION(rsqrt, 0x1p-87F, 0x1p97F),
    TPB_ACTIVATION(reciprocal, 0x1p-42F, 0x1p42F, true),
};
#undef TPB_ACTIVATION
#undef TPB_ACTIVATION_ANYWHERE

}  // namespace

std::span<const ActivationInfo> activations() { return kActivations; }

const ActivationInfo* find_activation(std::uint8_t code) {
  return code < kActivations.size() ? &kActivations[code] : nullptr;
}

std::optional<Activation> activation_from_name(std::string_view name) {
  const auto found =
      std::find_if(kActivations.begin(), kActivations.end(), [&](const auto& row) { return row.name == name; });
  if (found == kActivations.end()) return std::nullopt;
  return found->code;
}

std::string_view name_of(Activation function) { return kActivations[static_cast<std::size_t>(function)].name; }

std::string range_text(Activation function) {
  const auto& range = kActivations[static_cast<std::size_t>(function)].range;
  if (!range) return "all numbers";
  const std::string ends = fmt::format("[{}, {}]", range->low, range->high);
  return range->magnitude ? fmt::format("+-{}", ends) : ends;
}

}  // namespace tpb
