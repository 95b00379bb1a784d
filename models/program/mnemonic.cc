#include "models/program/mnemonic.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/isa/alu_op.h"

namespace tpb {
namespace {

constexpr Choice kPoolFunctions[]{{"max", static_cast<std::uint8_t>(PoolFunction::max)},
                                  {"avg", static_cast<std::uint8_t>(PoolFunction::average)}};
// No other pooling exists (the pool-engine document); sums and minima are reductions.
constexpr Refusal kNoPoolFunctions[]{{"sum", "has unimplemented Pooling type: use tensor_reduce op=add"},
                                     {"min", "has unimplemented Pooling type: use tensor_reduce op=min"},
                                     {"none", "has unimplemented Pooling type: use func=max or func=avg"}};
// Wire codes of the sub-dimension.
constexpr Choice kAxes[]{{"X", 2}, {"XY", 3}, {"XYZ", 4}, {"XYZW", 5}};

constexpr std::string_view kAverageFolds =
    "average folds into pool_scale: use pool func=avg or add then tensor_scalar mult";
constexpr Refusal kNoReduceOperations[]{{"average", kAverageFolds}, {"elemwise_mul", kAverageFolds}};

std::span<const Choice> operations() {
  static const std::vector<Choice> choices = [] {
    std::vector<Choice> all;
    for (const AluOpInfo& info : alu_ops()) all.push_back({info.name, static_cast<std::uint8_t>(info.code)});
    return all;
  }();
  return choices;
}

FieldSpec operand_field(std::string_view name, unsigned rank) { return {.name = name, .rank = rank}; }
FieldSpec choice_field(std::string_view name, std::span<const Choice> choices, std::span<const Refusal> refusals = {}) {
  return {.name = name, .kind = FieldKind::choice, .choices = choices, .refusals = refusals};
}
FieldSpec optional_number(std::string_view name) {
  return {.name = name, .kind = FieldKind::number, .required = false};
}
FieldSpec flag_field(std::string_view name) { return {.name = name, .kind = FieldKind::flag, .required = false}; }

bool is_bitvec(std::uint8_t op) {
  const AluOpInfo* info = find_alu_op(op);
  return info != nullptr && info->family == AluFamily::bitvec;
}

// Elements per partition of an operand, without its `reduced` innermost dimensions.
std::uint64_t elements_of(const Operand& operand, unsigned reduced = 0) {
  std::uint64_t count = 1;
  for (unsigned d = reduced; d < kPatternDims; ++d) count *= operand.pattern.num[d];
  return count;
}

void check_elements(const Fields& fields, std::string_view name, std::uint64_t expected, std::string_view origin) {
  const std::uint64_t found = elements_of(fields.operand(name));
  if (found != expected) {
    throw Problem{fields.column(name),
                  fmt::format("{} has {} elements per partition, expected {} ({})", name, found, expected, origin)};
  }
}

Frame frame_for(Opcode role, const SemanticsOptions& semantics) {
  Frame frame;
  frame.opcode = wire_of(static_cast<std::uint8_t>(role), semantics);
  return frame;
}

std::uint8_t code_of(Dtype dtype) { return static_cast<std::uint8_t>(dtype); }
std::uint8_t channels_of(const Operand& operand) { return static_cast<std::uint8_t>(operand.channels); }

// The source and destination of a bundle as fields, in the order of the layout.
Fields operand_fields(const Instruction& instruction, std::initializer_list<std::string_view> sources) {
  const Operands operands = operands_of(instruction);
  Fields fields;
  std::size_t i = 0;
  for (const std::string_view name : sources) fields.put(name, TextOperand{operands.source[i++], 0, true});
  fields.put("dst", TextOperand{operands.destination[0], 0, true});
  return fields;
}

// --- control ---------------------------------------------------------------------------------------------------------

Instruction write_control(const Mnemonic& mnemonic, const Fields&, const SemanticsOptions& semantics) {
  ControlBundle bundle{};
  bundle.frame = frame_for(mnemonic.role, semantics);
  return bundle;
}

Fields read_control(const Instruction&) { return {}; }

// --- S4D4_PL ---------------------------------------------------------------------------------------------------------

// The window is the two innermost dimensions of the source; average multiplies by its reciprocal.
float pool_scale(std::uint8_t function, const Operand& source) {
  if (function != static_cast<std::uint8_t>(PoolFunction::average)) return 1.0F;
  return 1.0F / static_cast<float>(source.pattern.num[0] * source.pattern.num[1]);
}

Instruction write_pool(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  constexpr std::uint8_t kPoolDim = 3;
  const Operand& src = fields.operand("src");
  const Operand& dst = fields.operand("dst");
  check_elements(fields, "dst", elements_of(src, 2), "one for each window of src");
  S4D4_PL bundle{};
  bundle.frame = frame_for(mnemonic.role, semantics);
  bundle.src = descriptor_of<4>(src.pattern);
  bundle.in_dtype = code_of(src.dtype);
  bundle.out_dtype = code_of(dst.dtype);
  bundle.num_active_channels = channels_of(src);
  bundle.pool_func = fields.code("func");
  bundle.pool_dim = kPoolDim;
  bundle.pool_scale = fields.has("scale") ? fields.number("scale") : pool_scale(bundle.pool_func, src);
  bundle.dst = descriptor_of<4>(dst.pattern);
  return bundle;
}

Fields read_pool(const Instruction& instruction) {
  const auto& bundle = std::get<S4D4_PL>(instruction);
  Fields fields = operand_fields(instruction, {"src"});
  fields.put("func", bundle.pool_func);
  const float scale = bundle.pool_scale;
  if (std::bit_cast<std::uint32_t>(scale) !=
      std::bit_cast<std::uint32_t>(pool_scale(bundle.pool_func, fields.operand("src")))) {
    fields.put("scale", scale);
  }
  return fields;
}

// --- S4D4_TR ---------------------------------------------------------------------------------------------------------

S4D4_TR source_and_destination(Opcode role, const Fields& fields, const SemanticsOptions& semantics) {
  S4D4_TR bundle{};
  bundle.frame = frame_for(role, semantics);
  bundle.src = descriptor_of<4>(fields.operand("src").pattern);
  bundle.in_dtype = code_of(fields.operand("src").dtype);
  bundle.out_dtype = code_of(fields.operand("dst").dtype);
  bundle.num_active_channels = channels_of(fields.operand("src"));
  bundle.dst = descriptor_of<4>(fields.operand("dst").pattern);
  return bundle;
}

Instruction write_reduction(Opcode role, std::uint8_t op, const Fields& fields, const SemanticsOptions& semantics) {
  const auto reduced = static_cast<unsigned>(fields.code("axis") - 1);
  check_elements(fields, "dst", elements_of(fields.operand("src"), reduced), "those of src without the axis");
  S4D4_TR bundle = source_and_destination(role, fields, semantics);
  bundle.op = op;
  bundle.op_dim = fields.code("axis");
  bundle.negated = fields.has("negate") ? 1 : 0;
  return bundle;
}

Instruction write_tensor_reduce(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  if (fields.has("transpose")) {
    const bool theirs = semantics.reduce_opcodes == SemanticsOptions::ReduceOpcodes::seed003;
    throw Problem{fields.column("transpose"), theirs ? "transpose: no opcode for it in this profile"
                                                     : "transpose: the transposing reduce is not modelled"};
  }
  const std::uint8_t op = fields.code("op");
  return write_reduction(is_bitvec(op) ? Opcode::tensor_reduce_bitvec : mnemonic.role, op, fields, semantics);
}

Fields read_tensor_reduce(const Instruction& instruction) {
  const auto& bundle = std::get<S4D4_TR>(instruction);
  Fields fields = operand_fields(instruction, {"src"});
  fields.put("op", bundle.op);
  fields.put("axis", bundle.op_dim);
  if (bundle.negated != 0) fields.put("negate", Set{});
  return fields;
}

// The opcode says the operation; the op byte repeats it (packed-BF16 document).
Instruction write_packed_reduce(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  const AluOp op = mnemonic.role == Opcode::tensor_reduce_add_bf16 ? AluOp::add : AluOp::max;
  return write_reduction(mnemonic.role, static_cast<std::uint8_t>(op), fields, semantics);
}

Instruction write_copy(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  check_elements(fields, "dst", elements_of(fields.operand("src")), "those of src");
  return source_and_destination(mnemonic.role, fields, semantics);
}

Fields read_copy(const Instruction& instruction) { return operand_fields(instruction, {"src"}); }

// --- S3S3D3_TT -------------------------------------------------------------------------------------------------------

Instruction write_two_tensors(Opcode role, std::uint8_t op, const Fields& fields, const SemanticsOptions& semantics) {
  const Operand& src0 = fields.operand("src0");
  const Operand& src1 = fields.operand("src1");
  const Operand& dst = fields.operand("dst");
  check_elements(fields, "src1", elements_of(src0), "those of src0");
  check_elements(fields, "dst", elements_of(src0), "those of src0");
  S3S3D3_TT bundle{};
  bundle.frame = frame_for(role, semantics);
  bundle.in0_in1_dtype = static_cast<std::uint8_t>(code_of(src0.dtype) | code_of(src1.dtype) << 4);
  bundle.out_dtype = code_of(dst.dtype);
  bundle.op = op;
  bundle.num_active_channels = channels_of(src0);
  bundle.src0 = descriptor_of<3>(src0.pattern);
  bundle.src1 = descriptor_of<3>(src1.pattern);
  bundle.dst = descriptor_of<3>(dst.pattern);
  return bundle;
}

// Named here as the model does not execute it: the sequencer says so.
constexpr auto kTensorTensorBitvec = static_cast<Opcode>(0x51);

Instruction write_tensor_tensor(const Mnemonic& mnemonic, const Fields& fields, const SemanticsOptions& semantics) {
  const std::uint8_t op = fields.code("op");
  return write_two_tensors(is_bitvec(op) ? kTensorTensorBitvec : mnemonic.role, op, fields, semantics);
}

Fields read_tensor_tensor(const Instruction& instruction) {
  Fields fields = operand_fields(instruction, {"src0", "src1"});
  fields.put("op", std::get<S3S3D3_TT>(instruction).op);
  return fields;
}

// The opcode says the operation and the op byte is pinned to it.
Instruction write_packed_tensor_tensor(const Mnemonic& mnemonic, const Fields& fields,
                                       const SemanticsOptions& semantics) {
  const AluOp op = mnemonic.role == Opcode::tensor_tensor_add_bf16    ? AluOp::add
                   : mnemonic.role == Opcode::tensor_tensor_mult_bf16 ? AluOp::mult
                                                                      : AluOp::subtract;
  return write_two_tensors(mnemonic.role, static_cast<std::uint8_t>(op), fields, semantics);
}

Fields read_packed_tensor_tensor(const Instruction& instruction) {
  return operand_fields(instruction, {"src0", "src1"});
}

// --- the table -------------------------------------------------------------------------------------------------------

const std::vector<Mnemonic>& table() {
  static const std::vector<Mnemonic> rows = [] {
    const std::vector<FieldSpec> source_to_destination{operand_field("src", 4), operand_field("dst", 4)};
    const std::vector<FieldSpec> packed_reduce{choice_field("axis", kAxes), operand_field("src", 4),
                                               operand_field("dst", 4), flag_field("negate")};
    const std::vector<FieldSpec> packed_pair{operand_field("src0", 3), operand_field("src1", 3),
                                             operand_field("dst", 3)};
    return std::vector<Mnemonic>{
        {"pool",
         Opcode::pool,
         {choice_field("func", kPoolFunctions, kNoPoolFunctions), operand_field("src", 4), operand_field("dst", 4),
          optional_number("scale")},
         write_pool,
         read_pool},
        {"tensor_reduce",
         Opcode::tensor_reduce_arith,
         {choice_field("op", operations(), kNoReduceOperations), choice_field("axis", kAxes), operand_field("src", 4),
          operand_field("dst", 4), flag_field("negate"), flag_field("transpose")},
         write_tensor_reduce,
         read_tensor_reduce},
        {"tensor_tensor",
         Opcode::tensor_tensor_arith,
         {choice_field("op", operations()), operand_field("src0", 3), operand_field("src1", 3),
          operand_field("dst", 3)},
         write_tensor_tensor,
         read_tensor_tensor},
        {"tensor_tensor_add_bf16", Opcode::tensor_tensor_add_bf16, packed_pair, write_packed_tensor_tensor,
         read_packed_tensor_tensor},
        {"tensor_tensor_mult_bf16", Opcode::tensor_tensor_mult_bf16, packed_pair, write_packed_tensor_tensor,
         read_packed_tensor_tensor},
        {"tensor_tensor_sub_bf16", Opcode::tensor_tensor_sub_bf16, packed_pair, write_packed_tensor_tensor,
         read_packed_tensor_tensor},
        {"tensor_reduce_add_bf16", Opcode::tensor_reduce_add_bf16, packed_reduce, write_packed_reduce,
         read_tensor_reduce},
        {"tensor_reduce_max_bf16", Opcode::tensor_reduce_max_bf16, packed_reduce, write_packed_reduce,
         read_tensor_reduce},
        {"copy", Opcode::copy, source_to_destination, write_copy, read_copy},
        {"cast", Opcode::cast, source_to_destination, write_copy, read_copy},
        {"nop", Opcode::nop, {}, write_control, read_control},
        {"event_semaphore", Opcode::event_semaphore, {}, write_control, read_control},
        {"halt", Opcode::halt, {}, write_control, read_control},
    };
  }();
  return rows;
}

}  // namespace

const Fields::Entry* Fields::find(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &Entry::name);
  return found == entries_.end() ? nullptr : &*found;
}

Fields::Entry* Fields::find(std::string_view name) {
  return const_cast<Entry*>(static_cast<const Fields*>(this)->find(name));
}

bool Mnemonic::has_operands() const {
  return std::ranges::any_of(fields, [](const FieldSpec& field) { return field.kind == FieldKind::operand; });
}

const Mnemonic* find_mnemonic(std::string_view name) {
  const auto found = std::ranges::find(table(), name, &Mnemonic::name);
  return found == table().end() ? nullptr : &*found;
}

const Mnemonic* find_mnemonic(Opcode role) {
  const OpcodeInfo* info = find_opcode(static_cast<std::uint8_t>(role));
  return info == nullptr ? nullptr : find_mnemonic(info->mnemonic);
}

std::vector<std::string_view> mnemonic_names() {
  std::vector<std::string_view> names;
  for (const Mnemonic& row : table()) names.push_back(row.name);
  return names;
}

}  // namespace tpb
