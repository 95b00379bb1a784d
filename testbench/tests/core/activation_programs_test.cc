// The activation engine by whole programs: values, accumulators, warnings and time; and the accumulating forms of the
// vector engine, by text and by calls.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "models/nki/kernel.h"
#include "testbench/tests/support/run_program.h"

namespace tpb::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::string rule_of(const Ran& ran) {
  return ran.result.faults.empty() ? "none" : std::string(ran.result.faults.front().violation.rule);
}

// ---- a product and a sum --------------------------------------------------------------------------------------------

TEST(ProductAndSum, AreRoundedOneByOne) {
  // 4F000FFE x BDA0000E + 3EFFFDFB, each rounded: CD20140C; a fused multiply-add gives CD20140B.
  const Ran ran = run_text(R"(
    .tensor x fp32 [128, 33] sbuf+0x000 = [bits(0x4F000FFE)]
    .tensor a fp32 [128, 33] sbuf+0x100
    .tensor b fp32 [128, 33] sbuf+0x200
    .tensor c fp32 [128, 33] sbuf+0x300
    .tensor d fp32 [128, 33] sbuf+0x400
    .tensor s fp32 [128, 1]  sbuf+0x500 = [bits(0xBDA0000E)]
    .tensor t fp32 [128, 1]  sbuf+0x510 = [bits(0x3EFFFDFB)]
    .engine dve
      tensor_scalar op0=mult imm0=bits(0xBDA0000E) op1=add imm1=bits(0x3EFFFDFB) src=x dst=a
    .engine act
      tensor_scalar op0=mult imm0=bits(0xBDA0000E) op1=add imm1=bits(0x3EFFFDFB) src=x dst=b
      activate func=copy scale=bits(0xBDA0000E) bias=bits(0x3EFFFDFB) src=x dst=c
      activate func=copy scale=s bias=t src=x dst=d
)");
  EXPECT_EQ(rule_of(ran), "none");
  for (const char* result : {"a", "b", "c", "d"}) {
    EXPECT_THAT(ran.values<std::uint32_t>(result), Each(0xCD20140CU)) << result;
  }
}

// ---- scale and bias -------------------------------------------------------------------------------------------------

TEST(ScaleAndBias, AreValuesOfPartitions) {
  // x scale + bias: 2 x 10 + 1, 3 x 10 + 1; 2 x -1 + 0.5, 3 x -1 + 0.5.
  for (const char* bias : {"fp32", "fp16", "bf16"}) {
    const Ran ran = run_text(fmt::format(R"(
    .tensor x fp16 [2, 2] sbuf+0x00 = [2, 3, 2, 3]
    .tensor s fp32 [2, 1] sbuf+0x10 = [10, -1]
    .tensor b {} [2, 1]   sbuf+0x20 = [1, 0.5]
    .tensor y fp32 [2, 2] sbuf+0x30
    .tensor r fp32 [2, 2] sbuf+0x40
    .engine act
      activate func=copy scale=s bias=b src=x dst=y
      activate func=relu scale=s bias=b src=x dst=r
)",
                                         bias));
    EXPECT_EQ(rule_of(ran), "none") << bias;
    EXPECT_THAT(ran.values<float>("y"), ElementsAre(21, 31, -1.5, -2.5)) << bias;
    EXPECT_THAT(ran.values<float>("r"), ElementsAre(21, 31, 0, 0)) << bias;
  }
}

TEST(ScaleAndBias, HaveTheirDtypes) {
  const auto text = [](const char* scale, const char* bias) {
    return fmt::format(R"(
    .tensor x fp32 [2, 2] sbuf+0x00 = ones
    .tensor s {} [2, 1] sbuf+0x10 = ones
    .tensor b {} [2, 1] sbuf+0x20 = ones
    .engine act
      activate func=copy scale=s bias=b src=x dst=x
)",
                       scale, bias);
  };
  EXPECT_EQ(rule_of(run_text(text("fp32", "fp32"))), "none");
  EXPECT_THROW(run_text(text("bf16", "fp32")), InputError);
  EXPECT_THROW(run_text(text("fp32", "int32")), InputError);
}

