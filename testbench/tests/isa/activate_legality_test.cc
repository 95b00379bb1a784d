// Rules of Activate and of the read of what its reductions leave.
#include "testbench/tests/isa/judging.h"

namespace tpb::test {
namespace {

const LegalityContext kAct = on(Engine::act);

constexpr std::uint8_t kPrelu = 4;
constexpr std::uint8_t kPointer = 1, kRegister = 2;

S3D3_AC prelu() {
  return changed(activate(), [](auto& b) { b.func = kPrelu, b.imm = std::bit_cast<std::uint32_t>(0.25F); });
}
S3D3_AC biased(std::uint8_t source, std::uint32_t bias, std::uint8_t dtype = kFp32) {
  return changed(activate(), [&](auto& b) {
    b.bias_src = source, b.bias = bias;
    b.in_bias_dtype = static_cast<std::uint8_t>(kFp32 | dtype << 4);
  });
}
S3D3_AC scaled(std::uint8_t source, std::uint32_t scale) {
  return changed(activate(), [&](auto& b) { b.scale_src = source, b.scale = scale; });
}

D1_RD read_act_accumulator() {
  return changed(read_accumulator(), [](auto& b) { b.frame.opcode = 0x24; });
}

TEST(Activation, IsTheActivationEngines) {
  for (Generation generation : kGenerations) {
    expect_legal(activate(), on(Engine::act, generation));
    expect_legal(read_act_accumulator(), on(Engine::act, generation));
  }
  for (Engine engine : {Engine::pe, Engine::dve, Engine::pool}) {
    expect_violation(activate(), on(engine), "engine_accepts_opcode", "engine", name_of(engine), "act");
    expect_violation(read_act_accumulator(), on(engine), "engine_accepts_opcode", "engine", name_of(engine), "act");
  }
}

TEST(Activation, HasTwentyOneFunctions) {
  Codes functions;
  for (unsigned code = 0; code <= 20; ++code) functions.insert(code);
  EXPECT_EQ(legal_values(activate(), &S3D3_AC::func, kAct), functions);
  // Only one of them has a slope.
  EXPECT_EQ(legal_values(prelu(), &S3D3_AC::func, kAct), Codes{kPrelu});
}

TEST(Activation, CommandsAndOperatorsOfTheAccumulators) {
  // Idle has no operator; reset, reduce and reset_reduce add, or take the largest or the smallest.
  const Codes legal{0x00, 0x01, 0x02, 0x03, 0x11, 0x12, 0x13, 0x21, 0x22, 0x23};
  EXPECT_EQ(legal_values(activate(), &S3D3_AC::accum_cmd, kAct), legal);
}

TEST(Activation, BiasDtypes) {
  const auto in_memory = [](std::uint8_t source, std::uint32_t bias) {
    Codes dtypes;
    for (std::uint8_t dtype = 0; dtype < 16; ++dtype) {
      if (!first_violation(bytes_of_bundle(biased(source, bias, dtype)), kAct)) dtypes.insert(dtype);
    }
    return dtypes;
  };
  EXPECT_EQ(in_memory(0, 0), Codes{kFp32});
  EXPECT_EQ(in_memory(kPointer, 0x3000), (Codes{kFp32, kFp16, kBf16}));
  EXPECT_EQ(in_memory(kRegister, 63), (Codes{kFp32, kFp16, kBf16}));
  expect_legal(biased(kPointer, 0x3002, kFp16), kAct);
}

TEST(Activation, ScalarsInMemory) {
  expect_legal(scaled(kPointer, 0x3000), kAct);
  expect_legal(scaled(kRegister, 0), kAct);
  expect_legal(biased(kPointer, kPsumBase + 4), kAct);
}

TEST(Activation, MayUsePsum) {
  S3D3_AC bundle = activate();
  bundle.src.start_addr = kPsumBase;
  bundle.dst.start_addr = kPsumBase + 0x1000;
  expect_legal(bundle, kAct);
  bundle.out_dtype = kBf16;
  expect_violation(bundle, kAct, "tensor3d_valid", "out_dtype", "bf16", "a 4-byte type in PSUM before mariana");
  expect_legal(bundle, on(Engine::act, Generation::mariana));
}

// Of the scale or the bias.
void scalar(Mutations& all, std::uint8_t S3D3_AC::*source, std::uint32_t S3D3_AC::*value, const std::string& name) {
  const std::string rule = "is_valid_activation_" + name;
  const auto from = [&](std::uint8_t code, std::uint32_t bits) {
    return changed(activate(), [&](auto& b) { b.*source = code, b.*value = bits; });
  };
  Breaking any(all, activate(), kAct);
  any.by([&](auto& b) { b.*source = 3; }, rule, name + "_src", "3", "0 (instruction), 1 (pointer)");
  Breaking in_register(all, from(kRegister, 63), kAct);
  in_register.by([&](auto& b) { b.*value = 64; }, rule, name, "64", "a register, 0..63");
  Breaking pointer(all, from(kPointer, 0x3000), kAct);
  pointer.by([&](auto& b) { b.*value = 0x3002; }, rule, name + ".start_addr", "0x00003002", "a multiple of 4 bytes");
  pointer.by([&](auto& b) { b.*value = 0x4'3000; }, rule, name + ".start_addr", "0x00043000", "this is 1");
  pointer.by([&](auto& b) { b.*value = 0x2000'0000; }, rule, name + ".start_addr", "0x20000000", "not modelled");
  pointer.by([&](auto& b) { b.*value = 192 * 1024; }, rule, name, "bytes 196608..196611 of a partition", "0..196607");
}

}  // namespace

Mutations activate_mutations() {
  Mutations all;
  Breaking any(all, activate(), kAct);
  any.channels();
  any.input_dtype(&S3D3_AC::in_bias_dtype, "in_dtype");
  any.output_dtype(&S3D3_AC::out_dtype, "out_dtype");
  any.by([](auto& b) { b.func = 21; }, "has_valid_activation_func", "func", "21", "0..20");
  any.by([](auto& b) { b.accum_cmd = 4; }, "has_valid_activation_accum_cmd", "accum_cmd.command", "4",
         "0 (idle) to 3 (reset_reduce)");
  any.by([](auto& b) { b.accum_cmd = 0x10; }, "has_valid_activation_reduce_op", "accum_cmd.operator", "1",
         "0: idle reduces nothing");
  any.by([](auto& b) { b.in_bias_dtype = kFp32 | kFp16 << 4; }, "has_valid_activation_bias_dtype", "bias_dtype", "fp16",
         "fp32: it is in the instruction");
  any.by([](auto& b) { b.imm_src = 1; }, "is_valid_activation_imm", "imm_src", "1", "0 (instruction)");
  any.by([](auto& b) { b.imm = 0x3E80'0000; }, "s3d3_ac_unused_zero", "imm", "0x3E800000", "prelu alone has a slope");
  any.operand(&S3D3_AC::src, "src", "tensor3d_valid");
  any.operand(&S3D3_AC::dst, "dst", "tensor3d_valid");
  any.by([](auto& b) { b.dst.num[0] = 127; }, "same_element_count_t3d", "dst.num_elem", "127", "128 elements (src)");
  Breaking reducing(all, changed(activate(), [](auto& b) { b.accum_cmd = 0x23; }), kAct);
  reducing.by([](auto& b) { b.accum_cmd = 0x33; }, "has_valid_activation_reduce_op", "accum_cmd.operator", "3",
              "0 (add), 1 (max) or 2 (min)");
  Breaking pointed(all, biased(kPointer, 0x3000, kBf16), kAct);
  pointed.by([](auto& b) { b.in_bias_dtype = kFp32 | kInt32 << 4; }, "has_valid_activation_bias_dtype", "bias_dtype",
             "int32", "fp32, fp16 or bf16");
  scalar(all, &S3D3_AC::scale_src, &S3D3_AC::scale, "scale");
  scalar(all, &S3D3_AC::bias_src, &S3D3_AC::bias, "bias");

  Breaking read(all, read_act_accumulator(), kAct);
  read.channels();
  read.reserved(12, 32, "d1_rd_reserved_zero");
  read.reserved(35, 47, "d1_rd_reserved_zero");
  read.output_dtype(&D1_RD::out_dtype, "out_dtype");
  read.operand(&D1_RD::dst, "dst", "tensor3d_valid");
  read.by([](auto& b) { b.dst.num[0] = 2; }, "read_accumulator_element_count_check", "dst.num_elem", "2", "1");
  return all;
}

}  // namespace tpb::test
