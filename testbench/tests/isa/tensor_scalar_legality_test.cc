// Rules of TensorScalar, its accumulating forms, and the read of what those leave.
#include "testbench/tests/isa/judging.h"

namespace tpb::test {
namespace {

const LegalityContext kPool = on(Engine::pool);
const LegalityContext kDve = on(Engine::dve);
const LegalityContext kAct = on(Engine::act);

constexpr std::uint8_t kAdd = 0x04, kMult = 0x06, kRsqrt = 0x1D;

// 00 04 05 06 08 09 12-19 20 21 22, and 07 1A 1B where they are not refused.
const Codes kElementwise{0x00, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x12, 0x13, 0x14,
                         0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x20, 0x21, 0x22};
const Codes kBitvec{0x01, 0x02, 0x03, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11};
const Codes kFolds{0x04, 0x05, 0x06, 0x08, 0x09};

const auto operations = [](unsigned op0, unsigned op1) {
  return [=](S3D3_TS& b) {
    b.op0 = static_cast<std::uint8_t>(op0);
    b.op1 = static_cast<std::uint8_t>(op1);
  };
};
const auto one_operation = [](S3D3_TS& b) { b.op1 = 0, b.imm1 = 0; };

TEST(TensorScalar, Operators) {
  for (auto field : {&S3D3_TS::op0, &S3D3_TS::op1}) {
    EXPECT_EQ(legal_values(tensor_scalar(), field, kDve), kElementwise);
    EXPECT_EQ(legal_values(tensor_scalar(), field, on(Engine::dve, Generation::mariana)), with(kElementwise, {0x23}));
    LegalityContext refused = kDve;
    refused.semantics.divide = SemanticsOptions::Divide::refused;
    EXPECT_EQ(legal_values(tensor_scalar(), field, refused), without(kElementwise, {0x07, 0x1A, 0x1B}));
  }
  EXPECT_EQ(legal_values(tensor_scalar_bitvec(), &S3D3_TS::op0, kDve), kBitvec);
  EXPECT_EQ(legal_values(tensor_scalar_bitvec(), &S3D3_TS::op1, kDve), kBitvec);
  expect_violation(tensor_scalar_bitvec(), kPool, "engine_accepts_opcode", "engine", "pool", "dve");
}

TEST(TensorScalar, NoSecondOperationIsBypassOfZero) {
  expect_legal(changed(tensor_scalar(), one_operation), kDve);
  expect_legal(changed(tensor_scalar_bitvec(), one_operation), kDve);
  S3D3_TS bundle = changed(tensor_scalar_bitvec(), one_operation);
  bundle.imm1_src = 1;  // an immediate makes it a bypass, which is arithmetic
  expect_violation(bundle, kDve, "has_valid_tensor_scalar_op", "op1", "bypass", "bitwise_and");
  bundle = changed(tensor_scalar(), one_operation);
  bundle.imm1 = 1;
  bundle.reverse = 3;
  expect_legal(bundle, kDve);
}

// Every pair of operations that a stream other than the vector engine's accepts; op1 -1 is none.
std::set<std::pair<int, int>> pairs(const LegalityContext& context) {
  std::set<std::pair<int, int>> legal;
  for (int op0 = 0; op0 < 256; ++op0) {
    for (int op1 = -1; op1 < 256; ++op1) {
      S3D3_TS bundle = tensor_scalar();
      operations(static_cast<unsigned>(op0), static_cast<unsigned>(std::max(op1, 0)))(bundle);
      if (op1 < 0) bundle.imm1 = 0;
      if (!first_violation(bytes_of_bundle(bundle), context)) legal.emplace(op0, op1);
    }
  }
  return legal;
}

TEST(TensorScalar, OtherEngines) {
  EXPECT_EQ(pairs(kAct), (std::set<std::pair<int, int>>{{kMult, kAdd}, {kMult, -1}, {kAdd, -1}}));
  EXPECT_EQ(pairs(kPool), (std::set<std::pair<int, int>>{{kRsqrt, -1}, {kRsqrt, kRsqrt}}));
  expect_violation(tensor_scalar(), on(Engine::act, Generation::sunda), "engine_accepts_opcode", "engine", "act",
                   "dve, pool");
}

TEST(TensorScalar, ImmediatesInMemory) {
  S3D3_TS bundle = tensor_scalar();
  bundle.imm0_src = bundle.imm1_src = 1;
  bundle.imm0 = 0x3000;
  bundle.imm1 = kPsumBase + 4;
  expect_legal(bundle, kDve);
  bundle.imm0_src = bundle.imm1_src = 2;
  bundle.imm0 = 0;
  bundle.imm1 = 63;
  expect_legal(bundle, kDve);
  // A Pool stream has no PSUM.
  bundle = changed(tensor_scalar(), one_operation);
  bundle.op0 = kRsqrt;
  bundle.imm0_src = 1;
  bundle.imm0 = kPsumBase;
  expect_violation(bundle, kPool, "is_valid_tensor_scalar_immediate", "imm0.start_addr", "0x02000000", "no PSUM");
}

TEST(TensorScalar, Reversal) {
  EXPECT_EQ(legal_values(tensor_scalar(), &S3D3_TS::reverse, kDve), (Codes{0, 1, 2, 3}));
  EXPECT_EQ(legal_values(changed(tensor_scalar(), one_operation), &S3D3_TS::reverse, kDve), (Codes{0, 1}));
  EXPECT_EQ(legal_values(cache_reduce(), &S3D3_TS::reverse, kDve), Codes{0});
  EXPECT_EQ(legal_values(cumulative(), &S3D3_TS::reverse, kDve), Codes{0});
}

TEST(AccumulatingForms, CommandsOperatorsAndDtypes) {
  EXPECT_EQ(legal_values(tensor_scalar(), &S3D3_TS::accumulator_cmd, kDve), Codes{0});
  EXPECT_EQ(legal_values(cache_reduce(), &S3D3_TS::accumulator_cmd, kDve), Codes{3});
  EXPECT_EQ(legal_values(cumulative(), &S3D3_TS::accumulator_cmd, kDve), (Codes{2, 3, 4}));
  for (const S3D3_TS& legal : {cache_reduce(), cumulative()}) {
    for (Generation generation : kGenerations) expect_legal(legal, on(Engine::dve, generation));
    EXPECT_EQ(legal_values(legal, &S3D3_TS::op0, kDve), kElementwise);
    EXPECT_EQ(legal_values(legal, &S3D3_TS::op1, kDve), kFolds);
    const Codes dtypes{0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0xA, 0xD, 0xE, 0xF};
    EXPECT_EQ(legal_values(legal, &S3D3_TS::in_dtype, kDve), dtypes);
    EXPECT_EQ(legal_values(legal, &S3D3_TS::out_dtype, kDve), with(dtypes, {kFp32r}));
  }
}

TEST(AccumulatingForms, OnlyALoadedRegisterHasASecondImmediate) {
  S3D3_TS bundle = cumulative();
  bundle.accumulator_cmd = 4;
  bundle.imm1 = std::bit_cast<std::uint32_t>(1.0F);
  expect_legal(bundle, kDve);
  bundle.imm1_src = 1;
  bundle.imm1 = 0x3000;
  expect_legal(bundle, kDve);
}

void every_s3d3_ts(Mutations& all, const S3D3_TS& legal) {
  Breaking any(all, legal, kDve);
  any.channels();
  any.reserved(13, 15, "s3d3_ts_reserved_zero");
  any.input_dtype(&S3D3_TS::in_dtype, "in_dtype");
  any.output_dtype(&S3D3_TS::out_dtype, "out_dtype");
  any.by([](auto& b) { b.op0 = 0x1C; }, "has_valid_tensor_scalar_op", "op0", "crc32", "");
  any.by([](auto& b) { b.reverse = 4; }, "has_valid_reverse", "reverse", "4", "0");
  any.operand(&S3D3_TS::src, "src", "tensor3d_valid");
  any.operand(&S3D3_TS::dst, "dst", "tensor3d_valid");
  any.by([](auto& b) { b.dst.num[0] = 127; }, "same_element_count_t3d", "dst.num_elem", "127", "128 elements (src)");
}

// Of an immediate that a bundle uses.
void immediate(Mutations& all, const S3D3_TS& legal, std::uint8_t S3D3_TS::*source, std::uint32_t S3D3_TS::*value,
               const std::string& name) {
  const std::string rule = "is_valid_tensor_scalar_immediate";
  const auto from = [&](std::uint8_t code, std::uint32_t bits) {
    return changed(legal, [&](auto& b) { b.*source = code, b.*value = bits; });
  };
  Breaking any(all, legal, kDve);
  any.by([&](auto& b) { b.*source = 3; }, rule, name + "_src", "3", "0 (instruction), 1 (pointer)");
  Breaking in_register(all, from(2, 63), kDve);
  in_register.by([&](auto& b) { b.*value = 64; }, rule, name, "64", "a register, 0..63");
  Breaking pointer(all, from(1, 0x3000), kDve);
  pointer.by([&](auto& b) { b.*value = 0x3002; }, rule, name + ".start_addr", "0x00003002", "a multiple of 4 bytes");
  pointer.by([&](auto& b) { b.*value = 0x4'3000; }, rule, name + ".start_addr", "0x00043000", "this is 1");
  pointer.by([&](auto& b) { b.*value = 0x2000'0000; }, rule, name + ".start_addr", "0x20000000", "not modelled");
  pointer.by([&](auto& b) { b.*value = 192 * 1024; }, rule, name, "bytes 196608..196611 of a partition", "0..196607");
}

void accumulating(Mutations& all, const S3D3_TS& legal, const std::string& commands) {
  Breaking any(all, legal, kDve);
  any.by([](auto& b) { b.in_dtype = kInt32; }, "has_valid_tensor_scalar_cache_reduce_dtype", "in_dtype", "int32",
         "other than int32 and uint32");
  any.by([](auto& b) { b.out_dtype = kUint32; }, "has_valid_tensor_scalar_cache_reduce_dtype", "out_dtype", "uint32",
         "other than int32 and uint32");
  any.by([](auto& b) { b.op1 = 0x07; }, "has_valid_tensor_scalar_cache_reduce_op", "op1", "divide",
         "add, subtract, mult, max, min");
  any.by([](auto& b) { b.accumulator_cmd = 1; }, "has_valid_tensor_scalar_cache_reduce_accum_cmd", "accumulator_cmd",
         "1", commands);
  any.by([](auto& b) { b.reverse = 1; }, "has_valid_reverse", "reverse", "1", "do not support it yet");
  any.by([](auto& b) { b.imm1 = 1; }, "s3d3_ts_unused_zero", "imm1", "0x00000001", "load_reduce alone");
  any.by([](auto& b) { b.imm1_src = 1; }, "s3d3_ts_unused_zero", "imm1_src", "1", "0");
}

}  // namespace

Mutations tensor_scalar_mutations() {
  Mutations all;
  for (const S3D3_TS& legal : {tensor_scalar(), tensor_scalar_bitvec(), cache_reduce(), cumulative()}) {
    every_s3d3_ts(all, legal);
    immediate(all, legal, &S3D3_TS::imm0_src, &S3D3_TS::imm0, "imm0");
  }
  const S3D3_TS load = changed(cumulative(), [](auto& b) { b.accumulator_cmd = 4; });
  for (const S3D3_TS& legal : {tensor_scalar(), tensor_scalar_bitvec(), load}) {
    immediate(all, legal, &S3D3_TS::imm1_src, &S3D3_TS::imm1, "imm1");
  }
  accumulating(all, cache_reduce(), "3 (reset_reduce)");
  accumulating(all, cumulative(), "2 (reduce), 3 (reset_reduce) or 4 (load_reduce)");

  for (const S3D3_TS& legal : {tensor_scalar(), tensor_scalar_bitvec()}) {
    Breaking two(all, legal, kDve);
    two.by([](auto& b) { b.accumulator_cmd = 3; }, "has_valid_tensor_scalar_accum_cmd", "accumulator_cmd", "3",
           "0 (idle)");
    Breaking one(all, changed(legal, one_operation), kDve);
    one.by([](auto& b) { b.reverse = 2; }, "has_valid_reverse", "reverse", "2", "0 or 1: there is no op1");
  }
  Breaking linear(all, tensor_scalar(), kDve);
  linear.by([](auto& b) { b.op0 = kRsqrt; }, "has_valid_tensor_scalar_op", "op0", "rsqrt", "relu");
  linear.by([](auto& b) { b.op1 = 0x0A; }, "has_valid_tensor_scalar_op", "op1", "bitwise_and", "relu");
  Breaking on_act(all, tensor_scalar(), kAct);
  on_act.by(operations(kMult, 0x05), "tensor_scalar_engine_op_comb", "op0,op1", "mult,subtract", "mult and add");
  on_act.by(operations(kAdd, kMult), "tensor_scalar_engine_op_comb", "op0,op1", "add,mult", "on act");
  on_act.in(kPool, "tensor_scalar_engine_op_comb", "op0,op1", "mult,add", "rsqrt alone on pool");
  Breaking on_pool(all, changed(tensor_scalar(), [](auto& b) { b.op0 = kRsqrt, one_operation(b); }), kPool);
  on_pool.by([](auto& b) { b.op0 = kMult; }, "tensor_scalar_engine_op_comb", "op0,op1", "mult,none", "rsqrt");

  Breaking bits(all, tensor_scalar_bitvec(), kDve);
  bits.by([](auto& b) { b.in_dtype = kFp32; }, "has_valid_bitvec_dtype", "in_dtype", "fp32", "an integer type");
  bits.by([](auto& b) { b.out_dtype = kFp32; }, "has_valid_bitvec_dtype", "out_dtype", "fp32", "an integer type");
  bits.by([](auto& b) { b.out_dtype = kInt16; }, "bitvec_same_size", "out_dtype", "int16", "the size of int32");
  bits.by(operations(kAdd, 0x0B), "has_valid_tensor_scalar_op", "op0", "add", "bitwise_and");
  bits.by(operations(0x0A, kAdd), "has_valid_tensor_scalar_op", "op1", "add", "bitwise_and");

  Breaking read(all, read_accumulator(), kDve);
  read.channels();
  read.reserved(12, 32, "d1_rd_reserved_zero");
  read.reserved(35, 47, "d1_rd_reserved_zero");
  read.output_dtype(&D1_RD::out_dtype, "out_dtype");
  read.operand(&D1_RD::dst, "dst", "tensor3d_valid");
  read.by([](auto& b) { b.dst.num[0] = 2; }, "read_accumulator_element_count_check", "dst.num_elem", "2", "1");
  return all;
}

}  // namespace tpb::test