TEST(Psum, IsReadAndWritten) {
  // The square of twice the numbers, between all memories.
  for (const char* generation : {"sunda", "cayman", "mariana"}) {
    const Ran ran = run_text(fmt::format(R"(
    .generation {}
    .tensor x fp32 [1, 4] psum+0x000 = [1, 2, -3, 0.5]
    .tensor p fp32 [1, 4] psum+0x800
    .tensor s fp32 [1, 4] sbuf+0x000
    .tensor q fp32 [1, 4] psum+0x100
    .engine act
      activate func=square scale=2 src=x dst=s
      activate func=square scale=2 src=x dst=p
      activate func=sqrt src=s dst=q
)",
                                         generation));
    EXPECT_EQ(rule_of(ran), "none") << generation;
    EXPECT_THAT(ran.values<float>("s"), ElementsAre(4, 16, 36, 1)) << generation;
    EXPECT_THAT(ran.values<float>("p"), ElementsAre(4, 16, 36, 1)) << generation;
    EXPECT_THAT(ran.values<float>("q"), ElementsAre(2, 4, 6, 1)) << generation;
  }
}

TEST(Psum, IsExclusiveToActOrDveOnSunda) {
  constexpr const char* kText = R"(
    .tensor p fp32 [128, 512] psum+0x000 = ones
    .tensor q fp32 [128, 512] psum+0x800 = ones
    .tensor x fp32 [128, 512] sbuf+0x000
    .tensor y fp32 [128, 512] sbuf+0x800
    .engine act
      activate func=copy src=p dst=x
    .engine dve
      copy src=q dst=y
)";
  const Ran shared = run_text(std::string("    .generation sunda\n") + kText);
  const auto act = shared.of(Engine::act).at(0), dve = shared.of(Engine::dve).at(0);
  // Both ask at 0; engine order. 512 cycles of 4 ticks are 2048; DVE's next edge, of 5, is 2050.
  EXPECT_EQ(act.stream_end, 2048U);
  EXPECT_EQ(dve.start, 2050U);
  EXPECT_EQ(dve.stall_cause, StallCause::psum);
  // Other banks from cayman on: together.
  EXPECT_EQ(run_text(std::string("    .generation cayman\n") + kText).of(Engine::dve).at(0).start, 0U);
}

// ---- the accumulators of the activation engine ----------------------------------------------------------------------

TEST(Accumulators, GoOnOverInstructions) {
  // Row sums of 2 x: reset_reduce, 2 + 4; idle leaves it; reduce, + 6 + 8; and of the second partition, tenfold.
  const Ran ran = run_text(R"(
    .tensor x fp32 [2, 4] sbuf+0x00 = [1, 2, 3, 4, 10, 20, 30, 40]
    .tensor y fp32 [2, 4] sbuf+0x10
    .tensor a fp32 [2, 1] sbuf+0x20
    .tensor b fp32 [2, 1] sbuf+0x30
    .tensor c bf16 [2, 1] sbuf+0x40
    .engine act
      activate func=copy scale=2 src=x[:, 0:2] dst=y[:, 0:2] reduce_cmd=reset_reduce
      act_read_accumulator dst=a
      activate func=square src=x dst=y
      activate func=copy scale=2 src=x[:, 2:4] dst=y[:, 2:4] reduce_cmd=reduce
      act_read_accumulator dst=b
      act_read_accumulator dst=c
)");
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_THAT(ran.values<float>("a"), ElementsAre(6, 60));
  EXPECT_THAT(ran.values<float>("b"), ElementsAre(20, 200));
  EXPECT_THAT(ran.values<std::uint16_t>("c"), ElementsAre(0x41A0, 0x4348));
  // The last activation's results lie beside the square's.
  EXPECT_THAT(ran.values<float>("y"), ElementsAre(1, 4, 6, 8, 100, 400, 60, 80));
}

