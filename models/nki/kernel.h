// Kernels built call by call from the intrinsics of nki.isa.
//
//   using namespace tpb;
//   nki::Kernel kernel(Generation::cayman);
//   const nki::Tile x = kernel.input("x", nki::Dtype::float32, {128, 512}, RandomValues{1});
//   const nki::Tile e = kernel.activation({.op = nki::Op::exp, .data = x, .scale = 0.5});        // exp(x / 2)
//   const nki::Tile sum = kernel.sbuf(nki::Dtype::float32, {128, 1});
//   kernel.tensor_reduce({.op = nki::Op::add, .data = e, .dst = sum});
//   const nki::Tile y = kernel.tensor_scalar({.data = e, .op0 = nki::Op::divide, .operand0 = sum});
//   kernel.output("y", y);
//   const Program program = kernel.program();
//
// A call names its parameters as nki does; those with defaults may be left out. It is judged at once: a call that is
// illegal throws an Error, and nothing is appended. Where nki returns a new tile, so does the call; `.dst` says
// where it lies instead. Calls run on their engines in the order in which they were made, and whatever an engine reads
// or overwrites of another one's waits for it: the kernel adds the semaphores.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/config.h"
#include "models/nki/allocator.h"
#include "models/nki/intrinsics.h"
#include "models/nki/ir.h"
#include "models/nki/rules.h"
#include "models/nki/schedule.h"
#include "models/nki/validators.h"

namespace tpb::nki {

class Kernel {
 public:
  // With the shipped configuration of the generation.
  explicit Kernel(Generation generation);
  explicit Kernel(const Config& config);

  const Config& config() const { return config_; }

  // --- tiles ---------------------------------------------------------------------------------------------------------

  // New, uninitialised, `shape` partitions first. Throw an Error when the memory is full.
  Tile sbuf(Dtype dtype, const Shape& shape, std::uint32_t partition = 0);
  Tile psum(Dtype dtype, const Shape& shape, std::uint32_t partition = 0);

  // A tile at an address of the caller's choice: the kernel's own keep away from it.
  void occupy(const Tile& tile);

  // Tiles that were made since it was opened are given back when it ends; their bytes are used again.
  class Scope {
   public:
    explicit Scope(Kernel& kernel) : kernel_(kernel), sbuf_(kernel.sbuf_.top()), psum_(kernel.psum_.top()) {}
    ~Scope() {
      kernel_.sbuf_.return_to(sbuf_);
      kernel_.psum_.return_to(psum_);
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Kernel& kernel_;
    std::uint32_t sbuf_, psum_;
  };

  // --- nki.isa -------------------------------------------------------------------------------------------------------

  Tile nc_matmul(const NcMatmul& call);
  Tile nc_transpose(const NcTranspose& call);
  Tile activation(const Activation& call);
  Tile activation_reduce(const ActivationReduce& call);
  Tile tensor_tensor(const TensorTensor& call);
  Tile tensor_scalar(const TensorScalar& call);
  Tile tensor_scalar_reduce(const TensorScalarReduce& call);
  Tile tensor_scalar_cumulative(const TensorScalarCumulative& call);
  Tile scalar_tensor_tensor(const ScalarTensorTensor& call);
  Tile tensor_tensor_scan(const TensorTensorScan& call);
  Tile reciprocal(const Reciprocal& call);

  // --- beyond nki.isa ------------------------------------------------------------------------------------------------

  // Folds the `axes` innermost free dimensions, in order; [P, 1] when that is all of them. vector or gpsimd.
  struct TensorReduce {
    Op op;
    Tile data;
    unsigned axes = 1;
    bool negate = false;
    std::optional<Dtype> dtype{};
    Engine engine = Engine::vector;
    std::optional<Tile> dst{};
  };
  Tile tensor_reduce(const TensorReduce& call);

  // The maximum or average of windows: the two innermost dimensions of data, often a view. vector or gpsimd.
  struct Pool {
    Tile data;
    bool average = false;
    std::optional<Dtype> dtype{};
    Engine engine = Engine::gpsimd;
    std::optional<Tile> dst{};
  };
  Tile pool(const Pool& call);

  // The eight largest of each partition, descending: [P, 8] of data's dtype.
  Tile max8(const Tile& data, const std::optional<Tile>& dst = {});
  // Where `vals` stand in data: [P, 8] of uint32.
  Tile max_index(const Tile& data, const Tile& vals, const std::optional<Tile>& dst = {});

  void memset(const Tile& dst, Number value, Engine engine = Engine::vector);
  // start + partition_step p + the sum of steps i; a step for each free dimension, outermost first.
  void iota(const Tile& dst, const Tuple& steps, Number start = 0, Number partition_step = 0);
  // Between equal dtypes bit for bit. vector, gpsimd, from gen3 on scalar.
  void copy(const Tile& data, const Tile& dst, Engine engine = Engine::vector);
  Tile cast(const Tile& data, Dtype dtype, Engine engine = Engine::vector);

  // Lines of program text for one engine, without waits and updates, in which tiles go by names; for what has no call,
  // as the tile engine. Each call is on its own: it frees the tile registers that it loads. Throws InputError or Error.
  void text(tpb::Engine engine, const std::string& lines, const std::vector<std::pair<std::string, Tile>>& tiles);

  // --- the program ---------------------------------------------------------------------------------------------------

  // A new tile in SBUF that holds something when the program starts.
  Tile input(const std::string& name, Dtype dtype, const Shape& shape, Contents contents);
  // Gives a dense tile a name in the program, and its bytes to it for good; with a path, the run writes it there.
  void output(const std::string& name, const Tile& tile, const std::filesystem::path& path = {});

  // Runs on the platform, is saved by write_image, and shown by disassemble.
  Program program() const;

  // --- what was built ------------------------------------------------------------------------------------------------

  const std::vector<ir::Node>& nodes() const { return nodes_; }
  // Of the last call of an intrinsic, legal or not.
  const std::vector<Verdict>& verdicts() const { return verdicts_; }

 private:
  template <class Call>
  Engine judge(const Call& call);
  Engine judge(CallView view);
  Tile result(const Rules& rules, const std::optional<Tile>& dst, std::optional<Dtype> dtype, Dtype otherwise,
              const Shape& shape, Buffer buffer = Buffer::sbuf);
  Tile activate(const Rules& rules, const ir::Activation& node, const std::optional<Tile>& dst,
                std::optional<Dtype> dtype);
  void transpose_on_tensor(const Rules& rules, const Tile& data, const Tile& dst);
  // Ones on the diagonal, made when it is first asked for.
  Tile identity(Dtype dtype);
  void transpose_on_vector(std::string_view instruction, const Tile& data, const Tile& dst);
  void append(std::string_view instruction, ir::Operation operation, Engine engine);
  // All or nothing. Throws the Error of the first rule that a bundle breaks.
  void append(std::string_view instruction, tpb::Engine engine, const std::vector<Group>& groups);
  void name(const std::string& name, const Tile& tile, Contents contents);

  Config config_;
  Schedule schedule_;
  PerEngine<LegalityContext> legality_;
  std::vector<Tensor> tensors_;
  std::vector<Output> outputs_;
  Allocator sbuf_, psum_;
  std::vector<ir::Node> nodes_;
  std::vector<Verdict> verdicts_;
  std::vector<std::pair<Dtype, Tile>> identities_;
};

// Contents of a tensor: a value for each element in numpy order, or one for all, rounded to the dtype as the datapath
// does; integers must be exact.
Contents values(Dtype dtype, std::span<const float> numbers);

}  // namespace tpb::nki
