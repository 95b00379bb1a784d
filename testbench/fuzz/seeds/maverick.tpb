# The wide integer instructions of maverick.
.tensor a int32 [128, 16] sbuf+0x0000 = random(1)
.tensor b int32 [128, 16] sbuf+0x1000 = random(2)
.tensor u uint32 [128, 16] sbuf+0x2000 = random(3)
.tensor v uint16 [128, 16] sbuf+0x3000 = random(4)
.tensor l uint32 [128, 16] sbuf+0x4000 = random(5)
.tensor h uint32 [128, 16] sbuf+0x5000 = random(6)
.tensor k int32 [128, 16] sbuf+0x6000 = random(7)
.tensor s uint32 [128, 1] sbuf+0x7000 = random(8)
.engine pool
  tensor_tensor_int_wide op=add_int src0=u src1=v dst0=l dst1=h
  tensor_tensor_int_wide op=mult_int src0=a src1=b dst0=l dst1=k
  tensor_tensor_int_wide op=arith_shift_right src0=a src1=v dst0=v dst1=k
.engine dve
  tensor_scalar_int_wide op=logical_shift_left src=u imm=14 imm_dtype=uint32 dst0=l dst1=h
  tensor_scalar_int_wide op=mult_uint src=u imm=s imm_dtype=uint32 dst0=l dst1=h
