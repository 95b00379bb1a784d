// Input that cannot be used: exit code 2, a message with its place and what was expected, and no output file touched.
#include <fmt/format.h>

#include "testbench/tests/cli/tool.h"

namespace tpb {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class WrongInput : public Tool {
 protected:
  WrongInput() {
    write("p.tpb", kDoubling);
    for (const char* name : {"stats.json", "table.csv", "trace.json", "y.npy"}) write(name, "old");
  }

  // Runs with every output asked for; returns the message.
  std::string refused(const std::string& arguments) {
    const auto before = files();
    const Finished finished =
        tpbsim("run " + arguments + " --stats stats.json --instructions table.csv --trace trace.json");
    EXPECT_EQ(finished.code, 2) << finished.err;
    EXPECT_EQ(finished.out, "");
    for (const char* name : {"stats.json", "table.csv", "trace.json", "y.npy"}) EXPECT_EQ(read(name), "old") << name;
    EXPECT_EQ(files(), before);
    return finished.err;
  }
  // The same for a program that is kDoubling with one part replaced.
  std::string refused_text(const std::string& part, const std::string& by, const std::string& more = "") {
    std::string text(kDoubling);
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    text.replace(at, part.size(), by);
    write("wrong.tpb", text);
    return refused("wrong.tpb --out y=y.npy " + more);
  }
};

TEST_F(WrongInput, MisspeltCommand) {
  const Finished finished = tpbsim("rnu p.tpb");
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("error: unknown command 'rnu', expected a command that 'tpbsim --help' lists "
                                      "(did you mean 'run'?)\n"));
  EXPECT_THAT(tpbsim("config shwo").err, HasSubstr("unknown command 'config shwo', expected a command that "
                                                   "'tpbsim --help' lists (did you mean 'config show'?)\n"));
  EXPECT_EQ(tpbsim("config").code, 2);
  EXPECT_EQ(tpbsim("").code, 2);
}

TEST_F(WrongInput, MisspeltOption) {
  EXPECT_THAT(refused("p.tpb --stat s.json"),
              HasSubstr("error: unknown option '--stat', expected one that 'tpbsim run --help' lists (did you mean "
                        "'--stats'?)\n"));
  // Not an abbreviation of --max-time.
  EXPECT_THAT(refused("p.tpb --max 5"), HasSubstr("unknown option '--max'"));
}

TEST_F(WrongInput, ArgumentsThatDoNotFit) {
  EXPECT_THAT(refused(""), HasSubstr("no PROGRAM, expected (PROGRAM | --bundles"));
  EXPECT_THAT(refused("p.tpb q.tpb"), HasSubstr("more than one argument, expected PROGRAM"));
  EXPECT_THAT(refused("p.tpb --timing-only --functional-only"), HasSubstr("expected at most one of them"));
  EXPECT_THAT(refused("p.tpb --timing-only --out y=y.npy"), HasSubstr("computes no values"));
  EXPECT_THAT(refused("p.tpb --max-time fast"),
              HasSubstr("--max-time 'fast', expected a number of nanoseconds above 0"));
  EXPECT_THAT(refused("p.tpb --max-time=0"), HasSubstr("expected a number of nanoseconds above 0"));
  EXPECT_THAT(refused("p.tpb --in x"), HasSubstr("--in 'x', expected NAME=FILE"));
  EXPECT_THAT(refused("p.tpb --out y="), HasSubstr("--out 'y=', expected NAME=FILE"));
  EXPECT_THAT(refused("--bundles dve=a.bin"), HasSubstr("expected --config FILE beside it"));
}

TEST_F(WrongInput, MisspeltTensorOnTheCommandLine) {
  EXPECT_THAT(refused("p.tpb --in xx=a.npy"),
              HasSubstr("--in: unknown tensor 'xx', expected x or y (did you mean 'x'?)"));
  EXPECT_THAT(refused("p.tpb --out z=y.npy"), HasSubstr("--out: unknown tensor 'z', expected x or y"));
}

