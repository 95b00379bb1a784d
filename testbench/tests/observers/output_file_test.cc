#include "testbench/observers/output_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "models/config/input_error.h"

namespace tpb {
namespace {

namespace fs = std::filesystem;

class OutputFile : public testing::Test {
 protected:
  OutputFile() : folder_(fs::path(testing::TempDir()) / ("output_file." + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~OutputFile() override { fs::remove_all(folder_); }

  static std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(OutputFile, IsThereWhenItIsComplete) {
  const fs::path path = folder_ / "a.json";
  write_file_atomically(path, [&](std::ostream& out) {
    out << "first" << std::flush;
    EXPECT_FALSE(fs::exists(path));
  });
  EXPECT_EQ(text_of(path), "first");
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFile, LeavesTheOldOneWhenItsWriterFails) {
  const fs::path path = folder_ / "a.json";
  std::ofstream(path) << "old";
  EXPECT_THROW(write_file_atomically(path,
                                     [](std::ostream& out) {
                                       out << "new";
                                       throw std::runtime_error("no");
                                     }),
               std::runtime_error);
  EXPECT_EQ(text_of(path), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFile, FollowsALink) {
  std::ofstream(folder_ / "target") << "old";
  fs::create_symlink("target", folder_ / "link");
  write_file_atomically(folder_ / "link", [](std::ostream& out) { out << "new"; });
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(text_of(folder_ / "target"), "new");
}

TEST_F(OutputFile, MayBeADevice) {
  write_file_atomically("/dev/null", [](std::ostream& out) { out << "gone"; });
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFile, SaysWhenTheDeviceIsFull) {
  EXPECT_THROW(write_file_atomically("/dev/full", [](std::ostream& out) { out << "more than fits"; }), InputError);
}

TEST_F(OutputFile, RefusesWhatCannotBeWritten) {
  std::ofstream(folder_ / "file") << "x";
  const auto why = [](const fs::path& path) -> std::string {
    try {
      require_writable(path);
    } catch (const InputError& error) {
      return error.diagnostics().front().message;
    }
    return "accepted";
  };
  EXPECT_EQ(why(folder_ / "new"), "accepted");
  EXPECT_EQ(why(folder_), "cannot be written: it is a directory, expected the name of a file");
  EXPECT_EQ(why(folder_ / "none" / "a"), "cannot be written: there is no folder '" + (folder_ / "none").string() + "'");
  EXPECT_EQ(why(folder_ / "file" / "a"), "cannot be written: '" + (folder_ / "file").string() + "' is not a folder");
  EXPECT_EQ(files(), 1U);
  // A file there is not a device: a link to something open, which renaming would replace.
  EXPECT_EQ(why("/proc/self/status"), "cannot be written: no device or pipe, expected one there, or a file elsewhere");
  EXPECT_EQ(why("/dev/null"), "accepted");
  EXPECT_THROW(require_replaceable("/dev/null"), InputError);
  EXPECT_NO_THROW(require_replaceable(folder_ / "new"));
}

}  // namespace
}  // namespace tpb
