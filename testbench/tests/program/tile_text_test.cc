// The text of the tile engine: words against the tables of the tile instruction set written out by hand, blocks and
// moves as bundles, and back.
#include <gmock/gmock.h>

#include <fstream>
#include <random>

#include "models/program/assembler.h"
#include "models/program/image.h"
#include "testbench/tests/program/hex.h"
#include "testbench/tests/program/scratch.h"

namespace tpb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class TileText : public Scratch {
 protected:
  std::vector<Bundle> sfu(std::string_view body) const {
    return program(".tensor y fp32 [128, 16, 16] sbuf+0x2000\n.tensor q bf16 [64, 1] sbuf[64]+0x2400\n.engine sfu\n" +
                   std::string(body) + "\n")
        .sections[Engine::sfu]
        .bundles;
  }
  // The words of the only bundle.
  std::vector<std::uint32_t> words(std::string_view body) const {
    const std::vector<Bundle> all = sfu(body);
    EXPECT_THAT(all, SizeIs(1));
    EXPECT_EQ(all.at(0)[0], 0xF0);
    EXPECT_EQ(all.at(0)[12], 1);  // words
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < all.at(0)[13]; ++i) {
      std::uint32_t word = 0;
      for (std::size_t byte = 4; byte-- > 0;) word = word << 8 | all.at(0)[16 + 4 * i + byte];
      found.push_back(word);
    }
    return found;
  }
  // The word of one line of a block.
  std::uint32_t word(std::string_view line) const {
    return words("BSTART.SFU TROWMIN, FP32\n" + std::string(line) + "\nBSTOP").at(1);
  }
  // Assembled, disassembled and assembled again: the same image. Returns the text.
  std::string round_trip(std::string_view text) const {
    write_image(program(text), path("first.tpbx"));
    const std::string again = disassemble(read_image(path("first.tpbx"), Limits{}), shipped(), path(""));
    write_image(program(again), path("second.tpbx"));
    EXPECT_EQ(bytes_of_file(path("first.tpbx")), bytes_of_file(path("second.tpbx"))) << again;
    return again;
  }
  // Words and their events are a line each, and stay where they stood.
  void expect_unchanged(std::string_view text) const { EXPECT_EQ(round_trip(text), text); }
};

TEST_F(TileText, Words) {
  // BSTART 00019181: the type at bit 27 (FP32 is 1, U8 27), mode 2 at 25, the function at 20.
  EXPECT_EQ(words("BSTART.SFU TROWMIN, FP32\nBSTOP"), (std::vector<std::uint32_t>{0x0C219181, 0x00000001}));
  EXPECT_EQ(words("BSTART.SFU TCOLARGMIN, U8\nBSTOP").at(0), 0xDDD19181);
  // B.DATR 00001023: the pad at bit 27.
  EXPECT_EQ(word("B.DATR Zero"), 0x00001023);
  EXPECT_EQ(word("B.DATR Max"), 0x08001023);
  EXPECT_EQ(word("B.DATR Min"), 0x10001023);
  EXPECT_EQ(word("B.DATR Null"), 0x18001023);
  // B.DIM 0043, 1043, 2043: the register at bit 15, the number's low twelve bits at 20 and high five at 7.
  EXPECT_EQ(word("B.DIM LB0=64"), 0x04000043);
  EXPECT_EQ(word("B.DIM LB1=0x80"), 0x08001043);
  EXPECT_EQ(word("B.DIM LB2=R3+4097"), 0x0011A0C3);
  EXPECT_EQ(word("B.DIM LB0=131071"), 0xFFF00FC3);
  EXPECT_EQ(word("B.DIM LB0=R0+1"), 0x00100043);
  // B.IOT 5013, 4013 with two sources, 6013 with none: sources at bits 20 and 26, last at 19, the size at 15 (2 KiB is
  // 5), the mask's mode at 9, the hand at 7.
  EXPECT_EQ(word("B.IOT T0, mask=1111, last, ->U<2KB>"), 0x000ADE93);
  EXPECT_EQ(word("B.IOT N15, mask=1100, ->T<64KB>"), 0x03F55A13);
  EXPECT_EQ(word("B.IOT T1, U2, mask=0000, last, ->M<128B>"), 0x4818C113);
  EXPECT_EQ(word("B.IOT T0, mask=1000, last"), 0x00085213);
  EXPECT_EQ(word("B.IOT mask=0001, last, ->N<1KB>"), 0x000A6993);
  EXPECT_EQ(word(".word 0xDEADBEEF"), 0xDEADBEEF);
}