TEST_F(WrongInput, MisspeltConfigurationKey) {
  EXPECT_THAT(refused("p.tpb --set engines.dve.clock_gh=1"), HasSubstr("did you mean 'engines.dve.clock_ghz'?"));
  EXPECT_THAT(refused("p.tpb --set engines.dve.clock_ghz=fast"), HasSubstr("engines.dve.clock_ghz"));
  write("c.toml", "generation = \"cayman\"\n[engines.dve]\nclok_ghz = 1.0\n");
  const std::string message = refused("p.tpb --config c.toml");
  EXPECT_THAT(message, StartsWith("c.toml:3:1: error: "));
  EXPECT_THAT(message, HasSubstr("did you mean 'engines.dve.clock_ghz'?"));
  EXPECT_THAT(refused("p.tpb --config none.toml"), HasSubstr("none.toml"));
}

TEST_F(WrongInput, MisspeltMnemonic) {
  const std::string message = refused_text("tensor_tensor op", "tensor_tenser op");
  EXPECT_THAT(message, StartsWith("wrong.tpb:5:3: error: unknown mnemonic 'tensor_tenser', expected "));
  EXPECT_THAT(message, HasSubstr(" (did you mean 'tensor_tensor'?)\n"));
}

TEST_F(WrongInput, MisspeltField) {
  const std::string message = refused_text("src0=", "scr0=");
  EXPECT_THAT(message, HasSubstr("wrong.tpb:5:24: error: unknown field of tensor_tensor 'scr0', expected "));
  EXPECT_THAT(message, HasSubstr("(did you mean 'src0'?)"));
}

TEST_F(WrongInput, MisspeltTensor) {
  EXPECT_EQ(refused_text("dst=y", "dst=yy"),
            "wrong.tpb:5:42: error: unknown tensor 'yy', expected x or y (did you mean 'y'?)\n");
}

TEST_F(WrongInput, MisspeltGeneration) {
  EXPECT_EQ(refused_text("cayman", "caymen"),
            "wrong.tpb:1:13: error: unknown generation 'caymen', expected sunda, cayman, mariana, mariana_plus or "
            "maverick (did you mean 'cayman'?)\n");
}

TEST_F(WrongInput, EveryProblemOfAFileIsNamed) {
  std::string text(kDoubling);
  write("wrong.tpb", text + "  tensor_tenser op=add\n  pol func=max\n");
  const std::string message = refused("wrong.tpb");
  EXPECT_THAT(message, HasSubstr("wrong.tpb:6:3: error: "));
  EXPECT_THAT(message, HasSubstr("wrong.tpb:7:3: error: "));
}

TEST_F(WrongInput, MissingProgram) {
  EXPECT_THAT(refused("none.tpb"), HasSubstr("error: cannot be read (No such file or directory), expected a file\n"));
  EXPECT_THAT(refused("."), HasSubstr("error: is a directory, expected a file\n"));
}

TEST_F(WrongInput, MissingContents) {
  EXPECT_EQ(refused_text("= iota", "= \"none.npy\""),
            "wrong.tpb:2:40: error: 'none.npy' cannot be read (No such file or directory), expected a file\n");
  EXPECT_THAT(refused("p.tpb --in x=none.npy"),
              HasSubstr("none.npy' cannot be read (No such file or directory), expected a file\n"));
}

TEST_F(WrongInput, ContentsOfAnotherShapeOrType) {
  write_npy("shape.npy", "(128, 15)", std::vector<float>(128 * 15));
  write_npy("type.npy", "(128, 16)", std::vector<float>(128 * 16), "<i4");
  EXPECT_THAT(refused("p.tpb --in x=shape.npy"), HasSubstr("shape.npy' has shape (128, 15), expected (128, 16)\n"));
  EXPECT_THAT(refused("p.tpb --in x=type.npy"), HasSubstr("type.npy' has dtype '<i4', expected '<f4' for fp32\n"));
  write_npy("short.npy", "(128, 16)", std::vector<float>(100));
  // A header of 128 bytes and 128 x 16 x 4 bytes of elements.
  EXPECT_THAT(refused("p.tpb --in x=short.npy"), HasSubstr("short.npy' has 528 bytes, expected 8320\n"));
  write("text.npy", "not an array");
  EXPECT_THAT(refused("p.tpb --in x=text.npy"), HasSubstr("text.npy' is no .npy file"));
}

TEST_F(WrongInput, MissingReference) {
  EXPECT_EQ(refused_text(".engine", ".expect y \"none.npy\" exact\n.engine"),
            "wrong.tpb:4:11: error: 'none.npy' cannot be read (No such file or directory), expected a file\n");
}

