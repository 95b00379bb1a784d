#include "models/program/program.h"

#include <algorithm>

namespace tpb {

std::uint64_t Tensor::elements_per_partition() const {
  std::uint64_t count = 1;
  for (std::size_t axis = 1; axis < shape.size(); ++axis) count *= shape[axis];
  return count;
}

std::uint64_t Tensor::elements() const { return shape.at(0) * elements_per_partition(); }

const Tensor* Program::find(std::string_view tensor) const {
  const auto found = std::ranges::find(tensors, tensor, &Tensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

}  // namespace tpb
