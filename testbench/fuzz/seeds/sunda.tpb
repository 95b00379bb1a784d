# The packed BF16 instructions of sunda.
.tensor x bf16 [128, 4, 16] sbuf+0x0000 = random(1)
.tensor y bf16 [128, 4, 16] sbuf+0x1000 = random(2)
.tensor z fp32 [128, 4, 16] psum+0x0000 = random(3)
.tensor r fp32 [128, 4] sbuf+0x2000 = random(4)
.engine dve
  tensor_tensor_add_bf16 src0=x src1=y dst=z
  tensor_tensor_mult_bf16 src0=x src1=y dst=y
  tensor_tensor_sub_bf16 src0=x src1=y dst=x
  tensor_reduce_add_bf16 axis=X src=x dst=r
  tensor_reduce_max_bf16 axis=X src=x dst=r negate
