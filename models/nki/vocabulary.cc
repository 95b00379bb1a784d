#include "models/nki/vocabulary.h"

#include <algorithm>
#include <array>

namespace tpb::nki {
namespace {

constexpr Name<Dtype> kDtypes[]{
    {"float8_e4m3", Dtype::float8_e4m3},
    {"float8_e5m2", Dtype::float8_e5m2},
    {"bfloat16", Dtype::bfloat16},
    {"float16", Dtype::float16},
    {"tfloat32", Dtype::tfloat32},
    {"float32", Dtype::float32},
    {"int8", Dtype::int8},
    {"int16", Dtype::int16},
    {"int32", Dtype::int32},
    {"uint8", Dtype::uint8},
    {"uint16", Dtype::uint16},
    {"uint32", Dtype::uint32},
    {"bool_", Dtype::bool_},
};

constexpr Name<Engine> kEngines[]{
    {"unknown", Engine::unknown}, {"tensor", Engine::tensor}, {"scalar", Engine::scalar}, {"gpsimd", Engine::gpsimd},
    {"dma", Engine::dma},         {"vector", Engine::vector}, {"sync", Engine::sync},
};

constexpr Name<ReduceCommand> kReduceCommands[]{
    {"idle", ReduceCommand::idle},
    {"reset", ReduceCommand::reset},
    {"reduce", ReduceCommand::reduce},
    {"reset_reduce", ReduceCommand::reset_reduce},
    {"load_reduce", ReduceCommand::load_reduce},
};

constexpr Name<Generation> kGenerations[]{
    {"gen2", Generation::sunda},
    {"gen3", Generation::cayman},
    {"gen4", Generation::mariana},
    {"sunda", Generation::sunda},
    {"cayman", Generation::cayman},
    {"mariana", Generation::mariana},
    {"mariana_plus", Generation::mariana_plus},
    {"maverick", Generation::maverick},
};

constexpr Name<Op> kOps[]{
    {"add", Op::add},
    {"subtract", Op::subtract},
    {"multiply", Op::multiply},
    {"divide", Op::divide},
    {"maximum", Op::maximum},
    {"minimum", Op::minimum},
    {"power", Op::power},
    {"rsqrt", Op::rsqrt},
    {"abs", Op::abs},
    {"mod", Op::mod},
    {"equal", Op::equal},
    {"greater", Op::greater},
    {"greater_equal", Op::greater_equal},
    {"less", Op::less},
    {"less_equal", Op::less_equal},
    {"not_equal", Op::not_equal},
    {"negate", Op::negate},
    {"bitwise_and", Op::bitwise_and},
    {"bitwise_or", Op::bitwise_or},
    {"bitwise_xor", Op::bitwise_xor},
    {"bitwise_not", Op::bitwise_not},
    {"logical_and", Op::logical_and},
    {"logical_or", Op::logical_or},
    {"logical_xor", Op::logical_xor},
    {"logical_not", Op::logical_not},
    {"left_shift", Op::left_shift},
    {"right_shift", Op::right_shift},
    {"copy", Op::copy},
    {"square", Op::square},
    {"sigmoid", Op::sigmoid},
    {"relu", Op::relu},
    {"prelu", Op::prelu},
    {"gelu", Op::gelu},
    {"gelu_apprx_tanh", Op::gelu_apprx_tanh},
    {"silu", Op::silu},
    {"tanh", Op::tanh},
    {"softplus", Op::softplus},
    {"mish", Op::mish},
    {"erf", Op::erf},
    {"exp", Op::exp},
    {"sign", Op::sign},
    {"log", Op::log},
    {"sin", Op::sin},
    {"arctan", Op::arctan},
    {"sqrt", Op::sqrt},
    {"reciprocal", Op::reciprocal},
    // Other spellings: the operator list of the intrinsics document and numpy's.
    {"absolute", Op::abs},
    {"is_equal", Op::equal},
    {"max", Op::maximum},
    {"min", Op::minimum},
    {"mult", Op::multiply},
    {"invert", Op::bitwise_not},
};

using F = tpb::Activation;
constexpr auto kArith = Family::arithmetic;
constexpr auto kBits = Family::bitvec;
// By Op.
constexpr std::array kInfos{
    OpInfo{Op::add, kArith, 2, AluOp::add},
    OpInfo{Op::subtract, kArith, 2, AluOp::subtract},
    OpInfo{Op::multiply, kArith, 2, AluOp::mult},
    OpInfo{Op::divide, kArith, 2, AluOp::divide},
    OpInfo{Op::maximum, kArith, 2, AluOp::max},
    OpInfo{Op::minimum, kArith, 2, AluOp::min},
    OpInfo{Op::power, kArith, 2, AluOp::pow},
    OpInfo{Op::rsqrt, kArith, 1, AluOp::rsqrt, F::rsqrt},
    OpInfo{Op::abs, kArith, 1, AluOp::abs, F::abs},
    OpInfo{Op::mod, kArith, 2, AluOp::mod},
    OpInfo{Op::equal, kArith, 2, AluOp::is_equal},
    OpInfo{Op::greater, kArith, 2, AluOp::is_gt},
    OpInfo{Op::greater_equal, kArith, 2, AluOp::is_ge},
    OpInfo{Op::less, kArith, 2, AluOp::is_lt},
    OpInfo{Op::less_equal, kArith, 2, AluOp::is_le},
    OpInfo{Op::not_equal, kArith, 2, AluOp::not_equal},
    OpInfo{Op::negate, kArith, 1},
    OpInfo{Op::bitwise_and, kBits, 2, AluOp::bitwise_and},
    OpInfo{Op::bitwise_or, kBits, 2, AluOp::bitwise_or},
    OpInfo{Op::bitwise_xor, kBits, 2, AluOp::bitwise_xor},
    OpInfo{Op::bitwise_not, kBits, 1, AluOp::bitwise_not},
    OpInfo{Op::logical_and, kBits, 2, AluOp::logical_and},
    OpInfo{Op::logical_or, kBits, 2, AluOp::logical_or},
    OpInfo{Op::logical_xor, kBits, 2, AluOp::logical_xor},
    OpInfo{Op::logical_not, kBits, 1},
    OpInfo{Op::left_shift, kBits, 2, AluOp::logical_shift_left},
    OpInfo{Op::right_shift, kBits, 2, AluOp::logical_shift_right},
    OpInfo{Op::copy, Family::none, 1, {}, F::copy},
    OpInfo{Op::square, Family::none, 1, {}, F::square},
    OpInfo{Op::sigmoid, Family::none, 1, {}, F::sigmoid},
    OpInfo{Op::relu, Family::none, 1, {}, F::relu},
    OpInfo{Op::prelu, Family::none, 1, {}, F::prelu},
    OpInfo{Op::gelu, Family::none, 1, {}, F::gelu},
    OpInfo{Op::gelu_apprx_tanh, Family::none, 1, {}, F::gelu_apprx_tanh},
    OpInfo{Op::silu, Family::none, 1, {}, F::silu},
    OpInfo{Op::tanh, Family::none, 1, {}, F::tanh},
    OpInfo{Op::softplus, Family::none, 1, {}, F::softplus},
    OpInfo{Op::mish, Family::none, 1, {}, F::mish},
    OpInfo{Op::erf, Family::none, 1, {}, F::erf},
    OpInfo{Op::exp, Family::none, 1, {}, F::exp},
    OpInfo{Op::sign, Family::none, 1, {}, F::sign},
    OpInfo{Op::log, Family::none, 1, {}, F::log},
    OpInfo{Op::sin, Family::none, 1, {}, F::sin},
    OpInfo{Op::arctan, Family::none, 1, {}, F::arctan},
    OpInfo{Op::sqrt, Family::none, 1, {}, F::sqrt},
    OpInfo{Op::reciprocal, Family::none, 1, {}, F::reciprocal},
};
static_assert([] {
  for (std::size_t i = 0; i < kInfos.size(); ++i) {
    if (static_cast<std::size_t>(kInfos[i].op) != i) return false;
  }
  return true;
}());

// How promotion sees a dtype: a floating type by its precision, an integer by its width and sign.
struct Rank {
  bool floating;
  bool is_signed;
  unsigned bits;  // of an integer; of a floating type 8, 16, 31 (tfloat32) or 32
};
Rank rank_of(Dtype dtype) {
  const bool is_signed = dtype == Dtype::int8 || dtype == Dtype::int16 || dtype == Dtype::int32;
  return {is_floating(dtype), is_signed, dtype == Dtype::tfloat32 ? 31U : 8 * bytes_of(dtype)};
}

Dtype signed_integer(unsigned bits) {
  return bits == 8 ? Dtype::int8 : bits == 16 ? Dtype::int16 : bits == 32 ? Dtype::int32 : Dtype::float32;
}

}  // namespace

std::span<const Name<Dtype>> Vocabulary<Dtype>::names() { return kDtypes; }
std::span<const Name<Engine>> Vocabulary<Engine>::names() { return kEngines; }
std::span<const Name<ReduceCommand>> Vocabulary<ReduceCommand>::names() { return kReduceCommands; }
std::span<const Name<Op>> Vocabulary<Op>::names() { return kOps; }
std::span<const Name<Generation>> Vocabulary<Generation>::names() { return kGenerations; }

const OpInfo& info_of(Op op) { return kInfos[static_cast<std::size_t>(op)]; }

unsigned nc_version(Generation generation) {
  constexpr std::array kVersions{2U, 3U, 4U, 4U, 5U};
  return kVersions[static_cast<std::size_t>(generation)];
}

tpb::Dtype wire_of(Dtype dtype) {
  using Wire = tpb::Dtype;
  constexpr std::array kWire{Wire::fp8_e4m3, Wire::fp8_e5m2, Wire::bf16,  Wire::fp16,  Wire::fp32,
                             Wire::fp32,     Wire::int8,     Wire::int16, Wire::int32, Wire::uint8,
                             Wire::uint16,   Wire::uint32,   Wire::uint8};
  return kWire[static_cast<std::size_t>(dtype)];
}

tpb::Engine wire_of(Engine engine) {
  switch (engine) {
    case Engine::tensor:
      return tpb::Engine::pe;
    case Engine::scalar:
      return tpb::Engine::act;
    case Engine::gpsimd:
      return tpb::Engine::pool;
    default:
      return tpb::Engine::dve;
  }
}

bool is_floating(Dtype dtype) { return dtype <= Dtype::float32; }
bool is_integer(Dtype dtype) { return dtype > Dtype::float32 && dtype != Dtype::bool_; }

Dtype promote_type(Dtype a, Dtype b) {
  if (a == b || b == Dtype::bool_) return a;
  if (a == Dtype::bool_) return b;
  const Rank ra = rank_of(a);
  const Rank rb = rank_of(b);
  if (ra.floating != rb.floating) return ra.floating ? a : b;
  if (ra.floating) {
    if (ra.bits != rb.bits) return ra.bits > rb.bits ? a : b;
    return ra.bits == 8 ? Dtype::bfloat16 : Dtype::float32;
  }
  if (ra.is_signed == rb.is_signed) return ra.bits > rb.bits ? a : b;
  const unsigned for_signed = ra.is_signed ? ra.bits : rb.bits;
  const unsigned for_unsigned = 2 * (ra.is_signed ? rb.bits : ra.bits);
  return signed_integer(std::max(for_signed, for_unsigned));
}

}  // namespace tpb::nki
