// The tile engine among the others: values through semaphores, what its bundles cost, and who waits for SBUF.
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>

#include "testbench/tests/core/tile_program.h"

namespace tpb::test {
namespace {

// ---- Values through semaphores ------------------------------------------------------------------------------------

// The vector engine writes x, 64 whole numbers of 16 bits on each of 128 partitions, so that sums up to 2^21 are exact
// in fp32 and the order and the start of a sum do not show; the tile engine reduces the rows three times.
constexpr const char* kThreeEngines = R"(
    .generation cayman
    .tensor r  int16 [128, 64] sbuf+0x0000 = random(7)
    .tensor x  {0}   [128, 64] sbuf+0x1000
    .tensor t  {0}   [128, 3]  sbuf+0x2000   # the tile engine's
    .tensor v  {0}   [128, 3]  sbuf+0x2100   # the vector engine's
    .tensor d  {0}   [128, 3]  sbuf+0x2200   # the tile engine's, seen by the vector engine
    .tensor a  {0}   [128, 3]  sbuf+0x2300   # and by ACT
    .semaphore written 1 = 0
    .semaphore reduced 2 = 0
    .semaphore seen 3 = 0
    .engine dve
      cast src=r dst=x                             S[written]++
      tensor_reduce op=min axis=X src=x dst=v[:, 0:1]
      tensor_reduce op=max axis=X src=x dst=v[:, 1:2]
      tensor_reduce op=add axis=X src=x dst=v[:, 2:3]
      copy src=t dst=d                             S[reduced]>=3  S[seen]++
    .engine act
      copy src=d dst=a                             S[seen]>=1
    .engine sfu
      TLOAD x -> T<32KB>                           S[written]>=1
      BSTART.SFU TROWMIN, {1}
      B.DIM LB0=64
      B.DIM LB1=128
      B.IOT T0, mask=1111, last, ->U<512B>
      BSTOP
      BSTART.SFU TROWMAX, {1}
      B.DIM LB0=64
      B.DIM LB1=128
      B.IOT T0, mask=1111, last, ->U<512B>
      BSTOP
      BSTART.SFU TROWSUM, {1}
      B.DIM LB0=64
      B.DIM LB1=128
      B.IOT T0, mask=1111, last, ->M<512B>
      BSTOP
      TSTORE U0 -> t[:, 0:1]                       S[reduced]++
      TSTORE U1 -> t[:, 1:2]                       S[reduced]++
      TSTORE M0 -> t[:, 2:3]                       S[reduced]++
)";

TEST(TileExchange, TheVectorEngineAndActSeeWhatTheirOwnReductionsGive) {
  const Ran ran = run_text(fmt::format(kThreeEngines, "fp32", "FP32"));
  ASSERT_EQ(rule_of(ran), "none");
  ASSERT_EQ(ran.result.end, RunEnd::done);
  // By hand, not by either engine.
  const auto r = ran.values<std::int16_t>("r");
  std::vector<float> expected;
  for (std::size_t row = 0; row < 128; ++row) {
    const auto begin = r.begin() + static_cast<std::ptrdiff_t>(row * 64);
    int sum = 0;
    for (auto element = begin; element != begin + 64; ++element) sum += *element;
    expected.insert(expected.end(), {float(*std::min_element(begin, begin + 64)),
                                     float(*std::max_element(begin, begin + 64)), float(sum)});
  }
  for (const char* tensor : {"t", "v", "d", "a"}) EXPECT_EQ(ran.values<float>(tensor), expected) << tensor;
}

TEST(TileExchange, ExtremesAgreeInEveryTypeThatBothEnginesHave) {
  // Sums of narrower types are rounded at every step by one and once by the other.
  struct {
    const char *dtype, *type;
    std::size_t bytes;
  } const types[] = {
      {"fp32", "FP32", 4}, {"fp16", "FP16", 2}, {"bf16", "BF16", 2}, {"int16", "S16", 2}, {"int8", "S8", 1}};
  for (const auto& [dtype, type, bytes] : types) {
    SCOPED_TRACE(type);
    const Ran ran = run_text(fmt::format(kThreeEngines, dtype, type));
    ASSERT_EQ(rule_of(ran), "none");
    const auto t = codes_of(ran, "t", static_cast<unsigned>(bytes)),
               v = codes_of(ran, "v", static_cast<unsigned>(bytes));
    for (std::size_t row = 0; row < 128; ++row) {
      EXPECT_EQ(t[row * 3], v[row * 3]) << row;
      EXPECT_EQ(t[row * 3 + 1], v[row * 3 + 1]) << row;
    }
    EXPECT_EQ(ran.bytes("a"), ran.bytes("t"));
  }
}

TEST(TileExchange, ValuesDoNotDependOnTime) {
  const std::string text = fmt::format(kThreeEngines, "fp32", "FP32");
  const auto wanted = run_text(text).tensors;
  for (const char* other : {"debug.random_stall_seed=1", "debug.random_stall_seed=99", "engines.sfu.clock_ghz=0.1",
                            "engines.sfu.overhead=0", "engines.sfu.min_ii=1000"}) {
    EXPECT_EQ(run_text(text, {}, {other}).tensors, wanted) << other;
  }
  RunOptions functional;
  functional.mode = RunMode::functional_only;
  EXPECT_EQ(run_text(text, functional).tensors, wanted);
}

// ---- Costs --------------------------------------------------------------------------------------------------------

struct Cost {
  std::uint64_t stream, latency;
  bool operator==(const Cost&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Cost& cost) { return out << cost.stream << " " << cost.latency; }

std::vector<Cost> costs(const Ran& ran) {
  std::vector<Cost> all;
  for (const InstructionRecord& record : ran.of(Engine::sfu)) {
    all.push_back({record.stream_cycles, ran.cycles(Engine::sfu, record.end - record.start)});
  }
  return all;
}

std::string reduction(const char* generation, const char* operation, int rows, int columns, const char* result) {
  return fmt::format(R"(
    .generation {}
    .tensor x fp32 [{}, {}] sbuf+0x0 = ones
    .tensor y fp32 [{}] sbuf+0x10000
    .engine sfu
      TLOAD x -> T<64KB> mask=1000
      BSTART.SFU {}, FP32
      B.DIM LB0={}
      B.DIM LB1={}
      B.DIM LB2={}
      B.IOT T0, mask=1000, last, ->U<8KB>
      BSTOP
      TSTORE U0 -> y
)",
                     generation, rows, columns, result, operation, columns, rows,
                     std::bit_ceil(static_cast<unsigned>(columns)));
}

TEST(TileCost, OneColumnPerCycleAnd64UntilItIsVisible) {
  using testing::ElementsAre;
  for (const char* generation : {"sunda", "cayman", "mariana"}) {
    SCOPED_TRACE(generation);
    // Moves take the elements of a partition, a reduction the valid columns, whatever the rows up to 128 and the
    // physical columns; then 64 cycles of overhead.
    EXPECT_THAT(costs(run_text(reduction(generation, "TROWMIN", 128, 64, "128, 1"))),
                ElementsAre(Cost{64, 128}, Cost{64, 128}, Cost{1, 65}));
    EXPECT_THAT(costs(run_text(reduction(generation, "TROWSUM", 3, 64, "3, 1"))),
                ElementsAre(Cost{64, 128}, Cost{64, 128}, Cost{1, 65}));
    EXPECT_THAT(costs(run_text(reduction(generation, "TROWARGMAX", 16, 1000, "16, 1"))).at(1), (Cost{1000, 1064}));
    EXPECT_THAT(costs(run_text(reduction(generation, "TROWMAX", 128, 1, "128, 1"))),
                ElementsAre(Cost{1, 65}, Cost{1, 65}, Cost{1, 65}));
    EXPECT_THAT(costs(run_text(reduction(generation, "TCOLMIN", 5, 64, "1, 64"))),
                ElementsAre(Cost{64, 128}, Cost{64, 128}, Cost{64, 128}));
  }
}

TEST(TileCost, AReductionWaitsUntilItsSourceIsVisibleAndAStoreForTheResult) {
  const Ran ran = run_text(reduction("cayman", "TROWMIN", 128, 64, "128, 1"));
  const auto sfu = ran.of(Engine::sfu);
  ASSERT_EQ(sfu.size(), 3U);
  // 64 + 64, another 64 + 64, and 1 + 64: 321 cycles of 1.2 GHz.
  EXPECT_EQ(sfu[0].start, 0U);
  EXPECT_EQ(ran.cycles(Engine::sfu, sfu[1].start), 128U);
  EXPECT_EQ(ran.cycles(Engine::sfu, sfu[2].start), 256U);
  EXPECT_EQ(ran.cycles(Engine::sfu, ran.result.elapsed), 321U);
  EXPECT_EQ(format_ns(ran.result.elapsed, ran.result.tick_mhz), "267.500000");
  // Busy 64 + 64 + 1; twice 64 until something is visible, and the last 64 cycles nothing is left.
  const EngineTotals& books = ran.result.engines[Engine::sfu];
  EXPECT_EQ(ran.cycles(Engine::sfu, books.busy), 129U);
  EXPECT_EQ(ran.cycles(Engine::sfu, books.stall[static_cast<std::size_t>(StallCause::dependency)]), 128U);
  EXPECT_EQ(ran.cycles(Engine::sfu, books.stall[static_cast<std::size_t>(StallCause::idle)]), 64U);
}

TEST(TileCost, TheStrideOfAMoveHalvesItsRateOnSunda) {
  const char* text = R"(
    .generation {}
    .tensor x fp32 [128, 64] sbuf+0x0 = ones
    .engine sfu
      TLOAD x[:, ::4] -> T<8KB>
      TLOAD x[:, ::8] -> T<4KB>
      TSTORE T1 -> x[:, ::8]
)";
  using testing::ElementsAre;
  // 16 elements 16 bytes apart, which is no more than 16; 8 elements 32 bytes apart, streamed in 16 cycles instead
  // of 8.
  EXPECT_THAT(costs(run_text(fmt::format(fmt::runtime(text), "sunda"))),
              ElementsAre(Cost{16, 80}, Cost{8, 80}, Cost{8, 80}));
  EXPECT_THAT(costs(run_text(fmt::format(fmt::runtime(text), "cayman"))),
              ElementsAre(Cost{16, 80}, Cost{8, 72}, Cost{8, 72}));
}

