#include "testbench/conformance/onnx_cases.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace tpb {
namespace {

template <class Message>
Message read_message(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  Message message;
  if (!file || !message.ParseFromIstream(&file)) {
    throw std::runtime_error(fmt::format("{}: cannot be read as an ONNX file", path.string()));
  }
  return message;
}

std::optional<Dtype> dtype_of(std::int32_t onnx_type) {
  switch (onnx_type) {
    case onnx::TensorProto::FLOAT:
      return Dtype::fp32;
    case onnx::TensorProto::FLOAT16:
      return Dtype::fp16;
    case onnx::TensorProto::BFLOAT16:
      return Dtype::bf16;
    case onnx::TensorProto::INT8:
      return Dtype::int8;
    case onnx::TensorProto::UINT8:
    case onnx::TensorProto::BOOL:  // bytes of 0 and 1
      return Dtype::uint8;
    case onnx::TensorProto::INT16:
      return Dtype::int16;
    case onnx::TensorProto::UINT16:
      return Dtype::uint16;
    case onnx::TensorProto::INT32:
      return Dtype::int32;
    case onnx::TensorProto::UINT32:
      return Dtype::uint32;
    default:
      return std::nullopt;
  }
}

Array read_array(const std::filesystem::path& path) {
  const auto tensor = read_message<onnx::TensorProto>(path);
  Array array;
  array.dtype = dtype_of(tensor.data_type());
  array.shape.assign(tensor.dims().begin(), tensor.dims().end());
  array.bytes.assign(tensor.raw_data().begin(), tensor.raw_data().end());
  // Test data are written raw; a typed field would mean that this reader misses values.
  const auto wide = [&](auto& values) {
    values.resize(array.bytes.size() / sizeof(values[0]));
    if (!values.empty()) std::memcpy(values.data(), array.bytes.data(), values.size() * sizeof(values[0]));
    return sizeof(values[0]);
  };
  std::size_t width = array.dtype ? bytes_of(*array.dtype) : 0;
  if (tensor.data_type() == onnx::TensorProto::INT64) width = wide(array.integers);
  if (tensor.data_type() == onnx::TensorProto::DOUBLE) width = wide(array.doubles);
  if (width != 0 && array.bytes.size() != array.elements() * width) {
    throw std::runtime_error(fmt::format("{}: {} bytes of raw data, expected {} elements of {}", path.string(),
                                         array.bytes.size(), array.elements(), width));
  }
  if (array.dtype == Dtype::int32) {
    std::vector<std::int32_t> values;
    wide(values);
    array.integers.assign(values.begin(), values.end());
  }
  return array;
}

// `declared`: as the graph has them. Test data of bfloat16 are stored as uint16.
template <class Values>
std::vector<Array> read_arrays(const std::filesystem::path& data_set, const std::string& kind, const Values& declared) {
  std::vector<Array> arrays;
  for (;;) {
    const std::filesystem::path path = data_set / fmt::format("{}_{}.pb", kind, arrays.size());
    if (!std::filesystem::exists(path)) return arrays;
    Array array = read_array(path);
    const auto index = static_cast<int>(arrays.size());
    const bool bf16 =
        index < declared.size() && declared.Get(index).type().tensor_type().elem_type() == onnx::TensorProto::BFLOAT16;
    if (bf16 && array.dtype == Dtype::uint16) array.dtype = Dtype::bf16;
    arrays.push_back(std::move(array));
  }
}

}  // namespace

std::size_t Array::elements() const {
  std::size_t product = 1;
  for (std::int64_t extent : shape) product *= static_cast<std::size_t>(extent);
  return product;
}

std::int64_t OnnxCase::integer(const std::string& attribute, std::int64_t otherwise) const {
  const auto found = integers.find(attribute);
  return found == integers.end() ? otherwise : found->second.at(0);
}

std::filesystem::path onnx_node_tests() { return "/usr/share/libonnx-testdata/data/node"; }

std::vector<OnnxCase> read_onnx_cases(const std::filesystem::path& directory, const std::vector<std::string>& ops) {
  std::vector<OnnxCase> cases;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const auto model = read_message<onnx::ModelProto>(entry.path() / "model.onnx");
    if (model.graph().node_size() != 1) continue;
    const onnx::NodeProto& node = model.graph().node(0);
    if (std::find(ops.begin(), ops.end(), node.op_type()) == ops.end()) continue;

    OnnxCase onnx_case;
    onnx_case.name = entry.path().filename().string();
    onnx_case.op = node.op_type();
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.type() == onnx::AttributeProto::STRING) {
        onnx_case.strings[attribute.name()] = attribute.s();
      } else if (attribute.type() == onnx::AttributeProto::INT) {
        onnx_case.integers[attribute.name()] = {attribute.i()};
      } else {
        onnx_case.integers[attribute.name()] = {attribute.ints().begin(), attribute.ints().end()};
      }
    }
    const std::filesystem::path data_set = entry.path() / "test_data_set_0";
    onnx_case.inputs = read_arrays(data_set, "input", model.graph().input());
    onnx_case.outputs = read_arrays(data_set, "output", model.graph().output());
    cases.push_back(std::move(onnx_case));
  }
  std::sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return cases;
}

}  // namespace tpb
