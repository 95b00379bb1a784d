// MaxPool and AveragePool.
#include <array>

#include "testbench/conformance/mappers.h"
#include "testbench/conformance/program_writer.h"

namespace tpb {
namespace {

// An attribute per spatial axis as height and width; one spatial axis is the width.
std::array<std::int64_t, 2> height_width(const OnnxCase& onnx_case, const std::string& attribute) {
  const auto found = onnx_case.integers.find(attribute);
  if (found == onnx_case.integers.end()) return {1, 1};
  const Shape& values = found->second;
  return {values.size() == 2 ? values[0] : 1, values.back()};
}

bool pads_to_same(const OnnxCase& onnx_case) {
  const auto auto_pad = onnx_case.strings.find("auto_pad");
  return auto_pad != onnx_case.strings.end() && auto_pad->second.starts_with("SAME");
}

// NumPy, which made ONNX's values, adds fewer numbers than these one after another, and more of them in this many sums.
constexpr std::int64_t kPairwise = 8;

// Writes the sum of `terms` as NumPy adds up to 128 of them, and returns its tensor: eight running sums of every eighth
// term, those in pairs, then the terms that are left over.
std::string pairwise_sum(const std::vector<std::string>& terms, const std::string& block, const Shape& shape,
                         ProgramWriter& writer) {
  std::vector<std::string> sums(terms.begin(), terms.begin() + kPairwise);
  for (std::size_t sum = 0; sum < sums.size(); ++sum) {
    writer.scratch(fmt::format("sum{}{}", sum, block), Dtype::fp32, shape);
  }
  const auto add = [&](std::size_t sum, const std::string& term) {
    const std::string destination = fmt::format("sum{}{}", sum, block);
    writer.instruction(fmt::format("tensor_tensor op=add src0={} src1={} dst={}", sums[sum], term, destination));
    sums[sum] = destination;
  };
  std::size_t next = sums.size();
  for (; next + sums.size() <= terms.size(); next += sums.size()) {
    for (std::size_t sum = 0; sum < sums.size(); ++sum) add(sum, terms[next + sum]);
  }
  for (std::size_t distance = 1; distance < sums.size(); distance *= 2) {
    for (std::size_t sum = 0; sum < sums.size(); sum += 2 * distance) add(sum, sums[sum + distance]);
  }
  for (; next < terms.size(); ++next) add(0, terms[next]);
  return sums[0];
}

}  // namespace

MappedCase map_pool(const OnnxCase& onnx_case) {
  const bool max = onnx_case.op == "MaxPool";
  const Array& x = onnx_case.inputs.at(0);
  const Array& y = onnx_case.outputs.at(0);
  if (x.shape.size() > 4) return skipped(SkipReason::three_dimensions);
  if (!x.dtype || !exact_through_fp32(*x.dtype, !max)) return skipped(SkipReason::dtype);

  const std::array<std::int64_t, 2> image{x.shape.size() == 4 ? x.shape[2] : 1, x.shape.back()};
  const auto kernel = height_width(onnx_case, "kernel_shape");
  const auto stride = height_width(onnx_case, "strides");
  const auto dilation = height_width(onnx_case, "dilations");
  const auto pads = onnx_case.integers.find("pads");
  if (pads != onnx_case.integers.end() && std::ranges::any_of(pads->second, [](auto pad) { return pad != 0; })) {
    return skipped(SkipReason::padding);
  }
  std::array<std::int64_t, 2> out{};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::int64_t reach = dilation[axis] * (kernel[axis] - 1) + 1;
    const std::int64_t same = (image[axis] + stride[axis] - 1) / stride[axis];
    if (pads_to_same(onnx_case) && (same - 1) * stride[axis] + reach > image[axis]) {
      return skipped(SkipReason::padding);
    }
    if (onnx_case.integer("ceil_mode", 0) != 0 && (image[axis] - reach) % stride[axis] != 0) {
      return skipped(SkipReason::ceil_mode);
    }
    out[axis] = (image[axis] - reach) / stride[axis] + 1;
  }

  const std::int64_t width = image[1];
  Pattern windows;
  windows.add(dilation[1], kernel[1]);
  windows.add(width * dilation[0], kernel[0]);
  windows.add(stride[1], out[1]);
  windows.add(width * stride[0], out[0]);

  const std::int64_t count = product(kernel);
  const bool pairwise = !max && count >= kPairwise;
  ProgramWriter writer(onnx_case, Engine::pool);
  MappedCase mapped = writer.blocks(x.shape[0] * x.shape[1], [&](const std::string& block) {
    const std::string input = "x" + block;
    const std::string pooled = (pairwise ? "pooled" : "y") + block;
    writer.input(input, *x.dtype, {image[0], image[1]}, x.bytes);
    writer.expected(pooled, *x.dtype, {out[0], out[1]}, y.bytes, max ? kExact : pairwise ? kCancelling : kRelative);
    writer.instruction(fmt::format("pool func={} src={} dst={}", max ? "max" : "avg", windows.of(input), pooled));
    if (!pairwise) return;

    Pattern firsts, everywhere;  // the same element of each window; one value for all of them
    std::vector<std::string> elements;
    firsts.add(stride[1], out[1]);
    firsts.add(width * stride[0], out[0]);
    everywhere.add(0, product(out));
    for (std::int64_t row = 0; row < kernel[0]; ++row) {
      for (std::int64_t column = 0; column < kernel[1]; ++column) {
        elements.push_back(firsts.of(input, row * dilation[0] * width + column * dilation[1]));
      }
    }
    writer.constant("count" + block, static_cast<float>(count));
    writer.expected("y" + block, *x.dtype, {out[0], out[1]}, y.bytes, kRelative);
    writer.instruction(fmt::format("tensor_tensor op=divide src0={} src1={} dst=y{}",
                                   pairwise_sum(elements, block, {out[0], out[1]}, writer),
                                   everywhere.of("count" + block), block));
  });
  if (pairwise) mapped.note = "in ONNX's order of additions; the pool instruction's within 1e-7 absolute besides";
  if (onnx_case.outputs.size() > 1) mapped.note = "values only: Indices are int64";
  return mapped;
}

}  // namespace tpb