// ---- SBUF shared with the vector engine ---------------------------------------------------------------------------

constexpr const char* kBoth = R"(
    .generation sunda
    .tensor a fp32 [128, 512] sbuf+0x0000 = ones
    .tensor b fp32 [128, 512] sbuf+0x1000
    .tensor x fp32 [128, 64]  sbuf+0x2000 = ones
    .tensor y fp32 [128, 64]  sbuf+0x3000
    .engine dve
      copy src=a dst=b
    .engine sfu
      TLOAD x -> T<32KB>
      TSTORE T0 -> y
)";
constexpr const char* kOneGroup = R"(share.sbuf.groups=[["dve","pool","sfu"]])";

TEST(TileContention, NoneOnSundaWhereOnlyTheVectorEngineAndPoolShare) {
  const Ran ran = run_text(kBoth);
  EXPECT_EQ(ran.of(Engine::sfu).at(0).start, 0U);
  EXPECT_EQ(ran.of(Engine::dve).at(0).start, 0U);
  EXPECT_EQ(ran.cycles(Engine::sfu, ran.of(Engine::sfu).at(1).start), 128U);
  EXPECT_EQ(ran.result.sbuf.contention, 0U);
}

TEST(TileContention, AMoveWaitsForTheStreamThatHoldsTheGroup) {
  const Ran ran = run_text(kBoth, {}, {kOneGroup});
  const auto sfu = ran.of(Engine::sfu);
  const auto dve = ran.of(Engine::dve).at(0);
  ASSERT_EQ(sfu.size(), 2U);
  // Both ask at 0 and dve comes before sfu: it holds SBUF for 512 of its cycles of 5 ticks, 2560 ticks, which are 640
  // cycles of 4 ticks of the sfu. The store follows 64 + 64 later and meets nobody.
  EXPECT_EQ(dve.start, 0U);
  EXPECT_EQ(sfu[0].start, dve.stream_end);
  EXPECT_EQ(ran.cycles(Engine::sfu, sfu[0].start), 640U);
  EXPECT_EQ(ran.cycles(Engine::sfu, sfu[1].start), 768U);
  EXPECT_EQ(sfu[0].stall_cause, StallCause::sbuf);
  EXPECT_EQ(ran.cycles(Engine::sfu, sfu[0].stall), 640U);
  EXPECT_EQ(ran.bytes("y"), ran.bytes("x"));
}

