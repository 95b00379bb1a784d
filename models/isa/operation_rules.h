// Which operations an instruction computes, and the dtypes that a family of them asks for. Internal to the room.
#pragma once

#include "models/isa/alu_op.h"
#include "models/isa/common_rules.h"

namespace tpb {

std::string alu_op_text(std::uint8_t code);  // "add", or "0x25"

// A set of codes, small enough to be computed for each bundle from generation, engine and profile.
class CodeSet {
 public:
  constexpr CodeSet() = default;
  constexpr CodeSet(std::initializer_list<AluOp> codes) {
    for (AluOp code : codes) insert(code, code);
  }
  constexpr CodeSet& insert(AluOp first, AluOp last) {
    for (unsigned code = static_cast<unsigned>(first); code <= static_cast<unsigned>(last); ++code) {
      words_[code / 64] |= std::uint64_t{1} << (code % 64);
    }
    return *this;
  }
  constexpr bool contains(std::uint8_t code) const { return (words_[code / 64U] >> (code % 64U) & 1) != 0; }
  constexpr CodeSet operator|(const CodeSet& other) const {
    CodeSet both = *this;
    for (unsigned w = 0; w < 4; ++w) both.words_[w] |= other.words_[w];
    return both;
  }
  constexpr CodeSet without(const CodeSet& other) const {
    CodeSet rest = *this;
    for (unsigned w = 0; w < 4; ++w) rest.words_[w] &= ~other.words_[w];
    return rest;
  }

 private:
  std::array<std::uint64_t, 4> words_{};
};

// The integer band of a generation. Only Pool streams compute it here.
inline constexpr CodeSet kIntegerBand = CodeSet{}.insert(AluOp::add_int, AluOp::mod_uint);
constexpr CodeSet integer_band(Generation generation) {
  return generation >= Generation::cayman ? kIntegerBand : CodeSet{}.insert(AluOp::add_int, AluOp::subtract_int);
}

// What semantics.divide = refused takes away in a stream: divide and mod, and pow unless it is Pool's.
constexpr CodeSet refused_divisions(bool pool) {
  return pool ? CodeSet{AluOp::divide, AluOp::mod} : CodeSet{AluOp::divide, AluOp::mod, AluOp::pow};
}

// What the legal operations of an instruction depend on.
struct OperationContext {
  bool pool;  // a Pool stream
  Generation generation;
  bool division;  // semantics.divide = legal
  bool listed;    // semantics.reduce_operators = listed
};

// The sets of one instruction for every context, computed when it is compiled.
class LegalOperations {
 public:
  constexpr explicit LegalOperations(CodeSet (*legal)(const OperationContext&)) {
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      sets_[i] = legal({(i & 1) != 0, kGenerations[i >> 3], (i & 2) != 0, (i & 4) != 0});
    }
  }
  constexpr const CodeSet& in(const LegalityContext& context) const {
    const bool pool = context.engine == Engine::pool;
    const bool division = context.semantics.divide == SemanticsOptions::Divide::legal;
    const bool listed = context.semantics.reduce_operators == SemanticsOptions::ReduceOperators::listed;
    return sets_[static_cast<std::size_t>(context.generation) << 3 | unsigned{listed} << 2 | unsigned{division} << 1 |
                 unsigned{pool}];
  }

 private:
  std::array<CodeSet, kGenerations.size() * 8> sets_;
};

// ---- sets that several instructions share -------------------------------------------------------------------------

inline constexpr CodeSet kDivisions{AluOp::divide, AluOp::pow, AluOp::mod};
inline constexpr CodeSet kElementwise = CodeSet{AluOp::bypass, AluOp::add,     AluOp::subtract, AluOp::mult, AluOp::max,
                                                AluOp::min,    AluOp::abs_max, AluOp::abs_min,  AluOp::relu}
                                            .insert(AluOp::is_equal, AluOp::abs) |
                                        kDivisions;