TEST_F(TileText, EveryMaskAndSize) {
  const auto mode = [&](const std::string& mask) { return word("B.IOT T0, mask=" + mask) >> 9 & 7; };
  constexpr const char* kMasks[]{"0000", "1000", "0100", "0010", "0001", "1100", "1110", "1111"};
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(mode(kMasks[i]), i);
  constexpr const char* kSizes[]{"128B", "256B", "512B", "1KB", "2KB", "4KB", "8KB", "16KB", "32KB", "64KB"};
  for (unsigned i = 0; i < 10; ++i) {
    EXPECT_EQ(word(std::string("B.IOT T0, mask=1111, ->T<") + kSizes[i] + ">") >> 15 & 15, i + 1);
  }
}

TEST_F(TileText, Block) {
  // Opcode F0, no events, kind 1, five words.
  EXPECT_EQ(sfu("BSTART.SFU TROWMIN, FP32   # a comment\n"
                "\n"
                "  B.DIM LB0=64\n"
                "  B.DIM LB1=128\n"
                "B.IOT T0, mask=1111, last, ->U<2KB>\n"
                "BSTOP"),
            std::vector{hex("f0100000 00000000 00000000 01050000  8191210c 43000004 43100008 93de0a00 01000000"
                            " 00000000 00000000 00000000 00000000 00000000 00000000 00000000")});
}

TEST_F(TileText, Moves) {
  // Kind 2: rows of 4 x 16 from 0x2000 on 128 partitions; fp32 is 0A, 32 KiB is 9, hand T, all PEs, no Col.
  EXPECT_THAT(sfu("TLOAD y[:, 0:4, :] -> T<32KB>"),
              ElementsAre(hex("f0100000 00000000 00000000 02000000  00200000 0100100001000100 1000040001000100"
                              "  0a80 09 00 0f 00 0000  0000000000000000000000000000000000000000")));
  // On 3 partitions, hand N, mask 1100, Col 256.
  EXPECT_THAT(sfu("TLOAD fp32@0x100[2][8] -> N<128B> col=256 mask=1100 ch=3"),
              ElementsAre(hex("f0100000 00000000 00000000 02000000  00010000 0200010001000100 0800010001000100"
                              "  0a03 01 03 0c 00 0001  0000000000000000000000000000000000000000")));
  // Kind 3: U1 is register 17. Partition 64 begins at 64 * 2^18 = 0x1000000 in memory; bf16 is 06.
  const Bundle store = sfu("TSTORE U1 -> q").at(0);
  EXPECT_EQ(store[12], 3);
  EXPECT_EQ(std::vector<int>(store.begin() + 36, store.begin() + 44), (std::vector<int>{6, 64, 0, 17, 0, 0, 0, 0}));
  // Kind 4: N15 is register 63.
  EXPECT_THAT(sfu("TFREE N15"),
              ElementsAre(hex("f0100000 00000000 00000000 04000000 00000000 00000000 00000000 00000000"
                              " 00000000 0000003f 00000000 00000000 00000000 00000000 00000000"
                              " 00000000")));
}

// mode, index and value of wait and update: bytes 4..11.
std::vector<int> events(const Bundle& bundle) { return {bundle.begin() + 4, bundle.begin() + 12}; }

