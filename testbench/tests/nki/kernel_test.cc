// Kernels that run: values of the intrinsics on their engines, and the order of what engines share.
#include "models/program/assembler.h"
#include "models/program/image.h"
#include "testbench/tests/nki/kernels.h"

namespace tpb::nki {
namespace {

using test::Ran;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

// Waits of every engine's bundles, as "engine>=count".
std::vector<std::string> waits(const Program& program) {
  std::vector<std::string> all;
  for (const tpb::Engine engine : kEngines) {
    for (const Bundle& bundle : program.sections[engine].bundles) {
      if (bundle[4] == 0) continue;
      all.push_back(std::string(name_of(engine)) + " waits for " + std::string(name_of(kEngines[bundle[5]])) +
                    ">=" + std::to_string(bundle[8]));
    }
  }
  return all;
}

// What the header shows.
TEST(Example, IsASoftmaxOfHalves) {
  nki::Kernel kernel(Generation::cayman);
  const nki::Tile x = kernel.input("x", nki::Dtype::float32, {128, 512}, RandomValues{1});
  const nki::Tile e = kernel.activation({.op = nki::Op::exp, .data = x, .scale = 0.5});  // exp(x / 2)
  const nki::Tile sum = kernel.sbuf(nki::Dtype::float32, {128, 1});
  kernel.tensor_reduce({.op = nki::Op::add, .data = e, .dst = sum});
  const nki::Tile y = kernel.tensor_scalar({.data = e, .op0 = nki::Op::divide, .operand0 = sum});
  kernel.output("y", y);
  const Program program = kernel.program();

  const std::vector<float> shares = test::run_program(program, kernel.config()).values<float>("y");
  const float all = std::accumulate(shares.begin(), shares.begin() + 512, 0.0F);
  EXPECT_NEAR(all, 1.0F, 1e-4F);
}

// --- the intrinsics --------------------------------------------------------------------------------------------------

TEST_F(Kernels, ActivationScalesAddsAndReduces) {
  const Tile data = input({2, 4}, {0, 1, 2, 3, -4, -5, 6, 7});
  const Tile bias = input({2, 1}, {1, 2});
  const Tile sum = kernel_.sbuf(Dtype::float32, {2, 1});
  const Tile out = kernel_.activation({.op = Op::relu,
                                       .data = data,
                                       .bias = bias,
                                       .scale = 2.0,
                                       .reduce_op = Op::add,
                                       .reduce_res = sum,
                                       .reduce_cmd = ReduceCommand::reset_reduce});
  kernel_.output("sum", sum);
  kernel_.output("out", out);
  const Ran ran = run(kernel_);
  // max(2 x + bias, 0): 1 3 5 7, sum 16; and 0 0 14 16, sum 30.
  EXPECT_THAT(ran.values<float>("out"), ElementsAre(1, 3, 5, 7, 0, 0, 14, 16));
  EXPECT_THAT(ran.values<float>("sum"), ElementsAre(16, 30));
}

TEST_F(Kernels, ActivationReduceResetsFirst) {
  const Tile data = input({1, 3}, {1, 5, 3});
  const Tile most = kernel_.sbuf(Dtype::float32, {1, 1});
  kernel_.activation_reduce({.op = Op::square, .data = data, .reduce_op = Op::maximum, .reduce_res = most});
  kernel_.activation_reduce({.op = Op::copy, .data = data, .reduce_op = Op::maximum, .reduce_res = most});
  EXPECT_THAT(result(most), ElementsAre(5));
}

TEST_F(Kernels, TensorTensorOnVectorAndGpsimd) {
  const Tile a = input({1, 3}, {1, 2, 16777216}, Dtype::int32);
  const Tile b = input({1, 3}, {1, 3, 1}, Dtype::int32);
  const Tile exact = kernel_.tensor_tensor({.data1 = a, .data2 = b, .op = Op::add});
  const Tile rounded = kernel_.tensor_tensor({.data1 = a, .data2 = b, .op = Op::add, .engine = Engine::vector});
  kernel_.output("exact", exact);
  kernel_.output("rounded", rounded);
  const Ran ran = run(kernel_);
  // 2^24 + 1 is no float32.
  EXPECT_THAT(ran.values<std::int32_t>("exact"), ElementsAre(2, 5, 16777217));
  EXPECT_THAT(ran.values<std::int32_t>("rounded"), ElementsAre(2, 5, 16777216));
}

TEST_F(Kernels, TensorScalarOnThreeEngines) {
  const Tile data = input({2, 2}, {1, 4, 16, 64});
  const Tile factor = input({2, 1}, {2, 3});
  const Tile vector =
      kernel_.tensor_scalar({.data = data, .op0 = Op::subtract, .operand0 = 1.0, .reverse0 = true});  // 1 - x
  const Tile scalar = kernel_.tensor_scalar(
      {.data = data, .op0 = Op::multiply, .operand0 = factor, .op1 = Op::add, .operand1 = 1, .engine = Engine::scalar});
  const Tile gpsimd = kernel_.tensor_scalar({.data = data, .op0 = Op::rsqrt, .operand0 = 0});
  const Tile negated = kernel_.tensor_scalar({.data = data, .op0 = Op::negate, .operand0 = 0});
  kernel_.output("vector", vector);
  kernel_.output("scalar", scalar);
  kernel_.output("gpsimd", gpsimd);
  kernel_.output("negated", negated);
  const Ran ran = run(kernel_);
  EXPECT_THAT(ran.values<float>("vector"), ElementsAre(0, -3, -15, -63));
  EXPECT_THAT(ran.values<float>("scalar"), ElementsAre(3, 9, 49, 193));
  EXPECT_THAT(ran.values<float>("gpsimd"), ElementsAre(1, 0.5, 0.25, 0.125));
  EXPECT_THAT(ran.values<float>("negated"), ElementsAre(-1, -4, -16, -64));
}

TEST_F(Kernels, TensorScalarOnBits) {
  const Tile data = input({1, 4}, {0, 1, 6, 255}, Dtype::uint8);
  const Tile masked = kernel_.tensor_scalar(
      {.data = data, .op0 = Op::left_shift, .operand0 = 1, .op1 = Op::bitwise_and, .operand1 = 12});
  const Tile inverted = kernel_.tensor_scalar({.data = data, .op0 = Op::logical_not, .operand0 = 0});
  kernel_.output("masked", masked);
  kernel_.output("inverted", inverted);
  const Ran ran = run(kernel_);
  EXPECT_THAT(ran.values<std::uint8_t>("masked"), ElementsAre(0, 0, 12, 12));
  EXPECT_THAT(ran.values<std::uint8_t>("inverted"), ElementsAre(1, 0, 0, 0));
}

TEST_F(Kernels, TheAccumulatingForms) {
  const Tile data = input({1, 3}, {5, 3, 1});
  const Tile sum = kernel_.sbuf(Dtype::float32, {1, 1});
  const Tile doubled = kernel_.tensor_scalar_reduce(
      {.data = data, .op0 = Op::multiply, .operand0 = 2, .reduce_op = Op::add, .reduce_res = sum});
  // The document's example: add 0, then subtract the register, from 0: 5, 3 - 5, 1 - -2.
  const Tile running = kernel_.sbuf(Dtype::float32, {1, 3});
  kernel_.tensor_scalar_cumulative({.src = data, .dst = running, .op0 = Op::add, .op1 = Op::subtract, .imm0 = 0});
  // From 100: 105, 108, 109.
  const Tile loaded = kernel_.sbuf(Dtype::float32, {1, 3});
  kernel_.tensor_scalar_cumulative({.src = data,
                                    .dst = loaded,
                                    .op0 = Op::add,
                                    .op1 = Op::add,
                                    .imm0 = 0,
                                    .imm1 = 100,
                                    .reduce_cmd = ReduceCommand::load_reduce});
  kernel_.output("doubled", doubled);
  kernel_.output("sum", sum);
  kernel_.output("running", running);
  kernel_.output("loaded", loaded);
  const Ran ran = run(kernel_);
  EXPECT_THAT(ran.values<float>("doubled"), ElementsAre(10, 6, 2));
  EXPECT_THAT(ran.values<float>("sum"), ElementsAre(18));
  EXPECT_THAT(ran.values<float>("running"), ElementsAre(5, -2, 3));
  EXPECT_THAT(ran.values<float>("loaded"), ElementsAre(105, 108, 109));
}

TEST_F(Kernels, TwoTensorsWithAScalar) {
  const Tile a = input({1, 3}, {1, 2, 3});
  const Tile b = input({1, 3}, {10, 20, 30});
  const Tile both = kernel_.scalar_tensor_tensor(
      {.data = a, .op0 = Op::add, .operand0 = 1, .op1 = Op::subtract, .operand1 = b, .reverse1 = true});
  // r = r a + b from 1: 11, 42, 156.
  const Tile scan =
      kernel_.tensor_tensor_scan({.data0 = a, .data1 = b, .initial = 1, .op0 = Op::multiply, .op1 = Op::add});
  const Tile inverse = kernel_.reciprocal({.data = b, .dtype = Dtype::float16});
  kernel_.output("both", both);
  kernel_.output("scan", scan);
  kernel_.output("inverse", inverse);
  const Ran ran = run(kernel_);
  EXPECT_THAT(ran.values<float>("both"), ElementsAre(8, 17, 26));  // b - (a + 1)
  EXPECT_THAT(ran.values<float>("scan"), ElementsAre(11, 42, 156));
  EXPECT_THAT(ran.values<std::uint16_t>("inverse"), ElementsAre(0x2E66, 0x2A66, 0x2844));  // 1/10, 1/20, 1/30
}

// --- the builder's own -----------------------------------------------------------------------------------------------

TEST_F(Kernels, ReducesPoolsAndSearches) {
  const Tile data = input({1, 4, 4}, counting(16));
  const Tile rows = kernel_.tensor_reduce({.op = Op::add, .data = data});            // 6, 22, 38, 54
  const Tile all = kernel_.tensor_reduce({.op = Op::add, .data = data, .axes = 2});  // 120
  const Tile windows = data.windows(2, 2, 2);
  const Tile most = kernel_.pool({.data = windows});
  const Tile mean = kernel_.pool({.data = windows, .average = true, .engine = Engine::vector});
  const Tile top = kernel_.max8(data);
  const Tile where = kernel_.max_index(data, top);
  kernel_.output("rows", rows);
  kernel_.output("all", all);
  kernel_.output("most", most);
  kernel_.output("mean", mean);
  kernel_.output("top", top);
  kernel_.output("where", where);
  const Ran ran = run(kernel_);
  EXPECT_THAT(ran.values<float>("rows"), ElementsAre(6, 22, 38, 54));
  EXPECT_THAT(ran.values<float>("all"), ElementsAre(120));
  EXPECT_THAT(ran.values<float>("most"), ElementsAre(5, 7, 13, 15));
  EXPECT_THAT(ran.values<float>("mean"), ElementsAre(2.5, 4.5, 10.5, 12.5));
  EXPECT_THAT(ran.values<float>("top"), ElementsAre(15, 14, 13, 12, 11, 10, 9, 8));
  EXPECT_THAT(ran.values<std::uint32_t>("where"), ElementsAre(15, 14, 13, 12, 11, 10, 9, 8));
}

TEST_F(Kernels, FillsAndCopies) {
  const Tile tile = kernel_.sbuf(Dtype::int32, {2, 2, 3});
  kernel_.iota(tile, {10, 1}, 5, 100);
  const Tile column = tile.slice(1, 1, 1);  // elements 1 of the innermost dimension
  kernel_.memset(column, -7, Engine::gpsimd);
  const Tile wide = kernel_.cast(tile, Dtype::float32);
  EXPECT_THAT(result(wide), ElementsAre(5, -7, 7, 15, -7, 17, 105, -7, 107, 115, -7, 117));
}

TEST_F(Kernels, TextOfTheTileEngine) {
  const Tile x = input({128, 4}, counting(512));
  const Tile doubled = kernel_.tensor_tensor({.data1 = x, .data2 = x, .op = Op::add});
  const Tile least = kernel_.sbuf(Dtype::float32, {128, 1});
  kernel_.text(tpb::Engine::sfu,
               "TLOAD y -> T<2KB>\n"
               "BSTART.SFU TROWMIN, FP32\n"
               "B.DIM LB0=4\n"
               "B.DIM LB1=128\n"
               "B.IOT T0, mask=1111, last, ->U<512B>\n"
               "BSTOP\n"
               "TSTORE U0 -> r\n"
               "TFREE T0\n"
               "TFREE U0\n",
               {{"y", doubled}, {"r", least}});
  const Tile next = kernel_.tensor_scalar({.data = least, .op0 = Op::add, .operand0 = 1});
  std::vector<float> expected;
  for (int p = 0; p < 128; ++p) expected.push_back(static_cast<float>(8 * p + 1));  // 2 * 4 p + 1
  EXPECT_THAT(result(next), ElementsAreArray(expected));
}

TEST_F(Kernels, TextHasNoEventsOfItsOwn) {
  const Tile x = input({128, 4}, {0});
  EXPECT_THROW(kernel_.text(tpb::Engine::dve, "copy src=x dst=x  S[9]++", {{"x", x}}), Error);
  EXPECT_THROW(kernel_.text(tpb::Engine::dve, "halt", {{"x", x}}), Error);
  EXPECT_THROW(kernel_.text(tpb::Engine::dve, "copi src=x dst=x", {{"x", x}}), InputError);
  EXPECT_THAT(kernel_.program().sections[tpb::Engine::dve].bundles, IsEmpty());
}

// --- order -----------------------------------------------------------------------------------------------------------

TEST_F(Kernels, WaitForWhatTheyReadOfOthersAndForNothingElse) {
  const Tile x = input({128, 64}, {1});
  const Tile a = kernel_.tensor_scalar({.data = x, .op0 = Op::add, .operand0 = 1});  // dve 1
  const Tile b = kernel_.tensor_scalar({.data = x, .op0 = Op::add, .operand0 = 2});  // dve 2
  const Tile c = kernel_.activation({.op = Op::copy, .data = b});                    // act 1, needs dve 2
  const Tile d = kernel_.activation({.op = Op::copy, .data = a});                    // act 2, dve 1 is done
  kernel_.tensor_tensor({.data1 = c, .data2 = d, .op = Op::power});                  // pool 1, needs act 2
  kernel_.tensor_tensor({.data1 = a, .data2 = d, .op = Op::power});                  // pool 2: dve 1 by act 2
  EXPECT_THAT(waits(kernel_.program()), ElementsAre("act waits for dve>=1", "pool waits for act>=1"));
  run(kernel_);
}

TEST_F(Kernels, WaitBeforeTheyOverwriteWhatOthersRead) {
  const Tile x = input({128, 64}, {3});
  const Tile y = kernel_.activation({.op = Op::copy, .data = x});  // act 1 reads x
  kernel_.memset(x, 9);                                            // dve 1 overwrites it
  kernel_.memset(x.columns(0, 8), 1, Engine::gpsimd);              // pool 1 a part of that
  EXPECT_THAT(waits(kernel_.program()), ElementsAre("dve waits for act>=1", "pool waits for dve>=1"));
  EXPECT_EQ(result(y), std::vector<float>(128 * 64, 3.0F));
}

TEST_F(Kernels, PartsThatDoNotTouchAreNotOrdered) {
  const Tile x = kernel_.sbuf(Dtype::float32, {128, 64});
  kernel_.memset(x.slice(0, 0, 32, 2), 1);                                    // even columns
  kernel_.memset(x.slice(0, 1, 32, 2), 2, Engine::gpsimd);                    // odd ones
  kernel_.activation({.op = Op::copy, .data = x.rows(0, 64).columns(0, 1)});  // an even one
  EXPECT_THAT(waits(kernel_.program()), ElementsAre("act waits for dve>=1"));
}

// --- the program -----------------------------------------------------------------------------------------------------

TEST_F(Kernels, ProgramsAreTextToo) {
  const Tile x = input({64, 64}, {1}, Dtype::bfloat16);
  const Tile t = kernel_.nc_transpose({.data = x});
  const Tile sum = kernel_.sbuf(Dtype::float32, {64, 1});
  kernel_.activation_reduce({.op = Op::exp, .data = t, .reduce_op = Op::add, .reduce_res = sum});
  kernel_.max_index(t, kernel_.max8(t));
  kernel_.tensor_scalar_reduce({.data = t, .op0 = Op::add, .operand0 = sum, .reduce_op = Op::add, .reduce_res = sum});
  kernel_.output("sum", sum);
  const Program program = kernel_.program();
  const std::string text = disassemble(program, kernel_.config(), ".");
  const Program again = assemble_text(text, "again.tpb", kernel_.config());
  for (const tpb::Engine engine : kEngines) {
    EXPECT_EQ(again.sections[engine].bundles, program.sections[engine].bundles) << name_of(engine) << "\n" << text;
  }
  EXPECT_EQ(program_digest(again), program_digest(program));
}

TEST_F(Kernels, IllegalCallsAppendNothing) {
  const Tile x = input({40, 4}, {1});
  const std::size_t nodes = kernel_.nodes().size();
  EXPECT_THROW(kernel_.activation({.op = Op::add, .data = x}), Error);
  // A rule of the instruction set: 8 partitions start at 0, 32, 64 or 96.
  try {
    kernel_.reciprocal({.data = x.rows(8, 8)});
    ADD_FAILURE() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.identifier, "start_addr_active_channels");
    EXPECT_EQ(error.instruction, "reciprocal");
  }
  EXPECT_EQ(kernel_.nodes().size(), nodes);
  for (const Section& section : kernel_.program().sections) EXPECT_THAT(section.bundles, IsEmpty());
}

TEST_F(Kernels, MemoryIsGivenOutInOrderUntilItIsFull) {
  const Tile a = kernel_.sbuf(Dtype::int8, {4, 65});
  const Tile b = kernel_.sbuf(Dtype::float32, {128, 1});
  EXPECT_EQ(a.address, 0U);
  EXPECT_EQ(b.address, 128U);  // the next multiple of 64
  std::uint32_t inner = 0;
  {
    const Kernel::Scope scope(kernel_);
    inner = kernel_.sbuf(Dtype::float32, {128, 1}).address;
  }
  EXPECT_EQ(kernel_.sbuf(Dtype::float32, {128, 1}).address, inner);
  // Banks of 2 KiB: what fits into one does not straddle two.
  EXPECT_EQ(kernel_.psum(Dtype::float32, {128, 16}).address, 0U);
  EXPECT_EQ(kernel_.psum(Dtype::float32, {128, 512}).address, 2048U);
  for (int i = 0; i < 6; ++i) kernel_.psum(Dtype::float32, {128, 512});
  EXPECT_THROW(kernel_.psum(Dtype::float32, {128, 1}), Error);
  EXPECT_THROW(kernel_.sbuf(Dtype::float32, {129, 1}), Error);
  EXPECT_THROW(kernel_.sbuf(Dtype::float32, {128, 65536}), Error);
}

// What is in memory when the program starts, or is read when it ends, shares its bytes with nothing.
TEST_F(Kernels, NamedTilesKeepTheirBytes) {
  std::vector<Tile> outputs;
  for (int i = 0; i < 3; ++i) {
    const Kernel::Scope scope(kernel_);
    const Tile scratch = kernel_.sbuf(Dtype::float32, {4, 16});
    kernel_.memset(scratch, 9);
    const Tile x = input({4, 16}, {static_cast<float>(i)});
    outputs.push_back(kernel_.tensor_scalar({.data = x, .op0 = Op::add, .operand0 = 10}));
    kernel_.output("out" + std::to_string(i), outputs.back());
  }
  kernel_.memset(kernel_.sbuf(Dtype::float32, {4, 64}), 9);
  const Ran ran = run(kernel_);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(ran.values<float>("out" + std::to_string(i)), std::vector<float>(64, static_cast<float>(10 + i)));
  }
}

