#include "models/timing/cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "models/isa/alu_op.h"

namespace tpb {
namespace {

constexpr std::uint32_t kSbuf = 0x1000;
constexpr std::uint32_t kPsum = kPsumBase + 0x800;

// Where an operand lies, its type and its innermost step; N elements per partition in a row.
struct Side {
  std::uint32_t address = kSbuf;
  Dtype dtype = Dtype::fp32;
  std::int16_t step = 1;
};

template <unsigned Dims>
TensorDescriptor<Dims> descriptor(const Side& side, std::uint16_t n) {
  TensorDescriptor<Dims> result{side.address, {}, {}};
  std::ranges::fill(result.step, std::int16_t{1});
  std::ranges::fill(result.num, std::uint16_t{1});
  result.step[0] = side.step;
  result.num[0] = n;
  return result;
}

std::uint8_t code(Dtype dtype) { return static_cast<std::uint8_t>(dtype); }

// `role` is what the instruction does; its wire opcode is the profile's.
Frame frame(Opcode role, const SemanticsOptions& semantics = {}) {
  Frame result;
  result.opcode = wire_of(static_cast<std::uint8_t>(role), semantics);
  return result;
}

Instruction pool(std::uint16_t sources, std::uint16_t results) {
  S4D4_PL bundle{};
  bundle.frame = frame(Opcode::pool);
  bundle.src = descriptor<4>({}, sources);
  bundle.dst = descriptor<4>({}, results);
  bundle.in_dtype = bundle.out_dtype = code(Dtype::fp32);
  bundle.num_active_channels = 128;
  return bundle;
}

Instruction tensor_tensor(const Side& a, const Side& b, const Side& out, std::uint16_t n,
                          Opcode opcode = Opcode::tensor_tensor_arith) {
  S3S3D3_TT bundle{};
  bundle.frame = frame(opcode);
  bundle.in0_in1_dtype = static_cast<std::uint8_t>(code(a.dtype) | code(b.dtype) << 4);
  bundle.out_dtype = code(out.dtype);
  bundle.op = static_cast<std::uint8_t>(AluOp::add);
  bundle.num_active_channels = 128;
  bundle.src0 = descriptor<3>(a, n);
  bundle.src1 = descriptor<3>(b, n);
  bundle.dst = descriptor<3>(out, n);
  return bundle;
}

Instruction one_to_one(Opcode opcode, const Side& in, const Side& out, std::uint16_t n, std::uint16_t results,
                       AluOp op = AluOp::bypass, const SemanticsOptions& semantics = {}) {
  S4D4_TR bundle{};
  bundle.frame = frame(opcode, semantics);
  bundle.src = descriptor<4>(in, n);
  bundle.dst = descriptor<4>(out, results);
  bundle.in_dtype = code(in.dtype);
  bundle.out_dtype = code(out.dtype);
  bundle.op = static_cast<std::uint8_t>(op);
  bundle.op_dim = 2;
  bundle.num_active_channels = 128;
  return bundle;
}

Instruction reduce(const Side& in, const Side& out, std::uint16_t n, AluOp op,
                   Opcode opcode = Opcode::tensor_reduce_arith) {
  return one_to_one(opcode, in, out, n, 1, op);
}

Instruction copy(const Side& in, const Side& out, std::uint16_t n, Opcode opcode = Opcode::copy) {
  return one_to_one(opcode, in, out, n, n);
}

// The engines of the shipped generations: DVE pays no start and 144 after the stream, Pool 150 and 100, ACT 263.
CostContext context(Generation generation, Engine engine) {
  CostContext result;
  result.generation = generation;
  result.engine = engine;
  result.timing.min_ii = engine == Engine::pool ? 0 : 64;
  result.timing.start = engine == Engine::pool ? 150 : 0;
  result.timing.overhead = engine == Engine::pool ? 100 : engine == Engine::act ? 263 : 144;
  return result;
}

Cost cost(const Instruction& instruction, const CostContext& where) {
  return cost_of(instruction, operands_of(instruction), where);
}
Cost cost(const Instruction& instruction, Generation generation, Engine engine = Engine::dve) {
  return cost(instruction, context(generation, engine));
}

constexpr auto kNone = PerformanceMode::none;
constexpr auto k2x = PerformanceMode::x2;
constexpr auto k4x = PerformanceMode::x4;

constexpr Side kFp32{};
constexpr Side kBf16{kSbuf, Dtype::bf16, 1};
constexpr Side kFp16{kSbuf, Dtype::fp16, 1};
constexpr Side kFp32Psum{kPsum, Dtype::fp32, 1};
constexpr Side kBf16Psum{kPsum, Dtype::bf16, 1};
constexpr Side kBf16Strided{kSbuf, Dtype::bf16, 2};

// --- the quantities ---

TEST(Cost, OfAPoolAddsStartStreamAndOverhead) {
  const Cost c = cost(pool(1024, 256), Generation::cayman, Engine::pool);
  EXPECT_EQ(c.start, 150U);      // every compute instruction of a Pool stream
  EXPECT_EQ(c.stream, 1024U);    // N = max(1024 read, 256 written)
  EXPECT_EQ(c.interval, 1174U);  // max(0, 150 + 1024)
  EXPECT_EQ(c.overhead, 100U);
  EXPECT_EQ(c.latency(), 1274U);  // 150 + 1024 + 100
  EXPECT_EQ(c.mode, kNone);
}

TEST(Cost, OfAPoolOnDveHasNoStart) {
  const Cost c = cost(pool(1024, 256), Generation::cayman, Engine::dve);
  EXPECT_EQ(c.start, 0U);
  EXPECT_EQ(c.stream, 1024U);
  EXPECT_EQ(c.interval, 1024U);   // max(64, 0 + 1024)
  EXPECT_EQ(c.latency(), 1168U);  // 0 + 1024 + 144
}

TEST(Cost, TheFloorIsOfTheIntervalNotOfTheStream) {
  const Cost c = cost(reduce(kFp32, kFp32, 10, AluOp::add), Generation::cayman);
  EXPECT_EQ(c.stream, 10U);
  EXPECT_EQ(c.interval, 64U);    // max(64, 0 + 10)
  EXPECT_EQ(c.latency(), 154U);  // 0 + 10 + 144, no floor either
}

TEST(Cost, TheFloorCoversStartAndStreamTogether) {
  CostContext where = context(Generation::cayman, Engine::dve);
  where.timing.start = 60;
  EXPECT_EQ(cost(reduce(kFp32, kFp32, 3, AluOp::add), where).interval, 64U);  // max(64, 60 + 3)
  EXPECT_EQ(cost(reduce(kFp32, kFp32, 5, AluOp::add), where).interval, 65U);  // max(64, 60 + 5)
}

TEST(Cost, NIsTheLargerOfFirstSourceAndDestination) {
  EXPECT_EQ(cost(pool(8, 32), Generation::cayman, Engine::pool).stream, 32U);
  // All dimensions count: 3 x 5 x 7 x 2 = 210.
  auto bundle = std::get<S4D4_PL>(pool(3, 1));
  bundle.src.num[1] = 5;
  bundle.src.num[2] = 7;
  bundle.src.num[3] = 2;
  EXPECT_EQ(cost(Instruction(bundle), Generation::cayman, Engine::pool).stream, 210U);
}

TEST(Cost, DoesNotDependOnPartitions) {
  auto bundle = std::get<S4D4_PL>(pool(100, 25));
  bundle.num_active_channels = 1;
  EXPECT_EQ(cost(Instruction(bundle), Generation::cayman, Engine::pool).stream, 100U);
}

TEST(Cost, OfControlIsNothing) {
  for (Opcode opcode : {Opcode::nop, Opcode::event_semaphore, Opcode::halt}) {
    ControlBundle bundle{};
    bundle.frame = frame(opcode);
    const Cost c = cost(Instruction(bundle), Generation::cayman, Engine::pool);
    EXPECT_EQ(c.start, 0U);
    EXPECT_EQ(c.stream, 0U);
    EXPECT_EQ(c.interval, 0U);
    EXPECT_EQ(c.latency(), 0U);
    EXPECT_EQ(c.mode, kNone);
  }
}

TEST(Cost, StaysAtTheLargestNumberItCanSay) {
  auto bundle = std::get<S4D4_PL>(pool(65535, 1));
  for (unsigned d = 0; d < 4; ++d) {
    bundle.src.num[d] = 65535;  // 65535^4 elements, spelt with steps of zero
    bundle.src.step[d] = 0;
  }
  const Cost c = cost(Instruction(bundle), Generation::cayman, Engine::pool);
  EXPECT_EQ(c.stream, 0xFFFFFFFFU);
  EXPECT_EQ(c.interval, 0xFFFFFFFFU);
  EXPECT_EQ(c.latency(), 0xFFFFFFFFULL + 250);  // 150 before, 100 after
}

TEST(Cost, EveryModelledInstructionHasARow) {
  for (const OpcodeInfo& info : opcodes()) {
    if (!info.modelled) continue;
    Bundle bytes{};
    bytes[0] = info.code;
    for (Engine engine : kEngines) {
      if (!info.engines.contains(engine)) continue;
      for (Generation generation : kGenerations) {
        if (generation < info.first || generation > info.last) continue;
        const Instruction instruction = unpack(bytes, {});
        EXPECT_NO_THROW(cost(instruction, generation, engine)) << info.name;
      }
    }
  }
}

TEST(PerformanceMode, HasTheProfilersNames) {
  EXPECT_EQ(name_of(kNone), "none");
  EXPECT_EQ(name_of(k2x), "2x");
  EXPECT_EQ(name_of(k4x), "4x");
}

// --- the rows: N = 100 throughout ---

struct Expected {
  std::uint32_t stream;
  PerformanceMode mode;
  bool operator==(const Expected&) const = default;
};
void PrintTo(const Expected& expected, std::ostream* stream) {
  *stream << expected.stream << " cycles, mode " << name_of(expected.mode);
}
Expected row(const Instruction& instruction, Generation generation, Engine engine = Engine::dve) {
  const Cost c = cost(instruction, generation, engine);
  return {c.stream, c.mode};
}

TEST(TensorTensor, TakesTwoPassesUnlessOneInputIsInPsum) {
  for (Generation generation : kGenerations) {
    for (Engine engine : {Engine::dve, Engine::pool}) {
      const auto stream = [&](const Side& a, const Side& b, const Side& out) {
        return row(tensor_tensor(a, b, out, 100), generation, engine);
      };
      EXPECT_EQ(stream(kFp32, kFp32, kFp32), (Expected{200, kNone}));          // both in SBUF: 2N
      EXPECT_EQ(stream(kFp32Psum, kFp32Psum, kFp32), (Expected{200, kNone}));  // both in PSUM: 2N
      EXPECT_EQ(stream(kFp32Psum, kFp32, kFp32), (Expected{100, kNone}));      // exactly one: N
      EXPECT_EQ(stream(kFp32, kFp32Psum, kFp32), (Expected{100, kNone}));
      EXPECT_EQ(stream(kFp32, kFp32, kFp32Psum), (Expected{200, kNone}));  // the output does not count
    }
  }
}

TEST(TensorTensor, OfSixteenBitFloatsInSbufIsInModeTwoFromCaymanOn) {
  for (Generation generation : kGenerations) {
    const Expected expected = generation == Generation::sunda ? Expected{200, kNone} : Expected{100, k2x};
    EXPECT_EQ(row(tensor_tensor(kBf16, kBf16, kBf16, 100), generation), expected);
    EXPECT_EQ(row(tensor_tensor(kBf16, kFp16, kBf16, 100), generation), expected);         // either format
    EXPECT_EQ(row(tensor_tensor(kBf16, kBf16, kBf16Strided, 100), generation), expected);  // contiguity is not asked
    EXPECT_EQ(row(tensor_tensor(kBf16, kBf16, kBf16, 100), generation, Engine::pool), expected);
  }
  // One of the three is wider: no mode.
  EXPECT_EQ(row(tensor_tensor(kFp32, kBf16, kBf16, 100), Generation::cayman), (Expected{200, kNone}));
  EXPECT_EQ(row(tensor_tensor(kBf16, kFp32, kBf16, 100), Generation::cayman), (Expected{200, kNone}));
  EXPECT_EQ(row(tensor_tensor(kBf16, kBf16, kFp32, 100), Generation::cayman), (Expected{200, kNone}));
  // Sixteen bits, but integers.
  constexpr Side kInt16{kSbuf, Dtype::int16, 1};
  EXPECT_EQ(row(tensor_tensor(kInt16, kInt16, kInt16, 100), Generation::cayman), (Expected{200, kNone}));
  // An input in PSUM: N for the two ports, not for a mode.
  EXPECT_EQ(row(tensor_tensor(kBf16Psum, kBf16, kBf16, 100), Generation::cayman), (Expected{100, kNone}));
  EXPECT_EQ(row(tensor_tensor(kBf16Psum, kBf16Psum, kBf16, 100), Generation::cayman), (Expected{200, kNone}));
}

TEST(PackedBf16, TakesHalfOfTheGenericRowOfTheSamePlacement) {
  for (Opcode opcode :
       {Opcode::tensor_tensor_add_bf16, Opcode::tensor_tensor_mult_bf16, Opcode::tensor_tensor_sub_bf16}) {
    const auto packed = [&](const Side& a, const Side& b, std::uint16_t n) {
      return row(tensor_tensor(a, b, kBf16, n, opcode), Generation::sunda);
    };
    EXPECT_EQ(packed(kBf16, kBf16, 100), (Expected{100, kNone}));     // 2N / 2
    EXPECT_EQ(packed(kBf16Psum, kBf16, 100), (Expected{50, kNone}));  // N / 2
    EXPECT_EQ(packed(kBf16Psum, kBf16Psum, 100), (Expected{100, kNone}));
    EXPECT_EQ(packed(kBf16, kBf16Psum, 101), (Expected{51, kNone}));  // 50.5, rounded up
  }
  for (Opcode opcode : {Opcode::tensor_reduce_add_bf16, Opcode::tensor_reduce_max_bf16}) {
    const Instruction packed = reduce(kBf16, kFp32, 100, AluOp::add, opcode);
    EXPECT_EQ(row(packed, Generation::sunda), (Expected{50, kNone}));         // N / 2
    EXPECT_EQ(cost(packed, Generation::sunda).interval, 64U);                 // the half has the floor here
    EXPECT_EQ(cost(packed, Generation::sunda, Engine::pool).interval, 200U);  // 150 + 50
  }
}

TEST(TensorReduce, OfBf16AddOrMaxTakesHalfWithoutFloorFromCaymanOn) {
  for (Generation generation : kGenerations) {
    for (AluOp op : {AluOp::add, AluOp::max}) {
      const Cost c = cost(reduce(kBf16, kBf16, 101, op), generation);
      EXPECT_EQ(c.mode, kNone);
      if (generation == Generation::sunda) {
        EXPECT_EQ(c.stream, 101U);    // the generic opcode always pays N
        EXPECT_EQ(c.interval, 101U);  // max(64, 101)
      } else {
        EXPECT_EQ(c.stream, 51U);    // 50.5, rounded up
        EXPECT_EQ(c.interval, 51U);  // 64 is no floor here
      }
    }
    // Another operation, another type on either side: N and the floor.
    EXPECT_EQ(row(reduce(kBf16, kBf16, 100, AluOp::min), generation), (Expected{100, kNone}));
    EXPECT_EQ(row(reduce(kBf16, kFp32, 100, AluOp::add), generation), (Expected{100, kNone}));
    EXPECT_EQ(row(reduce(kFp32, kBf16, 100, AluOp::add), generation), (Expected{100, kNone}));
    EXPECT_EQ(row(reduce(kFp16, kFp16, 100, AluOp::add), generation), (Expected{100, kNone}));
    EXPECT_EQ(cost(reduce(kFp32, kFp32, 10, AluOp::add), generation).interval, 64U);
  }
  // On Pool the start is paid on top: 150 + 50.
  EXPECT_EQ(cost(reduce(kBf16, kBf16, 100, AluOp::add), Generation::cayman, Engine::pool).interval, 200U);
}

TEST(TensorReduce, OfBitsCostsWhatTheArithmeticFormCosts) {
  constexpr Side kInt32{kSbuf, Dtype::int32, 1};
  const Instruction bits = reduce(kInt32, kInt32, 100, AluOp::bitwise_or, Opcode::tensor_reduce_bitvec);
  for (Generation generation : kGenerations) EXPECT_EQ(row(bits, generation), (Expected{100, kNone}));
}

// The role decides, whatever wire opcode the profile gives it.
TEST(TensorReduce, CostsTheSameInEveryProfile) {
  SemanticsOptions arch;
  arch.reduce_opcodes = SemanticsOptions::ReduceOpcodes::arch;
  CostContext where = context(Generation::cayman, Engine::dve);
  where.semantics = arch;
  const Instruction instruction = one_to_one(Opcode::tensor_reduce_arith, kBf16, kBf16, 100, 1, AluOp::add, arch);
  ASSERT_NE(frame_of(instruction).opcode, frame_of(reduce(kBf16, kBf16, 100, AluOp::add)).opcode);
  EXPECT_EQ(cost(instruction, where).stream, 50U);  // N / 2
}

TEST(Copy, OnDveReachesItsModesFromCaymanOn) {
  struct Case {
    Side in, out;
    Expected later;  // from cayman on; sunda always pays N
  };
  constexpr Side kFp16Strided{kSbuf, Dtype::fp16, 3};
  constexpr Side kFp16Psum{kPsum, Dtype::fp16, 1};
  constexpr Side kBf16PsumStrided{kPsum, Dtype::bf16, 2};
  constexpr Side kBf16Backwards{kSbuf, Dtype::bf16, -1};
  const std::array cases{
      Case{kBf16, kBf16, {25, k4x}},  // both in SBUF, 16-bit float, contiguous: N/4
      Case{kBf16, kFp16, {25, k4x}},
      Case{kBf16Strided, kBf16, {50, k2x}},  // not contiguous on one side: N/2
      Case{kBf16, kFp16Strided, {50, k2x}},
      Case{kBf16Backwards, kBf16, {50, k2x}},
      Case{kBf16Psum, kBf16, {50, k2x}},  // contiguous, one side in PSUM: N/2
      Case{kBf16, kFp16Psum, {50, k2x}},
      Case{kBf16PsumStrided, kBf16, {100, kNone}},  // one side in PSUM and not contiguous: N
      Case{kBf16Psum, kBf16Strided, {100, kNone}},
      Case{kBf16Psum, kFp16Psum, {100, kNone}},  // both in PSUM: N
      Case{kFp32, kFp32, {100, kNone}},          // not 16 bits
      Case{kBf16, kFp32, {100, kNone}},
      Case{kFp32, kBf16, {100, kNone}},
  };
  for (Opcode opcode : {Opcode::copy, Opcode::cast}) {
    for (const Case& c : cases) {
      const Instruction instruction = copy(c.in, c.out, 100, opcode);
      for (Generation generation : kGenerations) {
        EXPECT_EQ(row(instruction, generation), generation == Generation::sunda ? (Expected{100, kNone}) : c.later);
        EXPECT_EQ(row(instruction, generation, Engine::pool), (Expected{100, kNone}));  // the modes are DVE's
      }
    }
  }
}

// 4 elements are at most 8 cycles of any row: 64 is the interval of all but the one that says it has no floor.
TEST(Floor, HoldsForEveryRowButOne) {
  const auto interval = [](const Instruction& instruction, Generation generation, Engine engine = Engine::dve) {
    return cost(instruction, generation, engine).interval;
  };
  constexpr auto kPackedAdd = Opcode::tensor_tensor_add_bf16;
  EXPECT_EQ(interval(pool(4, 1), Generation::cayman), 64U);
  EXPECT_EQ(interval(tensor_tensor(kFp32, kFp32, kFp32, 4), Generation::cayman), 64U);
  EXPECT_EQ(interval(tensor_tensor(kFp32Psum, kFp32, kFp32, 4), Generation::cayman), 64U);
  EXPECT_EQ(interval(tensor_tensor(kBf16, kBf16, kBf16, 4), Generation::cayman), 64U);
  EXPECT_EQ(interval(tensor_tensor(kBf16, kBf16, kBf16, 4, kPackedAdd), Generation::sunda), 64U);
  EXPECT_EQ(interval(tensor_tensor(kBf16Psum, kBf16, kBf16, 4, kPackedAdd), Generation::sunda), 64U);
  EXPECT_EQ(interval(reduce(kFp32, kFp32, 4, AluOp::add), Generation::cayman), 64U);
  EXPECT_EQ(interval(reduce(kBf16, kBf16, 4, AluOp::add), Generation::sunda), 64U);
  EXPECT_EQ(interval(copy(kFp32, kFp32, 4), Generation::cayman), 64U);
  EXPECT_EQ(interval(copy(kBf16, kBf16, 4), Generation::cayman), 64U);
  EXPECT_EQ(interval(copy(kBf16Psum, kBf16, 4), Generation::cayman), 64U);
  EXPECT_EQ(interval(copy(kBf16, kBf16, 4), Generation::mariana, Engine::act), 64U);

  EXPECT_EQ(interval(reduce(kBf16, kBf16, 4, AluOp::add), Generation::cayman), 2U);
}

TEST(Copy, RoundsUpAndKeepsTheFloor) {
  const Cost c = cost(copy(kBf16, kBf16, 101), Generation::mariana);
  EXPECT_EQ(c.stream, 26U);                                                          // 25.25, rounded up
  EXPECT_EQ(c.interval, 64U);                                                        // max(64, 26)
  EXPECT_EQ(cost(copy(kBf16Strided, kBf16, 101), Generation::mariana).stream, 51U);  // 50.5
}

TEST(Copy, OnActOfSixteenBitFloatsTakesHalfFromMarianaOn) {
  for (Opcode opcode : {Opcode::copy, Opcode::cast}) {
    for (Generation generation : kGenerations) {
      const Expected expected = generation >= Generation::mariana ? Expected{50, k2x} : Expected{100, kNone};
      EXPECT_EQ(row(copy(kBf16, kFp16, 100, opcode), generation, Engine::act), expected);
      // Neither placement nor contiguity is asked.
      EXPECT_EQ(row(copy(kBf16Psum, kBf16Strided, 100, opcode), generation, Engine::act), expected);
      EXPECT_EQ(row(copy(kFp32, kBf16, 100, opcode), generation, Engine::act), (Expected{100, kNone}));
    }
  }
  // 50 + 263 until the result is visible.
  EXPECT_EQ(cost(copy(kBf16, kBf16, 100), Generation::mariana, Engine::act).latency(), 313U);
}

}  // namespace
}  // namespace tpb
