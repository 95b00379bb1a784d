// The bytes of each instruction, against the layouts of the ISA documents written out by hand.
#include <gmock/gmock.h>

#include <numeric>

#include "testbench/tests/program/hex.h"
#include "testbench/tests/program/scratch.h"

namespace tpb {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

class Encoding : public Scratch {
 protected:
  Bundle single(std::string_view declarations, std::string_view body, const Config& config = shipped()) const {
    const std::vector<Bundle> all = bundles(declarations, body, config);
    EXPECT_THAT(all, SizeIs(1));
    return all.at(0);
  }
};

constexpr std::string_view kImage =
    ".tensor x fp32 [128, 32, 32] sbuf+0x1000\n.tensor y fp32 [128, 16, 16] sbuf+0x2000\n.tensor r fp32 [128, 1] "
    "psum+0x10";

TEST_F(Encoding, PoolAverage) {
  // Header 45 10, no events. src at 0x1000: steps 1 32 2 64, counts 2 2 16 16. FP32 (0A) to FP32, 128 channels,
  // function average (2), sub-mode 3, scale 1/(2*2) = 0.25 = 3E800000. dst: y, 16 x 16 from 0x2000.
  EXPECT_EQ(single(kImage, "pool func=avg src=x+0[1,32,2,64][2,2,16,16] dst=y"),
            hex("45100000 00000000 00000000  00100000 0100200002004000 0200020010001000  0a0a8000 02030000 0000803e"
                "  00200000 0100100001000100 1000100001000100"));
}

TEST_F(Encoding, PoolMaxAndScale) {
  // Function max is wire 1 and its scale 1.0 = 3F800000.
  const Bundle max = single(kImage, "pool func=max src=x+0[1,32,2,64][2,2,16,16] dst=y");
  EXPECT_EQ(max[36], 1);
  EXPECT_THAT(std::vector<int>(max.begin() + 40, max.begin() + 44), ElementsAre(0x00, 0x00, 0x80, 0x3F));
  // 3 x 3: 1/9 rounded to fp32 is 3DE38E39. An explicit scale replaces it: 0.5 = 3F000000.
  const std::string nine = "pool func=avg src=x+0[1,32,3,96][3,3,10,10] dst=y+0[1,16][10,10]";
  const Bundle mean = single(kImage, nine);
  EXPECT_THAT(std::vector<int>(mean.begin() + 40, mean.begin() + 44), ElementsAre(0x39, 0x8E, 0xE3, 0x3D));
  const Bundle half = single(kImage, nine + " scale=0.5");
  EXPECT_THAT(std::vector<int>(half.begin() + 40, half.begin() + 44), ElementsAre(0x00, 0x00, 0x00, 0x3F));
}

TEST_F(Encoding, TensorReduce) {
  // Under the seed profile the free-axis reduce is 7C. op max 08, XY is 3, negate 1; dst in PSUM at 0x02000000 + 0x10.
  EXPECT_EQ(single(kImage, "tensor_reduce op=max axis=XY src=y dst=r negate"),
            hex("7c100000 00000000 00000000  00200000 0100100001000100 1000100001000100  0a0a8001 08030000 00000000"
                "  10000002 0100010001000100 0100010001000100"));
}

TEST_F(Encoding, ReduceOpcodeFollowsProfileAndFamily) {
  const std::string integers = ".tensor a int32 [32, 4] sbuf+0x0\n.tensor b int32 [32, 1] sbuf+0x100";
  Config arch = shipped();
  arch.semantics.reduce_opcodes = SemanticsOptions::ReduceOpcodes::arch;
  const std::string add = "tensor_reduce op=add axis=X src=a dst=b";
  const std::string bits = "tensor_reduce op=bitwise_or axis=X src=a dst=b";
  EXPECT_EQ(single(integers, add)[0], 0x7C);
  EXPECT_EQ(single(integers, bits)[0], 0x7D);
  EXPECT_EQ(single(integers, add, arch)[0], 0x42);
  EXPECT_EQ(single(integers, bits, arch)[0], 0x52);
  // mod_int of the integer band is arithmetic for the opcode.
  const Bundle band = single(integers, "tensor_reduce op=mod_int axis=X src=a dst=b");
  EXPECT_EQ(band[0], 0x7C);
  EXPECT_EQ(band[36], 0xC8);
}

TEST_F(Encoding, TensorTensor) {
  // Opcode 41; low nibble BF16 (6), high nibble FP32 (A); out FP16 (7); subtract 05; 64 channels from partition 64:
  // 64 * 0x40000 = 0x01000000.
  constexpr std::string_view kMixed =
      ".tensor a bf16 [64, 2, 3] sbuf[64]+0x20\n.tensor b fp32 [64, 6] sbuf[64]+0x40\n.tensor c fp16 [64, 6] "
      "sbuf[64]+0x80";
  EXPECT_EQ(
      single(kMixed, "tensor_tensor op=subtract src0=a src1=b dst=c"),
      hex("41100000 00000000 00000000  a6070540  20000001 010003000100 030002000100  40000001 010001000100 060001000100"
          "  80000001 010001000100 060001000100"));
  const std::string words = ".tensor a uint32 [8, 4] sbuf+0x0";
  EXPECT_EQ(single(words, "tensor_tensor op=logical_xor src0=a src1=a dst=a")[0], 0x51);
  EXPECT_EQ(single(words, "tensor_tensor op=add_int src0=a src1=a dst=a")[0], 0x41);
}

TEST_F(Encoding, PackedBf16) {
  constexpr std::string_view kBf16 = ".tensor a bf16 [128, 8] sbuf+0x0\n.tensor r fp32 [128, 1] sbuf+0x20";
  const auto opcode_and_op = [&](std::string_view text, std::size_t op_at) {
    const Bundle bundle = single(kBf16, text, shipped(Generation::sunda));
    return std::vector<int>{bundle[0], bundle.at(op_at)};
  };
  EXPECT_THAT(opcode_and_op("tensor_tensor_add_bf16 src0=a src1=a dst=a", 14), ElementsAre(0x8A, 0x04));
  EXPECT_THAT(opcode_and_op("tensor_tensor_mult_bf16 src0=a src1=a dst=a", 14), ElementsAre(0x8B, 0x06));
  EXPECT_THAT(opcode_and_op("tensor_tensor_sub_bf16 src0=a src1=a dst=a", 14), ElementsAre(0x8F, 0x05));
  EXPECT_THAT(opcode_and_op("tensor_reduce_add_bf16 axis=X src=a dst=r", 36), ElementsAre(0x8C, 0x04));
  EXPECT_THAT(opcode_and_op("tensor_reduce_max_bf16 axis=X src=a dst=r", 36), ElementsAre(0x8D, 0x08));
}

TEST_F(Encoding, CopyCastAndControl) {
  constexpr std::string_view kTwo = ".tensor a fp32 [1, 3] sbuf+0x4\n.tensor b fp16 [1, 3] sbuf[32]+0x8";
  // Partition 32 of SBUF starts at 32 * 0x40000 = 0x00800000.
  EXPECT_EQ(single(kTwo, "copy src=a dst=b"),
            hex("46100000 00000000 00000000  04000000 0100010001000100 0300010001000100  0a070100 00000000 00000000"
                "  08008000 0100010001000100 0300010001000100"));
  EXPECT_EQ(single(kTwo, "cast src=a dst=b")[0], 0x47);
  const std::string rest(104, '0');
  EXPECT_EQ(single("", "nop"), hex("a4100000 00000000 00000000" + rest));
  EXPECT_EQ(single("", "event_semaphore"), hex("a0100000 00000000 00000000" + rest));
  EXPECT_EQ(single("", "halt"), hex("a1100000 00000000 00000000" + rest));
}

TEST_F(Encoding, RawOperands) {
  // Steps and counts stand as written, missing dimensions are (1, 1); an address register has marker 100 in
  // bits 31..29.
  const Bundle bundle = single("", "copy src=bf16@0x01000010[-1,4][2,3] dst=fp32@reg(R63)[1][6] ch=17");
  EXPECT_EQ(bundle,
            hex("46100000 00000000 00000000  10000001 ffff040001000100 0200030001000100  060a1100 00000000 00000000"
                "  3f000080 0100010001000100 0600010001000100"));
  EXPECT_EQ(single("", "copy src=fp32@0[1][1] dst=fp32@4[1][1]")[34], 128);
}

TEST_F(Encoding, RawBundle) {
  std::string digits;
  for (int i = 0; i < 64; ++i) digits += "0123456789abcdef"[i / 16], digits += "0123456789abcdef"[i % 16];
  Bundle counted{};
  std::iota(counted.begin(), counted.end(), std::uint8_t{0});
  EXPECT_EQ(single("", ".bundle " + digits), counted);
  digits.insert(64, "  ");
  EXPECT_EQ(single("", "  .bundle\t" + digits + "# a comment"), counted);
}

// mode, index and value of wait and update: bytes 4..11.
std::vector<int> events(const Bundle& bundle) { return {bundle.begin() + 4, bundle.begin() + 12}; }

TEST_F(Encoding, WaitModes) {
  const auto mode = [&](const std::string& wait) { return events(single("", "nop S[7]" + wait)); };
  EXPECT_THAT(mode("==1"), ElementsAre(1, 7, 0, 0, 1, 0, 0, 0));
  EXPECT_THAT(mode("<2"), ElementsAre(2, 7, 0, 0, 2, 0, 0, 0));
  EXPECT_THAT(mode("<=3"), ElementsAre(3, 7, 0, 0, 3, 0, 0, 0));
  EXPECT_THAT(mode(">0xFFFFFFFF"), ElementsAre(4, 7, 0, 0, 255, 255, 255, 255));
  EXPECT_THAT(mode(">=5"), ElementsAre(5, 7, 0, 0, 5, 0, 0, 0));
  EXPECT_THAT(mode("==reg(R9)"), ElementsAre(0x81, 7, 0, 0, 9, 0, 0, 0));
  EXPECT_THAT(mode(">=reg(R63)"), ElementsAre(0x85, 7, 0, 0, 63, 0, 0, 0));
}

TEST_F(Encoding, UpdateModes) {
  const auto mode = [&](const std::string& update) {
    return events(single(".semaphore done 200 = 3", "nop S[done]" + update));
  };
  EXPECT_THAT(mode("++"), ElementsAre(0, 0, 0x13, 200, 0, 0, 0, 0));
  EXPECT_THAT(mode("++@complete"), ElementsAre(0, 0, 0x13, 200, 0, 0, 0, 0));
  EXPECT_THAT(mode("++@read"), ElementsAre(0, 0, 0x03, 200, 0, 0, 0, 0));
  EXPECT_THAT(mode("--"), ElementsAre(0, 0, 0x14, 200, 0, 0, 0, 0));
  EXPECT_THAT(mode("+=258@read"), ElementsAre(0, 0, 0x05, 200, 2, 1, 0, 0));
  EXPECT_THAT(mode("-=1"), ElementsAre(0, 0, 0x17, 200, 1, 0, 0, 0));
  EXPECT_THAT(mode("=4"), ElementsAre(0, 0, 0x19, 200, 4, 0, 0, 0));
  EXPECT_THAT(mode("=reg(R2)"), ElementsAre(0, 0, 0x99, 200, 2, 0, 0, 0));
}

TEST_F(Encoding, ManyEventsBecomeBundlesAround) {
  // The first wait and the first update share the bundle; the second wait goes before it, the second update after it.
  const Program p = program(".engine act\n\n  halt S[1]>=5 S[2]++ S[3]==6 S[4]-=7@read\n");
  const Section& section = p.sections[Engine::act];
  ASSERT_THAT(section.bundles, SizeIs(3));
  EXPECT_EQ(section.bundles[0][0], 0xA0);
  EXPECT_THAT(events(section.bundles[0]), ElementsAre(1, 3, 0, 0, 6, 0, 0, 0));
  EXPECT_EQ(section.bundles[1][0], 0xA1);
  EXPECT_THAT(events(section.bundles[1]), ElementsAre(5, 1, 0x13, 2, 5, 0, 0, 0));
  EXPECT_EQ(section.bundles[2][0], 0xA0);
  EXPECT_THAT(events(section.bundles[2]), ElementsAre(0, 0, 0x07, 4, 7, 0, 0, 0));
  EXPECT_THAT(section.lines, ElementsAre(3u, 3u, 3u));
}

TEST_F(Encoding, ClashingValuesPartTheWait) {
  // 5 and 1 are two values, and a bundle has one; 5 and 5 are one.
  const std::vector<Bundle> apart = bundles("", "nop S[1]>=5 S[2]+=1");
  ASSERT_THAT(apart, SizeIs(2));
  EXPECT_THAT(events(apart[0]), ElementsAre(5, 1, 0, 0, 5, 0, 0, 0));
  EXPECT_THAT(events(apart[1]), ElementsAre(0, 0, 0x15, 2, 1, 0, 0, 0));
  EXPECT_THAT(events(single("", "nop S[1]>=5 S[2]+=5")), ElementsAre(5, 1, 0x15, 2, 5, 0, 0, 0));
}

TEST_F(Encoding, SectionsContinueAndTablesKeepTheirLines) {
  const Program p = program(
      "# a comment\n.generation cayman\n.register pool R3 = 0x2000\n.semaphore done 3 = 1 # another\n.semaphore 4\n"
      ".engine pool\nnop\n.engine dve\nhalt\n.engine pool\r\nhalt");
  EXPECT_EQ(p.generation, Generation::cayman);
  EXPECT_EQ(p.generation_line, 2u);
  ASSERT_THAT(p.registers, SizeIs(1));
  EXPECT_EQ(p.registers[0].engine, Engine::pool);
  EXPECT_EQ(p.registers[0].index, 3);
  EXPECT_EQ(p.registers[0].value, 0x2000u);
  ASSERT_THAT(p.semaphores, SizeIs(2));
  EXPECT_EQ(p.semaphores[0].name, "done");
  EXPECT_EQ(p.semaphores[0].value, 1u);
  EXPECT_EQ(p.semaphores[1].name, "");
  EXPECT_EQ(p.semaphores[1].index, 4);
  EXPECT_THAT(p.sections[Engine::pool].lines, ElementsAre(7u, 11u));
  EXPECT_THAT(p.sections[Engine::dve].lines, ElementsAre(9u));
}

}  // namespace
}  // namespace tpb
