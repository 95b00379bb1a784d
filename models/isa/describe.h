// The sites of the layouts: what common rules read of each. Internal to the room.
#pragma once

#include "models/isa/rule.h"

namespace tpb {

inline void describe_control(Subject&) {}

inline constexpr SiteNames kSrcNames{"src", "in_dtype"};
inline constexpr SiteNames kSrc0Names{"src0", "in0_dtype"};
inline constexpr SiteNames kSrc1Names{"src1", "in1_dtype"};
inline constexpr SiteNames kDstNames{"dst", "out_dtype"};

// Source and destination of four dimensions (S4D4_PL, S4D4_TR).
template <class S4D4>
void describe_s4d4(Subject& subject) {
  const S4D4 bundle = subject.as<S4D4>();
  subject.channels = bundle.num_active_channels;
  if constexpr (requires { bundle.op; }) subject.op = bundle.op;
  subject.set_site(kSrc, bundle.src, bundle.in_dtype, kSrcNames);
  subject.set_site(kDst, bundle.dst, bundle.out_dtype, kDstNames);
}

inline void describe_s3s3d3_tt(Subject& subject) {
  const auto bundle = subject.as<S3S3D3_TT>();
  subject.channels = bundle.num_active_channels;
  subject.op = bundle.op;
  subject.set_site(kSrc, bundle.src0, bundle.in0_in1_dtype & 0xF, kSrc0Names);
  subject.set_site(kSrc1, bundle.src1, bundle.in0_in1_dtype >> 4, kSrc1Names);
  subject.set_site(kDst, bundle.dst, bundle.out_dtype, kDstNames);
}

}  // namespace tpb
