# Legal instructions that came with cayman.
.tensor i int32 [1, 16] sbuf+0x0000 = random(1)
.tensor e int32 [1, 2, 1, 16] sbuf+0x0100 = random(2)
.tensor f fp32 [1, 16] sbuf+0x0200 = random(3)
.tensor d fp32 [1, 2, 4, 4] sbuf+0x0300 = random(4)
.tensor x bf16 [128, 64] sbuf+0x1000 = random(5)
.engine pool
  get_sequence_bounds src=i dst=e
  get_sequence_bounds src=f dst=d
.engine act
  copy src=x dst=x
  cast src=x dst=x
  tensor_scalar op0=mult imm0=2 op1=add imm1=1 src=x dst=x
