// The sites of the layouts: what common rules read of each. Internal to the room.
#pragma once

#include "models/isa/rule.h"

namespace tpb {

inline void describe_control(Subject&) {}

// Source and destination of four dimensions (S4D4_PL, S4D4_TR).
template <class S4D4>
void describe_s4d4(Subject& subject) {
  const S4D4 bundle = subject.as<S4D4>();
  subject.channels = bundle.num_active_channels;
  subject.set_site(kSrc, "src", bundle.src, "in_dtype", bundle.in_dtype);
  subject.set_site(kDst, "dst", bundle.dst, "out_dtype", bundle.out_dtype);
  if constexpr (requires { bundle.op; }) subject.op = bundle.op;
}

inline void describe_s3s3d3_tt(Subject& subject) {
  const auto bundle = subject.as<S3S3D3_TT>();
  subject.channels = bundle.num_active_channels;
  subject.op = bundle.op;
  subject.set_site(kSrc, "src0", bundle.src0, "in0_dtype", bundle.in0_in1_dtype & 0xF);
  subject.set_site(kSrc1, "src1", bundle.src1, "in1_dtype", bundle.in0_in1_dtype >> 4);
  subject.set_site(kDst, "dst", bundle.dst, "out_dtype", bundle.out_dtype);
}

}  // namespace tpb
