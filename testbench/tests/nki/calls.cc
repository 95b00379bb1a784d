#include "testbench/tests/nki/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tpb::test {
namespace {

// F: float32, B: bfloat16, H: float16, I: int32, U: uint32, S: int16, Q: float8_e4m3. [128, 64] in SBUF; with P in
// PSUM; with C [128, 1]; with T [32, 32].
std::map<std::string, Json> tiles() {
  std::map<std::string, Json> all;
  for (const auto& [letter, dtype] : std::map<std::string, std::string>{{"F", "float32"},
                                                                        {"B", "bfloat16"},
                                                                        {"H", "float16"},
                                                                        {"I", "int32"},
                                                                        {"U", "uint32"},
                                                                        {"S", "int16"},
                                                                        {"Q", "float8_e4m3"},
                                                                        {"R", "tfloat32"}}) {
    all[letter] = {{"dtype", dtype}, {"shape", {128, 64}}};
    all[letter + "P"] = {{"dtype", dtype}, {"shape", {128, 64}}, {"buffer", "psum"}};
    all[letter + "C"] = {{"dtype", dtype}, {"shape", {128, 1}}};
    all[letter + "T"] = {{"dtype", dtype}, {"shape", {32, 32}}};
  }
  return all;
}

// "F" in a call's arguments is not a name but a tile.
void replace_tiles(Json& value) {
  static const std::map<std::string, Json> kTiles = tiles();
  if (value.is_string()) {
    const auto tile = kTiles.find(value.get<std::string>());
    if (tile != kTiles.end()) value = tile->second;
  } else if (value.is_structured()) {
    for (Json& member : value) replace_tiles(member);
  }
}

}  // namespace

Json NkiCalls::call(const std::string& name, const std::string& generation, std::string arguments) {
  std::ranges::replace(arguments, '\'', '"');
  Json parsed = Json::parse("{" + arguments + "}");
  replace_tiles(parsed);
  return {{"name", name}, {"generation", generation}, {"arguments", parsed}};
}

Json NkiCalls::run(const Json& calls, int code) const {
  write("calls.json", calls.dump(1));
  const Finished finished = tpbsim("nki calls.json");
  EXPECT_EQ(finished.code, code) << finished.err << finished.out;
  return finished.out.empty() ? Json::array() : Json::parse(finished.out);
}

std::string NkiCalls::refused(const std::string& text) const {
  write("calls.json", text);
  const Finished finished = tpbsim("nki calls.json");
  EXPECT_EQ(finished.code, 2) << text;
  EXPECT_EQ(finished.out, "");
  return finished.err;
}

}  // namespace tpb::test
