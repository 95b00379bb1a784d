// tpbsim isa: the list, the page of the docs that is this list, and the kernels of the Pool engine.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "testbench/tests/cli/tool.h"

namespace tpb::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class IsaCommands : public Tool {};

long rows(const std::string& text) { return std::count(text.begin(), text.end(), '\n') - 1; }

TEST_F(IsaCommands, ListsEveryOpcodeWithAllThatIsKnown) {
  const Finished all = tpbsim("isa list");
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_EQ(rows(all.out), 140);  // real opcodes of the public headers, all generations
  EXPECT_THAT(all.out, testing::ContainsRegex("0x45 +Pool +pool +S4D4_PL +dve pool +sunda +maverick +yes\n"));
  EXPECT_THAT(all.out, testing::ContainsRegex("0x8e +BatchNormParamLoad2 +- +- +- +sunda +maverick +no\n"));
  EXPECT_THAT(all.out, testing::ContainsRegex("0x8a +TensorTensorAddBf16 .* sunda +sunda +yes\n"));
}

TEST_F(IsaCommands, StructsLoseTheirPackedMembersAfterSunda) {
  const auto members = [&](const std::string& layout, const std::string& generation) {
    return rows(tpbsim("isa list --struct " + layout + " --generation " + generation).out);
  };
  for (const char* later : {"cayman", "mariana", "mariana_plus", "maverick"}) {
    EXPECT_EQ(members("S3S3D3_TT", later), 5);
    EXPECT_EQ(members("S4D4_TR", later), 11);
  }
  EXPECT_EQ(members("S3S3D3_TT", "sunda"), 8);
  EXPECT_EQ(members("S4D4_TR", "sunda"), 13);
}

TEST_F(IsaCommands, ThePageIsTheList) {
  std::ifstream file(TPB_SOURCE_DIR "/docs/instruction-set.md");
  std::stringstream page;
  page << file.rdbuf();
  const std::string text = page.str();
  const std::size_t table = text.find("| code");
  ASSERT_NE(table, std::string::npos);
  EXPECT_EQ(text.substr(table), tpbsim("isa list --format markdown").out)
      << "scripts/instruction_set writes the page again";
}

TEST_F(IsaCommands, KernelsOfThePoolEngine) {
  // The sequence-bounds document: absent on sunda, present after; entries of cayman's main image and of maverick's.
  EXPECT_THAT(tpbsim("isa kernels --generation sunda").out, Not(HasSubstr("GetSequenceBounds")));
  EXPECT_THAT(tpbsim("isa kernels --generation cayman").out,
              testing::ContainsRegex("cayman +[0-9]+ +0 +0xbe +0x01004204 +GetSequenceBounds\n"));
  EXPECT_THAT(tpbsim("isa kernels --generation mariana").out, HasSubstr("GetSequenceBounds"));
  EXPECT_THAT(tpbsim("isa kernels --generation maverick").out,
              testing::ContainsRegex("maverick +[0-9]+ +0 +0xbe +0x00004770 +GetSequenceBounds\n"));
  const std::string all = tpbsim("isa kernels").out;
  EXPECT_THAT(all, testing::ContainsRegex("sunda +[0-9]+ +0 +0x8a .*TensorTensorAddBf16\n"));
  EXPECT_THAT(all, testing::ContainsRegex("maverick +[0-9]+ +0 +0xf3 .*TensorTensorIntWide\n"));
  EXPECT_THAT(all, Not(HasSubstr("TensorScalarIntWide")));  // DVE's
  EXPECT_THAT(all, Not(HasSubstr("Halt")));                 // the sequencer's
}

TEST_F(IsaCommands, RefuseWhatTheyDoNotKnow) {
  EXPECT_THAT(tpbsim("isa list --struct S3S3D3_TR").err, HasSubstr("unknown struct 'S3S3D3_TR'"));
  EXPECT_THAT(tpbsim("isa list --format html").err, HasSubstr("unknown format 'html'"));
  EXPECT_THAT(tpbsim("isa kernels --generation caymen").err, HasSubstr("did you mean 'cayman'?"));
  EXPECT_EQ(tpbsim("isa list extra").code, 2);
}

}  // namespace
}  // namespace tpb::test
