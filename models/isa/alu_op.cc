#include "models/isa/alu_op.h"

#include <algorithm>
#include <array>

namespace tpb {
namespace {

// The name of an operation in program text is its enumerator.
#define TPB_ALU_OP(name, family, first) \
  AluOpInfo { AluOp::name, #name, AluFamily::family, Generation::first, Generation::maverick }

constexpr std::array kAluOps{
    TPB_ALU_OP(bypass, arithmetic, sunda),
    TPB_ALU_OP(bitwise_not, bitvec, sunda),
    TPB_ALU_OP(arith_shift_left, bitvec, sunda),
    TPB_ALU_OP(arith_shift_right, bitvec, sunda),
    TPB_ALU_OP(add, arithmetic, sunda),
    TPB_ALU_OP(subtract, arithmetic, sunda),
    TPB_ALU_OP(mult, arithmetic, sunda),
    TPB_ALU_OP(divide, arithmetic, sunda),
    TPB_ALU_OP(max, arithmetic, sunda),
    TPB_ALU_OP(min, arithmetic, sunda),
    TPB_ALU_OP(bitwise_and, bitvec, sunda),
    TPB_ALU_OP(bitwise_or, bitvec, sunda),
    TPB_ALU_OP(bitwise_xor, bitvec, sunda),
    TPB_ALU_OP(logical_and, bitvec, sunda),
    TPB_ALU_OP(logical_or, bitvec, sunda),
    TPB_ALU_OP(logical_xor, bitvec, sunda),
    TPB_ALU_OP(logical_shift_left, bitvec, sunda),
    TPB_ALU_OP(logical_shift_right, bitvec, sunda),
    TPB_ALU_OP(is_equal, arithmetic, sunda),
    TPB_ALU_OP(is_gt, arithmetic, sunda),
    TPB_ALU_OP(is_ge, arithmetic, sunda),
    TPB_ALU_OP(is_le, arithmetic, sunda),
    TPB_ALU_OP(is_lt, arithmetic, sunda),
    TPB_ALU_OP(abs_diff, arithmetic, sunda),
    TPB_ALU_OP(not_equal, arithmetic, sunda),
    TPB_ALU_OP(abs, arithmetic, sunda),
    TPB_ALU_OP(pow, arithmetic, sunda),
    TPB_ALU_OP(mod, arithmetic, sunda),
    TPB_ALU_OP(crc32, arithmetic, sunda),
    TPB_ALU_OP(rsqrt, arithmetic, sunda),
    TPB_ALU_OP(abs_max, arithmetic, sunda),
    TPB_ALU_OP(abs_min, arithmetic, sunda),
    TPB_ALU_OP(relu, arithmetic, sunda),
    TPB_ALU_OP(square, arithmetic, mariana),
    TPB_ALU_OP(symmetric_clamp, arithmetic, maverick),
    TPB_ALU_OP(add_int, integer, sunda),
    TPB_ALU_OP(mult_int, integer, sunda),
    TPB_ALU_OP(subtract_int, integer, sunda),
    TPB_ALU_OP(divide_int, integer, cayman),
    TPB_ALU_OP(mod_int, integer, cayman),
    TPB_ALU_OP(is_equal_int, integer, cayman),
    TPB_ALU_OP(not_equal_int, integer, cayman),
    TPB_ALU_OP(abs_max_int, integer, cayman),
    TPB_ALU_OP(abs_min_int, integer, cayman),
    TPB_ALU_OP(abs_diff_int, integer, cayman),
    TPB_ALU_OP(abs_int, integer, cayman),
    TPB_ALU_OP(max_int, integer, cayman),
    TPB_ALU_OP(min_int, integer, cayman),
    TPB_ALU_OP(is_gt_int, integer, cayman),
    TPB_ALU_OP(is_ge_int, integer, cayman),
    TPB_ALU_OP(is_le_int, integer, cayman),
    TPB_ALU_OP(is_lt_int, integer, cayman),
    TPB_ALU_OP(max_uint, integer, cayman),
    TPB_ALU_OP(min_uint, integer, cayman),
    TPB_ALU_OP(is_gt_uint, integer, cayman),
    TPB_ALU_OP(is_ge_uint, integer, cayman),
    TPB_ALU_OP(is_le_uint, integer, cayman),
    TPB_ALU_OP(is_lt_uint, integer, cayman),
    TPB_ALU_OP(mult_uint, integer, cayman),
    TPB_ALU_OP(divide_uint, integer, cayman),
    TPB_ALU_OP(mod_uint, integer, cayman),
};
#undef TPB_ALU_OP

// The numberings agree up to here; then the comparisons come in another order.
constexpr unsigned kLastCommonOp = 18;
constexpr std::array<std::optional<AluOp>, 14> kCompilerOps{
    AluOp::not_equal,  // 19
    AluOp::is_gt,      // 20
    AluOp::is_ge,      // 21
    AluOp::is_lt,      // 22
    AluOp::is_le,      // 23
    std::nullopt,      // 24, average
    std::nullopt,      // 25, elemwise_mul
    AluOp::pow,        // 26
    AluOp::mod,        // 27
    AluOp::rsqrt,      // 28
    AluOp::abs,        // 29
    AluOp::abs_max,    // 30
    AluOp::abs_min,    // 31
    AluOp::mod_int,    // 32
};

}  // namespace

std::span<const AluOpInfo> alu_ops() { return kAluOps; }

const AluOpInfo* find_alu_op(std::uint8_t code) {
  const auto found = std::lower_bound(kAluOps.begin(), kAluOps.end(), code, [](const auto& row, std::uint8_t value) {
    return static_cast<std::uint8_t>(row.code) < value;
  });
  return found == kAluOps.end() || static_cast<std::uint8_t>(found->code) != code ? nullptr : &*found;
}

std::optional<AluOp> alu_op_from_name(std::string_view name) {
  const auto found = std::find_if(kAluOps.begin(), kAluOps.end(), [&](const auto& row) { return row.name == name; });
  if (found == kAluOps.end()) return std::nullopt;
  return found->code;
}

std::optional<AluOp> wire_of_compiler_op(unsigned number) {
  if (number <= kLastCommonOp) return static_cast<AluOp>(number);
  const unsigned at = number - kLastCommonOp - 1;
  return at < kCompilerOps.size() ? kCompilerOps[at] : std::nullopt;
}

}  // namespace tpb
