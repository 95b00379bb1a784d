// What the mappers of ONNX operators write with: access patterns, and a program that grows line by line.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/conformance/mapping.h"

namespace tpb {

using Shape = std::vector<std::int64_t>;

std::int64_t product(std::span<const std::int64_t> extents);
// Steps in elements of a C-order array.
Shape steps_of(std::span<const std::int64_t> shape);

// Dimensions of an access pattern, innermost first.
struct Pattern {
  Shape steps, nums;

  void add(std::int64_t step, std::int64_t num) {
    steps.push_back(step);
    nums.push_back(num);
  }
  // That many elements of a tensor, the first of them at `first`.
  std::string of(const std::string& tensor, std::int64_t first = 0) const;
  void check(const OnnxCase& onnx_case, std::size_t dimensions) const;
};
// `count` elements of a tensor, `step` apart.
std::string elements(const std::string& tensor, std::int64_t first, std::int64_t step, std::int64_t count);

// Collects a program: tensors laid one after another in the SBUF, instructions of one engine.
class ProgramWriter {
 public:
  ProgramWriter(const OnnxCase& onnx_case, Engine engine) : onnx_case_(onnx_case), engine_(engine) {}

  // Calls write(suffix) once per block of at most 128 of `rows` partitions; declarations made within it take the
  // block's rows of the arrays they are given.
  MappedCase blocks(std::int64_t rows, const std::function<void(const std::string&)>& write);

  // `bytes` hold `rows` (of blocks) times `free` elements in C order.
  void input(const std::string& name, Dtype dtype, const Shape& free, std::span<const std::uint8_t> bytes);
  void constant(const std::string& name, float value);
  void scratch(const std::string& name, Dtype dtype, const Shape& free);
  void expected(const std::string& name, Dtype dtype, const Shape& free, std::span<const std::uint8_t> bytes,
                std::string_view tolerance);
  void instruction(const std::string& line) { instructions_ += fmt::format("  {}\n", line); }

 private:
  std::string declare(const std::string& name, Dtype dtype, const Shape& free);
  void file(const std::string& name, Dtype dtype, const Shape& free, std::span<const std::uint8_t> bytes);

  const OnnxCase& onnx_case_;
  Engine engine_;
  std::string declarations_, instructions_;
  std::int64_t offset_ = 0;
  std::int64_t first_ = 0, count_ = 0, rows_ = 0;
  MappedCase mapped_;
};

// How results are compared.
inline constexpr std::string_view kExact = "exact";
inline constexpr std::string_view kRelative = "rtol=1e-6";
inline constexpr std::string_view kCancelling = "rtol=1e-6 atol=1e-7";

}  // namespace tpb
