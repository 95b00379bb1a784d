#include "models/program/contents.h"

#include <fmt/format.h>

#include <bit>

#include "models/program/element.h"
#include "models/program/file.h"
#include "models/program/npy.h"

namespace tpb {
namespace {

class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E37'79B9'7F4A'7C15;
    z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EB;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

// The elements of a tensor from 32 bits for each index in numpy order: an integer dtype keeps the low bits, a floating
// one rounds them as fp32.
template <class Make>
std::vector<std::uint8_t> fill(const Tensor& tensor, Make make) {
  std::vector<std::uint32_t> values(tensor.elements());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = make(i);
  if (!is_integer(tensor.dtype)) narrow_from_fp32(values, tensor.dtype);
  return pack_elements(values, tensor.dtype);
}

struct Filler {
 public:
  const Tensor& tensor;
  const std::string& program_file;
  const Limits& limits;

  std::vector<std::uint8_t> operator()(const Uninitialised&) const { return {}; }
  std::vector<std::uint8_t> operator()(const Zeros&) const {
    return std::vector<std::uint8_t>(tensor.elements() * bytes_of(tensor.dtype));
  }
  std::vector<std::uint8_t> operator()(const Ones&) const {
    return fill(tensor, [&](std::size_t) { return number(1); });
  }
  std::vector<std::uint8_t> operator()(const Iota&) const {
    return fill(tensor, [&](std::size_t i) { return number(i); });
  }
  // One SplitMix64 value per element: an integer is its low bits; a float is its top 24 bits, uniform in [-1, 1).
  std::vector<std::uint8_t> operator()(const RandomValues& random) const {
    SplitMix64 generator(random.seed);
    return fill(tensor, [&](std::size_t) {
      const std::uint64_t value = generator.next();
      return is_integer(tensor.dtype) ? static_cast<std::uint32_t>(value)
                                      : std::bit_cast<std::uint32_t>(static_cast<float>(value >> 40) * 0x1p-23F - 1.0F);
    });
  }
  std::vector<std::uint8_t> operator()(const FileContents& file) const {
    return read_npy(file.path, tensor, program_file, tensor.line, limits);
  }
  std::vector<std::uint8_t> operator()(const ListContents& list) const {
    std::vector<std::uint32_t> values = list.bits;
    if (values.size() == 1) values.resize(tensor.elements(), values.front());
    return pack_elements(values, tensor.dtype);
  }

 private:
  std::uint32_t number(std::size_t value) const {
    return is_integer(tensor.dtype) ? static_cast<std::uint32_t>(value)
                                    : std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
};

}  // namespace

std::vector<std::uint8_t> initial_bytes(const Tensor& tensor, const std::string& program_file, const Limits& limits) {
  return std::visit(Filler{tensor, program_file, limits}, tensor.contents);
}

std::vector<std::uint8_t> read_npy(const std::filesystem::path& path, const Tensor& tensor,
                                   const std::string& program_file, std::uint32_t line, const Limits& limits) {
  try {
    return npy_elements(path, tensor, limits);
  } catch (const FileProblem& problem) {
    throw InputError(
        Diagnostic{program_file, line, line == 0 ? 0U : 1U, fmt::format("'{}' {}", path.string(), problem.what)});
  }
}

void write_npy(const std::filesystem::path& path, const Tensor& tensor, std::span<const std::uint8_t> bytes) {
  write_file(path, npy_file(tensor, bytes));
}

}  // namespace tpb
