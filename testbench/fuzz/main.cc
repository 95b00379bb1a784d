// tpb_bundle_fuzz [BUNDLES [SEED]]: runs that many bundles and prints what became of them.
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <systemc>

#include "testbench/fuzz/bundle_fuzz.h"

namespace tpb {
namespace {

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void print(const FuzzCounts& counts) {
  fmt::print(
      "{} bundles: {} random, {:.4f}% of them legal; {} mutated, {:.1f}% of them legal; {} computed; "
      "memory scanned {} times; {} promises broken\n",
      counts.bundles(), counts.random, percent(counts.random_legal, counts.random), counts.mutated,
      percent(counts.mutated_legal, counts.mutated), counts.executed, counts.scanned, counts.broken.size());
  std::fflush(stdout);
}

int run(int argc, char* argv[]) {
  FuzzOptions options;
  options.bundles = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
  options.seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  if (options.bundles == 0 || argc > 3) {
    fmt::print(stderr, "tpb_bundle_fuzz [BUNDLES [SEED]]: 10000000 bundles from seed 1 unless told otherwise\n");
    return 2;
  }
  options.progress = print;
  const FuzzCounts counts = fuzz_bundles(TPB_SOURCE_DIR "/testbench/fuzz/seeds", options);
  print(counts);
  for (const std::string& broken : counts.broken) fmt::print("{}\n", broken);
  return counts.broken.empty() ? 0 : 1;
}

}  // namespace
}  // namespace tpb

int sc_main(int argc, char* argv[]) {
  try {
    return tpb::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tpb_bundle_fuzz: {}\n", error.what());
    return 70;
  }
}

int main(int argc, char* argv[]) {
  ::setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
