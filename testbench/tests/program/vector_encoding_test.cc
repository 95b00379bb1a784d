// The bytes of the Pool and DVE instructions with scalars, several bundles or reversed destinations, against the
// layouts of the ISA documents written out by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "testbench/tests/program/hex.h"
#include "testbench/tests/program/scratch.h"

namespace tpb {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

Config with_reduce_opcodes(SemanticsOptions::ReduceOpcodes opcodes) {
  Config config = shipped();
  config.semantics.reduce_opcodes = opcodes;
  return config;
}

class VectorEncoding : public Scratch {
 protected:
  Bundle single(std::string_view declarations, std::string_view body, const Config& config = shipped()) const {
    const std::vector<Bundle> all = bundles(declarations, body, config);
    EXPECT_THAT(all, SizeIs(1));
    return all.at(0);
  }
};

std::vector<int> bytes(const Bundle& bundle, std::size_t first, std::size_t count) {
  const auto start = bundle.begin() + static_cast<std::ptrdiff_t>(first);
  return {start, start + static_cast<std::ptrdiff_t>(count)};
}

constexpr std::string_view kTensors =
    ".tensor x fp32 [32, 2, 4] sbuf+0x100\n"
    ".tensor y fp32 [32, 2, 4] sbuf+0x200\n"
    ".tensor s fp32 [32, 1] sbuf+0x300\n"
    ".tensor n int32 [32, 8] sbuf+0x400\n"
    ".tensor u uint32 [32, 8] sbuf+0x500\n"
    ".tensor k int32 [32, 1] sbuf+0x600\n"
    ".tensor h bf16 [32, 8] sbuf+0x700\n"
    ".tensor c fp32 [1, 2, 4] sbuf[32]+0x800\n"
    ".tensor t fp32 [1, 1] sbuf+0x900\n"
    ".tensor o int32 [1, 8] sbuf+0xa00\n"
    ".tensor v fp32 [32, 8] sbuf+0xb00";

TEST_F(VectorEncoding, CrossLaneReduce) {
  // Under seed003 it is 42. Operator max 2 at 35, axis C 1 at 36, scale 0; dst in partition 32: 32 * 0x40000.
  EXPECT_EQ(single(kTensors, "cross_lane_reduce op=max axis=C src=x dst=c"),
            hex("42100000 00000000 00000000  00010000 0100040001000100 0400020001000100  0a0a2002 01000000 00000000"
                "  00088000 0100040001000100 0400020001000100"));
  // Operators add 0, average 1, or 3, and 4, xor 5; axis XYZWC 0.
  const auto fields = [&](std::string_view text) { return bytes(single(kTensors, text), 35, 2); };
  EXPECT_THAT(fields("cross_lane_reduce op=add axis=XYZWC src=x dst=t"), ElementsAre(0, 0));
  EXPECT_THAT(fields("cross_lane_reduce op=average axis=C src=x dst=c"), ElementsAre(1, 1));
  EXPECT_THAT(fields("cross_lane_reduce op=bitwise_or axis=C src=n dst=o"), ElementsAre(3, 1));
  EXPECT_THAT(fields("cross_lane_reduce op=bitwise_and axis=C src=n dst=o"), ElementsAre(4, 1));
  EXPECT_THAT(fields("cross_lane_reduce op=bitwise_xor axis=C src=n dst=o"), ElementsAre(5, 1));
}

TEST_F(VectorEncoding, CrossLaneScale) {
  const auto scale = [&](std::string_view text) { return bytes(single(kTensors, text), 40, 4); };
  // 1/32 = 3D000000; 1/(32 * 8) = 3B800000; 0.5 = 3F000000.
  EXPECT_THAT(scale("cross_lane_reduce op=average axis=C src=x dst=c"), ElementsAre(0, 0, 0x00, 0x3D));
  EXPECT_THAT(scale("cross_lane_reduce op=average axis=XYZWC src=x dst=t"), ElementsAre(0, 0, 0x80, 0x3B));
  EXPECT_THAT(scale("cross_lane_reduce op=average axis=C src=x dst=c scale=0.5"), ElementsAre(0, 0, 0x00, 0x3F));
}

TEST_F(VectorEncoding, ReduceOpcodesOfBothProfiles) {
  const Config arch = with_reduce_opcodes(SemanticsOptions::ReduceOpcodes::arch);
  const Config seed = with_reduce_opcodes(SemanticsOptions::ReduceOpcodes::seed003);
  const std::string add = "cross_lane_reduce op=add axis=C src=x dst=c";
  const std::string bits = "cross_lane_reduce op=bitwise_or axis=C src=n dst=o";
  // Across lanes: 66, 82, transposing 131, 132; or 124, 125 and no transposing form.
  EXPECT_EQ(single(kTensors, add, seed)[0], 66);
  EXPECT_EQ(single(kTensors, bits, seed)[0], 82);
  EXPECT_EQ(single(kTensors, add + " transpose", seed)[0], 131);
  EXPECT_EQ(single(kTensors, bits + " transpose", seed)[0], 132);
  EXPECT_EQ(single(kTensors, add, arch)[0], 124);
  EXPECT_EQ(single(kTensors, bits, arch)[0], 125);
  // Along free axes: 124, 125; or 66, 82, transposing 131, 132.
  const std::string max = "tensor_reduce op=max axis=XYZW src=x dst=s";
  const std::string either = "tensor_reduce op=logical_or axis=XYZW src=n dst=k";
  EXPECT_EQ(single(kTensors, max, seed)[0], 124);
  EXPECT_EQ(single(kTensors, either, seed)[0], 125);
  EXPECT_EQ(single(kTensors, max, arch)[0], 66);
  EXPECT_EQ(single(kTensors, either, arch)[0], 82);
  EXPECT_EQ(single(kTensors, max + " transpose", arch)[0], 131);
  EXPECT_EQ(single(kTensors, either + " transpose", arch)[0], 132);
}

TEST_F(VectorEncoding, Max8WritesBackwards) {
  // dst starts at its last slot, 0xB00 + 7 * 4 = 0xB1C, step -1 and then 0, counts 8 and 1.
  EXPECT_EQ(single(kTensors, "max8 src=x dst=v"),
            hex("6c100000 00000000 00000000  00010000 0100040001000100 0400020001000100  0a0a2000 00000000 00000000"
                " 00000000  1c0b0000 ffff0000 08000100 00000000"));
  // Ascending in memory: the text runs backwards and the descriptor forwards. bf16, two elements apart: 7 * 2 * 2 = 28.
  EXPECT_THAT(bytes(single("", "max8 src=fp32@0[1][8] dst=bf16@0x11c[-2][8]"), 48, 12),
              ElementsAre(0x00, 0x01, 0, 0, 2, 0, 0, 0, 8, 0, 1, 0));
}

TEST_F(VectorEncoding, MaxIndexIsTwoBundles) {
  // Data 4-D at 12, values or indices 2-D at 48; dtypes at 32 and 33. The first waits, the second updates, and their
  // values do not clash.
  const std::vector<Bundle> both = bundles(kTensors, "max_index data=x vals=v dst=u S[1]>=5 S[2]+=1");
  ASSERT_THAT(both, SizeIs(2));
  EXPECT_EQ(both[0],
            hex("6d100000 05010000 05000000  00010000 0100040001000100 0400020001000100  0a0a2000 00000000 00000000"
                " 00000000  000b0000 01000100 08000100 00000000"));
  EXPECT_EQ(both[1],
            hex("6e100000 00001502 01000000  00010000 0100040001000100 0400020001000100  0a092000 00000000 00000000"
                " 00000000  00050000 01000100 08000100 00000000"));
  const auto alone = bundles(kTensors, "match_value_load data=x vals=v S[1]>=5\nfind_index8 data=x dst=u S[2]+=1");
  EXPECT_EQ(alone, both);
}

TEST_F(VectorEncoding, FurtherEventsStandAroundBothBundles) {
  const std::vector<Bundle> all = bundles(kTensors, "max_index data=x vals=v dst=u S[1]>=1 S[3]>=3 S[2]++ S[4]++");
  std::vector<int> opcodes;
  for (const Bundle& bundle : all) opcodes.push_back(bundle[0]);
  EXPECT_THAT(opcodes, ElementsAre(0xA0, 0x6D, 0x6E, 0xA0));
}

TEST_F(VectorEncoding, MatchValueLoadOfTheHeaders) {
  // S2_BN: the values alone, 2-D at 16, dtype at 32.
  Config config = shipped();
  config.semantics.match_value_load = SemanticsOptions::MatchValueLoad::s2_bn;
  const Bundle expected =
      hex("6d100000 00000000 00000000 00000000  000b0000 01000100 08000100  00000000 0a002000" + std::string(56, '0'));
  EXPECT_EQ(single(kTensors, "match_value_load data=x vals=v", config), expected);
  EXPECT_EQ(single(kTensors, "match_value_load vals=v", config), expected);
  EXPECT_EQ(bundles(kTensors, "max_index data=x vals=v dst=u", config).at(0), expected);
}

TEST_F(VectorEncoding, GetSequenceBounds) {
  // Channels at 12, dtypes at 14 and 15, 3-D at 16 and 32: two planes of 8 elements.
  EXPECT_EQ(single(".tensor a fp32 [1, 8] sbuf+0x10\n.tensor b int32 [1, 2, 2, 4] sbuf+0x40",
                   "get_sequence_bounds src=a dst=b"),
            hex("be100000 00000000 00000000  01000a08  10000000 010001000100 080001000100  40000000 010004000800"
                " 040002000200  00000000 00000000 00000000 00000000"));
}

TEST_F(VectorEncoding, TensorTensorBitvec) {
  EXPECT_EQ(single(kTensors, "tensor_tensor op=arith_shift_right src0=n src1=u dst=n"),
            hex("51100000 00000000 00000000  98080320  00040000 010001000100 080001000100  00050000 010001000100"
                " 080001000100  00040000 010001000100 080001000100"));
}

TEST_F(VectorEncoding, IntWide) {
  // Nibbles: src0 int32 (8) low, src1 uint32 (9) high; dst0 uint32, dst1 int32; mult_int C5.
  EXPECT_EQ(single(kTensors, "tensor_tensor_int_wide op=mult_int src0=n src1=u dst0=u dst1=n"),
            hex("f3100000 00000000 00000000  9889c520  00040000 01000100 08000100  00050000 01000100 08000100"
                "  00050000 01000100 08000100  00040000 01000100 08000100"));
  // The immediate: dtype int16 (4) in the high nibble, source 0 at 52, -2 in two's complement at 56.
  EXPECT_EQ(single(kTensors, "tensor_scalar_int_wide op=mult_int src=n imm=-2 imm_dtype=int16 dst0=u dst1=n"),
            hex("f4100000 00000000 00000000  4889c520  00040000 01000100 08000100  00050000 01000100 08000100"
                "  00040000 01000100 08000100  00000000 feffffff 00000000"));
  const auto immediate = [&](std::string_view imm) {
    const Bundle bundle = single(
        kTensors, fmt::format("tensor_scalar_int_wide op=add_int src=n imm={} imm_dtype=int32 dst0=u dst1=n", imm));
    return bytes(bundle, 52, 8);
  };
  EXPECT_THAT(immediate("k"), ElementsAre(1, 0, 0, 0, 0x00, 0x06, 0, 0));
  EXPECT_THAT(immediate("reg(R9)"), ElementsAre(2, 0, 0, 0, 9, 0, 0, 0));
  EXPECT_THAT(immediate("bits(0xFFFFFFFE)"), ElementsAre(0, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF));
}

TEST_F(VectorEncoding, TensorScalar) {
  // 2.5 = 40200000 at 40, 1 = 3F800000 at 44; operations mult 06 and subtract 05; both reversed: 3.
  EXPECT_EQ(single(kTensors, "tensor_scalar op0=mult imm0=2.5 op1=subtract imm1=1 reverse0 reverse1 src=x dst=h"),
            hex("43100000 00000000 00000000  00000000  00010000 010004000100 040002000100  0a062000 06050300"
                "  00002040 0000803f  00070000 010001000100 080001000100"));
  // Sources: a pointer is 1, a register 2. No second operation: all zero.
  const Bundle pointer = single(kTensors, "tensor_scalar op0=add imm0=s src=x dst=y reverse0");
  EXPECT_THAT(bytes(pointer, 35, 13), ElementsAre(1, 4, 0, 1, 0, 0x00, 0x03, 0, 0, 0, 0, 0, 0));
  const Bundle registers = single(kTensors, "tensor_scalar op0=add imm0=reg(R63) op1=max imm1=reg(R1) src=x dst=y");
  EXPECT_THAT(bytes(registers, 35, 13), ElementsAre(2, 4, 8, 0, 2, 63, 0, 0, 0, 1, 0, 0, 0));
}

TEST_F(VectorEncoding, TensorScalarBitvec) {
  // Raw integers, whatever the order of the fields.
  const Bundle bundle =
      single(kTensors, "tensor_scalar imm1=4 imm0=-1 op1=logical_shift_left op0=bitwise_xor src=n dst=u");
  EXPECT_EQ(bundle[0], 0x53);
  EXPECT_THAT(bytes(bundle, 35, 13), ElementsAre(0, 0x0C, 0x10, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 4, 0, 0, 0));
  EXPECT_THAT(bytes(single(kTensors, "tensor_scalar op0=bitwise_and imm0=k src=n dst=u"), 40, 4),
              ElementsAre(0x00, 0x06, 0, 0));
  EXPECT_THAT(bytes(single(kTensors, "tensor_scalar op0=bitwise_and imm0=0xFFFFFFFF src=n dst=u"), 40, 4),
              ElementsAre(0xFF, 0xFF, 0xFF, 0xFF));
}

TEST_F(VectorEncoding, TensorScalarReduceIsTwoBundles) {
  // 9A: accumulator command 3 at 12, the fold (max 08) in op1. 9B: dtype at 33, channels at 34, 3-D at 48.
  const std::vector<Bundle> both =
      bundles(kTensors, "tensor_scalar_reduce op0=mult imm0=-2 reduce_op=max src=x dst=y reduce_dst=s S[1]>=5 S[2]-=6");
  ASSERT_THAT(both, SizeIs(2));
  EXPECT_EQ(both[0], hex("9a100000 05010000 05000000  03000000  00010000 010004000100 040002000100  0a0a2000 06080000"
                         "  000000c0 00000000  00020000 010004000100 040002000100"));
  EXPECT_EQ(both[1],
            hex("9b100000 00001702 06000000  00000000 00000000 00000000 00000000 00000000  000a2000 00000000 00000000"
                " 00000000  00030000 010001000100 010001000100"));
  EXPECT_EQ(single(kTensors, "dve_read_accumulator dst=s S[2]-=6"), both[1]);
}

TEST_F(VectorEncoding, TensorScalarCumulative) {
  // reset_reduce 3 unless said otherwise.
  EXPECT_EQ(single(kTensors, "tensor_scalar_cumulative op0=mult imm0=1 op1=add src=x dst=y"),
            hex("e6100000 00000000 00000000  03000000  00010000 010004000100 040002000100  0a0a2000 06040000"
                "  0000803f 00000000  00020000 010004000100 040002000100"));
  const std::string start = "tensor_scalar_cumulative op0=mult imm0=1 op1=add src=x dst=y reduce_cmd=";
  EXPECT_EQ(single(kTensors, start + "reduce")[12], 2);
  const Bundle load = single(kTensors, start + "load_reduce imm1=-inf");
  EXPECT_EQ(load[12], 4);
  EXPECT_THAT(bytes(load, 44, 4), ElementsAre(0, 0, 0x80, 0xFF));
}

TEST_F(VectorEncoding, ScalarTensorTensor) {
  // 2-D at 12, 24 and 48; operations at 36, dtype of the immediate at 43, its bits at 60.
  EXPECT_EQ(single(kTensors, "scalar_tensor_tensor op0=subtract imm0=s op1=mult src0=x src1=h dst=y reverse1"),
            hex("9d100000 00000000 00000000  00010000 01000400 04000200  00070000 01000100 08000100  05060201"
                " 6a0a200a  00000000  00020000 01000400 04000200  00030000"));
  const Bundle bits =
      single(kTensors, "scalar_tensor_tensor op0=bitwise_or imm0=5 op1=bitwise_and src0=n src1=u dst=u");
  EXPECT_EQ(bits[0], 0x9E);
  EXPECT_THAT(bytes(bits, 36, 9), ElementsAre(0x0B, 0x0A, 0, 0, 0x98, 9, 32, 9, 0));
  EXPECT_THAT(bytes(bits, 60, 4), ElementsAre(5, 0, 0, 0));
  const Bundle pointer =
      single(kTensors, "scalar_tensor_tensor op0=bitwise_or imm0=k op1=bitwise_and src0=n src1=u dst=u");
  EXPECT_THAT(bytes(pointer, 39, 5), ElementsAre(1, 0x98, 9, 32, 8));  // the immediate is int32
}

TEST_F(VectorEncoding, TensorTensorScan) {
  EXPECT_EQ(single(kTensors, "tensor_tensor_scan op0=mult op1=add src0=x src1=h initial=1 dst=y reverse0"),
            hex("e5100000 00000000 00000000  00010000 01000400 04000200  00070000 01000100 08000100  06040100"
                " 6a0a200a  00000000  00020000 01000400 04000200  0000803f"));
}

TEST_F(VectorEncoding, ReciprocalAndStreamTranspose) {
  const std::string rest =
      "100000 00000000 00000000  00010000 0100040001000100 0400020001000100  0a0a2000 00000000 00000000"
      "  00020000 0100040001000100 0400020001000100";
  EXPECT_EQ(single(kTensors, "reciprocal src=x dst=y"), hex("48" + rest));
  EXPECT_EQ(single(kTensors, "stream_transpose src=x dst=y"), hex("6b" + rest));
}

TEST_F(VectorEncoding, Memset) {
  // dtype at 33, channels at 34, the bits of an element at 40: -1.5 in bf16 is BFC0.
  EXPECT_EQ(single(kTensors, "memset dst=h value=-1.5"),
            hex("49100000 00000000 00000000  00000000 00000000 00000000 00000000 00000000  00062000 00000000 c0bf0000"
                "  00070000 0100010001000100 0800010001000100"));
  const auto value = [&](std::string_view text) { return bytes(single(kTensors, text), 40, 4); };
  EXPECT_THAT(value("memset value=-3 dst=n"), ElementsAre(0xFD, 0xFF, 0xFF, 0xFF));
  EXPECT_THAT(value("memset value=bits(0x7F800001) dst=x"), ElementsAre(0x01, 0x00, 0x80, 0x7F));
  EXPECT_THAT(value("memset value=-1 dst=int8@0[1][8]"), ElementsAre(0xFF, 0, 0, 0));
}

TEST_F(VectorEncoding, Iota) {
  // Steps at 16, counts of dst at 24, start -5 at 36, partition step at 40.
  EXPECT_EQ(single(kTensors, "iota start=-5 steps=[1,-100] partition_step=7 dst=x"),
            hex("7e100000 00000000 00000000  00000000  01009cff01000100 0400020001000100  000a2000 fbffffff 07000000"
                "  00010000 0100040001000100 0400020001000100"));
  EXPECT_THAT(bytes(single(kTensors, "iota start=0 steps=[3] dst=n"), 40, 2), ElementsAre(0, 0));
}

}  // namespace
}  // namespace tpb
