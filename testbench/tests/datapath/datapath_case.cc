#include "testbench/tests/datapath/datapath_case.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <sstream>

namespace tpb::testing {

std::vector<Type> destination_types() {
  std::vector<Type> types(std::begin(kTypes), std::end(kTypes));
  types.push_back(Type::fp32r);
  return types;
}

DatapathCase::DatapathCase(unsigned seed) : random(seed), rows(std::size_t{kBytes} / 4 * kLanes) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = static_cast<std::uint32_t>(random());
    expected.store(static_cast<unsigned>(i % kLanes), static_cast<std::int64_t>(i / kLanes * 4), 4, rows[i]);
  }
}

unsigned DatapathCase::random_channels() {
  static constexpr unsigned kChannels[] = {1, 32, 33, 64, 100, 128};
  return pick<unsigned>(kChannels);
}

Operand DatapathCase::random_operand(Type type, std::vector<std::uint32_t> counts, unsigned channels) {
  Operand operand;
  operand.type = type;
  operand.channels = channels;
  // Start partitions that the addressing rules allow.
  const unsigned starts = channels > 64 ? 1 : channels > 32 ? 2 : 4;
  operand.partition = static_cast<unsigned>(below(starts)) * (128 / starts);
  const std::int64_t width = reference::bytes_of(type);
  for (int attempt = 0;; ++attempt) {
    std::int64_t lowest = 0, highest = 0, dense = 1;
    for (std::size_t d = 0; d < counts.size(); ++d) {
      operand.num[d] = counts[d];
      // One time in two a dense, positive pattern; else anything, zero and negative steps included.
      operand.step[d] =
          attempt > 50 || below(2) == 0 ? static_cast<std::int32_t>(dense) : static_cast<std::int32_t>(below(13)) - 6;
      dense *= counts[d];
      const std::int64_t reach = std::int64_t{operand.step[d]} * (counts[d] - 1);
      (reach < 0 ? lowest : highest) += reach;
    }
    const std::int64_t free = kBytes / width - 1 - (highest - lowest);
    if (free < 0) continue;
    operand.byte = (static_cast<std::int64_t>(below(static_cast<std::size_t>(free) + 1)) - lowest) * width;
    return operand;
  }
}

Operand DatapathCase::random_operand(Type type, std::uint64_t elements, unsigned channels, unsigned max_dims) {
  std::vector<std::uint32_t> counts;
  for (unsigned d = 0; d + 1 < max_dims; ++d) {
    std::vector<std::uint32_t> divisors;
    for (std::uint32_t n = 1; n <= elements; ++n) {
      if (elements % n == 0) divisors.push_back(n);
    }
    counts.push_back(pick<std::uint32_t>(divisors));
    elements /= counts.back();
  }
  counts.push_back(static_cast<std::uint32_t>(elements));
  return random_operand(type, counts, channels);
}

Operand DatapathCase::beside(const Operand& source, Operand destination) {
  const std::int64_t width = reference::bytes_of(destination.type);
  const bool same_walk = below(2) == 0 && reference::bytes_of(source.type) == width;
  if (same_walk) {
    destination.step = source.step;
    destination.num = source.num;
  }
  destination.partition = below(4) == 0 ? destination.partition : source.partition;
  const std::int64_t start = source.byte + (static_cast<std::int64_t>(below(5)) - 2) * (below(2) == 0 ? 0 : width);
  const std::int64_t old = destination.byte;
  destination.byte = start / width * width;
  for (const std::int64_t byte : destination.stream()) {
    if (byte < 0 || byte + width > kBytes) {
      destination.byte = same_walk ? source.byte : old;
      break;
    }
  }
  return destination;
}

Operand DatapathCase::random_scalar(Type type, const Operand& destination) {
  Operand scalar = random_operand(type, 1, destination.channels, 1);
  if (below(2) == 0) return scalar;
  const auto bytes = destination.stream();
  scalar.partition = destination.partition;
  scalar.byte = pick<std::int64_t>(bytes) / reference::bytes_of(type) * reference::bytes_of(type);
  return scalar;
}

