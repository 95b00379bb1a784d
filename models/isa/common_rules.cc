#include "models/isa/common_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace tpb {
namespace {

constexpr std::uint32_t kAddressBits = 0x1FFF'FFFF;
constexpr std::uint32_t kRegisters = 64;

std::string_view marker_text(std::uint32_t addr4) {
  switch (address_mode(addr4)) {
    case AddressMode::immediate:
      return "immediate";
    case AddressMode::address_register:
      return "address register";
    case AddressMode::shape_register:
      return "shape register";
    case AddressMode::indirect:
      break;
  }
  return "indirect";
}

// Which PSUM accesses an engine has: none at all for Pool, except by the instructions that are given it.
bool may_use_psum(const Subject& subject, Psum psum) {
  return psum == Psum::every_engine || subject.context.engine != Engine::pool;
}

std::uint32_t capacity_of(const MemoryMap& map, Space space) {
  return space == Space::sbuf ? map.sbuf_bytes_per_partition : map.psum_bytes_per_partition();
}

bool written_to_psum_narrow(const Subject& subject, const Site& site, TensorTraits traits, unsigned width) {
  return traits.write == WriteTensor::yes && site.at.space == Space::psum && width != 4 &&
         subject.context.generation < Generation::mariana;
}

}  // namespace

std::string hex_byte(std::uint8_t value) { return fmt::format("0x{:02X}", value); }

std::string dtype_text(std::uint8_t code) {
  const DtypeInfo* info = find_dtype(code);
  return info == nullptr ? hex_byte(code) : std::string(info->name);
}

std::string alu_op_text(std::uint8_t code) {
  const AluOpInfo* info = find_alu_op(code);
  return info == nullptr ? hex_byte(code) : std::string(info->name);
}

std::string site_field(const Site& site, std::string_view member) { return fmt::format("{}.{}", site.name, member); }

std::string address_text(std::uint32_t addr4) { return fmt::format("0x{:08X}", addr4); }

Violation explain_channels(const Subject& subject) {
  return {{}, "num_active_channels", std::to_string(subject.channels), fmt::format("1..{}", kPartitions)};
}

Violation explain_reserved(const Subject& subject, std::uint64_t reserved) {
  for (unsigned byte = 0; byte < subject.bundle.size(); ++byte) {
    if ((reserved >> byte & 1) != 0 && subject.bundle[byte] != 0) {
      return {{}, fmt::format("byte {}", byte), hex_byte(subject.bundle[byte]), "0: reserved"};
    }
  }
  return {};
}

Violation explain_dtype(const Site& site, AllowFp32r allow) {
  std::string allowed;
  for (const DtypeInfo& info : dtypes()) {
    if (is_valid_dtype(info.code, allow == AllowFp32r::yes)) {
      allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", info.name);
    }
  }
  return {{}, std::string(site.dtype_name), dtype_text(site.dtype), allowed};
}

// More than 64 partitions start at 0, more than 32 at a half, fewer at a quarter.
bool start_partition_valid(std::uint32_t partition, std::uint32_t channels) {
  const std::uint32_t unit = channels > 64 ? kPartitions : channels > 32 ? 64 : 32;
  return partition < kPartitions && partition % unit == 0;
}

bool start_address_valid(const Subject& subject, const Site& site) {
  const std::uint32_t addr4 = site.pattern.start_addr;
  switch (address_mode(addr4)) {
    case AddressMode::immediate:
      return !channels_valid(subject) || start_partition_valid(site.at.partition, subject.channels);
    case AddressMode::address_register:
      return (addr4 & kAddressBits) < kRegisters;
    default:
      return true;
  }
}

Violation explain_start_address(const Subject& subject, const Site& site) {
  const std::uint32_t addr4 = site.pattern.start_addr;
  if (!site.immediate) {
    return {{},
            site_field(site, "start_addr"),
            address_text(addr4),
            fmt::format("an address register below {} in bits 7..0 and zero in bits 28..8", kRegisters)};
  }
  const std::string_view starts = subject.channels > 64 ? "0" : subject.channels > 32 ? "0 or 64" : "0, 32, 64 or 96";
  return {{},
          site_field(site, "start_addr"),
          address_text(addr4),
          fmt::format("start partition {} for {} channels, this is {}", starts, subject.channels, site.at.partition)};
}

