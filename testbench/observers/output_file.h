// Files that are either complete or not there.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace tpb {

// Calls `write` with a stream beside `path` and renames it into place, so that a reader never sees half a file and a
// failure leaves an older file as it was. A path that is not a regular file (a device, a pipe) is written directly.
// Throws InputError when it cannot be written.
void write_file_atomically(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

// Throws InputError when `path` certainly cannot be written; touches nothing.
void require_writable(const std::filesystem::path& path);
// The same for a file that is always renamed into place: a device or a pipe is refused, or it would be replaced.
void require_replaceable(const std::filesystem::path& path);

}  // namespace tpb
