// Rules of S4D4_TR.
#include "testbench/tests/isa/judging.h"

namespace tpb::test {
namespace {

const LegalityContext kPool = on(Engine::pool);
const LegalityContext kDve = on(Engine::dve);
const LegalityContext kSunda = on(Engine::pool, Generation::sunda);

Codes legal_ops(const S4D4_TR& bundle, const LegalityContext& context) {
  return legal_values(bundle, &S4D4_TR::op, context);
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

TEST(TensorReduce, TransposingFormsUnderArch) {
  const LegalityContext dve = arch(kDve);
  EXPECT_EQ(legal_ops(reduce(0x83), dve), kArith);
  EXPECT_EQ(legal_ops(reduce_bitvec(0x84), dve), kBitvec);
  // Where 83 reduces over partitions it has the fields of that.
  expect_violation(reduce(0x83), kPool, "s4d4_cr_reserved_zero", "byte 37", "0x02");
  expect_violation(reduce(0x83), arch(kPool), "engine_accepts_opcode", "engine", "pool", "dve");
  S4D4_TR bundle = reduce(0x83);
  bundle.num_active_channels = 32;
  bundle.src.start_addr = 96 * 0x40000;
  expect_legal(bundle, dve);
  // The forms that do not transpose take any number of partitions and elements.
  bundle = reduce(0x42);
  bundle.num_active_channels = 33;
  bundle.src.num[0] = 31;
  expect_legal(bundle, dve);
}

void every_reduction(Mutations& all, const S4D4_TR& legal, const LegalityContext& context) {
  Breaking any(all, legal, context);
  any.by([](auto& b) { b.op_dim = 6; }, "valid_subdim", "op_dim", "6", "2 (X), 3 (XY), 4 (XYZ) or 5 (XYZW)");
  any.by([](auto& b) { b.negated = 2; }, "has_valid_negated", "negated", "2", "0");
  any.by([](auto& b) { b.dst.num[0] = 9; }, "tensor_reduce_element_count_check", "dst.num_elem", "9", "8 elements");
  Breaking two_axes(all,
                    changed(legal,
                            [](auto& b) {
                              b.op_dim = 3;
                              b.dst.num[0] = 1;
                            }),
                    context);
  two_axes.by([](auto& b) { b.src.start_addr = 0x2000'0000; }, "tensor_reduce_indirect_axis", "src.start_addr",
              "0x20000000", "axis X only");
}

void every_bitvec(Mutations& all, const S4D4_TR& legal, const LegalityContext& context) {
  Breaking bits(all, legal, context);
  bits.by([](auto& b) { b.op = 0x04; }, "has_valid_tensor_reduce_op", "op", "add", "bitwise_or");
  bits.by([](auto& b) { b.in_dtype = kFp32; }, "has_valid_bitvec_dtype", "in_dtype", "fp32", "an integer type");
  bits.by([](auto& b) { b.out_dtype = kFp32; }, "has_valid_bitvec_dtype", "out_dtype", "fp32", "an integer type");
  bits.by([](auto& b) { b.out_dtype = kInt16; }, "bitvec_same_size", "out_dtype", "int16", "the size of int32");
}

}  // namespace

void every_s4d4_tr(Mutations& all, const S4D4_TR& legal, const LegalityContext& context, bool input_is_pinned) {
  Breaking any(all, legal, context);
  any.channels();
  any.reserved(39, 43, "s4d4_tr_reserved_zero");
  any.by([](auto& b) { b.mask_enable = 1; }, "mask_enable_zero", "mask_enable", "1", "0");
  if (!input_is_pinned) any.input_dtype(&S4D4_TR::in_dtype, "in_dtype");
  any.output_dtype(&S4D4_TR::out_dtype, "out_dtype");
  any.operand(&S4D4_TR::src, "src", "tensor4d_valid", "start_addr_active_channels",
              input_is_pinned ? "tensor_reduce_bf16_access_pattern_check" : "");
  any.operand(&S4D4_TR::dst, "dst", "tensor4d_valid");
}

void every_transpose(Mutations& all, const S4D4_TR& legal, const LegalityContext& context) {
  Breaking blocks(all, changed(legal, [](auto& b) { b.num_active_channels = 64; }), context);
  blocks.by([](auto& b) { b.num_active_channels = 48; }, "transpose_block_check", "num_active_channels", "48",
            "a multiple of 32");
}

Mutations tensor_reduce_mutations() {
  Mutations all;
  const LegalityContext transposing = arch(kDve);
  const std::pair<S4D4_TR, LegalityContext> reductions[] = {
      {reduce(), kDve}, {reduce(0x83), transposing}, {reduce_bitvec(), kDve}, {reduce_bitvec(0x84), transposing}};
  for (const auto& [legal, context] : reductions) {
    every_s4d4_tr(all, legal, context);
    every_reduction(all, legal, context);
  }
  every_s4d4_tr(all, reduce_bf16(), kSunda, true);
  every_reduction(all, reduce_bf16(), kSunda);

  for (const auto& [legal, context] : {reductions[0], reductions[1]}) {
    Breaking sum(all, legal, context);
    sum.by([](auto& b) { b.op = 0x0B; }, "has_valid_tensor_reduce_op", "op", "bitwise_or", "add");
  }
  Breaking modulo(all,
                  changed(reduce(),
                          [](auto& b) {
                            b.op = 0xC8;
                            b.in_dtype = b.out_dtype = kInt32;
                          }),
                  kPool);
  modulo.by([](auto& b) { b.in_dtype = kFp32; }, "has_valid_integer_op_dtype", "in_dtype", "fp32", "integer band");
  modulo.by([](auto& b) { b.out_dtype = kBf16; }, "has_valid_integer_op_dtype", "out_dtype", "bf16", "integer band");
  for (const auto& [legal, context] : {reductions[2], reductions[3]}) every_bitvec(all, legal, context);

  every_transpose(all, reduce(0x83), transposing);
  every_transpose(all, reduce_bitvec(0x84), transposing);
  Breaking rows(all, reduce(0x83), transposing);
  rows.by([](auto& b) { b.src.num[0] = 33; }, "transpose_block_check", "src.num_elem", "264", "a multiple of 32");
  Breaking words(all, reduce_bitvec(0x84), transposing);
  words.by([](auto& b) { b.in_dtype = b.out_dtype = kInt16; }, "transpose_bitvec_dtype", "in_dtype", "int16",
           "int32 or uint32");

  Breaking packed(all, reduce_bf16(), kSunda);
  packed.by([](auto& b) { b.in_dtype = kFp16; }, "has_valid_tensor_reduce_bf16_in_dtype", "in_dtype", "fp16", "bf16");
  packed.by([](auto& b) { b.src.num[0] = 31; }, "tensor_reduce_bf16_access_pattern_check", "src.num_elem[0]", "31",
            "an even number");
  return all;
}

}  // namespace tpb::test
