// The vector and the scalar build of the kernels agree to the bit on every operation, with partial groups too.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>

#include "models/datapath/lane_kernels.h"
#include "testbench/tests/datapath/datapath_case.h"

namespace tpb::testing {
namespace {

// One block, element by element or as one fold of all rows into the first, by both builds.
void compare(LaneKernel vector, LaneKernel scalar, DatapathCase& test, bool fold, const std::string& what) {
  ASSERT_EQ(vector == nullptr, scalar == nullptr) << what;
  if (vector == nullptr) return;
  std::vector<std::uint32_t> left(kBlockRows * kLanes), right(left.size()), results[2];
  static constexpr Type kWords[] = {Type::fp32, Type::int32, Type::bf16};
  for (std::size_t i = 0; i < left.size(); ++i) {
    left[i] = test.random_code(test.pick<Type>(kWords));
    right[i] = test.random_code(test.pick<Type>(kWords));
  }
  for (unsigned build = 0; build < 2; ++build) {
    results[build] = right;
    LaneBlock block;
    block.rows = kBlockRows;
    block.lanes = 96;
    block.bits = 16;
    block.left_sign = 0x80000000U;
    for (unsigned r = 0; r < kBlockRows; ++r) {
      block.out[r] = &results[build][fold ? 0 : r * kLanes];
      block.left[r] = fold && r > 0 ? block.out[0] : &left[r * kLanes];
      block.right[r] = &right[r * kLanes];
      block.shift[r] = r % 2 * 16;
    }
    (build == 0 ? vector : scalar)(block);
  }
  ASSERT_EQ(results[0], results[1]) << what;
}

TEST(Lanes, EveryKernelOfTheScalarBuildGivesTheSameBits) {
  DatapathCase test(21);
  const LaneKernels &vector = vector_lane_kernels(), &scalar = scalar_lane_kernels();
  for (std::size_t i = 0; i < vector.fp32.size(); ++i) {
    for (const bool fold : {false, true}) {
      compare(vector.fp32[i], scalar.fp32[i], test, fold, "fp32 " + std::to_string(i));
      compare(vector.integer[i], scalar.integer[i], test, fold, "integer " + std::to_string(i));
      compare(vector.raw[i], scalar.raw[i], test, fold, "raw " + std::to_string(i));
      compare(vector.wide_low[i], scalar.wide_low[i], test, fold, "low word " + std::to_string(i));
      compare(vector.wide_high[i], scalar.wide_high[i], test, fold, "high word " + std::to_string(i));
    }
  }
  for (std::size_t i = 0; i < vector.activation.size(); ++i) {
    compare(vector.activation[i], scalar.activation[i], test, false, "activation " + std::to_string(i));
  }
  compare(vector.round_tfloat32, scalar.round_tfloat32, test, false, "round to tfloat32");
  for (std::size_t i = 0; i < vector.widen.size(); ++i) {
    compare(vector.narrow[i], scalar.narrow[i], test, false, "narrow " + std::to_string(i));
    compare(vector.widen[i], scalar.widen[i], test, false, "widen " + std::to_string(i));
  }
  compare(vector.extract, scalar.extract, test, false, "extract");
  compare(vector.extract_signed, scalar.extract_signed, test, false, "extract signed");
  compare(vector.insert, scalar.insert, test, false, "insert");
  for (const bool fold : {false, true}) {
    compare(vector.take_smaller, scalar.take_smaller, test, fold, "take smaller");
    compare(vector.take_larger, scalar.take_larger, test, fold, "take larger");
  }
}

TEST(Lanes, EverySearchOfTheScalarBuildGivesTheSameBits) {
  DatapathCase test(22);
  const LaneKernels &vector = vector_lane_kernels(), &scalar = scalar_lane_kernels();
  const std::pair<LaneKernel, LaneKernel> searches[] = {
      {vector.insert8, scalar.insert8},
      {vector.match_fp32.first, scalar.match_fp32.first},
      {vector.match_fp32.successive, scalar.match_fp32.successive},
      {vector.match_raw.first, scalar.match_raw.first},
      {vector.match_raw.successive, scalar.match_raw.successive},
  };
  // Few different words, infinities and NaN among them, so that elements meet their equals.
  std::vector<std::uint32_t> words;
  for (int i = 0; i < 24; ++i) words.push_back(test.random_code(Type::fp32));
  std::vector<std::uint32_t> values(8 * kLanes), elements(kBlockRows * kLanes);
  for (std::uint32_t& word : values) word = test.pick<std::uint32_t>(words);
  for (std::uint32_t& word : elements) word = test.pick<std::uint32_t>(words);
  for (std::size_t i = 0; i < std::size(searches); ++i) {
    const auto [one, other] = searches[i];
    std::vector<std::uint32_t> slots[2];
    for (unsigned build = 0; build < 2; ++build) {
      const bool inserts = one == vector.insert8;
      slots[build].assign(8 * kLanes, inserts ? 0xFF800000U : 0xFFFFFFFFU);
      LaneBlock block;
      block.rows = kBlockRows;
      block.lanes = 96;
      block.position = 1000;
      for (unsigned r = 0; r < 8; ++r) {
        block.out[r] = &slots[build][r * kLanes];
        block.left[r] = &values[r * kLanes];
      }
      for (unsigned r = 0; r < kBlockRows; ++r) block.right[r] = &elements[r * kLanes];
      (build == 0 ? one : other)(block);
    }
    ASSERT_EQ(slots[0], slots[1]) << "search " << i;
  }
}

// A NaN may differ in its payload.
TEST(Lanes, ProductsOfTheScalarBuildHaveTheSameBits) {
  DatapathCase test(23);
  std::vector<std::uint32_t> stationary(kLanes * kLanes), moving(kBlockRows * kLanes);
  for (const bool corners : {false, true}) {
    const auto word = [&] {
      return corners ? test.random_code(Type::fp32) : fp32(static_cast<float>(test.below(20001)) / 7919.0F - 1.1F);
    };
    for (std::uint32_t& lane : stationary) lane = word();
    for (std::uint32_t& lane : moving) lane = word();
    for (const unsigned depth : {1U, 2U, 8U, 9U, 16U, 17U, 127U, 128U}) {
      std::vector<std::uint32_t> results[2];
      for (unsigned build = 0; build < 2; ++build) {
        results[build].assign(kBlockRows * kLanes, 0x12345678U);
        ProductBlock block;
        block.stationary = stationary.data();
        block.rows = kBlockRows - 1;
        block.depth = depth;
        block.lanes = 96;
        for (unsigned r = 0; r < kBlockRows; ++r) {
          block.out[r] = &results[build][r * kLanes];
          block.moving[r] = &moving[r * kLanes];
        }
        (build == 0 ? vector_lane_kernels() : scalar_lane_kernels()).multiply(block);
        for (std::uint32_t& lane : results[build]) {
          if (std::isnan(std::bit_cast<float>(lane))) lane = 0x7FC00000U;
        }
      }
      ASSERT_EQ(results[0], results[1]) << depth << " rows";
    }
  }
}

TEST(Lanes, TheEnvironmentChoosesTheBuild) {
  ASSERT_EQ(setenv("TPBSIM_LANES", "scalar", 1), 0);
  EXPECT_EQ(&lane_kernels(), &scalar_lane_kernels());
  ASSERT_EQ(unsetenv("TPBSIM_LANES"), 0);
  EXPECT_EQ(&lane_kernels(), &vector_lane_kernels());
}

}  // namespace
}  // namespace tpb::testing
