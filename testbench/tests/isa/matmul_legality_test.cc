// Rules of LoadStationary and MultiplyMoving.
#include "testbench/tests/isa/judging.h"

namespace tpb::test {
namespace {

const LegalityContext kPe = on(Engine::pe);
const LegalityContext kLoaded = with_stationary(kPe);

constexpr std::uint8_t kFp8e3m4 = 0xD, kFp8e4m3 = 0xE, kFp8e5m2 = 0xF;

// "position/size" in units of 32, as a byte of row_grp or col_grp.
constexpr std::uint8_t group(unsigned position, unsigned size) {
  return static_cast<std::uint8_t>(position | size << 4);
}

TEST(Matmul, IsTheMatrixEngines) {
  for (Generation generation : kGenerations) {
    expect_legal(load_stationary(), on(Engine::pe, generation));
    expect_legal(multiply_moving(), with_stationary(on(Engine::pe, generation)));
  }
  for (Engine engine : {Engine::act, Engine::dve, Engine::pool}) {
    expect_violation(load_stationary(), on(engine), "engine_accepts_opcode", "engine", name_of(engine), "pe");
    expect_violation(multiply_moving(), on(engine), "engine_accepts_opcode", "engine", name_of(engine), "pe");
  }
}

TEST(Matmul, Dtypes) {
  const Codes inputs{kBf16, kFp16, kFp32, kFp32r, kFp8e4m3, kFp8e5m2};
  EXPECT_EQ(legal_values(load_stationary(), &S3D3_MM::in_dtype, kPe), inputs);
  EXPECT_EQ(legal_values(multiply_moving(), &S3D3_MM::in_dtype, kLoaded), inputs);
  EXPECT_EQ(legal_values(multiply_moving(), &S3D3_MM::out_dtype, kLoaded), Codes{kFp32});
  EXPECT_EQ(legal_values(multiply_moving(), &S3D3_MM::out_dtype, with_stationary(on(Engine::pe, Generation::mariana))),
            (Codes{kFp32, kBf16}));
}

TEST(Matmul, Modes) {
  for (const S3D3_MM& legal : {load_stationary(), multiply_moving()}) {
    EXPECT_EQ(legal_values(legal, &S3D3_MM::fp32_mode, kLoaded), (Codes{0, 1}));
    const S3D3_MM narrow = changed(legal, [](auto& b) { b.in_dtype = kBf16; });
    EXPECT_EQ(legal_values(narrow, &S3D3_MM::fp32_mode, kLoaded), Codes{0});
  }
  EXPECT_EQ(legal_values(load_stationary(), &S3D3_MM::perf_opt, kPe), (Codes{0, 1, 2, 3}));
  EXPECT_EQ(legal_values(multiply_moving(), &S3D3_MM::accum_flags, kLoaded), (Codes{0, 1, 2, 3}));
  // A transpose adds to nothing: it begins. It is one of a stationary that was loaded for it.
  const LegalityContext transposing = with_stationary(kPe, 128, 128, true);
  const S3D3_MM transpose = changed(multiply_moving(), [](auto& b) { b.perf_opt = 2, b.accum_flags = 1; });
  EXPECT_EQ(legal_values(multiply_moving(), &S3D3_MM::perf_opt, kLoaded), (Codes{0, 1}));
  EXPECT_EQ(legal_values(transpose, &S3D3_MM::perf_opt, transposing), (Codes{2, 3}));
  EXPECT_EQ(legal_values(transpose, &S3D3_MM::accum_flags, transposing), (Codes{1, 3}));
}

// Every tile that a load of 32 x 32 may take.
Codes tiles(std::uint8_t S3D3_MM::*field, Generation generation) {
  return legal_values(load_stationary(32, 32), field, on(Engine::pe, generation));
}

TEST(Matmul, TilesLieInTheArray) {
  // The whole, or 32 at 0 32 64 96, 64 at 0 32 64, 128 at 0.
  const Codes wide{group(0, 0), group(0, 2), group(1, 2), group(2, 2), group(0, 4)};
  const Codes all = with(wide, {group(0, 1), group(1, 1), group(2, 1), group(3, 1)});
  EXPECT_EQ(tiles(&S3D3_MM::row_grp, Generation::cayman), all);
  EXPECT_EQ(tiles(&S3D3_MM::col_grp, Generation::cayman), all);
  // sunda's rows are not cut into 32.
  EXPECT_EQ(tiles(&S3D3_MM::row_grp, Generation::sunda), wide);
  EXPECT_EQ(tiles(&S3D3_MM::col_grp, Generation::sunda), all);
}

TEST(Matmul, AnOperandFillsATileAtMost) {
  S3D3_MM bundle = load_stationary(64, 32);
  bundle.row_grp = group(2, 2);
  bundle.col_grp = group(3, 1);
  expect_legal(bundle, kPe);
}

TEST(Matmul, PartitionsStartWhereTheyMay) {
  // 32 rows from partition 96, 64 columns to partition 64.
  S3D3_MM bundle = multiply_moving();
  bundle.rows = 32;
  bundle.cols = 64;
  bundle.src.start_addr = 96 * 0x40000;
  bundle.dst.start_addr = kPsumBase + 64 * kPsumPartitionStride;
  expect_legal(bundle, with_stationary(kPe, 32, 64));
  bundle.dst.start_addr = kPsumBase + 32 * kPsumPartitionStride;
  expect_violation(bundle, with_stationary(kPe, 32, 64), "start_addr_active_channels", "dst.start_addr", "0x02100000",
                   "0 or 64 for 64 channels, this is 32");
}

TEST(Matmul, MovesUpTo512) {
  S3D3_MM bundle = multiply_moving();
  bundle.src = {0x1000, {1, 1, 1}, {512, 1, 1}};
  bundle.dst = {kPsumBase + 0x800, {1, 1, 1}, {512, 1, 1}};
  expect_legal(bundle, kLoaded);
}

TEST(Matmul, TheLastLoadCounts) {
  StreamState state = state_after(load_stationary(64, 96), {}, {});
  EXPECT_EQ(state.stationary, (Stationary{64, 96, false}));
  state = state_after(changed(load_stationary(32, 32), [](auto& b) { b.perf_opt = 2; }), state, {});
  state = state_after(multiply_moving(), state, {});
  EXPECT_EQ(state.stationary, (Stationary{32, 32, true}));
}

// What both have.
void every_s3d3_mm(Mutations& all, const S3D3_MM& legal) {
  Breaking any(all, legal, kLoaded);
  any.by([](auto& b) { b.rows = 0; }, "check_active_rows", "rows", "0", "1..128");
  any.by([](auto& b) { b.rows = 129; }, "check_active_rows", "rows", "129", "1..128");
  any.by([](auto& b) { b.cols = 0; }, "check_active_columns", "cols", "0", "1..128");
  any.by([](auto& b) { b.cols = 129; }, "check_active_columns", "cols", "129", "1..128");
  for (const auto& [first, last] : {std::pair{12U, 15U}, {36U, 37U}, {40U, 42U}, {46U, 46U}}) {
    any.reserved(first, last, "s3d3_mm_reserved_zero");
  }
  any.by([](auto& b) { b.psum_zero = 1; }, "has_valid_psum_zero", "psum_zero", "1", "0");
  any.by([](auto& b) { b.in_dtype = kFp8e3m4; }, "has_valid_matmul_in_dtype", "in_dtype", "fp8_e3m4",
         "bf16, fp16, fp32, fp32r, fp8_e4m3 or fp8_e5m2");
  any.by([](auto& b) { b.in_dtype = kInt32; }, "has_valid_matmul_in_dtype", "in_dtype", "int32", "bf16");
  any.by([](auto& b) { b.fp32_mode = 2; }, "has_valid_fp32_mode", "fp32_mode", "2", "0 or 1 (tfloat32)");
  any.by([](auto& b) { b.perf_opt = 4; }, "has_valid_perf_opt", "perf_opt", "4", "0..3");
  any.operand(&S3D3_MM::src, "src", "tensor3d_valid");
  any.no_psum(&S3D3_MM::src, "src", "tensor3d_valid");
  Breaking narrow(all, changed(legal, [](auto& b) { b.in_dtype = kFp16; }), kLoaded);
  narrow.by([](auto& b) { b.fp32_mode = 1; }, "has_valid_fp32_mode", "fp32_mode", "1", "in_dtype is not fp32");
}

}  // namespace

Mutations matmul_mutations() {
  Mutations all;
  every_s3d3_mm(all, load_stationary());
  every_s3d3_mm(all, multiply_moving());

  // A load has no result.
  Breaking load(all, load_stationary(), kPe);
  for (const auto& [first, last] : {std::pair{34U, 34U}, {43U, 43U}, {48U, 63U}}) {
    load.reserved(first, last, "s3d3_mm_reserved_zero");
  }
  load.by([](auto& b) { b.src.num[0] = 127; }, "load_stationary_element_count_check", "src.num_elem", "127",
          "128 elements (cols)");
  const std::string tile = "pe_tiling_position_size_check";
  Breaking small(all, load_stationary(32, 32), kPe);
  small.by([](auto& b) { b.row_grp = group(3, 2); }, tile, "row_grp", "position 96, size 64", "at most 128");
  small.by([](auto& b) { b.col_grp = group(1, 4); }, tile, "col_grp", "position 32, size 128", "at most 128");
  small.by([](auto& b) { b.row_grp = group(0, 3); }, tile, "row_grp", "position 0, size 96", "size 32, 64 or 128");
  small.by([](auto& b) { b.col_grp = group(1, 0); }, tile, "col_grp", "position 32, size 0", "size 32, 64 or 128");
  Breaking sunda(all, changed(load_stationary(32, 32), [](auto& b) { b.row_grp = group(2, 2); }),
                 on(Engine::pe, Generation::sunda));
  sunda.by([](auto& b) { b.row_grp = group(2, 1); }, tile, "row_grp", "position 64, size 32", "size 64 or 128");
  Breaking cut(all, changed(load_stationary(64, 32), [](auto& b) { b.row_grp = group(0, 2), b.col_grp = group(0, 1); }),
               kPe);
  cut.by([](auto& b) { b.rows = 65; }, "pe_tiling_shape_check", "rows", "65", "at most 64");
  cut.by([](auto& b) { b.cols = 33; }, "pe_tiling_shape_check", "cols", "33", "at most 32");

  // A product uses the tile that is loaded.
  Breaking product(all, multiply_moving(), kLoaded);
  product.reserved(44, 45, "s3d3_mm_reserved_zero");
  product.by([](auto& b) { b.out_dtype = kFp32r; }, "has_valid_matmul_out_dtype", "out_dtype", "fp32r", "fp32");
  product.by([](auto& b) { b.out_dtype = kBf16; }, "has_valid_matmul_out_dtype", "out_dtype", "bf16",
             "bf16 is mariana's and later");
  product.by([](auto& b) { b.accum_flags = 4; }, "has_valid_accum_flags", "accum_flags", "4", "1 (begin)");
  product.by([](auto& b) { b.dst.start_addr += kPsumPartitionStride; }, "start_addr_active_channels", "dst.start_addr",
             "0x02008000", "this is 1");
  product.by([](auto& b) { b.dst.start_addr = 0x8000'0001; }, "indirection_not_modelled", "dst.start_addr",
             "0x80000001", "an immediate address");
  product.by([](auto& b) { b.dst.start_addr = 0x4000; }, "tensor3d_valid", "dst.start_addr", "0x00004000", "PSUM");
  product.by([](auto& b) { b.dst.num[0] = 0; }, "tensor3d_valid", "dst.num_elem[0]", "0", "1..65535");
  product.by([](auto& b) { b.dst.start_addr += 15 * 1024 + 4; }, "tensor3d_valid", "dst",
             "bytes 15364..16387 of a partition", "0..16383");
  product.by([](auto& b) { b.src.num[2] = 3; }, "multiply_moving_element_count_check", "src.num_elem", "768", "1..512");
  product.by([](auto& b) { b.dst.num[0] = 255; }, "same_element_count_t3d", "dst.num_elem", "255",
             "256 elements (src)");
  product.in(kPe, "load_stationary_missing", "stationary", "none", "load_stationary missing");
  product.in(with_stationary(kPe, 64, 128), "stationary_shape_check", "rows,cols", "128,128", "64,128: those of");
  product.by([](auto& b) { b.cols = 64; }, "stationary_shape_check", "rows,cols", "128,64", "128,128: those of");
  Breaking transpose(all, changed(multiply_moving(), [](auto& b) { b.perf_opt = 2, b.accum_flags = 1; }),
                     with_stationary(kPe, 128, 128, true));
  transpose.by([](auto& b) { b.accum_flags = 2; }, "transpose_accumulation_check", "accum_flags", "2",
               "1 (begin) or 3 (single)");
  transpose.in(kLoaded, "stationary_transpose_check", "perf_opt", "2", "no transpose");
  product.in(with_stationary(kPe, 128, 128, true), "stationary_transpose_check", "perf_opt", "0", "a transpose");
  return all;
}

}  // namespace tpb::test
