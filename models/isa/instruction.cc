#include "models/isa/instruction.h"

#include <algorithm>
#include <bit>

namespace tpb {
namespace {

template <unsigned Dims>
Operand operand(const TensorDescriptor<Dims>& descriptor, std::uint8_t dtype, std::uint32_t channels) {
  return {pattern_of(descriptor), static_cast<Dtype>(dtype), channels};
}

Operands operands(const ControlBundle&) { return {}; }

// Source and destination of four dimensions.
template <class S4D4>
Operands operands(const S4D4& bundle) {
  Operands all;
  all.source[0] = operand(bundle.src, bundle.in_dtype, bundle.num_active_channels);
  all.destination[0] = operand(bundle.dst, bundle.out_dtype, bundle.num_active_channels);
  all.source_count = all.destination_count = 1;
  return all;
}

Operands operands(const S3S3D3_TT& bundle) {
  Operands all;
  all.source[0] = operand(bundle.src0, bundle.in0_in1_dtype & 0xF, bundle.num_active_channels);
  all.source[1] = operand(bundle.src1, bundle.in0_in1_dtype >> 4, bundle.num_active_channels);
  all.destination[0] = operand(bundle.dst, bundle.out_dtype, bundle.num_active_channels);
  all.source_count = 2;
  all.destination_count = 1;
  return all;
}

}  // namespace

std::uint64_t Operands::elements_per_partition() const {
  const std::uint64_t in = source_count == 0 ? 0 : source[0].pattern.elements();
  const std::uint64_t out = destination_count == 0 ? 0 : destination[0].pattern.elements();
  return std::max(in, out);
}

std::uint32_t Operands::channels() const {
  return source_count != 0 ? source[0].channels : destination_count != 0 ? destination[0].channels : 0;
}

Operands operands_of(const Instruction& instruction) {
  return std::visit([](const auto& bundle) { return operands(bundle); }, instruction);
}

Instruction unpack(const Bundle& bundle, const SemanticsOptions& semantics) {
  const OpcodeInfo* info = find_opcode(role_of(bundle[0], semantics));
  switch (info == nullptr ? Layout::none : info->layout) {
    case Layout::s4d4_pl:
      return std::bit_cast<S4D4_PL>(bundle);
    case Layout::s4d4_tr:
      return std::bit_cast<S4D4_TR>(bundle);
    case Layout::s3s3d3_tt:
      return std::bit_cast<S3S3D3_TT>(bundle);
    default:
      return std::bit_cast<ControlBundle>(bundle);
  }
}

Bundle pack(const Instruction& instruction) {
  return std::visit([](const auto& bundle) { return std::bit_cast<Bundle>(bundle); }, instruction);
}

}  // namespace tpb
