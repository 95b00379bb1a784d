# Legal instructions that every generation has, one of each opcode at least.
.tensor f fp32 [128, 4, 16] sbuf+0x0000 = random(1)
.tensor g fp32 [128, 4, 16] sbuf+0x0400 = random(2)
.tensor h bf16 [128, 4, 16] sbuf+0x0800 = random(3)
.tensor i int32 [128, 4, 16] sbuf+0x0C00 = random(4)
.tensor j uint32 [128, 4, 16] sbuf+0x1000 = random(5)
.tensor b uint8 [128, 4, 16] sbuf+0x1400 = random(6)
.tensor c fp16 [64, 8, 8] sbuf[64]+0x1800 = random(7)
.tensor q fp8_e4m3 [32, 8] sbuf[32]+0x1C00 = random(8)
.tensor s fp32 [128, 1] sbuf+0x2000 = random(9)
.tensor t uint32 [128, 1] sbuf+0x2010 = random(10)
.tensor r fp32 [128, 4] sbuf+0x2020 = random(11)
.tensor v fp32 [128, 8] sbuf+0x2040 = random(12)
.tensor w uint32 [128, 8] sbuf+0x2080 = random(13)
.tensor l fp32 [1, 4, 16] sbuf+0x2400 = random(14)
.tensor n int32 [1, 4, 16] sbuf+0x2800 = random(15)
.tensor o fp32 [1, 1] sbuf+0x2C00 = random(16)
.tensor p fp32 [128, 4, 16] psum+0x0000 = random(17)
.tensor k bf16 [64, 96] sbuf+0x3000 = random(18)
.tensor m bf16 [64, 4, 16] sbuf+0x3100 = random(19)
.tensor z fp32 [96, 64] psum+0x0400
.register dve R3 = 0x2000
.register act R3 = 0x2000

.engine pool
  pool func=max src=f+0[1,16,2,32][2,2,8,2] dst=f+0[1][16]
  pool func=avg src=p+0[1,16,2,32][2,2,8,2] dst=p+0[1][16]
  tensor_reduce op=add axis=X src=f dst=r negate
  tensor_reduce op=bitwise_and axis=XY src=i dst=t
  tensor_tensor op=mult src0=f src1=g dst=h
  tensor_tensor op=add src0=i src1=j dst=i
  tensor_tensor op=mult_int src0=i src1=j dst=b
  tensor_tensor op=bitwise_xor src0=i src1=j dst=j
  tensor_scalar op0=rsqrt imm0=0 src=f dst=g
  copy src=f dst=g
  cast src=f dst=b
  memset value=3 dst=h
  iota start=5 steps=[1, 16] partition_step=-3 dst=i
  cross_lane_reduce op=add axis=C src=f dst=l
  cross_lane_reduce op=average axis=XYZWC src=f dst=o
  cross_lane_reduce op=bitwise_or axis=C src=i dst=n

.engine dve
  pool func=avg src=c+0[1,8,2,16][2,2,4,4] dst=c+0[1][16]
  tensor_reduce op=max axis=XY src=f dst=s
  tensor_reduce op=logical_shift_left axis=X src=b dst=b+0[1][4]
  tensor_tensor op=is_gt src0=f src1=p dst=b
  tensor_tensor op=bitwise_or src0=b src1=b dst=b
  tensor_scalar op0=mult imm0=2.5 op1=add imm1=s src=h dst=f reverse1
  tensor_scalar op0=max imm0=reg(R3) src=f dst=p
  tensor_scalar op0=bitwise_and imm0=0xFF op1=logical_shift_left imm1=t src=i dst=j
  tensor_scalar_reduce op0=mult imm0=s reduce_op=add src=f dst=g reduce_dst=s
  tensor_scalar_cumulative op0=add imm0=0 op1=max src=f dst=g
  tensor_scalar_cumulative op0=mult imm0=2 op1=add imm1=7 reduce_cmd=load_reduce src=c dst=c
  scalar_tensor_tensor op0=subtract imm0=s op1=mult src0=f src1=g dst=h
  scalar_tensor_tensor op0=bitwise_and imm0=15 op1=bitwise_or src0=i src1=j dst=i
  tensor_tensor_scan op0=mult op1=add src0=f src1=g initial=1.5 dst=f
  reciprocal src=f dst=g
  copy src=q dst=q
  cast src=i dst=f
  memset value=-1.5 dst=f
  stream_transpose src=f dst=g
  max8 src=f dst=v
  max_index data=f vals=v dst=w
  event_semaphore S[9]++
  nop S[9]>=1
  halt
.engine act
  activate func=exp src=f dst=g
  activate func=gelu src=h dst=p scale=0.5 bias=s
  activate func=prelu slope=0.25 src=p dst=h scale=s bias=0.125
  activate func=log src=f dst=f scale=1.5 bias=2.5
  activate func=square src=c dst=c scale=2 reduce_cmd=reset_reduce reduce_op=max
  activate func=copy src=i dst=b scale=reg(R3) bias=reg(R3) reduce_cmd=reduce
  act_read_accumulator dst=s
  nop S[3]=7
.engine pe
  load_stationary src=k
  multiply_moving src=m dst=z accumulate=end S[9]++
  load_stationary src=k[:, 0:32] tile_position=(64, 32) tile_size=(64, 32)
  load_stationary src=f tfloat32
  load_stationary src=q tile_size=(64, 64) onezero
  load_stationary src=f[:, 0:2] transpose
  multiply_moving src=g[:, 0:1] dst=fp32@0x2000800[1][16] cols=32 transpose accumulate=begin
  halt
