// The .npy format: bytes as numpy 1.24 writes them, and every way in which a file does not suit its tensor.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

#include "models/program/contents.h"
#include "testbench/tests/program/scratch.h"

namespace tpb {
namespace {

using namespace std::string_view_literals;
using ::testing::ElementsAre;

Tensor tensor_of(Dtype dtype, std::vector<std::uint32_t> shape) {
  Tensor tensor;
  tensor.name = "t";
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  return tensor;
}

// numpy.lib.format.write_array: preamble and dictionary padded with blanks and a line end to 128 bytes.
std::string numpy_file(std::string_view dictionary, std::string_view data, int version = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += version == 1 ? "\0v\0"sv : "\0t\0\0\0"sv;
  file += dictionary;
  file += std::string(127 - file.size(), ' ') + "\n";
  return file + std::string(data);
}

constexpr auto kFloats = "\0\0\0\0\0\0\x80?\0\0\0@\0\0@@\0\0\x80@\0\0\xa0@"sv;         // 0 1 2 3 4 5
constexpr auto kFortranFloats = "\0\0\0\0\0\0@@\0\0\x80?\0\0\x80@\0\0\0@\0\0\xa0@"sv;  // the same, columns first

class Npy : public Scratch {
 protected:
  std::vector<std::uint8_t> read(const Tensor& tensor, std::string_view file, const Limits& limits = {}) {
    return read_npy(write("t.npy", file), tensor, "p.tpb", 4, limits);
  }
  // What the error says after the file's name.
  std::string refusal(const Tensor& tensor, std::string_view file, const Limits& limits = {}) {
    const std::string error = input_error([&] { read(tensor, file, limits); });
    const std::string start = "p.tpb:4:1: error: '" + path("t.npy").string() + "' ";
    EXPECT_EQ(error.substr(0, start.size()), start);
    return error.substr(std::min(error.size(), start.size()));
  }
};

TEST_F(Npy, CAndFortranOrder) {
  const Tensor tensor = tensor_of(Dtype::fp32, {2, 3});
  const std::vector<std::uint8_t> expected(kFloats.begin(), kFloats.end());
  EXPECT_EQ(read(tensor, numpy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", kFloats)), expected);
  EXPECT_EQ(read(tensor, numpy_file("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", kFortranFloats)),
            expected);
}

TEST_F(Npy, Versions) {
  const Tensor tensor = tensor_of(Dtype::int16, {1, 2});
  for (const int version : {1, 2, 3}) {
    EXPECT_THAT(read(tensor, numpy_file("{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }", "\1\0\xfe\xff"sv,
                                        version)),
                ElementsAre(1, 0, 0xFE, 0xFF));
  }
  EXPECT_EQ(
      refusal(tensor, numpy_file("{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }", "\1\0\xfe\xff"sv, 4)),
      "has .npy version 4.0, expected 1.0, 2.0 or 3.0");
}

TEST_F(Npy, OneDimensionAndBytes) {
  const std::string file = numpy_file("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }", "\1\2\xff"sv);
  EXPECT_THAT(read(tensor_of(Dtype::uint8, {3}), file), ElementsAre(1, 2, 255));
  // fp8 as bit patterns.
  EXPECT_THAT(read(tensor_of(Dtype::fp8_e5m2, {3}), file), ElementsAre(1, 2, 255));
  EXPECT_EQ(refusal(tensor_of(Dtype::int8, {3}), file), "has dtype '|u1', expected '|i1' for int8");
  EXPECT_EQ(refusal(tensor_of(Dtype::fp32, {3}), file), "has dtype '|u1', expected '<f4' for fp32");
}

TEST_F(Npy, Bf16FromPatternsOrFloats) {
  const Tensor tensor = tensor_of(Dtype::bf16, {1, 2});
  EXPECT_THAT(read(tensor, numpy_file("{'descr': '<u2', 'fortran_order': False, 'shape': (1, 2), }", "\x80\x3f\1\0"sv)),
              ElementsAre(0x80, 0x3F, 1, 0));
  // 3F808000 lies midway between 3F80 and 3F81 and goes to the even one; 3F818000 between 3F81 and 3F82, to 3F82.
  EXPECT_THAT(read(tensor, numpy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }",
                                      "\0\x80\x80\x3f\0\x80\x81\x3f"sv)),
              ElementsAre(0x80, 0x3F, 0x82, 0x3F));
  EXPECT_EQ(refusal(tensor, numpy_file("{'descr': '<f2', 'fortran_order': False, 'shape': (1, 2), }", "\0\0\0\0"sv)),
            "has dtype '<f2', expected '<u2' or '<f4' for bf16");
}

TEST_F(Npy, Refusals) {
  const Tensor tensor = tensor_of(Dtype::fp32, {2, 3});
  const auto with = [&](std::string_view dictionary, std::string_view data = kFloats) {
    return refusal(tensor, numpy_file(dictionary, data));
  };
  EXPECT_EQ(with("{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }"),
            "has dtype '>f4', expected '<f4' for fp32");
  EXPECT_EQ(with("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }"), "has shape (3, 2), expected (2, 3)");
  EXPECT_EQ(with("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", kFloats.substr(1)),
            "has 151 bytes, expected 152");
  EXPECT_EQ(with("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", "1234567890123456789012345"),
            "has 153 bytes, expected 152");
  const std::string plain =
      "has a header that is no .npy header of a plain array, expected 'descr', 'fortran_order' and 'shape'";
  for (const auto dictionary :
       {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3), }", "{'descr': '<f4', 'shape': (2, 3), }",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 3), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } x", "{'descr': '<f4", ""}) {
    EXPECT_EQ(with(dictionary), plain) << dictionary;
  }
  EXPECT_EQ(refusal(tensor, "PK\3\4 and more of it"), "is no .npy file, expected it to begin with \\x93NUMPY");
  EXPECT_EQ(refusal(tensor, "\x93NUMPY\1\0\xff\xff{}"sv),
            "has a header of 65535 bytes, expected it to lie in the file");
  EXPECT_EQ(refusal(tensor, "\x93NUMPY\2\0\xff\xff\xff\xff{}"sv),
            "has a header of 4294967295 bytes, expected it to lie in the file");
  Limits limits;
  limits.file_bytes = 100;
  EXPECT_EQ(refusal(tensor, numpy_file("{}", kFloats), limits),
            "has 152 bytes, expected at most 100 (limits.file_bytes)");
  EXPECT_NE(
      input_error([&] { read_npy(path("none.npy"), tensor, "p.tpb", 4, {}); }).find("cannot be read (No such file"),
      std::string::npos);
}

