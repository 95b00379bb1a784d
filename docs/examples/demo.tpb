# Two ONNX node tests on the Pool engine, and the DVE at work on each result as soon as a semaphore says it is there.
# `scripts/demo` writes the .npy files beside a copy of this text: the pooled values from ONNX, total and both from a
# plain C++ loop.
.generation cayman
.tensor image  fp32 [3, 32, 32] sbuf+0x0000 = "test_maxpool_2d_default/x.npy"
.tensor field  fp32 [3, 32, 32] sbuf+0x1000 = "test_averagepool_2d_default/x.npy"
.tensor maxima fp32 [3, 31, 31] sbuf+0x2000
.tensor means  fp32 [3, 31, 31] sbuf+0x3000
.tensor total  fp32 [3, 1]      sbuf+0x4000
.tensor both   fp32 [3, 31, 31] sbuf+0x5000
.semaphore maxima_ready 1 = 0
.semaphore means_ready 2 = 0

.expect maxima "test_maxpool_2d_default/y.npy" exact
.expect means "test_averagepool_2d_default/y.npy" rtol=1e-6
.expect total "total.npy" exact
.expect both "both.npy" rtol=1e-6 atol=1e-6

.engine pool
  # Overlapping 2 x 2 windows: two dimensions of window inside two of positions.
  pool func=max src=image+0[1,32,1,32][2,2,31,31] dst=maxima    S[maxima_ready]++@complete
  pool func=avg src=field+0[1,32,1,32][2,2,31,31] dst=means     S[means_ready]++@complete

.engine dve
  # Runs while the Pool engine averages.
  tensor_reduce op=add axis=XY src=maxima dst=total             S[maxima_ready]>=1
  tensor_tensor op=add src0=maxima src1=means dst=both          S[means_ready]>=1
