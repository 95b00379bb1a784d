// Rules that several layouts share, and the words in which violations are told. Internal to the room.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>

#include "models/isa/alu_op.h"
#include "models/isa/rule.h"

namespace tpb {

// ---- words, cold path only ----------------------------------------------------------------------------------------

std::string hex_byte(std::uint8_t value);                           // "0x8A"
std::string dtype_text(std::uint8_t code);                          // "fp16", or "0x17" for a code without a name
std::string alu_op_text(std::uint8_t code);                         // "add", or "0x25"
std::string site_field(const Site& site, std::string_view member);  // "src0.start_addr"
std::string address_text(std::uint32_t addr4);                      // "0x02000000"

// ---- channels and reserved bytes ----------------------------------------------------------------------------------

constexpr bool channels_valid(const Subject& s) { return s.channels - 1U < kPartitions; }
Violation explain_channels(const Subject& subject);
inline constexpr Rule kCheckActiveChannels{"check_active_channels", [](const Subject& s) { return channels_valid(s); },
                                           explain_channels};

// Bytes first..last of a bundle as bits.
constexpr std::uint64_t bytes(unsigned first, unsigned last) {
  return (~std::uint64_t{0} >> (63 - (last - first))) << first;
}

Violation explain_reserved(const Subject& subject, std::uint64_t reserved);

// `kBytes`: one bit per byte of the bundle that no field covers.
template <std::uint64_t kBytes>
constexpr auto reserved_zero(std::string_view name) {
  return Rule{name,
              [](const Subject& s) {
                constexpr auto kMasks = [] {
                  std::array<std::uint64_t, 8> masks{};
                  for (unsigned byte = 0; byte < 64; ++byte) {
                    if ((kBytes >> byte & 1) != 0) masks[byte / 8] |= std::uint64_t{0xFF} << (byte % 8 * 8);
                  }
                  return masks;
                }();
                const auto words = std::bit_cast<std::array<std::uint64_t, 8>>(s.bundle);
                std::uint64_t set = 0;
                for (unsigned w = 0; w < 8; ++w) set |= words[w] & kMasks[w];
                return set == 0;
              },
              [](const Subject& s) { return explain_reserved(s, kBytes); }};
}

// ---- dtypes -------------------------------------------------------------------------------------------------------

enum class AllowFp32r : bool { no, yes };

Violation explain_dtype(const Site& site, AllowFp32r allow);

template <SiteIndex kSite, AllowFp32r kAllow>
inline constexpr Rule kIsValidDtype{
    "is_valid_dtype", [](const Subject& s) { return is_valid_dtype(s.sites[kSite].dtype, kAllow == AllowFp32r::yes); },
    [](const Subject& s) { return explain_dtype(s.sites[kSite], kAllow); }};

// ---- addresses ----------------------------------------------------------------------------------------------------

inline constexpr std::uint32_t kAddressBits = 0x1FFF'FFFF;

// More than 64 partitions start at 0, more than 32 at a half, fewer at a quarter.
constexpr bool start_partition_valid(std::uint32_t partition, std::uint32_t channels) {
  const std::uint32_t unit = channels > 64 ? kPartitions : channels > 32 ? 64 : 32;
  return partition < kPartitions && (partition & (unit - 1)) == 0;
}

// An address register must be well formed; what it points at is not judged.
inline bool start_address_valid(const Subject& subject, const Site& site) {
  if (site.immediate) return !channels_valid(subject) || start_partition_valid(site.partition, subject.channels);
  const std::uint32_t addr4 = site.pattern.start_addr;
  return address_mode(addr4) != AddressMode::address_register || (addr4 & kAddressBits) < kRegisters;
}
Violation explain_start_address(const Subject& subject, const Site& site);
// A shape register or an indirect address: TensorIndirect in the public documentation.
constexpr bool is_indirect(std::uint32_t addr4) {
  const AddressMode mode = address_mode(addr4);
  return mode == AddressMode::shape_register || mode == AddressMode::indirect;
}
Violation explain_indirection(const Site& site);

template <SiteIndex kSite>
inline constexpr Rule kStartAddrActiveChannels{
    "start_addr_active_channels", [](const Subject& s) { return start_address_valid(s, s.sites[kSite]); },
    [](const Subject& s) { return explain_start_address(s, s.sites[kSite]); }};

template <SiteIndex kSite>
inline constexpr Rule kDirectAddress{"indirection_not_modelled",
                                     [](const Subject& s) { return s.sites[kSite].immediate; },
                                     [](const Subject& s) { return explain_indirection(s.sites[kSite]); }};

// ---- patterns -----------------------------------------------------------------------------------------------------

// Which streams may name PSUM with an operand: those of compute engines except Pool's, or every one (Pool and the
// packed BF16 opcodes).
enum class Psum : std::uint8_t { except_pool, every_engine };
enum class WriteTensor : bool { no, yes };

struct TensorTraits {
  WriteTensor write;
  Psum psum;
  unsigned alignment = 0;  // of the address in bytes; 0: that of the element
};

// What a tensor operand can be wrong in, in the order in which it is judged.
enum class TensorFault : std::uint8_t { none, count, alignment, psum, narrow_psum_write, bounds };

constexpr std::uint32_t capacity_of(const MemoryMap& map, Space space) {
  return space == Space::sbuf ? map.sbuf_bytes_per_partition : map.psum_bytes_per_partition();
}

inline TensorFault fault_of(const Subject& subject, const Site& site, TensorTraits traits) {
  const auto& num = site.pattern.num;
  if (num[0] == 0 || num[1] == 0 || num[2] == 0 || num[3] == 0) return TensorFault::count;
  const unsigned width = bytes_of(static_cast<Dtype>(site.dtype));
  if (width == 0 || !site.immediate) return TensorFault::none;
  const unsigned alignment = std::max(width, traits.alignment);
  if ((site.pattern.start_addr & (alignment - 1)) != 0) return TensorFault::alignment;
  if (site.space == Space::psum) {
    if (traits.psum == Psum::except_pool && subject.context.engine == Engine::pool) return TensorFault::psum;
    if (traits.write == WriteTensor::yes && width != 4 && subject.context.generation < Generation::mariana) {
      return TensorFault::narrow_psum_write;
    }
  }
  const ByteRange range = touched_bytes(site.pattern, width);
  const bool inside =
      site.offset + range.first >= 0 && site.offset + range.last < capacity_of(subject.context.memory, site.space);
  return inside ? TensorFault::none : TensorFault::bounds;
}
Violation explain_tensor(const Subject& subject, const Site& site, TensorTraits traits);

template <SiteIndex kSite, WriteTensor kWrite, Psum kPsum, unsigned kAlignment = 0>
constexpr auto tensor_rule(std::string_view name) {
  return Rule{name,
              [](const Subject& s) {
                return fault_of(s, s.sites[kSite], {kWrite, kPsum, kAlignment}) == TensorFault::none;
              },
              [](const Subject& s) {
                return explain_tensor(s, s.sites[kSite], {kWrite, kPsum, kAlignment});
              }};
}
template <SiteIndex kSite, WriteTensor kWrite, Psum kPsum, unsigned kAlignment = 0>
inline constexpr auto kTensor3dValid = tensor_rule<kSite, kWrite, kPsum, kAlignment>("tensor3d_valid");
template <SiteIndex kSite, WriteTensor kWrite, Psum kPsum, unsigned kAlignment = 0>
inline constexpr auto kTensor4dValid = tensor_rule<kSite, kWrite, kPsum, kAlignment>("tensor4d_valid");

// ---- counts -------------------------------------------------------------------------------------------------------

Violation explain_count(const Site& site, std::uint64_t expected, std::string_view of);

template <SiteIndex kSite, SiteIndex kReference>
constexpr auto same_element_count(std::string_view name) {
  return Rule{
      name,
      [](const Subject& s) { return s.sites[kSite].pattern.elements() == s.sites[kReference].pattern.elements(); },
      [](const Subject& s) {
        const Site& reference = s.sites[kReference];
        return explain_count(s.sites[kSite], reference.pattern.elements(), reference.names->name);
      }};
}

// ---- operations ---------------------------------------------------------------------------------------------------

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

Violation explain_operation(std::uint8_t op, const CodeSet& legal);

template <const LegalOperations& kLegal>
constexpr auto operation_rule(std::string_view name) {
  return Rule{name, [](const Subject& s) { return kLegal.in(s.context).contains(s.op); },
              [](const Subject& s) { return explain_operation(s.op, kLegal.in(s.context)); }};
}

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

}  // namespace tpb
