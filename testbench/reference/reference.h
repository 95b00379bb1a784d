// What instructions compute, one element of one partition at a time, written to be obviously right: the judge of the
// datapath. It shares no line with the models: wire codes are restated, values are doubles or wide integers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace reference {

// Element types by wire code.
enum class Type : std::uint8_t {
  int8 = 0x02,
  uint8 = 0x03,
  int16 = 0x04,
  uint16 = 0x05,
  bf16 = 0x06,
  fp16 = 0x07,
  int32 = 0x08,
  uint32 = 0x09,
  fp32 = 0x0A,
  fp32r = 0x0B,
  fp8_e3m4 = 0x0D,
  fp8_e4m3 = 0x0E,
  fp8_e5m2 = 0x0F,
};
unsigned bytes_of(Type type);
bool is_integer(Type type);

// The value of a code, exactly. A NaN is a NaN without payload.
double decode(Type type, std::uint32_t code);
// A value rounded once to the nearest code, ties to even. Floating types overflow to infinity and have one NaN;
// integers saturate and take NaN as zero.
std::uint32_t encode(Type type, double value);
double to_fp32(double value);

// ALU operations by wire code, in the three domains of the numerics: fp32 (operands and result are fp32 values), exact
// integers (the result wraps to 64 bits), raw bits of a width.
double arithmetic(std::uint8_t op, double a, double b);
std::int64_t exact(std::uint8_t op, std::int64_t a, std::int64_t b);
std::uint32_t bitwise(std::uint8_t op, std::uint32_t a, std::uint32_t b, unsigned bits);

// Bytes of every partition.
class Memory {
 public:
  explicit Memory(unsigned bytes_per_partition);
  std::uint8_t& at(unsigned partition, std::int64_t byte);
  std::uint32_t load(unsigned partition, std::int64_t byte, unsigned bytes);
  void store(unsigned partition, std::int64_t byte, unsigned bytes, std::uint32_t code);
  // Every byte of one partition.
  std::span<const std::uint8_t> bytes(unsigned partition) const {
    return std::span(bytes_).subspan(std::size_t{partition} * bytes_per_partition_, bytes_per_partition_);
  }

 private:
  unsigned bytes_per_partition_;
  std::vector<std::uint8_t> bytes_;
};

// Steps in elements, dimension 0 innermost.
struct Operand {
  Type type = Type::fp32;
  unsigned partition = 0;
  unsigned channels = 128;
  std::int64_t byte = 0;  // of the first element within its partition
  std::array<std::int32_t, 4> step{1, 1, 1, 1};
  std::array<std::uint32_t, 4> num{1, 1, 1, 1};

  // Byte of every element, in stream order.
  std::vector<std::int64_t> stream() const;
};

void tensor_tensor(Memory& memory, std::uint8_t op, bool exact_integers, const Operand& left, const Operand& right,
                   const Operand& destination);
void copy(Memory& memory, const Operand& source, const Operand& destination);

struct Reduction {
  std::uint8_t op = 0x04;
  std::uint64_t window = 1;       // consecutive elements of the source stream per result
  std::optional<double> start{};  // instead of starting from the first element
  double divisor = 1;             // of every element
  double scale = 1;               // of the result
  bool negate = false;
  bool accumulate = false;  // combine with the old destination at the end
};
void reduce(Memory& memory, const Reduction& reduction, const Operand& source, const Operand& destination);

}  // namespace reference
