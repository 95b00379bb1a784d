// Rules of S4D4_CR.
#include "testbench/tests/isa/judging.h"

namespace tpb::test {
namespace {

const LegalityContext kPool = on(Engine::pool);

TEST(CrossLane, AreLegalInPoolStreams) {
  for (Generation generation : kGenerations) {
    const LegalityContext pool = on(Engine::pool, generation);
    for (std::uint8_t opcode : {std::uint8_t{0x42}, std::uint8_t{0x83}}) expect_legal(cross_lane(opcode), pool);
    for (std::uint8_t opcode : {std::uint8_t{0x52}, std::uint8_t{0x84}}) expect_legal(cross_lane_bitvec(opcode), pool);
    expect_legal(cross_lane(0x7C), arch(pool));
    expect_legal(cross_lane_bitvec(0x7D), arch(pool));
  }
  expect_violation(cross_lane(), on(Engine::dve), "engine_accepts_opcode", "engine", "dve", "pool");
}

TEST(CrossLane, OperatorsAreSix) {
  EXPECT_EQ(legal_values(cross_lane(), &S4D4_CR::reduce_op, kPool), (Codes{0, 1, 2}));
  EXPECT_EQ(legal_values(cross_lane_bitvec(), &S4D4_CR::reduce_op, kPool), (Codes{3, 4, 5}));
}

TEST(CrossLane, AxisAndCounts) {
  EXPECT_EQ(legal_values(cross_lane(), &S4D4_CR::reduce_axis, kPool), Codes{1});
  S4D4_CR bundle = cross_lane();
  bundle.dst = {0x2000, {1, 1, 1, 1}, {256, 1, 1, 1}};  // counts, not shapes
  expect_legal(bundle, kPool);
  bundle.reduce_axis = 0;
  expect_violation(bundle, kPool, "valid_axis_dst_element_cnt", "dst.num_elem", "256", "1 elements (axis XYZWC)");
  bundle.dst.num[0] = 1;
  expect_legal(bundle, kPool);
}

TEST(CrossLane, ResultsLieInOnePartition) {
  S4D4_CR bundle = cross_lane();
  // One partition may start at every quarter, though 128 are read.
  for (std::uint32_t partition = 0; partition < 128; ++partition) {
    bundle.dst.start_addr = partition * 0x40000 + 0x2000;
    if (partition % 32 == 0) {
      expect_legal(bundle, kPool);
    } else {
      expect_violation(bundle, kPool, "start_addr_active_channels", "dst.start_addr",
                       fmt_address(bundle.dst.start_addr), "0, 32, 64 or 96 for 1 channels");
    }
  }
}

TEST(CrossLane, OnlyTransposingFormsNeedWholeBlocks) {
  S4D4_CR bundle = cross_lane();
  bundle.num_active_channels = 33;
  bundle.src.num[0] = bundle.dst.num[0] = 31;
  expect_legal(bundle, kPool);
  S4D4_CR bits = cross_lane_bitvec();
  bits.in_dtype = bits.out_dtype = kInt16;
  expect_legal(bits, kPool);
}

void every_cross_lane(Mutations& all, const S4D4_CR& legal) {
  Breaking any(all, legal, kPool);
  any.channels();
  any.reserved(37, 39, "s4d4_cr_reserved_zero");
  any.input_dtype(&S4D4_CR::in_dtype, "in_dtype");
  any.output_dtype(&S4D4_CR::out_dtype, "out_dtype");
  any.by([](auto& b) { b.reduce_op = 6; }, "has_valid_cross_lane_reduce_op", "reduce_op", "6", "(");
  any.by([](auto& b) { b.reduce_axis = 2; }, "has_valid_cross_lane_axis", "reduce_axis", "2",
         "getAxis() == bir::AxisListType::XYZWC");
  const std::string todo = "TODO: support CROSS_LANE_REDUCE with TensorIndirect AP once ISA supports it";
  any.by([](auto& b) { b.src.start_addr = 0x2000'0000; }, "cross_lane_not_indirect", "src.start_addr", "0x20000000",
         todo);
  any.by([](auto& b) { b.dst.start_addr = 0x4000'0000; }, "cross_lane_not_indirect", "dst.start_addr", "0x40000000",
         todo);
  any.operand(&S4D4_CR::src, "src", "tensor4d_valid");
  any.operand(&S4D4_CR::dst, "dst", "tensor4d_valid");
  any.no_psum(&S4D4_CR::src, "src", "tensor4d_valid");
  any.no_psum(&S4D4_CR::dst, "dst", "tensor4d_valid");
  any.by([](auto& b) { b.dst.num[0] = 31; }, "valid_axis_dst_element_cnt", "dst.num_elem", "248",
         "256 elements (src, axis C)");
}

void every_bitvec(Mutations& all, const S4D4_CR& legal) {
  Breaking bits(all, legal, kPool);
  bits.by([](auto& b) { b.in_dtype = kFp32; }, "has_valid_bitvec_dtype", "in_dtype", "fp32", "an integer type");
  bits.by([](auto& b) { b.out_dtype = kFp32; }, "has_valid_bitvec_dtype", "out_dtype", "fp32", "an integer type");
  bits.by([](auto& b) { b.out_dtype = kUint8; }, "bitvec_same_size", "out_dtype", "uint8", "the size of int32");
  bits.by([](auto& b) { b.reduce_op = 0; }, "has_valid_cross_lane_reduce_op", "reduce_op", "0",
          "3 (or), 4 (and) or 5 (xor)");
}

}  // namespace

Mutations cross_lane_mutations() {
  Mutations all;
  for (std::uint8_t opcode : {std::uint8_t{0x42}, std::uint8_t{0x83}}) every_cross_lane(all, cross_lane(opcode));
  for (std::uint8_t opcode : {std::uint8_t{0x52}, std::uint8_t{0x84}}) {
    every_cross_lane(all, cross_lane_bitvec(opcode));
    every_bitvec(all, cross_lane_bitvec(opcode));
  }
  Breaking sum(all, cross_lane(), kPool);
  sum.by([](auto& b) { b.reduce_op = 3; }, "has_valid_cross_lane_reduce_op", "reduce_op", "3",
         "0 (add), 1 (average) or 2 (max)");
  for (const S4D4_CR& legal : {cross_lane(0x83), cross_lane_bitvec(0x84)}) {
    Breaking blocks(all, legal, kPool);
    blocks.by([](auto& b) { b.num_active_channels = 127; }, "transpose_block_check", "num_active_channels", "127",
              "a multiple of 32");
    blocks.by([](auto& b) { b.src.num[0] = b.dst.num[0] = 31; }, "transpose_block_check", "src.num_elem", "248",
              "a multiple of 32");
  }
  Breaking words(all, cross_lane_bitvec(0x84), kPool);
  words.by([](auto& b) { b.in_dtype = b.out_dtype = kUint8; }, "transpose_bitvec_dtype", "in_dtype", "uint8",
           "int32 or uint32");
  return all;
}

}  // namespace tpb::test
