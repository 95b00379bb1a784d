#include "testbench/conformance/mapping.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <span>
#include <stdexcept>

#include "models/program/contents.h"

namespace tpb {
namespace {

using Shape = std::vector<std::int64_t>;

MappedCase skipped(SkipReason reason) {
  MappedCase mapped;
  mapped.skipped = reason;
  return mapped;
}

std::int64_t product(std::span<const std::int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

// Steps in elements of a C-order array.
Shape steps_of(std::span<const std::int64_t> shape) {
  Shape steps(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) steps[axis - 1] = steps[axis] * shape[axis];
  return steps;
}

// Dimensions of an access pattern, innermost first.
struct Pattern {
  Shape steps, nums;

  void add(std::int64_t step, std::int64_t num) {
    steps.push_back(step);
    nums.push_back(num);
  }
  std::string of(const std::string& tensor, std::int64_t first = 0) const {
    return fmt::format("{}+{}[{}][{}]", tensor, first, fmt::join(steps, ","), fmt::join(nums, ","));
  }
  void check(const OnnxCase& onnx_case, std::size_t dimensions) const {
    if (steps.size() > dimensions) {
      throw std::runtime_error(
          fmt::format("{}: {} free dimensions, the instruction has {}", onnx_case.name, steps.size(), dimensions));
    }
  }
};

// Collects a program: tensors laid one after another in the SBUF, instructions of one engine.
class ProgramWriter {
 public:
  ProgramWriter(const OnnxCase& onnx_case, Engine engine) : onnx_case_(onnx_case), engine_(engine) {}

  // Calls write(suffix) once per block of at most 128 of `rows` partitions; declarations made within it take the
  // block's rows of the arrays they are given.
  template <class Write>
  MappedCase blocks(std::int64_t rows, Write write) {
    for (std::int64_t first = 0; first < rows; first += kPartitions) {
      first_ = first;
      count_ = std::min<std::int64_t>(rows - first, kPartitions);
      rows_ = rows;
      write(first == 0 ? "" : std::to_string(first / kPartitions));
    }
    mapped_.text = fmt::format("# ONNX {}: {}\n.generation cayman\n{}.engine {}\n{}", onnx_case_.op, onnx_case_.name,
                               declarations_, name_of(engine_), instructions_);
    return std::move(mapped_);
  }

  // `bytes` hold `rows` (of blocks) times `free` elements in C order.
  void input(const std::string& name, Dtype dtype, const Shape& free, std::span<const std::uint8_t> bytes) {
    declarations_ += fmt::format("{} = \"{}.npy\"\n", declare(name, dtype, free), name);
    file(name, dtype, free, bytes);
  }
  void constant(const std::string& name, float value) {
    declarations_ += fmt::format("{} = [{}]\n", declare(name, Dtype::fp32, {1}), value);
  }
  void scratch(const std::string& name, Dtype dtype, const Shape& free) {
    declarations_ += declare(name, dtype, free) + "\n";
  }
  void expected(const std::string& name, Dtype dtype, const Shape& free, std::span<const std::uint8_t> bytes,
                std::string_view tolerance) {
    scratch(name, dtype, free);
    declarations_ += fmt::format(".expect {} \"{}.npy\" {}\n", name, name, tolerance);
    file(name, dtype, free, bytes);
  }
  void instruction(const std::string& line) { instructions_ += fmt::format("  {}\n", line); }

 private:
  std::string declare(const std::string& name, Dtype dtype, const Shape& free) {
    const std::string shape = fmt::format("[{}{}{}]", count_, free.empty() ? "" : ", ", fmt::join(free, ", "));
    const std::string line = fmt::format(".tensor {} {} {} sbuf+{:#x}", name, tpb::name_of(dtype), shape, offset_);
    constexpr std::int64_t kAlignment = 64;
    offset_ += (product(free) * bytes_of(dtype) + kAlignment - 1) / kAlignment * kAlignment;
    return line;
  }
  void file(const std::string& name, Dtype dtype, const Shape& free, std::span<const std::uint8_t> bytes) {
    const std::int64_t row_bytes = product(free) * bytes_of(dtype);
    if (static_cast<std::int64_t>(bytes.size()) != rows_ * row_bytes) {
      throw std::runtime_error(
          fmt::format("{}: {} has {} bytes, its shape {}", onnx_case_.name, name, bytes.size(), rows_ * row_bytes));
    }
    const auto block =
        bytes.subspan(static_cast<std::size_t>(first_ * row_bytes), static_cast<std::size_t>(count_ * row_bytes));
    DataFile data;
    data.tensor.name = name;
    data.tensor.dtype = dtype;
    data.tensor.shape.push_back(static_cast<std::uint32_t>(count_));
    for (std::int64_t extent : free) data.tensor.shape.push_back(static_cast<std::uint32_t>(extent));
    data.bytes.assign(block.begin(), block.end());
    mapped_.files.push_back(std::move(data));
  }

  const OnnxCase& onnx_case_;
  Engine engine_;
  std::string declarations_, instructions_;
  std::int64_t offset_ = 0;
  std::int64_t first_ = 0, count_ = 0, rows_ = 0;
  MappedCase mapped_;
};

constexpr const char* kExact = "exact";
constexpr const char* kRelative = "rtol=1e-6";
constexpr const char* kCancelling = "rtol=1e-6 atol=1e-7";

// Pooling and reductions compute in fp32, which holds 8- and 16-bit integers, but not their sums.
bool exact_through_fp32(Dtype dtype, bool sums) { return !is_integer(dtype) || (bytes_of(dtype) < 4 && !sums); }

// --- Pooling -------------------------------------------------------------------------------------------------------

// An attribute per spatial axis as height and width; one spatial axis is the width.
std::array<std::int64_t, 2> height_width(const OnnxCase& onnx_case, const std::string& attribute) {
  const auto found = onnx_case.integers.find(attribute);
  if (found == onnx_case.integers.end()) return {1, 1};
  const Shape& values = found->second;
  return {values.size() == 2 ? values[0] : 1, values.back()};
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
    if (onnx_case.auto_pad.starts_with("SAME") && (same - 1) * stride[axis] + reach > image[axis]) {
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

// --- Reductions ----------------------------------------------------------------------------------------------------

std::vector<bool> reduced_axes(const OnnxCase& onnx_case) {
  const auto rank = static_cast<std::int64_t>(onnx_case.inputs.at(0).shape.size());
  Shape axes;
  if (onnx_case.inputs.size() > 1) {
    axes = onnx_case.inputs[1].integers;
  } else if (const auto found = onnx_case.integers.find("axes"); found != onnx_case.integers.end()) {
    axes = found->second;
  }
  std::vector<bool> reduced(static_cast<std::size_t>(rank),
                            axes.empty() && onnx_case.integer("noop_with_empty_axes", 0) == 0);
  for (std::int64_t axis : axes) reduced.at(static_cast<std::size_t>(axis < 0 ? axis + rank : axis)) = true;
  return reduced;
}

MappedCase map_reduce(const OnnxCase& onnx_case) {
  static const std::map<std::string, std::string> kOperations{
      {"ReduceSum", "add"}, {"ReduceMax", "max"}, {"ReduceMin", "min"}, {"ReduceMean", "add"}};
  const std::string& operation = kOperations.at(onnx_case.op);
  const Array& x = onnx_case.inputs.at(0);
  const Array& y = onnx_case.outputs.at(0);
  if (!x.dtype || !exact_through_fp32(*x.dtype, operation == "add")) return skipped(SkipReason::dtype);

  // Free axes: all but a leading axis that is kept. Reduced ones innermost, each kind last axis first.
  const std::vector<bool> reduced = reduced_axes(onnx_case);
  const std::size_t first_free = reduced.at(0) ? 0 : 1;
  const std::int64_t rows = reduced[0] ? 1 : x.shape[0];
  const Shape free(x.shape.begin() + static_cast<std::ptrdiff_t>(first_free), x.shape.end());
  const Shape steps = steps_of(free);
  Pattern inner, outer;
  Shape kept;
  for (std::size_t axis = free.size(); axis-- > 0;) {
    const bool fold = reduced[first_free + axis];
    (fold ? inner : outer).add(steps[axis], free[axis]);
    if (!fold) kept.insert(kept.begin(), free[axis]);
  }
  const std::int64_t count = product(inner.nums);
  const bool mean = onnx_case.op == "ReduceMean";
  const bool pool = mean && inner.nums.size() <= 2;  // a window has two dimensions
  while (inner.nums.size() < (pool ? 2U : 1U)) inner.add(1, 1);
  const std::string axes = std::string("XYZW").substr(0, inner.nums.size());
  for (std::size_t dimension = 0; dimension < outer.nums.size(); ++dimension) {
    inner.add(outer.steps[dimension], outer.nums[dimension]);
  }
  inner.check(onnx_case, 4);

  ProgramWriter writer(onnx_case, pool ? Engine::pool : Engine::dve);
  return writer.blocks(rows, [&](const std::string& block) {
    writer.input("x" + block, *x.dtype, free, x.bytes);
    writer.expected("y" + block, *x.dtype, kept, y.bytes, operation == "add" ? kRelative : kExact);
    const std::string source = inner.of("x" + block);
    if (pool) {
      writer.instruction(fmt::format("pool func=avg src={} dst=y{}", source, block));
    } else if (!mean) {
      writer.instruction(fmt::format("tensor_reduce op={} axis={} src={} dst=y{}", operation, axes, source, block));
    } else {
      writer.scratch("sum" + block, Dtype::fp32, kept);
      writer.constant("scale" + block, 1.0F / static_cast<float>(count));
      Pattern everywhere;
      everywhere.add(0, product(kept));
      writer.instruction(fmt::format("tensor_reduce op=add axis={} src={} dst=sum{}", axes, source, block));
      writer.instruction(fmt::format("tensor_tensor op=mult src0=sum{} src1={} dst=y{}", block,
                                     everywhere.of("scale" + block), block));
    }
  });
}

// --- Elementwise ---------------------------------------------------------------------------------------------------

MappedCase map_elementwise(const OnnxCase& onnx_case) {
  static const std::map<std::string, std::string> kOperations{
      {"Add", "add"}, {"Sub", "subtract"}, {"Mul", "mult"}, {"Max", "max"}, {"Min", "min"}};
  const std::string& operation = kOperations.at(onnx_case.op);
  const Array& y = onnx_case.outputs.at(0);
  if (!y.dtype) return skipped(SkipReason::dtype);
  const Dtype dtype = *y.dtype;
  const bool exact = is_integer(dtype) || operation == "max" || operation == "min";

  const std::size_t rank = std::max<std::size_t>(y.shape.size(), 1);
  const auto of_rank = [rank](Shape shape) {
    shape.insert(shape.begin(), rank - shape.size(), 1);
    return shape;
  };
  const Shape shape = of_rank(y.shape);
  const Shape free(shape.begin() + 1, shape.end());

  ProgramWriter writer(onnx_case, is_integer(dtype) ? Engine::pool : Engine::dve);
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
      writer.input(name, dtype, in_free, bytes);

      const Shape steps = steps_of(in_free);
      Pattern pattern;
      for (std::size_t axis = free.size(); axis-- > 0;) {
        pattern.add(in_free[axis] == 1 ? 0 : steps[axis], free[axis]);
      }
      pattern.check(onnx_case, 3);
      operands.push_back(in_free == free ? name : pattern.of(name));
    }
    writer.expected("y" + block, dtype, free, y.bytes, exact ? kExact : kRelative);
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

using Mapper = MappedCase (*)(const OnnxCase&);
const std::map<std::string, Mapper>& mappers() {
  static const std::map<std::string, Mapper> kMappers{
      {"MaxPool", map_pool},     {"AveragePool", map_pool},  {"ReduceSum", map_reduce}, {"ReduceMax", map_reduce},
      {"ReduceMin", map_reduce}, {"ReduceMean", map_reduce}, {"Add", map_elementwise},  {"Sub", map_elementwise},
      {"Mul", map_elementwise},  {"Max", map_elementwise},   {"Min", map_elementwise}};
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
