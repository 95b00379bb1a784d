#include "testbench/tests/project/layers.h"

#include <fmt/format.h>

#include <array>
#include <regex>

namespace tpb {
namespace {

// Bottom up (docs/architecture.md).
struct Layer {
  std::string_view folder;
  unsigned position;
};
constexpr std::array kLayers{
    Layer{"models/isa/", 0},    Layer{"models/datapath/", 1}, Layer{"models/tile/", 1}, Layer{"models/timing/", 2},
    Layer{"models/config/", 3}, Layer{"models/program/", 4},  Layer{"models/nki/", 5},  Layer{"tlm/", 5},
    Layer{"models/units/", 6},  Layer{"models/core/", 7},     Layer{"testbench/", 8},   Layer{"rtl_cosim/", 8},
    Layer{"apps/", 9},
};

const Layer* find_layer(std::string_view path) {
  for (const Layer& layer : kLayers) {
    if (path.starts_with(layer.folder)) return &layer;
  }
  return nullptr;
}

}  // namespace

std::optional<unsigned> layer_of(std::string_view path) {
  const Layer* layer = find_layer(path);
  return layer == nullptr ? std::nullopt : std::optional(layer->position);
}

std::vector<std::string> include_problems(std::string_view path, std::string_view source) {
  static const std::regex kInclude(R"re(^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"])re", std::regex::multiline);
  static const std::regex kSystemC(R"((systemc(\.h)?|tlm(\.h)?|(sysc|tlm_core|tlm_utils)/.*))");
  std::vector<std::string> problems;
  const Layer* own = find_layer(path);
  if (own == nullptr) return {fmt::format("{}: in no layer", path)};
  for (std::cregex_iterator match(source.data(), source.data() + source.size(), kInclude), end; match != end; ++match) {
    const std::string included = (*match)[2];
    if ((*match)[1] == "<") {
      if (own->position < *layer_of("tlm/") && std::regex_match(included, kSystemC)) {
        problems.push_back(fmt::format("{}: <{}> below tlm/", path, included));
      }
      continue;
    }
    const Layer* other = find_layer(included);
    if (other == nullptr) {
      problems.push_back(fmt::format("{}: \"{}\" is not root-relative", path, included));
    } else if (other->folder != own->folder && other->position >= own->position) {
      problems.push_back(fmt::format("{}: \"{}\" stands above or beside {}", path, included, own->folder));
    }
  }
  return problems;
}

}  // namespace tpb
