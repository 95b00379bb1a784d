// Guards, rules of the lowering, choice of engine, gates and nodes, through the command.
#include "testbench/tests/nki/calls.h"

namespace tpb::test {
namespace {

using testing::HasSubstr;

struct Refused {
  std::string instruction;
  std::string arguments;
  std::string error;
  std::string parameter;
  std::string message;  // part of it
  std::string generation = "gen3";
};

class NkiRules : public NkiCalls {
 protected:
  void expect_refused(const std::vector<Refused>& cases) const {
    Json calls = Json::array();
    for (const Refused& c : cases) calls.push_back(call(c.instruction, c.generation, c.arguments));
    const Json entries = run(calls, 3);
    ASSERT_EQ(entries.size(), cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
      SCOPED_TRACE(calls[i].dump());
      ASSERT_TRUE(entries[i].contains("error"));
      EXPECT_EQ(entries[i]["error"], cases[i].error);
      EXPECT_EQ(entries[i]["parameter"], cases[i].parameter);
      EXPECT_THAT(entries[i]["message"].get<std::string>(), HasSubstr(cases[i].message));
    }
  }
};

const std::string kMatmul = "'stationary': 'B', 'moving': 'B', ";
constexpr char kAssert[] = "nki_assert";

TEST_F(NkiRules, GuardsInTheDocumentsWords) {
  expect_refused({
      {"nc_matmul", kMatmul + "'tile_position': [0, 0]", kAssert, "tile_size",
       "nc_matmul tile_position and tile_size must be both set or not set."},
      {"nc_matmul", kMatmul + "'tile_position': [0, 0, 0], 'tile_size': [128, 64]", kAssert, "tile_position",
       "nc_matmul tile_position must be a 2D tuple (row_tile_position, col_tile_position) or ()."},
      {"nc_matmul", kMatmul + "'tile_position': [0, 0], 'tile_size': 128", kAssert, "tile_size",
       "nc_matmul tile_size must be a 2D tuple (row_tile_size, col_tile_size) or ()."},
      {"nc_matmul", kMatmul + "'tile_position': [0.5, 0], 'tile_size': [128, 64]", kAssert, "tile_position",
       "nc_matmul tile_position only supports int or affine expression."},
      {"nc_matmul", kMatmul + "'tile_position': [0, 0], 'tile_size': [128, 64.5]", kAssert, "tile_size",
       "nc_matmul tile_size only supports int or affine expression."},
      {"nc_matmul", kMatmul + "'tile_position': [0, 0], 'tile_size': [128, 48]", kAssert, "tile_size",
       "Values in tile_position and tile_size must be multiple of 32."},
      {"nc_matmul", kMatmul + "'tile_position': [0, 0], 'tile_size': [64, 64]", kAssert, "tile_size",
       "tile_size must be larger than or equal to accessed stationary tile size."},
      {"nc_matmul", "'stationary': 'BT', 'moving': 'BT', 'tile_position': [0, 0], 'tile_size': [32, 32]", kAssert,
       "tile_size", "Both the row and column sizes in tile_size cannot be 32 for NeuronCore-v2.", "gen2"},
      {"tensor_scalar", "'data': 'F', 'op0': 'add', 'operand0': 1, 'engine': 'tensor'", kAssert, "engine",
       "Engine for tensor_scalar can only be Scalar or Vector or GpSIMD or Unknown."},
      {"tensor_scalar", "'data': 'F', 'op0': 'add', 'operand0': 1, 'op1': 'add'", kAssert, "operand1",
       "operand1 and op1 input arguments must be both provided or both None."},
      {"tensor_scalar", "'data': 'F', 'op0': 'add', 'operand0': 1, 'operand1': 2", kAssert, "op1",
       "operand1 and op1 input arguments must be both provided or both None."},
  });
}

TEST_F(NkiRules, OfTheLowering) {
  const std::string cumulative = "'op0': 'add', 'op1': 'add', 'imm0': 0, ";
  expect_refused({
      {"tensor_tensor", "'data1': 'FP', 'data2': 'FP', 'op': 'add'", "sema.tensortensor", "data2",
       "data1 and data2 cannot be both in PSUM"},
      {"tensor_tensor", "'data1': 'I', 'data2': 'IP', 'op': 'add', 'engine': 'gpsimd'", "sema.tensortensor", "data2",
       "GpSimd cannot access PSUM"},
      {"tensor_tensor", "'data1': 'F', 'data2': 'FT', 'op': 'add'", "sema.tensortensor", "data2", "as many partitions"},
      {"tensor_tensor", "'data1': 'F', 'data2': 'R', 'op': 'add'", "sema.tensortensor", "data2", "tfloat32"},
      {"scalar_tensor_tensor", "'data': 'FP', 'op0': 'add', 'operand0': 1, 'op1': 'add', 'operand1': 'FP'",
       "sema.tensorvectorscalar", "operand1", "cannot be both in PSUM"},
      {"tensor_tensor_scan", "'data0': 'FP', 'data1': 'FP', 'initial': 1, 'op0': 'add', 'op1': 'add'",
       "sema.tensortensor", "data1", "cannot be both in PSUM"},
      {"tensor_tensor_scan", "'data0': 'I', 'data1': 'I', 'initial': 1, 'op0': 'add', 'op1': 'bitwise_or'",
       "sema.tensortensor", "op1", "arithmetic operation of two operands"},
      {"tensor_scalar", "'data': 'F', 'op0': 'add', 'operand0': 'BC'", "sema.tensorvectorscalar", "operand0",
       "float32"},
      {"tensor_scalar", "'data': 'F', 'op0': 'add', 'operand0': 'F'", "sema.tensorvectorscalar", "operand0",
       "[128, 1] tile"},
      {"tensor_scalar", "'data': 'FP', 'op0': 'rsqrt', 'operand0': 0", "sema.tensorvectorscalar", "data",
       "GpSimd cannot access PSUM"},
      {"tensor_scalar", "'data': 'F', 'op0': 'add', 'operand0': 0, 'engine': 'scalar'", "sema.tensorvectorscalar",
       "engine", "from NeuronCore-v3 on", "gen2"},
      {"tensor_scalar_reduce",
       "'data': 'F', 'op0': 'add', 'operand0': 1, 'reduce_op': 'add', 'reduce_res': 'FC', 'reverse0': true",
       "sema.tensorvectorscalar", "reverse0", "not supported yet"},
      {"tensor_scalar_cumulative", cumulative + "'src': 'I', 'dst': 'F'", "sema.tensorscalarcumulative", "src",
       "INT32/UINT32 are not supported (ISA limitation)"},
      {"tensor_scalar_cumulative", cumulative + "'src': 'F', 'dst': 'U'", "sema.tensorscalarcumulative", "dst",
       "INT32/UINT32 are not supported (ISA limitation)"},
      {"tensor_scalar_cumulative", cumulative + "'src': 'F', 'dst': 'F', 'reduce_cmd': 'idle'",
       "sema.tensorscalarcumulative", "reduce_cmd", "reset_reduce, reduce or load_reduce"},
      {"tensor_scalar_cumulative", cumulative + "'src': 'F', 'dst': 'F', 'reduce_cmd': 'reset'",
       "sema.tensorscalarcumulative", "reduce_cmd", "reset_reduce, reduce or load_reduce"},
      {"tensor_scalar_cumulative", cumulative + "'src': 'F', 'dst': 'F', 'imm1': 1", "sema.tensorscalarcumulative",
       "imm1", "load_reduce"},
      {"activation_reduce", "'op': 'exp', 'data': 'F', 'reduce_op': 'add', 'reduce_res': null", "assert_not_none",
       "reduce_res", "must not be None"},
      {"activation", "'op': 'prelu', 'data': 'F'", "sema.activation", "slope", "slope must be given"},
      {"activation", "'op': 'exp', 'data': 'F', 'bias': 1.0", "sema.activation", "bias", "NeuronCore-v2", "gen2"},
      {"activation", "'op': 'exp', 'data': 'F', 'reduce_cmd': 'reduce'", "sema.activation", "reduce_op",
       "must be given"},
      {"nc_matmul", "'stationary': 'BP', 'moving': 'B'", "sema.matmult", "stationary", "must be in SBUF"},
      {"nc_matmul", "'stationary': 'B', 'moving': 'BT'", "sema.matmult", "moving", "partitions of stationary"},
      {"nc_matmul", "'stationary': {'dtype': 'bfloat16', 'shape': [128, 129]}, 'moving': 'B'", "sema.matmult",
       "stationary", "at most 128 columns"},
      {"nc_matmul", "'stationary': 'B', 'moving': {'dtype': 'bfloat16', 'shape': [128, 513]}", "sema.matmult", "moving",
       "at most 512 columns"},
      {"nc_matmul", "'stationary': 'B', 'moving': 'B', 'dst': {'dtype': 'float32', 'shape': [64, 64]}", "sema.matmult",
       "dst", "PSUM only"},
      {"nc_transpose", "'data': 'F', 'engine': 'vector'", "sema.transpose", "data", "at most 32 by 32"},
      {"nc_transpose", "'data': {'dtype': 'float32', 'shape': [128, 129]}", "sema.matmult", "data",
       "at most 128 by 128"},
      {"nc_matmul", kMatmul + "'tile_position': [18446744073709551615, 0], 'tile_size': [128, 64]", "sema.matmult",
       "tile_position", "an integer from 0 to 96"},
      {"tensor_scalar", "'data': 'I', 'op0': 'bitwise_or', 'operand0': 4294967296", "sema.tensorvectorscalar",
       "operand0", "an integer from -2147483648 to 4294967295"},
      {"tensor_scalar", "'data': 'F', 'op0': 'add', 'operand0': 1e39", "sema.tensorvectorscalar", "operand0",
       "a float32"},
      {"tensor_tensor", "'data1': 'B', 'data2': 'I', 'op': 'add', 'engine': 'scalar'", kAssert, "engine",
       "Engine for tensor_tensor can only be Vector or GpSIMD or Unknown."},
      {"tensor_tensor", "'data1': 'U', 'data2': 'S', 'op': 'bitwise_or'", "bitvec_same_size", "in1_dtype", "illegal"},
      {"reciprocal", "'data': {'dtype': 'float32', 'shape': [8, 4], 'partition': 8}", "start_addr_active_channels",
       "src.start_addr", "illegal"},
      {"reciprocal", "'data': {'dtype': 'float32', 'shape': [8, 4], 'address': 262144}", "sema.reciprocal", "data",
       "must lie in"},
      {"reciprocal", "'data': {'dtype': 'float32', 'shape': [8, 65536]}", "allocator", "sbuf", "expected room"},
      {"reciprocal", "'data': 'F', 'dst': {'dtype': 'bfloat16', 'shape': [128, 64], 'buffer': 'psum'}",
       "sema.reciprocal", "dst", "4 bytes in PSUM before NeuronCore-v4"},
  });
}

TEST_F(NkiRules, UnknownEngineIsChosenAsDocumented) {
  struct Chosen {
    std::string instruction, arguments, engine;
  };
  const std::vector<Chosen> cases{
      {"nc_matmul", "'stationary': 'B', 'moving': 'B'", "tensor"},
      {"nc_transpose", "'data': 'F'", "tensor"},
      {"nc_transpose", "'data': 'FT'", "vector"},
      {"nc_transpose", "'data': 'FT', 'engine': 'tensor'", "tensor"},
      {"activation", "'op': 'exp', 'data': 'F'", "scalar"},
      {"tensor_tensor", "'data1': 'F', 'data2': 'F', 'op': 'add'", "vector"},
      {"tensor_tensor", "'data1': 'F', 'data2': 'F', 'op': 'power'", "gpsimd"},
      {"tensor_tensor", "'data1': 'FP', 'data2': 'F', 'op': 'power'", "vector"},
      {"tensor_tensor", "'data1': 'I', 'data2': 'I', 'op': 'multiply'", "gpsimd"},
      {"tensor_tensor", "'data1': 'I', 'data2': 'IP', 'op': 'multiply'", "vector"},
      {"tensor_tensor", "'data1': 'I', 'data2': 'U', 'op': 'add'", "gpsimd"},  // integers, though float32 comes of them
      {"tensor_tensor", "'data1': 'I', 'data2': 'I', 'op': 'maximum'", "vector"},
      {"tensor_tensor", "'data1': 'S', 'data2': 'S', 'op': 'add'", "vector"},  // 16 bits
      {"tensor_tensor", "'data1': 'I', 'data2': 'I', 'op': 'bitwise_or'", "vector"},
      {"tensor_scalar", "'data': 'F', 'op0': 'add', 'operand0': 1", "vector"},
      {"tensor_scalar", "'data': 'F', 'op0': 'rsqrt', 'operand0': 1", "gpsimd"},
      {"tensor_scalar", "'data': 'I', 'op0': 'bitwise_or', 'operand0': 1", "vector"},
      {"reciprocal", "'data': 'F'", "vector"},
  };
  Json calls = Json::array();
  for (const Chosen& c : cases) calls.push_back(call(c.instruction, "gen3", c.arguments));
  const Json entries = run(calls, 0);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(entries.at(i)["nodes"].back()["engine"], cases[i].engine) << calls[i].dump();
  }
}

TEST_F(NkiRules, GatesOfTheGenerations) {
  const std::string maximum =
      "'op': 'exp', 'data': 'F', 'reduce_op': 'maximum', 'reduce_cmd': 'reset_reduce', 'reduce_res': 'FC'";
  const std::string reciprocal = "'op': 'reciprocal', 'data': 'F', 'bias': 'FC'";
  const std::string abs = "'data': 'F', 'op0': 'abs', 'operand0': 0";
  const std::string quarter = "'stationary': 'BT', 'moving': 'BT', 'tile_position': [0, 0], 'tile_size': [32, 32]";
  Json old = Json::array();
  Json later = Json::array();
  for (const auto& [instruction, arguments] : {std::pair{"activation", maximum}, std::pair{"activation", reciprocal},
                                               std::pair{"tensor_scalar", abs}, std::pair{"nc_matmul", quarter}}) {
    for (const char* name : {"gen2", "sunda"}) old.push_back(call(instruction, name, arguments));
    for (const char* name : {"gen3", "gen4", "cayman", "mariana", "mariana_plus", "maverick"}) {
      later.push_back(call(instruction, name, arguments));
    }
  }
  for (const Json& entry : run(old, 3)) EXPECT_TRUE(entry.contains("error")) << entry.dump();
  run(later, 0);
  // PSUM takes narrow results from gen4 on.
  run_illegal(call("reciprocal", "gen3", "'data': 'B', 'dst': 'BP'"));
  run_legal(call("reciprocal", "gen4", "'data': 'B', 'dst': 'BP'"));
}

TEST_F(NkiRules, NodesHaveTheBuildersNames) {
  const auto node = [&](const std::string& instruction, const std::string& arguments) {
    return run_legal(call(instruction, "gen3", arguments))["nodes"].back();
  };
  const Json matmul = node("nc_matmul", "'stationary': 'B', 'moving': 'B', 'is_stationary_onezero': true");
  EXPECT_EQ(matmul["node"], "matmult");
  EXPECT_EQ(matmul["target"], "gen3");
  EXPECT_EQ(matmul["arguments"]["is_lhs_onezero"], true);
  EXPECT_EQ(matmul["arguments"]["is_rhs_onezero"], false);
  EXPECT_FALSE(matmul["arguments"].contains("is_stationary_onezero"));
  EXPECT_EQ(matmul["arguments"]["dst"]["dtype"], "float32");
  EXPECT_EQ(matmul["arguments"]["dst"]["buffer"], "psum");
  EXPECT_EQ(matmul["arguments"]["dst"]["shape"], Json({64, 64}));

  const Json reduce = node("activation_reduce", "'op': 'exp', 'data': 'B', 'reduce_op': 'add', 'reduce_res': 'FC'");
  EXPECT_EQ(reduce["node"], "activation");
  EXPECT_EQ(reduce["arguments"]["reduce_cmd"], "reset_reduce");
  EXPECT_EQ(reduce["arguments"]["scale"], 1.0);
  EXPECT_EQ(reduce["arguments"]["bias"], nullptr);
  EXPECT_EQ(reduce["arguments"]["dtype"], "bfloat16");

  EXPECT_EQ(node("tensor_tensor", "'data1': 'B', 'data2': 'H', 'op': 'add'")["arguments"]["dtype"], "float32");
  EXPECT_EQ(node("tensor_tensor", "'data1': 'B', 'data2': 'H', 'op': 'add', 'dtype': 'int8'")["arguments"]["dtype"],
            "int8");
  const Json scan = node("tensor_tensor_scan", "'data0': 'F', 'data1': 'F', 'initial': 0, 'op0': 'add', 'op1': 'add'");
  EXPECT_EQ(scan["node"], "tensortensor");
  EXPECT_EQ(scan["arguments"]["scan"], true);
  EXPECT_EQ(node("tensor_scalar", "'data': 'F', 'op0': 'add', 'operand0': 1")["node"], "tensorvectorscalar");
  EXPECT_EQ(node("scalar_tensor_tensor",
                 "'data': 'F', 'op0': 'add', 'operand0': 1, 'op1': 'add', 'operand1': 'F'")["arguments"]
                                                                                           ["is_scalar_tensor_tensor"],
            true);
  EXPECT_EQ(node("tensor_scalar_cumulative", "'src': 'F', 'dst': 'F', 'op0': 'add', 'op1': 'add', 'imm0': 0")["node"],
            "tensorscalarcumulative");
}

TEST_F(NkiRules, TilesOfTheKernelKeepAwayFromThoseThatHaveAnAddress) {
  // data2 lies where the first free byte is; 128 x 4 bytes further stands data1, 64-byte aligned, and the result
  // behind.
  const std::string at = "{'dtype': 'float32', 'shape': [128, 128], 'address': 0}";
  Json call_ = call("tensor_tensor", "gen3",
                    "'data1': {'dtype': 'float32', 'shape': [128, 128]}, 'data2': " + at + ", 'op': 'add'");
  Json arguments = run_legal(call_)["nodes"].back()["arguments"];
  EXPECT_EQ(arguments["data2"]["address"], 0);
  EXPECT_EQ(arguments["data1"]["address"], 512);
  EXPECT_EQ(arguments["dst"]["address"], 1024);
  // What the kernel makes for itself does too: the data of 64 bf16 is 128 bytes at 128.
  call_ = call("nc_transpose", "gen3",
               "'data': {'dtype': 'bfloat16', 'shape': [64, 64], 'address': 128}, 'engine': 'tensor'");
  const Json entry = run_legal(call_);
  for (const Json& node : entry["nodes"]) {
    const Json& dst = node["arguments"]["dst"];
    if (dst["buffer"] != "sbuf") continue;
    const int bytes = dst["dtype"] == "bfloat16" ? 2 : 4;
    const int first = dst["address"], last = first + dst["shape"][1].get<int>() * bytes - 1;
    EXPECT_TRUE(first >= 256 || last < 128) << node.dump();
  }
}

TEST_F(NkiRules, ATransposeToAnotherDtypeAppendsACast) {
  const auto names = [&](const std::string& arguments, const std::string& generation) {
    std::vector<std::string> nodes;
    const Json entry = run_legal(call("nc_transpose", generation, arguments));
    for (const Json& node : entry["nodes"]) nodes.push_back(node["node"]);
    return nodes;
  };
  using testing::ElementsAre;
  EXPECT_THAT(names("'data': 'FT'", "gen3"), ElementsAre("transpose"));
  EXPECT_THAT(names("'data': 'FT', 'dtype': 'bfloat16'", "gen3"), ElementsAre("transpose", "cast"));
  // The identity is made first.
  EXPECT_THAT(names("'data': 'F'", "gen3"), ElementsAre("iota", "tensorvectorscalar", "matmult"));
  EXPECT_THAT(names("'data': 'F', 'dtype': 'bfloat16'", "gen3"),
              ElementsAre("iota", "tensorvectorscalar", "matmult", "cast"));
  // The tensor engine writes float32, from gen4 on bfloat16 too.
  EXPECT_THAT(names("'data': 'B'", "gen3"), ElementsAre("iota", "tensorvectorscalar", "matmult", "cast"));
  EXPECT_THAT(names("'data': 'B'", "gen4"), ElementsAre("iota", "tensorvectorscalar", "matmult"));
}

TEST_F(NkiRules, WhatCannotBeReadIsRefusedLoudly) {
  EXPECT_THAT(refused("[\n{]"), HasSubstr("calls.json:2:2: error: not JSON"));
  EXPECT_THAT(refused("{}"), HasSubstr("the list: no list, expected"));
  EXPECT_THAT(refused("[1]"), HasSubstr("[0]: 1, expected a call"));
  EXPECT_THAT(refused(R"([{"name": "tensor_tensr", "arguments": {}}])"),
              HasSubstr("[0].name: unknown intrinsic 'tensor_tensr', expected"));
  EXPECT_THAT(refused(R"([{"name": "tensor_tensr", "arguments": {}}])"), HasSubstr("(did you mean 'tensor_tensor'?)"));
  const auto reciprocal = [&](const std::string& arguments) {
    return refused(R"([{"name": "reciprocal", "arguments": {)" + arguments + "}}]");
  };
  const std::string data = R"("data": {"dtype": "float32", "shape": [128, 4]})";
  EXPECT_THAT(reciprocal(""), HasSubstr("[0].arguments: no 'data', expected it among the arguments of reciprocal"));
  EXPECT_THAT(reciprocal(data + R"(, "dtyp": "int8")"), HasSubstr("unknown argument of reciprocal 'dtyp'"));
  EXPECT_THAT(reciprocal(data + R"(, "dtype": "float31")"), HasSubstr("did you mean 'float32'?"));
  EXPECT_THAT(reciprocal(data + R"(, "mask": true)"), HasSubstr("mask: true, expected null: masks are not modelled"));
  EXPECT_THAT(reciprocal(data + ", " + data), HasSubstr("\"data\" stands twice"));
  EXPECT_THAT(reciprocal(R"("data": 5)"), HasSubstr("[0].arguments.data: 5, expected a tile"));
  EXPECT_THAT(reciprocal(R"("data": {"dtype": "float32", "shape": [129, 4]})"),
              HasSubstr("[0].arguments.data.shape[0]: 129, expected an integer from 1 to 128"));
  EXPECT_THAT(refused(R"([{"name": "reciprocal", "generation": "gen1", "arguments": {}}])"),
              HasSubstr("unknown generation 'gen1'"));
  EXPECT_THAT(refused(std::string(100000, '[')), HasSubstr("more than 32 levels"));
  EXPECT_THAT(refused("[1e999]"), HasSubstr("a number that is too large"));
  EXPECT_EQ(tpbsim("nki missing.json").code, 2);
  EXPECT_EQ(tpbsim("nki").code, 2);
  EXPECT_EQ(run(Json::array(), 0), Json::array());
}

}  // namespace
}  // namespace tpb::test
