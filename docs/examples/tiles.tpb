# Row minima twice: by the SFU's tiles, and by the DVE, which compares the two.
.generation cayman
.tensor seed  fp32 [128, 64] sbuf+0x0000 = random(7)
.tensor x     fp32 [128, 64] sbuf+0x0100
.tensor tiled fp32 [128, 1]  sbuf+0x0200
.tensor own   fp32 [128, 1]  sbuf+0x0204
.tensor same  fp32 [128, 1]  sbuf+0x0208   # 1 where they agree
.semaphore filled 1 = 0
.semaphore reduced 2 = 0

.engine dve
  tensor_scalar op0=mult imm0=3 op1=add imm1=-0.25 src=seed dst=x  S[filled]++
  tensor_reduce op=min axis=X src=x dst=own
  tensor_tensor op=is_equal src0=tiled src1=own dst=same           S[reduced]>=1
.engine sfu
  TLOAD x -> T<32KB> mask=1000             S[filled]>=1
  BSTART.SFU TROWMIN, FP32
  B.DIM LB0=64                             # columns
  B.DIM LB1=128                            # rows: 1 when it is left out
  B.IOT T0, mask=1000, last, ->U<512B>     # 128 results of 4 bytes
  BSTOP
  TSTORE U0 -> tiled                       S[reduced]++
