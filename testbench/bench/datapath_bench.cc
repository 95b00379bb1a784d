// Rows per second of every kind of instruction, next to a plain copy of the same rows: 128 partitions x 512 elements.
// Counters: items per second are elements per second, of a matrix product multiply-accumulates; `of_copy` is the time
// of a plain copy of the first source's bytes over the time of the instruction.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <string>
#include <vector>

#include "models/datapath/execute.h"
#include "models/datapath/matmul.h"
#include "models/isa/activation.h"
#include "models/isa/alu_op.h"
#include "models/isa/dtype.h"

namespace tpb {
namespace {

constexpr unsigned kElements = 512;  // per partition

// Two sources and a destination, one after another in one memory.
struct Rows {
  // Whole rows aligned to cache lines, as memories keep them.
  struct alignas(64) Line {
    std::array<std::uint32_t, 16> words;
  };
  std::vector<Line> lines = std::vector<Line>(std::size_t{3} * kElements * kLanes / 16);
  std::uint32_t* const words = lines.data()->words.data();
  Scratch scratch;

  explicit Rows(Dtype dtype) {
    // Ones and twos of the dtype: neither NaN nor subnormal, and no exponent that runs away in a product.
    for (std::size_t i = 0; i < lines.size() * 16; ++i) {
      const auto odd = static_cast<std::uint32_t>(i * 2654435761U >> 13 & 1U);
      switch (bytes_of(dtype)) {
        case 4:
          words[i] = is_integer(dtype) ? 1 + odd : 0x3F800000U + (odd << 22);
          break;
        case 2:
          words[i] = 0x3C003C00U + odd;
          break;
        default:
          words[i] = 0x38383838U + odd;
          break;
      }
    }
  }
  RowView view(unsigned operand, Dtype dtype, std::array<std::uint32_t, 4> num, std::array<std::int32_t, 4> step) {
    RowView view;
    view.words = words;
    view.byte_offset = operand * kElements * 4;
    view.lanes = kLanes;
    view.dtype = dtype;
    view.walk.num = num;
    view.walk.step = step;
    return view;
  }
  RowView dense(unsigned operand, Dtype dtype, unsigned elements = kElements) {
    return view(operand, dtype, {elements, 1, 1, 1}, {1, 1, 1, 1});
  }
};

// Seconds of a plain copy of `bytes` bytes of rows, measured once per size.
double copy_seconds(std::size_t bytes) {
  std::vector<std::uint32_t> from(bytes / 4, 1), to(bytes / 4);
  double best = 1;
  for (int i = 0; i < 200; ++i) {
    const auto start = std::chrono::steady_clock::now();
    std::memcpy(to.data(), from.data(), bytes);
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

void run(benchmark::State& state, const Instruction& instruction, Engine engine, const OperandViews& views,
         Scratch& scratch) {
  LaneState lanes;
  for (auto _ : state) {
    execute(instruction, engine, {}, views, lanes, scratch);
    benchmark::ClobberMemory();
  }
  const double elements = static_cast<double>(views.source[0].walk.elements()) * kLanes;
  state.SetItemsProcessed(static_cast<std::int64_t>(elements) * static_cast<std::int64_t>(state.iterations()));
  const double copy = copy_seconds(static_cast<std::size_t>(elements) * bytes_of(views.source[0].dtype));
  state.counters["of_copy"] =
      benchmark::Counter(copy * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void tensor_tensor(benchmark::State& state, AluOp op, Dtype dtype, Engine engine) {
  Rows rows(dtype);
  S3S3D3_TT bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::tensor_tensor_arith);
  bundle.op = static_cast<std::uint8_t>(op);
  OperandViews views;
  views.source = {rows.dense(0, dtype), rows.dense(1, dtype)};
  views.destination[0] = rows.dense(2, dtype);
  run(state, bundle, engine, views, rows.scratch);
}

void tensor_reduce(benchmark::State& state, AluOp op, Dtype dtype, Opcode role) {
  Rows rows(dtype);
  S4D4_TR bundle{};
  bundle.frame.opcode = wire_of(static_cast<std::uint8_t>(role), {});
  bundle.op = static_cast<std::uint8_t>(op);
  bundle.op_dim = 2;
  OperandViews views;
  views.source[0] = rows.dense(0, dtype);
  views.destination[0] = rows.dense(2, dtype, 1);
  run(state, bundle, Engine::dve, views, rows.scratch);
}

void pool(benchmark::State& state, PoolFunction function, Dtype dtype) {
  Rows rows(dtype);
  S4D4_PL bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::pool);
  bundle.pool_func = static_cast<std::uint8_t>(function);
  bundle.pool_scale = function == PoolFunction::average ? 0.25F : 1.0F;
  OperandViews views;
  // 2 x 2 windows of an image of 16 rows of 32.
  views.source[0] = rows.view(0, dtype, {2, 2, 16, 8}, {1, 32, 2, 64});
  views.destination[0] = rows.dense(2, dtype, kElements / 4);
  run(state, bundle, Engine::pool, views, rows.scratch);
}

void copy(benchmark::State& state, Dtype from, Dtype to) {
  Rows rows(from);
  S4D4_TR bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::copy);
  OperandViews views;
  views.source[0] = rows.dense(0, from);
  views.destination[0] = rows.dense(2, to);
  run(state, bundle, Engine::dve, views, rows.scratch);
}

// One or two sources of kElements, and a destination of `results` elements.
template <class BundleLayout>
void instruction(benchmark::State& state, BundleLayout bundle, Opcode opcode, unsigned sources, Dtype dtype,
                 std::uint32_t results, Dtype result_dtype) {
  Rows rows(dtype);
  bundle.frame.opcode = wire_of(static_cast<std::uint8_t>(opcode), {});
  OperandViews views;
  for (unsigned i = 0; i < sources; ++i) views.source[i] = rows.dense(i, dtype);
  views.destination[0] = rows.dense(2, result_dtype, results);
  if (opcode == Opcode::cross_lane_reduce_arith) views.destination[0].lanes = 1;
  run(state, bundle, opcode == Opcode::cross_lane_reduce_arith ? Engine::pool : Engine::dve, views, rows.scratch);
}

// Of values between -4 and 4 that are mostly near zero, as a network has them; of positive ones where it must be.
void activation(benchmark::State& state, Activation function, Dtype dtype) {
  Rows rows(dtype);
  const bool positive = function == Activation::log || function == Activation::sqrt || function == Activation::rsqrt;
  for (std::size_t i = 0; i < rows.lines.size() * 16; ++i) {
    const auto hash = static_cast<std::uint32_t>(i * 2654435761U);
    const float part = static_cast<float>(hash >> 8) * 0x1p-23F - 1.0F;
    const std::uint32_t word = std::bit_cast<std::uint32_t>(4.0F * part * part * part);
    const std::uint32_t signless = positive ? word & 0x7FFF'FFFFU : word;
    rows.words[i] = dtype == Dtype::bf16 ? (signless & 0xFFFF'0000U) | signless >> 16 : signless;
  }
  S3D3_AC bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::activate);
  bundle.func = static_cast<std::uint8_t>(function);
  bundle.in_bias_dtype = static_cast<std::uint8_t>(Dtype::fp32) << 4;
  bundle.scale = 0x3F80'0000;
  OperandViews views;
  views.source[0] = rows.dense(0, dtype);
  views.destination[0] = rows.dense(2, dtype);
  run(state, bundle, Engine::act, views, rows.scratch);
}

// A whole stationary tile and kElements moving elements; loading it is another row.
void matmul(benchmark::State& state, Dtype dtype, bool accumulate) {
  Rows rows(dtype);
  StationaryTile tile;
  load_stationary({}, rows.dense(0, dtype, kLanes), tile, rows.scratch);
  const RowView moving = rows.dense(1, dtype), sums = rows.dense(2, Dtype::fp32);
  for (auto _ : state) {
    multiply_moving({accumulate, false}, tile, moving, sums, rows.scratch);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(kElements) * kLanes * kLanes *
                          static_cast<std::int64_t>(state.iterations()));
}
void stationary(benchmark::State& state, Dtype dtype) {
  Rows rows(dtype);
  StationaryTile tile;
  for (auto _ : state) {
    load_stationary({}, rows.dense(0, dtype, kLanes), tile, rows.scratch);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(kLanes) * kLanes * static_cast<std::int64_t>(state.iterations()));
}

void register_engines(Dtype dtype) {
  const auto name = [&](std::string_view kind) { return fmt::format("{}/{}", kind, name_of(dtype)); };
  for (const ActivationInfo& info : activations()) {
    benchmark::RegisterBenchmark(name(fmt::format("activate/{}", info.name)).c_str(), activation, info.code, dtype);
  }
  benchmark::RegisterBenchmark(name("load_stationary").c_str(), stationary, dtype);
  benchmark::RegisterBenchmark(name("multiply_moving").c_str(), matmul, dtype, false);
  benchmark::RegisterBenchmark(name("multiply_moving/accumulate").c_str(), matmul, dtype, true);
}

void register_families(Dtype dtype) {
  const auto add = [&](const std::string& name, auto bundle, Opcode opcode, unsigned sources, std::uint32_t results,
                       Dtype result) {
    benchmark::RegisterBenchmark(fmt::format("{}/{}", name, name_of(dtype)).c_str(), [=](benchmark::State& state) {
      instruction(state, bundle, opcode, sources, dtype, results, result);
    });
  };
  S3D3_TS scalar{};
  scalar.op0 = static_cast<std::uint8_t>(AluOp::mult);
  scalar.op1 = static_cast<std::uint8_t>(AluOp::add);
  scalar.imm0 = scalar.imm1 = 0x3F80'0001;  // just above one
  add("tensor_scalar/mult_add", scalar, Opcode::tensor_scalar_arith, 1, kElements, dtype);
  add("tensor_scalar_cumulative/mult_add", scalar, Opcode::tensor_scalar_cumulative, 1, kElements, dtype);
  add("tensor_scalar_reduce/mult_add", scalar, Opcode::tensor_scalar_cache_reduce, 1, kElements, dtype);
  S2S2D2_STT tensors{};
  tensors.op0 = static_cast<std::uint8_t>(AluOp::mult);
  tensors.op1 = static_cast<std::uint8_t>(AluOp::add);
  tensors.imm0_dtype = static_cast<std::uint8_t>(Dtype::fp32);
  add("scalar_tensor_tensor/mult_add", tensors, Opcode::scalar_tensor_tensor_arith, 2, kElements, dtype);
  add("tensor_tensor_scan/mult_add", tensors, Opcode::tensor_tensor_scan, 2, kElements, dtype);
  add("max8", S4D2_BN{}, Opcode::max8, 1, 8, dtype);
  add("find_index8", S4D2_BN{}, Opcode::find_index8, 1, 8, Dtype::uint32);
  S4D4_CR lanes{};
  lanes.reduce_axis = 1;
  add("cross_lane_reduce/add", lanes, Opcode::cross_lane_reduce_arith, 1, kElements, dtype);
  add("reciprocal", S4D4_TR{}, Opcode::reciprocal, 1, kElements, dtype);
  add("stream_transpose", S4D4_TR{}, Opcode::stream_transpose, 1, kElements, dtype);
}

void register_all() {
  for (const Dtype dtype : {Dtype::fp32, Dtype::bf16}) {
    register_families(dtype);
    register_engines(dtype);
  }
  const auto name = [](std::string_view kind, std::string_view op, Dtype dtype) {
    return std::string(kind) + "/" + std::string(op) + "/" + std::string(name_of(dtype));
  };
  for (const Dtype dtype : {Dtype::fp32, Dtype::bf16, Dtype::fp16, Dtype::int32, Dtype::int16, Dtype::fp8_e4m3}) {
    for (const AluOpInfo& op : alu_ops()) {
      // The arithmetic operations that 0x41 takes.
      if (op.family != AluFamily::arithmetic || op.code == AluOp::crc32 || op.code == AluOp::rsqrt ||
          op.code == AluOp::symmetric_clamp) {
        continue;
      }
      benchmark::RegisterBenchmark(name("tensor_tensor", op.name, dtype).c_str(), tensor_tensor, op.code, dtype,
                                   Engine::dve);
    }
    for (const AluOp op : {AluOp::add, AluOp::max, AluOp::abs_max, AluOp::mult}) {
      benchmark::RegisterBenchmark(name("tensor_reduce",
                                        op == AluOp::add    ? "add"
                                        : op == AluOp::max  ? "max"
                                        : op == AluOp::mult ? "mult"
                                                            : "abs_max",
                                        dtype)
                                       .c_str(),
                                   tensor_reduce, op, dtype, Opcode::tensor_reduce_arith);
    }
    benchmark::RegisterBenchmark(name("pool", "max", dtype).c_str(), pool, PoolFunction::max, dtype);
    benchmark::RegisterBenchmark(name("pool", "average", dtype).c_str(), pool, PoolFunction::average, dtype);
    benchmark::RegisterBenchmark(name("copy", "same", dtype).c_str(), copy, dtype, dtype);
    benchmark::RegisterBenchmark(name("copy", "to_fp32", dtype).c_str(), copy, dtype, Dtype::fp32);
    benchmark::RegisterBenchmark(name("copy", "to_bf16", dtype).c_str(), copy, dtype, Dtype::bf16);
    benchmark::RegisterBenchmark(name("copy", "to_int16", dtype).c_str(), copy, dtype, Dtype::int16);
  }
  for (const Dtype dtype : {Dtype::int32, Dtype::int16}) {
    for (const AluOpInfo& op : alu_ops()) {
      if (op.family != AluFamily::integer && op.code != AluOp::pow && op.code != AluOp::relu) continue;
      benchmark::RegisterBenchmark(name("exact", op.name, dtype).c_str(), tensor_tensor, op.code, dtype, Engine::pool);
    }
    for (const AluOp op : {AluOp::bitwise_xor, AluOp::logical_shift_left}) {
      benchmark::RegisterBenchmark(name("tensor_reduce", op == AluOp::bitwise_xor ? "xor" : "shift", dtype).c_str(),
                                   tensor_reduce, op, dtype, Opcode::tensor_reduce_bitvec);
    }
    benchmark::RegisterBenchmark(name("tensor_reduce", "mod_int", dtype).c_str(), tensor_reduce, AluOp::mod_int, dtype,
                                 Opcode::tensor_reduce_arith);
  }
}

}  // namespace
}  // namespace tpb

int main(int argc, char** argv) {
  tpb::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