TEST_F(TileText, EventsOfAnyLineAreTheBundles) {
  const std::vector<Bundle> one =
      sfu("BSTART.SFU TROWMIN, FP32\n"
          "B.DIM LB0=4   S[2]++\n"
          "BSTOP S[1]>=5");
  EXPECT_THAT(one, SizeIs(1));
  EXPECT_THAT(events(one.at(0)), ElementsAre(5, 1, 0x13, 2, 5, 0, 0, 0));
  // A second wait before, a second update after; they carry the line of the block.
  const Program p = program(
      ".engine sfu\n\n"
      "BSTART.SFU TROWMIN, FP32  S[4]++@read\n"
      "B.IOT T0, mask=1111 S[1]>=5\n"
      ".word 7 S[3]==6\n"
      "BSTOP S[2]--\n"
      "TFREE T0 S[9]>=1 S[8]>=1");
  const Section& section = p.sections[Engine::sfu];
  EXPECT_THAT(section.lines, ElementsAre(3, 3, 3, 7, 7));
  EXPECT_THAT(events(section.bundles.at(0)), ElementsAre(1, 3, 0, 0, 6, 0, 0, 0));
  EXPECT_THAT(events(section.bundles.at(1)), ElementsAre(5, 1, 0x03, 4, 5, 0, 0, 0));
  EXPECT_THAT(events(section.bundles.at(2)), ElementsAre(0, 0, 0x14, 2, 0, 0, 0, 0));
}

