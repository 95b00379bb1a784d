// check, asm, disasm, config, isa, --help, --version.
#include <fmt/format.h>

#include <sstream>

#include "testbench/tests/cli/tool.h"

namespace tpb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Commands : public Tool {
 protected:
  Commands() { write("p.tpb", kDoubling); }
};

TEST_F(Commands, HelpShowsEveryCommandAndItsOptions) {
  const Finished overview = tpbsim("--help");
  EXPECT_EQ(overview.code, 0);
  const std::vector<std::pair<std::string, std::vector<std::string>>> commands{
      {"run",
       {"--config", "--set", "--bundles", "--in", "--out", "--timing-only", "--functional-only", "--max-time",
        "--stats", "--instructions", "--trace"}},
      {"check", {"--config", "--set"}},
      {"asm", {"--config", "--set", "--output", "--mode"}},
      {"disasm", {"--config", "--set", "--output"}},
      {"config show", {"--config", "--set", "--generation"}},
      {"config explain", {"--config", "--set", "--generation"}},
      {"isa list", {"--generation", "--struct", "--format"}},
      {"isa kernels", {"--generation"}},
  };
  for (const auto& [name, options] : commands) {
    EXPECT_THAT(overview.out, HasSubstr(name));
    const Finished help = tpbsim(name + " --help");
    EXPECT_EQ(help.code, 0);
    EXPECT_THAT(help.out, StartsWith("Usage: tpbsim " + name));
    EXPECT_THAT(help.out, HasSubstr("Example"));
    for (const std::string& option : options) EXPECT_THAT(help.out, HasSubstr(option)) << name;
  }
}

TEST_F(Commands, DisasmDoesNotReplaceWhatItReads) {
  const std::string text = read("p.tpb");
  const Finished finished = tpbsim("disasm p.tpb -o ./p.tpb");
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("the text would replace './p.tpb', expected another name after -o"));
  EXPECT_EQ(read("p.tpb"), text);
}

TEST_F(Commands, CheckJudgesTilesUpToTheFirstFault) {
  write("t.tpb", R"(.tensor x fp32 [4, 2] sbuf+0x0
.tensor y fp32 [4, 2] sbuf+0x100
.register sfu R1 = 2
.engine sfu
  TLOAD x -> T<128B>
  BSTART.SFU TROWMIN, FP32
  B.DIM LB0=R1+0
  B.IOT T0, mask=1111, last, ->U<128B>
  BSTOP
  TSTORE T7 -> y
)");
  const Finished finished = tpbsim("check t.tpb");
  EXPECT_EQ(finished.code, 3);
  // ValidCol is the register's; LB1 was forgotten.
  EXPECT_EQ(finished.out,
            "fault: sfu pc=0x40 line=6 rule=Fault_TileLegality field=word 3 (BSTOP) value=0x00000001 "
            "allowed=ValidRow (LB1) 4, which T0 has, not 1, its default\n"
            "t.tpb: 3 instructions for cayman, 1 illegal, 1 violations\n");
  // A run stops there too.
  const Finished run = tpbsim("run t.tpb");
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(finished.out, HasSubstr(run.err));
}

TEST_F(Commands, Version) {
  const Finished finished = tpbsim("--version");
  EXPECT_EQ(finished.code, 0);
  EXPECT_THAT(finished.out, testing::MatchesRegex("tpbsim [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_EQ(finished.err, "");
}

TEST_F(Commands, CheckOfALegalProgram) {
  const Finished finished = tpbsim("check p.tpb");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(finished.out, "p.tpb: 1 instructions for cayman, all legal\n");
}

TEST_F(Commands, CheckNamesEveryViolationOfEveryInstruction) {
  write("q.tpb", R"(.generation cayman
.tensor x fp32 [128, 4, 4] sbuf+0x0000 = iota
.tensor y fp32 [128, 2, 2] sbuf+0x1000
.engine dve
  nop
.engine act
  pool func=max src=x+0[1,4,2,8][2,2,2,2] dst=y
  nop
  pool func=max src=x+0[1,4,2,8][2,2,2,2] dst=y
)");
  const Finished finished = tpbsim("check q.tpb");
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.out, StartsWith("fault: act pc=0x0 line=7 rule=engine_accepts_opcode field="));
  EXPECT_THAT(finished.out, HasSubstr("\nfault: act pc=0x80 line=9 rule=engine_accepts_opcode field="));
  EXPECT_THAT(finished.out, HasSubstr("\nq.tpb: 4 instructions for cayman, 2 illegal, "));
  EXPECT_EQ(tpbsim("asm q.tpb --mode check").out, finished.out);
  // Legality is judged when a bundle runs: the assembler writes it.
  EXPECT_EQ(tpbsim("asm q.tpb").code, 0);
  EXPECT_EQ(tpbsim("check q.tpbx").code, 3);
}

TEST_F(Commands, ImagesAndTextTurnIntoEachOther) {
  EXPECT_EQ(tpbsim("asm p.tpb").code, 0);  // p.tpbx
  const Finished text = tpbsim("disasm p.tpbx");
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("tensor_tensor op=add"));
  EXPECT_EQ(tpbsim("disasm p.tpbx -o q.tpb").code, 0);
  EXPECT_EQ(read("q.tpb"), text.out);
  EXPECT_EQ(tpbsim("asm q.tpb -o q.tpbx").code, 0);
  EXPECT_EQ(read("q.tpbx"), read("p.tpbx"));
}