TEST(TileContention, TheVectorEngineWaitsForAMoveButNotForAReduction) {
  const Ran ran = run_text(R"(
    .generation sunda
    .tensor a fp32 [128, 64] sbuf+0x0000 = ones
    .tensor b fp32 [128, 64] sbuf+0x1000
    .tensor c fp32 [128, 64] sbuf+0x4000
    .tensor p fp32 [128, 2]  psum+0x0000 = ones
    .tensor x fp32 [16, 1000] sbuf+0x2000 = ones
    .semaphore loaded 1 = 0
    .engine dve
      copy src=p[:, 0:1] dst=p[:, 1:2]
      copy src=a dst=b
      copy src=a dst=c              S[loaded]>=1
    .engine sfu
      TLOAD x -> T<64KB> mask=1000  S[loaded]++
      BSTART.SFU TROWMIN, FP32
      B.DIM LB0=1000
      B.DIM LB1=16
      B.DIM LB2=1024
      B.IOT T0, mask=1000, last, ->U<128B>
      BSTOP
)",
                           {}, {kOneGroup});
  ASSERT_EQ(rule_of(ran), "none");
  const auto load = ran.of(Engine::sfu).at(0), reduce = ran.of(Engine::sfu).at(1);
  const auto first = ran.of(Engine::dve).at(1), second = ran.of(Engine::dve).at(2);
  // The load holds SBUF from 0 for 1000 cycles of 4 ticks. The copy could begin when ACT is done, 264 cycles of 4
  // ticks, and begins after 4000 ticks, 800 of its own cycles.
  EXPECT_EQ(load.start, 0U);
  EXPECT_EQ(ran.of(Engine::dve).at(0).start, 0U);
  EXPECT_EQ(first.start, load.stream_end);
  EXPECT_EQ(ran.cycles(Engine::dve, first.start), 800U);
  EXPECT_EQ(first.stall_cause, StallCause::sbuf);
  // A reduction touches tiles alone: the second copy begins and ends beside it.
  EXPECT_EQ(ran.cycles(Engine::sfu, reduce.start), 1064U);
  EXPECT_EQ(ran.cycles(Engine::sfu, reduce.stream_end), 2064U);
  EXPECT_GE(second.start, reduce.start);
  EXPECT_LT(second.stream_end, reduce.stream_end);
}

