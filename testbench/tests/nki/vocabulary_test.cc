// Names, numbers, families and promotion.
#include "models/nki/vocabulary.h"

#include <gmock/gmock.h>

#include "models/nki/validators.h"

namespace tpb::nki {
namespace {

TEST(Vocabulary, EnumeratorsHaveTheDocumentsNumbers) {
  EXPECT_EQ(static_cast<int>(Engine::unknown), 0);
  EXPECT_EQ(static_cast<int>(Engine::tensor), 1);
  EXPECT_EQ(static_cast<int>(Engine::scalar), 2);
  EXPECT_EQ(static_cast<int>(Engine::gpsimd), 3);
  EXPECT_EQ(static_cast<int>(Engine::dma), 4);
  EXPECT_EQ(static_cast<int>(Engine::vector), 5);
  EXPECT_EQ(static_cast<int>(Engine::sync), 6);
  EXPECT_EQ(static_cast<int>(ReduceCommand::idle), 0);
  EXPECT_EQ(static_cast<int>(ReduceCommand::reset), 1);
  EXPECT_EQ(static_cast<int>(ReduceCommand::reduce), 2);
  EXPECT_EQ(static_cast<int>(ReduceCommand::reset_reduce), 3);
  EXPECT_EQ(static_cast<int>(ReduceCommand::load_reduce), 4);
}

TEST(Vocabulary, OperationsHaveTheirWireCodes) {
  const std::pair<Op, int> kCodes[]{
      {Op::add, 0x04},           {Op::subtract, 0x05},   {Op::multiply, 0x06},    {Op::divide, 0x07},
      {Op::maximum, 0x08},       {Op::minimum, 0x09},    {Op::power, 0x1A},       {Op::rsqrt, 0x1D},
      {Op::abs, 0x19},           {Op::mod, 0x1B},        {Op::equal, 0x12},       {Op::greater, 0x13},
      {Op::greater_equal, 0x14}, {Op::less, 0x16},       {Op::less_equal, 0x15},  {Op::not_equal, 0x18},
      {Op::bitwise_and, 0x0A},   {Op::bitwise_or, 0x0B}, {Op::bitwise_xor, 0x0C}, {Op::bitwise_not, 0x01},
      {Op::logical_and, 0x0D},   {Op::logical_or, 0x0E}, {Op::logical_xor, 0x0F}, {Op::left_shift, 0x10},
      {Op::right_shift, 0x11},
  };
  for (const auto& [op, code] : kCodes) EXPECT_EQ(static_cast<int>(info_of(op).wire.value()), code) << spelling(op);
  EXPECT_FALSE(info_of(Op::negate).wire);
  EXPECT_FALSE(info_of(Op::logical_not).wire);
}

TEST(Vocabulary, FamiliesAreTheDocumentsLists) {
  unsigned arithmetic = 0, bitvec = 0, functions = 0;
  std::set<Op> seen;
  for (const Name<Op>& name : Vocabulary<Op>::names()) {
    if (!seen.insert(name.value).second) continue;
    arithmetic += is_arith_op(name.value) ? 1U : 0U;
    bitvec += is_bitvec_op(name.value) ? 1U : 0U;
    functions += info_of(name.value).function ? 1U : 0U;
  }
  EXPECT_EQ(arithmetic, 17U);
  EXPECT_EQ(bitvec, 10U);
  EXPECT_EQ(functions, activations().size());
}

// a, b, and what both orders promote to.
TEST(Promotion, FollowsPrecisionThenWidth) {
  const std::tuple<Dtype, Dtype, Dtype> kCases[]{
      {Dtype::float32, Dtype::bfloat16, Dtype::float32},  // the more precise
      {Dtype::float32, Dtype::tfloat32, Dtype::float32},
      {Dtype::bfloat16, Dtype::float8_e4m3, Dtype::bfloat16},
      {Dtype::bfloat16, Dtype::float16, Dtype::float32},  // neither holds the other
      {Dtype::float8_e4m3, Dtype::float8_e5m2, Dtype::bfloat16},
      {Dtype::bfloat16, Dtype::int32, Dtype::bfloat16},  // a floating type beats an integer
      {Dtype::int8, Dtype::int32, Dtype::int32},
      {Dtype::uint8, Dtype::int16, Dtype::int16},  // int16 holds every uint8
      {Dtype::uint8, Dtype::int8, Dtype::int16},
      {Dtype::uint16, Dtype::int16, Dtype::int32},
      {Dtype::uint16, Dtype::int8, Dtype::int32},
      {Dtype::uint32, Dtype::int32, Dtype::float32},  // no integer of 64 bits
      {Dtype::bool_, Dtype::uint16, Dtype::uint16},
      {Dtype::bool_, Dtype::bool_, Dtype::bool_},
  };
  for (const auto& [a, b, promoted] : kCases) {
    EXPECT_EQ(promote_type(a, b), promoted) << spelling(a) << " " << spelling(b);
    EXPECT_EQ(promote_type(b, a), promoted) << spelling(b) << " " << spelling(a);
  }
}

TEST(Catalogue, HasTwentyFiveNames) {
  EXPECT_EQ(validators().size(), 25U);
  EXPECT_NE(find_validator("_check_activiation_supported_reduce_cmd"), nullptr);  // so spelt
  EXPECT_EQ(find_validator("_check_activation_supported_reduce_cmd"), nullptr);
  EXPECT_NE(find_validator("_check_supported_reduce_cmd"), nullptr);
}

TEST(Predicates, OfTheEngines) {
  EXPECT_TRUE(_is_tensor_tensor_gpsimd_engine_supported_op(Op::power, Dtype::float32));
  EXPECT_TRUE(_is_tensor_tensor_gpsimd_engine_supported_op(Op::add, Dtype::int8));
  EXPECT_FALSE(_is_tensor_tensor_gpsimd_engine_supported_op(Op::add, Dtype::float32));
  EXPECT_FALSE(_is_tensor_tensor_gpsimd_engine_supported_op(Op::divide, Dtype::int32));
  EXPECT_TRUE(_is_tensor_scalar_ptr_scalar_engine_supported_op_comb(Op::multiply, Op::add));
  EXPECT_TRUE(_is_tensor_scalar_ptr_scalar_engine_supported_op_comb(Op::multiply, std::nullopt));
  EXPECT_TRUE(_is_tensor_scalar_ptr_scalar_engine_supported_op_comb(Op::add, std::nullopt));
  EXPECT_FALSE(_is_tensor_scalar_ptr_scalar_engine_supported_op_comb(Op::add, Op::add));
  EXPECT_FALSE(_is_tensor_scalar_ptr_scalar_engine_supported_op_comb(Op::subtract, std::nullopt));
}

}  // namespace
}  // namespace tpb::nki