TEST_F(Npy, EveryTruncationIsRefused) {
  const std::string file = numpy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", kFloats);
  for (std::size_t size = 0; size < file.size(); ++size) {
    ASSERT_NE(refusal(tensor_of(Dtype::fp32, {2, 3}), file.substr(0, size)), "") << size;
  }
}

TEST_F(Npy, WritesWhatNumpyWrites) {
  const std::vector<std::uint8_t> bytes(kFloats.begin(), kFloats.end());
  write_npy(path("out.npy"), tensor_of(Dtype::fp32, {2, 3}), bytes);
  const std::vector<std::uint8_t> file = bytes_of_file(path("out.npy"));
  EXPECT_EQ(std::string(file.begin(), file.end()),
            numpy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", kFloats));
  const std::vector<std::uint8_t> three{1, 2, 255};
  write_npy(path("out.npy"), tensor_of(Dtype::fp8_e3m4, {3}), three);
  const std::vector<std::uint8_t> small = bytes_of_file(path("out.npy"));
  EXPECT_EQ(std::string(small.begin(), small.end()),
            numpy_file("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }", "\1\2\xff"sv));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path("")), {}), 1) << "nothing is left beside the file";
  EXPECT_NE(input_error([&] { write_npy(path("none/out.npy"), tensor_of(Dtype::fp8_e3m4, {3}), three); }), "");
}

}  // namespace
}  // namespace tpb
