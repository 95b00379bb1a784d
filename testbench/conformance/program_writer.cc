#include "testbench/conformance/program_writer.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace tpb {

std::int64_t product(std::span<const std::int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

Shape steps_of(std::span<const std::int64_t> shape) {
  Shape steps(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) steps[axis - 1] = steps[axis] * shape[axis];
  return steps;
}

std::string Pattern::of(const std::string& tensor, std::int64_t first) const {
  return fmt::format("{}+{}[{}][{}]", tensor, first, fmt::join(steps, ","), fmt::join(nums, ","));
}

void Pattern::check(const OnnxCase& onnx_case, std::size_t dimensions) const {
  if (steps.size() > dimensions) {
    throw std::runtime_error(
        fmt::format("{}: {} free dimensions, the instruction has {}", onnx_case.name, steps.size(), dimensions));
  }
}

std::string elements(const std::string& tensor, std::int64_t first, std::int64_t step, std::int64_t count) {
  Pattern pattern;
  pattern.add(step, count);
  return pattern.of(tensor, first);
}

MappedCase ProgramWriter::blocks(std::int64_t rows, const std::function<void(const std::string&)>& write) {
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

void ProgramWriter::input(const std::string& name, Dtype dtype, const Shape& free,
                          std::span<const std::uint8_t> bytes) {
  declarations_ += fmt::format("{} = \"{}.npy\"\n", declare(name, dtype, free), name);
  file(name, dtype, free, bytes);
}

void ProgramWriter::constant(const std::string& name, float value) {
  declarations_ += fmt::format("{} = [{}]\n", declare(name, Dtype::fp32, {1}), value);
}

void ProgramWriter::scratch(const std::string& name, Dtype dtype, const Shape& free) {
  declarations_ += declare(name, dtype, free) + "\n";
}

void ProgramWriter::expected(const std::string& name, Dtype dtype, const Shape& free,
                             std::span<const std::uint8_t> bytes, std::string_view tolerance) {
  scratch(name, dtype, free);
  declarations_ += fmt::format(".expect {} \"{}.npy\" {}\n", name, name, tolerance);
  file(name, dtype, free, bytes);
}

std::string ProgramWriter::declare(const std::string& name, Dtype dtype, const Shape& free) {
  const std::string shape = fmt::format("[{}{}{}]", count_, free.empty() ? "" : ", ", fmt::join(free, ", "));
  const std::string line = fmt::format(".tensor {} {} {} sbuf+{:#x}", name, tpb::name_of(dtype), shape, offset_);
  constexpr std::int64_t kAlignment = 64;
  offset_ += (product(free) * bytes_of(dtype) + kAlignment - 1) / kAlignment * kAlignment;
  return line;
}

void ProgramWriter::file(const std::string& name, Dtype dtype, const Shape& free, std::span<const std::uint8_t> bytes) {
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

}  // namespace tpb
