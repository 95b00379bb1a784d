// Rules of ScalarTensorTensor and TensorTensorScan.
#include "testbench/tests/isa/judging.h"

namespace tpb::test {
namespace {

const LegalityContext kDve = on(Engine::dve);

const Codes kElementwise{0x00, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x12, 0x13, 0x14,
                         0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x20, 0x21, 0x22};
const Codes kBitvec{0x01, 0x02, 0x03, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11};

TEST(ScalarTensorTensor, Operators) {
  for (auto field : {&S2S2D2_STT::op0, &S2S2D2_STT::op1}) {
    for (std::uint8_t opcode : {std::uint8_t{0x9D}, std::uint8_t{0xE5}}) {
      const S2S2D2_STT bundle = scalar_tensor_tensor(opcode);
      EXPECT_EQ(legal_values(bundle, field, kDve), kElementwise);
      EXPECT_EQ(legal_values(bundle, field, on(Engine::dve, Generation::maverick)), with(kElementwise, {0x23}));
      LegalityContext refused = kDve;
      refused.semantics.divide = SemanticsOptions::Divide::refused;
      EXPECT_EQ(legal_values(bundle, field, refused), without(kElementwise, {0x07, 0x1A, 0x1B}));
    }
    EXPECT_EQ(legal_values(scalar_tensor_tensor_bitvec(), field, kDve), kBitvec);
  }
}

TEST(ScalarTensorTensor, IsTheVectorEngines) {
  for (const S2S2D2_STT& bundle : {scalar_tensor_tensor(), scalar_tensor_tensor_bitvec(), scalar_tensor_tensor(0xE5)}) {
    for (Generation generation : kGenerations) expect_legal(bundle, on(Engine::dve, generation));
    expect_violation(bundle, on(Engine::pool), "engine_accepts_opcode", "engine", "pool", "dve");
    EXPECT_EQ(legal_values(bundle, &S2S2D2_STT::reverse, kDve), (Codes{0, 1, 2, 3}));
  }
}

TEST(ScalarTensorTensor, ImmediateDtypes) {
  EXPECT_EQ(legal_values(scalar_tensor_tensor(), &S2S2D2_STT::imm0_dtype, kDve), Codes{kFp32});
  EXPECT_EQ(legal_values(scalar_tensor_tensor(0xE5), &S2S2D2_STT::imm0_dtype, kDve), Codes{kFp32});
  EXPECT_EQ(legal_values(scalar_tensor_tensor_bitvec(), &S2S2D2_STT::imm0_dtype, kDve), (Codes{kInt32, kUint32}));
}

const auto inputs = [](unsigned a, unsigned b) {
  return [=](S2S2D2_STT& t) { t.in0_in1_dtype = static_cast<std::uint8_t>(a | b << 4); };
};

void every_stt(Mutations& all, const S2S2D2_STT& legal) {
  Breaking any(all, legal, kDve);
  any.channels();
  any.reserved(45, 47, "s2s2d2_stt_reserved_zero");
  any.by(inputs(kFp32r, kUint32), "is_valid_dtype", "in0_dtype", "fp32r", "fp32");
  any.by(inputs(kInt32, kFp32r), "is_valid_dtype", "in1_dtype", "fp32r", "fp32");
  any.output_dtype(&S2S2D2_STT::out_dtype, "out_dtype");
  any.by([](auto& b) { b.imm0_dtype = kFp32r; }, "has_valid_immediate_dtype", "imm0_dtype", "fp32r", "32");
  any.by([](auto& b) { b.op0 = 0x1D; }, "has_valid_scalar_tensor_tensor_op", "op0", "rsqrt", "");
  any.by([](auto& b) { b.op1 = 0xC4; }, "has_valid_scalar_tensor_tensor_op", "op1", "add_int", "");
  any.by([](auto& b) { b.accumulator_cmd = 1; }, "has_valid_scalar_tensor_tensor_accum_cmd", "accumulator_cmd", "1",
         "0 (idle)");
  any.by([](auto& b) { b.reverse = 4; }, "has_valid_reverse", "reverse", "4", "0..3");

  const std::string immediate = "is_valid_scalar_tensor_tensor_immediate";
  any.by([](auto& b) { b.imm0_src = 3; }, immediate, "imm0_src", "3", "2 (register pointer)");
  Breaking in_register(all, changed(legal, [](auto& b) { b.imm0_src = 2, b.imm0 = 63; }), kDve);
  in_register.by([](auto& b) { b.imm0 = 64; }, immediate, "imm0", "64", "a register, 0..63");
  Breaking pointer(all, changed(legal, [](auto& b) { b.imm0_src = 1, b.imm0 = kPsumBase; }), kDve);
  pointer.by([](auto& b) { b.imm0 = kPsumBase + 2; }, immediate, "imm0.start_addr", "0x02000002", "4 bytes");
  pointer.by([](auto& b) { b.imm0 = kPsumBase + 16384; }, immediate, "imm0", "bytes 16384..16387 of a partition",
             "0..16383");

  any.operand(&S2S2D2_STT::src0, "src0", "tensor2d_valid");
  any.operand(&S2S2D2_STT::src1, "src1", "tensor2d_valid");
  any.operand(&S2S2D2_STT::dst, "dst", "tensor2d_valid");
  Breaking psum(all, changed(legal, [](auto& b) { b.src0.start_addr = kPsumBase; }), kDve);
  psum.by([](auto& b) { b.src1.start_addr = kPsumBase + 0x1000; }, "tensor_inputs_not_both_in_psum", "src1.start_addr",
          "0x02001000", "SBUF: src0 is in PSUM");
  any.by([](auto& b) { b.src1.num[0] = 127; }, "same_element_count_t2d", "src1.num_elem", "127", "128 elements (src0)");
  any.by([](auto& b) { b.dst.num[0] = 31; }, "same_element_count_t2d", "dst.num_elem", "124", "128 elements (src0)");
}

}  // namespace

Mutations scalar_tensor_tensor_mutations() {
  Mutations all;
  every_stt(all, scalar_tensor_tensor());
  every_stt(all, scalar_tensor_tensor_bitvec());
  every_stt(all, scalar_tensor_tensor(0xE5));
  Breaking bits(all, scalar_tensor_tensor_bitvec(), kDve);
  bits.by(inputs(kFp32, kInt32), "has_valid_bitvec_dtype", "in0_dtype", "fp32", "an integer type");
  bits.by(inputs(kInt32, kFp32), "has_valid_bitvec_dtype", "in1_dtype", "fp32", "an integer type");
  bits.by([](auto& b) { b.out_dtype = kBf16; }, "has_valid_bitvec_dtype", "out_dtype", "bf16", "an integer type");
  bits.by(inputs(kInt32, kInt16), "bitvec_same_size", "in1_dtype", "int16", "the size of int32");
  bits.by([](auto& b) { b.out_dtype = kUint8; }, "bitvec_same_size", "out_dtype", "uint8", "the size of int32");
  bits.by([](auto& b) { b.op1 = 0; }, "has_valid_scalar_tensor_tensor_op", "op1", "bypass", "bitwise_and");
  return all;
}

}  // namespace tpb::test
