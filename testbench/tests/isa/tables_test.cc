// The tables against lists written out from the public ISA documentation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "models/isa/alu_op.h"
#include "models/isa/dtype.h"
#include "models/isa/engine.h"
#include "models/isa/generation.h"
#include "models/isa/opcode.h"
#include "models/isa/semantics.h"

namespace tpb {
namespace {

using Codes = std::set<unsigned>;

TEST(Generations, AreOrderedFromOldest) {
  EXPECT_LT(Generation::sunda, Generation::cayman);
  EXPECT_LT(Generation::cayman, Generation::mariana);
  EXPECT_LT(Generation::mariana, Generation::mariana_plus);
  EXPECT_LT(Generation::mariana_plus, Generation::maverick);
}

TEST(Generations, NamesGoBothWays) {
  const std::map<std::string, Generation> expected{{"sunda", Generation::sunda},
                                                   {"cayman", Generation::cayman},
                                                   {"mariana", Generation::mariana},
                                                   {"mariana_plus", Generation::mariana_plus},
                                                   {"maverick", Generation::maverick}};
  for (const auto& [name, generation] : expected) {
    EXPECT_EQ(name_of(generation), name);
    EXPECT_EQ(generation_from_name(name), generation);
  }
  EXPECT_EQ(generation_from_name("trn1"), std::nullopt);
}

TEST(Engines, TieOrderStartsWithPe) {
  EXPECT_THAT(kEngines, testing::ElementsAre(Engine::pe, Engine::act, Engine::dve, Engine::pool, Engine::sfu));
  const std::array<std::string_view, 5> names{"pe", "act", "dve", "pool", "sfu"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(name_of(kEngines[i]), names[i]);
    EXPECT_EQ(engine_from_name(names[i]), kEngines[i]);
  }
  EXPECT_EQ(engine_from_name("gpsimd"), std::nullopt);
}

TEST(Engines, SetsUnite) {
  const EngineSet both = EngineSet{Engine::pe} | EngineSet{Engine::sfu};
  EXPECT_EQ(both, (EngineSet{Engine::pe, Engine::sfu}));
  EXPECT_TRUE(EngineSet{}.empty());
  EXPECT_FALSE(both.contains(Engine::dve));
}

TEST(Opcodes, ThereAre140Ascending) {
  ASSERT_EQ(opcodes().size(), 140U);
  for (std::size_t i = 1; i < opcodes().size(); ++i) EXPECT_LT(opcodes()[i - 1].code, opcodes()[i].code);
}

TEST(Opcodes, EveryByteIsARowAPseudoOrNothing) {
  // 140 rows and 31 pseudo opcodes (C1..DF) leave 85 bytes that mean nothing, FF among them.
  unsigned rows = 0, pseudo = 0, nothing = 0;
  for (unsigned code = 0; code < 256; ++code) {
    const OpcodeInfo* info = find_opcode(static_cast<std::uint8_t>(code));
    if (info != nullptr) {
      EXPECT_EQ(info->code, code);
      EXPECT_FALSE(is_pseudo(info->code));
      ++rows;
    } else if (is_pseudo(static_cast<std::uint8_t>(code))) {
      ++pseudo;
    } else {
      ++nothing;
    }
  }
  EXPECT_EQ(rows, 140U);
  EXPECT_EQ(pseudo, 31U);
  EXPECT_EQ(nothing, 85U);
  EXPECT_EQ(find_opcode(0xFF), nullptr);
  EXPECT_EQ(find_opcode(0x00), nullptr);
  EXPECT_FALSE(is_pseudo(0xC0));
  EXPECT_TRUE(is_pseudo(0xC1));
  EXPECT_TRUE(is_pseudo(0xDF));
  EXPECT_FALSE(is_pseudo(0xE0));
}

TEST(Opcodes, NamesOfASample) {
  const std::map<unsigned, std::string> expected{{0x01, "LdWeights"},
                                                 {0x02, "MatMul"},
                                                 {0x21, "Activate"},
                                                 {0x41, "TensorTensorArith"},
                                                 {0x42, "TensorReduceArith"},
                                                 {0x45, "Pool"},
                                                 {0x6C, "Max8"},
                                                 {0x7C, "CrossLaneReduceArith"},
                                                 {0x83, "TransposeTensorReduceArith"},
                                                 {0x8A, "TensorTensorAddBf16"},
                                                 {0x8E, "BatchNormParamLoad2"},
                                                 {0x8F, "TensorTensorSubBf16"},
                                                 {0xA0, "EventSemaphore"},
                                                 {0xA4, "Nop"},
                                                 {0xBE, "GetSequenceBounds"},
                                                 {0xE6, "TensorScalarCacheCumulative"},
                                                 {0xF0, "ExtendedInst"},
                                                 {0xF4, "TensorScalarIntWide"}};
  for (const auto& [code, name] : expected) {
    const OpcodeInfo* info = find_opcode(static_cast<std::uint8_t>(code));
    ASSERT_NE(info, nullptr) << name;
    EXPECT_EQ(info->name, name);
  }
}

Codes codes_where(bool (*holds)(const OpcodeInfo&)) {
  Codes codes;
  for (const OpcodeInfo& info : opcodes()) {
    if (holds(info)) codes.insert(info.code);
  }
  return codes;
}

TEST(Opcodes, GenerationsThatBeginOrEndAnOpcode) {
  EXPECT_EQ(codes_where([](const OpcodeInfo& i) { return i.last == Generation::sunda; }),
            (Codes{0x87, 0x88, 0x8A, 0x8B, 0x8C, 0x8D, 0x8F}));
  EXPECT_EQ(codes_where([](const OpcodeInfo& i) { return i.first == Generation::cayman; }),
            (Codes{0x06, 0x07, 0x81, 0xBC, 0xBD, 0xBE, 0xBF, 0xE4, 0xE9, 0xF1, 0xF2}));
  EXPECT_EQ(codes_where([](const OpcodeInfo& i) { return i.first == Generation::mariana; }),
            (Codes{0x08, 0x09, 0x0A, 0x25, 0xB4, 0xE0, 0xE1, 0xE2, 0xE3}));
  EXPECT_EQ(codes_where([](const OpcodeInfo& i) { return i.first == Generation::maverick; }),
            (Codes{0x26, 0xB6, 0xB9, 0xBA, 0xF3, 0xF4}));
  for (const OpcodeInfo& info : opcodes()) {
    EXPECT_TRUE(info.last == Generation::sunda || info.last == Generation::maverick) << info.name;
  }
}

TEST(Opcodes, DormantOnes) {
  EXPECT_EQ(codes_where([](const OpcodeInfo& i) { return !i.maintained; }),
            (Codes{0x04, 0x05, 0x44, 0x4A, 0x4B, 0x4C, 0x4F, 0x54, 0x5F, 0x60,
                   0x63, 0x64, 0x70, 0x71, 0x73, 0x76, 0x81, 0x87, 0x88, 0x9C}));
}

Codes members(Layout layout, Generation generation) {
  Codes codes;
  for (const OpcodeInfo& info : opcodes()) {
    if (info.layout == layout && info.exists_in(generation)) codes.insert(info.code);
  }
  return codes;
}

TEST(Opcodes, LayoutMembershipsShrinkWhereThePackedBf16OnesWent) {
  EXPECT_EQ(members(Layout::s3s3d3_tt, Generation::sunda), (Codes{0x41, 0x51, 0x72, 0x99, 0x65, 0x8A, 0x8B, 0x8F}));
  EXPECT_EQ(members(Layout::s4d4_tr, Generation::sunda),
            (Codes{0x42, 0x52, 0x83, 0x84, 0x46, 0x47, 0x48, 0x4E, 0x5E, 0x6A, 0x6B, 0x8C, 0x8D}));
  for (Generation later : {Generation::cayman, Generation::mariana, Generation::mariana_plus, Generation::maverick}) {
    EXPECT_EQ(members(Layout::s3s3d3_tt, later), (Codes{0x41, 0x51, 0x72, 0x99, 0x65}));
    EXPECT_EQ(members(Layout::s4d4_tr, later),
              (Codes{0x42, 0x52, 0x83, 0x84, 0x46, 0x47, 0x48, 0x4E, 0x5E, 0x6A, 0x6B}));
  }
}

TEST(Opcodes, OtherLayoutMemberships) {
  constexpr auto kLatest = Generation::maverick;
  EXPECT_EQ(members(Layout::s4d4_cr, kLatest), (Codes{0x7C, 0x7D}));
  EXPECT_EQ(members(Layout::s4d4_pl, kLatest), (Codes{0x45, 0x58}));
  EXPECT_EQ(members(Layout::s4d2_bn, kLatest), (Codes{0x60, 0x61, 0x62, 0x82, 0x6C, 0x6E}));
  EXPECT_EQ(members(Layout::s2_bn, kLatest), (Codes{0x64, 0x6D, 0x70, 0x71}));
  EXPECT_EQ(members(Layout::s3d3_ts, kLatest), (Codes{0x43, 0x53, 0x44, 0x54, 0x93, 0x9A, 0xE6, 0x30}));
  EXPECT_EQ(members(Layout::s2s2d2_stt, kLatest), (Codes{0x9D, 0x9E, 0xE5, 0xEA}));
  EXPECT_EQ(members(Layout::s4d4_mr, kLatest), (Codes{0x6F}));
  EXPECT_EQ(members(Layout::s3d3_seq_bounds, kLatest), (Codes{0xBE}));
  EXPECT_EQ(members(Layout::s3d3_seq_bounds, Generation::sunda), (Codes{}));
  EXPECT_EQ(members(Layout::s2s2d2d2_tt, kLatest), (Codes{0xF3}));
  EXPECT_EQ(members(Layout::s2d2d2_ts_wide, kLatest), (Codes{0xF4}));
  EXPECT_EQ(members(Layout::s3d3_ac, kLatest), Codes{0x21});
  EXPECT_EQ(members(Layout::s3d3_mm, kLatest), (Codes{0x01, 0x02}));
  EXPECT_EQ(members(Layout::d1_rd, kLatest), (Codes{0x24, 0x9B}));
  EXPECT_EQ(members(Layout::control, kLatest), (Codes{0xA0, 0xA1, 0xA4}));
}

TEST(Opcodes, Bf16SpanHasAHoleAt8E) {
  const OpcodeInfo* hole = find_opcode(0x8E);
  ASSERT_NE(hole, nullptr);
  EXPECT_EQ(hole->layout, Layout::none);
  EXPECT_FALSE(hole->modelled);
  for (Generation generation : kGenerations) EXPECT_TRUE(hole->exists_in(generation));
}

TEST(Opcodes, EnginesThatAcceptThem) {
  const auto engines = [](int code, Generation generation) {
    return find_opcode(static_cast<std::uint8_t>(code))->engines_in(generation);
  };
  const EngineSet both{Engine::dve, Engine::pool};
  const EngineSet everyone{Engine::pe, Engine::act, Engine::dve, Engine::pool, Engine::sfu};
  for (int code : {0x41, 0x42, 0x45, 0x52, 0x8A, 0x8B, 0x8C, 0x8D, 0x8F}) {
    EXPECT_EQ(engines(code, Generation::sunda), both) << code;
  }
  EXPECT_EQ(engines(0x46, Generation::sunda), both);
  EXPECT_EQ(engines(0x46, Generation::cayman), (both | EngineSet{Engine::act}));
  EXPECT_EQ(engines(0x47, Generation::maverick), (both | EngineSet{Engine::act}));
  for (int code : {0xA0, 0xA1, 0xA4}) EXPECT_EQ(engines(code, Generation::cayman), everyone);
  EXPECT_EQ(engines(0x7C, Generation::cayman), EngineSet{Engine::pool});
  for (int code : {0x21, 0x24}) EXPECT_EQ(engines(code, Generation::cayman), EngineSet{Engine::act}) << code;
  for (int code : {0x01, 0x02}) EXPECT_EQ(engines(code, Generation::cayman), EngineSet{Engine::pe}) << code;
}

TEST(Opcodes, MnemonicsOfProgramText) {
  const std::map<unsigned, std::string> expected{{0x41, "tensor_tensor"},
                                                 {0x42, "tensor_reduce"},
                                                 {0x52, "tensor_reduce"},
                                                 {0x7C, "cross_lane_reduce"},
                                                 {0x45, "pool"},
                                                 {0x46, "copy"},
                                                 {0x47, "cast"},
                                                 {0x8B, "tensor_tensor_mult_bf16"},
                                                 {0x8D, "tensor_reduce_max_bf16"},
                                                 {0xA0, "event_semaphore"},
                                                 {0xA1, "halt"},
                                                 {0xA4, "nop"},
                                                 {0x01, "load_stationary"},
                                                 {0x02, "multiply_moving"},
                                                 {0x21, "activate"},
                                                 {0x24, "act_read_accumulator"},
                                                 {0x9A, "tensor_scalar_reduce"},
                                                 {0x03, ""}};
  for (const auto& [code, mnemonic] : expected) {
    EXPECT_EQ(find_opcode(static_cast<std::uint8_t>(code))->mnemonic, mnemonic);
  }
}

TEST(Layouts, NamesGoBothWays) {
  EXPECT_EQ(name_of(Layout::s4d4_pl), "S4D4_PL");
  EXPECT_EQ(name_of(Layout::s3s3d3_tt), "S3S3D3_TT");
  EXPECT_EQ(name_of(Layout::s2d2d2_ts_wide), "S2D2D2_TS_WIDE");
  for (unsigned i = 0; i <= static_cast<unsigned>(Layout::d1_rd); ++i) {
    const auto layout = static_cast<Layout>(i);
    EXPECT_EQ(layout_from_name(name_of(layout)), layout);
  }
  EXPECT_EQ(layout_from_name("S5"), std::nullopt);
}

TEST(Roles, Seed003ExchangesFreeAxisAndCrossLane) {
  const SemanticsOptions seed;
  EXPECT_EQ(role_of(0x7C, seed), 0x42);
  EXPECT_EQ(role_of(0x7D, seed), 0x52);
  EXPECT_EQ(role_of(0x42, seed), 0x7C);
  EXPECT_EQ(role_of(0x52, seed), 0x7D);
  EXPECT_EQ(wire_of(0x42, seed), 0x7C);
  EXPECT_EQ(wire_of(0x52, seed), 0x7D);
}

TEST(Roles, ArchFollowsTheNames) {
  SemanticsOptions arch;
  arch.reduce_opcodes = SemanticsOptions::ReduceOpcodes::arch;
  for (unsigned code = 0; code < 256; ++code) EXPECT_EQ(role_of(static_cast<std::uint8_t>(code), arch), code);
}

TEST(Roles, EveryRoleHasOneWireOpcodeThatDoesNotTranspose) {
  SemanticsOptions semantics;
  for (auto profile : {SemanticsOptions::ReduceOpcodes::seed003, SemanticsOptions::ReduceOpcodes::arch}) {
    semantics.reduce_opcodes = profile;
    for (unsigned code = 0; code < 256; ++code) {
      const auto byte = static_cast<std::uint8_t>(code);
      // A transposing form plays the role of a plain one under seed003.
      if (transposes(byte)) continue;
      EXPECT_EQ(wire_of(role_of(byte, semantics), semantics), byte);
    }
  }
}

TEST(Roles, TransposingFormsFollowTheirReduction) {
  SemanticsOptions semantics;
  EXPECT_EQ(role_of(0x83, semantics), 0x7C);
  EXPECT_EQ(role_of(0x84, semantics), 0x7D);
  semantics.reduce_opcodes = SemanticsOptions::ReduceOpcodes::arch;
  EXPECT_EQ(role_of(0x83, semantics), 0x83);
  EXPECT_EQ(role_of(0x84, semantics), 0x84);
}

TEST(Dtypes, CodesNamesAndWidths) {
  struct Row {
    unsigned code;
    const char* name;
    unsigned bytes;
  };
  const Row expected[] = {{0x2, "int8", 1},    {0x3, "uint8", 1}, {0x4, "int16", 2},    {0x5, "uint16", 2},
                          {0x6, "bf16", 2},    {0x7, "fp16", 2},  {0x8, "int32", 4},    {0x9, "uint32", 4},
                          {0xA, "fp32", 4},    {0xB, "fp32r", 4}, {0xD, "fp8_e3m4", 1}, {0xE, "fp8_e4m3", 1},
                          {0xF, "fp8_e5m2", 1}};
  for (const Row& row : expected) {
    const auto dtype = static_cast<Dtype>(row.code);
    EXPECT_EQ(name_of(dtype), row.name);
    EXPECT_EQ(bytes_of(dtype), row.bytes);
    EXPECT_EQ(dtype_from_name(row.name), dtype);
    ASSERT_NE(find_dtype(static_cast<std::uint8_t>(row.code)), nullptr);
    EXPECT_EQ(find_dtype(static_cast<std::uint8_t>(row.code))->bits, row.bytes * 8);
  }
  EXPECT_EQ(dtype_from_name("int64"), std::nullopt);
  EXPECT_EQ(dtype_from_name("float"), std::nullopt);
  EXPECT_EQ(find_dtype(0x00), nullptr);
  EXPECT_EQ(find_dtype(0x17), nullptr);
  EXPECT_EQ(find_dtype(0x19)->name, "cptc1");
  EXPECT_EQ(find_dtype(0x10)->first, Generation::mariana);
}

TEST(Dtypes, IsValidDtypeOverEveryCode) {
  const Codes valid{0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0x9, 0xA, 0xD, 0xE, 0xF};
  for (unsigned code = 0; code < 256; ++code) {
    EXPECT_EQ(is_valid_dtype(static_cast<std::uint8_t>(code), false), valid.contains(code)) << code;
    EXPECT_EQ(is_valid_dtype(static_cast<std::uint8_t>(code), true), valid.contains(code) || code == 0xB) << code;
  }
}

TEST(AluOps, CodesAndNames) {
  const std::map<unsigned, std::string> expected{
      {0x00, "bypass"},      {0x04, "add"},      {0x06, "mult"},     {0x0A, "bitwise_and"}, {0x0B, "bitwise_or"},
      {0x0C, "bitwise_xor"}, {0x12, "is_equal"}, {0x17, "abs_diff"}, {0x18, "not_equal"},   {0x1A, "pow"},
      {0x1D, "rsqrt"},       {0x20, "abs_max"},  {0x23, "square"},   {0xC4, "add_int"},     {0xC6, "subtract_int"},
      {0xC8, "mod_int"},     {0xCF, "max_int"},  {0xD5, "max_uint"}, {0xDB, "mult_uint"},   {0xDD, "mod_uint"}};
  for (const auto& [code, name] : expected) {
    const AluOpInfo* info = find_alu_op(static_cast<std::uint8_t>(code));
    ASSERT_NE(info, nullptr) << name;
    EXPECT_EQ(info->name, name);
    EXPECT_EQ(static_cast<unsigned>(*alu_op_from_name(name)), code);
  }
  // 00-1D, 20-24 and C4-DD: 30 + 5 + 26.
  EXPECT_EQ(alu_ops().size(), 61U);
  for (int code : {0x1E, 0x1F, 0x25, 0xC3, 0xDE, 0xFF})
    EXPECT_EQ(find_alu_op(static_cast<std::uint8_t>(code)), nullptr);
  EXPECT_EQ(alu_op_from_name("and"), std::nullopt);
}

TEST(AluOps, TheNumberingOfTheCompiler) {
  // The pool-engine document: identity to 18, then the comparisons in another order, mod_int in the integer band.
  const std::map<unsigned, unsigned> reordered{{19, 0x18}, {20, 0x13}, {21, 0x14}, {22, 0x16}, {23, 0x15}, {26, 0x1A},
                                               {27, 0x1B}, {28, 0x1D}, {29, 0x19}, {30, 0x20}, {31, 0x21}, {32, 0xC8}};
  Codes reached;
  for (unsigned number = 0; number <= 40; ++number) {
    const std::optional<AluOp> wire = wire_of_compiler_op(number);
    if (number > 18 && !reordered.contains(number)) {
      EXPECT_EQ(wire, std::nullopt) << number;  // 24 and 25 fold into other fields; 33 and more do not exist
      continue;
    }
    ASSERT_TRUE(wire) << number;
    EXPECT_EQ(static_cast<unsigned>(*wire), number <= 18 ? number : reordered.at(number)) << number;
    EXPECT_TRUE(reached.insert(static_cast<unsigned>(*wire)).second) << number;
  }
  EXPECT_EQ(reached.size(), 31U);
  EXPECT_EQ(find_alu_op(static_cast<std::uint8_t>(*wire_of_compiler_op(32)))->name, "mod_int");
}

TEST(AluOps, FamiliesAndGenerations) {
  const Codes bitvec{0x01, 0x02, 0x03, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11};
  for (const AluOpInfo& info : alu_ops()) {
    const auto code = static_cast<unsigned>(info.code);
    const AluFamily family = bitvec.contains(code) ? AluFamily::bitvec
                             : code >= 0xC4        ? AluFamily::integer
                                                   : AluFamily::arithmetic;
    EXPECT_EQ(info.family, family) << info.name;
    const Generation first = code == 0x23   ? Generation::mariana
                             : code == 0x24 ? Generation::maverick
                             : code >= 0xC7 ? Generation::cayman
                                            : Generation::sunda;
    EXPECT_EQ(info.first, first) << info.name;
  }
}

TEST(AluOps, EveryOneIsInTheTableOfTheProgramText) {
  std::ifstream file(TPB_SOURCE_DIR "/docs/program-text.md");
  std::stringstream page;
  page << file.rdbuf();
  const std::string text = page.str();
  const std::size_t first = text.find("| kind | names |"), last = text.find("\n\n", first);
  ASSERT_NE(first, std::string::npos);
  std::set<std::string> listed;
  std::istringstream words(text.substr(first, last - first));
  for (std::string word; words >> word;) {
    std::erase(word, '`');
    listed.insert(word);
  }
  for (const AluOpInfo& op : alu_ops()) {
    // No instruction takes these two.
    if (op.code == AluOp::crc32 || op.code == AluOp::symmetric_clamp) continue;
    EXPECT_TRUE(listed.contains(std::string(op.name))) << op.name;
  }
}

}  // namespace
}  // namespace tpb
