// Bundles that nobody meant: random ones, and legal ones with a few bytes changed, each run on the core.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tpb {

struct FuzzCounts {
  std::uint64_t random = 0, random_legal = 0;
  std::uint64_t mutated = 0, mutated_legal = 0;
  std::uint64_t executed = 0;       // legal and computed; the others have too many elements, or wait for ever
  std::uint64_t scanned = 0;        // runs after which every byte of memory was looked at
  std::vector<std::string> broken;  // a sentence per promise that was not kept

  std::uint64_t bundles() const { return random + mutated; }
};

struct FuzzOptions {
  std::uint64_t bundles = 100'000;
  std::uint64_t seed = 1;
  std::function<void(const FuzzCounts&)> progress;  // now and then; may be empty
};

// Half of the bundles are uniformly random, half come from the instructions of `seeds` (a folder of program text)
// with one to three bytes changed. Every generation and both profiles take part. Each bundle stands in the stream of
// an engine that it is likely to fit, alone or behind the load of what it needs. A bundle that faults must leave
// memory, semaphores and the books as they were.
FuzzCounts fuzz_bundles(const std::filesystem::path& seeds, const FuzzOptions& options);

}  // namespace tpb
