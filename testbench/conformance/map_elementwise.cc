// Operators on one element of each input: arithmetic, comparisons, bits, conversions.
#include <algorithm>
#include <cstring>
#include <map>

#include "testbench/conformance/mappers.h"
#include "testbench/conformance/program_writer.h"

namespace tpb {
namespace {

std::string operation_of(const OnnxCase& onnx_case) {
  static const std::map<std::string, std::string> kOperations{
      {"Add", "add"},
      {"Sub", "subtract"},
      {"Mul", "mult"},
      {"Max", "max"},
      {"Min", "min"},
      {"Mod", "mod"},
      {"Pow", "pow"},
      {"BitwiseAnd", "bitwise_and"},
      {"BitwiseOr", "bitwise_or"},
      {"BitwiseXor", "bitwise_xor"},
      {"Equal", "is_equal"},
      {"Greater", "is_gt"},
      {"GreaterOrEqual", "is_ge"},
      {"Less", "is_lt"},
      {"LessOrEqual", "is_le"},
  };
  if (onnx_case.op == "BitShift") {
    return onnx_case.strings.at("direction") == "LEFT" ? "logical_shift_left" : "logical_shift_right";
  }
  return kOperations.at(onnx_case.op);
}

bool has_dtype(const Array& array) { return array.dtype.has_value(); }

}  // namespace

MappedCase map_elementwise(const OnnxCase& onnx_case) {
  const std::string operation = operation_of(onnx_case);
  const Array& y = onnx_case.outputs.at(0);
  if (!has_dtype(y) || !std::ranges::all_of(onnx_case.inputs, has_dtype)) return skipped(SkipReason::dtype);
  if (onnx_case.integer("fmod", 0) != 0) return skipped(SkipReason::fmod);
  const bool integers = is_integer(*y.dtype) &&
                        std::ranges::all_of(onnx_case.inputs, [](const Array& x) { return is_integer(*x.dtype); });
  const bool rounds = !is_integer(*y.dtype) && operation != "max" && operation != "min";

  const std::size_t rank = std::max<std::size_t>(y.shape.size(), 1);
  const auto of_rank = [rank](Shape shape) {
    shape.insert(shape.begin(), rank - shape.size(), 1);
    return shape;
  };
  const Shape shape = of_rank(y.shape);
  const Shape free(shape.begin() + 1, shape.end());

  ProgramWriter writer(onnx_case, integers ? Engine::pool : Engine::dve);
  return writer.blocks(shape[0], [&](const std::string& block) {
    std::vector<std::string> operands;
    for (const Array& input : onnx_case.inputs) {
      const std::string name = fmt::format("x{}{}", operands.size(), block.empty() ? "" : "_" + block);
      const Shape in_shape = of_rank(input.shape);
      const Shape in_free(in_shape.begin() + 1, in_shape.end());
      std::vector<std::uint8_t> bytes = input.bytes;
      for (std::int64_t copy = in_shape[0]; copy < shape[0]; ++copy) {
        bytes.insert(bytes.end(), input.bytes.begin(), input.bytes.end());
      }
      writer.input(name, *input.dtype, in_free, bytes);

      const Shape steps = steps_of(in_free);
      Pattern pattern;
      for (std::size_t axis = free.size(); axis-- > 0;) {
        pattern.add(in_free[axis] == 1 ? 0 : steps[axis], free[axis]);
      }
      pattern.check(onnx_case, 3);
      operands.push_back(in_free == free ? name : pattern.of(name));
    }
    writer.expected("y" + block, *y.dtype, free, y.bytes, rounds ? kRelative : kExact);
    // A fold over the inputs; one input alone is combined with itself.
    if (operands.size() == 1) operands.push_back(operands[0]);
    std::string left = operands[0];
    for (std::size_t right = 1; right < operands.size(); ++right) {
      writer.instruction(
          fmt::format("tensor_tensor op={} src0={} src1={} dst=y{}", operation, left, operands[right], block));
      left = "y" + block;
    }
  });
}

namespace {

// Whether bf16 values are the upper halves of fp32 ones where rounding would give others.
bool truncated(const Array& from, const Array& to) {
  if (from.dtype != Dtype::fp32 || to.dtype != Dtype::bf16) return false;
  for (std::size_t i = 0; i < from.elements(); ++i) {
    std::uint32_t word;
    std::uint16_t half;
    std::memcpy(&word, from.bytes.data() + i * sizeof(word), sizeof(word));
    std::memcpy(&half, to.bytes.data() + i * sizeof(half), sizeof(half));
    if (half == word >> 16 && (word & 0xFFFF) > 0x8000) return true;  // past the middle, and not rounded up
  }
  return false;
}

}  // namespace

MappedCase map_cast(const OnnxCase& onnx_case) {
  const Array& x = onnx_case.inputs.at(0);
  const Array& y = onnx_case.outputs.at(0);
  if (!has_dtype(x) || !has_dtype(y)) return skipped(SkipReason::dtype);
  if (truncated(x, y)) return skipped(SkipReason::truncation);
  const Shape free(x.shape.begin() + 1, x.shape.end());
  ProgramWriter writer(onnx_case, Engine::dve);
  return writer.blocks(x.shape[0], [&](const std::string& block) {
    writer.input("x" + block, *x.dtype, free, x.bytes);
    writer.expected("y" + block, *y.dtype, free, y.bytes, kExact);
    writer.instruction(fmt::format("cast src=x{} dst=y{}", block, block));
  });
}

}  // namespace tpb
