// ReduceSum, ReduceMax, ReduceMin and ReduceMean.
#include <map>

#include "testbench/conformance/mappers.h"
#include "testbench/conformance/program_writer.h"

namespace tpb {
namespace {

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

}  // namespace

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

}  // namespace tpb
