// The ONNX node tests as plain data: one node, its attributes, input tensors and expected outputs. Nothing above this
// header knows of protocol buffers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/isa/dtype.h"

namespace tpb {

// An array in C order, little endian. `dtype` is absent when the core has none for it (64-bit types, strings...), and
// then only the shape and `integers` mean something.
struct Array {
  std::optional<Dtype> dtype;
  std::vector<std::int64_t> shape;
  std::vector<std::uint8_t> bytes;
  std::vector<std::int64_t> integers;  // values of an int64 or int32 tensor: axes given as an input
  std::vector<double> doubles;         // values of a float64 tensor

  std::size_t elements() const;
};

struct OnnxCase {
  std::string name;                                           // "test_maxpool_2d_default"
  std::string op;                                             // "MaxPool"
  std::map<std::string, std::vector<std::int64_t>> integers;  // attributes: kernel_shape, axes, keepdims...
  std::map<std::string, std::string> strings;                 // attributes: auto_pad, direction
  std::vector<Array> inputs;
  std::vector<Array> outputs;

  std::int64_t integer(const std::string& attribute, std::int64_t otherwise) const;
};

// Where Debian's libonnx-testdata puts the node tests.
std::filesystem::path onnx_node_tests();

// Every test of `directory` whose graph is a single node of one of `ops`, with its data set, by name. Throws
// std::runtime_error when a file cannot be read.
std::vector<OnnxCase> read_onnx_cases(const std::filesystem::path& directory, const std::vector<std::string>& ops);

}  // namespace tpb
