// TopK, ArgMax and ArgMin: Max8 finds the eight largest of a row, FindIndex8 where they are.
#include <algorithm>
#include <cstring>

#include "testbench/conformance/mappers.h"
#include "testbench/conformance/program_writer.h"

namespace tpb {
namespace {

constexpr std::int64_t kFound = 8;

// The search goes through rows of one axis. A leading axis that is not searched is the partition.
struct Rows {
  std::size_t axis = 0;  // of `free`
  std::int64_t partitions = 1;
  Shape free, steps;
  std::vector<std::int64_t> firsts;  // first element of every row of a partition

  Rows(const Shape& shape, std::int64_t searched) {
    const bool leading = searched == 0;
    partitions = leading ? 1 : shape[0];
    free.assign(shape.begin() + (leading ? 0 : 1), shape.end());
    axis = static_cast<std::size_t>(searched - (leading ? 0 : 1));
    steps = steps_of(free);
    for (std::int64_t element = 0; element < product(free); ++element) {
      if (element / steps[axis] % free[axis] == 0) firsts.push_back(element);
    }
  }
  std::int64_t length() const { return free[axis]; }
  std::int64_t step() const { return steps[axis]; }
};

// Indices as the core has them.
std::vector<std::uint8_t> narrowed(const std::vector<std::int64_t>& indices) {
  std::vector<std::uint8_t> bytes(indices.size() * sizeof(std::uint32_t));
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto index = static_cast<std::uint32_t>(indices[i]);
    std::memcpy(bytes.data() + i * sizeof(index), &index, sizeof(index));
  }
  return bytes;
}

}  // namespace

MappedCase map_search(const OnnxCase& onnx_case) {
  const bool top = onnx_case.op == "TopK";
  const Array& x = onnx_case.inputs.at(0);
  if (x.dtype != Dtype::fp32) return skipped(SkipReason::dtype);
  const auto rank = static_cast<std::int64_t>(x.shape.size());
  const std::int64_t axis = (onnx_case.integer("axis", top ? -1 : 0) + rank) % rank;
  const Rows rows(x.shape, axis);
  // A short row is padded: Max8 wants eight elements.
  const std::int64_t padded = std::max(rows.length(), kFound);
  const bool negated = top ? onnx_case.integer("largest", 1) == 0 : onnx_case.op == "ArgMin";
  const bool backwards = onnx_case.integer("select_last_index", 0) != 0;  // the last of equals is then found first
  const std::int64_t found = top ? onnx_case.inputs.at(1).integers.at(0) : 1;

  Shape out = rows.free;
  out[rows.axis] = found;
  const std::int64_t out_step = steps_of(out)[rows.axis];
  const std::vector<std::uint8_t> indices = narrowed(onnx_case.outputs.at(top ? 1 : 0).integers);

  ProgramWriter writer(onnx_case, Engine::dve);
  return writer.blocks(rows.partitions, [&](const std::string& block) {
    const auto name = [&](const char* tensor) { return tensor + block; };
    writer.input(name("x"), Dtype::fp32, rows.free, x.bytes);
    writer.scratch(name("row"), Dtype::fp32, {padded});
    writer.scratch(name("values"), Dtype::fp32, {kFound});
    writer.scratch(name("places"), Dtype::uint32, {kFound});
    if (top) writer.expected(name("y"), Dtype::fp32, out, onnx_case.outputs.at(0).bytes, kExact);
    writer.expected(name("index"), Dtype::uint32, out, indices, kExact);

    const auto copy = [&](const std::string& from, const std::string& to) {
      writer.instruction(negated ? fmt::format("tensor_scalar op0=mult imm0=-1 src={} dst={}", from, to)
                                 : fmt::format("copy src={} dst={}", from, to));
    };
    writer.instruction(fmt::format("memset value=-inf dst={}", name("row")));
    for (std::size_t row = 0; row < rows.firsts.size(); ++row) {
      const std::int64_t first = rows.firsts[row];
      const std::int64_t last = first + (rows.length() - 1) * rows.step();
      copy(elements(name("x"), backwards ? last : first, backwards ? -rows.step() : rows.step(), rows.length()),
           elements(name("row"), 0, 1, rows.length()));
      writer.instruction(fmt::format("max8 src={} dst={}", name("row"), name("values")));
      writer.instruction(fmt::format("max_index data={} vals={} dst={}", name("row"), name("values"), name("places")));
      // Rows of the result follow each other as those of the source do.
      const std::int64_t to = first / (rows.step() * rows.length()) * (out_step * found) + first % rows.step();
      const std::string places = elements(name("places"), 0, 1, found);
      const std::string index = elements(name("index"), to, out_step, found);
      if (top) copy(elements(name("values"), 0, 1, found), elements(name("y"), to, out_step, found));
      writer.instruction(backwards ? fmt::format("tensor_scalar op0=subtract imm0={} reverse0 src={} dst={}",
                                                 rows.length() - 1, places, index)
                                   : fmt::format("copy src={} dst={}", places, index));
    }
  });
}

}  // namespace tpb