TEST_F(WrongInput, ContentsForTwoTensorsInOnePlace) {
  write_npy("x.npy", "(128, 16)", doubled_iota());
  EXPECT_THAT(refused_text("sbuf+0x1000", "sbuf+0x0000", "--in y=x.npy"),
              HasSubstr("--in gives 'y' contents, but 'x' has contents too and overlaps it"));
}

TEST_F(WrongInput, TensorOutsideOfItsMemory) {
  // 224 KiB a partition on cayman: 0x38000 is the first byte behind it.
  EXPECT_EQ(refused_text("sbuf+0x1000", "sbuf+0x37FF0"),
            "wrong.tpb:3:26: error: bytes 229360..229423 of a partition of sbuf, expected 0..229375\n");
}

TEST_F(WrongInput, ZeroByteInText) {
  std::string text(kDoubling);
  text.insert(30, 1, '\0');
  write("wrong.tpb", text);
  // The first line has 19 characters with its end: byte 30 is the twelfth of the second.
  EXPECT_THAT(refused("wrong.tpb"), StartsWith("wrong.tpb:2:12: error: zero byte, expected text\n"));
}

TEST_F(WrongInput, TruncatedImage) {
  ASSERT_EQ(tpbsim("asm p.tpb -o p.tpbx").code, 0);
  const std::string image = read("p.tpbx");
  for (std::size_t size : {std::size_t{9}, std::size_t{20}, image.size() / 2, image.size() - 1}) {
    write("cut.tpbx", image.substr(0, size));
    EXPECT_THAT(refused("cut.tpbx"), StartsWith("cut.tpbx")) << size;
  }
  std::string flipped = image;
  flipped[image.size() / 2] = static_cast<char>(flipped[image.size() / 2] ^ 1);
  write("flipped.tpbx", flipped);
  EXPECT_THAT(refused("flipped.tpbx"), StartsWith("flipped.tpbx"));
}

TEST_F(WrongInput, Bundles) {
  write("c.toml", "generation = \"cayman\"\n");
  write("a.bin", std::string(100, '\0'));
  write("b.bin", std::string(64, '\0'));
  EXPECT_THAT(refused("--config c.toml --bundles dve=a.bin"),
              HasSubstr("error: 100 bytes, expected a whole number of 64-byte bundles\n"));
  EXPECT_THAT(refused("--config c.toml --bundles dve=none.bin"), HasSubstr("none.bin"));
  EXPECT_THAT(refused("--config c.toml --bundles dev=b.bin"),
              HasSubstr("unknown engine 'dev', expected pe, act, dve, pool or sfu (did you mean 'dve'?)"));
  EXPECT_THAT(refused("--config c.toml --bundles dve=b.bin --bundles dve=b.bin"), HasSubstr("names dve twice"));
  EXPECT_THAT(refused("p.tpb --config c.toml --bundles dve=b.bin"), HasSubstr("'p.tpb' and --bundles"));
}

TEST_F(WrongInput, OutputsThatCannotBeWritten) {
  std::filesystem::create_directory(folder_ / "folder");
  for (const char* option :
       {"--out y=", "--out y=y.npy --stats ", "--out y=y.npy --instructions ", "--out y=y.npy --trace "}) {
    for (const char* path : {"none/file", "folder", "p.tpb/file"}) {
      // Only the named option's file is wrong: the other outputs must stay as they are.
      const Finished finished = tpbsim(fmt::format("run p.tpb {}{}", option, path));
      EXPECT_EQ(finished.code, 2);
      EXPECT_THAT(finished.err, HasSubstr("cannot be written: ")) << option << path;
      EXPECT_EQ(read("y.npy"), "old");
    }
  }
  EXPECT_THAT(refused("p.tpb --in x=a.npy --in x=b.npy"), HasSubstr("--in gives 'x' contents twice"));
  // Neither the program nor what it reads may be lost.
  EXPECT_THAT(refused("p.tpb --out y=./p.tpb"),
              HasSubstr("p.tpb' is read by this run, expected another file to write to\n"));
  // These are renamed into place, which would replace the device.
  EXPECT_THAT(refused("p.tpb --out y=/dev/null"), HasSubstr("a device or a pipe, expected a file\n"));
  EXPECT_THAT(refused("p.tpb --out y=./stats.json"), HasSubstr("two outputs are written to "));
  EXPECT_THAT(refused_text(".engine", ".output y \"none/y.npy\"\n.engine"), HasSubstr("there is no folder"));
}

}  // namespace
}  // namespace tpb
