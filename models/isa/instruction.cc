#include "models/isa/instruction.h"

#include <algorithm>
#include <bit>

namespace tpb {
namespace {

template <unsigned Dims>
Operand operand(const TensorDescriptor<Dims>& descriptor, std::uint8_t dtype, std::uint32_t channels) {
  return {pattern_of(descriptor), static_cast<Dtype>(dtype), channels};
}
std::uint8_t low(std::uint8_t pair) { return pair & 0xF; }
std::uint8_t high(std::uint8_t pair) { return pair >> 4; }

Operands of(std::initializer_list<Operand> sources, std::initializer_list<Operand> destinations) {
  Operands all;
  std::ranges::copy(sources, all.source.begin());
  std::ranges::copy(destinations, all.destination.begin());
  all.source_count = static_cast<std::uint8_t>(sources.size());
  all.destination_count = static_cast<std::uint8_t>(destinations.size());
  return all;
}

// One value per partition at the address that the immediate is.
void add_scalar(Operands& all, std::uint8_t immediate_source, std::uint32_t immediate, Dtype dtype,
                std::uint32_t channels) {
  if (immediate_source != static_cast<std::uint8_t>(ImmediateSource::pointer)) return;
  AccessPattern one;
  one.start_addr = immediate;
  all.source[all.source_count++] = {one, dtype, channels};
  ++all.scalar_count;
}

Operands operands(const ControlBundle&) { return {}; }

// One source, one destination, a dtype each.
template <class Bundle>
Operands operands(const Bundle& bundle) {
  return of({operand(bundle.src, bundle.in_dtype, bundle.num_active_channels)},
            {operand(bundle.dst, bundle.out_dtype, bundle.num_active_channels)});
}

// The results of a reduction over partitions lie in one of them.
Operands operands(const S4D4_CR& bundle) {
  return of({operand(bundle.src, bundle.in_dtype, bundle.num_active_channels)},
            {operand(bundle.dst, bundle.out_dtype, 1)});
}

Operands operands(const S4D2_MV& bundle) {
  return of({operand(bundle.values, bundle.values_dtype, bundle.num_active_channels)}, {});
}
Operands operands(const S2_BN& bundle) {
  return of({operand(bundle.src, bundle.in_dtype, bundle.num_active_channels)}, {});
}

Operands operands(const S3S3D3_TT& bundle) {
  return of({operand(bundle.src0, low(bundle.in0_in1_dtype), bundle.num_active_channels),
             operand(bundle.src1, high(bundle.in0_in1_dtype), bundle.num_active_channels)},
            {operand(bundle.dst, bundle.out_dtype, bundle.num_active_channels)});
}

Operands operands(const S2S2D2D2_TT& bundle) {
  return of({operand(bundle.src0, low(bundle.in0_in1_dtype), bundle.num_active_channels),
             operand(bundle.src1, high(bundle.in0_in1_dtype), bundle.num_active_channels)},
            {operand(bundle.dst0, low(bundle.out0_out1_dtype), bundle.num_active_channels),
             operand(bundle.dst1, high(bundle.out0_out1_dtype), bundle.num_active_channels)});
}

Operands operands(const S2D2D2_TS_WIDE& bundle) {
  Operands all = of({operand(bundle.src, low(bundle.in_imm_dtype), bundle.num_active_channels)},
                    {operand(bundle.dst0, low(bundle.out0_out1_dtype), bundle.num_active_channels),
                     operand(bundle.dst1, high(bundle.out0_out1_dtype), bundle.num_active_channels)});
  add_scalar(all, bundle.imm_src, bundle.imm, static_cast<Dtype>(high(bundle.in_imm_dtype)),
             bundle.num_active_channels);
  return all;
}

Operands operands(const S3D3_TS& bundle) {
  Operands all = of({operand(bundle.src, bundle.in_dtype, bundle.num_active_channels)},
                    {operand(bundle.dst, bundle.out_dtype, bundle.num_active_channels)});
  const Dtype dtype = scalar_dtype(bundle);
  add_scalar(all, bundle.imm0_src, bundle.imm0, dtype, bundle.num_active_channels);
  add_scalar(all, bundle.imm1_src, bundle.imm1, dtype, bundle.num_active_channels);
  return all;
}

Operands operands(const S3D3_AC& bundle) {
  Operands all = of({operand(bundle.src, low(bundle.in_bias_dtype), bundle.num_active_channels)},
                    {operand(bundle.dst, bundle.out_dtype, bundle.num_active_channels)});
  add_scalar(all, bundle.scale_src, bundle.scale, Dtype::fp32, bundle.num_active_channels);
  add_scalar(all, bundle.bias_src, bundle.bias, static_cast<Dtype>(high(bundle.in_bias_dtype)),
             bundle.num_active_channels);
  return all;
}

// A product has as many partitions as the stationary operand has columns.
Operands operands(const S3D3_MM& bundle) {
  const Operand source = operand(bundle.src, bundle.in_dtype, bundle.rows);
  if (loads_stationary(bundle)) return of({source}, {});
  return of({source}, {operand(bundle.dst, bundle.out_dtype, bundle.cols)});
}

Operands operands(const S2S2D2_STT& bundle) {
  Operands all = of({operand(bundle.src0, low(bundle.in0_in1_dtype), bundle.num_active_channels),
                     operand(bundle.src1, high(bundle.in0_in1_dtype), bundle.num_active_channels)},
                    {operand(bundle.dst, bundle.out_dtype, bundle.num_active_channels)});
  add_scalar(all, bundle.imm0_src, bundle.imm0, static_cast<Dtype>(bundle.imm0_dtype), bundle.num_active_channels);
  return all;
}

template <class DestinationOnly>
Operands only_destination(const DestinationOnly& bundle) {
  return of({}, {operand(bundle.dst, bundle.out_dtype, bundle.num_active_channels)});
}
Operands operands(const D4_IOTA& bundle) { return only_destination(bundle); }
Operands operands(const D4_MR& bundle) { return only_destination(bundle); }
Operands operands(const D1_RD& bundle) { return only_destination(bundle); }

Operands operands(const TILE_WORDS&) { return {}; }
// A load reads its operand, a store writes it.
Operands operands(const TILE_MOVE& bundle) {
  const Operand memory = operand(bundle.operand, bundle.dtype, bundle.num_active_channels);
  switch (static_cast<TileKind>(bundle.kind)) {
    case TileKind::load:
      return of({memory}, {});
    case TileKind::store:
      return of({}, {memory});
    default:
      return {};
  }
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

Dtype scalar_dtype(const S3D3_TS& bundle) {
  return bundle.frame.opcode == static_cast<std::uint8_t>(Opcode::tensor_scalar_bitvec) ? Dtype::uint32 : Dtype::fp32;
}

Instruction unpack(const Bundle& bundle, const SemanticsOptions& semantics) {
  const OpcodeInfo* info = find_opcode(role_of(bundle[0], semantics));
  switch (info == nullptr ? Layout::none : info->layout) {
    case Layout::s4d4_pl:
      return std::bit_cast<S4D4_PL>(bundle);
    case Layout::s4d4_tr:
      return std::bit_cast<S4D4_TR>(bundle);
    case Layout::s4d4_cr:
      return std::bit_cast<S4D4_CR>(bundle);
    case Layout::s4d2_bn:
      return std::bit_cast<S4D2_BN>(bundle);
    case Layout::s2_bn:
      if (semantics.match_value_load == SemanticsOptions::MatchValueLoad::s2_bn) return std::bit_cast<S2_BN>(bundle);
      return std::bit_cast<S4D2_MV>(bundle);
    case Layout::s3d3_seq_bounds:
      return std::bit_cast<S3D3_SEQ_BOUNDS>(bundle);
    case Layout::s3s3d3_tt:
      return std::bit_cast<S3S3D3_TT>(bundle);
    case Layout::s2s2d2d2_tt:
      return std::bit_cast<S2S2D2D2_TT>(bundle);
    case Layout::s2d2d2_ts_wide:
      return std::bit_cast<S2D2D2_TS_WIDE>(bundle);
    case Layout::s3d3_ts:
      return std::bit_cast<S3D3_TS>(bundle);
    case Layout::s3d3_ac:
      return std::bit_cast<S3D3_AC>(bundle);
    case Layout::s3d3_mm:
      return std::bit_cast<S3D3_MM>(bundle);
    case Layout::s2s2d2_stt:
      return std::bit_cast<S2S2D2_STT>(bundle);
    case Layout::d4_iota:
      return std::bit_cast<D4_IOTA>(bundle);
    case Layout::d4_mr:
      return std::bit_cast<D4_MR>(bundle);
    case Layout::d1_rd:
      return std::bit_cast<D1_RD>(bundle);
    case Layout::tile:
      if (bundle[offsetof(TILE_WORDS, kind)] == static_cast<std::uint8_t>(TileKind::words)) {
        return std::bit_cast<TILE_WORDS>(bundle);
      }
      return std::bit_cast<TILE_MOVE>(bundle);
    default:
      return std::bit_cast<ControlBundle>(bundle);
  }
}

Bundle pack(const Instruction& instruction) {
  return std::visit([](const auto& bundle) { return std::bit_cast<Bundle>(bundle); }, instruction);
}

StreamState state_after(const Instruction& instruction, const StreamState& before, const SemanticsOptions& semantics) {
  StreamState state = before;
  if (opcode_of(instruction, semantics) == Opcode::match_value_load) {
    state.match_value_channels = std::max(state.match_value_channels, operands_of(instruction).channels());
  }
  if (const auto* bundle = std::get_if<S3D3_MM>(&instruction); bundle != nullptr && loads_stationary(*bundle)) {
    state.stationary = {bundle->rows, bundle->cols, (bundle->perf_opt & kPerfTranspose) != 0};
  }
  return state;
}

namespace {

// Whether `source` said register, and now says pointer.
bool follow(std::uint8_t& source, std::uint32_t& immediate, std::span<const std::uint32_t, kRegisters> registers) {
  if (source != static_cast<std::uint8_t>(ImmediateSource::register_pointer) || immediate >= kRegisters) return false;
  source = static_cast<std::uint8_t>(ImmediateSource::pointer);
  immediate = registers[immediate];
  return true;
}

}  // namespace

std::optional<Bundle> with_registers(const Bundle& bundle, std::span<const std::uint32_t, kRegisters> registers,
                                     const SemanticsOptions& semantics) {
  Instruction instruction = unpack(bundle, semantics);
  bool followed = false;
  if (auto* scalar = std::get_if<S3D3_TS>(&instruction)) {
    followed |= follow(scalar->imm0_src, scalar->imm0, registers);
    followed |= follow(scalar->imm1_src, scalar->imm1, registers);
  } else if (auto* activation = std::get_if<S3D3_AC>(&instruction)) {
    followed |= follow(activation->scale_src, activation->scale, registers);
    followed |= follow(activation->bias_src, activation->bias, registers);
  } else if (auto* tensors = std::get_if<S2S2D2_STT>(&instruction)) {
    followed |= follow(tensors->imm0_src, tensors->imm0, registers);
  } else if (auto* wide = std::get_if<S2D2D2_TS_WIDE>(&instruction)) {
    followed |= follow(wide->imm_src, wide->imm, registers);
  }
  if (!followed) return std::nullopt;
  return pack(instruction);
}

}  // namespace tpb
