// Rules of S4D4_TR and S3S3D3_TT.
#include "testbench/tests/isa/legal_bundles.h"

namespace tpb::test {
namespace {

const LegalityContext kPool = on(Engine::pool);
const LegalityContext kDve = on(Engine::dve);
const LegalityContext kSunda = on(Engine::pool, Generation::sunda);

using Codes = std::set<unsigned>;

// Which op bytes a bundle is legal with.
template <class BundleLayout>
Codes legal_ops(BundleLayout bundle, const LegalityContext& context) {
  Codes legal;
  for (unsigned op = 0; op < 256; ++op) {
    bundle.op = static_cast<std::uint8_t>(op);
    const auto violation = first_violation(bytes_of_bundle(bundle), context);
    if (!violation) legal.insert(op);
  }
  return legal;
}

Codes with(Codes a, const Codes& b) {
  a.insert(b.begin(), b.end());
  return a;
}

TEST(TensorReduce, ReservedBytesAndMask) {
  for (unsigned byte = 39; byte <= 43; ++byte) {
    Bundle bundle = bytes_of_bundle(reduce());
    bundle[byte] = 0xFF;
    expect_violation(bundle, kPool, "s4d4_tr_reserved_zero", "byte " + std::to_string(byte), "0xFF");
  }
  S4D4_TR bundle = reduce();
  bundle.mask_enable = 1;
  expect_violation(bundle, kPool, "mask_enable_zero", "mask_enable", "1", "0");
}

TEST(TensorReduce, Channels) {
  S4D4_TR bundle = reduce();
  bundle.num_active_channels = 129;
  expect_violation(bundle, kPool, "check_active_channels", "num_active_channels", "129", "1..128");
}

TEST(TensorReduce, Dtypes) {
  S4D4_TR bundle = reduce();
  bundle.in_dtype = kFp32r;
  expect_violation(bundle, kPool, "is_valid_dtype", "in_dtype", "fp32r");
  bundle.in_dtype = kFp32;
  bundle.out_dtype = kFp32r;
  expect_legal(bundle, kPool);
  bundle.out_dtype = 1;
  expect_violation(bundle, kPool, "is_valid_dtype", "out_dtype", "uint64");
}

// 00-16, 18-1B, 1D, 20, 21 and C8 are what the compiler's numbering reaches; 01-03 and 0A-11 of them are bit-vector.
const Codes kArith{0x00, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x12, 0x13, 0x14,
                   0x15, 0x16, 0x18, 0x19, 0x1A, 0x1B, 0x1D, 0x20, 0x21};
const Codes kBitvec{0x01, 0x02, 0x03, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11};

TEST(TensorReduce, ArithmeticOperators) {
  EXPECT_EQ(legal_ops(reduce(), kPool), kArith);
  EXPECT_EQ(legal_ops(reduce(), kDve), kArith);
  S4D4_TR bundle = reduce();
  bundle.op = 0x17;
  expect_violation(bundle, kPool, "has_valid_tensor_reduce_op", "op", "abs_diff", "add");
  bundle.op = 0x0B;
  expect_violation(bundle, kPool, "has_valid_tensor_reduce_op", "op", "bitwise_or");
  bundle.op = 0x25;
  expect_violation(bundle, kPool, "has_valid_tensor_reduce_op", "op", "0x25");
}

TEST(TensorReduce, ListedOperators) {
  LegalityContext listed = kPool;
  listed.semantics.reduce_operators = SemanticsOptions::ReduceOperators::listed;
  EXPECT_EQ(legal_ops(reduce(), listed),
            (Codes{0x00, 0x04, 0x05, 0x06, 0x08, 0x09, 0x12, 0x13, 0x14, 0x15, 0x16, 0x18, 0x19}));
  Codes without_not = kBitvec;
  without_not.erase(0x01);
  EXPECT_EQ(legal_ops(reduce_bitvec(), listed), without_not);
}

TEST(TensorReduce, RefusedDivisions) {
  LegalityContext refused = kPool;
  refused.semantics.divide = SemanticsOptions::Divide::refused;
  Codes expected = kArith;
  expected.erase(0x07);
  expected.erase(0x1B);
  EXPECT_EQ(legal_ops(reduce(), refused), expected);
  refused.engine = Engine::dve;
  expected.erase(0x1A);  // pow goes on DVE only
  EXPECT_EQ(legal_ops(reduce(), refused), expected);
}

TEST(TensorReduce, IntegerModulo) {
  S4D4_TR bundle = reduce();
  bundle.in_dtype = bundle.out_dtype = kInt32;
  EXPECT_EQ(legal_ops(bundle, kPool), with(kArith, {0xC8}));
  EXPECT_EQ(legal_ops(bundle, kDve), kArith);
  EXPECT_EQ(legal_ops(bundle, kSunda), kArith);
  bundle.op = 0xC8;
  bundle.in_dtype = kFp32;
  expect_violation(bundle, kPool, "has_valid_integer_op_dtype", "in_dtype", "fp32", "integer type");
  bundle.in_dtype = kUint8;
  bundle.out_dtype = kBf16;
  expect_violation(bundle, kPool, "has_valid_integer_op_dtype", "out_dtype", "bf16", "integer type");
}

TEST(TensorReduce, BitvecOperatorsAndDtypes) {
  EXPECT_EQ(legal_ops(reduce_bitvec(), kPool), kBitvec);
  S4D4_TR bundle = reduce_bitvec();
  bundle.op = 0x04;
  expect_violation(bundle, kPool, "has_valid_tensor_reduce_op", "op", "add", "bitwise_or");
  bundle = reduce_bitvec();
  bundle.in_dtype = kFp32;
  expect_violation(bundle, kPool, "has_valid_bitvec_dtype", "in_dtype", "fp32", "integer");
  bundle = reduce_bitvec();
  bundle.out_dtype = kFp32;
  expect_violation(bundle, kPool, "has_valid_bitvec_dtype", "out_dtype", "fp32", "integer");
  bundle.out_dtype = kInt16;
  expect_violation(bundle, kPool, "bitvec_same_size", "out_dtype", "int16", "int32");
  bundle.out_dtype = kUint32;
  expect_legal(bundle, kPool);
}

TEST(TensorReduce, Negation) {
  for (std::uint8_t opcode : {std::uint8_t{0x7C}, std::uint8_t{0x8C}, std::uint8_t{0x8D}}) {
    S4D4_TR bundle = opcode == 0x7C ? reduce() : reduce_bf16(opcode);
    bundle.negated = 1;
    expect_legal(bundle, kSunda);
    bundle.negated = 2;
    expect_violation(bundle, kSunda, "has_valid_negated", "negated", "2", "0 or 1");
  }
  S4D4_TR bundle = reduce_bitvec();
  bundle.negated = 1;
  expect_violation(bundle, kPool, "has_valid_negated", "negated", "1", "cannot negate");
}

TEST(TensorReduce, AxisAndCounts) {
  S4D4_TR bundle = reduce();
  bundle.src = {0, {1, 2, 6, 24}, {2, 3, 4, 5}};
  // Kept: 3 x 4 x 5, 4 x 5, 5, and one.
  const std::uint16_t kept[] = {60, 20, 5, 1};
  for (std::uint8_t axis = 2; axis <= 5; ++axis) {
    bundle.op_dim = axis;
    bundle.dst.num[0] = kept[axis - 2];
    expect_legal(bundle, kPool);
    bundle.dst.num[0] = static_cast<std::uint16_t>(kept[axis - 2] + 1);
    expect_violation(bundle, kPool, "tensor_reduce_element_count_check", "dst.num_elem",
                     std::to_string(kept[axis - 2] + 1), std::to_string(kept[axis - 2]) + " elements");
  }
  for (std::uint8_t axis : {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{6}, std::uint8_t{255}}) {
    bundle.op_dim = axis;
    expect_violation(bundle, kPool, "valid_subdim", "op_dim", std::to_string(axis));
  }
}

TEST(TensorReduce, Addresses) {
  S4D4_TR bundle = reduce();
  bundle.op_dim = 3;
  bundle.dst.num[0] = 1;
  bundle.src.start_addr = 0x2000'0000;
  expect_violation(bundle, kPool, "tensor_reduce_indirect_axis", "src.start_addr", "0x20000000", "axis X only");
  bundle.op_dim = 2;
  expect_violation(bundle, kPool, "indirection_not_modelled", "src.start_addr", "0x20000000");
  bundle = reduce();
  bundle.dst.start_addr = 0x8000'0001;
  expect_violation(bundle, kPool, "indirection_not_modelled", "dst.start_addr", "0x80000001", "address register");
  bundle = reduce();
  bundle.src.start_addr = 0x40000;
  expect_violation(bundle, kPool, "start_addr_active_channels", "src.start_addr", "0x00040000", "this is 1");
  bundle = reduce();
  bundle.dst.start_addr = 0x2001;
  expect_violation(bundle, kPool, "tensor4d_valid", "dst.start_addr", "0x00002001", "4 bytes");
}

TEST(TensorReduce, PoolStreamsHaveNoPsum) {
  S4D4_TR bundle = reduce();
  bundle.src.start_addr = 0x0200'0000;
  expect_violation(bundle, kPool, "tensor4d_valid", "src.start_addr", "0x02000000", "no PSUM");
  expect_legal(bundle, kDve);
  bundle = reduce();
  bundle.dst.start_addr = 0x0200'0000;
  expect_violation(bundle, kPool, "tensor4d_valid", "dst.start_addr", "0x02000000", "no PSUM");
  expect_legal(bundle, kDve);
}

TEST(TensorReduceBf16, InputIsBf16) {
  S4D4_TR bundle = reduce_bf16();
  bundle.in_dtype = kFp16;
  expect_violation(bundle, kSunda, "has_valid_tensor_reduce_bf16_in_dtype", "in_dtype", "fp16", "bf16");
  bundle = reduce_bf16();
  bundle.out_dtype = kFp32r;
  expect_legal(bundle, kSunda);
  bundle.out_dtype = 0;
  expect_violation(bundle, kSunda, "is_valid_dtype", "out_dtype", "0x00");
}

TEST(TensorReduceBf16, PairsMustBeWhole) {
  S4D4_TR bundle = reduce_bf16();
  bundle.src.start_addr = 2;
  expect_violation(bundle, kSunda, "tensor_reduce_bf16_access_pattern_check", "src.start_addr", "0x00000002",
                   "4 bytes");
  bundle = reduce_bf16();
  bundle.src.num[0] = 31;
  expect_violation(bundle, kSunda, "tensor_reduce_bf16_access_pattern_check", "src.num_elem[0]", "31", "even");
  bundle = reduce_bf16();
  bundle.src.step[0] = 2;
  expect_violation(bundle, kSunda, "tensor_reduce_bf16_access_pattern_check", "src.step_elem[0]", "2", "1");
  bundle = reduce_bf16();
  bundle.src.step[1] = 33;  // higher steps are free
  expect_legal(bundle, kSunda);
}

TEST(TensorReduceBf16, TheOpByteIsNotChecked) {
  S4D4_TR bundle = reduce_bf16();
  for (unsigned op = 0; op < 256; ++op) {
    bundle.op = static_cast<std::uint8_t>(op);
    expect_legal(bundle, kSunda);
  }
}

TEST(TensorReduceBf16, PsumOnEitherEngine) {
  S4D4_TR bundle = reduce_bf16();
  bundle.src.start_addr = 0x0200'0000;
  bundle.dst.start_addr = 0x0200'1000;
  expect_legal(bundle, kSunda);
  expect_legal(bundle, on(Engine::dve, Generation::sunda));
  bundle.out_dtype = kBf16;
  expect_violation(bundle, kSunda, "tensor4d_valid", "out_dtype", "bf16", "4-byte type");
}

TEST(CopyAndCast, ReductionFieldsAreZero) {
  for (std::uint8_t opcode : {std::uint8_t{0x46}, std::uint8_t{0x47}}) {
    S4D4_TR bundle = copy(opcode);
    bundle.negated = 1;
    expect_violation(bundle, kPool, "s4d4_tr_unused_zero", "negated", "1", "0");
    bundle = copy(opcode);
    bundle.op = 4;
    expect_violation(bundle, kPool, "s4d4_tr_unused_zero", "op", "0x04", "0");
    bundle = copy(opcode);
    bundle.op_dim = 2;
    expect_violation(bundle, kPool, "s4d4_tr_unused_zero", "op_dim", "2", "0");
  }
}

TEST(CopyAndCast, CountsAndDtypes) {
  S4D4_TR bundle = copy();
  bundle.dst.num[0] = 255;
  expect_violation(bundle, kPool, "same_element_count_t4d", "dst.num_elem", "255", "256 elements (src)");
  bundle = copy();
  bundle.in_dtype = kBf16;
  expect_legal(bundle, kPool);
  bundle.in_dtype = kFp32r;
  expect_violation(bundle, kPool, "is_valid_dtype", "in_dtype", "fp32r");
  bundle = copy();
  bundle.src.start_addr = 0x0200'0000;
  expect_violation(bundle, kPool, "tensor4d_valid", "src.start_addr", "0x02000000", "no PSUM");
  expect_legal(bundle, on(Engine::act));
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

// ---- what every instruction of a layout has in common --------------------------------------------------------------

struct Case {
  const char* name;
  S4D4_TR bundle;
  LegalityContext context;
  bool dtype_is_pinned;  // the input's
};

const Case kReductionsAndCopies[] = {{"reduce", reduce(), kDve, false},
                                     {"reduce_bitvec", reduce_bitvec(), kDve, false},
                                     {"reduce_bf16", reduce_bf16(), kSunda, true},
                                     {"copy", copy(), kDve, false}};

TEST(EveryS4d4Tr, FieldsAndOperands) {
  for (const Case& test : kReductionsAndCopies) {
    SCOPED_TRACE(test.name);
    const LegalityContext& context = test.context;
    S4D4_TR bundle = test.bundle;
    bundle.num_active_channels = 129;
    expect_violation(bundle, context, "check_active_channels", "num_active_channels", "129");
    bundle = test.bundle;
    bundle.reserved1[4] = 1;
    expect_violation(bundle, context, "s4d4_tr_reserved_zero", "byte 43", "0x01");
    bundle = test.bundle;
    bundle.mask_enable = 1;
    expect_violation(bundle, context, "mask_enable_zero", "mask_enable", "1");
    if (!test.dtype_is_pinned) {
      bundle = test.bundle;
      bundle.in_dtype = kFp32r;
      expect_violation(bundle, context, "is_valid_dtype", "in_dtype", "fp32r");
    }
    bundle = test.bundle;
    bundle.out_dtype = 0x0C;
    expect_violation(bundle, context, "is_valid_dtype", "out_dtype", "int64");
    bundle = test.bundle;
    bundle.src.start_addr = 0x40000;
    expect_violation(bundle, context, "start_addr_active_channels", "src.start_addr", "0x00040000");
    bundle = test.bundle;
    bundle.dst.start_addr = 0x40000;
    expect_violation(bundle, context, "start_addr_active_channels", "dst.start_addr", "0x00040000");
    bundle = test.bundle;
    bundle.src.start_addr = 0x8000'0001;
    expect_violation(bundle, context, "indirection_not_modelled", "src.start_addr", "0x80000001");
    bundle = test.bundle;
    bundle.dst.start_addr = 0x8000'0001;
    expect_violation(bundle, context, "indirection_not_modelled", "dst.start_addr", "0x80000001");
    bundle = test.bundle;
    bundle.src.num[3] = 0;
    expect_violation(bundle, context, "tensor4d_valid", "src.num_elem[3]", "0");
    bundle = test.bundle;
    bundle.dst.num[3] = 0;
    expect_violation(bundle, context, "tensor4d_valid", "dst.num_elem[3]", "0");
  }
}

TEST(EveryReduction, AxisIndirectionAndCount) {
  for (const Case& test : kReductionsAndCopies) {
    if (std::string_view(test.name) == "copy") continue;
    SCOPED_TRACE(test.name);
    S4D4_TR bundle = test.bundle;
    bundle.op_dim = 6;
    expect_violation(bundle, test.context, "valid_subdim", "op_dim", "6");
    bundle = test.bundle;
    bundle.op_dim = 3;
    bundle.src.start_addr = 0x2000'0000;
    expect_violation(bundle, test.context, "tensor_reduce_indirect_axis", "src.start_addr", "0x20000000");
    bundle = test.bundle;
    bundle.dst.num[0] = 9;
    expect_violation(bundle, test.context, "tensor_reduce_element_count_check", "dst.num_elem", "9", "8 elements");
  }
}

TEST(EveryS3s3d3Tt, FieldsAndOperands) {
  const std::pair<S3S3D3_TT, LegalityContext> cases[] = {{tensor_tensor(), kDve}, {tensor_tensor_bf16(), kSunda}};
  for (const auto& [legal, context] : cases) {
    SCOPED_TRACE(unsigned{legal.frame.opcode});
    S3S3D3_TT bundle = legal;
    bundle.num_active_channels = 0;
    expect_violation(bundle, context, "check_active_channels", "num_active_channels", "0");
    bundle = legal;
    bundle.out_dtype = 0x0C;
    expect_violation(bundle, context, "is_valid_dtype", "out_dtype", "int64");
    TensorDescriptor<3> S3S3D3_TT::*const operands[] = {&S3S3D3_TT::src0, &S3S3D3_TT::src1, &S3S3D3_TT::dst};
    const std::string names[] = {"src0", "src1", "dst"};
    for (unsigned i = 0; i < 3; ++i) {
      bundle = legal;
      (bundle.*operands[i]).start_addr = 0x40000;
      expect_violation(bundle, context, "start_addr_active_channels", names[i] + ".start_addr", "0x00040000");
      (bundle.*operands[i]).start_addr = 0x2000'0000;
      expect_violation(bundle, context, "indirection_not_modelled", names[i] + ".start_addr", "0x20000000");
      bundle = legal;
      (bundle.*operands[i]).num[2] = 0;
      expect_violation(bundle, context, "tensor3d_valid", names[i] + ".num_elem[2]", "0");
    }
    bundle = legal;
    bundle.src1.num[0] = 126;
    expect_violation(bundle, context, "same_element_count_t3d", "src1.num_elem", "126", "128 elements (src0)");
    bundle = legal;
    bundle.dst.num[0] = 31;
    expect_violation(bundle, context, "same_element_count_t3d", "dst.num_elem", "124", "128 elements (src0)");
  }
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

}  // namespace
}  // namespace tpb::test
