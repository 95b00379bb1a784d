# Reductions behind a transpose, where 83 and 84 reduce the free axis.
.tensor f fp32 [128, 2, 32] sbuf+0x0000 = random(1)
.tensor i int32 [128, 2, 32] sbuf+0x1000 = random(2)
.tensor r fp32 [128, 2] sbuf+0x2000 = random(3)
.tensor t int32 [128, 2] sbuf+0x2010 = random(4)
.engine dve
  tensor_reduce op=add axis=X src=f dst=r transpose
  tensor_reduce op=bitwise_or axis=X src=i dst=t transpose