TEST(Accumulators, AreResetToWhatTheOperationLeavesAlone) {
  const Ran ran = run_text(R"(
    .tensor x fp32 [1, 3] sbuf+0x00 = [5, -7, 3]
    .tensor y fp32 [1, 3] sbuf+0x10
    .tensor a fp32 [1, 6] sbuf+0x20
    .engine act
      activate func=copy src=x dst=y reduce_cmd=reset reduce_op=add
      act_read_accumulator dst=a[:, 0:1]
      activate func=copy src=x dst=y reduce_cmd=reset reduce_op=max
      act_read_accumulator dst=a[:, 1:2]
      activate func=copy src=x dst=y reduce_cmd=reduce reduce_op=max
      act_read_accumulator dst=a[:, 2:3]
      activate func=copy src=x dst=y reduce_cmd=reset reduce_op=min
      act_read_accumulator dst=a[:, 3:4]
      activate func=copy src=x dst=y reduce_cmd=reduce reduce_op=min
      act_read_accumulator dst=a[:, 4:5]
      activate func=abs src=x dst=y reduce_cmd=reset_reduce reduce_op=min
      act_read_accumulator dst=a[:, 5:6]
)");
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_THAT(ran.values<float>("a"), ElementsAre(0, -kInfinity, 5, kInfinity, -7, 3));
}

TEST(Accumulators, FoldInOrderAndInFp32) {
  // 2^24 + 1 + 1 stays 2^24, in this order. What is folded is not what bf16 keeps: 257 + 257 = 514, from results that
  // are written as 256.
  const Ran ran = run_text(R"(
    .tensor x fp32 [1, 3] sbuf+0x00 = [16777216, 1, 1]
    .tensor w fp32 [1, 2] sbuf+0x10 = [257]
    .tensor y bf16 [1, 3] sbuf+0x20
    .tensor a fp32 [1, 2] sbuf+0x30
    .engine act
      activate func=copy src=x dst=y reduce_cmd=reset_reduce
      act_read_accumulator dst=a[:, 0:1]
      activate func=copy src=w dst=y[:, 0:2] reduce_cmd=reset_reduce
      act_read_accumulator dst=a[:, 1:2]
)");
  EXPECT_THAT(ran.values<float>("a"), ElementsAre(16777216, 514));
  EXPECT_THAT(ran.values<std::uint16_t>("y"), ElementsAre(0x4380, 0x4380, 0x3F80));
}

TEST(Accumulators, OfTwoEnginesAreTwo) {
  // The vector engine sums 1 + 2, the activation engine 10 + 20.
  const Ran ran = run_text(R"(
    .tensor x fp32 [1, 2] sbuf+0x00 = [1, 2]
    .tensor y fp32 [1, 2] sbuf+0x10
    .tensor z fp32 [1, 2] sbuf+0x20
    .tensor d fp32 [1, 1] sbuf+0x30
    .tensor a fp32 [1, 1] sbuf+0x40
    .semaphore one 1 = 0
    .semaphore two 2 = 0
    .engine dve
      tensor_scalar_cumulative op0=add imm0=0 op1=add src=x dst=y  S[one]++
      dve_read_accumulator dst=d  S[two]>=1
    .engine act
      activate func=copy scale=10 src=x dst=z reduce_cmd=reset_reduce  S[one]>=1 S[two]++
      act_read_accumulator dst=a
)");
  EXPECT_THAT(ran.values<float>("d"), ElementsAre(3));
  EXPECT_THAT(ran.values<float>("a"), ElementsAre(30));
}

// ---- the accumulating forms of the vector engine --------------------------------------------------------------------

