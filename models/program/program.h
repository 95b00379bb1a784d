// A program as the machine sees it: a section of bundles per engine, and the tables that give them names and contents.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/isa/instruction.h"

namespace tpb {

// What a tensor holds before the run. Paths are absolute here; files name them relative to themselves.
struct Uninitialised {
  bool operator==(const Uninitialised&) const = default;
};
struct Zeros {
  bool operator==(const Zeros&) const = default;
};
struct Ones {
  bool operator==(const Ones&) const = default;
};
struct Iota {
  bool operator==(const Iota&) const = default;
};
struct RandomValues {
  std::uint64_t seed;
  bool operator==(const RandomValues&) const = default;
};
struct FileContents {
  std::filesystem::path path;
  bool operator==(const FileContents&) const = default;
};
struct ListContents {  // [1, 2, 3]: raw element bits, one or as many as the tensor has
  std::vector<std::uint32_t> bits;
  bool operator==(const ListContents&) const = default;
};
using Contents = std::variant<Uninitialised, Zeros, Ones, Iota, RandomValues, FileContents, ListContents>;

struct Tensor {
  std::string name;
  Dtype dtype = Dtype::fp32;
  std::vector<std::uint32_t> shape;  // partitions first, numpy order
  Location start;                    // space, first partition, byte offset
  Contents contents;
  std::uint32_t line = 0;

  std::uint64_t elements() const;
  std::uint64_t elements_per_partition() const;
};

struct Output {
  std::string tensor;
  std::filesystem::path path;
  std::uint32_t line = 0;
};

struct Expectation {
  std::string tensor;
  std::filesystem::path path;
  // exact: all three absent.
  std::optional<std::uint64_t> ulp;
  std::optional<double> rtol, atol;
  std::uint32_t line = 0;
};

struct SemaphoreInit {
  std::string name;  // empty: no name
  std::uint8_t index = 0;
  std::uint32_t value = 0;
  std::uint32_t line = 0;
};

struct RegisterInit {
  Engine engine;
  std::uint8_t index = 0;
  std::uint32_t value = 0;
  std::uint32_t line = 0;
};

struct Section {
  std::vector<Bundle> bundles;
  std::vector<std::uint32_t> lines;  // source line of each bundle; 0 when unknown
};

struct Program {
  std::string name;                      // as given on the command line, for messages
  std::optional<Generation> generation;  // of .generation
  std::uint32_t generation_line = 0;
  PerEngine<Section> sections;
  std::vector<Tensor> tensors;
  std::vector<Output> outputs;
  std::vector<Expectation> expectations;
  std::vector<SemaphoreInit> semaphores;
  std::vector<RegisterInit> registers;

  const Tensor* find(std::string_view tensor) const;
};

}  // namespace tpb
