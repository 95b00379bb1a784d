# The tile engine: a load, reductions along both axes, a store, and a register that is free again.
.tensor x fp32 [128, 64] sbuf+0x0000 = random(1)
.tensor y fp32 [128, 1]  sbuf+0x1000 = random(2)
.register sfu R3 = 60
.engine sfu
  TLOAD x -> T<32KB>
  BSTART.SFU TROWMIN, FP32
  B.DATR Zero
  B.DIM LB0=R3+4
  B.DIM LB1=128
  B.IOT T0, mask=1111, last, ->U<2KB>
  BSTOP
  TSTORE U0 -> y
  TFREE T0
