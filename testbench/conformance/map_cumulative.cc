// CumSum: one cumulative instruction per row.
#include <cstring>

#include "testbench/conformance/mappers.h"
#include "testbench/conformance/program_writer.h"

namespace tpb {
namespace {

// The values as fp32; empty when fp32 does not hold them.
std::vector<std::uint8_t> as_fp32(const Array& array) {
  if (array.dtype == Dtype::fp32) return array.bytes;
  std::vector<std::uint8_t> bytes(array.doubles.size() * sizeof(float));
  for (std::size_t i = 0; i < array.doubles.size(); ++i) {
    const auto value = static_cast<float>(array.doubles[i]);
    if (static_cast<double>(value) != array.doubles[i]) return {};
    std::memcpy(bytes.data() + i * sizeof(value), &value, sizeof(value));
  }
  return bytes;
}

}  // namespace

MappedCase map_cumulative(const OnnxCase& onnx_case) {
  const Array& x = onnx_case.inputs.at(0);
  const std::vector<std::uint8_t> values = as_fp32(x), sums = as_fp32(onnx_case.outputs.at(0));
  if (values.empty() || sums.empty()) return skipped(SkipReason::dtype);
  const auto rank = static_cast<std::int64_t>(x.shape.size());
  const auto axis = static_cast<std::size_t>((onnx_case.inputs.at(1).integers.at(0) + rank) % rank);
  const bool reverse = onnx_case.integer("reverse", 0) != 0;
  const bool exclusive = onnx_case.integer("exclusive", 0) != 0;

  // Everything lies in one partition.
  const Shape steps = steps_of(x.shape);
  const std::int64_t length = x.shape[axis], step = reverse ? -steps[axis] : steps[axis];
  ProgramWriter writer(onnx_case, Engine::dve);
  MappedCase mapped = writer.blocks(1, [&](const std::string&) {
    writer.input("x", Dtype::fp32, x.shape, values);
    writer.expected("y", Dtype::fp32, x.shape, sums, kExact);
    if (exclusive) writer.instruction("memset value=0 dst=y");
    for (std::int64_t element = 0; element < product(x.shape); ++element) {
      if (element / steps[axis] % length != 0) continue;
      const std::int64_t first = reverse ? element + (length - 1) * steps[axis] : element;
      const std::int64_t count = exclusive ? length - 1 : length;
      writer.instruction(fmt::format("tensor_scalar_cumulative op0=add imm0=0 op1=add src={} dst={}",
                                     elements("x", first, step, count),
                                     elements("y", exclusive ? first + step : first, step, count)));
    }
  });
  if (x.dtype != Dtype::fp32) mapped.note = "ONNX's float64 values are exact in fp32";
  return mapped;
}

}  // namespace tpb
