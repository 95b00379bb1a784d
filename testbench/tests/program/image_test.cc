// Images: what they hold comes back, and whatever is damaged is refused with its place.
#include "models/program/image.h"

#include <gmock/gmock.h>

#include <random>

#include "models/config/digest.h"
#include "models/program/assembler.h"
#include "testbench/tests/program/scratch.h"

namespace tpb {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kHeaderBytes = 56;

// One of everything that an image can hold.
constexpr const char* kEverything =
    ".generation mariana\n"
    ".tensor a fp32 [128, 2, 3] sbuf+0x0 = \"data/a.npy\"\n"
    ".tensor b int8 [4] psum[32]+0x7 = [-1, 2, 0x10, bits(0xFF)]\n"
    ".tensor c bf16 [2, 2] sbuf+0x100 = random(18446744073709551615)\n"
    ".tensor d fp8_e3m4 [1, 2] sbuf+0x200 = [inf]\n"
    ".tensor e fp32 [128, 6] sbuf+0x300\n"
    ".output c \"c.npy\"\n"
    ".expect a \"data/a.npy\" exact\n"
    ".expect a \"data/a.npy\" ulp=3\n"
    ".expect a \"data/a.npy\" rtol=1e-5 atol=0.001\n"
    ".semaphore done 3 = 7\n"
    ".register pool R3 = 0x2000\n"
    ".engine pool\n"
    "  copy src=a dst=e S[done]++ S[4]-- S[5]+=2\n"
    ".engine sfu\n"
    "  halt\n";

class Images : public Scratch {
 protected:
  Images() {
    std::filesystem::create_directories(path("data"));
    std::string npy =
        std::string("\x93NUMPY\1\0v\0", 10) + "{'descr': '<f4', 'fortran_order': False, 'shape': (128, 2, 3), }";
    npy += std::string(10 + 118 - npy.size() - 1, ' ') + "\n" + std::string(128 * 6 * 4, '\0');
    write("data/a.npy", npy);
    write("everything.tpb", kEverything);
  }
  std::vector<std::uint8_t> image() {
    write_image(assemble(path("everything.tpb"), shipped(Generation::mariana)), path("p.tpbx"));
    return bytes_of_file(path("p.tpbx"));
  }
  std::string error_of(std::span<const std::uint8_t> bytes) {
    write("damaged.tpbx", bytes);
    return input_error([&] { read_image(path("damaged.tpbx"), Limits{}); });
  }
};

TEST_F(Images, HoldsEverything) {
  const Program written = assemble(path("everything.tpb"), shipped(Generation::mariana));
  write_image(written, path("p.tpbx"));
  EXPECT_TRUE(is_image(path("p.tpbx")));
  EXPECT_FALSE(is_image(path("everything.tpb")));
  const Program read = read_image(path("p.tpbx"), Limits{});
  EXPECT_EQ(read.name, path("p.tpbx").string());
  EXPECT_EQ(read.generation, Generation::mariana);
  EXPECT_EQ(read.generation_line, 1u);
  ASSERT_EQ(read.tensors.size(), written.tensors.size());
  for (std::size_t i = 0; i < read.tensors.size(); ++i) {
    const Tensor& expected = written.tensors[i];
    const Tensor& found = read.tensors[i];
    EXPECT_EQ(found.name, expected.name);
    EXPECT_EQ(found.dtype, expected.dtype);
    EXPECT_EQ(found.shape, expected.shape);
    EXPECT_EQ(found.start.space, expected.start.space);
    EXPECT_EQ(found.start.partition, expected.start.partition);
    EXPECT_EQ(found.start.offset, expected.start.offset);
    EXPECT_TRUE(found.contents == expected.contents) << found.name;
    EXPECT_EQ(found.line, expected.line);
  }
  EXPECT_EQ(std::get<FileContents>(read.tensors[0].contents).path, path("data/a.npy"));
  EXPECT_EQ(std::get<ListContents>(read.tensors[1].contents).bits, (std::vector<std::uint32_t>{0xFF, 2, 0x10, 0xFF}));
  // E3M4's infinity is exponent 7, mantissa 0.
  EXPECT_EQ(std::get<ListContents>(read.tensors[3].contents).bits, (std::vector<std::uint32_t>{0x70}));
  ASSERT_EQ(read.outputs.size(), 1u);
  EXPECT_EQ(read.outputs[0].path, path("c.npy"));
  ASSERT_EQ(read.expectations.size(), 3u);
  EXPECT_FALSE(read.expectations[0].ulp || read.expectations[0].rtol || read.expectations[0].atol);
  EXPECT_EQ(read.expectations[1].ulp, 3u);
  EXPECT_EQ(read.expectations[2].rtol, 1e-5);
  EXPECT_EQ(read.expectations[2].atol, 0.001);
  ASSERT_EQ(read.semaphores.size(), 1u);
  EXPECT_EQ(read.semaphores[0].value, 7u);
  ASSERT_EQ(read.registers.size(), 1u);
  EXPECT_EQ(read.registers[0].value, 0x2000u);
  for (const Engine engine : kEngines) {
    EXPECT_EQ(read.sections[engine].bundles, written.sections[engine].bundles);
    EXPECT_EQ(read.sections[engine].lines, written.sections[engine].lines);
  }
  EXPECT_EQ(read.sections[Engine::pool].bundles.size(), 3u);
}

TEST_F(Images, PathsMoveWithTheImage) {
  image();
  std::filesystem::create_directories(path("moved/data"));
  std::filesystem::rename(path("p.tpbx"), path("moved/p.tpbx"));
  const Program read = read_image(path("moved/p.tpbx"), Limits{});
  EXPECT_EQ(std::get<FileContents>(read.tensors[0].contents).path, path("moved/data/a.npy"));
}

TEST_F(Images, EveryTruncationIsRefused) {
  const std::vector<std::uint8_t> whole = image();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ASSERT_NE(error_of(std::span(whole).first(size)), "") << size;
  }
  std::vector<std::uint8_t> longer = whole;
  longer.push_back(0);
  EXPECT_THAT(error_of(longer), HasSubstr("damaged.tpbx:0:0: error: byte 16: a payload of "));
}

