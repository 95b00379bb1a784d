#include "models/program/file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

namespace tpb {

std::vector<std::uint8_t> read_file(const std::filesystem::path& path, const Limits& limits, std::uint64_t most,
                                    std::uint64_t* size) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw FileProblem{"is a directory, expected a file"};
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    const std::error_code reason(errno, std::generic_category());
    throw FileProblem{fmt::format("cannot be read ({}), expected a file", reason.message())};
  }
  stream.seekg(0, std::ios::end);
  const std::streamoff end = stream.tellg();
  stream.seekg(0);
  if (!stream || end < 0) throw FileProblem{"cannot be read, expected a regular file"};
  const auto length = static_cast<std::uint64_t>(end);
  if (length > limits.file_bytes) {
    throw FileProblem{fmt::format("has {} bytes, expected at most {} (limits.file_bytes)", length, limits.file_bytes)};
  }
  if (size != nullptr) *size = length;
  std::vector<std::uint8_t> bytes(std::min(length, most));
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (static_cast<std::size_t>(stream.gcount()) != bytes.size()) throw FileProblem{"cannot be read to its end"};
  return bytes;
}

void write_file(const std::filesystem::path& path, std::span<const std::uint8_t> bytes) {
  std::filesystem::path beside = path;
  beside += fmt::format(".{}.tmp", ::getpid());
  std::error_code ignored;
  {
    std::ofstream stream(beside, std::ios::binary | std::ios::trunc);
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    stream.close();
    if (!stream) {
      std::filesystem::remove(beside, ignored);
      refuse_file(path, "cannot be written, expected a writable directory with space left");
    }
  }
  std::error_code error;
  std::filesystem::rename(beside, path, error);
  if (error) {
    std::filesystem::remove(beside, ignored);
    refuse_file(path, fmt::format("cannot be written ({}), expected a writable place", error.message()));
  }
}

void refuse_file(const std::filesystem::path& path, const std::string& message) {
  throw InputError(Diagnostic{path.string(), 0, 0, message});
}

}  // namespace tpb
