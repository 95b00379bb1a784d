#include "testbench/observers/output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "models/config/input_error.h"

namespace tpb {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw InputError(Diagnostic{path.string(), 0, 0, fmt::format("cannot be written: {}", why)});
}

bool is_special(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

// /dev/stdout and its like are links to whatever is open: renaming would replace the link.
bool is_system_name(const fs::path& path) {
  const std::string name = fs::absolute(path).lexically_normal().string();
  return name.starts_with("/dev/") || name.starts_with("/proc/");
}

// Where the bytes go: behind every symbolic link, so that renaming does not replace a link by a file.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(path, error);
  return error ? path : target;
}

void write_stream(const fs::path& path, const std::function<void(std::ostream&)>& write, const fs::path& named) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  if (out) write(out);
  out.flush();
  if (!out) refuse(named, errno != 0 ? std::strerror(errno) : "the stream failed");
}

}  // namespace

void write_file_atomically(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  require_writable(path);
  if (is_special(path)) {
    write_stream(path, write, path);
    return;
  }
  const fs::path target = resolved(path);
  const fs::path part = target.string() + fmt::format(".{}.part", ::getpid());
  std::error_code error;
  try {
    write_stream(part, write, path);
    fs::rename(part, target, error);
  } catch (...) {
    fs::remove(part, error);
    throw;
  }
  if (error) {
    const std::string why = error.message();
    fs::remove(part, error);
    refuse(path, why);
  }
}

void require_writable(const fs::path& path) {
  std::error_code error;
  if (path.empty()) refuse("''", "an empty path, expected the name of a file");
  if (fs::is_directory(path, error)) refuse(path, "it is a directory, expected the name of a file");
  if (is_special(path)) {
    if (::access(path.c_str(), W_OK) != 0) refuse(path, std::strerror(errno));
    return;
  }
  if (is_system_name(path)) refuse(path, "no device or pipe, expected one there, or a file elsewhere");
  const fs::path target = resolved(path);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::exists(folder, error)) refuse(path, fmt::format("there is no folder '{}'", folder.string()));
  if (!fs::is_directory(folder, error)) refuse(path, fmt::format("'{}' is not a folder", folder.string()));
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(path, std::strerror(errno));
}

void require_replaceable(const fs::path& path) {
  require_writable(path);
  if (is_special(path)) refuse(path, "a device or a pipe, expected a file");
}

}  // namespace tpb