TEST_F(Images, EveryChangedByteIsRefused) {
  std::vector<std::uint8_t> bytes = image();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    bytes[at] ^= 0x40;
    ASSERT_NE(error_of(bytes), "") << at;
    bytes[at] ^= 0x40;
  }
}

TEST_F(Images, HeaderMessages) {
  const std::vector<std::uint8_t> whole = image();
  const auto changed = [&](std::size_t at) {
    std::vector<std::uint8_t> bytes = whole;
    bytes[at] ^= 1;
    const std::string error = error_of(bytes);
    return error.substr(error.find("damaged"));
  };
  EXPECT_EQ(changed(0), "damaged.tpbx:0:0: error: byte 0: other bytes, expected the magic of an image, TPBX");
  EXPECT_EQ(changed(8), "damaged.tpbx:0:0: error: byte 8: version 0, expected 1");
  EXPECT_EQ(changed(12), "damaged.tpbx:0:0: error: byte 12: a reserved word that is not zero, expected zero");
  EXPECT_EQ(
      changed(24),
      "damaged.tpbx:0:0: error: byte 24: a digest that is not the payload's, expected an image as it was written");
  EXPECT_EQ(changed(whole.size() - 1), changed(24));
  const std::string short_error = error_of(std::span(whole).first(20));
  EXPECT_EQ(short_error.substr(short_error.find("damaged")),
            "damaged.tpbx:0:0: error: byte 16: 4 bytes are left, expected 8 for the size of the payload");
}