// ---- Semaphores on the lines of a block ---------------------------------------------------------------------------

TEST(TileSemaphores, MayStandOnAnyLineOfABlock) {
  const char* text = R"(
    .generation cayman
    .tensor x uint8 [2, 2] sbuf+0x0 = [5, 9, 9, 6]
    .tensor y uint8 [2, 1] sbuf+0x100
    .tensor a fp32 [128, 512] sbuf+0x1000 = ones
    .tensor b fp32 [128, 512] sbuf+0x2000
    .semaphore late 1 = 0
    .semaphore done 2 = 0
    .engine act
      copy src=a dst=b S[late]++
    .engine pool
      event_semaphore S[done]>=1
    .engine sfu
      TLOAD x -> T<128B>
      BSTART.SFU TROWMIN, U8                 {0}
      B.DIM LB0=2                            {1}
      B.DIM LB1=2                            {2}
      B.IOT T0, mask=1111, last, ->U<128B>   {3}
      BSTOP                                  {4}
      TSTORE U0 -> y
)";
  for (int wait = 0; wait < 5; ++wait) {
    for (int update = 0; update < 5; ++update) {
      SCOPED_TRACE(fmt::format("wait on line {}, update on line {}", wait, update));
      std::string on[5];
      on[wait] += "S[late]>=1 ";
      on[update] += "S[done]++";
      const Ran ran = run_text(fmt::format(fmt::runtime(text), on[0], on[1], on[2], on[3], on[4]));
      ASSERT_EQ(rule_of(ran), "none");
      ASSERT_EQ(ran.result.end, RunEnd::done);
      const auto sfu = ran.of(Engine::sfu);
      ASSERT_EQ(sfu.size(), 3U);  // one wait and one update fit into the bundle
      // Begins at its clock's first edge not before the copy is visible.
      const Tick copied = ran.of(Engine::act).at(0).end,
                 period = ran.result.tick_mhz / ran.result.clock_mhz[Engine::sfu];
      EXPECT_EQ(sfu[1].start, (copied + period - 1) / period * period);
      EXPECT_EQ(sfu[1].line, 15U);  // of BSTART
      bool found = false;
      for (const SemaphoreUpdateRecord& record : ran.updates) {
        if (record.engine != Engine::sfu) continue;
        found = true;
        EXPECT_EQ(record.at, sfu[1].end);  // behind BSTOP
        EXPECT_EQ(record.pc, 64U);
      }
      EXPECT_TRUE(found);
    }
  }
}

