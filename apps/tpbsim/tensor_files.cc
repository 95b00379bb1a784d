#include "apps/tpbsim/tensor_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "models/program/symbols.h"

namespace tpb {
namespace {

Tensor& find_tensor(const Arguments& arguments, std::string_view option, Program& program, const std::string& name) {
  const auto found = std::ranges::find(program.tensors, name, &Tensor::name);
  if (found != program.tensors.end()) return *found;
  std::vector<std::string_view> names;
  for (const Tensor& tensor : program.tensors) names.push_back(tensor.name);
  arguments.refuse(fmt::format("{}: {}", option, unknown_name("tensor", name, names)));
}

bool has_contents(const Tensor& tensor) { return !std::holds_alternative<Uninitialised>(tensor.contents); }

bool overlap(const Tensor& a, const Tensor& b) {
  const auto meet = [](std::uint64_t a_first, std::uint64_t a_count, std::uint64_t b_first, std::uint64_t b_count) {
    return a_first < b_first + b_count && b_first < a_first + a_count;
  };
  const auto bytes = [](const Tensor& tensor) { return tensor.elements_per_partition() * bytes_of(tensor.dtype); };
  return a.start.space == b.start.space && meet(a.start.partition, a.shape.at(0), b.start.partition, b.shape.at(0)) &&
         meet(a.start.offset, bytes(a), b.start.offset, bytes(b));
}

std::string tolerance_of(const Expectation& expectation) {
  std::string text;
  if (expectation.ulp) text += fmt::format(" ulp={}", *expectation.ulp);
  if (expectation.rtol) text += fmt::format(" rtol={}", *expectation.rtol);
  if (expectation.atol) text += fmt::format(" atol={}", *expectation.atol);
  return text.empty() ? "exact" : text.substr(1);
}

}  // namespace

void apply_inputs(const Arguments& arguments, Program& program, const std::vector<std::string>& inputs) {
  std::set<std::string> given;
  for (const std::string& text : inputs) {
    const Assignment input = assignment_of(arguments, "--in", "NAME=FILE", text);
    Tensor& tensor = find_tensor(arguments, "--in", program, input.name);
    if (!given.insert(input.name).second) {
      arguments.refuse(fmt::format("--in gives '{}' contents twice, expected one file", input.name));
    }
    tensor.contents = FileContents{std::filesystem::absolute(input.value)};
    for (const Tensor& other : program.tensors) {
      if (&other == &tensor || !has_contents(other) || !overlap(tensor, other)) continue;
      arguments.refuse(
          fmt::format("--in gives '{}' contents, but '{}' has contents too and overlaps it, expected at most "
                      "one of them to have any",
                      tensor.name, other.name));
    }
  }
}

void apply_outputs(const Arguments& arguments, Program& program, const std::vector<std::string>& outputs) {
  for (const std::string& text : outputs) {
    const Assignment output = assignment_of(arguments, "--out", "NAME=FILE", text);
    find_tensor(arguments, "--out", program, output.name);
    program.outputs.push_back({output.name, std::filesystem::absolute(output.value), 0});
  }
}

std::vector<Bytes> tensor_contents(const Program& program, const Limits& limits) {
  std::vector<Bytes> contents;
  for (const Tensor& tensor : program.tensors) contents.push_back(initial_bytes(tensor, program.name, limits));
  return contents;
}

std::vector<Bytes> expected_contents(const Program& program, const Limits& limits) {
  std::vector<Bytes> contents;
  for (const Expectation& expectation : program.expectations) {
    contents.push_back(
        read_npy(expectation.path, *program.find(expectation.tensor), program.name, expectation.line, limits));
  }
  return contents;
}

std::string difference_line(const Program& program, const Expectation& expectation, const Difference& difference) {
  return fmt::format(
      "{}:{}: expect: tensor '{}': {} of {} elements differ from '{}' ({}), first {}, worst absolute "
      "difference {}",
      program.name, expectation.line, expectation.tensor, difference.count, difference.total, expectation.path.string(),
      tolerance_of(expectation), difference.first, difference.worst_absolute);
}

}  // namespace tpb
