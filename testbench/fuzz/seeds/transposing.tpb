# Reductions behind a transpose, where 83 and 84 reduce over lanes.
.tensor f fp32 [128, 64] sbuf+0x0000 = random(1)
.tensor i int32 [128, 64] sbuf+0x1000 = random(2)
.tensor l fp32 [1, 64] sbuf+0x2000 = random(3)
.tensor n int32 [1, 1] sbuf+0x3000 = random(4)
.engine pool
  cross_lane_reduce op=max axis=C src=f dst=l transpose
  cross_lane_reduce op=bitwise_xor axis=XYZWC src=i dst=n transpose
