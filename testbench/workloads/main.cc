// tpb_workloads: the kernels of this folder as files, and the page about them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <systemc>

#include "testbench/workloads/export.h"

namespace tpb::workloads {
namespace {

constexpr const char* kUsage =
    "tpb_workloads list                                   the names\n"
    "tpb_workloads save NAME GENERATION DTYPE DIRECTORY   write NAME.tpbx and the results that it expects\n"
    "tpb_workloads page FILE                              write docs/workloads.md\n";

template <class T>
T named(std::string_view text) {
  const auto names = nki::Vocabulary<T>::names();
  const auto found = std::ranges::find(names, text, &nki::Name<T>::text);
  if (found == names.end()) throw std::invalid_argument(fmt::format("no {} '{}'", nki::Vocabulary<T>::kKind, text));
  return found->value;
}

void save(const std::string& name, Generation generation, nki::Dtype dtype, const std::string& directory) {
  const Workload& workload = workload_named(name);
  if (std::ranges::find(workload.dtypes, dtype) == workload.dtypes.end()) {
    throw std::invalid_argument(fmt::format("'{}' has no inputs of {}", name, nki::spelling(dtype)));
  }
  fmt::print("{}\n", save(workload, generation, dtype, directory).string());
}

int run(const std::vector<std::string>& arguments) {
  if (arguments == std::vector<std::string>{"list"}) {
    for (const Workload& workload : all_workloads()) fmt::print("{}: {}\n", workload.name, workload.shows);
  } else if (arguments.size() == 5 && arguments[0] == "save") {
    save(arguments[1], named<Generation>(arguments[2]), named<nki::Dtype>(arguments[3]), arguments[4]);
  } else if (arguments.size() == 2 && arguments[0] == "page") {
    std::ofstream(arguments[1]) << workloads_page();
  } else {
    fmt::print(stderr, "{}", kUsage);
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace tpb::workloads

int sc_main(int argc, char* argv[]) {
  try {
    return tpb::workloads::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "tpb_workloads: {}\n", error.what());
    return 2;
  }
}

int main(int argc, char* argv[]) {
  // SystemC's own main would print its copyright notice first.
  ::setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
