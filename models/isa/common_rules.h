// Rules that several layouts share, and the words in which violations are told. Internal to the room.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>

#include "models/isa/rule.h"

namespace tpb {

// ---- words, cold path only ----------------------------------------------------------------------------------------

std::string hex_byte(std::uint8_t value);                           // "0x8A"
std::string dtype_text(std::uint8_t code);                          // "fp16", or "0x17" for a code without a name
std::string site_field(const Site& site, std::string_view member);  // "src0.start_addr"
std::string address_text(std::uint32_t addr4);                      // "0x02000000"

// ---- fields of one byte -------------------------------------------------------------------------------------------

struct ByteLimits {
  std::string_view field;
  std::size_t offset;
  std::uint8_t least, most;
  std::string_view allowed;
};
Violation explain_byte(const Subject& subject, const ByteLimits& limits);

template <const ByteLimits& kLimits>
constexpr auto byte_rule(std::string_view name) {
  return Rule{name,
              [](const Subject& s) {
                const std::uint8_t value = s.bundle[kLimits.offset];
                return value >= kLimits.least && value <= kLimits.most;
              },
              [](const Subject& s) { return explain_byte(s, kLimits); }};
}

// ---- channels and reserved bytes ----------------------------------------------------------------------------------

constexpr bool channels_valid(std::uint32_t channels) { return channels - 1U < kPartitions; }
Violation explain_channels(const Subject& subject);
constexpr auto channels_rule(std::string_view name) {
  return Rule{name, [](const Subject& s) { return channels_valid(s.channels); }, explain_channels};
}
inline constexpr auto kCheckActiveChannels = channels_rule("check_active_channels");

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
inline bool start_address_valid(const Site& site, std::uint32_t channels) {
  if (site.immediate) return !channels_valid(channels) || start_partition_valid(site.partition, channels);
  const std::uint32_t addr4 = site.pattern.start_addr;
  return address_mode(addr4) != AddressMode::address_register || (addr4 & kAddressBits) < kRegisters;
}
Violation explain_start_address(const Site& site, std::uint32_t channels);
// A shape register or an indirect address: TensorIndirect in the public documentation.
constexpr bool is_indirect(std::uint32_t addr4) {
  const AddressMode mode = address_mode(addr4);
  return mode == AddressMode::shape_register || mode == AddressMode::indirect;
}
Violation explain_indirection(const Site& site);

// `kChannels`: the partitions of an operand that does not have those of the instruction.
template <std::uint32_t kChannels>
constexpr std::uint32_t channels_of(const Subject& s) {
  return kChannels == 0 ? s.channels : kChannels;
}
template <SiteIndex kSite, std::uint32_t kChannels = 0>
constexpr auto start_address_rule(std::string_view name) {
  return Rule{name, [](const Subject& s) { return start_address_valid(s.sites[kSite], channels_of<kChannels>(s)); },
              [](const Subject& s) { return explain_start_address(s.sites[kSite], channels_of<kChannels>(s)); }};
}
template <SiteIndex kSite, std::uint32_t kChannels = 0>
inline constexpr auto kStartAddrActiveChannels = start_address_rule<kSite, kChannels>("start_addr_active_channels");

template <SiteIndex kSite>
inline constexpr Rule kDirectAddress{"indirection_not_modelled",
                                     [](const Subject& s) { return s.sites[kSite].immediate; },
                                     [](const Subject& s) { return explain_indirection(s.sites[kSite]); }};

// Instructions that could not use an indirect address even if it were modelled say so themselves.
template <SiteIndex kSite, const std::string_view& kAllowed>
constexpr auto not_indirect_rule(std::string_view name) {
  return Rule{name, [](const Subject& s) { return !is_indirect(s.sites[kSite].pattern.start_addr); },
              [](const Subject& s) {
                const Site& site = s.sites[kSite];
                return Violation{
                    {}, site_field(site, "start_addr"), address_text(site.pattern.start_addr), std::string(kAllowed)};
              }};
}

// ---- patterns -----------------------------------------------------------------------------------------------------

// Which streams may name PSUM with an operand: those of compute engines except Pool's, every one (Pool and the packed
// BF16 opcodes), or none; or it must be PSUM.
enum class Psum : std::uint8_t { except_pool, every_engine, never, only };
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
  if (site.space == Space::sbuf) {
    if (traits.psum == Psum::only) return TensorFault::psum;
  } else {
    if (traits.psum == Psum::never) return TensorFault::psum;
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
template <SiteIndex kSite, WriteTensor kWrite, Psum kPsum>
inline constexpr auto kTensor2dValid = tensor_rule<kSite, kWrite, kPsum>("tensor2d_valid");
template <SiteIndex kSite, WriteTensor kWrite, Psum kPsum, unsigned kAlignment = 0>
inline constexpr auto kTensor3dValid = tensor_rule<kSite, kWrite, kPsum, kAlignment>("tensor3d_valid");
template <SiteIndex kSite, WriteTensor kWrite, Psum kPsum, unsigned kAlignment = 0>
inline constexpr auto kTensor4dValid = tensor_rule<kSite, kWrite, kPsum, kAlignment>("tensor4d_valid");

// Of two tensor inputs one is in SBUF.
Violation explain_both_in_psum(const Subject& subject);
inline constexpr Rule kOneSourceInPsum{"tensor_inputs_not_both_in_psum",
                                       [](const Subject& s) {
                                         const Site& a = s.sites[kSrc];
                                         const Site& b = s.sites[kSrc1];
                                         return !a.immediate || !b.immediate || a.space == Space::sbuf ||
                                                b.space == Space::sbuf;
                                       },
                                       explain_both_in_psum};

// ---- immediates ---------------------------------------------------------------------------------------------------

// What a scalar operand can be wrong in. Only a pointer is an operand in memory: one value per partition.
enum class ScalarFault : std::uint8_t { none, source, register_number, indirection, start_address, tensor };

inline ScalarFault fault_of(const Subject& subject, const Site& scalar, Psum psum) {
  switch (static_cast<ImmediateSource>(scalar.scalar_source)) {
    case ImmediateSource::instruction:
      return ScalarFault::none;
    case ImmediateSource::register_pointer:
      return scalar.pattern.start_addr < kRegisters ? ScalarFault::none : ScalarFault::register_number;
    case ImmediateSource::pointer:
      break;
    default:
      return ScalarFault::source;
  }
  if (!scalar.immediate) return ScalarFault::indirection;
  if (!start_address_valid(scalar, subject.channels)) return ScalarFault::start_address;
  const bool valid = fault_of(subject, scalar, {WriteTensor::no, psum}) == TensorFault::none;
  return valid ? ScalarFault::none : ScalarFault::tensor;
}
Violation explain_scalar(const Subject& subject, const Site& scalar, Psum psum);

template <SiteIndex kSite, Psum kPsum = Psum::except_pool>
constexpr auto scalar_rule(std::string_view name) {
  return Rule{name, [](const Subject& s) { return fault_of(s, s.sites[kSite], kPsum) == ScalarFault::none; },
              [](const Subject& s) { return explain_scalar(s, s.sites[kSite], kPsum); }};
}

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

Violation explain_count(const Site& site, std::uint64_t least, std::uint64_t most);

template <SiteIndex kSite, std::uint64_t kLeast, std::uint64_t kMost = kLeast>
constexpr auto element_count(std::string_view name) {
  return Rule{name,
              [](const Subject& s) {
                const std::uint64_t count = s.sites[kSite].pattern.elements();
                return count >= kLeast && count <= kMost;
              },
              [](const Subject& s) { return explain_count(s.sites[kSite], kLeast, kMost); }};
}

// ---- transposes ---------------------------------------------------------------------------------------------------

// A transpose moves whole blocks of 32 partitions by 32 consecutive elements of the stream.
inline constexpr unsigned kTransposeBlock = 32;
constexpr bool moves_blocks(const Subject& s) {
  return transposes(s.frame.opcode) || s.role == static_cast<std::uint8_t>(Opcode::stream_transpose);
}
Violation explain_blocks(const Subject& subject);
inline constexpr Rule kTransposeBlocks{
    "transpose_block_check",
    [](const Subject& s) {
      return !moves_blocks(s) ||
             (s.channels % kTransposeBlock == 0 && s.sites[kSrc].pattern.elements() % kTransposeBlock == 0);
    },
    explain_blocks};

// The bit-vector forms move words.
Violation explain_transposed_word(const Subject& subject);
inline constexpr Rule kTransposedWord{"transpose_bitvec_dtype",
                                      [](const Subject& s) {
                                        const unsigned width = bytes_of(static_cast<Dtype>(s.sites[kSrc].dtype));
                                        return !transposes(s.frame.opcode) || width == 0 || width == 4;
                                      },
                                      explain_transposed_word};

}  // namespace tpb