// Size and digest of the header made right again, so that the payload itself is read.
void seal(std::vector<std::uint8_t>& bytes) {
  const std::size_t size = bytes.size() - kHeaderBytes;
  for (std::size_t i = 0; i < 8; ++i) bytes[16 + i] = static_cast<std::uint8_t>(size >> (8 * i));
  const std::string hex = sha256_hex(std::span<const std::uint8_t>(bytes).subspan(kHeaderBytes));
  for (std::size_t i = 0; i < 32; ++i)
    bytes[24 + i] = static_cast<std::uint8_t>(std::stoul(hex.substr(2 * i, 2), nullptr, 16));
}

TEST_F(Images, SealedTruncationsNameTheByte) {
  const std::vector<std::uint8_t> whole = image();
  for (std::size_t size = kHeaderBytes; size < whole.size(); ++size) {
    std::vector<std::uint8_t> bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    seal(bytes);
    ASSERT_THAT(error_of(bytes), HasSubstr("damaged.tpbx:0:0: error: byte ")) << size;
  }
}

TEST_F(Images, SealedDamageIsRefusedOrHarmless) {
  // Random bytes at random places behind a right digest: read_image may accept what still makes sense, and nothing else
  // but an InputError may leave it. An accepted image can be written and read again.
  const std::vector<std::uint8_t> whole = image();
  std::mt19937 random(4711);
  tpb::Limits limits;
  limits.file_bytes = 1 << 14;  // lines beyond are damage too, and are not padded to
  int refused = 0;
  for (int round = 0; round < 1000; ++round) {
    std::vector<std::uint8_t> bytes = whole;
    for (unsigned changes = 1 + random() % 4; changes != 0; --changes) {
      const std::size_t at = kHeaderBytes + random() % (bytes.size() - kHeaderBytes);
      bytes[at] = static_cast<std::uint8_t>(random() % 3 == 0 ? 0xFF : random());
    }
    seal(bytes);
    write("damaged.tpbx", bytes);
    try {
      const Program read = read_image(path("damaged.tpbx"), limits);
      disassemble(read, shipped(Generation::mariana), path(""));
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

TEST_F(Images, Limits) {
  image();
  tpb::Limits limits;
  limits.instructions = 3;  // pool has three bundles, sfu one
  EXPECT_THAT(input_error([&] { read_image(path("p.tpbx"), limits); }), HasSubstr("1 bundles, expected at most 0"));
  limits = {};
  limits.tensors = 4;
  EXPECT_THAT(input_error([&] { read_image(path("p.tpbx"), limits); }), HasSubstr("5 tensors, expected at most 4"));
  limits = {};
  limits.file_bytes = 100;
  EXPECT_THAT(input_error([&] { read_image(path("p.tpbx"), limits); }),
              HasSubstr("expected at most 100 (limits.file_bytes)"));
  EXPECT_THAT(input_error([&] { read_image(path("none.tpbx"), {}); }),
              HasSubstr("none.tpbx:0:0: error: cannot be read"));
  EXPECT_THAT(input_error([&] { write_image({}, path("none/p.tpbx")); }),
              HasSubstr("none/p.tpbx:0:0: error: cannot be written"));
}

TEST_F(Images, ProgramDigest) {
  const auto digest = [&](const std::string& text) {
    return program_digest(program(text, shipped(Generation::mariana)));
  };
  const std::string text = kEverything;
  const std::string before = digest(text);
  EXPECT_EQ(before.size(), 64u);
  // Blank lines, comments and where results go are nothing that the machine sees.
  EXPECT_EQ(digest("# comment\n\n" + text), before);
  std::string other = text;
  EXPECT_EQ(digest(other.replace(other.find("\"c.npy\""), 7, "\"d.npy\"")), before);
  // Initial values, bundles and the contents of files are.
  other = text;
  EXPECT_NE(digest(other.replace(other.find("done 3 = 7"), 10, "done 3 = 8")), before);
  EXPECT_NE(digest(text + "  nop\n"), before);
  std::vector<std::uint8_t> npy = bytes_of_file(path("data/a.npy"));
  npy.back() = 1;
  write("data/a.npy", npy);
  EXPECT_NE(digest(text), before);
}

}  // namespace
}  // namespace tpb