TEST(Cumulative, FollowsTheDocument) {
  // From 0: 5 - 0, 3 - 5, 1 - -2; reset_reduce is the default. reduce goes on from 3: 10 - 3. load_reduce from 100.
  const Ran ran = run_text(R"(
    .tensor x fp32 [1, 3] sbuf+0x00 = [5, 3, 1]
    .tensor n fp32 [1, 1] sbuf+0x10 = [10]
    .tensor a fp32 [1, 3] sbuf+0x20
    .tensor b fp32 [1, 3] sbuf+0x30
    .tensor c fp32 [1, 1] sbuf+0x40
    .tensor d fp32 [1, 3] sbuf+0x50
    .engine dve
      tensor_scalar_cumulative op0=add imm0=0 op1=subtract src=x dst=a
      tensor_scalar_cumulative op0=add imm0=0 op1=subtract src=x dst=b reduce_cmd=reset_reduce
      tensor_scalar_cumulative op0=add imm0=0 op1=subtract src=n dst=c reduce_cmd=reduce
      tensor_scalar_cumulative op0=add imm0=0 op1=add imm1=100 src=x dst=d reduce_cmd=load_reduce
)");
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_THAT(ran.values<float>("a"), ElementsAre(5, -2, 3));
  EXPECT_THAT(ran.values<float>("b"), ElementsAre(5, -2, 3));
  EXPECT_THAT(ran.values<float>("c"), ElementsAre(7));
  EXPECT_THAT(ran.values<float>("d"), ElementsAre(105, 108, 109));
}

TEST(Cumulative, GoesOnInTheNextTile) {
  // 1 2 3 4 | 5 6 7 8 and tenfold, from the register or from the last sum, which each partition has its own of.
  const Ran ran = run_text(R"(
    .tensor x fp32 [2, 8] sbuf+0x00 = [1, 2, 3, 4, 5, 6, 7, 8, 10, 20, 30, 40, 50, 60, 70, 80]
    .tensor y fp32 [2, 8] sbuf+0x20
    .tensor z fp32 [2, 8] sbuf+0x40
    .engine dve
      tensor_scalar_cumulative op0=add imm0=0 op1=add src=x[:, 0:4] dst=y[:, 0:4]
      tensor_scalar_cumulative op0=add imm0=0 op1=add src=x[:, 4:8] dst=y[:, 4:8] reduce_cmd=reduce
      tensor_scalar_cumulative op0=add imm0=0 op1=add src=x[:, 0:4] dst=z[:, 0:4]
      tensor_scalar_cumulative op0=add imm0=0 op1=add src=x[:, 4:8] dst=z[:, 4:8] reduce_cmd=load_reduce imm1=z[:, 3]
)");
  EXPECT_EQ(rule_of(ran), "none");
  EXPECT_THAT(ran.values<float>("y"), ElementsAre(1, 3, 6, 10, 15, 21, 28, 36, 10, 30, 60, 100, 150, 210, 280, 360));
  EXPECT_EQ(ran.bytes("z"), ran.bytes("y"));
}

TEST(Cumulative, RefusesWideIntegers) {
  const auto text = [](const char* in, const char* out) {
    return fmt::format(R"(
    .tensor x {} [1, 3] sbuf+0x00 = [5, 3, 1]
    .tensor y {} [1, 3] sbuf+0x10
    .engine dve
      tensor_scalar_cumulative op0=add imm0=0 op1=add src=x dst=y
)",
                       in, out);
  };
  constexpr const char* kRule = "has_valid_tensor_scalar_cache_reduce_dtype";
  EXPECT_EQ(rule_of(run_text(text("int32", "fp32"))), kRule);
  EXPECT_EQ(rule_of(run_text(text("uint32", "fp32"))), kRule);
  EXPECT_EQ(rule_of(run_text(text("fp32", "int32"))), kRule);
  EXPECT_EQ(rule_of(run_text(text("fp32", "uint32"))), kRule);
  EXPECT_EQ(rule_of(run_text(text("int16", "uint8"))), "none");
  EXPECT_THAT(run_text(text("int16", "uint8")).values<std::uint8_t>("y"), ElementsAre(5, 8, 9));
}

// A call of tensor_scalar_cumulative, its src and dst of these dtypes; what it throws.
struct Thrown {
  std::string identifier, validator, parameter, text;
};
Thrown thrown_by(nki::Dtype src, nki::Dtype dst, std::optional<nki::Dtype> immediate = {},
                 nki::ReduceCommand command = nki::ReduceCommand::reset_reduce) {
  nki::Kernel kernel(Generation::cayman);
  const nki::Tile x = kernel.input("x", src, {1, 3}, Zeros{});
  const nki::Tile y = kernel.sbuf(dst, {1, 3});
  const nki::Tile scalar = kernel.input("s", immediate.value_or(nki::Dtype::float32), {1, 1}, Zeros{});
  nki::TensorScalarCumulative call{.src = x, .dst = y, .op0 = nki::Op::add, .op1 = nki::Op::add, .imm0 = scalar};
  call.reduce_cmd = command;
  if (command == nki::ReduceCommand::load_reduce) {
    call.imm0 = 0;
    call.imm1 = scalar;
  }
  try {
    kernel.tensor_scalar_cumulative(call);
  } catch (const nki::Error& error) {
    EXPECT_THAT(kernel.nodes(), IsEmpty());
    return {error.identifier, error.validator, error.parameter, error.what()};
  }
  return {};
}

