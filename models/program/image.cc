#include "models/program/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <span>
#include <unordered_set>

#include "models/config/digest.h"
#include "models/program/file.h"

// Layout, all integers little endian:
//
//   0   8   magic "TPBX" CR LF 1A LF (a transfer that changes line ends shows here)
//   8   4   version, 1
//   12  4   zero
//   16  8   bytes of the payload, which ends the file
//   24  32  SHA-256 of the payload
//   56      payload:
//     u8 generation (0xFF: none), u32 its line
//     5 times, pe act dve pool sfu: u32 count, count bundles of 64 bytes, count lines of u32
//     u32 count of tensors: text name, u8 dtype, u8 rank, u32 shape[rank], u8 space, u32 partition, u32 offset,
//         u32 line, u8 contents (the index in Contents), then u64 seed, text path, or u32 count and u32 bits[count]
//     u32 count of outputs: text tensor, text path, u32 line
//     u32 count of expectations: text tensor, text path, u8 which (1 ulp, 2 rtol, 4 atol), those as u64, f64, f64, u32
//     line u32 count of semaphores: text name, u8 index, u32 value, u32 line u32 count of registers: u8 engine, u8
//     index, u32 value, u32 line
//
// A text is u32 bytes and as many bytes. Paths are relative to the image's directory, with '/'.

