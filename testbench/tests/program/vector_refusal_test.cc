// What the assembler refuses in the Pool and DVE instructions with scalars, several bundles or reversed destinations.
#include <gtest/gtest.h>

#include <ostream>

#include "testbench/tests/program/scratch.h"

namespace tpb {
namespace {

// The refused line is the tenth.
constexpr const char* kDeclarations =
    ".tensor x fp32 [64, 4, 8] sbuf+0x0\n"
    ".tensor y fp32 [64, 32] sbuf+0x100\n"
    ".tensor v fp32 [64, 8] sbuf+0x200\n"
    ".tensor s fp32 [64, 1] sbuf+0x300\n"
    ".tensor b bf16 [64, 1] sbuf+0x310\n"
    ".tensor n int32 [64, 8] sbuf+0x400\n"
    ".tensor few fp32 [32, 1] sbuf+0x500\n"
    ".tensor row fp32 [1, 4, 8] sbuf+0x600\n"
    ".engine dve\n";

struct Case {
  const char* line;
  const char* error;  // after "p.tpb:10:"
};
void PrintTo(const Case& refused, std::ostream* out) { *out << refused.line; }

class VectorRefusal : public Scratch, public ::testing::WithParamInterface<Case> {};

TEST_P(VectorRefusal, SaysWhatAndWhatWasExpected) {
  EXPECT_EQ(errors(std::string(kDeclarations) + GetParam().line), std::string("p.tpb:10:") + GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    CrossLane, VectorRefusal,
    ::testing::Values(
        Case{"cross_lane_reduce op=add axis=C src=x dst=row negate",
             "47: error: Cross-lane-reduce cannot perform negate"},
        Case{"cross_lane_reduce op=min axis=C src=x dst=row",
             "22: error: unknown op 'min', expected add, average, max, bitwise_or, bitwise_and or bitwise_xor"},
        Case{"cross_lane_reduce op=add axis=XY src=x dst=row", "31: error: unknown axis 'XY', expected C or XYZWC"},
        Case{"cross_lane_reduce op=add axis=C src=x dst=x", "43: error: dst has 64 partitions, expected 1"},
        Case{"cross_lane_reduce op=add axis=C src=x dst=row[:, 0]",
             "43: error: dst has 8 elements per partition, expected 32 (those of src)"},
        Case{"cross_lane_reduce op=add axis=XYZWC src=x dst=row",
             "47: error: dst has 32 elements per partition, expected 1 (one for all of src)"},
        Case{"cross_lane_reduce op=add axis=C src=x dst=row scale=1",
             "53: error: scale= besides another operation, expected op=average"},
        Case{"tensor_reduce op=add axis=X src=x dst=y[:, 0:4] transpose",
             "49: error: transpose: no opcode for it in this profile"},
        Case{
            "tensor_reduce op=add axis=X src=x dst=y[:, 0:4] reduce_cmd=reduce",
            "49: error: unknown field of tensor_reduce 'reduce_cmd', expected op, axis, src, dst, negate, transpose or "
            "ch"}));

INSTANTIATE_TEST_SUITE_P(
    Search, VectorRefusal,
    ::testing::Values(
        Case{"max8 src=x dst=v[:, 1:]", "16: error: dst has 7 elements per partition, expected 8 (eight slots)"},
        Case{"max8 src=x dst=x[:, :, 0:2]", "16: error: operand with 2 free dimensions, expected at most 1"},
        Case{"max8 src=x dst=fp32@reg(R1)[1][8] ch=64",
             "16: error: dst at an address in a register, expected a number, as max8 starts at its end"},
        Case{"max8 src=x dst=int8@0x38000[-32768][8] ch=64",
             "16: error: bytes 0..229376 of a partition of sbuf, expected 0..229375"},
        Case{"max_index data=x vals=s dst=n", "23: error: vals has 1 elements per partition, expected 8 (eight slots)"},
        Case{"max_index data=x dst=n", "1: error: max_index without vals=, expected data= vals= dst="},
        Case{"match_value_load vals=v", "23: error: match_value_load without data=, expected data= vals="},
        Case{"get_sequence_bounds src=x dst=y",
             "31: error: dst has 32 elements per partition, expected 64 (two for each of src)"}));

INSTANTIATE_TEST_SUITE_P(
    Scalars, VectorRefusal,
    ::testing::Values(
        Case{"tensor_scalar op0=add src=x dst=y",
             "1: error: tensor_scalar without imm0=, expected op0= imm0= [op1=] [imm1=] [reverse0] [reverse1] src= "
             "dst="},
        Case{"tensor_scalar op0=add imm0=1 op1=add src=x dst=y",
             "34: error: op1= without imm1=, expected both or neither"},
        Case{"tensor_scalar op0=add imm0=1 imm1=1 src=x dst=y",
             "35: error: imm1= without op1=, expected both or neither"},
        Case{"tensor_scalar op0=add imm0=y src=x dst=y",
             "28: error: imm0 has 32 elements per partition, expected 1 (a scalar for each)"},
        Case{"tensor_scalar op0=add imm0=x src=x dst=y",
             "28: error: operand with 2 free dimensions, expected at most 1"},
        Case{"tensor_scalar op0=add imm0=b src=x dst=y",
             "28: error: imm0 is bf16, expected fp32 (of an arithmetic operation)"},
        Case{"tensor_scalar op0=bitwise_and imm0=s src=n dst=n",
             "36: error: imm0 is fp32, expected uint32 or int32 (of a bit-vector operation)"},
        Case{"tensor_scalar op0=bitwise_and imm0=1.5 src=n dst=n",
             "36: error: '1.5', expected a value of uint32 or int32 in -2147483648..4294967295"},
        Case{"tensor_scalar op0=add imm0=few src=x dst=y", "28: error: imm0 has 32 partitions, expected 64 as in src"},
        Case{"tensor_scalar op0=add imm0=z src=x dst=y",
             "28: error: unknown tensor 'z', expected b, few, n, row, s, v, x or y (did you mean 'b'?)"},
        Case{"tensor_scalar op0=add imm0=reg(R64) src=x dst=y", "32: error: 'R64', expected a register R0..R63"},
        Case{"tensor_scalar op0=add imm0=1e39 src=x dst=y", "28: error: '1e39' does not fit fp32, expected a number"},
        Case{"tensor_scalar op0=add imm0=bits(0x100000000) src=x dst=y",
             "33: error: '0x100000000', expected 32 bits in 0..4294967295"},
        Case{"tensor_scalar op0=add imm0=[1] src=x dst=y",
             "28: error: '[', expected a number, a tensor, dtype@address or reg(Rn)"},
        Case{"tensor_scalar op0=add imm0=fp32@reg(R1) src=x dst=y",
             "33: error: 'reg', expected an address in 0..536870911"},
        Case{"tensor_scalar op0=add imm0=fp32@0x38000 src=x dst=y ch=64",
             "28: error: bytes 229376..229379 of a partition of sbuf, expected 0..229375"},
        Case{"tensor_scalar op0=add imm0=bits(1 src=x dst=y", "35: error: 'src', expected ')'"},
        Case{"tensor_scalar op0=ad imm0=1 src=x dst=y",
             "19: error: unknown op0 'ad', expected a known op0 (did you mean 'add'?)"},
        Case{"tensor_tensor_scan op0=mult op1=add src0=x src1=x initial=n[:, 0] dst=y",
             "59: error: initial is int32, expected fp32 (of an arithmetic operation)"},
        Case{"scalar_tensor_tensor op0=mult imm0=1 op1=add src0=v src1=y dst=y",
             "58: error: src1 has 32 elements per partition, expected 8 (those of src0)"},
        Case{"tensor_scalar_int_wide op=add_int src=n imm=1 imm_dtype=fp32 dst0=n dst1=n",
             "57: error: unknown imm_dtype 'fp32', expected int8, uint8, int16, uint16, int32 or uint32"},
        Case{"tensor_scalar_int_wide op=add_int src=n imm=-1 imm_dtype=uint8 dst0=n dst1=n",
             "45: error: '-1', expected a value of uint8 in 0..255"},
        Case{"tensor_scalar_int_wide op=add_int src=n imm=n[:, 0] imm_dtype=uint32 dst0=n dst1=n",
             "45: error: imm is int32, expected uint32 (imm_dtype)"},
        Case{"tensor_tensor_int_wide op=add_int src0=n src1=n dst0=n dst1=n[:, 0:4]",
             "61: error: dst1 has 4 elements per partition, expected 8 (those of src0)"}));

INSTANTIATE_TEST_SUITE_P(
    Accumulators, VectorRefusal,
    ::testing::Values(
        Case{"tensor_scalar_reduce op0=add imm0=1 reduce_op=add src=x dst=y reduce_dst=s reverse0",
             "76: error: reverse0: not supported yet"},
        Case{"tensor_scalar_reduce op0=add imm0=1 reduce_op=add src=x dst=y reduce_dst=v",
             "74: error: reduce_dst has 8 elements per partition, expected 1 (the accumulator of each)"},
        Case{"dve_read_accumulator dst=v",
             "26: error: dst has 8 elements per partition, expected 1 (the accumulator of each)"},
        Case{"tensor_scalar_cumulative op0=add imm0=1 op1=add src=x dst=y reduce_cmd=load_reduce",
             "72: error: load_reduce without imm1=, expected the value to start from"},
        Case{"tensor_scalar_cumulative op0=add imm0=1 op1=add src=x dst=y reduce_cmd=add",
             "72: error: unknown reduce_cmd 'add', expected idle, reset, reduce, reset_reduce or load_reduce"},
        Case{"tensor_scalar_cumulative op0=add imm0=1 op1=add src=x dst=y reverse0",
             "61: error: unknown field of tensor_scalar_cumulative 'reverse0', expected op0, imm0, op1, imm1, "
             "reduce_cmd, src, dst or ch"}));

INSTANTIATE_TEST_SUITE_P(
    Fill, VectorRefusal,
    ::testing::Values(
        Case{"memset value=s dst=x", "14: error: 's', expected a number or bits(0x...)"},
        Case{"memset value=1.5 dst=n", "14: error: '1.5', expected a value of int32 in -2147483648..2147483647"},
        Case{"memset value=bits(0x10000) dst=b", "19: error: '0x10000', expected the bits of an element in 0..65535"},
        Case{"iota start=0 steps=[1] dst=x", "20: error: 1 steps, expected one for each of the 2 dimensions of dst"},
        Case{"iota start=0 steps=1 dst=v", "20: error: '1', expected '[' and steps"},
        Case{"iota start=0 steps=[1 2] dst=v", "23: error: '2', expected ',' or ']'"},
        Case{"iota start=2147483648 steps=[1] dst=v",
             "12: error: '2147483648', expected start in -2147483648..2147483647"},
        Case{"iota start=0 steps=[1] partition_step=32768 dst=v",
             "39: error: '32768', expected partition_step in -32768..32767"}));

class VectorRefusals : public Scratch {};

TEST_F(VectorRefusals, TransposeOfTheOtherProfile) {
  Config arch = shipped();
  arch.semantics.reduce_opcodes = SemanticsOptions::ReduceOpcodes::arch;
  EXPECT_EQ(errors(".tensor x fp32 [32, 32] sbuf+0\n.engine pool\n"
                   "cross_lane_reduce op=add axis=C src=x dst=x[0] transpose\n"
                   ".engine dve\n"
                   "tensor_reduce op=add axis=X src=x dst=x[:, 0] transpose\n",
                   arch),
            "p.tpb:3:48: error: transpose: no opcode for it in this profile");
}

TEST_F(VectorRefusals, AReversedStepThatNoDescriptorHolds) {
  Config large = shipped();
  large.memory.sbuf_bytes_per_partition = 256 * 1024;
  EXPECT_EQ(errors(".engine dve\nmax8 src=fp32@0[1][8] dst=int8@0x38000[-32767][8] ch=1", large), "");
  EXPECT_EQ(errors(".engine dve\nmax8 src=fp32@0[1][8] dst=int8@0x38000[-32768][8] ch=1", large),
            "p.tpb:2:27: error: dst with step -32768, expected -32767..32767, as max8 writes backwards");
}

}  // namespace
}  // namespace tpb