TEST(Cumulative, CallsRefuseWideIntegersWhenTheyAreLowered) {
  using nki::Dtype;
  for (const Dtype wide : {Dtype::int32, Dtype::uint32}) {
    const Thrown of_src = thrown_by(wide, Dtype::float32), of_dst = thrown_by(Dtype::float32, wide);
    EXPECT_EQ(of_src.identifier, "sema.tensorscalarcumulative");
    EXPECT_EQ(of_src.validator, "");  // no validator knows of it
    EXPECT_EQ(of_src.parameter, "src");
    EXPECT_EQ(of_dst.identifier, "sema.tensorscalarcumulative");
    EXPECT_EQ(of_dst.parameter, "dst");
  }
  EXPECT_EQ(thrown_by(Dtype::int16, Dtype::uint8).identifier, "");
}

TEST(Cumulative, CallsTakeFp32ImmediatesOnly) {
  using nki::Dtype;
  constexpr std::string_view kValidator = "_check_tensor_scalar_cumulative_immediate_values";
  const Thrown first = thrown_by(Dtype::float32, Dtype::float32, Dtype::bfloat16);
  EXPECT_EQ(first.validator, kValidator);
  EXPECT_EQ(first.parameter, "imm0");
  EXPECT_THAT(first.text, HasSubstr("FP32"));
  const Thrown second = thrown_by(Dtype::float32, Dtype::float32, Dtype::float16, nki::ReduceCommand::load_reduce);
  EXPECT_EQ(second.validator, kValidator);
  EXPECT_EQ(second.parameter, "imm1");
  EXPECT_EQ(thrown_by(Dtype::float32, Dtype::float32, Dtype::float32).identifier, "");
  EXPECT_EQ(thrown_by(Dtype::float32, Dtype::float32, {}, nki::ReduceCommand::load_reduce).identifier, "");
}

// ---- warnings -------------------------------------------------------------------------------------------------------

TEST(Warnings, TellOfArgumentsOutsideTheDocumentedRange) {
  // sin(4) and log(0) are outside [-pi, pi] and [2^-64, 2^64], in the second and third activation.
  const Ran ran = run_text(R"(
    .tensor x fp32 [2, 2] sbuf+0x00 = [1, 4, 2, 100]
    .tensor z fp32 [1, 2] sbuf+0x10 = [1, 0]
    .tensor y fp32 [2, 2] sbuf+0x20
    .tensor w fp32 [1, 2] sbuf+0x30
    .engine act
      activate func=exp src=x dst=y
      activate func=sin src=x dst=y
      activate func=log src=z dst=w
)");
  EXPECT_EQ(ran.result.end, RunEnd::done);
  EXPECT_THAT(ran.result.faults, IsEmpty());
  // One for each instruction, however many arguments.
  ASSERT_EQ(ran.result.warnings.size(), 2U);
  const Warning &first = ran.result.warnings[0], &second = ran.result.warnings[1];
  EXPECT_EQ(first.engine, Engine::act);
  EXPECT_EQ(first.pc, 64U);
  EXPECT_EQ(first.line, 8U);
  EXPECT_THAT(first.text, HasSubstr("sin"));
  EXPECT_THAT(first.text, HasSubstr("[-3.1415927, 3.1415927]"));
  EXPECT_EQ(second.pc, 128U);
  EXPECT_EQ(second.line, 9U);
  EXPECT_THAT(second.text, HasSubstr("log"));
  EXPECT_LE(first.at, second.at);
  // The same formula: the binary64 function, rounded.
  const auto sine = [](double x) { return static_cast<float>(std::sin(x)); };
  EXPECT_THAT(ran.values<float>("y"), ElementsAre(sine(1), sine(4), sine(2), sine(100)));
  EXPECT_THAT(ran.values<float>("w"), ElementsAre(0, -kInfinity));
}