namespace tpb {
namespace {

constexpr std::string_view kMagic("TPBX\r\n\x1a\n", 8);
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kDigestBytes = 32;
constexpr std::size_t kHeaderBytes = 24 + kDigestBytes;
constexpr std::uint8_t kNoGeneration = 0xFF;
constexpr std::size_t kMostDimensions = 32;
// Nothing that a program names is larger than the 29-bit address space.
constexpr std::uint64_t kAddressSpace = 1ULL << 29;

constexpr std::uint8_t kHasUlp = 1, kHasRtol = 2, kHasAtol = 4;

template <class Variant, class Alternative, std::size_t I = 0>
constexpr std::uint8_t index_of() {
  if constexpr (std::is_same_v<std::variant_alternative_t<I, Variant>, Alternative>) {
    return I;
  } else {
    return index_of<Variant, Alternative, I + 1>();
  }
}

std::vector<std::uint8_t> digest_of(std::span<const std::uint8_t> bytes) {
  const std::string hex = sha256_hex(bytes);
  std::vector<std::uint8_t> digest;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    digest.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  }
  return digest;
}

class Writer {
 public:
  template <class Unsigned>
  void integer(Unsigned value) {
    for (std::size_t i = 0; i < sizeof value; ++i) bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  void u8(std::uint8_t value) { bytes_.push_back(value); }
  void u32(std::uint32_t value) { integer(value); }
  void u64(std::uint64_t value) { integer(value); }
  void f64(double value) { u64(std::bit_cast<std::uint64_t>(value)); }
  void raw(std::span<const std::uint8_t> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void text(std::string_view value) {
    u32(static_cast<std::uint32_t>(value.size()));
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }
  template <class List, class Write>
  void list(const List& items, Write write) {
    u32(static_cast<std::uint32_t>(items.size()));
    for (const auto& item : items) write(item);
  }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

// Reads the payload; every read is checked against the bytes that are left, and so is every count before anything
// is allocated for it.
class Reader {
 public:
  Reader(const std::filesystem::path& path, std::span<const std::uint8_t> file, const Limits& limits)
      : path_(path), file_(file), limits_(limits) {}

  [[noreturn]] void fail(const std::string& found, std::string_view expected) const { fail_at(at_, found, expected); }
  [[noreturn]] void fail_at(std::size_t at, const std::string& found, std::string_view expected) const {
    refuse_file(path_, fmt::format("byte {}: {}, expected {}", at, found, expected));
  }

  std::span<const std::uint8_t> raw(std::size_t count, std::string_view what) {
    if (count > file_.size() - at_)
      fail(fmt::format("{} bytes are left", file_.size() - at_), fmt::format("{} for {}", count, what));
    const auto bytes = file_.subspan(at_, count);
    at_ += count;
    return bytes;
  }
  template <class Unsigned>
  Unsigned integer(std::string_view what) {
    Unsigned value = 0;
    const auto bytes = raw(sizeof value, what);
    for (std::size_t i = 0; i < sizeof value; ++i)
      value = static_cast<Unsigned>(value | static_cast<Unsigned>(bytes[i]) << (8 * i));
    return value;
  }
  std::uint8_t u8(std::string_view what) { return integer<std::uint8_t>(what); }
  std::uint32_t u32(std::string_view what) { return integer<std::uint32_t>(what); }
  std::uint64_t u64(std::string_view what) { return integer<std::uint64_t>(what); }
  double f64(std::string_view what) { return std::bit_cast<double>(u64(what)); }

  // No text that may be read has more lines than bytes.
  std::uint32_t line() {
    const std::uint32_t value = u32("a line");
    if (value > limits_.file_bytes) {
      fail_at(at_ - sizeof value, fmt::format("line {}", value), fmt::format("at most {}", limits_.file_bytes));
    }
    return value;
  }
  // A byte below `limit`.
  std::uint8_t below(std::uint8_t limit, std::string_view what) {
    const std::uint8_t value = u8(what);
    if (value >= limit) fail_at(at_ - 1, fmt::format("{} {}", what, value), fmt::format("0..{}", limit - 1));
    return value;
  }
  std::string text(std::string_view what) {
    const std::size_t start = at_;
    const auto bytes = raw(u32(what), what);
    if (std::ranges::find(bytes, std::uint8_t{0}) != bytes.end()) {
      fail_at(start, fmt::format("a zero byte in the {}", what), "text");
    }
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  // A count of items of at least `least` bytes each.
  std::uint32_t count(std::string_view what, std::size_t least, std::uint64_t most = ~std::uint64_t{0}) {
    const std::size_t start = at_;
    const std::uint32_t value = u32(what);
    const std::uint64_t room = (file_.size() - at_) / least;
    if (value > std::min<std::uint64_t>(room, most)) {
      fail_at(start, fmt::format("{} {}", value, what), fmt::format("at most {}", std::min<std::uint64_t>(room, most)));
    }
    return value;
  }
  std::size_t at() const { return at_; }

 private:
  const std::filesystem::path& path_;
  std::span<const std::uint8_t> file_;
  const Limits& limits_;
  std::size_t at_ = 0;
};

std::string relative_text(const std::filesystem::path& path, const std::filesystem::path& directory) {
  const std::filesystem::path relative = path.lexically_relative(directory);
  return (relative.empty() ? path : relative).generic_string();
}

void write_tensor(Writer& out, const Tensor& tensor, const std::filesystem::path& directory) {
  out.text(tensor.name);
  out.u8(static_cast<std::uint8_t>(tensor.dtype));
  out.u8(static_cast<std::uint8_t>(tensor.shape.size()));
  for (const std::uint32_t size : tensor.shape) out.u32(size);
  out.u8(static_cast<std::uint8_t>(tensor.start.space));
  out.u32(tensor.start.partition);
  out.u32(tensor.start.offset);
  out.u32(tensor.line);
  out.u8(static_cast<std::uint8_t>(tensor.contents.index()));
  if (const auto* random = std::get_if<RandomValues>(&tensor.contents)) out.u64(random->seed);
  if (const auto* file = std::get_if<FileContents>(&tensor.contents)) out.text(relative_text(file->path, directory));
  if (const auto* values = std::get_if<ListContents>(&tensor.contents)) {
    out.list(values->bits, [&](std::uint32_t bits) { out.u32(bits); });
  }
}

void write_expectation(Writer& out, const Expectation& expectation, const std::filesystem::path& directory) {
  out.text(expectation.tensor);
  out.text(relative_text(expectation.path, directory));
  out.u8(static_cast<std::uint8_t>((expectation.ulp ? kHasUlp : 0) | (expectation.rtol ? kHasRtol : 0) |
                                   (expectation.atol ? kHasAtol : 0)));
  if (expectation.ulp) out.u64(*expectation.ulp);
  if (expectation.rtol) out.f64(*expectation.rtol);
  if (expectation.atol) out.f64(*expectation.atol);
  out.u32(expectation.line);
}

std::vector<std::uint8_t> payload_of(const Program& program, const std::filesystem::path& directory) {
  Writer out;
  out.u8(program.generation ? static_cast<std::uint8_t>(*program.generation) : kNoGeneration);
  out.u32(program.generation_line);
  for (const Section& section : program.sections) {
    out.list(section.bundles, [&](const Bundle& bundle) { out.raw(bundle); });
    for (const std::uint32_t line : section.lines) out.u32(line);
  }
  out.list(program.tensors, [&](const Tensor& tensor) { write_tensor(out, tensor, directory); });
  out.list(program.outputs, [&](const Output& output) {
    out.text(output.tensor);
    out.text(relative_text(output.path, directory));
    out.u32(output.line);
  });
  out.list(program.expectations,
           [&](const Expectation& expectation) { write_expectation(out, expectation, directory); });
  out.list(program.semaphores, [&](const SemaphoreInit& semaphore) {
    out.text(semaphore.name);
    out.u8(semaphore.index);
    out.u32(semaphore.value);
    out.u32(semaphore.line);
  });
  out.list(program.registers, [&](const RegisterInit& value) {
    out.u8(static_cast<std::uint8_t>(value.engine));
    out.u8(value.index);
    out.u32(value.value);
    out.u32(value.line);
  });
  return out.bytes();
}

std::filesystem::path directory_of(const std::filesystem::path& path) {
  return std::filesystem::absolute(path).lexically_normal().parent_path();
}

std::filesystem::path path_in(const std::filesystem::path& directory, const std::string& text) {
  return (directory / text).lexically_normal();
}

Section read_section(Reader& in, std::uint32_t most) {
  constexpr std::size_t kBundleAndLine = sizeof(Bundle) + sizeof(std::uint32_t);
  Section section;
  section.bundles.resize(in.count("bundles", kBundleAndLine, most));
  for (Bundle& bundle : section.bundles) std::ranges::copy(in.raw(bundle.size(), "a bundle"), bundle.begin());
  section.lines.resize(section.bundles.size());
  for (std::uint32_t& line : section.lines) line = in.line();
  return section;
}

Contents read_contents(Reader& in, const Tensor& tensor, const std::filesystem::path& directory) {
  switch (in.below(static_cast<std::uint8_t>(std::variant_size_v<Contents>), "kind of contents")) {
    case index_of<Contents, Uninitialised>():
      return Uninitialised{};
    case index_of<Contents, Zeros>():
      return Zeros{};
    case index_of<Contents, Ones>():
      return Ones{};
    case index_of<Contents, Iota>():
      return Iota{};
    case index_of<Contents, RandomValues>():
      return RandomValues{in.u64("a seed")};
    case index_of<Contents, FileContents>():
      return FileContents{path_in(directory, in.text("path"))};
    default:
      break;
  }
  const std::size_t start = in.at();
  ListContents list;
  list.bits.resize(in.count("values", sizeof(std::uint32_t)));
  if (list.bits.size() != 1 && list.bits.size() != tensor.elements()) {
    in.fail_at(start, fmt::format("{} values", list.bits.size()), fmt::format("1 or {}", tensor.elements()));
  }
  for (std::uint32_t& bits : list.bits) bits = in.u32("a value");
  return list;
}

Tensor read_tensor(Reader& in, const std::filesystem::path& directory) {
  Tensor tensor;
  tensor.name = in.text("name");
  const std::size_t start = in.at();
  const std::uint8_t dtype = in.u8("a dtype");
  if (!is_valid_dtype(dtype, true)) in.fail_at(start, fmt::format("dtype 0x{:02x}", dtype), "a modelled one");
  tensor.dtype = static_cast<Dtype>(dtype);
  tensor.shape.resize(in.u8("a rank"));
  if (tensor.shape.empty() || tensor.shape.size() > kMostDimensions) {
    in.fail_at(start + 1, fmt::format("{} dimensions", tensor.shape.size()), "1..32");
  }
  std::uint64_t bytes = bytes_of(tensor.dtype);
  for (std::uint32_t& size : tensor.shape) {
    size = in.u32("a dimension");
    bytes *= size;
    if (size == 0 || bytes > kAddressSpace)
      in.fail_at(start + 1, "a shape of no or too many elements", "a tensor that fits memory");
  }
  tensor.start.space = static_cast<Space>(in.below(2, "memory"));
  tensor.start.partition = in.u32("a partition");
  tensor.start.offset = in.u32("an offset");
  if (tensor.shape[0] > kPartitions || tensor.start.partition > kPartitions - tensor.shape[0]) {
    in.fail_at(start, fmt::format("partitions from {}, {} of them", tensor.start.partition, tensor.shape[0]), "0..127");
  }
  if (tensor.start.offset > kAddressSpace)
    in.fail_at(start, fmt::format("offset {}", tensor.start.offset), "one in memory");
  tensor.line = in.line();
  tensor.contents = read_contents(in, tensor, directory);
  return tensor;
}

Expectation read_expectation(Reader& in, const std::filesystem::path& directory) {
  Expectation expectation;
  expectation.tensor = in.text("name");
  expectation.path = path_in(directory, in.text("path"));
  const std::uint8_t which = in.below(kHasUlp + kHasRtol + kHasAtol + 1, "tolerance");
  if ((which & kHasUlp) != 0) expectation.ulp = in.u64("ulp");
  if ((which & kHasRtol) != 0) expectation.rtol = in.f64("rtol");
  if ((which & kHasAtol) != 0) expectation.atol = in.f64("atol");
  expectation.line = in.line();
  return expectation;
}

Program read_payload(Reader& in, const std::filesystem::path& directory, const Limits& limits) {
  Program program;
  const std::uint8_t generation = in.u8("a generation");
  if (generation != kNoGeneration) {
    if (generation >= kGenerations.size()) {
      in.fail_at(in.at() - 1, fmt::format("generation {}", generation), fmt::format("0..{}", kGenerations.size() - 1));
    }
    program.generation = kGenerations[generation];
  }
  program.generation_line = in.line();
  std::uint32_t instructions_left = limits.instructions;
  for (Section& section : program.sections) {
    section = read_section(in, instructions_left);
    instructions_left -= static_cast<std::uint32_t>(section.bundles.size());
  }
  constexpr std::size_t kLeast = 10;  // fewer bytes than any table's entry has
  const auto table = [&](auto& items, std::string_view what, std::uint64_t most, auto read) {
    const std::uint32_t count = in.count(what, kLeast, most);
    for (std::uint32_t i = 0; i < count; ++i) items.push_back(read());
  };
  constexpr std::uint64_t kAny = ~std::uint64_t{0};
  std::unordered_set<std::string> names;
  const auto known = [&](const std::string& tensor, std::size_t at) {
    if (!names.contains(tensor)) in.fail_at(at, fmt::format("tensor '{}'", tensor), "one of the tensor table");
  };
  table(program.tensors, "tensors", limits.tensors, [&] {
    const std::size_t at = in.at();
    Tensor tensor = read_tensor(in, directory);
    if (!names.insert(tensor.name).second)
      in.fail_at(at, fmt::format("a second tensor '{}'", tensor.name), "another name");
    return tensor;
  });
  table(program.outputs, "outputs", kAny, [&] {
    const std::size_t at = in.at();
    Output output;
    output.tensor = in.text("name");
    known(output.tensor, at);
    output.path = path_in(directory, in.text("path"));
    output.line = in.line();
    return output;
  });
  table(program.expectations, "expectations", kAny, [&] {
    const std::size_t at = in.at();
    Expectation expectation = read_expectation(in, directory);
    known(expectation.tensor, at);
    return expectation;
  });
  table(program.semaphores, "semaphores", kAny, [&] {
    SemaphoreInit semaphore;
    semaphore.name = in.text("name");
    semaphore.index = in.u8("a semaphore");
    semaphore.value = in.u32("a value");
    semaphore.line = in.line();
    return semaphore;
  });
  table(program.registers, "registers", kAny, [&] {
    RegisterInit value{};
    value.engine = kEngines[in.below(kEngineCount, "engine")];
    value.index = in.below(64, "register");
    value.value = in.u32("a value");
    value.line = in.line();
    return value;
  });
  return program;
}

}  // namespace

bool is_image(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::array<char, kMagic.size()> start{};
  stream.read(start.data(), start.size());
  return stream.gcount() == start.size() && std::string_view(start.data(), start.size()) == kMagic;
}

void write_image(const Program& program, const std::filesystem::path& path) {
  const std::vector<std::uint8_t> payload = payload_of(program, directory_of(path));
  Writer out;
  out.raw({reinterpret_cast<const std::uint8_t*>(kMagic.data()), kMagic.size()});
  out.u32(kVersion);
  out.u32(0);
  out.u64(payload.size());
  out.raw(digest_of(payload));
  out.raw(payload);
  write_file(path, out.bytes());
}

Program read_image(const std::filesystem::path& path, const Limits& limits) {
  std::vector<std::uint8_t> file;
  try {
    file = read_file(path, limits);
  } catch (const FileProblem& problem) {
    refuse_file(path, problem.what);
  }
  Reader in(path, file, limits);
  const auto magic = in.raw(kMagic.size(), "the magic");
  if (std::memcmp(magic.data(), kMagic.data(), kMagic.size()) != 0)
    in.fail_at(0, "other bytes", "the magic of an image, TPBX");
  const std::uint32_t version = in.u32("the version");
  if (version != kVersion) in.fail_at(8, fmt::format("version {}", version), fmt::format("{}", kVersion));
  if (in.u32("the reserved word") != 0) in.fail_at(12, "a reserved word that is not zero", "zero");
  const std::uint64_t size = in.u64("the size of the payload");
  const auto digest = in.raw(kDigestBytes, "the digest");
  if (size != file.size() - kHeaderBytes) {
    in.fail_at(16, fmt::format("a payload of {} bytes", size),
               fmt::format("the {} that follow the header", file.size() - kHeaderBytes));
  }
  if (!std::ranges::equal(digest, digest_of(std::span(file).subspan(kHeaderBytes)))) {
    in.fail_at(24, "a digest that is not the payload's", "an image as it was written");
  }
  Program program = read_payload(in, directory_of(path), limits);
  if (in.at() != file.size()) in.fail(fmt::format("{} bytes more", file.size() - in.at()), "the end of the image");
  program.name = path.string();
  return program;
}

std::string program_digest(const Program& program) {
  // Where things stand in the text, and where results go, is nothing the machine sees.
  Program seen = program;
  seen.generation_line = 0;
  seen.outputs.clear();
  for (Section& section : seen.sections) std::ranges::fill(section.lines, 0U);
  const auto contents_digest = [](const std::filesystem::path& path) {
    Limits any;
    any.file_bytes = ~std::uint64_t{0};
    try {
      return sha256_hex(read_file(path, any));
    } catch (const FileProblem& problem) {
      refuse_file(path, problem.what);
    }
  };
  for (Tensor& tensor : seen.tensors) {
    tensor.line = 0;
    if (auto* file = std::get_if<FileContents>(&tensor.contents)) file->path = contents_digest(file->path);
  }
  for (Expectation& expectation : seen.expectations) {
    expectation.line = 0;
    expectation.path = contents_digest(expectation.path);
  }
  for (SemaphoreInit& semaphore : seen.semaphores) semaphore.line = 0;
  for (RegisterInit& value : seen.registers) value.line = 0;
  return sha256_hex(payload_of(seen, {}));
}

}  // namespace tpb