TEST_F(Commands, AsmRefuses) {
  EXPECT_EQ(tpbsim("asm p.tpb -o none/p.tpbx").code, 2);
  EXPECT_EQ(tpbsim("asm p.tpb -o p.tpb").code, 2);
  EXPECT_EQ(read("p.tpb"), kDoubling);
  EXPECT_THAT(tpbsim("asm p.tpb --mode colect").err,
              HasSubstr("unknown mode 'colect', expected generate, check or collect (did you mean 'collect'?)"));
  EXPECT_EQ(tpbsim("asm p.tpb --mode check -o p.tpbx").code, 2);
  EXPECT_EQ(tpbsim("asm").code, 2);
  EXPECT_THAT(files(), ElementsAre("p.tpb"));
}

TEST_F(Commands, AsmCountsOpcodesAndEngines) {
  write("q.tpb", std::string(kDoubling) + "  nop\n  nop\n.engine pe\n  halt\n");
  const Finished finished = tpbsim("asm q.tpb --mode collect");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(finished.out,
            "pe    0xa1  halt                                1\n"
            "pe    all                                       1\n"
            "dve   0x41  tensor_tensor                       1\n"
            "dve   0xa4  nop                                 2\n"
            "dve   all                                       3\n");
  EXPECT_THAT(files(), ElementsAre("p.tpb", "q.tpb"));
}

TEST_F(Commands, AsmCountsTheBundlesOfAnInstruction) {
  // One line, two bundles; and the census asks for no legality, so that eight values of nothing count too.
  write("q.tpb", R"(.engine dve
  max_index data=fp32@0[1][8] vals=fp32@0x100[1][8] dst=uint32@0x200[1][8]
  find_index8 data=fp32@0[1][8] dst=fp32@0x200[1][8]
.engine pool
  cross_lane_reduce op=add axis=C src=fp32@0[1][8] dst=fp32@0[1][8] ch=128
)");
  EXPECT_EQ(tpbsim("asm q.tpb --mode collect").out,
            "dve   0x6d  match_value_load                    1\n"
            "dve   0x6e  find_index8                         2\n"
            "dve   all                                       3\n"
            "pool  0x42  cross_lane_reduce                   1\n"
            "pool  all                                       1\n");
  EXPECT_EQ(tpbsim("asm q.tpb --mode collect --set semantics.reduce_opcodes=arch").code, 0);
  EXPECT_THAT(tpbsim("asm q.tpb --mode collect --set semantics.reduce_opcodes=arch").out,
              HasSubstr("pool  0x7c  cross_lane_reduce"));
  write("q.tpb", ".engine dve\n  max_indx\n");
  EXPECT_EQ(tpbsim("asm q.tpb --mode collect").code, 2);
}

TEST_F(Commands, AsmChecksEveryBundleAndWritesNothing) {
  const Finished finished = tpbsim("asm p.tpb --mode check");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(finished.out, tpbsim("check p.tpb").out);
  EXPECT_THAT(files(), ElementsAre("p.tpb"));
}

TEST_F(Commands, AsmGeneratesByDefault) {
  EXPECT_EQ(tpbsim("asm p.tpb -o default.tpbx").code, 0);
  EXPECT_EQ(tpbsim("asm p.tpb --mode generate -o named.tpbx").code, 0);
  EXPECT_EQ(read("named.tpbx"), read("default.tpbx"));
}

TEST_F(Commands, ConfigShowIsAConfiguration) {
  const Finished shown = tpbsim("config show --generation sunda --set engines.pool.start=7");
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("generation = \"sunda\""));
  EXPECT_THAT(shown.out, testing::ContainsRegex("engines\\.pool\\.start = 7 +# --set"));
  EXPECT_THAT(shown.out, HasSubstr("sunda.toml:"));
  write("c.toml", shown.out);
  const Finished again = tpbsim("config show --config c.toml");
  EXPECT_EQ(again.code, 0) << again.err;
  const auto values = [](const std::string& text) {
    std::istringstream lines(text);
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
      line.erase(line.find("  #"));
      kept += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return kept;
  };
  EXPECT_EQ(values(again.out), values(shown.out));
}

TEST_F(Commands, ConfigExplain) {
  const Finished finished = tpbsim("config explain engines.dve.clock_ghz --generation sunda");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(finished.out, StartsWith("engines.dve.clock_ghz = 1.12\n"));
  EXPECT_THAT(finished.out, HasSubstr("GHz"));
  EXPECT_THAT(finished.out, HasSubstr("sunda.toml:"));
  const Finished unknown = tpbsim("config explain engines.dve.clock");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("unknown key 'engines.dve.clock'"));
  EXPECT_EQ(tpbsim("config explain").code, 2);
  EXPECT_THAT(tpbsim("config show --generation caymen").err, HasSubstr("(did you mean 'cayman'?)"));
}

}  // namespace
}  // namespace tpb
