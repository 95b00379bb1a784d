#include "models/isa/common_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace tpb {
namespace {

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

}  // namespace

std::string hex_byte(std::uint8_t value) { return fmt::format("0x{:02X}", value); }

std::string dtype_text(std::uint8_t code) {
  const DtypeInfo* info = find_dtype(code);
  return info == nullptr ? hex_byte(code) : std::string(info->name);
}

std::string site_field(const Site& site, std::string_view member) {
  return fmt::format("{}.{}", site.names->name, member);
}

std::string address_text(std::uint32_t addr4) { return fmt::format("0x{:08X}", addr4); }

Violation explain_byte(const Subject& subject, const ByteLimits& limits) {
  return {{}, std::string(limits.field), std::to_string(subject.bundle[limits.offset]), std::string(limits.allowed)};
}

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
  return {{}, std::string(site.names->dtype), dtype_text(site.dtype), allowed};
}

Violation explain_start_address(const Site& site, std::uint32_t channels) {
  const std::uint32_t addr4 = site.pattern.start_addr;
  if (!site.immediate) {
    return {{},
            site_field(site, "start_addr"),
            address_text(addr4),
            fmt::format("an address register below {} in bits 7..0 and zero in bits 28..8", kRegisters)};
  }
  const std::string_view starts = channels > 64 ? "0" : channels > 32 ? "0 or 64" : "0, 32, 64 or 96";
  return {{},
          site_field(site, "start_addr"),
          address_text(addr4),
          fmt::format("start partition {} for {} channels, this is {}", starts, channels, site.partition)};
}

Violation explain_indirection(const Site& site) {
  return {{},
          site_field(site, "start_addr"),
          address_text(site.pattern.start_addr),
          fmt::format("an immediate address: indirection not modelled ({})", marker_text(site.pattern.start_addr))};
}

Violation explain_tensor(const Subject& subject, const Site& site, TensorTraits traits) {
  const unsigned width = bytes_of(static_cast<Dtype>(site.dtype));
  const std::string address = address_text(site.pattern.start_addr);
  switch (fault_of(subject, site, traits)) {
    case TensorFault::none:
      break;
    case TensorFault::count: {
      const auto zero = std::find(site.pattern.num.begin(), site.pattern.num.end(), 0U);
      return {{}, site_field(site, fmt::format("num_elem[{}]", zero - site.pattern.num.begin())), "0", "1..65535"};
    }
    case TensorFault::alignment:
      return {{},
              site_field(site, "start_addr"),
              address,
              fmt::format("a multiple of {} bytes", std::max(width, traits.alignment))};
    case TensorFault::psum:
      return {{},
              site_field(site, "start_addr"),
              address,
              traits.psum == Psum::never  ? "SBUF: this instruction has no PSUM"
              : traits.psum == Psum::only ? "PSUM: this instruction writes nothing else"
                                          : "SBUF: the Pool engine has no PSUM here"};
    case TensorFault::narrow_psum_write:
      return {{}, std::string(site.names->dtype), dtype_text(site.dtype), "a 4-byte type in PSUM before mariana"};
    case TensorFault::bounds: {
      const ByteRange range = touched_bytes(site.pattern, width);
      return {{},
              std::string(site.names->name),
              fmt::format("bytes {}..{} of a partition", site.offset + range.first, site.offset + range.last),
              fmt::format("0..{}", capacity_of(subject.context.memory, site.space) - 1)};
    }
  }
  return {};
}

Violation explain_count(const Site& site, std::uint64_t expected, std::string_view of) {
  return {{},
          site_field(site, "num_elem"),
          std::to_string(site.pattern.elements()),
          fmt::format("{} elements ({})", expected, of)};
}

Violation explain_count(const Site& site, std::uint64_t least, std::uint64_t most) {
  return {{},
          site_field(site, "num_elem"),
          std::to_string(site.pattern.elements()),
          least == most ? std::to_string(least) : fmt::format("{}..{}", least, most)};
}

Violation explain_both_in_psum(const Subject& subject) {
  const Site& second = subject.sites[kSrc1];
  return {{},
          site_field(second, "start_addr"),
          address_text(second.pattern.start_addr),
          fmt::format("SBUF: {} is in PSUM, and two tensor inputs may not both be", subject.sites[kSrc].names->name)};
}

Violation explain_scalar(const Subject& subject, const Site& scalar, Psum psum) {
  switch (fault_of(subject, scalar, psum)) {
    case ScalarFault::none:
      break;
    case ScalarFault::source:
      return {{},
              fmt::format("{}_src", scalar.names->name),
              std::to_string(scalar.scalar_source),
              "0 (instruction), 1 (pointer) or 2 (register pointer)"};
    case ScalarFault::register_number:
      return {{},
              std::string(scalar.names->name),
              std::to_string(scalar.pattern.start_addr),
              fmt::format("a register, 0..{}", kRegisters - 1)};
    case ScalarFault::indirection:
      return explain_indirection(scalar);
    case ScalarFault::start_address:
      return explain_start_address(scalar, subject.channels);
    case ScalarFault::tensor:
      return explain_tensor(subject, scalar, {WriteTensor::no, psum});
  }
  return {};
}

Violation explain_blocks(const Subject& subject) {
  if (subject.channels % kTransposeBlock != 0) {
    return {{},
            "num_active_channels",
            std::to_string(subject.channels),
            fmt::format("a multiple of {}: the transpose moves whole blocks", kTransposeBlock)};
  }
  const Site& source = subject.sites[kSrc];
  return {{},
          site_field(source, "num_elem"),
          std::to_string(source.pattern.elements()),
          fmt::format("a multiple of {} elements: the transpose moves whole blocks", kTransposeBlock)};
}

Violation explain_transposed_word(const Subject& subject) {
  const Site& source = subject.sites[kSrc];
  return {{},
          std::string(source.names->dtype),
          dtype_text(source.dtype),
          "int32 or uint32: a transposing bit-vector reduction moves words"};
}

}  // namespace tpb