TEST(TileSemaphores, SeveralOnSeveralLines) {
  const Ran ran = run_text(R"(
    .tensor x uint8 [2, 2] sbuf+0x0 = [5, 9, 9, 6]
    .tensor y uint8 [2, 1] sbuf+0x100
    .semaphore one 1 = 0
    .semaphore two 2 = 0
    .semaphore three 3 = 0
    .semaphore four 4 = 0
    .engine act
      event_semaphore S[one]++
    .engine pool
      event_semaphore S[two]+=2 S[three]>=1
    .engine dve
      event_semaphore S[four]>=3
    .engine pe
      event_semaphore S[three]++
    .engine sfu
      TLOAD x -> T<128B>
      BSTART.SFU TROWMIN, U8                 S[one]>=1
      B.DIM LB0=2
      B.DIM LB1=2                            S[four]++ S[two]>=2
      B.IOT T0, mask=1111, last, ->U<128B>   S[four]+=2
      BSTOP
      TSTORE U0 -> y
)");
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_EQ(ran.result.end, RunEnd::done);
  EXPECT_THAT(ran.bytes("y"), testing::ElementsAre(5, 6));
}

TEST(TileSemaphores, AWaitThatNothingSatisfiesNamesTheBlock) {
  const Ran ran = run_text(R"(
.semaphore never 1 = 0
.engine sfu
  BSTART.SFU TROWMIN, U8
  BSTOP S[never]>=1
)");
  EXPECT_EQ(ran.result.end, RunEnd::deadlock);
  ASSERT_EQ(ran.result.blocked.size(), 1U);
  EXPECT_EQ(ran.result.blocked[0].engine, Engine::sfu);
  EXPECT_EQ(ran.result.blocked[0].line, 4U);
  EXPECT_EQ(ran.result.blocked[0].condition, ">=1");
}

}  // namespace
}  // namespace tpb::test