TEST(Warnings, KnowTheEndsOfTheRanges) {
  struct Range {
    const char* function;
    double low, high;
  };
  const auto pi = static_cast<double>(3.14159265358979323846F);
  const Range ranges[]{{"log", 0x1p-64, 0x1p64},         {"sin", -pi, pi},           {"arctan", -pi / 2, pi / 2},
                       {"sqrt", 0x1p-116, 0x1p118},      {"rsqrt", 0x1p-87, 0x1p97}, {"reciprocal", 0x1p-42, 0x1p42},
                       {"reciprocal", -0x1p42, -0x1p-42}};
  const auto warnings = [](const Range& range, double x) {
    const Ran ran = run_text(fmt::format(R"(
    .tensor x fp32 [1, 1] sbuf+0x00 = [{}]
    .tensor y fp32 [1, 1] sbuf+0x10
    .engine act
      activate func={} src=x dst=y
)",
                                         static_cast<float>(x), range.function));
    EXPECT_EQ(ran.result.end, RunEnd::done);
    return ran.result.warnings.size();
  };
  const auto beside = [](double x, double to) {
    return static_cast<double>(std::nextafter(static_cast<float>(x), static_cast<float>(to)));
  };
  for (const Range& range : ranges) {
    EXPECT_EQ(warnings(range, range.low), 0U) << range.function << range.low;
    EXPECT_EQ(warnings(range, range.high), 0U) << range.function << range.high;
    EXPECT_EQ(warnings(range, beside(range.low, -1e38)), 1U) << range.function << range.low;
    EXPECT_EQ(warnings(range, beside(range.high, 1e38)), 1U) << range.function << range.high;
  }
}

TEST(Warnings, AreAboutTheArgumentNotTheElement) {
  // 4 x 0.5 is inside, 2 x 0.5 + 3 is not.
  const Ran ran = run_text(R"(
    .tensor x fp32 [1, 1] sbuf+0x00 = [4]
    .tensor w fp32 [1, 1] sbuf+0x10 = [2]
    .tensor y fp32 [1, 1] sbuf+0x20
    .engine act
      activate func=sin scale=0.5 src=x dst=y
      activate func=sin scale=0.5 bias=3 src=w dst=y
)");
  ASSERT_EQ(ran.result.warnings.size(), 1U);
  EXPECT_EQ(ran.result.warnings[0].pc, 64U);
}

// ---- time -----------------------------------------------------------------------------------------------------------

TEST(Cost, OfActivations) {
  const Ran ran = run_text(R"(
    .generation mariana
    .tensor x fp32 [128, 512] sbuf+0x0000 = ones
    .tensor y fp32 [128, 512] sbuf+0x1000
    .tensor h bf16 [128, 512] sbuf+0x2000 = ones
    .tensor g bf16 [128, 512] sbuf+0x3000
    .tensor k bf16 [128, 512] sbuf+0x4000
    .tensor a fp32 [128, 1]   sbuf+0x5000
    .tensor o fp32 [128, 1]   sbuf+0x5010
    .engine act
      activate func=gelu src=x dst=y
      activate func=exp src=h dst=g
      tensor_scalar op0=mult imm0=2 src=h dst=k
      act_read_accumulator dst=a
      activate func=copy src=x[:, 0:1] dst=o
)");
  ASSERT_EQ(rule_of(ran), "none");
  const auto act = ran.of(Engine::act);
  ASSERT_EQ(act.size(), 5U);
  // One element a cycle, whatever its function and dtype; tensor_scalar of 16-bit floats takes half.
  EXPECT_EQ(act[0].stream_cycles, 512U);
  EXPECT_EQ(act[1].stream_cycles, 512U);
  EXPECT_EQ(act[1].mode, PerformanceMode::none);
  EXPECT_EQ(act[2].stream_cycles, 256U);
  EXPECT_EQ(act[2].mode, PerformanceMode::x2);
  EXPECT_EQ(act[3].stream_cycles, 64U);
  EXPECT_EQ(act[4].stream_cycles, 1U);
  for (const InstructionRecord& record : act) {
    EXPECT_EQ(ran.cycles(Engine::act, record.end - record.start), record.stream_cycles + 263U);
  }
}

