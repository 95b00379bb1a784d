// What the assembler refuses, with the exact text of every class of problem.
#include <gtest/gtest.h>

#include <ostream>

#include "models/program/assembler.h"
#include "testbench/tests/program/scratch.h"

namespace tpb {
namespace {

struct Case {
  const char* line;   // stands as line 7, after the declarations below
  const char* error;  // after "p.tpb:7:"
};

// Line 6 opens a section; the refused line is the seventh.
constexpr const char* kDeclarations =
    ".tensor x fp32 [128, 32, 32] sbuf+0x1000\n"
    ".tensor y fp32 [128, 16, 16] sbuf+0x2000\n"
    ".tensor half bf16 [64, 8] sbuf[64]+0x0 = zeros\n"
    ".tensor deep fp32 [128, 2, 2, 2, 2, 2] sbuf+0x3000\n"
    ".semaphore done 3 = 0\n"
    ".engine pool\n";

void PrintTo(const Case& refused, std::ostream* out) { *out << refused.line; }

class Refusal : public Scratch, public ::testing::WithParamInterface<Case> {};

TEST_P(Refusal, SaysWhatAndWhatWasExpected) {
  EXPECT_EQ(errors(std::string(kDeclarations) + GetParam().line), std::string("p.tpb:7:") + GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Spelling, Refusal,
    ::testing::Values(
        Case{"pol func=max src=x dst=x",
             "1: error: unknown mnemonic 'pol', expected a known mnemonic (did you mean 'pool'?)"},
        Case{"  copy src=xx dst=x", "12: error: unknown tensor 'xx', expected deep, half, x or y (did you mean 'x'?)"},
        Case{"copy scr=x dst=x",
             "1: error: copy without src=, expected src= dst=\n"
             "p.tpb:7:6: error: unknown field of copy 'scr', expected src, dst or ch (did you mean 'src'?)"},
        Case{"nop ch=3", "5: error: unknown field of nop 'ch', expected none, as there is none"},
        Case{"tensor_reduce op=ad axis=X src=x dst=y",
             "18: error: unknown op 'ad', expected a known op (did you mean 'add'?)"},
        Case{"copy src=fp3@0[1][1] dst=x",
             "10: error: unknown dtype 'fp3', expected int8, uint8, int16, uint16, bf16, fp16, "
             "int32, uint32, fp32, fp32r, fp8_e3m4, fp8_e4m3 or fp8_e5m2 (did you mean 'fp32'?)"},
        Case{"nop S[dune]++", "7: error: unknown semaphore 'dune', expected done (did you mean 'done'?)"},
        Case{".engine tool",
             "9: error: unknown engine 'tool', expected pe, act, dve, pool or sfu (did you mean 'pool'?)"},
        Case{".generation caiman",
             "13: error: unknown generation 'caiman', expected sunda, cayman, mariana, mariana_plus or "
             "maverick (did you mean 'cayman'?)"},
        Case{".tenser z fp32 [1] sbuf+0",
             "1: error: unknown directive '.tenser', expected .generation, .tensor, .output, "
             ".expect, .semaphore, .register, .engine, .bundle or .word (did you mean '.tensor'?)"},
        Case{".tensor z fp32 [1] sbuff+0",
             "20: error: unknown memory 'sbuff', expected sbuf or psum (did you mean 'sbuf'?)"},
        Case{".tensor z fp32 [1] sbuf+0 = zeroes",
             "29: error: unknown contents 'zeroes', expected zeros, ones, iota, random or "
             "uninitialised (did you mean 'zeros'?)"},
        Case{"nop S[1]++@compete",
             "12: error: unknown trigger 'compete', expected complete or read (did you mean 'complete'?)"},
        Case{"copy src=x dst=x reduce_cmd=idle",
             "18: error: unknown field of copy 'reduce_cmd', expected src, dst or ch"}));

INSTANTIATE_TEST_SUITE_P(
    Syntax, Refusal,
    ::testing::Values(
        Case{"nop !", "5: error: character '!', expected an instruction or a directive"},
        Case{"nop \x7f", "5: error: byte 0x7f, expected an instruction or a directive"},
        Case{"[", "1: error: '[', expected an instruction or a directive"},
        Case{".output y \"y.npy", "11: error: quoted text without an end, expected a closing '\"'"},
        Case{".output y y", "11: error: 'y', expected a quoted path"},
        Case{".output y \"\"", "11: error: empty path, expected a file"},
        Case{".engine pool pool", "14: error: 'pool', expected the end of the line"},
        Case{"nop S done", "5: error: unknown field of nop 'S', expected none, as there is none"},
        Case{"nop S[256]++", "7: error: '256', expected a semaphore in 0..255"},
        Case{"nop S[1]", "9: error: the end of the line, expected a wait (== < <= > >=) or an update (++ -- += -= =)"},
        Case{"nop S[1]>=-1", "11: error: '-1', expected a number or reg(Rn) in 0..4294967295"},
        Case{"nop S[1]>=1@read", "12: error: '@', expected no trigger, as a wait has none"},
        Case{"nop S[1]+=reg(R3)",
             "11: error: register in an update, expected a number (reg(Rn) stands in waits and =@complete only)"},
        Case{"nop S[1]=reg(R3)@read",
             "10: error: register in an update, expected a number (reg(Rn) stands in waits and =@complete only)"},
        Case{"nop S[1]>=reg(R64)", "15: error: 'R64', expected a register R0..R63"},
        Case{"copy src=x dst=x dst=x", "18: error: second dst, expected one"},
        Case{"pool func=avg src=x+0[1,32,2,64][2,2,16,16] dst=y scale=two", "57: error: 'two', expected a number"},
        Case{"pool func=avg src=x+0[1,32,2,64][2,2,16,16] dst=y scale=1e39",
             "57: error: '1e39' does not fit fp32, expected a number"},
        Case{"tensor_reduce op=max axis=X src=x dst=x negate=1",
             "47: error: '=', expected no value, as negate is a flag"},
        Case{".bundle 45", "11: error: 2 digits, expected 64 bytes in hexadecimal"},
        Case{".bundle 4g", "10: error: 'g', expected 64 bytes in hexadecimal"},
        Case{".semaphore done 4", "12: error: second semaphore 'done', expected another name"},
        Case{".semaphore more 3", "17: error: second .semaphore 3, expected one (line 5)"},
        Case{".register sfu R24 = 1", "15: error: 'R24', expected a register R0..R23"},
        Case{".register sfu R0 = 1", "15: error: R0 of the sfu reads zero, expected R1..R23"}));

INSTANTIATE_TEST_SUITE_P(
    Operands, Refusal,
    ::testing::Values(
        Case{"copy src=x[:, 32] dst=y", "15: error: index 32 outside dimension 1 of 32 elements"},
        Case{"copy src=x[:, 0:33] dst=y", "15: error: index 33 outside dimension 1 of 32 elements"},
        Case{"copy src=x[:, -33:] dst=y", "15: error: index -33 outside dimension 1 of 32 elements"},
        Case{"copy src=x[:, 4:4] dst=y", "15: error: slice without elements, expected at least one"},
        Case{"copy src=x[:, 0:4:0] dst=y", "19: error: step 0, expected another step"},
        Case{"copy src=x[::2] dst=y", "12: error: partition step 2, expected 1"},
        Case{"copy src=x[0, 0, 0, 0] dst=y", "21: error: '0', expected no more than the 3 indices of 'x'"},
        Case{"copy src=deep dst=y", "10: error: operand with 5 free dimensions, expected at most 4"},
        Case{"pool func=avg src=deep dst=y",
             "19: error: operand with 5 free dimensions, expected at most 4: in0.size() == 5"},
        Case{"copy src=x+1024[1][1] dst=x", "12: error: elements 1024..1024 per partition, expected 0..1023 of 'x'"},
        Case{"copy src=x+2[-1][4] dst=x", "12: error: elements -1..2 per partition, expected 0..1023 of 'x'"},
        Case{"copy src=x+0[1,2][3] dst=x", "10: error: 2 steps and 1 counts, expected as many of both"},
        Case{"copy src=x+0[1][0] dst=x", "17: error: '0', expected a count in 1..65535"},
        Case{"copy src=x+0[40000][1] dst=x", "14: error: '40000', expected a step in -32768..32767"},
        Case{"copy src=fp32@0x20000000[1][1] dst=x", "15: error: '0x20000000', expected an address in 0..536870911"},
        Case{"copy src=fp32@0x1000000[1][1] dst=fp32@0[1][1] ch=65",
             "10: error: partitions 64..128 of sbuf, expected 0..127"},
        Case{"copy src=fp32@4[-1][3] dst=fp32@0[1][3]",
             "10: error: bytes -4..7 of a partition of sbuf, expected 0..229375"},
        Case{"copy src=fp32@0[1][3] dst=fp32@0x2003ff8[1][3]",
             "27: error: bytes 16376..16387 of a partition of psum, expected 0..16383"},
        Case{"copy src=fp32@0[1][1] dst=fp32@0[1][1] ch=129", "43: error: '129', expected partitions in 1..128"},
        Case{"copy src=x dst=x ch=128",
             "18: error: ch= without a raw operand, expected the partitions of the tensors to speak"},
        Case{"copy src=x dst=half", "16: error: dst has 64 partitions, expected 128 as in src"},
        Case{"copy src=x dst=y", "16: error: dst has 256 elements per partition, expected 1024 (those of src)"},
        Case{"tensor_tensor op=add src0=y src1=x dst=y",
             "34: error: src1 has 1024 elements per partition, expected 256 (those of src0)"},
        Case{"tensor_reduce op=add axis=XY src=x dst=y",
             "40: error: dst has 256 elements per partition, expected 1 (those of src without the axis)"},
        Case{"pool func=max src=x+0[1,32,2,64][2,2,16,16] dst=x",
             "49: error: dst has 1024 elements per partition, expected 256 (one for each window of src)"}));

INSTANTIATE_TEST_SUITE_P(
    Documents, Refusal,
    ::testing::Values(
        Case{"tensor_reduce op=average axis=X src=x dst=y",
             "18: error: op=average: average folds into pool_scale: use pool func=avg or add then tensor_scalar mult"},
        Case{"tensor_reduce op=elemwise_mul axis=X src=x dst=y",
             "18: error: op=elemwise_mul: average folds into pool_scale: use pool func=avg or add then tensor_scalar "
             "mult"},
        Case{"tensor_reduce op=add axis=XYZ src=x dst=x[:,0,0] transpose",
             "50: error: transpose: no opcode for it in this profile"},
        Case{"pool func=sum src=x dst=y",
             "11: error: func=sum: has unimplemented Pooling type: use tensor_reduce op=add"}));

INSTANTIATE_TEST_SUITE_P(
    Tensors, Refusal,
    ::testing::Values(
        Case{".tensor x fp32 [1] sbuf+0", "9: error: second tensor 'x', expected another name (line 1)"},
        Case{".tensor z fp32 [0, 1] sbuf+0", "17: error: '0', expected partitions in 1..128"},
        Case{".tensor z fp32 [129] sbuf+0", "17: error: '129', expected partitions in 1..128"},
        Case{".tensor z fp32 [1, 0] sbuf+0", "20: error: '0', expected a dimension in 1..536870911"},
        Case{".tensor z fp32 [65] sbuf[64]+0", "21: error: partitions 64..128 of sbuf, expected 0..127"},
        Case{".tensor z fp32 [1, 4] psum+0x3FF4",
             "23: error: bytes 16372..16387 of a partition of psum, expected 0..16383"},
        Case{".tensor z fp32 [1, 65536, 65536, 65536] sbuf+0",
             "41: error: more than the 229376 bytes of a partition of sbuf, expected a smaller tensor"},
        Case{".tensor z int8 [1, 2] sbuf+0 = [1, 2, 3]", "32: error: 3 values, expected 1 or 2"},
        Case{".tensor z int8 [1, 2] sbuf+0 = [128]", "33: error: '128', expected a value of int8 in -128..127"},
        Case{".tensor z uint8 [1, 2] sbuf+0 = [-1]", "34: error: '-1', expected a value of uint8 in 0..255"},
        Case{".tensor z bf16 [1, 2] sbuf+0 = [bits(0x10000)]",
             "38: error: '0x10000', expected the bits of an element in 0..65535"},
        Case{".tensor z fp32 [64, 1] sbuf[64]+0xc = ones",
             "9: error: 'z' overlaps 'half' (line 3) and both have contents, expected one"},
        Case{".tensor z fp32 [1] sbuf+0 = \"none.npy\"",
             "29: error: 'none.npy' cannot be read (No such file or directory), expected a file"},
        Case{".expect y \"none.npy\" exact",
             "11: error: 'none.npy' cannot be read (No such file or directory), expected a file"}));

class Refusals : public Scratch {};

TEST_F(Refusals, TouchingOrUninitialisedTensorsDoNotOverlap) {
  // half occupies partitions 64..127, bytes 0..15.
  EXPECT_EQ(errors(std::string(kDeclarations) + ".tensor a fp32 [64, 1] sbuf[64]+0x10 = ones\n"
                                                ".tensor b fp32 [64, 4] sbuf+0x0 = ones\n"
                                                ".tensor c fp32 [128, 8] sbuf+0x0 = uninitialised\n"
                                                ".tensor d fp32 [64, 4] psum[64]+0x0 = ones\n"),
            "");
}

TEST_F(Refusals, AllProblemsOfAFileInTheOrderOfItsLines) {
  EXPECT_EQ(errors(".tensor x fp32 [4, 4] nowhere+0\n"
                   ".engine pol\n"
                   "  copy src=x dst=x\n"  // x is known to be unusable: no second complaint
                   "  copy src=q dst=r\n"
                   ".tensor y fp32 [4, 4] sbuf+0x0\n"
                   "  nop S[1]\n"),
            "p.tpb:1:23: error: unknown memory 'nowhere', expected sbuf or psum\n"
            "p.tpb:2:9: error: unknown engine 'pol', expected pe, act, dve, pool or sfu (did you mean 'pool'?)\n"
            "p.tpb:4:12: error: unknown tensor 'q', expected y (did you mean 'y'?)\n"
            "p.tpb:4:18: error: unknown tensor 'r', expected y (did you mean 'y'?)\n"
            "p.tpb:6:11: error: the end of the line, expected a wait (== < <= > >=) or an update (++ -- += -= =)");
}

TEST_F(Refusals, InstructionsOutsideASection) {
  EXPECT_EQ(errors("\n nop\n"), "p.tpb:2:2: error: instruction outside a section, expected .engine NAME before it");
}

TEST_F(Refusals, ZeroBytesAndSecondGenerations) {
  using namespace std::string_view_literals;
  EXPECT_EQ(errors("nop\n.engine\0 pool"sv.substr(4)), "p.tpb:1:8: error: zero byte, expected text");
  EXPECT_EQ(errors(".generation cayman\n.generation cayman"),
            "p.tpb:2:1: error: second .generation, expected one (line 1)");
  EXPECT_EQ(errors(".register pool R1 = 1\n.register pool R1 = 1"),
            "p.tpb:2:16: error: second value for R1 of pool, expected one (line 1)");
}

TEST_F(Refusals, RegistersOfTheSfuAreFewer) {
  EXPECT_EQ(errors(".engine sfu\nnop S[1]>=reg(R23)"), "");
  EXPECT_EQ(errors(".engine sfu\nnop S[1]>=reg(R24)"), "p.tpb:2:15: error: 'R24', expected a register R0..R23");
}

TEST_F(Refusals, Limits) {
  Config config = shipped();
  config.limits.instructions = 2;
  EXPECT_EQ(errors(".engine pe\nnop\nnop", config), "");
  // The second nop needs an event_semaphore besides: three bundles.
  EXPECT_EQ(errors(".engine pe\nnop\nnop S[1]++ S[2]++\nnop", config),
            "p.tpb:3:1: error: more instructions than limits.instructions, expected at most 2");
  config = shipped();
  config.limits.tensors = 1;
  EXPECT_EQ(errors(".tensor a fp32 [1] sbuf+0\n.tensor b fp32 [1] sbuf+4", config),
            "p.tpb:2:9: error: more tensors than limits.tensors, expected at most 1");
  config = shipped();
  config.limits.file_bytes = 4;
  EXPECT_EQ(errors("# 345", config), "p.tpb:0:0: error: has 5 bytes, expected at most 4 (limits.file_bytes)");
}

TEST_F(Refusals, Comparisons) {
  const std::string x = ".tensor x fp32 [1] sbuf+0\n";
  write("x.npy", program(x).tensors.empty() ? ""
                                            : std::string("\x93NUMPY\1\0v\0", 10) +
                                                  "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }" +
                                                  std::string(60, ' ') + "\n" + std::string(4, '\0'));
  const auto comparison = [&](const std::string& mode) { return errors(x + ".expect x \"x.npy\"" + mode); };
  for (const char* good : {" exact", " ulp=2", " rtol=1e-5", " atol=0", " atol=1e-6 rtol=1e-5"})
    EXPECT_EQ(comparison(good), "");
  EXPECT_EQ(comparison(""), "p.tpb:2:18: error: the end of the line, expected exact, ulp=, or rtol= and atol=");
  EXPECT_EQ(comparison(" ulp=1 rtol=1"),
            "p.tpb:2:25: error: rtol besides another comparison, expected exact, ulp=, or rtol= and atol=");
  EXPECT_EQ(comparison(" exact exact"),
            "p.tpb:2:25: error: exact besides another comparison, expected exact, ulp=, or rtol= and atol=");
  EXPECT_EQ(comparison(" rtol=-1"), "p.tpb:2:24: error: '-', expected a finite number, zero or more");
  EXPECT_EQ(comparison(" exakt"),
            "p.tpb:2:19: error: unknown comparison 'exakt', expected exact, ulp, rtol or atol (did you mean 'exact'?)");
}

TEST_F(Refusals, DeclaredGeneration) {
  EXPECT_EQ(declared_generation(write("a.tpb", "# x\n.generation sunda\nnonsense !!")), Generation::sunda);
  EXPECT_EQ(declared_generation(write("b.tpb", "nonsense !!\n# .generation sunda\n")), std::nullopt);
  EXPECT_NE(input_error([&] {
              declared_generation(write("c.tpb", ".generation sundae"));
            }).find("c.tpb:1:13: error: unknown"),
            std::string::npos);
  EXPECT_NE(input_error([&] { declared_generation(path("none.tpb")); }).find("none.tpb:0:0: error: cannot be read"),
            std::string::npos);
}

}  // namespace
}  // namespace tpb
