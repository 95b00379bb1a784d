#include "models/program/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

#include "models/program/element.h"

namespace tpb {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kPreamble = 12;            // magic, version and the longer of the two length fields
constexpr std::size_t kLargestHeader = 1 << 20;  // far beyond what shapes need

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t data_offset = 0;
};

// The Python literal {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } and no more of the language.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  Header read() {
    Header header;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr" && !descr) {
        header.descr = quoted();
        descr = true;
      } else if (key == "fortran_order" && !order) {
        header.fortran_order = boolean();
        order = true;
      } else if (key == "shape" && !shape) {
        header.shape = tuple();
        shape = true;
      } else {
        fail();
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (!text_.empty() || !descr || !order || !shape) fail();
    return header;
  }

 private:
  [[noreturn]] static void fail() {
    throw FileProblem{
        "has a header that is no .npy header of a plain array, expected 'descr', 'fortran_order' and 'shape'"};
  }
  void skip_blanks() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n' || text_[0] == '\t')) text_.remove_prefix(1);
  }
  bool accept(char c) {
    skip_blanks();
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail();
  }
  std::string quoted() {
    skip_blanks();
    if (text_.empty() || (text_[0] != '\'' && text_[0] != '"')) fail();
    const std::size_t end = text_.find(text_[0], 1);
    if (end == std::string_view::npos) fail();
    std::string value(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return value;
  }
  bool boolean() {
    skip_blanks();
    for (const bool value : {false, true}) {
      const std::string_view spelling = value ? "True" : "False";
      if (text_.starts_with(spelling)) {
        text_.remove_prefix(spelling.size());
        return value;
      }
    }
    fail();
  }
  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> values;
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      std::uint64_t value = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
      if (error != std::errc{}) fail();
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      values.push_back(value);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }

  std::string_view text_;
};

Header read_header(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kPreamble || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
    throw FileProblem{"is no .npy file, expected it to begin with \\x93NUMPY"};
  }
  const unsigned version = bytes[6];
  if (version < 1 || version > 3 || bytes[7] != 0) {
    throw FileProblem{fmt::format("has .npy version {}.{}, expected 1.0, 2.0 or 3.0", version, bytes[7])};
  }
  std::size_t length = bytes[8] | std::size_t{bytes[9]} << 8;
  std::size_t start = 10;
  if (version > 1) {
    length |= std::size_t{bytes[10]} << 16 | std::size_t{bytes[11]} << 24;
    start = 12;
  }
  if (length > kLargestHeader || length > bytes.size() - start) {
    throw FileProblem{fmt::format("has a header of {} bytes, expected it to lie in the file", length)};
  }
  Header header = HeaderReader({reinterpret_cast<const char*>(bytes.data()) + start, length}).read();
  header.data_offset = start + length;
  return header;
}

// numpy's code of the dtype that holds a tensor's elements unchanged.
std::string_view descr_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::int8:
      return "|i1";
    case Dtype::uint8:
    case Dtype::fp8_e3m4:
    case Dtype::fp8_e4m3:
    case Dtype::fp8_e5m2:
      return "|u1";
    case Dtype::int16:
      return "<i2";
    case Dtype::uint16:
    case Dtype::bf16:
      return "<u2";
    case Dtype::fp16:
      return "<f2";
    case Dtype::int32:
      return "<i4";
    case Dtype::uint32:
      return "<u4";
    default:
      return "<f4";  // fp32, and fp32r that occupies as much
  }
}

constexpr std::string_view kFloat32 = "<f4";

// bf16 and fp8 have no numpy dtype: bit patterns, or float32 that is converted.
bool converts_from_float32(Dtype dtype) { return dtype == Dtype::bf16 || (!is_integer(dtype) && bytes_of(dtype) == 1); }

// A size of one byte has no order, and numpy itself spells it either way.
bool same_descr(std::string_view a, std::string_view b) {
  return a == b || (a.size() == 3 && b.size() == 3 && a[2] == '1' && a.substr(1) == b.substr(1) && a[0] == '<');
}

