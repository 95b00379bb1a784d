// Rules of the INT_WIDE instructions.
#include "testbench/tests/isa/judging.h"

namespace tpb::test {
namespace {

const LegalityContext kPool = on(Engine::pool, Generation::maverick);
const LegalityContext kDve = on(Engine::dve, Generation::maverick);
constexpr std::uint8_t kInt8 = 0x2, kUint16 = 0x5;
constexpr std::uint8_t kSubtract = 0xC6, kMult = 0xC5, kMultUint = 0xDB, kShiftLeft = 0x02, kShiftRight = 0x03;

constexpr std::uint8_t pair(unsigned low, unsigned high) { return static_cast<std::uint8_t>(low | high << 4); }
const auto inputs = [](unsigned a, unsigned b) { return [=](S2S2D2D2_TT& t) { t.in0_in1_dtype = pair(a, b); }; };
const auto operands = [](unsigned a, unsigned b) { return [=](S2D2D2_TS_WIDE& t) { t.in_imm_dtype = pair(a, b); }; };
const auto outputs = [](unsigned a, unsigned b) { return [=](auto& t) { t.out0_out1_dtype = pair(a, b); }; };

const Codes kOperations{0x02, 0x03, 0x10, 0x11, 0xC4, 0xC6, 0xDB};

TEST(IntWide, IsMavericks) {
  expect_legal(tensor_tensor_int_wide(), kPool);
  expect_legal(tensor_scalar_int_wide(), kDve);
  expect_violation(tensor_tensor_int_wide(), kDve, "engine_accepts_opcode", "engine", "dve", "pool");
  expect_violation(tensor_scalar_int_wide(), kPool, "engine_accepts_opcode", "engine", "pool", "dve");
  expect_violation(tensor_scalar_int_wide(), on(Engine::dve, Generation::mariana_plus),
                   "has_valid_nc_tensor_scalar_int_wide", "opcode", "0xF4", "maverick");
}

TEST(IntWide, OperationsAreEight) {
  EXPECT_EQ(legal_values(tensor_tensor_int_wide(), &S2S2D2D2_TT::op, kPool), kOperations);
  EXPECT_EQ(legal_values(tensor_scalar_int_wide(), &S2D2D2_TS_WIDE::op, kDve), kOperations);
  S2S2D2D2_TT tensors = tensor_tensor_int_wide();  // the eighth takes and gives signed integers
  inputs(kInt32, kInt16)(tensors);
  outputs(kInt32, kInt32)(tensors);
  EXPECT_EQ(legal_values(tensors, &S2S2D2D2_TT::op, kPool), Codes{kMult});
  S2D2D2_TS_WIDE scalar = tensor_scalar_int_wide();
  operands(kInt32, kInt16)(scalar);
  outputs(kUint32, kInt8)(scalar);
  EXPECT_EQ(legal_values(scalar, &S2D2D2_TS_WIDE::op, kDve), Codes{kMult});
}

TEST(IntWide, ShiftsTakeSignedSourcesAndNarrowDestinations) {
  S2S2D2D2_TT bundle = tensor_tensor_int_wide();
  inputs(kInt8, kUint8)(bundle);
  outputs(kInt8, kUint16)(bundle);
  EXPECT_EQ(legal_values(bundle, &S2S2D2D2_TT::op, kPool), (Codes{0x02, 0x03, 0x10, 0x11}));
}

TEST(IntWide, OnlyAnInlineShiftAmountIsLimited) {
  S2D2D2_TS_WIDE bundle = tensor_scalar_int_wide();
  bundle.imm = 0xFFFF'FFFF;
  expect_legal(bundle, kDve);  // a summand
  bundle.op = kShiftLeft;
  bundle.imm = 31;
  expect_legal(bundle, kDve);
  bundle.imm_src = 1;
  bundle.imm = 0x3000;
  expect_legal(bundle, kDve);
  bundle.imm_src = 2;
  bundle.imm = 63;
  expect_legal(bundle, kDve);
}

TEST(IntWide, APointerIsAlignedToItsDtype) {
  S2D2D2_TS_WIDE bundle = tensor_scalar_int_wide();
  bundle.imm_src = 1;
  bundle.imm = 0x3002;
  operands(kUint32, kUint16)(bundle);
  expect_legal(bundle, kDve);
}

template <class Wide>
void destinations(Breaking<Wide>& any) {
  const std::string valid = "mem2d_valid";
  const std::string start = "check_m2d_active_channels";
  any.operand(&Wide::dst0, "dst0", valid, start);
  any.operand(&Wide::dst1, "dst1", valid, start);
  any.no_psum(&Wide::dst0, "dst0", valid);
  any.no_psum(&Wide::dst1, "dst1", valid);
  const std::string indirect = "do not support indirect addressing";
  any.by([](auto& b) { b.dst0.start_addr = 0x2000'0000; }, "int_wide_not_indirect", "dst0.start_addr", "0x20000000",
         indirect);
  any.by([](auto& b) { b.dst1.start_addr = 0x4000'0000; }, "int_wide_not_indirect", "dst1.start_addr", "0x40000000",
         indirect);
  any.by(outputs(kFp32, kUint32), "is_valid_int_dtype_datapath", "out0_dtype", "fp32", "int8, uint8");
  any.by(outputs(kUint32, 0x0C), "is_valid_int_dtype_datapath", "out1_dtype", "int64", "int8, uint8");
  any.by([](auto& b) { b.dst0.num[0] = 31; }, "same_element_count_m2d", "dst0.num_elem", "31", "32 elements");
  any.by([](auto& b) { b.dst1.num[1] = 2; }, "same_element_count_m2d", "dst1.num_elem", "64", "32 elements");
}

void tensor_tensor_table(Mutations& all) {
  Breaking sum(all, tensor_tensor_int_wide(), kPool);
  sum.channels("has_valid_active_channel_range_with_tile");
  destinations(sum);
  for (const auto& [at, name] : {std::pair{&S2S2D2D2_TT::src0, "src0"}, {&S2S2D2D2_TT::src1, "src1"}}) {
    sum.operand(at, name, "mem2d_valid", "check_m2d_active_channels");
    sum.no_psum(at, name, "mem2d_valid");
    sum.by([at = at](auto& b) { (b.*at).start_addr = 0x2000'0000; }, "int_wide_not_indirect",
           std::string(name) + ".start_addr", "0x20000000", "do not support indirect addressing");
  }
  sum.by(inputs(kFp32, kUint32), "is_valid_int_dtype_datapath", "in0_dtype", "fp32", "int16, uint16, int32 or uint32");
  sum.by(inputs(kUint32, 0x01), "is_valid_int_dtype_datapath", "in1_dtype", "uint64", "int16, uint16, int32 or uint32");
  sum.by([](auto& b) { b.op = 0x04; }, "is_valid_tt_int_wide_op", "op", "add", "add_int, mult_int");
  sum.by([](auto& b) { b.src1.num[0] = 7; }, "same_element_count_m2d", "src1.num_elem", "28", "32 elements (src0)");

  const std::string constraint = "tt_int_wide_op_dtype_constraints";
  for (const auto& [op, name] : {std::pair{0xC4, "add_int"}, {kSubtract, "subtract_int"}, {kMultUint, "mult_uint"}}) {
    Breaking unsigned_only(
        all, changed(tensor_tensor_int_wide(), [op = op](auto& b) { b.op = static_cast<std::uint8_t>(op); }), kPool);
    const std::string needed = std::string("an unsigned integer in ") + name;
    unsigned_only.by(inputs(kInt32, kUint32), constraint, "in0_dtype", "int32", needed);
    unsigned_only.by(inputs(kUint32, kInt16), constraint, "in1_dtype", "int16", needed);
    unsigned_only.by(outputs(kUint16, kUint32), constraint, "out0_dtype", "uint16", "int32 or uint32");
    unsigned_only.by(outputs(kUint32, kInt32), constraint, "out1_dtype", "int32", "as signed as the sources");
  }
  Breaking product(all,
                   changed(tensor_tensor_int_wide(),
                           [](auto& b) {
                             b.op = kMult;
                             inputs(kInt32, kInt32)(b);
                             outputs(kInt32, kInt32)(b);
                           }),
                   kPool);
  product.by(inputs(kUint32, kInt32), constraint, "in0_dtype", "uint32", "a signed integer in mult_int");
  product.by(inputs(kInt32, kUint32), constraint, "in1_dtype", "uint32", "a signed integer in mult_int");
  product.by(outputs(kInt32, kUint32), constraint, "out1_dtype", "uint32", "as signed as the sources in mult_int");
  Breaking shift(all,
                 changed(tensor_tensor_int_wide(),
                         [](auto& b) {
                           b.op = kShiftRight;
                           inputs(kInt32, kUint8)(b);
                         }),
                 kPool);
  shift.by(inputs(kInt32, kInt8), constraint, "in1_dtype", "int8", "it counts a shift in arith_shift_right");
}

void tensor_scalar_table(Mutations& all) {
  Breaking sum(all, tensor_scalar_int_wide(), kDve);
  sum.channels("has_valid_active_channel_range_with_tile");
  sum.reserved(53, 55, "ts_wide_reserved_zero");
  sum.reserved(60, 63, "ts_wide_reserved_zero");
  destinations(sum);
  sum.operand(&S2D2D2_TS_WIDE::src, "src", "mem2d_valid", "check_m2d_active_channels");
  sum.no_psum(&S2D2D2_TS_WIDE::src, "src", "mem2d_valid");
  sum.by([](auto& b) { b.src.start_addr = 0x2000'0000; }, "int_wide_not_indirect", "src.start_addr", "0x20000000",
         "do not support indirect addressing");
  sum.by(operands(kFp32, kUint32), "is_valid_int_dtype_datapath", "in_dtype", "fp32", "int8");
  sum.by(operands(kUint32, kFp32r), "is_valid_int_dtype_datapath", "imm_dtype", "fp32r", "int8");
  sum.by([](auto& b) { b.op = 0xC8; }, "is_valid_ts_int_wide_op", "op", "mod_int", "add_int, mult_int");

  const std::string constraint = "ts_int_wide_op_dtype_constraints";
  sum.by(operands(kUint32, kInt32), constraint, "imm_dtype", "int32", "as signed as src");
  sum.by(operands(kInt32, kInt32), constraint, "in_dtype", "int32", "an unsigned integer in add_int");
  sum.by(outputs(kUint8, kUint32), constraint, "out0_dtype", "uint8", "int32 or uint32");
  sum.by(outputs(kUint32, kInt32), constraint, "out1_dtype", "int32", "as signed as the sources");
  sum.by([](auto& b) { b.op = kMult; }, constraint, "in_dtype", "uint32", "a signed integer in mult_int");

  const std::string immediate = "is_valid_ts_wide_immediate";
  sum.by([](auto& b) { b.imm_src = 3; }, immediate, "imm_src", "3", "0 (instruction)");
  Breaking in_register(all, changed(tensor_scalar_int_wide(), [](auto& b) { b.imm_src = 2, b.imm = 63; }), kDve);
  in_register.by([](auto& b) { b.imm = 64; }, immediate, "imm", "64", "a register, 0..63");
  Breaking pointer(all, changed(tensor_scalar_int_wide(), [](auto& b) { b.imm_src = 1, b.imm = 0x3000; }), kDve);
  pointer.by([](auto& b) { b.imm = 0x3002; }, immediate, "imm.start_addr", "0x00003002", "a multiple of 4 bytes");
  pointer.by([](auto& b) { b.imm = 0x4'3000; }, immediate, "imm.start_addr", "0x00043000", "this is 1");
  pointer.by([](auto& b) { b.imm = kPsumBase; }, immediate, "imm.start_addr", "0x02000000", "SBUF");
  pointer.by([](auto& b) { b.imm = 0x8000'0000; }, immediate, "imm.start_addr", "0x80000000", "an immediate address");

  Breaking shift(all, changed(tensor_scalar_int_wide(), [](auto& b) { b.op = kShiftLeft, b.imm = 31; }), kDve);
  shift.by([](auto& b) { b.imm = 32; }, "ts_wide_shift_imm_check", "imm", "32", "0..31");
  shift.by(operands(kInt32, kInt32), constraint, "imm_dtype", "int32", "it counts a shift in arith_shift_left");
}

}  // namespace

Mutations int_wide_mutations() {
  Mutations all;
  tensor_tensor_table(all);
  tensor_scalar_table(all);
  return all;
}

}  // namespace tpb::test
