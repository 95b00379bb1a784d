// Rules of what moves or inverts the elements of an S4D4_TR one by one.
#include "testbench/tests/isa/judging.h"

namespace tpb::test {
namespace {

const LegalityContext kPool = on(Engine::pool);
const LegalityContext kDve = on(Engine::dve);

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

TEST(CopyAndCast, ReciprocalAndTransposeAreTheVectorEngines) {
  for (std::uint8_t opcode : {std::uint8_t{0x48}, std::uint8_t{0x6B}}) {
    for (Generation generation : kGenerations) expect_legal(copy(opcode), on(Engine::dve, generation));
    expect_violation(copy(opcode), kPool, "engine_accepts_opcode", "engine", "pool", "dve");
    S4D4_TR bundle = copy(opcode);
    bundle.in_dtype = kBf16;
    bundle.out_dtype = kFp32r;
    expect_legal(bundle, kDve);
  }
}

}  // namespace

Mutations copy_mutations() {
  Mutations all;
  for (std::uint8_t opcode : {std::uint8_t{0x46}, std::uint8_t{0x47}, std::uint8_t{0x48}, std::uint8_t{0x6B}}) {
    every_s4d4_tr(all, copy(opcode), kDve);
    Breaking moved(all, copy(opcode), kDve);
    moved.by([](auto& b) { b.op_dim = 2; }, "s4d4_tr_unused_zero", "op_dim", "2", "0");
    moved.by([](auto& b) { b.dst.num[0] = 255; }, "same_element_count_t4d", "dst.num_elem", "255", "256 elements");
  }
  every_transpose(all, copy(0x6B), kDve);
  return all;
}

}  // namespace tpb::test
