// Text to image to text to image: the same bytes, line tables included.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "models/program/assembler.h"
#include "models/program/image.h"
#include "models/program/mnemonic.h"
#include "testbench/tests/program/scratch.h"

namespace tpb {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class RoundTrip : public Scratch {
 protected:
  // Assembles, disassembles and assembles again in one directory; returns the text in between.
  std::string check_file(const std::filesystem::path& source, const Config& config) {
    const Program first = assemble(source, config);
    const std::filesystem::path directory = source.parent_path();
    write_image(first, directory / "first.tpbx");
    const std::string text = disassemble(read_image(directory / "first.tpbx", Limits{}), config, directory);
    std::ofstream(directory / "again.tpb") << text;
    write_image(assemble(directory / "again.tpb", config), directory / "second.tpbx");
    EXPECT_EQ(bytes_of_file(directory / "first.tpbx"), bytes_of_file(directory / "second.tpbx")) << text;
    return text;
  }
  static void expect_legal(const Program& program, const Config& config) {
    for (const Engine engine : kEngines) {
      LegalityContext context{config.generation, engine, config.memory, config.semantics};
      for (const Bundle& bundle : program.sections[engine].bundles) {
        const auto violation = first_violation(bundle, context);
        if (bundle[0] == static_cast<std::uint8_t>(Opcode::match_value_load))
          context.match_value_channels = kPartitions;
        context.stationary = stationary_of(unpack(bundle, config.semantics)).value_or(context.stationary);
        EXPECT_FALSE(violation) << disassemble(bundle, config) << ": " << violation->rule << " " << violation->field;
      }
    }
  }
  std::string check(std::string_view text, const Config& config = shipped()) {
    return check_file(write("p.tpb", text), config);
  }
};

TEST_F(RoundTrip, EveryExampleOfTheDocumentation) {
  std::ifstream page(TPB_SOURCE_DIR "/docs/program-text.md");
  std::string line, example;
  bool inside = false;
  int examples = 0;
  while (std::getline(page, line)) {
    if (line == "```tpb") {
      inside = true;
      example.clear();
    } else if (inside && line == "```") {
      inside = false;
      ++examples;
      const auto generation = declared_generation(write("example.tpb", example)).value_or(Generation::cayman);
      SCOPED_TRACE(example);
      const std::string text = check_file(path("example.tpb"), shipped(generation));
      EXPECT_THAT(text, Not(HasSubstr(".bundle")));
      expect_legal(assemble(path("example.tpb"), shipped(generation)), shipped(generation));
    } else if (inside) {
      example += line + "\n";
    }
  }
  EXPECT_GE(examples, 27);
}

TEST_F(RoundTrip, PlacesEveryLineWhereItStood) {
  EXPECT_EQ(
      check("# a comment\n"
            "\n"
            ".semaphore done 3 = 0\n"
            ".generation cayman   # out of the usual order\n"
            ".tensor y fp32 [128, 4] sbuf[0]+0x20 = iota\n"
            "\n"
            ".engine pool\n"
            "\n"
            "  copy src=y dst=y[:, ::-1] S[done]++ S[7]>=2 S[8]>=0 S[9]=1@read\n"
            ".engine dve\n"
            "  halt  S[done]>=1\n"
            ".output y \"y.npy\"\n"
            "  nop S[1]>=5 S[2]+=1\n"),
      "\n"
      "\n"
      ".semaphore done 3 = 0\n"
      ".generation cayman\n"
      ".tensor y fp32 [128, 4] sbuf+0x20 = iota\n"
      "\n"
      "\n"
      ".engine pool\n"
      "  copy src=fp32@0x20[1,1,1,1][4,1,1,1] dst=fp32@0x2c[-1,1,1,1][4,1,1,1] ch=128  S[7]>=2  S[8]>=0  S[done]++"
      "  S[9]=1@read\n"
      ".engine dve\n"
      "  halt  S[done]>=1\n"
      ".output y \"y.npy\"\n"
      "  nop  S[1]>=5  S[2]+=1\n");
}

TEST_F(RoundTrip, EventSemaphoresAlone) {
  check(
      ".engine pe\n"
      "event_semaphore S[1]>=1 S[2]>=2 S[3]>=3\n"
      "event_semaphore S[1]++ S[2]-- S[3]+=3\n"
      "event_semaphore S[1]>=1 S[2]>=2 S[3]=2 S[4]=1@read\n"
      "event_semaphore S[1]>=1 S[3]=2\n"
      "event_semaphore S[1]==reg(R5) S[3]=reg(R6)\n"
      "event_semaphore\n"
      "nop S[1]>=1 S[2]>=2 S[3]=2 S[4]=1@read S[5]=reg(R7)\n"
      ".engine sfu\n"
      "event_semaphore S[1]<reg(R23)\n");
}

TEST_F(RoundTrip, OddContentsPathsAndNumbers) {
  check(
      ".tensor a bf16 [1, 5] sbuf+0x0 = [0.1, -0, nan, -inf, bits(0xffff)]\n"
      ".tensor b fp32 [1, 5] sbuf+0x10 = [1e-45, nan, bits(0x7f800001), 3.4e38, -0.0]\n"
      ".tensor c fp8_e4m3 [1, 3] sbuf+0x30 = [240, bits(0x7b), 0x10]\n"
      ".tensor d int32 [1, 2] sbuf+0x40 = [-2147483648, bits(0xffffffff)]\n"
      ".tensor e fp32r [1, 2] sbuf+0x50 = [1.0000001, bits(0x3f800001)]\n"
      ".tensor f fp16 [1, 2] sbuf+0x60 = [65504, 1e-7]\n"
      ".tensor g uint8 [1, 2] sbuf+0x70 = random(0)\n"
      ".tensor h fp32 [1, 2] sbuf+0x80 = uninitialised\n"
      ".output a \"../other/with \\\"quotes\\\" and \\\\.npy\"\n"
      ".output b \"/absolute/b.npy\"\n"
      ".semaphore 9 = 4294967295\n"
      ".register sfu R23 = 0xFFFFFFFF\n");
}

TEST_F(RoundTrip, OperationsScalesAndRegisters) {
  check(
      ".engine pool\n"
      "pool func=avg src=fp32@0[1,32,2,64][2,2,16,16] dst=bf16@0x3000[1][256] scale=0.1\n"
      "pool func=max src=fp32@reg(R3)[1,32,2,64][2,2,16,16] dst=bf16@0x3000[1][256] scale=nan ch=3\n"
      "pool func=avg src=fp32@0[1,32,2,64][2,2,16,16] dst=bf16@0x3000[1][256] scale=bits(0x7f800001)\n"
      "tensor_reduce op=abs_max axis=XYZW src=fp32@0[1,2,4,8][2,2,2,2] dst=fp32@0x100[1][1] negate\n"
      "tensor_reduce op=logical_shift_right axis=X src=uint8@0[1][8] dst=uint8@0x100[1][1] ch=1\n"
      "tensor_tensor op=mod_uint src0=uint32@0[1][8] src1=uint32@28[-1][8] dst=uint32@0[1][8] ch=1\n",
      shipped());
}

// Every mnemonic, but for the packed ones of sunda and the forms that transpose.
constexpr std::string_view kEveryMnemonic =
    ".engine pool\n"
    "  pool func=max src=fp32@0[1,32,2,64][2,2,16,16] dst=bf16@0x3000[1][256]\n"
    "  tensor_reduce op=add axis=X src=fp32@0[1][8] dst=fp32@0x100[1][1]\n"
    "  cross_lane_reduce op=average axis=C src=fp32@0[1][8] dst=fp32@0x100[1][8]\n"
    "  cross_lane_reduce op=average axis=XYZWC src=fp32@0[1,8][8,2] dst=fp32@0x100[1][1] scale=nan ch=3\n"
    "  cross_lane_reduce op=bitwise_xor axis=C src=uint16@0[-1][1] dst=uint16@0x800000[1][1] ch=32 S[1]++\n"
    "  get_sequence_bounds src=int32@0[1,8][8,2] dst=fp32@0x100[1,8,64][8,2,2] ch=1\n"
    "  tensor_tensor_int_wide op=mult_uint src0=uint32@0[1][8] src1=uint8@0[1][8] dst0=uint32@0x100[1][8]"
    " dst1=uint16@0x200[2][8]\n"
    "  iota start=-2147483648 steps=[1,-32768,32767] partition_step=-1 dst=int16@0[1,8,16][8,2,2]\n"
    "  iota start=1 steps=[0] dst=fp32@reg(R3)[1][8]\n"
    "  memset value=-0 dst=fp16@0[1][8]\n"
    "  memset value=bits(0xfe01) dst=fp16@0[1][8]\n"
    "  memset value=255 dst=uint8@0[0][8]\n"
    ".engine dve\n"
    "  max8 src=bf16@0x40[1,-8][8,2] dst=fp32@0x100[1][8]\n"
    "  max8 src=bf16@0x100[1][8] dst=fp32@0x11c[-1][8] ch=64  S[2]>=3 S[2]-=3\n"
    "  max_index data=bf16@0[1][16] vals=fp32@0x100[1][8] dst=uint32@0x200[1][8]\n"
    "  max_index data=bf16@0[1][16] vals=fp32@0x100[1][8] dst=uint32@0x200[-1,2][2,4] ch=5"
    " S[1]>=1 S[2]>=2 S[3]=2 S[4]=1@read\n"
    "  match_value_load data=bf16@0[1][16] vals=fp32@0x100[1][8]\n"
    "  find_index8 data=bf16@0[1][16] dst=uint32@0x200[1][8]\n"
    "  tensor_tensor op=arith_shift_left src0=int8@0[1][8] src1=uint8@0[1][8] dst=int8@0[1][8]\n"
    "  tensor_scalar_int_wide op=mult_int src=int16@0[1][8] imm=-128 imm_dtype=int8 dst0=int32@0x100[1][8]"
    " dst1=int32@0x200[1][8]\n"
    "  tensor_scalar_int_wide op=add_int src=int16@0[1][8] imm=bits(0xffff0000) imm_dtype=int8 dst0=int32@0x100[1][8]"
    " dst1=int32@0x200[1][8]\n"
    "  tensor_scalar_int_wide op=logical_shift_left src=uint16@0[1][8] imm=uint8@0x300 imm_dtype=uint8"
    " dst0=uint32@0x100[1][8] dst1=uint32@0x200[1][8] ch=32\n"
    "  tensor_scalar_int_wide op=logical_shift_left src=uint16@0[1][8] imm=reg(R9) imm_dtype=uint32"
    " dst0=uint32@0x100[1][8] dst1=uint32@0x200[1][8]\n"
    "  tensor_scalar op0=mult imm0=0.1 src=bf16@0[1][8] dst=fp32@0x100[1][8] reverse0\n"
    "  tensor_scalar op0=mult imm0=fp32@0x300 op1=min imm1=-inf src=bf16@0[1][8] dst=fp32@0x100[1][8] reverse1\n"
    "  tensor_scalar op0=mult imm0=bits(0x7f800001) op1=add imm1=reg(R63) src=bf16@0[1][8] dst=fp32@0x100[1][8]\n"
    "  tensor_scalar op0=bitwise_not imm0=0 src=uint8@0[1][8] dst=int8@0x100[1][8]\n"
    "  tensor_scalar op0=bitwise_and imm0=int32@0x300 op1=bitwise_or imm1=-1 src=int32@0[1][8] dst=int32@0x100[1][8]\n"
    "  tensor_scalar_reduce op0=add imm0=reg(R1) reduce_op=subtract src=fp16@0[1,8,16][8,2,3] dst=int8@0x100[1][48]"
    " reduce_dst=fp32@0x200[1][1] S[1]>=7 S[2]++ S[3]--\n"
    "  dve_read_accumulator dst=fp16@0x200[1][1] ch=96\n"
    "  tensor_scalar_cumulative op0=add imm0=1e-45 op1=mult src=fp16@0[1][8] dst=fp32@0x100[1][8]\n"
    "  tensor_scalar_cumulative op0=add imm0=0 op1=max src=fp16@0[1][8] dst=fp32@0x100[1][8] reduce_cmd=reduce\n"
    "  tensor_scalar_cumulative op0=add imm0=0 op1=max src=fp16@0[1][8] dst=fp32@0x100[1][8] reduce_cmd=load_reduce"
    " imm1=0\n"
    "  tensor_scalar_cumulative op0=add imm0=0 op1=max src=fp16@0[1][8] dst=fp32@0x100[1][8] reduce_cmd=load_reduce"
    " imm1=fp32@0x300\n"
    "  scalar_tensor_tensor op0=subtract imm0=3 op1=mult src0=bf16@0[1][8] src1=fp16@0[1][8] dst=fp32@0x100[1][8]\n"
    "  scalar_tensor_tensor op0=logical_and imm0=int32@0x300 op1=logical_or src0=int32@0[1][8] src1=uint32@0[1][8]"
    " dst=fp32r@0x100[1][8] reverse0 reverse1\n"
    "  tensor_tensor_scan op0=mult op1=add src0=bf16@0[1,8][8,2] src1=fp16@0[1][16] initial=nan dst=fp32@0x100[1][16]\n"
    "  reciprocal src=bf16@0[1][8] dst=fp32@0x100[1][8]\n"
    "  copy src=bf16@0[1][8] dst=fp32@0x100[1][8]\n"
    "  cast src=bf16@0[1][8] dst=fp32@0x100[1][8]\n"
    "  stream_transpose src=bf16@0[1][32] dst=bf16@0x100[1][32]\n"
    ".engine act\n"
    "  activate func=copy src=fp32@0[1][8] dst=fp32@0x100[1][8]\n"
    "  activate func=prelu slope=-0 src=int8@0[1,8,16][8,2,3] dst=fp16@0x100[1][48] scale=nan bias=-0 ch=3\n"
    "  activate func=reciprocal src=bf16@0[1][8] dst=fp8_e5m2@0x100[1][8] scale=fp32@0x300 bias=bf16@0x304"
    " reduce_cmd=reset_reduce reduce_op=min S[1]>=7 S[2]++ S[3]--\n"
    "  activate func=prelu slope=bits(0x7f800001) src=bf16@0[1][8] dst=fp32r@0x100[1][8] scale=reg(R1) bias=reg(R63)"
    " reduce_cmd=reduce\n"
    "  act_read_accumulator dst=fp16@0x200[1][1] ch=96\n"
    ".engine pe\n"
    "  load_stationary src=bf16@0[1][96] ch=64\n"
    "  load_stationary src=fp32@4[2,-1][16,2] tile_position=(96,32) tile_size=(32,64) transpose onezero tfloat32 "
    "ch=32\n"
    "  multiply_moving src=bf16@0x1000[1,64][64,8] dst=fp32@0x2000000[1][512] cols=96 ch=64 S[1]>=1 S[2]++\n"
    "  multiply_moving src=fp32@0x1000[1][8] dst=bf16@0x2000010[8][8] accumulate=begin transpose onezero tfloat32\n"
    "  multiply_moving src=fp8_e4m3@0x1000[1][8] dst=fp32@0x2000010[1][8] accumulate=middle cols=1\n"
    "  multiply_moving src=fp32r@0x1000[1][8] dst=fp32@0x2000010[1][8] accumulate=end cols=128 ch=1\n"
    "  nop\n"
    "  event_semaphore\n"
    "  halt\n";

TEST_F(RoundTrip, EveryMnemonicOnOneLineInBothProfiles) {
  for (const auto opcodes : {SemanticsOptions::ReduceOpcodes::seed003, SemanticsOptions::ReduceOpcodes::arch}) {
    for (const auto load :
         {SemanticsOptions::MatchValueLoad::data_and_values, SemanticsOptions::MatchValueLoad::s2_bn}) {
      Config config = shipped();
      config.semantics.reduce_opcodes = opcodes;
      config.semantics.match_value_load = load;
      const std::string text = check(kEveryMnemonic, config);
      EXPECT_THAT(text, Not(HasSubstr(".bundle")));
      for (const std::string_view name : mnemonic_names()) {
        if (name.ends_with("_bf16")) continue;  // sunda's, in the examples of the documentation
        EXPECT_THAT(text, HasSubstr(fmt::format("  {}", name)));
      }
      EXPECT_EQ(std::ranges::count(text, '\n'), std::ranges::count(kEveryMnemonic, '\n')) << text;
    }
  }
}

TEST_F(RoundTrip, TransposingReductionsOfBothProfiles) {
  Config config = shipped();
  const std::string across =
      "  cross_lane_reduce op=max axis=XYZWC src=fp32@0x0[1,1,1,1][32,1,1,1]"
      " dst=fp32@0x100[1,1,1,1][1,1,1,1] transpose ch=32\n";
  EXPECT_THAT(check(".engine pool\n" + across, config), HasSubstr(across));
  config.semantics.reduce_opcodes = SemanticsOptions::ReduceOpcodes::arch;
  const std::string along =
      "  tensor_reduce op=logical_or axis=X src=uint32@0x0[1,1,1,1][32,1,1,1]"
      " dst=uint32@0x100[1,1,1,1][1,1,1,1] negate transpose ch=32\n";
  EXPECT_THAT(check(".engine dve\n" + along, config), HasSubstr(along));
}

TEST_F(RoundTrip, BundlesOfOneInstructionOnTheirOwn) {
  // Without their lines the two bundles are two instructions; the first of tensor_scalar_reduce has no text of its own.
  Program bare;
  bare.sections[Engine::dve].bundles =
      bundles("",
              "max_index data=bf16@0[1][16] vals=fp32@0x100[1][8] dst=uint32@0x200[1][8] S[1]>=1 S[2]++\n"
              "tensor_scalar_reduce op0=add imm0=1 reduce_op=max src=fp32@0[1][8] dst=fp32@0x100[1][8]"
              " reduce_dst=fp32@0x200[1][1]");
  bare.sections[Engine::dve].lines.assign(4, 0);
  const std::string text = disassemble(bare, shipped(), path(""));
  EXPECT_THAT(text, HasSubstr("  match_value_load data="));
  EXPECT_THAT(text, HasSubstr("  find_index8 data="));
  EXPECT_THAT(text, HasSubstr("  # TensorScalarCacheReduce\n  dve_read_accumulator dst="));
  EXPECT_EQ(program(text).sections[Engine::dve].bundles, bare.sections[Engine::dve].bundles);
}

TEST_F(RoundTrip, DescendingAndAscendingMax8) {
  const Bundle down = bundles("", "max8 src=fp32@0[1][8] dst=fp32@0x100[1][8]").at(0);
  EXPECT_EQ(disassemble(down, shipped()), "max8 src=fp32@0x0[1,1,1,1][8,1,1,1] dst=fp32@0x100[1][8] ch=128");
  Bundle up = down;
  up[48] = 0;  // from 0x100 upward
  up[52] = 1;
  up[53] = 0;
  EXPECT_EQ(disassemble(up, shipped()), "max8 src=fp32@0x0[1,1,1,1][8,1,1,1] dst=fp32@0x11c[-1][8] ch=128");
  up[54] = 1;  // the second step, which the assembler writes as 0
  EXPECT_THAT(disassemble(up, shipped()), HasSubstr(".bundle"));
}

TEST_F(RoundTrip, WhatTextCannotSayBecomesABundle) {
  const Bundle nop = bundles("", "nop").at(0);
  const auto text_of = [&](std::size_t at, std::uint8_t value) {
    Bundle bundle = nop;
    bundle.at(at) = value;
    return disassemble(bundle, shipped());
  };
  EXPECT_EQ(disassemble(nop, shipped()), "nop");
  EXPECT_EQ(text_of(6, 0x13), "nop  S[0]++");
  const std::string zeros(2 * 60, '0');
  EXPECT_EQ(text_of(2, 1), ".bundle a4100100" + zeros + "  # Nop");     // a debug command
  EXPECT_EQ(text_of(1, 0x20), ".bundle a4200000" + zeros + "  # Nop");  // another length
  EXPECT_EQ(text_of(0, 0x8E), ".bundle 8e100000" + zeros + "  # BatchNormParamLoad2");
  EXPECT_EQ(text_of(0, 0xC5), ".bundle c5100000" + zeros + "  # Pseudo");
  EXPECT_EQ(text_of(0, 0x00), ".bundle 00100000" + zeros + "  # no opcode");
  EXPECT_THAT(text_of(4, 0x66), HasSubstr(".bundle"));  // no such wait mode
  EXPECT_THAT(text_of(8, 1), HasSubstr(".bundle"));     // a value that nothing uses
  EXPECT_THAT(text_of(63, 1), HasSubstr(".bundle"));    // a reserved byte
}

TEST_F(RoundTrip, AnyBundleSurvives) {
  // Random damage to instructions of every layout: whatever is printed assembles to the same bundle.
  const std::vector<Bundle> seeds =
      bundles("",
              "pool func=avg src=fp32@0[1,32,2,64][2,2,16,16] dst=bf16@0x3000[1][256]\n"
              "tensor_reduce op=max axis=XY src=fp32@0[1,16][4,4] dst=fp32@0x100[1][1] negate\n"
              "tensor_tensor op=add src0=fp32@0[1][8] src1=bf16@0[1][8] dst=int32@0[1][8] S[3]>=4 S[5]+=4\n"
              "cast src=fp32@0[1][8] dst=bf16@0[1][8]\n"
              "event_semaphore S[1]>=2\n"
              "cross_lane_reduce op=average axis=C src=fp32@0[1][8] dst=fp32@0x100[1][8]\n"
              "max8 src=fp32@0[1][8] dst=fp32@0x100[1][8]\n"
              "max_index data=fp32@0[1][8] vals=fp32@0x100[1][8] dst=uint32@0x200[1][8]\n"
              "get_sequence_bounds src=int32@0[1][8] dst=int32@0x100[1,4,8][4,2,2] ch=1\n"
              "tensor_tensor_int_wide op=add_int src0=uint32@0[1][8] src1=uint32@0[1][8] dst0=uint32@0x100[1][8]"
              " dst1=uint32@0x200[1][8]\n"
              "tensor_scalar_int_wide op=mult_int src=int32@0[1][8] imm=-3 imm_dtype=int16 dst0=int32@0x100[1][8]"
              " dst1=int32@0x200[1][8]\n"
              "tensor_scalar op0=mult imm0=2 op1=add imm1=1 src=fp32@0[1][8] dst=fp32@0x100[1][8]\n"
              "tensor_scalar op0=bitwise_and imm0=2 src=int32@0[1][8] dst=int32@0x100[1][8]\n"
              "tensor_scalar_reduce op0=add imm0=1 reduce_op=max src=fp32@0[1][8] dst=fp32@0x100[1][8]"
              " reduce_dst=fp32@0x200[1][1]\n"
              "tensor_scalar_cumulative op0=add imm0=0 op1=max src=fp16@0[1][8] dst=fp32@0x100[1][8]\n"
              "scalar_tensor_tensor op0=subtract imm0=3 op1=mult src0=bf16@0[1][8] src1=fp16@0[1][8]"
              " dst=fp32@0x100[1][8]\n"
              "activate func=exp src=fp32@0[1][8] dst=fp32@0x100[1][8] scale=2 bias=bf16@0x200 reduce_cmd=reduce\n"
              "load_stationary src=bf16@0[1][64] tile_position=(0,32) tile_size=(128,64)\n"
              "multiply_moving src=fp32@0x1000[1][8] dst=fp32@0x2000000[1][8] cols=96 transpose\n"
              "memset value=1 dst=bf16@0[1][8]\n"
              "iota start=1 steps=[0] dst=fp32@0[1][8]\n");
  std::mt19937 random(99);
  int expressed = 0;
  for (int round = 0; round < 20000; ++round) {
    Bundle bundle = seeds[random() % seeds.size()];
    for (unsigned changes = 1 + random() % 2; changes != 0; --changes) {
      bundle[random() % bundle.size()] = static_cast<std::uint8_t>(random() % 2 == 0 ? random() : random() % 8);
    }
    const std::string text = disassemble(bundle, shipped());
    expressed += text.starts_with(".bundle") ? 0 : 1;
    if (round % 40 == 0) {
      ASSERT_EQ(bundles("", text), std::vector<Bundle>{bundle}) << text;
    }
  }
  EXPECT_GT(expressed, 500);
}

TEST_F(RoundTrip, ProgramsWithoutLines) {
  Program bare;
  bare.sections[Engine::dve].bundles = bundles("", "nop S[1]++\nevent_semaphore S[2]++\nhalt");
  bare.sections[Engine::dve].lines = {0, 0, 0};
  bare.sections[Engine::pe].bundles = bundles("", "halt");
  bare.sections[Engine::pe].lines = {0};
  EXPECT_EQ(disassemble(bare, shipped(), path("")),
            ".engine pe\n  halt\n.engine dve\n  nop  S[1]++\n  event_semaphore  S[2]++\n  halt\n");
}

TEST_F(RoundTrip, LinesThatNoTextHasKeepTheOrderOfTheBundles) {
  Program odd;
  odd.sections[Engine::dve].bundles = bundles("", "nop S[1]++\nhalt\nnop S[2]++\nnop\nhalt");
  odd.sections[Engine::dve].lines = {5, 5, 3, 0, 9};
  const Program again = program(disassemble(odd, shipped(), path("")));
  EXPECT_EQ(again.sections[Engine::dve].bundles, odd.sections[Engine::dve].bundles);
}

}  // namespace
}  // namespace tpb