constexpr CodeSet elementwise(const OperationContext& c) {
  const CodeSet legal = c.division ? kElementwise : kElementwise.without(refused_divisions(c.pool));
  return c.generation >= Generation::mariana ? legal | CodeSet{AluOp::square} : legal;
}
inline constexpr LegalOperations kElementwiseOperations(elementwise);

inline constexpr CodeSet kBitvec = CodeSet{AluOp::bitwise_not, AluOp::arith_shift_left, AluOp::arith_shift_right,
                                           AluOp::logical_shift_left, AluOp::logical_shift_right}
                                       .insert(AluOp::bitwise_and, AluOp::logical_xor);
inline constexpr LegalOperations kBitvecOperations([](const OperationContext&) { return kBitvec; });

// ---- the op byte --------------------------------------------------------------------------------------------------

Violation explain_operation(std::uint8_t op, const CodeSet& legal, std::string_view field = "op");

template <const LegalOperations& kLegal>
constexpr auto operation_rule(std::string_view name) {
  return Rule{name, [](const Subject& s) { return kLegal.in(s.context).contains(s.op); },
              [](const Subject& s) { return explain_operation(s.op, kLegal.in(s.context)); }};
}

// Of the layouts that have two.
struct OperationField {
  std::string_view name;
  std::size_t offset;
};
inline constexpr OperationField kOp0{"op0", offsetof(S3D3_TS, op0)};
inline constexpr OperationField kOp1{"op1", offsetof(S3D3_TS, op1)};
static_assert(offsetof(S2S2D2_STT, op0) == kOp0.offset && offsetof(S2S2D2_STT, op1) == kOp1.offset);

template <const OperationField& kField, const LegalOperations& kLegal>
constexpr auto operation_rule(std::string_view name) {
  return Rule{
      name, [](const Subject& s) { return kLegal.in(s.context).contains(s.bundle[kField.offset]); },
      [](const Subject& s) { return explain_operation(s.bundle[kField.offset], kLegal.in(s.context), kField.name); }};
}

// ---- dtypes -------------------------------------------------------------------------------------------------------

Violation explain_integer_dtype(const Site& site, std::string_view of);
constexpr bool is_integer_code(std::uint8_t dtype) { return is_integer(static_cast<Dtype>(dtype)); }

// Operations of the integer band take and give integers only.
template <SiteIndex kSite>
inline constexpr Rule kIntegerOpDtype{
    "has_valid_integer_op_dtype",
    [](const Subject& s) {
      return !kIntegerBand.contains(s.op) || !is_valid_dtype(s.sites[kSite].dtype, true) ||
             is_integer_code(s.sites[kSite].dtype);
    },
    [](const Subject& s) { return explain_integer_dtype(s.sites[kSite], "an operation of the integer band"); }};

// Bit-vector operations take and give the bits of integers of one size.
template <SiteIndex kSite>
inline constexpr Rule kBitvecDtype{
    "has_valid_bitvec_dtype",
    [](const Subject& s) {
      return !is_valid_dtype(s.sites[kSite].dtype, true) || is_integer_code(s.sites[kSite].dtype);
    },
    [](const Subject& s) { return explain_integer_dtype(s.sites[kSite], "a bit-vector operation"); }};

Violation explain_same_size(const Site& site, const Site& reference);
template <SiteIndex kSite, SiteIndex kReference>
inline constexpr Rule kBitvecSameSize{
    "bitvec_same_size",
    [](const Subject& s) {
      const unsigned size = bytes_of(static_cast<Dtype>(s.sites[kSite].dtype));
      const unsigned reference = bytes_of(static_cast<Dtype>(s.sites[kReference].dtype));
      return size == 0 || reference == 0 || size == reference;
    },
    [](const Subject& s) { return explain_same_size(s.sites[kSite], s.sites[kReference]); }};

}  // namespace tpb
