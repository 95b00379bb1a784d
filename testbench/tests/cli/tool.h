// tpbsim as a process, in a folder of its own.
#pragma once

#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tpb {

struct Finished {
  int code = -1;  // exit code
  std::string out;
  std::string err;
};

// A test of the command line: works in an empty folder that is removed afterwards.
class Tool : public testing::Test {
 protected:
  Tool();
  ~Tool() override;

  // Runs tpbsim with these arguments in the folder; words are separated by spaces.
  Finished tpbsim(const std::string& arguments) const;

  std::string read(const std::string& name) const;
  void write(const std::string& name, std::string_view text) const;
  // fp32, version 1, C order.
  void write_npy(const std::string& name, const std::string& shape, const std::vector<float>& values,
                 const std::string& descr = "<f4") const;
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  std::vector<std::string> files() const;

  std::filesystem::path folder_;
};

// Adds [128, 16] values 0, 1, 2... to themselves on the DVE.
inline constexpr std::string_view kDoubling = R"(.generation cayman
.tensor x fp32 [128, 16] sbuf+0x0000 = iota
.tensor y fp32 [128, 16] sbuf+0x1000
.engine dve
  tensor_tensor op=add src0=x src1=x dst=y
)";
// What kDoubling computes.
std::vector<float> doubled_iota();

}  // namespace tpb
