// Every cell of intrinsic x validator through the command: one legal and one illegal call, and the dispatch lists of
// the intrinsics document, of which no intrinsic may call more or less.
#include <map>
#include <set>

#include "testbench/tests/nki/calls.h"

namespace tpb::test {
namespace {

using testing::ElementsAreArray;

// The lists of the document, in its order.
const std::map<std::string, std::vector<std::string>> kLists{
    {"nc_matmul",
     {"_check_nc_matmul_supported_dtypes", "_check_nc_matmul_pe_tiling_position_size_supported_shape",
      "_check_nc_matmul_pe_tiling_position_size_supported_dtypes"}},
    {"nc_transpose", {}},
    {"activation",
     {"_check_activation_supported_ops", "_check_activation_scale_type", "_check_activation_bias_type",
      "_check_activation_reciprocal_bias", "_check_activation_reduce_supported_reduce_ops",
      "_check_activiation_supported_reduce_cmd"}},
    {"activation_reduce",
     {"_check_activation_supported_ops", "_check_activation_scale_type", "_check_activation_bias_type",
      "_check_activation_reduce_supported_reduce_ops"}},
    {"tensor_tensor",
     {"_check_tensor_tensor_supported_ops", "_check_tensor_tensor_vector_engine_supported_ops",
      "_check_tensor_tensor_gpsimd_engine_supported_ops", "_check_tensor_scalar_bitvec_dtype"}},
    {"tensor_scalar",
     {"_check_tensor_scalar_supported_ops", "_check_tensor_scalar_ptr_supported_ops",
      "_check_tensor_scalar_ptr_gpsimd_engine_supported_ops", "_check_tensor_scalar_ptr_scalar_engine_supported_ops",
      "_check_tensor_scalar_ptr_scalar_engine_supported_op_comb", "_check_tensor_scalar_both_arith_or_bitvec",
      "_check_tensor_scalar_bitvec_dtype", "_check_tensor_scalar_abs", "_check_tensor_scalar_rsqrt"}},
    {"tensor_scalar_reduce",
     {"_check_tensor_scalar_reduce_supported_ops", "_check_tensor_scalar_reduce_supported_reduce_ops",
      "_check_tensor_scalar_abs"}},
    {"tensor_scalar_cumulative", {"_check_tensor_scalar_cumulative_immediate_values"}},
    {"scalar_tensor_tensor",
     {"_check_tensor_scalar_supported_ops", "_check_tensor_scalar_both_arith_or_bitvec",
      "_check_tensor_scalar_bitvec_dtype", "_check_tensor_scalar_abs"}},
    {"tensor_tensor_scan", {"_check_tensor_scalar_supported_ops"}},
    {"reciprocal", {}},
};
const std::string kOnlyWithOp1 = "_check_tensor_scalar_both_arith_or_bitvec";

constexpr char kUnsupportedOp[] = "err_instruction_unsupported_op";
constexpr char kUnsupportedDtypes[] = "err_instruction_unsupported_dtypes";
constexpr char kAssert[] = "nki_assert";

struct Cell {
  std::string instruction;
  std::string validator;
  std::string legal;    // arguments
  std::string illegal;  // arguments
  std::string raises;   // identifier
  std::string parameter;
  std::string value;
  std::string message{};            // whole, where the document quotes one
  std::string illegal_on = "gen3";  // generation of the illegal call
  std::string legal_on = "gen3";    //
  std::string first{};              // the validator of the list that raises before this one; empty: none does
};

const std::string kTiled = "'stationary': 'B', 'moving': 'B', 'tile_position': [0, 64], 'tile_size': [128, 64]";
const std::string kStt = "'data': 'F', 'operand0': 1.5, 'operand1': 'F', ";

const std::vector<Cell> kCells{
    // nc_matmul
    {"nc_matmul", "_check_nc_matmul_supported_dtypes", "'stationary': 'Q', 'moving': 'R'",
     "'stationary': 'F', 'moving': 'S'", kUnsupportedDtypes, "moving", "int16",
     "nc_matmul moving of dtype int16 is not supported; err_instruction_supported_dtypes: float8_e4m3, float8_e5m2, "
     "bfloat16, float16, tfloat32, float32"},
    {"nc_matmul", "_check_nc_matmul_pe_tiling_position_size_supported_shape", kTiled,
     "'stationary': 'B', 'moving': 'B', 'tile_position': [0, 16], 'tile_size': [128, 64]", kAssert, "tile_position",
     "(0, 16)", "Values in tile_position and tile_size must be multiple of 32."},
    {"nc_matmul", "_check_nc_matmul_pe_tiling_position_size_supported_dtypes", kTiled,
     "'stationary': 'F', 'moving': 'B', 'tile_position': [0, 0], 'tile_size': [128, 64]", kUnsupportedDtypes,
     "stationary", "float32",
     "nc_matmul stationary of dtype float32 is not supported with tiling; err_instruction_supported_dtypes: "
     "float8_e4m3, float8_e5m2, bfloat16, float16"},
    // activation
    {"activation", "_check_activation_supported_ops", "'op': 'exp', 'data': 'F'", "'op': 'add', 'data': 'F'",
     kUnsupportedOp, "op", "add"},
    {"activation", "_check_activation_scale_type", "'op': 'exp', 'data': 'F', 'scale': 'FC'",
     "'op': 'exp', 'data': 'F', 'scale': 'BC'", "err_activation_scale_invalid_type", "scale", "bfloat16"},
    {"activation", "_check_activation_bias_type", "'op': 'exp', 'data': 'F', 'bias': 'HC'",
     "'op': 'exp', 'data': 'F', 'bias': 'IC'", "err_activation_bias_invalid_type", "bias", "int32"},
    {"activation", "_check_activation_reciprocal_bias", "'op': 'reciprocal', 'data': 'F'",
     "'op': 'reciprocal', 'data': 'F', 'bias': 'FC'", kAssert, "bias", "float32 [128, 1] in sbuf",
     "reciprocal must have bias=None for trn1.", "gen2", "gen2"},
    {"activation", "_check_activation_reduce_supported_reduce_ops",
     "'op': 'exp', 'data': 'F', 'reduce_op': 'maximum', 'reduce_cmd': 'reset_reduce', 'reduce_res': 'FC'",
     "'op': 'exp', 'data': 'F', 'reduce_op': 'negate', 'reduce_cmd': 'reset_reduce', 'reduce_res': 'FC'",
     "err_reduce_unsupported_negate", "reduce_op", "negate"},
    {"activation", "_check_activiation_supported_reduce_cmd",
     "'op': 'exp', 'data': 'F', 'reduce_op': 'add', 'reduce_cmd': 'reduce'",
     "'op': 'exp', 'data': 'F', 'reduce_op': 'add', 'reduce_cmd': 'load_reduce'", kUnsupportedOp, "reduce_cmd",
     "load_reduce"},
    // activation_reduce
    {"activation_reduce", "_check_activation_supported_ops",
     "'op': 'tanh', 'data': 'F', 'reduce_op': 'add', 'reduce_res': 'FC'",
     "'op': 'greater', 'data': 'F', 'reduce_op': 'add', 'reduce_res': 'FC'", kUnsupportedOp, "op", "greater"},
    {"activation_reduce", "_check_activation_scale_type",
     "'op': 'tanh', 'data': 'F', 'reduce_op': 'add', 'reduce_res': 'FC', 'scale': 2",
     "'op': 'tanh', 'data': 'F', 'reduce_op': 'add', 'reduce_res': 'FC', 'scale': 'HC'",
     "err_activation_scale_invalid_type", "scale", "float16"},
    {"activation_reduce", "_check_activation_bias_type",
     "'op': 'tanh', 'data': 'F', 'reduce_op': 'add', 'reduce_res': 'FC', 'bias': 'BC'",
     "'op': 'tanh', 'data': 'F', 'reduce_op': 'add', 'reduce_res': 'FC', 'bias': 'QC'",
     "err_activation_bias_invalid_type", "bias", "float8_e4m3"},
    {"activation_reduce", "_check_activation_reduce_supported_reduce_ops",
     "'op': 'tanh', 'data': 'F', 'reduce_op': 'add', 'reduce_res': 'FC'",
     "'op': 'tanh', 'data': 'F', 'reduce_op': 'maximum', 'reduce_res': 'FC'", kUnsupportedOp, "reduce_op", "maximum",
     "", "gen2", "gen2"},
    // tensor_tensor
    {"tensor_tensor", "_check_tensor_tensor_supported_ops", "'data1': 'F', 'data2': 'F', 'op': 'divide'",
     "'data1': 'F', 'data2': 'F', 'op': 'abs'", kUnsupportedOp, "op", "abs"},
    {"tensor_tensor", "_check_tensor_tensor_vector_engine_supported_ops",
     "'data1': 'F', 'data2': 'F', 'op': 'power', 'engine': 'vector'",
     "'data1': 'I', 'data2': 'I', 'op': 'bitwise_not', 'engine': 'vector'", kUnsupportedOp, "op", "bitwise_not", "",
     "gen3", "gen3", "_check_tensor_tensor_supported_ops"},
    {"tensor_tensor", "_check_tensor_tensor_gpsimd_engine_supported_ops",
     "'data1': 'S', 'data2': 'I', 'op': 'subtract', 'engine': 'gpsimd'",
     "'data1': 'F', 'data2': 'I', 'op': 'subtract', 'engine': 'gpsimd'", kUnsupportedOp, "op", "subtract"},
    {"tensor_tensor", "_check_tensor_scalar_bitvec_dtype", "'data1': 'I', 'data2': 'U', 'op': 'bitwise_xor'",
     "'data1': 'I', 'data2': 'F', 'op': 'bitwise_xor'", "err_bitvec_operand_must_be_integer", "data2", "float32"},
    // tensor_scalar
    {"tensor_scalar", "_check_tensor_scalar_supported_ops", "'data': 'F', 'op0': 'negate', 'operand0': 0",
     "'data': 'F', 'op0': 'exp', 'operand0': 0", kUnsupportedOp, "op0", "exp"},
    {"tensor_scalar", "_check_tensor_scalar_ptr_supported_ops", "'data': 'F', 'op0': 'less', 'operand0': 'FC'",
     "'data': 'F', 'op0': 'add', 'operand0': 'FC', 'op1': 'sqrt', 'operand1': 0", kUnsupportedOp, "op1", "sqrt", "",
     "gen3", "gen3", "_check_tensor_scalar_supported_ops"},
    {"tensor_scalar", "_check_tensor_scalar_ptr_gpsimd_engine_supported_ops",
     "'data': 'F', 'op0': 'rsqrt', 'operand0': 0, 'engine': 'gpsimd'",
     "'data': 'F', 'op0': 'add', 'operand0': 0, 'engine': 'gpsimd'", kUnsupportedOp, "op0", "add"},
    {"tensor_scalar", "_check_tensor_scalar_ptr_scalar_engine_supported_ops",
     "'data': 'F', 'op0': 'add', 'operand0': 1, 'engine': 'scalar'",
     "'data': 'F', 'op0': 'subtract', 'operand0': 1, 'engine': 'scalar'", kUnsupportedOp, "op0", "subtract"},
    {"tensor_scalar", "_check_tensor_scalar_ptr_scalar_engine_supported_op_comb",
     "'data': 'F', 'op0': 'multiply', 'operand0': 2, 'op1': 'add', 'operand1': 1, 'engine': 'scalar'",
     "'data': 'F', 'op0': 'add', 'operand0': 2, 'op1': 'multiply', 'operand1': 1, 'engine': 'scalar'",
     "err_instruction_engine_unsupported_op_comb", "op0, op1", "(add, multiply)"},
    {"tensor_scalar", "_check_tensor_scalar_both_arith_or_bitvec",
     "'data': 'I', 'op0': 'left_shift', 'operand0': 2, 'op1': 'bitwise_and', 'operand1': 255",
     "'data': 'I', 'op0': 'left_shift', 'operand0': 2, 'op1': 'add', 'operand1': 1", kAssert, "op0, op1",
     "(left_shift, add)", "tensor_scalar op0/op1 must be both bitvec or both arithmetic operators."},
    {"tensor_scalar", "_check_tensor_scalar_bitvec_dtype", "'data': 'U', 'op0': 'bitwise_or', 'operand0': 1",
     "'data': 'U', 'op0': 'bitwise_or', 'operand0': 1.5", "err_bitvec_operand_must_be_integer", "operand0", "1.5"},
    {"tensor_scalar", "_check_tensor_scalar_abs", "'data': 'F', 'op0': 'abs', 'operand0': 0, 'engine': 'vector'",
     "'data': 'F', 'op0': 'abs', 'operand0': 0, 'engine': 'gpsimd'", kAssert, "engine", "gpsimd",
     "'abs' engine must be Vector or Unknown.", "gen3", "gen3", "_check_tensor_scalar_ptr_gpsimd_engine_supported_ops"},
    {"tensor_scalar", "_check_tensor_scalar_rsqrt", "'data': 'F', 'op0': 'rsqrt', 'operand0': 0",
     "'data': 'F', 'op0': 'rsqrt', 'operand0': 0, 'engine': 'vector'", kAssert, "engine", "vector",
     "'rsqrt' engine must be GpSimd or Unknown."},
    // tensor_scalar_reduce
    {"tensor_scalar_reduce", "_check_tensor_scalar_reduce_supported_ops",
     "'data': 'F', 'op0': 'multiply', 'operand0': 2, 'reduce_op': 'add', 'reduce_res': 'FC'",
     "'data': 'S', 'op0': 'bitwise_and', 'operand0': 2, 'reduce_op': 'add', 'reduce_res': 'FC'", kUnsupportedOp, "op0",
     "bitwise_and"},
    {"tensor_scalar_reduce", "_check_tensor_scalar_reduce_supported_reduce_ops",
     "'data': 'F', 'op0': 'add', 'operand0': 2, 'reduce_op': 'max', 'reduce_res': 'FC'",
     "'data': 'F', 'op0': 'add', 'operand0': 2, 'reduce_op': 'divide', 'reduce_res': 'FC'", kUnsupportedOp, "reduce_op",
     "divide"},
    {"tensor_scalar_reduce", "_check_tensor_scalar_abs",
     "'data': 'F', 'op0': 'abs', 'operand0': 0, 'reduce_op': 'max', 'reduce_res': 'FC'",
     "'data': 'F', 'op0': 'abs', 'operand0': 0, 'reduce_op': 'max', 'reduce_res': 'FC'", kAssert, "op0", "abs on gen2",
     "'abs' engine must be Vector or Unknown.", "gen2"},
    // tensor_scalar_cumulative
    {"tensor_scalar_cumulative", "_check_tensor_scalar_cumulative_immediate_values",
     "'src': 'F', 'dst': 'F', 'op0': 'add', 'op1': 'max', 'imm0': 'FC', 'imm1': 1, 'reduce_cmd': 'load_reduce'",
     "'src': 'F', 'dst': 'F', 'op0': 'add', 'op1': 'max', 'imm0': 'FC', 'imm1': 'BC', 'reduce_cmd': 'load_reduce'",
     kAssert, "imm1", "bfloat16", "tensor_scalar_cumulative imm1 must be FP32."},
    // scalar_tensor_tensor
    {"scalar_tensor_tensor", "_check_tensor_scalar_supported_ops", kStt + "'op0': 'subtract', 'op1': 'multiply'",
     kStt + "'op0': 'relu', 'op1': 'multiply'", kUnsupportedOp, "op0", "relu", "", "gen3", "gen3"},
    {"scalar_tensor_tensor", "_check_tensor_scalar_both_arith_or_bitvec", kStt + "'op0': 'mod', 'op1': 'max'",
     "'data': 'I', 'operand0': 1, 'operand1': 'I', 'op0': 'add', 'op1': 'logical_or'", kAssert, "op0, op1",
     "(add, logical_or)", "scalar_tensor_tensor op0/op1 must be both bitvec or both arithmetic operators."},
    {"scalar_tensor_tensor", "_check_tensor_scalar_bitvec_dtype",
     "'data': 'I', 'operand0': 1, 'operand1': 'I', 'op0': 'right_shift', 'op1': 'bitwise_and'",
     "'data': 'I', 'operand0': 1, 'operand1': 'F', 'op0': 'right_shift', 'op1': 'bitwise_and'",
     "err_bitvec_operand_must_be_integer", "operand1", "float32"},
    {"scalar_tensor_tensor", "_check_tensor_scalar_abs", kStt + "'op0': 'add', 'op1': 'add'",
     kStt + "'op0': 'abs', 'op1': 'add'", kAssert, "op0", "abs on gen2", "'abs' engine must be Vector or Unknown.",
     "gen2", "gen2"},
    // tensor_tensor_scan
    {"tensor_tensor_scan", "_check_tensor_scalar_supported_ops",
     "'data0': 'F', 'data1': 'F', 'initial': 0, 'op0': 'multiply', 'op1': 'add'",
     "'data0': 'F', 'data1': 'F', 'initial': 0, 'op0': 'multiply', 'op1': 'silu'", kUnsupportedOp, "op1", "silu"},
};

// What an entry must say was called.
std::vector<std::string> expected_calls(const Json& call) {
  std::vector<std::string> expected = kLists.at(call["name"]);
  if (!call["arguments"].contains("op1")) std::erase(expected, kOnlyWithOp1);
  return expected;
}
std::vector<std::string> called(const Json& entry) {
  std::vector<std::string> names;
  for (const auto& [name, verdict] : entry["validators"].items()) names.push_back(name);
  return names;
}

class ValidatorTable : public NkiCalls {};

TEST_F(ValidatorTable, HasEveryCell) {
  std::set<std::pair<std::string, std::string>> cells, wanted;
  for (const Cell& cell : kCells) cells.emplace(cell.instruction, cell.validator);
  for (const auto& [instruction, list] : kLists) {
    for (const std::string& validator : list) wanted.emplace(instruction, validator);
  }
  EXPECT_EQ(cells, wanted);
  EXPECT_EQ(cells.size(), kCells.size());
  EXPECT_EQ(wanted.size(), 35U);  // 3 + 6 + 4 + 4 + 9 + 3 + 1 + 4 + 1
}

TEST_F(ValidatorTable, LegalCallsPassWhatTheirListNames) {
  Json calls = Json::array();
  for (const Cell& cell : kCells) calls.push_back(call(cell.instruction, cell.legal_on, cell.legal));
  // The two without a list.
  calls.push_back(call("nc_transpose", "gen3", "'data': 'F'"));
  calls.push_back(call("reciprocal", "gen3", "'data': 'F'"));
  const Json entries = run(calls, 0);
  ASSERT_EQ(entries.size(), calls.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    SCOPED_TRACE(calls[i].dump());
    EXPECT_EQ(entries[i]["name"], calls[i]["name"]);
    EXPECT_FALSE(entries[i].contains("error")) << entries[i].dump();
    EXPECT_THAT(called(entries[i]), ElementsAreArray(expected_calls(calls[i])));
    for (const Json& verdict : entries[i]["validators"]) EXPECT_EQ(verdict, "passed");
    EXPECT_FALSE(entries[i]["nodes"].empty());
  }
}

TEST_F(ValidatorTable, IllegalCallsAreRaisedByTheirValidator) {
  Json calls = Json::array();
  for (const Cell& cell : kCells) calls.push_back(call(cell.instruction, cell.illegal_on, cell.illegal));
  const Json entries = run(calls, 3);
  ASSERT_EQ(entries.size(), calls.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Cell& cell = kCells[i];
    const Json& entry = entries[i];
    SCOPED_TRACE(calls[i].dump());
    ASSERT_TRUE(entry.contains("error")) << entry.dump();
    EXPECT_FALSE(entry.contains("nodes"));
    EXPECT_THAT(called(entry), ElementsAreArray(expected_calls(calls[i])));
    EXPECT_EQ(entry["validators"][cell.validator], cell.raises);
    EXPECT_EQ(entry["instruction"], cell.instruction);
    EXPECT_EQ(entry["validator"], cell.first.empty() ? cell.validator : cell.first);
    if (!cell.first.empty()) continue;
    EXPECT_EQ(entry["error"], cell.raises);
    EXPECT_EQ(entry["parameter"], cell.parameter);
    EXPECT_EQ(entry["value"], cell.value);
    if (!cell.message.empty()) {
      EXPECT_EQ(entry["message"], cell.message);
    }
  }
}

}  // namespace
}  // namespace tpb::test
