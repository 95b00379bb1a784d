# Averages 2 x 2 windows on the Pool engine; the DVE adds what comes out, channel by channel.
.generation cayman
.tensor image fp32 [128, 32, 32] sbuf+0x0000 = random(7)
.tensor small fp32 [128, 16, 16] sbuf+0x1000
.tensor total fp32 [128, 1]      sbuf+0x1400
.semaphore pooled 3 = 0

.engine pool
  # Innermost first: 2 x 2 elements of a window, then 16 x 16 windows two apart.
  pool func=avg src=image+0[1,32,2,64][2,2,16,16] dst=small  S[pooled]++@complete
.engine dve
  tensor_reduce op=add axis=XY src=small dst=total           S[pooled]>=1