TEST(Cost, OfDependentActivations) {
  // Of one element: 1 cycle and 263 until it is visible. Independent ones are 64 apart.
  const Ran ran = run_text(R"(
    .tensor x fp32 [128, 2] sbuf+0x00 = ones
    .tensor y fp32 [128, 2] sbuf+0x10
    .engine act
      activate func=copy src=x[:, 0:1] dst=y[:, 0:1]
      activate func=copy src=x[:, 1:2] dst=y[:, 1:2]
      activate func=copy src=y[:, 1:2] dst=x[:, 0:1]
)");
  const auto act = ran.of(Engine::act);
  EXPECT_EQ(ran.cycles(Engine::act, act[1].start), 64U);
  EXPECT_EQ(ran.cycles(Engine::act, act[2].start - act[1].start), 264U);
  EXPECT_EQ(act[2].stall_cause, StallCause::dependency);
  for (Engine engine : kEngines) EXPECT_EQ(ran.result.engines[engine].total(), ran.result.elapsed);
}

// ---- values and times without each other ----------------------------------------------------------------------------

// exp(x / 4) through PSUM, its sums over two instructions, and the shares on the vector engine.
std::string shares(const char* generation) {
  return fmt::format(R"(
    .generation {}
    .tensor x fp32 [128, 256] sbuf+0x0000 = random(9)
    .tensor e fp32 [128, 256] psum+0x0
    .tensor s fp32 [128, 1]   sbuf+0x1000
    .tensor y bf16 [128, 256] sbuf+0x2000
    .semaphore summed 1 = 0
    .engine act
      activate func=exp scale=0.25 src=x[:, 0:100] dst=e[:, 0:100] reduce_cmd=reset_reduce
      activate func=exp scale=0.25 src=x[:, 100:256] dst=e[:, 100:256] reduce_cmd=reduce
      act_read_accumulator dst=s  S[summed]++
    .engine dve
      tensor_scalar op0=divide imm0=s src=e dst=y  S[summed]>=1
)",
                     generation);
}

TEST(Independence, ValuesDoNotDependOnRandomStalls) {
  for (const char* generation : {"sunda", "cayman", "mariana"}) {
    const Ran plain = run_text(shares(generation));
    ASSERT_EQ(rule_of(plain), "none");
    for (const char* seed : {"1", "2", "77"}) {
      const Ran stalled = run_text(shares(generation), {}, {std::string("debug.random_stall_seed=") + seed});
      EXPECT_EQ(stalled.tensors, plain.tensors) << generation << seed;
      EXPECT_NE(stalled.result.elapsed, plain.result.elapsed) << generation << seed;
    }
    RunOptions functional;
    functional.mode = RunMode::functional_only;
    EXPECT_EQ(run_text(shares(generation), functional).tensors, plain.tensors) << generation;
  }
}

TEST(Independence, TimesDoNotDependOnValues) {
  RunOptions timing;
  timing.mode = RunMode::timing_only;
  const Ran full = run_text(shares("cayman")), bare = run_text(shares("cayman"), timing);
  ASSERT_EQ(bare.records.size(), full.records.size());
  EXPECT_EQ(bare.result.elapsed, full.result.elapsed);
  for (std::size_t i = 0; i < full.records.size(); ++i) {
    EXPECT_EQ(bare.records[i].start, full.records[i].start) << i;
    EXPECT_EQ(bare.records[i].stream_end, full.records[i].stream_end) << i;
    EXPECT_EQ(bare.records[i].end, full.records[i].end) << i;
    EXPECT_EQ(bare.records[i].stall, full.records[i].stall) << i;
  }
}

}  // namespace
}  // namespace tpb::test