TEST_F(TileText, WordsOutsideABlockEndBeforeAnyOtherLine) {
  EXPECT_EQ(words(".word 1"), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(words(".word 0x43\nB.DATR Max\n.word 1\n.word 2"), (std::vector<std::uint32_t>{0x43, 0x08001023, 1, 2}));
  EXPECT_THAT(sfu(".word 1\nBSTOP\n.word 2\nhalt\n.word 3\n.engine sfu\n.word 4\nBSTART.SFU TROWMIN, S8\nBSTOP"),
              SizeIs(6));
}

TEST_F(TileText, RoundTrips) {
  expect_unchanged(
      ".engine sfu\n"
      "  TLOAD fp32@0x2000[1,16,1,1][16,4,1,1] -> T<32KB> mask=1111 ch=128  S[3]>=1  S[4]==2  S[5]++  S[6]--@read\n"
      "  TLOAD fp32@reg(R23)[1,16,1,1][16,4,1,1] -> N<128B> mask=0000 col=65535 ch=3\n"
      "  BSTART.SFU TROWARGMAX, BF16  S[1]>=1  S[2]>=2  S[2]>=reg(R4)\n"
      "  B.DATR Null\n"
      "  B.DIM LB0=R23+131071\n"
      "  B.DIM LB1=0\n"
      "  B.DIM LB2=1\n"
      "  B.IOT T0, M15, mask=0100\n"
      "  B.IOT mask=0010, ->T<16KB>\n"
      "  B.IOT U3, mask=1110, last, ->M<512B>\n"
      "  BSTOP  S[7]+=9  S[8]-=3\n"
      "  BSTART.SFU TCOLPROD, E4M3\n"
      "  BSTOP\n"
      "  .word 0x00000000  S[1]>=1  S[1]>=2\n"
      "  .word 0x00001023\n"
      "  BSTOP  S[2]++  S[3]++\n"
      "  .word 0x00000001  S[1]>=1  S[1]>=2  S[2]++  S[3]++\n"
      "  TSTORE M7 -> bf16@0x2400[-1,1,1,1][4,1,1,1] ch=32\n"
      "  TFREE U12  S[1]<=3\n"
      "  halt\n");
}

TEST_F(TileText, LinesStandWhereTheyStood) {
  EXPECT_EQ(round_trip("# bundles of words apart, and other engines between\n"
                       ".engine sfu\n"
                       ".word 1  # one\n"
                       "# still\n"
                       ".word 2\n"
                       ".engine sfu\n"
                       ".word 3 S[1]>=1 S[2]>=1\n"
                       ".engine dve\n"
                       "halt\n"
                       ".engine sfu\n"
                       ".word 4\n"
                       ".semaphore 9 = 1\n"
                       ".word 5 S[1]>=1 S[2]>=1\n"
                       "BSTART.SFU TROWSUM, S8\n"
                       ".word 6 # B.IOR and the like have no text\n"
                       "\n"
                       "BSTOP S[1]++\n"
                       "TFREE T0\n"),
            "\n"
            ".engine sfu\n"
            "  .word 0x00000001\n"
            "  .word 0x00000002\n"
            "\n"
            ".engine sfu\n"
            "  .word 0x00000003  S[1]>=1  S[2]>=1\n"
            ".engine dve\n"
            "  halt\n"
            ".engine sfu\n"
            "  .word 0x00000004\n"
            ".semaphore 9 = 1\n"
            "  .word 0x00000005  S[1]>=1  S[2]>=1\n"
            "  BSTART.SFU TROWSUM, S8\n"
            "  .word 0x00000006\n"
            "  BSTOP  S[1]++\n"
            "\n"
            "  TFREE T0\n");
}

TEST_F(TileText, BundlesOfWordsOnNeighbouringLinesKeepTheirLines) {
  // There is no line between them for the `.engine` that would part their words.
  const std::string frame = "f0100000000000000000000001010000";
  const std::string text = "  .bundle " + frame + "05000000" + std::string(88, '0') + "\n";
  const std::string other = "  .bundle " + frame + "06000000" + std::string(88, '0') + "  # ExtendedInst\n";
  const std::string again = round_trip(".engine sfu\n" + text + other);
  EXPECT_EQ(again, ".engine sfu\n  .word 0x00000005\n" + other);
  expect_unchanged(again);
}

TEST_F(TileText, RawWordsThatAreABlockBecomeOne) {
  EXPECT_EQ(round_trip(".engine sfu\n.word 0x0C219181\n.word 0x04000043\n.word 0x00000001\n"),
            ".engine sfu\n  BSTART.SFU TROWMIN, FP32\n  B.DIM LB0=64\n  BSTOP\n");
  // A second BSTART, an early BSTOP, a pad with bits that no line says, B.IOR, a type and a size that do not exist.
  expect_unchanged(
      ".engine sfu\n"
      "  BSTART.SFU TROWMIN, FP32\n"
      "  .word 0x0c219181\n"
      "  .word 0x00000001\n"
      "  .word 0x02001023\n"
      "  .word 0x00000013\n"
      "  .word 0x34219181\n"
      "  .word 0x000dde93\n"
      "  B.DATR Zero\n"
      "  BSTOP\n"
      "  .word 0x0c219181\n"
      "  .word 0x00001023\n"
      "  halt\n");
}

TEST_F(TileText, WhatTextCannotSayBecomesABundle) {
  const auto text_of = [&](std::string_view body, std::size_t at, std::uint8_t value) {
    Bundle bundle = sfu(body).at(0);
    bundle.at(at) = value;
    return disassemble(bundle, shipped());
  };
  constexpr std::string_view kBlock = "BSTART.SFU TROWMIN, FP32\nBSTOP";
  EXPECT_EQ(text_of(kBlock, 13, 2), kBlock);
  EXPECT_THAT(text_of(kBlock, 13, 0), HasSubstr(".bundle"));   // no words
  EXPECT_THAT(text_of(kBlock, 13, 13), HasSubstr(".bundle"));  // more than there is room for
  EXPECT_THAT(text_of(kBlock, 14, 1), HasSubstr(".bundle"));   // a reserved byte
  EXPECT_THAT(text_of(kBlock, 24, 1), HasSubstr(".bundle"));   // after the last word
  EXPECT_THAT(text_of(kBlock, 12, 5), HasSubstr(".bundle"));   // no such kind
  EXPECT_THAT(text_of("TFREE T0", 39, 64), HasSubstr(".bundle"));
  EXPECT_THAT(text_of("TFREE T0", 20, 1), HasSubstr(".bundle"));
  constexpr std::string_view kLoad = "TLOAD y[:, 0:4, :] -> T<32KB>";
  EXPECT_THAT(text_of(kLoad, 38, 0), HasSubstr(".bundle"));  // no such size
  EXPECT_THAT(text_of(kLoad, 38, 11), HasSubstr(".bundle"));
  EXPECT_THAT(text_of(kLoad, 39, 4), HasSubstr(".bundle"));     // no such hand
  EXPECT_THAT(text_of(kLoad, 40, 6), HasSubstr(".bundle"));     // a mask that no word encodes
  EXPECT_THAT(text_of(kLoad, 36, 0xFF), HasSubstr(".bundle"));  // no such dtype
}

TEST_F(TileText, AnyBundleSurvives) {
  const std::vector<Bundle> seeds =
      sfu("TLOAD y[:, 0:4, :] -> T<32KB> col=64\n"
          "TSTORE U1 -> q\n"
          "TFREE N15\n"
          "BSTART.SFU TROWMIN, FP32\nB.DATR Max\nB.DIM LB0=R3+64\nB.IOT T0, mask=1111, last, ->U<2KB>\nBSTOP");
  std::mt19937 random(7);
  int expressed = 0;
  std::vector<Bundle> stream;
  for (int round = 0; round < 2000; ++round) {
    Bundle bundle = seeds[random() % seeds.size()];
    for (unsigned changes = 1 + random() % 2; changes != 0; --changes) {
      bundle[12 + random() % 30] = static_cast<std::uint8_t>(random() % 2 == 0 ? random() : random() % 8);
    }
    expressed += disassemble(bundle, shipped()).starts_with(".bundle") ? 0 : 1;
    stream.push_back(bundle);
  }
  EXPECT_GT(expressed, 400);
  Program odd;
  odd.sections[Engine::sfu] = {stream, std::vector<std::uint32_t>(stream.size(), 0)};
  EXPECT_EQ(program(disassemble(odd, shipped(), path(""))).sections[Engine::sfu].bundles, stream);
}

TEST_F(TileText, Refusals) {
  const auto refusal = [&](std::string_view body) {
    return errors(".tensor y fp32 [128, 16, 16] sbuf+0x2000\n.engine sfu\n" + std::string(body));
  };
  const auto in_block = [&](std::string_view line) {
    return refusal("BSTART.SFU TROWMIN, FP32\n" + std::string(line) + "\nBSTOP");
  };
  EXPECT_EQ(in_block("  B.IOT T0, mask=0110, last, ->U<2KB>"),
            "p.tpb:4:18: error: '0110', expected one of the masks 0000, 1000, 0100, 0010, 0001, 1100, 1110, 1111");
  EXPECT_EQ(in_block("B.IOT T0, mask=1111, last, ->U<3KB>"),
            "p.tpb:4:32: error: '3KB', expected a size 128B, 256B, 512B, 1KB, 2KB, 4KB, 8KB, 16KB, 32KB or 64KB");
  EXPECT_EQ(in_block("B.IOT T0, mask=1111, last, ->V<2KB>"),
            "p.tpb:4:30: error: unknown hand 'V', expected T, U, M or N (did you mean 'T'?)");
  EXPECT_EQ(in_block("B.IOT T16, mask=1111"),
            "p.tpb:4:7: error: 'T16', expected a tile T0..T15, U0..U15, M0..M15 or N0..N15");
  EXPECT_EQ(in_block("B.IOT T0 mask=1111"),
            "p.tpb:4:10: error: 'mask', expected ',' and mask=, as in T0, mask=1111, last, ->U<2KB>");
  EXPECT_EQ(in_block("B.IOT T0, mask=1111, lost"), "p.tpb:4:22: error: 'lost', expected last, or '->' and a hand");
  EXPECT_EQ(in_block("B.IOT T0, mask=1111, last ->U<2KB>"), "p.tpb:4:27: error: '->', expected ',' before '->'");
  EXPECT_EQ(in_block("B.DATR PadValue=Zero"),
            "p.tpb:4:8: error: 'PadValue', expected the padding alone, as in B.DATR Zero");
  EXPECT_EQ(in_block("B.DATR zero"),
            "p.tpb:4:8: error: unknown padding 'zero', expected Zero, Max, Min or Null (did you mean 'Zero'?)");
  EXPECT_EQ(in_block("B.DIM LB3=1"),
            "p.tpb:4:7: error: unknown dimension 'LB3', expected LB0, LB1 or LB2 (did you mean 'LB0'?)");
  EXPECT_EQ(in_block("B.DIM LB0=131072"), "p.tpb:4:11: error: '131072', expected a number in 0..131071");
  EXPECT_EQ(in_block("B.DIM LB0=R24+1"), "p.tpb:4:11: error: 'R24', expected a register R0..R23");
  EXPECT_EQ(in_block("B.DIM LB0=1 2"), "p.tpb:4:13: error: '2', expected a wait, an update or the end of the line");
  EXPECT_EQ(in_block("B.IOX T0"),
            "p.tpb:4:1: error: unknown word 'B.IOX', expected BSTART.SFU, B.DATR, B.DIM, B.IOT or BSTOP "
            "(did you mean 'B.IOT'?)");
  EXPECT_EQ(in_block(".word 0x100000000"), "p.tpb:4:7: error: '0x100000000', expected a word in 0..4294967295");
  EXPECT_THAT(refusal("BSTART.SFU TROWMIM, FP32\nBSTOP"),
              HasSubstr("p.tpb:3:12: error: unknown operation 'TROWMIM', expected "));
  EXPECT_THAT(refusal("BSTART.SFU TROWMIM, FP32\nBSTOP"), HasSubstr("(did you mean 'TROWMIN'?)"));
  EXPECT_THAT(refusal("BSTART.SFU TROWMIN, FP31\nBSTOP"), HasSubstr("(did you mean 'FP32'?)"));

  EXPECT_EQ(refusal("  B.DIM LB0=1"), "p.tpb:3:3: error: B.DIM outside a block, expected BSTART.SFU before it");
  EXPECT_EQ(refusal("TROWMIN T0 -> U<512B>"),
            "p.tpb:3:1: error: 'TROWMIN' alone, expected a block that begins with BSTART.SFU TROWMIN, and a type");
  EXPECT_EQ(refusal("BSTOP"), "p.tpb:3:1: error: BSTOP outside a block, expected BSTART.SFU before it");
  constexpr std::string_view kOpen = "p.tpb:3:2: error: block without an end, expected BSTOP";
  for (const char* next :
       {"", "TFREE T0", "halt", ".engine dve", ".semaphore 1 = 1", "BSTART.SFU TROWMIN, FP32\nBSTOP"}) {
    EXPECT_EQ(refusal(std::string(" BSTART.SFU TROWMIN, FP32\n") + next), kOpen) << next;
  }
  std::string full = "BSTART.SFU TROWMIN, FP32\n";
  for (int i = 0; i < 10; ++i) full += ".word 0\n";
  EXPECT_EQ(refusal(full + "BSTOP"), "");
  EXPECT_EQ(refusal(full + ".word 0\n.word 0\nBSTOP"),
            "p.tpb:15:1: error: word 13 of the block of line 3, expected at most 12");

  EXPECT_EQ(refusal("TLOD y -> T<32KB>"),
            "p.tpb:3:1: error: unknown mnemonic 'TLOD', expected a known mnemonic (did you mean 'TLOAD'?)");
  EXPECT_EQ(refusal("TLOAD y T<32KB>"), "p.tpb:3:9: error: 'T', expected '->'");
  EXPECT_EQ(refusal("TLOAD y -> T"), "p.tpb:3:13: error: the end of the line, expected '<' and a size");
  EXPECT_EQ(refusal("TLOAD x -> T<32KB>"), "p.tpb:3:7: error: unknown tensor 'x', expected y (did you mean 'y'?)");
  EXPECT_EQ(refusal("TLOAD y -> T<32KB> cols=4"),
            "p.tpb:3:20: error: unknown field of TLOAD 'cols', expected mask, col or ch (did you mean 'col'?)");
  EXPECT_EQ(refusal("TLOAD y -> T<32KB> col=1 col=1"), "p.tpb:3:26: error: second col, expected one");
  EXPECT_EQ(refusal("TLOAD y -> T<32KB> col=0"), "p.tpb:3:24: error: '0', expected columns in 1..65535");
  EXPECT_EQ(refusal("TLOAD y -> T<32KB> ch=4"),
            "p.tpb:3:20: error: ch= without a raw operand, expected the partitions of the tensors to speak");
  EXPECT_EQ(refusal("TSTORE T0 -> y mask=1111"), "p.tpb:3:16: error: unknown field of TSTORE 'mask', expected ch");
  EXPECT_EQ(refusal("TFREE T"), "p.tpb:3:7: error: 'T', expected a tile T0..T15, U0..U15, M0..M15 or N0..N15");
}

}  // namespace
}  // namespace tpb