bool is_indirect(std::uint32_t addr4) {
  const AddressMode mode = address_mode(addr4);
  return mode == AddressMode::shape_register || mode == AddressMode::indirect;
}

Violation explain_indirection(const Site& site) {
  return {{},
          site_field(site, "start_addr"),
          address_text(site.pattern.start_addr),
          fmt::format("an immediate address: indirection not modelled ({})", marker_text(site.pattern.start_addr))};
}

bool tensor_valid(const Subject& subject, const Site& site, TensorTraits traits) {
  for (std::uint32_t num : site.pattern.num) {
    if (num == 0) return false;
  }
  const unsigned width = bytes_of(static_cast<Dtype>(site.dtype));
  if (width == 0 || !site.immediate) return true;
  const unsigned alignment = std::max(width, traits.alignment);
  if ((site.pattern.start_addr & (alignment - 1)) != 0) return false;
  if (site.at.space == Space::psum && !may_use_psum(subject, traits.psum)) return false;
  if (written_to_psum_narrow(subject, site, traits, width)) return false;
  const ByteRange range = touched_bytes(site.pattern, width);
  return site.at.offset + range.first >= 0 &&
         site.at.offset + range.last < capacity_of(subject.context.memory, site.at.space);
}

Violation explain_tensor(const Subject& subject, const Site& site, TensorTraits traits) {
  for (unsigned d = 0; d < kPatternDims; ++d) {
    if (site.pattern.num[d] == 0) return {{}, site_field(site, fmt::format("num_elem[{}]", d)), "0", "1..65535"};
  }
  const unsigned width = bytes_of(static_cast<Dtype>(site.dtype));
  const unsigned alignment = std::max(width, traits.alignment);
  const std::string address = address_text(site.pattern.start_addr);
  if ((site.pattern.start_addr & (alignment - 1)) != 0) {
    return {{}, site_field(site, "start_addr"), address, fmt::format("a multiple of {} bytes", alignment)};
  }
  if (site.at.space == Space::psum && !may_use_psum(subject, traits.psum)) {
    return {{}, site_field(site, "start_addr"), address, "SBUF: the Pool engine has no PSUM here"};
  }
  if (written_to_psum_narrow(subject, site, traits, width)) {
    return {{}, std::string(site.dtype_name), dtype_text(site.dtype), "a 4-byte type in PSUM before mariana"};
  }
  const ByteRange range = touched_bytes(site.pattern, width);
  return {{},
          std::string(site.name),
          fmt::format("bytes {}..{} of a partition", site.at.offset + range.first, site.at.offset + range.last),
          fmt::format("0..{}", capacity_of(subject.context.memory, site.at.space) - 1)};
}

Violation explain_count(const Site& site, std::uint64_t expected, std::string_view of) {
  return {{},
          site_field(site, "num_elem"),
          std::to_string(site.pattern.elements()),
          fmt::format("{} elements ({})", expected, of)};
}

CodeSet integer_band(Generation generation) {
  CodeSet band;
  band.insert(AluOp::add_int, AluOp::subtract_int);
  if (generation >= Generation::cayman) band.insert(AluOp::divide_int, AluOp::mod_uint);
  return band;
}

CodeSet refused_divisions(const LegalityContext& context) {
  if (context.semantics.divide == SemanticsOptions::Divide::legal) return {};
  if (context.engine == Engine::pool) return {AluOp::divide, AluOp::mod};
  return {AluOp::divide, AluOp::mod, AluOp::pow};
}

Violation explain_operation(std::uint8_t op, const CodeSet& legal) {
  std::string allowed;
  for (const AluOpInfo& info : alu_ops()) {
    if (legal.contains(static_cast<std::uint8_t>(info.code))) {
      allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", info.name);
    }
  }
  return {{}, "op", alu_op_text(op), allowed};
}

Violation explain_integer_dtype(const Site& site, std::string_view of) {
  return {{}, std::string(site.dtype_name), dtype_text(site.dtype), fmt::format("an integer type in {}", of)};
}

}  // namespace tpb
