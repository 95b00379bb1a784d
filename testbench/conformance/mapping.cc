#include "testbench/conformance/mapping.h"

#include <fstream>
#include <map>

#include "models/program/contents.h"
#include "testbench/conformance/mappers.h"

namespace tpb {

MappedCase skipped(SkipReason reason) {
  MappedCase mapped;
  mapped.skipped = reason;
  return mapped;
}

bool exact_through_fp32(Dtype dtype, bool sums) { return !is_integer(dtype) || (bytes_of(dtype) < 4 && !sums); }

namespace {

using Mapper = MappedCase (*)(const OnnxCase&);
const std::map<std::string, Mapper>& mappers() {
  static const std::map<std::string, Mapper> kMappers{
      {"MaxPool", map_pool},
      {"AveragePool", map_pool},
      {"ReduceSum", map_reduce},
      {"ReduceMax", map_reduce},
      {"ReduceMin", map_reduce},
      {"ReduceMean", map_reduce},
      {"Add", map_elementwise},
      {"Sub", map_elementwise},
      {"Mul", map_elementwise},
      {"Max", map_elementwise},
      {"Min", map_elementwise},
      {"Mod", map_elementwise},
      {"Pow", map_elementwise},
      {"BitShift", map_elementwise},
      {"BitwiseAnd", map_elementwise},
      {"BitwiseOr", map_elementwise},
      {"BitwiseXor", map_elementwise},
      {"Equal", map_elementwise},
      {"Greater", map_elementwise},
      {"GreaterOrEqual", map_elementwise},
      {"Less", map_elementwise},
      {"LessOrEqual", map_elementwise},
      {"Cast", map_cast},
      {"TopK", map_search},
      {"ArgMax", map_search},
      {"ArgMin", map_search},
      {"CumSum", map_cumulative},
  };
  return kMappers;
}

}  // namespace

std::string_view name_of(SkipReason reason) {
  switch (reason) {
    case SkipReason::padding:
      return "padding";
    case SkipReason::ceil_mode:
      return "ceil_mode";
    case SkipReason::three_dimensions:
      return "3-D";
    case SkipReason::dtype:
      return "dtype";
    case SkipReason::truncation:
      return "truncation";
    case SkipReason::fmod:
      return "fmod";
  }
  return "";
}

const std::vector<std::string>& mapped_ops() {
  static const std::vector<std::string> kOps = [] {
    std::vector<std::string> names;
    for (const auto& [name, mapper] : mappers()) names.push_back(name);
    return names;
  }();
  return kOps;
}

MappedCase map_case(const OnnxCase& onnx_case) { return mappers().at(onnx_case.op)(onnx_case); }

std::filesystem::path write_case(const MappedCase& mapped, const std::string& name,
                                 const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory);
  for (const DataFile& file : mapped.files) write_npy(directory / (file.tensor.name + ".npy"), file.tensor, file.bytes);
  const std::filesystem::path path = directory / (name + ".tpb");
  std::ofstream(path) << mapped.text;
  return path;
}

}  // namespace tpb