// Returns true when the file holds float32 to be converted.
bool check_header(const Header& header, const Tensor& tensor, std::uint64_t file_size) {
  const bool converted = converts_from_float32(tensor.dtype) && header.descr == kFloat32;
  if (!converted && !same_descr(header.descr, descr_of(tensor.dtype))) {
    throw FileProblem{fmt::format("has dtype '{}', expected '{}'{} for {}", header.descr, descr_of(tensor.dtype),
                                  converts_from_float32(tensor.dtype) ? " or '<f4'" : "", name_of(tensor.dtype))};
  }
  if (!std::ranges::equal(header.shape, tensor.shape)) {
    throw FileProblem{
        fmt::format("has shape ({}), expected ({})", fmt::join(header.shape, ", "), fmt::join(tensor.shape, ", "))};
  }
  const std::uint64_t expected = header.data_offset + tensor.elements() * (converted ? 4 : bytes_of(tensor.dtype));
  if (file_size != expected) throw FileProblem{fmt::format("has {} bytes, expected {}", file_size, expected)};
  return converted;
}

// Elements of `size` bytes in Fortran order put into C order.
std::vector<std::uint8_t> in_c_order(std::span<const std::uint8_t> data, const std::vector<std::uint32_t>& shape,
                                     std::size_t size) {
  std::vector<std::uint8_t> ordered(data.size());
  std::vector<std::size_t> stride(shape.size(), 1);
  for (std::size_t axis = 1; axis < shape.size(); ++axis) stride[axis] = stride[axis - 1] * shape[axis - 1];
  std::vector<std::uint32_t> index(shape.size(), 0);
  std::size_t source = 0;
  for (std::size_t at = 0; at < data.size(); at += size) {
    std::memcpy(ordered.data() + at, data.data() + source * size, size);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      source += stride[axis];
      if (++index[axis] < shape[axis]) break;
      source -= stride[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return ordered;
}

}  // namespace

void check_npy(const std::filesystem::path& path, const Tensor& tensor, const Limits& limits) {
  std::uint64_t file_size = 0;
  const std::vector<std::uint8_t> start = read_file(path, limits, kPreamble + kLargestHeader, &file_size);
  check_header(read_header(start), tensor, file_size);
}

std::vector<std::uint8_t> npy_elements(const std::filesystem::path& path, const Tensor& tensor, const Limits& limits) {
  const std::vector<std::uint8_t> file = read_file(path, limits);
  const Header header = read_header(file);
  const bool converted = check_header(header, tensor, file.size());
  const std::size_t size = converted ? 4 : bytes_of(tensor.dtype);
  std::span<const std::uint8_t> data(file);
  data = data.subspan(header.data_offset);
  std::vector<std::uint8_t> elements =
      header.fortran_order ? in_c_order(data, tensor.shape, size) : std::vector<std::uint8_t>(data.begin(), data.end());
  if (!converted) return elements;
  std::vector<std::uint32_t> values(tensor.elements());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = load_element(elements, i, Dtype::fp32);
  narrow_from_fp32(values, tensor.dtype);
  return pack_elements(values, tensor.dtype);
}

std::vector<std::uint8_t> npy_file(const Tensor& tensor, std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kAlignment = 64;
  constexpr std::size_t kStart = 10;
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr_of(tensor.dtype),
                  fmt::join(tensor.shape, ", "), tensor.shape.size() == 1 ? "," : "");
  while ((kStart + header.size() + 1) % kAlignment != 0) header += ' ';
  header += '\n';
  std::vector<std::uint8_t> file;
  file.reserve(kStart + header.size() + bytes.size());
  file.assign(kMagic.begin(), kMagic.end());
  // Version 1.0, then the length of the header.
  for (std::size_t byte : {std::size_t{1}, std::size_t{0}, header.size() & 0xFF, header.size() >> 8}) {
    file.push_back(static_cast<std::uint8_t>(byte));
  }
  file.insert(file.end(), header.begin(), header.end());
  file.insert(file.end(), bytes.begin(), bytes.end());
  return file;
}

}  // namespace tpb
