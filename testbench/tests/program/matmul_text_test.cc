// Text of the matrix engine: bytes written out by hand from its layout, and what the assembler refuses.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "models/program/assembler.h"
#include "testbench/tests/program/hex.h"
#include "testbench/tests/program/scratch.h"

namespace tpb {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::string_view kTensors =
    ".tensor a bf16 [64, 96] sbuf+0x0\n"
    ".tensor x bf16 [64, 4, 8] sbuf+0x100\n"
    ".tensor p fp32 [96, 32] psum+0x0\n"
    ".tensor q fp32 [96, 16] psum+0x80\n"
    ".tensor f fp32 [64, 32] sbuf+0x200\n"
    ".tensor wide bf16 [64, 3, 48] sbuf+0x400\n"
    ".tensor deep bf16 [64, 2, 2, 2, 2] sbuf+0x600";

class MatmulText : public Scratch {
 protected:
  Bundle single(std::string_view body) const {
    const std::vector<Bundle> all = bundles(kTensors, body);
    EXPECT_THAT(all, SizeIs(1));
    return all.at(0);
  }
  // "p.tpb:9:COLUMN: error: ..." of a line behind the tensors.
  std::string refused(std::string_view line) const {
    return errors(std::string(kTensors) + "\n.engine pe\n" + std::string(line));
  }
};

TEST_F(MatmulText, TheStationaryHasARowForEachPartition) {
  // 64 partitions of 96 elements: rows 40h at 38, cols 60h at 39.
  EXPECT_EQ(single("load_stationary src=a"),
            hex("01100000 00000000 00000000  00000000  00000000 010001000100 600001000100  06000000 00004060 00000000"
                "  00000000  00000000000000000000000000000000"));
}

TEST_F(MatmulText, TheProductHasAPartitionForEachColumn) {
  // dst's 96 partitions are the columns; single is begin and end, 3 at 43. PSUM starts at 02000000.
  EXPECT_EQ(single("multiply_moving src=x dst=p S[5]++"),
            hex("02100000 00001305 00000000  00000000  00010000 010008000100 080004000100  06000a00 00004060 00000003"
                "  00000000  00000002 010001000100 200001000100"));
}

TEST_F(MatmulText, Accumulation) {
  const auto flags = [&](std::string_view word) {
    return single(fmt::format("multiply_moving src=x dst=p accumulate={}", word))[43];
  };
  EXPECT_EQ(flags("single"), 3);
  EXPECT_EQ(flags("begin"), 1);
  EXPECT_EQ(flags("middle"), 0);
  EXPECT_EQ(flags("end"), 2);
}

TEST_F(MatmulText, Options) {
  // Bit 0 of byte 35: ones and zeros, bit 1: transpose; tfloat32 is mode 1 at 33.
  EXPECT_EQ(single("load_stationary src=a onezero")[35], 1);
  EXPECT_EQ(single("load_stationary src=a transpose")[35], 2);
  EXPECT_EQ(single("multiply_moving src=x dst=p transpose onezero")[35], 3);
  EXPECT_EQ(single("load_stationary src=f")[33], 0);
  EXPECT_EQ(single("load_stationary src=f tfloat32")[33], 1);
  EXPECT_EQ(single("multiply_moving src=f dst=p tfloat32")[33], 1);
}

TEST_F(MatmulText, Tiles) {
  // In units of 32, the position in the low nibble: rows at 44, columns at 45.
  const Bundle tile = single("load_stationary src=a[:, 0:32] tile_position=(64,96) tile_size=(64, 32)");
  EXPECT_EQ(tile[44], 0x22);
  EXPECT_EQ(tile[45], 0x13);
  const Bundle size = single("load_stationary src=a tile_size=(128, 128)");
  EXPECT_EQ(size[44], 0x40);
  EXPECT_EQ(size[45], 0x40);
}

TEST_F(MatmulText, RawOperandsHavePartitionsOfTheirOwn) {
  const Bundle raw = single("multiply_moving src=bf16@0[1][8] dst=fp32@0x2000000[1][8] ch=32 cols=17");
  EXPECT_EQ(raw[38], 32);
  EXPECT_EQ(raw[39], 17);
  EXPECT_EQ(disassemble(raw, shipped()),
            "multiply_moving src=bf16@0x0[1,1,1][8,1,1] dst=fp32@0x2000000[1,1,1][8,1,1] cols=17 ch=32");
  const Bundle whole = single("multiply_moving src=bf16@0[1][8] dst=fp32@0x2000000[1][8]");
  EXPECT_EQ(whole[38], 128);
  EXPECT_EQ(whole[39], 128);
  // Either may be a tensor.
  EXPECT_EQ(single("multiply_moving src=x dst=fp32@0x2000000[1][32] cols=17")[38], 64);
  EXPECT_EQ(single("multiply_moving src=bf16@0[1][32] dst=p ch=17")[39], 96);
}

TEST_F(MatmulText, Refusals) {
  EXPECT_EQ(refused("load_stationary src=wide"),
            "p.tpb:9:21: error: src has 144 elements per partition, expected at most 128 (columns)");
  EXPECT_EQ(refused("load_stationary src=deep"),
            "p.tpb:9:21: error: operand with 4 free dimensions, expected at most 3");
  EXPECT_EQ(refused("load_stationary src=a tfloat32"),
            "p.tpb:9:23: error: tfloat32 of bf16, expected fp32, which it rounds");
  EXPECT_EQ(refused("load_stationary src=a tile_position=(0,32)"),
            "p.tpb:9:37: error: tile_position= without tile_size=, expected the size of the tile too");
  EXPECT_EQ(refused("load_stationary src=a tile_size=(64,48)"),
            "p.tpb:9:33: error: tile_size 48, expected multiples of 32");
  EXPECT_EQ(refused("load_stationary src=a tile_position=(1,0) tile_size=(64,64)"),
            "p.tpb:9:37: error: tile_position 1, expected multiples of 32");
  EXPECT_EQ(refused("load_stationary src=a tile_size=(0,64)"), "p.tpb:9:34: error: '0', expected tile_size in 32..128");
  EXPECT_EQ(refused("load_stationary src=a tile_size=64"), "p.tpb:9:33: error: '64', expected '(' and tile_size");
  EXPECT_EQ(refused("load_stationary src=a tile_size=(64)"), "p.tpb:9:33: error: 1 numbers, expected (rows, columns)");
  EXPECT_EQ(refused("load_stationary src=a tile_size=(64,64,64)"),
            "p.tpb:9:33: error: 3 numbers, expected (rows, columns)");
  EXPECT_EQ(refused("load_stationary src=a tile_size=(64,64"),
            "p.tpb:9:39: error: the end of the line, expected ',' or ')'");
  EXPECT_EQ(refused("multiply_moving src=x dst=q"),
            "p.tpb:9:27: error: dst has 16 elements per partition, expected 32 (those of src)");
  EXPECT_EQ(refused("multiply_moving src=x dst=p accumulate=start"),
            "p.tpb:9:40: error: unknown accumulate 'start', expected single, begin, middle or end");
  EXPECT_EQ(refused("multiply_moving src=x dst=p cols=96"),
            "p.tpb:9:34: error: cols= without a raw dst, expected the partitions of dst to speak");
  EXPECT_EQ(refused("multiply_moving src=x dst=p cols=129"), "p.tpb:9:34: error: '129', expected cols in 1..128");
  EXPECT_EQ(refused("multiply_moving src=x dst=p ch=64"),
            "p.tpb:9:29: error: ch= without a raw operand, expected the partitions of the tensors to speak");
  EXPECT_EQ(refused("multiply_moving src=x dst=fp32@0x2000000[1][32] cols=17 ch=64"),
            "p.tpb:9:57: error: ch= without a raw operand, expected the partitions of the tensors to speak");
  EXPECT_EQ(refused("multiply_moving src=x dst=p tile_size=(64,64)"),
            "p.tpb:9:29: error: unknown field of multiply_moving 'tile_size', expected src, dst, cols, accumulate, "
            "transpose, onezero, tfloat32 or ch");
}

TEST_F(MatmulText, WhatItCannotSayIsABundle) {
  const auto text_of = [&](Bundle bundle, std::size_t at, std::uint8_t value) {
    bundle.at(at) = value;
    return disassemble(bundle, shipped());
  };
  const Bundle load = single("load_stationary src=a");
  EXPECT_THAT(text_of(load, 45, 0x21), HasSubstr(".bundle"));  // a tile of columns, and the whole of the rows
  EXPECT_THAT(text_of(load, 39, 95), HasSubstr(".bundle"));    // other columns than elements
  EXPECT_THAT(text_of(load, 43, 3), HasSubstr(".bundle"));
  const Bundle product = single("multiply_moving src=x dst=p");
  EXPECT_THAT(text_of(product, 44, 0x40), HasSubstr(".bundle"));
  EXPECT_THAT(text_of(product, 47, 1), HasSubstr(".bundle"));
  EXPECT_THAT(text_of(product, 33, 1), HasSubstr(".bundle"));  // tfloat32 of bf16
}

}  // namespace
}  // namespace tpb
