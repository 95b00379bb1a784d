// The sites of the layouts: what common rules read of each. Internal to the room.
#pragma once

#include "models/isa/rule.h"

namespace tpb {

inline void describe_control(Subject&) {}

inline constexpr SiteNames kSrcNames{"src", "in_dtype"};
inline constexpr SiteNames kSrc0Names{"src0", "in0_dtype"};
inline constexpr SiteNames kSrc1Names{"src1", "in1_dtype"};
inline constexpr SiteNames kDstNames{"dst", "out_dtype"};

inline constexpr SiteNames kDst0Names{"dst0", "out0_dtype"};
inline constexpr SiteNames kDst1Names{"dst1", "out1_dtype"};
inline constexpr SiteNames kDataNames{"data", "data_dtype"};
inline constexpr SiteNames kValuesNames{"values", "values_dtype"};
inline constexpr SiteNames kOperandNames{"operand", "dtype"};
inline constexpr SiteNames kImmNames{"imm", "imm_dtype"};
inline constexpr SiteNames kImm0Names{"imm0", "imm0_dtype"};
inline constexpr SiteNames kImm1Names{"imm1", "imm1_dtype"};

inline constexpr SiteNames kScaleNames{"scale", "scale_dtype"};
inline constexpr SiteNames kBiasNames{"bias", "bias_dtype"};

constexpr std::uint8_t low_dtype(std::uint8_t pair) { return pair & 0xF; }
constexpr std::uint8_t high_dtype(std::uint8_t pair) { return pair >> 4; }

// One source and one destination, a dtype each (S4D4_PL, S4D4_TR, S4D4_CR, S4D2_BN, S3D3_SEQ_BOUNDS).
template <class BundleLayout>
void describe_source_destination(Subject& subject) {
  const auto bundle = subject.as<BundleLayout>();
  subject.channels = bundle.num_active_channels;
  if constexpr (requires { bundle.op; }) subject.op = bundle.op;
  subject.set_site(kSrc, bundle.src, bundle.in_dtype, kSrcNames);
  subject.set_site(kDst, bundle.dst, bundle.out_dtype, kDstNames);
}

// A destination alone (D4_IOTA, D4_MR, D1_RD).
template <class BundleLayout>
void describe_destination(Subject& subject) {
  const auto bundle = subject.as<BundleLayout>();
  subject.channels = bundle.num_active_channels;
  subject.set_site(kDst, bundle.dst, bundle.out_dtype, kDstNames);
}

inline void describe_s4d2_mv(Subject& subject) {
  const auto bundle = subject.as<S4D2_MV>();
  subject.channels = bundle.num_active_channels;
  subject.set_site(kSrc, bundle.data, bundle.data_dtype, kDataNames);
  subject.set_site(kSrc1, bundle.values, bundle.values_dtype, kValuesNames);
}

inline void describe_s2_bn(Subject& subject) {
  const auto bundle = subject.as<S2_BN>();
  subject.channels = bundle.num_active_channels;
  subject.set_site(kSrc, bundle.src, bundle.in_dtype, kSrcNames);
}

// The operand of a load or a store; the others have none.
inline void describe_tile(Subject& subject) {
  const auto bundle = subject.as<TILE_MOVE>();
  subject.channels = bundle.num_active_channels;
  subject.set_site(kSrc, bundle.operand, bundle.dtype, kOperandNames);
}

inline void describe_s3s3d3_tt(Subject& subject) {
  const auto bundle = subject.as<S3S3D3_TT>();
  subject.channels = bundle.num_active_channels;
  subject.op = bundle.op;
  subject.set_site(kSrc, bundle.src0, low_dtype(bundle.in0_in1_dtype), kSrc0Names);
  subject.set_site(kSrc1, bundle.src1, high_dtype(bundle.in0_in1_dtype), kSrc1Names);
  subject.set_site(kDst, bundle.dst, bundle.out_dtype, kDstNames);
}

inline void describe_s2s2d2d2_tt(Subject& subject) {
  const auto bundle = subject.as<S2S2D2D2_TT>();
  subject.channels = bundle.num_active_channels;
  subject.op = bundle.op;
  subject.set_site(kSrc, bundle.src0, low_dtype(bundle.in0_in1_dtype), kSrc0Names);
  subject.set_site(kSrc1, bundle.src1, high_dtype(bundle.in0_in1_dtype), kSrc1Names);
  subject.set_site(kDst, bundle.dst0, low_dtype(bundle.out0_out1_dtype), kDst0Names);
  subject.set_site(kDst1, bundle.dst1, high_dtype(bundle.out0_out1_dtype), kDst1Names);
}

inline void describe_s2d2d2_ts_wide(Subject& subject) {
  const auto bundle = subject.as<S2D2D2_TS_WIDE>();
  subject.channels = bundle.num_active_channels;
  subject.op = bundle.op;
  subject.set_site(kSrc, bundle.src, low_dtype(bundle.in_imm_dtype), kSrcNames);
  subject.set_site(kDst, bundle.dst0, low_dtype(bundle.out0_out1_dtype), kDst0Names);
  subject.set_site(kDst1, bundle.dst1, high_dtype(bundle.out0_out1_dtype), kDst1Names);
  subject.set_scalar(kImm0, bundle.imm, bundle.imm_src, high_dtype(bundle.in_imm_dtype), kImmNames);
}

inline void describe_s3d3_ts(Subject& subject) {
  const auto bundle = subject.as<S3D3_TS>();
  const auto dtype = static_cast<std::uint8_t>(scalar_dtype(bundle));
  subject.channels = bundle.num_active_channels;
  subject.op = bundle.op0;
  subject.set_site(kSrc, bundle.src, bundle.in_dtype, kSrcNames);
  subject.set_site(kDst, bundle.dst, bundle.out_dtype, kDstNames);
  subject.set_scalar(kImm0, bundle.imm0, bundle.imm0_src, dtype, kImm0Names);
  subject.set_scalar(kImm1, bundle.imm1, bundle.imm1_src, dtype, kImm1Names);
}

inline void describe_s3d3_ac(Subject& subject) {
  const auto bundle = subject.as<S3D3_AC>();
  subject.channels = bundle.num_active_channels;
  subject.set_site(kSrc, bundle.src, low_dtype(bundle.in_bias_dtype), kSrcNames);
  subject.set_site(kDst, bundle.dst, bundle.out_dtype, kDstNames);
  subject.set_scalar(kImm0, bundle.scale, bundle.scale_src, static_cast<std::uint8_t>(Dtype::fp32), kScaleNames);
  subject.set_scalar(kImm1, bundle.bias, bundle.bias_src, high_dtype(bundle.in_bias_dtype), kBiasNames);
}

// The channels are the source's; a product has as many partitions as there are columns.
inline void describe_s3d3_mm(Subject& subject) {
  const auto bundle = subject.as<S3D3_MM>();
  subject.channels = bundle.rows;
  subject.set_site(kSrc, bundle.src, bundle.in_dtype, kSrcNames);
  subject.set_site(kDst, bundle.dst, bundle.out_dtype, kDstNames);
}

inline void describe_s2s2d2_stt(Subject& subject) {
  const auto bundle = subject.as<S2S2D2_STT>();
  subject.channels = bundle.num_active_channels;
  subject.op = bundle.op0;
  subject.set_site(kSrc, bundle.src0, low_dtype(bundle.in0_in1_dtype), kSrc0Names);
  subject.set_site(kSrc1, bundle.src1, high_dtype(bundle.in0_in1_dtype), kSrc1Names);
  subject.set_site(kDst, bundle.dst, bundle.out_dtype, kDstNames);
  subject.set_scalar(kImm0, bundle.imm0, bundle.imm0_src, bundle.imm0_dtype, kImm0Names);
}

}  // namespace tpb