std::uint32_t DatapathCase::random_code(Type type) {
  static constexpr double kCorners[] = {0.0,  1.0,   0.5,      1.5,     2.0,          3.0,          7.0,     240.0,
                                        15.5, 127.0, 128.0,    255.0,   256.0,        32767.0,      65504.0, 65535.0,
                                        1e-7, 1e-40, 1.5e38,   3.4e38,  2147483648.0, 4294967295.0, 57344.0, 6e-5,
                                        0.1,  2.5,   16777217, 1.0 / 3, 1e-5,         33.0};
  const std::uint32_t ones = 0xFFFFFFFFU >> (32 - 8 * reference::bytes_of(type));
  switch (below(4)) {
    case 0:
      return static_cast<std::uint32_t>(random()) & ones;
    case 1: {
      const double value = kCorners[below(std::size(kCorners))];
      return reference::encode(type, below(2) == 0 ? value : -value);
    }
    case 2: {
      // Infinities, NaN of several payloads, extreme codes.
      if (reference::is_integer(type)) {
        const std::uint32_t codes[] = {0, 1, ones, ones >> 1, (ones >> 1) + 1, 2, ones - 1};
        return pick<std::uint32_t>(codes);
      }
      const std::uint32_t infinity = reference::encode(type, std::numeric_limits<double>::infinity());
      const std::uint32_t sign = (ones >> 1) + 1;
      const std::uint32_t codes[] = {infinity, infinity | sign, infinity + 1, ones, infinity - 1, sign, 0, 1, sign + 1};
      return pick<std::uint32_t>(codes);
    }
    default:
      return reference::encode(type, static_cast<double>(static_cast<std::int64_t>(below(4001)) - 2000) / 16);
  }
}

void DatapathCase::set(const Operand& operand, unsigned channel, std::size_t index, std::uint32_t code) {
  const std::int64_t byte = operand.stream().at(index);
  const unsigned bytes = reference::bytes_of(operand.type);
  const unsigned partition = operand.partition + channel;
  expected.store(partition, byte, bytes, code);
  rows[static_cast<std::size_t>(byte / 4) * kLanes + partition] = expected.load(partition, byte / 4 * 4, 4);
}

void DatapathCase::fill(const Operand& operand) {
  const unsigned bytes = reference::bytes_of(operand.type);
  for (const std::int64_t byte : operand.stream()) {
    for (unsigned partition = operand.partition; partition < operand.partition + operand.channels; ++partition) {
      expected.store(partition, byte, bytes, random_code(operand.type));
      rows[static_cast<std::size_t>(byte / 4) * kLanes + partition] = expected.load(partition, byte / 4 * 4, 4);
    }
  }
}

std::uint32_t DatapathCase::element(const Operand& operand, unsigned channel, std::size_t index) {
  const auto byte = static_cast<std::size_t>(operand.stream().at(index));
  const std::uint32_t word = rows[byte / 4 * kLanes + operand.partition + channel];
  return word >> (byte % 4 * 8) & (0xFFFFFFFFU >> (32 - 8 * reference::bytes_of(operand.type)));
}

RowView DatapathCase::view(const Operand& operand) {
  RowView view;
  view.words = rows.data();
  view.byte_offset = static_cast<std::uint32_t>(operand.byte);
  view.first_lane = operand.partition;
  view.lanes = operand.channels;
  view.dtype = static_cast<Dtype>(operand.type);
  view.walk.step = operand.step;
  view.walk.num = operand.num;
  return view;
}

bool DatapathCase::execute(const Instruction& instruction, Engine engine, std::span<const Operand> sources,
                           const Operand& destination, const SemanticsOptions& semantics) {
  return execute(instruction, engine, sources, {&destination, 1}, semantics);
}

