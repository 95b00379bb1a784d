#include "models/nki/engine_choice.h"

#include <fmt/format.h>

#include <algorithm>

namespace tpb::nki {
namespace {

bool in_sbuf(const CallView& call, std::string_view parameter) {
  const Tile* tile = call.get<Tile>(parameter);
  return tile == nullptr || tile->buffer == Buffer::sbuf;
}

Engine pick_transpose(const CallView& call) {
  const Tile& data = *call.get<Tile>("data");
  return std::max<std::uint64_t>(data.partitions, data.elements()) <= kVectorTranspose ? Engine::vector
                                                                                       : Engine::tensor;
}

Engine pick_tensor_tensor(const CallView& call) {
  const bool all_in_sbuf = in_sbuf(call, "data1") && in_sbuf(call, "data2") && in_sbuf(call, "dst");
  const Op op = *call.get<Op>("op");
  const auto is_word = [&](std::string_view parameter) {
    const Dtype dtype = call.get<Tile>(parameter)->dtype;
    return dtype == Dtype::int32 || dtype == Dtype::uint32;
  };
  const bool words = is_word("data1") && is_word("data2");
  const bool gpsimd =
      op == Op::power || (words && _is_tensor_tensor_gpsimd_engine_supported_op(op, call.get<Tile>("data1")->dtype));
  return all_in_sbuf && gpsimd ? Engine::gpsimd : Engine::vector;
}

Engine pick_tensor_scalar(const CallView& call) {
  const Op* op1 = call.get<Op>("op1");
  const bool rsqrt = *call.get<Op>("op0") == Op::rsqrt || (op1 != nullptr && *op1 == Op::rsqrt);
  return rsqrt ? Engine::gpsimd : Engine::vector;
}

// Intrinsics that have a choice. `message`: what the others are refused with.
struct Choice {
  std::string_view instruction;
  std::vector<Engine> engines;
  Engine (*pick)(const CallView&);
  std::string_view message;
};
const Choice kChoices[]{
    {"nc_transpose",
     {Engine::tensor, Engine::vector},
     pick_transpose,
     "Engine for nc_transpose can only be Tensor or Vector or Unknown."},
    {"tensor_tensor",
     {Engine::vector, Engine::gpsimd},
     pick_tensor_tensor,
     "Engine for tensor_tensor can only be Vector or GpSIMD or Unknown."},
    {"tensor_scalar",
     {Engine::vector, Engine::scalar, Engine::gpsimd},
     pick_tensor_scalar,
     message::kTensorScalarEngine},
};

}  // namespace

Engine choose_engine(const CallView& call) {
  const auto choice = std::ranges::find(kChoices, call.instruction, &Choice::instruction);
  if (choice == std::end(kChoices)) {
    if (call.instruction == "nc_matmul") return Engine::tensor;
    return call.instruction.starts_with("activation") ? Engine::scalar : Engine::vector;
  }
  const Engine asked = call.asked_engine();
  if (asked == Engine::unknown) return choice->pick(call);
  if (std::ranges::find(choice->engines, asked) != choice->engines.end()) return asked;
  throw Error(std::string(err::kAssert), {}, std::string(call.instruction), "engine", std::string(spelling(asked)),
              std::string(choice->message));
}

}  // namespace tpb::nki
