// Rules that several layouts share, and the words in which violations are told. Internal to the room.
#pragma once

#include <cstring>
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
inline constexpr Rule kCheckActiveChannels{"check_active_channels", channels_valid, explain_channels};

// Bytes first..last of a bundle as bits.
constexpr std::uint64_t bytes(unsigned first, unsigned last) {
  return (~std::uint64_t{0} >> (63 - (last - first))) << first;
}

Violation explain_reserved(const Subject& subject, std::uint64_t reserved);

// `kBytes`: one bit per byte of the bundle that no field covers.
template <std::uint64_t kBytes>
constexpr Rule reserved_zero(std::string_view name) {
  return {name,
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

bool start_partition_valid(std::uint32_t partition, std::uint32_t channels);
bool start_address_valid(const Subject& subject, const Site& site);
Violation explain_start_address(const Subject& subject, const Site& site);
bool is_indirect(std::uint32_t addr4);  // a shape register or an indirect address: TensorIndirect
Violation explain_indirection(const Site& site);

// An address register must be well formed; what it points at is not judged.
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

bool tensor_valid(const Subject& subject, const Site& site, TensorTraits traits);
Violation explain_tensor(const Subject& subject, const Site& site, TensorTraits traits);

template <SiteIndex kSite, WriteTensor kWrite, Psum kPsum, unsigned kAlignment = 0>
constexpr Rule tensor_rule(std::string_view name) {
  return {name,
          [](const Subject& s) {
            return tensor_valid(s, s.sites[kSite], {kWrite, kPsum, kAlignment});
          },
          [](const Subject& s) {
            return explain_tensor(s, s.sites[kSite], {kWrite, kPsum, kAlignment});
          }};
}
template <SiteIndex kSite, WriteTensor kWrite, Psum kPsum, unsigned kAlignment = 0>
inline constexpr Rule kTensor3dValid = tensor_rule<kSite, kWrite, kPsum, kAlignment>("tensor3d_valid");
template <SiteIndex kSite, WriteTensor kWrite, Psum kPsum, unsigned kAlignment = 0>
inline constexpr Rule kTensor4dValid = tensor_rule<kSite, kWrite, kPsum, kAlignment>("tensor4d_valid");

// ---- counts -------------------------------------------------------------------------------------------------------

Violation explain_count(const Site& site, std::uint64_t expected, std::string_view of);

template <SiteIndex kSite, SiteIndex kReference>
constexpr Rule same_element_count(std::string_view name) {
  return {name,
          [](const Subject& s) { return s.sites[kSite].pattern.elements() == s.sites[kReference].pattern.elements(); },
          [](const Subject& s) {
            const Site& reference = s.sites[kReference];
            return explain_count(s.sites[kSite], reference.pattern.elements(), reference.name);
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

inline constexpr std::uint8_t kFirstIntegerOp = static_cast<std::uint8_t>(AluOp::add_int);

// The integer band of a generation. Only Pool streams compute it here.
CodeSet integer_band(Generation generation);
// What semantics.divide takes away on an engine: divide and mod, on DVE pow too.
CodeSet refused_divisions(const LegalityContext& context);
Violation explain_operation(std::uint8_t op, const CodeSet& legal);

Violation explain_integer_dtype(const Site& site, std::string_view of);
constexpr bool is_integer_code(std::uint8_t dtype) { return is_integer(static_cast<Dtype>(dtype)); }

// Operations of the integer band take and give integers only.
template <SiteIndex kSite>
inline constexpr Rule kIntegerOpDtype{
    "has_valid_integer_op_dtype",
    [](const Subject& s) { return s.op < kFirstIntegerOp || is_integer_code(s.sites[kSite].dtype); },
    [](const Subject& s) { return explain_integer_dtype(s.sites[kSite], "an operation of the integer band"); }};

}  // namespace tpb
