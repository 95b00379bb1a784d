// The layers of the tree: which folder may include which.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tpb {

// Position of a file's folder from the bottom up; nothing for a folder that is no layer. Folders of one position do
// not know each other.
std::optional<unsigned> layer_of(std::string_view path);

// What is wrong with the includes of one source file: a layer above or beside its own, a path that is not
// root-relative, SystemC below tlm/. A sentence each.
std::vector<std::string> include_problems(std::string_view path, std::string_view source);

}  // namespace tpb
