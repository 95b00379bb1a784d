// Text of the activation engine: bytes written out by hand from its layouts, and what the assembler refuses.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "models/program/assembler.h"
#include "testbench/tests/program/hex.h"
#include "testbench/tests/program/scratch.h"

namespace tpb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::string_view kTensors =
    ".tensor x fp32 [64, 4, 8] sbuf+0x0\n"
    ".tensor y bf16 [64, 32] sbuf+0x100\n"
    ".tensor s fp32 [64, 1] sbuf+0x300\n"
    ".tensor h fp16 [64, 1] sbuf+0x310\n"
    ".tensor b bf16 [64, 1] sbuf+0x320\n"
    ".tensor k int32 [64, 1] sbuf+0x330\n"
    ".tensor few fp32 [32, 1] sbuf+0x340";

class ActivateText : public Scratch {
 protected:
  Bundle single(std::string_view body) const {
    const std::vector<Bundle> all = bundles(kTensors, body);
    EXPECT_THAT(all, SizeIs(1));
    return all.at(0);
  }
  // "p.tpb:9:COLUMN: error: ..." of a line behind the tensors.
  std::string refused(std::string_view line) const {
    return errors(std::string(kTensors) + "\n.engine act\n" + std::string(line));
  }
};

std::vector<int> bytes(const Bundle& bundle, std::size_t first, std::size_t count) {
  const auto start = bundle.begin() + static_cast<std::ptrdiff_t>(first);
  return {start, start + static_cast<std::ptrdiff_t>(count)};
}

TEST_F(ActivateText, WithoutFieldsScaleIsOneAndNothingIsAdded) {
  // exp is the thirteenth function, 12; in fp32 with a bias of fp32: pair AA; scale 1.0 = 3F800000, bias and slope 0.
  EXPECT_EQ(single("activate func=exp src=x dst=y S[1]>=2"),
            hex("21100000 05010000 02000000  00000000  00000000 010008000100 080004000100  aa06400c 0000803f 00000000"
                "  00000000  00010000 010001000100 200001000100"));
}

TEST_F(ActivateText, Functions) {
  const auto function = [&](std::string_view name) {
    return single(fmt::format("activate func={} src=x dst=y", name))[35];
  };
  EXPECT_EQ(function("copy"), 0);
  EXPECT_EQ(function("gelu_apprx_tanh"), 6);
  EXPECT_EQ(function("reciprocal"), 20);
}