TEST_F(Kernels, TilesLieInMemory) {
  // At the end of the partition: the next byte would be another partition's.
  const std::uint32_t last = kernel_.config().memory.sbuf_bytes_per_partition - 4;
  const Tile end = Tile::dense(Dtype::float32, Buffer::sbuf, {64, 1}, 0, last);
  kernel_.memset(end, 1);
  EXPECT_THROW(kernel_.memset(Tile::dense(Dtype::float32, Buffer::sbuf, {64, 2}, 0, last), 1), Error);
  EXPECT_THROW(kernel_.memset(Tile::dense(Dtype::float32, Buffer::sbuf, {64, 1}, 0, 0x40000), 1), Error);
  EXPECT_THROW(kernel_.memset(end, 1e39), Error);  // no float32
}

TEST(Tiles, ViewsLieWithinTheirTile) {
  const Tile tile = Tile::dense(Dtype::float16, Buffer::sbuf, {128, 4, 8}, 0, 64);
  EXPECT_EQ(tile.slice(1, 2, 3).address, 68U);  // two elements of two bytes
  EXPECT_EQ(tile.at(0, 1).shape(), (Shape{128, 8}));
  EXPECT_EQ(tile.at(0, 1).address, 80U);
  EXPECT_EQ(tile.rows(32, 32).partition, 32U);
  EXPECT_EQ(tile.reshaped({32}).shape(), (Shape{128, 32}));
  EXPECT_EQ(tile.as(Dtype::bfloat16).dtype, Dtype::bfloat16);
  EXPECT_THROW(tile.slice(1, 6, 3), Error);
  EXPECT_THROW(tile.slice(2, 0, 1), Error);
  EXPECT_THROW(tile.rows(100, 29), Error);
  EXPECT_THROW(tile.reshaped({31}), Error);
  EXPECT_THROW(tile.as(Dtype::float32), Error);
  EXPECT_EQ(tile.windows(3, 2, 1).shape(), (Shape{128, 2, 7, 3, 2}));
  EXPECT_THROW(tile.windows(5, 2, 1), Error);
  EXPECT_THROW(Tile::dense(Dtype::int8, Buffer::sbuf, {128, 0}, 0, 0), Error);
  EXPECT_THROW(Tile::dense(Dtype::int8, Buffer::sbuf, {64, 4}, 65, 0), Error);
  EXPECT_THROW(Tile::dense(Dtype::int8, Buffer::sbuf, {1, 1U << 31, 1U << 31, 4}, 0, 0), Error);
}

}  // namespace
}  // namespace tpb::nki
