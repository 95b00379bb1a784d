#include "testbench/tests/cli/tool.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace tpb {
namespace fs = std::filesystem;

Tool::Tool() {
  static std::atomic<int> count{0};
  folder_ = fs::path(testing::TempDir()) / fmt::format("tpbsim_cli.{}.{}", ::getpid(), count++);
  fs::create_directories(folder_ / "work");
  folder_ /= "work";
}

Tool::~Tool() { fs::remove_all(folder_.parent_path()); }

Finished Tool::tpbsim(const std::string& arguments) const {
  // What it prints is kept beside its folder.
  const fs::path out = folder_.parent_path() / "stdout";
  const fs::path err = folder_.parent_path() / "stderr";
  const std::string command = fmt::format("cd '{}' && {{ '{}' {}; }} >'{}' 2>'{}' </dev/null", folder_.string(),
                                          TPB_TOOL, arguments, out.string(), err.string());
  const int status = std::system(command.c_str());
  Finished finished{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("../stdout"), read("../stderr")};
  EXPECT_TRUE(WIFEXITED(status)) << arguments;
  return finished;
}

std::string Tool::read(const std::string& name) const {
  std::ifstream file(folder_ / name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void Tool::write(const std::string& name, std::string_view text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
}

void Tool::write_npy(const std::string& name, const std::string& shape, const std::vector<float>& values,
                     const std::string& descr) const {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, shape);
  // Magic, version and length are 10 bytes; the header ends in a newline at a multiple of 64.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(header.size() & 0xFF);
  text += static_cast<char>(header.size() >> 8);
  text += header;
  text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  write(name, text);
}

std::vector<std::string> Tool::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::vector<float> doubled_iota() {
  std::vector<float> values;
  for (int i = 0; i < 128 * 16; ++i) values.push_back(static_cast<float>(2 * i));
  return values;
}

}  // namespace tpb