TEST_F(ActivateText, ScaleAndBias) {
  // Sources at 12..15: slope, scale, accumulators, bias. Immediates at 36, 40 and 44: scale, bias, slope.
  const Bundle numbers = single("activate func=prelu src=x dst=y scale=-2 bias=0.5 slope=0.25");
  EXPECT_THAT(bytes(numbers, 12, 4), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(bytes(numbers, 36, 12), ElementsAre(0, 0, 0, 0xC0, 0, 0, 0, 0x3F, 0, 0, 0x80, 0x3E));
  const Bundle pointers = single("activate func=relu src=x dst=y scale=s bias=h");
  EXPECT_THAT(bytes(pointers, 12, 4), ElementsAre(0, 1, 0, 1));
  EXPECT_EQ(pointers[32], 0x7A);  // fp32 in, an fp16 bias
  EXPECT_THAT(bytes(pointers, 36, 8), ElementsAre(0, 0x03, 0, 0, 0x10, 0x03, 0, 0));
  EXPECT_EQ(single("activate func=relu src=y dst=y bias=b")[32], 0x66);
  const Bundle registers = single("activate func=relu src=x dst=y scale=reg(R3) bias=reg(R63)");
  EXPECT_THAT(bytes(registers, 12, 4), ElementsAre(0, 2, 0, 2));
  EXPECT_EQ(registers[32], 0xAA);  // what a register points at is fp32
  EXPECT_THAT(bytes(registers, 36, 8), ElementsAre(3, 0, 0, 0, 63, 0, 0, 0));
}

TEST_F(ActivateText, Reductions) {
  const auto accumulation = [&](std::string_view fields) {
    return single(fmt::format("activate func=exp src=x dst=y {}", fields))[14];
  };
  EXPECT_EQ(accumulation(""), 0x00);
  EXPECT_EQ(accumulation("reduce_cmd=idle"), 0x00);
  EXPECT_EQ(accumulation("reduce_cmd=reset"), 0x01);
  EXPECT_EQ(accumulation("reduce_cmd=reduce reduce_op=add"), 0x02);
  EXPECT_EQ(accumulation("reduce_cmd=reset_reduce reduce_op=max"), 0x13);
  EXPECT_EQ(accumulation("reduce_cmd=reduce reduce_op=min"), 0x22);
}

TEST_F(ActivateText, ReadOfTheAccumulators) {
  EXPECT_EQ(single("act_read_accumulator dst=s"),
            hex("24100000 00000000 00000000  00000000 00000000000000000000000000000000 000a4000 00000000 00000000"
                " 00000000  00030000 010001000100 010001000100"));
}

TEST_F(ActivateText, Refusals) {
  EXPECT_EQ(refused("activate func=exponential src=x dst=y"),
            "p.tpb:9:15: error: unknown func 'exponential', expected a known func");
  EXPECT_EQ(refused("activate func=exp src=x dst=s"),
            "p.tpb:9:29: error: dst has 1 elements per partition, expected 32 (those of src)");
  EXPECT_EQ(refused("activate func=exp src=x dst=y slope=0.1"),
            "p.tpb:9:37: error: slope= of a function that has none, expected func=prelu");
  EXPECT_EQ(refused("activate func=prelu src=x dst=y"),
            "p.tpb:9:15: error: prelu without slope=, expected what multiplies negative numbers");
  EXPECT_EQ(refused("activate func=prelu src=x dst=y slope=s"), "p.tpb:9:39: error: 's', expected a number");
  EXPECT_EQ(refused("activate func=exp src=x dst=y reduce_op=max"),
            "p.tpb:9:41: error: reduce_op= without a reduce_cmd= that uses it, expected one");
  EXPECT_EQ(refused("activate func=exp src=x dst=y reduce_cmd=idle reduce_op=max"),
            "p.tpb:9:57: error: reduce_op= without a reduce_cmd= that uses it, expected one");
  EXPECT_EQ(refused("activate func=exp src=x dst=y reduce_cmd=reduce reduce_op=mult"),
            "p.tpb:9:59: error: unknown reduce_op 'mult', expected add, max or min");
  EXPECT_EQ(refused("activate func=exp src=x dst=y scale=h"),
            "p.tpb:9:37: error: scale is fp16, expected fp32 (of an activation)");
  EXPECT_EQ(refused("activate func=exp src=x dst=y bias=k"),
            "p.tpb:9:36: error: bias is int32, expected fp32 or fp16 or bf16 (of an activation)");
  EXPECT_EQ(refused("activate func=exp src=x dst=y bias=few"),
            "p.tpb:9:36: error: bias has 32 partitions, expected 64 as in src");
  EXPECT_EQ(refused("act_read_accumulator dst=y"),
            "p.tpb:9:26: error: dst has 32 elements per partition, expected 1 (the accumulator of each)");
}

TEST_F(ActivateText, WhatItCannotSayIsABundle) {
  const auto text_of = [&](std::size_t at, std::uint8_t value) {
    Bundle bundle = single("activate func=exp src=x dst=y");
    bundle.at(at) = value;
    return disassemble(bundle, shipped());
  };
  EXPECT_THAT(text_of(35, 4), HasSubstr("slope=0 "));
  EXPECT_THAT(text_of(35, 21), HasSubstr(".bundle"));    // no such function
  EXPECT_THAT(text_of(14, 0x10), HasSubstr(".bundle"));  // an operator that nothing uses
  EXPECT_THAT(text_of(44, 1), HasSubstr(".bundle"));     // a slope that nothing uses
  EXPECT_THAT(text_of(32, 0x6A), HasSubstr(".bundle"));  // a number of bf16
}

}  // namespace
}  // namespace tpb