bool DatapathCase::execute(const Instruction& instruction, Engine engine, std::span<const Operand> sources,
                           std::span<const Operand> destinations, const SemanticsOptions& semantics) {
  OperandViews views;
  for (std::size_t i = 0; i < sources.size(); ++i) views.source.at(i) = view(sources[i]);
  for (std::size_t i = 0; i < destinations.size(); ++i) views.destination.at(i) = view(destinations[i]);
  return tpb::execute(instruction, engine, semantics, views, state, scratch);
}

std::string DatapathCase::difference() {
  // A few words of every partition at a time: the two memories are laid out across each other.
  constexpr unsigned kWords = kBytes / 4, kAtATime = 16;
  for (unsigned block = 0; block < kWords; block += kAtATime) {
    for (unsigned partition = 0; partition < kLanes; ++partition) {
      const std::uint8_t* const bytes = expected.bytes(partition).data();
      for (unsigned word = block; word < block + kAtATime; ++word) {
        std::uint32_t want;  // little endian, as the machine is
        std::memcpy(&want, bytes + std::size_t{word} * 4, 4);
        const std::uint32_t found = rows[std::size_t{word} * kLanes + partition];
        if (found == want) continue;
        std::ostringstream text;
        text << "partition " << partition << " byte " << word * 4 << ": " << std::hex << found << ", expected " << want;
        return text.str();
      }
    }
  }
  return {};
}

Instruction tensor_tensor(std::uint8_t op, const Operand& left, const Operand& right, const Operand& destination,
                          Opcode opcode) {
  S3S3D3_TT bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(opcode);
  bundle.in0_in1_dtype =
      static_cast<std::uint8_t>(static_cast<unsigned>(left.type) | static_cast<unsigned>(right.type) << 4);
  bundle.out_dtype = static_cast<std::uint8_t>(destination.type);
  bundle.op = op;
  bundle.num_active_channels = static_cast<std::uint8_t>(destination.channels);
  return bundle;
}

Instruction tensor_reduce(Opcode role, std::uint8_t op, std::uint8_t op_dim, bool negated) {
  S4D4_TR bundle{};
  bundle.frame.opcode = wire_of(static_cast<std::uint8_t>(role), {});
  bundle.op = op;
  bundle.op_dim = op_dim;
  bundle.negated = negated ? 1 : 0;
  return bundle;
}

Instruction pool(PoolFunction function, float scale) {
  S4D4_PL bundle{};
  bundle.frame.opcode = static_cast<std::uint8_t>(Opcode::pool);
  bundle.pool_func = static_cast<std::uint8_t>(function);
  bundle.pool_dim = 3;
  bundle.pool_scale = scale;
  return bundle;
}

Operand dense(Type type, std::int64_t byte, std::uint32_t n0, std::uint32_t n1, std::uint32_t n2, std::uint32_t n3) {
  Operand operand;
  operand.type = type;
  operand.byte = byte;
  operand.num = {n0, n1, n2, n3};
  operand.step = {1, static_cast<std::int32_t>(n0), static_cast<std::int32_t>(n0 * n1),
                  static_cast<std::int32_t>(n0 * n1 * n2)};
  return operand;
}

std::uint32_t fp32(float value) { return std::bit_cast<std::uint32_t>(value); }

std::uint8_t dtype_pair(Type low, Type high) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(low) | static_cast<unsigned>(high) << 4);
}

std::string describe(const Operand& operand) {
  std::ostringstream text;
  text << "type " << static_cast<int>(operand.type) << " partition " << operand.partition << "+" << operand.channels
       << " byte " << operand.byte << " [";
  for (std::size_t d = 0; d < 4; ++d) text << (d == 0 ? "" : ", ") << operand.step[d] << "x" << operand.num[d];
  text << "]";
  return text.str();
}

}  // namespace tpb::testing
