// Rules of S3S3D3_TT.
#include "testbench/tests/isa/judging.h"

namespace tpb::test {
namespace {

const LegalityContext kPool = on(Engine::pool);
const LegalityContext kDve = on(Engine::dve);
const LegalityContext kSunda = on(Engine::pool, Generation::sunda);

Codes legal_ops(const S3S3D3_TT& bundle, const LegalityContext& context) {
  return legal_values(bundle, &S3S3D3_TT::op, context);
}

TEST(TensorTensor, Dtypes) {
  S3S3D3_TT bundle = tensor_tensor();
  bundle.in0_in1_dtype = kFp32r | kFp32 << 4;
  expect_violation(bundle, kDve, "is_valid_dtype", "in0_dtype", "fp32r");
  bundle.in0_in1_dtype = kFp32 | 0x0C << 4;
  expect_violation(bundle, kDve, "is_valid_dtype", "in1_dtype", "int64");
  bundle.in0_in1_dtype = kBf16 | kUint8 << 4;
  bundle.out_dtype = kFp32r;
  expect_legal(bundle, kDve);
  bundle.out_dtype = 0xFF;
  expect_violation(bundle, kDve, "is_valid_dtype", "out_dtype", "0xFF");
}

// 00 04 05 06 08 09 12-19 20 21 22, and 07 1A 1B where they are not refused.
const Codes kElementwise{0x00, 0x04, 0x05, 0x06, 0x08, 0x09, 0x12, 0x13, 0x14,
                         0x15, 0x16, 0x17, 0x18, 0x19, 0x20, 0x21, 0x22};

TEST(TensorTensor, Operators) {
  const Codes divisions{0x07, 0x1A, 0x1B};
  EXPECT_EQ(legal_ops(tensor_tensor(), kDve), with(kElementwise, divisions));
  EXPECT_EQ(legal_ops(tensor_tensor(), kPool), with(kElementwise, divisions));
  for (Generation generation : {Generation::mariana, Generation::mariana_plus, Generation::maverick}) {
    EXPECT_EQ(legal_ops(tensor_tensor(), on(Engine::dve, generation)), with(with(kElementwise, divisions), {0x23}));
  }
  LegalityContext refused = kDve;
  refused.semantics.divide = SemanticsOptions::Divide::refused;
  EXPECT_EQ(legal_ops(tensor_tensor(), refused), kElementwise);
  refused.engine = Engine::pool;
  EXPECT_EQ(legal_ops(tensor_tensor(), refused), with(kElementwise, {0x1A}));
  S3S3D3_TT bundle = tensor_tensor();
  bundle.op = 0x23;
  expect_violation(bundle, kDve, "has_valid_tensor_tensor_op", "op", "square", "relu");
}

TEST(TensorTensor, IntegerBandOnPool) {
  S3S3D3_TT bundle = tensor_tensor();
  bundle.in0_in1_dtype = kInt32 | kUint8 << 4;
  bundle.out_dtype = kInt16;
  const Codes base = with(kElementwise, {0x07, 0x1A, 0x1B});
  Codes whole = base;
  for (unsigned op = 0xC4; op <= 0xDD; ++op) whole.insert(op);
  EXPECT_EQ(legal_ops(bundle, kPool), whole);
  EXPECT_EQ(legal_ops(bundle, kDve), base);
  EXPECT_EQ(legal_ops(bundle, kSunda), with(base, {0xC4, 0xC5, 0xC6}));
  bundle.op = 0xC4;
  bundle.out_dtype = kFp32;
  expect_violation(bundle, kPool, "has_valid_integer_op_dtype", "out_dtype", "fp32", "integer");
  bundle.out_dtype = kInt32;
  bundle.in0_in1_dtype = kFp32 | kInt32 << 4;
  expect_violation(bundle, kPool, "has_valid_integer_op_dtype", "in0_dtype", "fp32", "integer");
  bundle.in0_in1_dtype = kInt32 | kBf16 << 4;
  expect_violation(bundle, kPool, "has_valid_integer_op_dtype", "in1_dtype", "bf16", "integer");
  bundle.in0_in1_dtype = kInt32 | kInt32 << 4;
  expect_legal(bundle, kPool);
  expect_violation(bundle, kDve, "has_valid_tensor_tensor_op", "op", "add_int");
}

TEST(TensorTensor, AddressesAndCounts) {
  S3S3D3_TT bundle = tensor_tensor();
  bundle.num_active_channels = 0;
  expect_violation(bundle, kDve, "check_active_channels", "num_active_channels", "0");
  bundle = tensor_tensor();
  bundle.src1.start_addr = 0x40000 * 32;
  expect_violation(bundle, kDve, "start_addr_active_channels", "src1.start_addr", "0x00800000", "this is 32");
  bundle.num_active_channels = 32;
  expect_legal(bundle, kDve);
  bundle = tensor_tensor();
  bundle.src1.start_addr = 0x4000'0000;
  expect_violation(bundle, kDve, "indirection_not_modelled", "src1.start_addr", "0x40000000", "shape register");
  bundle = tensor_tensor();
  bundle.src0.num[2] = 0;
  expect_violation(bundle, kDve, "tensor3d_valid", "src0.num_elem[2]", "0");
  bundle = tensor_tensor();
  bundle.src1.num[0] = 127;
  expect_violation(bundle, kDve, "same_element_count_t3d", "src1.num_elem", "127", "128 elements (src0)");
  bundle = tensor_tensor();
  bundle.dst.num[1] = 5;
  expect_violation(bundle, kDve, "same_element_count_t3d", "dst.num_elem", "160", "128 elements (src0)");
  bundle = tensor_tensor();
  bundle.dst = {0x2000 + 127 * 4, {-1, 1, 1}, {128, 1, 1}};
  expect_legal(bundle, kDve);
}

TEST(TensorTensor, Psum) {
  S3S3D3_TT bundle = tensor_tensor();
  bundle.src0.start_addr = 0x0200'0000;
  expect_legal(bundle, kDve);
  expect_violation(bundle, kPool, "tensor3d_valid", "src0.start_addr", "0x02000000", "no PSUM");
  bundle.src1.start_addr = 0x0200'1000;
  expect_violation(bundle, kDve, "tensor_inputs_not_both_in_psum", "src1.start_addr", "0x02001000", "SBUF");
  bundle = tensor_tensor();
  bundle.dst.start_addr = 0x0200'0000;
  expect_legal(bundle, kDve);
  expect_violation(bundle, kPool, "tensor3d_valid", "dst.start_addr", "0x02000000", "no PSUM");
  bundle.out_dtype = kFp16;
  expect_violation(bundle, kDve, "tensor3d_valid", "out_dtype", "fp16", "before mariana");
  expect_legal(bundle, on(Engine::dve, Generation::mariana));
}

TEST(TensorTensorBf16, InputsAreBf16AndTheOperationIsPinned) {
  S3S3D3_TT bundle = tensor_tensor_bf16();
  bundle.in0_in1_dtype = kFp16 | kBf16 << 4;
  expect_violation(bundle, kSunda, "has_valid_tensor_tensor_bf16_in_dtype", "in0_dtype", "fp16", "bf16");
  bundle.in0_in1_dtype = kBf16 | kFp32 << 4;
  expect_violation(bundle, kSunda, "has_valid_tensor_tensor_bf16_in_dtype", "in1_dtype", "fp32", "bf16");
  EXPECT_EQ(legal_ops(tensor_tensor_bf16(0x8A), kSunda), Codes{0x04});
  EXPECT_EQ(legal_ops(tensor_tensor_bf16(0x8B), kSunda), Codes{0x06});
  EXPECT_EQ(legal_ops(tensor_tensor_bf16(0x8F), kSunda), Codes{0x05});
  expect_violation(tensor_tensor_bf16(0x8F, 0x04), kSunda, "has_valid_tensor_tensor_bf16_op", "op", "add", "subtract");
}

TEST(TensorTensorBf16, PairsMustBeWhole) {
  constexpr auto kRule = "tensor_tensor_bf16_access_pattern_check";
  S3S3D3_TT bundle = tensor_tensor_bf16();
  bundle.src0.num[0] = 31;
  expect_violation(bundle, kSunda, kRule, "src0.num_elem[0]", "31", "even");
  bundle = tensor_tensor_bf16();
  bundle.src1.step[0] = 2;
  expect_violation(bundle, kSunda, kRule, "src1.step_elem[0]", "2", "1");
  bundle = tensor_tensor_bf16();
  bundle.src0.step[1] = 33;
  expect_violation(bundle, kSunda, kRule, "src0.step_elem[1]", "33", "even");
  bundle.src0.step[1] = -34;
  bundle.src0.start_addr = 0x400;
  expect_legal(bundle, kSunda);
  bundle = tensor_tensor_bf16();
  bundle.src1.num[0] = 127;
  expect_violation(bundle, kSunda, kRule, "src1.num_elem[0]", "127", "even");
  // A source is valid as UINT32: aligned to 4 bytes, where bf16 alone would need 2.
  bundle = tensor_tensor_bf16();
  bundle.src0.start_addr = 2;
  expect_violation(bundle, kSunda, "tensor3d_valid", "src0.start_addr", "0x00000002", "4 bytes");
  bundle = tensor_tensor_bf16();
  bundle.src1.start_addr = 0x1002;
  expect_violation(bundle, kSunda, "tensor3d_valid", "src1.start_addr", "0x00001002", "4 bytes");
}

// Descriptors fill unused dimensions with (step 1, num 1): an odd step that is never taken.
TEST(TensorTensorBf16, StepsOfUnusedDimensionsMayBeOdd) {
  S3S3D3_TT bundle = tensor_tensor_bf16();
  bundle.src0 = bundle.src1 = {0x1000, {1, 1, 1}, {128, 1, 1}};
  expect_legal(bundle, kSunda);
  bundle.src0 = {0x1000, {1, 2, 3}, {2, 16, 4}};
  expect_violation(bundle, kSunda, "tensor_tensor_bf16_access_pattern_check", "src0.step_elem[2]", "3", "even");
}

TEST(TensorTensorBf16, DestinationsAreOrdinary) {
  S3S3D3_TT bundle = tensor_tensor_bf16();
  bundle.out_dtype = kFp32r;
  bundle.dst = {0x2000, {3, 1, 1}, {128, 1, 1}};
  expect_legal(bundle, kSunda);
  bundle.out_dtype = kUint8;
  bundle.dst.start_addr = 0x2001;
  expect_legal(bundle, kSunda);
}

TEST(TensorTensorBf16, MayUsePsum) {
  S3S3D3_TT bundle = tensor_tensor_bf16();
  bundle.src0.start_addr = 0x0200'0000;
  bundle.dst.start_addr = 0x0200'1000;
  expect_legal(bundle, kSunda);
  bundle.src1.start_addr = 0x0200'2000;
  expect_violation(bundle, kSunda, "tensor_inputs_not_both_in_psum", "src1.start_addr", "0x02002000");
}

TEST(TensorTensor, BitvecOperators) {
  const Codes bitvec{0x01, 0x02, 0x03, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11};
  for (Engine engine : {Engine::dve, Engine::pool}) {
    for (Generation generation : kGenerations) {
      EXPECT_EQ(legal_ops(tensor_tensor_bitvec(), on(engine, generation)), bitvec);
    }
  }
  S3S3D3_TT bundle = tensor_tensor_bitvec();
  bundle.in0_in1_dtype = kInt16 | 0x05 << 4;  // any integers of one size
  bundle.out_dtype = kInt16;
  expect_legal(bundle, kDve);
}

TEST(Order, EveryViolationIsToldInRuleOrder) {
  S3S3D3_TT bundle = tensor_tensor();
  bundle.frame.debug_cmd = 2;
  bundle.num_active_channels = 200;
  bundle.in0_in1_dtype = 0;
  bundle.op = 0xFF;
  bundle.dst.num[0] = 0;
  std::vector<std::string> rules;
  for (const Violation& violation : all_violations(bytes_of_bundle(bundle), kPool)) {
    rules.push_back(std::string(violation.rule) + " " + violation.field);
  }
  EXPECT_THAT(rules, testing::ElementsAre("has_valid_neuron_header debug_cmd",
                                          "check_active_channels num_active_channels", "is_valid_dtype in0_dtype",
                                          "is_valid_dtype in1_dtype", "has_valid_tensor_tensor_op op",
                                          "tensor3d_valid dst.num_elem[0]", "same_element_count_t3d dst.num_elem"));
}

void every_s3s3d3_tt(Mutations& all, const S3S3D3_TT& legal, const LegalityContext& context) {
  Breaking any(all, legal, context);
  any.channels();
  any.output_dtype(&S3S3D3_TT::out_dtype, "out_dtype");
  any.operand(&S3S3D3_TT::src0, "src0", "tensor3d_valid");
  any.operand(&S3S3D3_TT::src1, "src1", "tensor3d_valid");
  any.operand(&S3S3D3_TT::dst, "dst", "tensor3d_valid");
  any.by([](auto& b) { b.src1.num[0] = 126; }, "same_element_count_t3d", "src1.num_elem", "126", "128 elements (src0)");
  any.by([](auto& b) { b.dst.num[0] = 31; }, "same_element_count_t3d", "dst.num_elem", "124", "128 elements (src0)");
  const LegalityContext dve = on(Engine::dve, context.generation);
  Breaking psum(all, changed(legal, [](auto& b) { b.src0.start_addr = 0x0200'0000; }), dve);
  psum.by([](auto& b) { b.src1.start_addr = 0x0200'1000; }, "tensor_inputs_not_both_in_psum", "src1.start_addr",
          "0x02001000", "SBUF: src0 is in PSUM");
}

}  // namespace

Mutations tensor_tensor_mutations() {
  Mutations all;
  every_s3s3d3_tt(all, tensor_tensor(), kDve);
  every_s3s3d3_tt(all, tensor_tensor_bitvec(), kDve);
  every_s3s3d3_tt(all, tensor_tensor_bf16(), kSunda);

  const auto dtypes = [](unsigned in0, unsigned in1) {
    return [=](auto& b) { b.in0_in1_dtype = static_cast<std::uint8_t>(in0 | in1 << 4); };
  };
  Breaking sum(all, tensor_tensor(), kPool);
  sum.by(dtypes(kFp32r, kFp32), "is_valid_dtype", "in0_dtype", "fp32r", "fp32");
  sum.by(dtypes(kFp32, kFp32r), "is_valid_dtype", "in1_dtype", "fp32r", "fp32");
  sum.by([](auto& b) { b.op = 0x0A; }, "has_valid_tensor_tensor_op", "op", "bitwise_and", "add");
  Breaking integers(all,
                    changed(tensor_tensor(),
                            [&](auto& b) {
                              dtypes(kInt32, kInt32)(b);
                              b.out_dtype = kInt32;
                              b.op = 0xC4;
                            }),
                    kPool);
  integers.by(dtypes(kFp32, kInt32), "has_valid_integer_op_dtype", "in0_dtype", "fp32", "integer band");
  integers.by(dtypes(kInt32, kFp32), "has_valid_integer_op_dtype", "in1_dtype", "fp32", "integer band");
  integers.by([](auto& b) { b.out_dtype = kFp32; }, "has_valid_integer_op_dtype", "out_dtype", "fp32", "integer band");

  Breaking bits(all, tensor_tensor_bitvec(), kDve);
  bits.by(dtypes(kFp32r, kInt32), "is_valid_dtype", "in0_dtype", "fp32r", "fp32");
  bits.by(dtypes(kInt32, kFp32r), "is_valid_dtype", "in1_dtype", "fp32r", "fp32");
  bits.by(dtypes(kFp32, kInt32), "has_valid_bitvec_dtype", "in0_dtype", "fp32", "an integer type");
  bits.by(dtypes(kInt32, kFp32), "has_valid_bitvec_dtype", "in1_dtype", "fp32", "an integer type");
  bits.by([](auto& b) { b.out_dtype = kFp32; }, "has_valid_bitvec_dtype", "out_dtype", "fp32", "an integer type");
  bits.by(dtypes(kInt32, kInt16), "bitvec_same_size", "in1_dtype", "int16", "the size of int32");
  bits.by([](auto& b) { b.out_dtype = kUint8; }, "bitvec_same_size", "out_dtype", "uint8", "the size of int32");
  bits.by([](auto& b) { b.op = 0x04; }, "has_valid_tensor_tensor_op", "op", "add", "bitwise_and");

  Breaking packed(all, tensor_tensor_bf16(), kSunda);
  packed.by(dtypes(kFp16, kBf16), "has_valid_tensor_tensor_bf16_in_dtype", "in0_dtype", "fp16", "bf16");
  packed.by(dtypes(kBf16, kFp16), "has_valid_tensor_tensor_bf16_in_dtype", "in1_dtype", "fp16", "bf16");
  packed.by([](auto& b) { b.op = 0x05; }, "has_valid_tensor_tensor_bf16_op", "op", "subtract", "add");
  packed.by([](auto& b) { b.src0.step[0] = 2; }, "tensor_tensor_bf16_access_pattern_check", "src0.step_elem[0]", "2",
            "1");
  packed.by([](auto& b) { b.src1.num[0] = 127; }, "tensor_tensor_bf16_access_pattern_check", "src1.num_elem[0]", "127",
            "an even number");
  return all;
}

}  // namespace tpb::test
