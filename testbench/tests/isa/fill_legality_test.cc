// Rules of Memset and Iota.
#include "testbench/tests/isa/judging.h"

namespace tpb::test {
namespace {

const LegalityContext kPool = on(Engine::pool);
const LegalityContext kDve = on(Engine::dve);

TEST(Fill, Engines) {
  for (Generation generation : kGenerations) {
    expect_legal(memset(), on(Engine::pool, generation));
    expect_legal(memset(), on(Engine::dve, generation));
    expect_legal(iota(), on(Engine::pool, generation));
  }
  expect_violation(memset(), on(Engine::act), "engine_accepts_opcode", "engine", "act", "dve, pool");
  expect_violation(iota(), kDve, "engine_accepts_opcode", "engine", "dve", "pool");
}

TEST(Fill, PsumIsTheVectorEngines) {
  D4_MR bundle = memset();
  bundle.dst.start_addr = kPsumBase;
  expect_legal(bundle, kDve);
  expect_violation(bundle, kPool, "tensor4d_valid", "dst.start_addr", "0x02000000", "no PSUM");
}

TEST(Fill, EveryOutputDtype) {
  const Codes outputs{0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0x9, 0xA, 0xB, 0xD, 0xE, 0xF};
  EXPECT_EQ(legal_values(memset(), &D4_MR::out_dtype, kPool), outputs);
  EXPECT_EQ(legal_values(iota(), &D4_IOTA::out_dtype, kPool), outputs);
}

}  // namespace

Mutations fill_mutations() {
  Mutations all;
  Breaking constant(all, memset(), kPool);
  constant.channels();
  constant.reserved(12, 32, "d4_mr_reserved_zero");
  constant.reserved(35, 39, "d4_mr_reserved_zero");
  constant.output_dtype(&D4_MR::out_dtype, "out_dtype");
  constant.operand(&D4_MR::dst, "dst", "tensor4d_valid");

  Breaking counting(all, iota(), kPool);
  counting.channels();
  counting.reserved(12, 15, "d4_iota_reserved_zero");
  counting.reserved(35, 35, "d4_iota_reserved_zero");
  counting.reserved(42, 43, "d4_iota_reserved_zero");
  counting.by([](auto& b) { b.in_dtype = kInt32; }, "has_valid_iota_in_dtype", "in_dtype", "8", "0");
  counting.output_dtype(&D4_IOTA::out_dtype, "out_dtype");
  counting.operand(&D4_IOTA::dst, "dst", "tensor4d_valid");
  for (unsigned d = 0; d < 4; ++d) {
    counting.by([=](auto& b) { b.num[d] = 5; }, "iota_counts_check", fmt::format("num_elem[{}]", d), "5",
                fmt::format("(dst.num_elem[{}])", d));
  }
  return all;
}

}  // namespace tpb::test
