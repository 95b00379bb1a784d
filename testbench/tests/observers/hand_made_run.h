// A short run written by hand, which every writer of testbench/observers is shown.
#pragma once

#include "testbench/observers/run_log.h"
#include "testbench/platform/platform.h"

namespace tpb {

// Clocks of sunda: 5600 ticks a microsecond; a tick is 1000/5600 ns = 0.178571428... ns. PE 2 ticks a cycle, ACT and
// Pool 4, DVE 5. 2800 ticks pass, 500 ns.
//
//   pool  pc 0x00 line 3  pool           start    0  stream end  856  end 1256; updates S[3] at 1256
//   pool  pc 0x40 line 4  halt           start  856
//   dve   pc 0x00 line 6  tensor_tensor  ready    0, waits for S[3] until 1256, start 1260, stream end 1580, end 2300
//   dve   pc 0x40 line 7  copy           ready 1260, start 1580 after 320 ticks of issue, stream end 1900, end 2620
//   pe    pc 0x00 line 9  nop            start    0, no time at all
struct HandMadeRun {
  explicit HandMadeRun(RunLog::Detail detail = RunLog::Detail::everything);

  RunLog log;
  RunResult result;
};

}  // namespace tpb
