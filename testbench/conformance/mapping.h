// An ONNX node test as a tpbsim program: text, and the .npy files that it names.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/program/program.h"
#include "testbench/conformance/onnx_cases.h"

namespace tpb {

// Why a case has no program. Everything else must be mapped: a case that cannot be is an error, not a skip.
enum class SkipReason : std::uint8_t {
  padding,           // values outside the input: a window of the pool engine has as many elements everywhere
  ceil_mode,         // windows that leave the input at its end
  three_dimensions,  // a window has two dimensions
  dtype,             // a type that the core lacks, or one that the operation does not keep exact
  truncation,        // expected values that are cut off where the core rounds to nearest even
  fmod,              // a remainder with the sign of the dividend: the core's has the divisor's
};
std::string_view name_of(SkipReason reason);  // "padding", "3-D"

// One .npy file: what the tensor of the program text is called, its type and shape, and its bytes.
struct DataFile {
  Tensor tensor;
  std::vector<std::uint8_t> bytes;
};

struct MappedCase {
  std::optional<SkipReason> skipped;  // and then nothing else
  std::string text;                   // program text; files are named TENSOR.npy
  std::vector<DataFile> files;
  std::string note;  // what of the case is not compared; usually empty
};

// The operators that map_case knows.
const std::vector<std::string>& mapped_ops();

// Throws std::runtime_error when a case that no reason excuses does not fit the instruction.
//
// Layout. The leading axis (batch times channel for pooling) is the partition, in blocks of 128, and the other axes are
// free; a reduction over the leading axis puts everything into one partition. Windows, kept and reduced axes and
// broadcasting are access patterns over the data as it is, except that partitions share nothing: an operand without a
// leading axis is written to every partition.
//
// Numbers. Floating-point work goes to the DVE, integer elementwise work to the Pool engine, where it is exact.
// Maxima, minima and integers are expected exactly, the rest within 1e-6 relative. Where terms cancel, that takes
// ONNX's own order of additions, and the pool instruction has its own: an average of eight or more elements is computed
// with tensor_tensor in ONNX's order as well, and it is this result that is held to 1e-6 relative; that of the pool
// instruction is held to 1e-7 absolute besides.
MappedCase map_case(const OnnxCase& onnx_case);

// Writes NAME.tpb and its .npy files into `directory`, which is made when missing. Returns the program's path.
std::filesystem::path write_case(const MappedCase& mapped, const std::string& name,
                                 const std::filesystem::path& directory);

}  // namespace tpb
