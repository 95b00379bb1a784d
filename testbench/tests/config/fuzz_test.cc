#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "testbench/tests/config/scratch.h"

namespace tpb {
namespace {

// Whatever stands in a file, it loads or is refused with a place; nothing else comes out.
TEST(ConfigFuzz, LoadsOrRefuses) {
  std::stringstream shipped;
  shipped << std::ifstream(TPB_SOURCE_DIR "/configs/generations/sunda.toml").rdbuf();
  const std::string original = shipped.str();
  ASSERT_FALSE(original.empty());
  const std::string alphabet = "=[]{}\"'.,#\n -+0123456789aefxz_\\\0\x01\xC3\xFF";
  std::mt19937 random(7);
  const auto below = [&](std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
  };
  const Scratch scratch;
  int loaded = 0, refused = 0;
  for (int round = 0; round < 400; ++round) {
    std::string text = original;
    for (std::size_t change = 1 + below(3); change-- > 0;) {
      const std::size_t at = below(text.size());
      switch (below(3)) {
        case 0:
          text[at] = alphabet[below(alphabet.size())];
          break;
        case 1:
          text.erase(at, below(40));
          break;
        default:
          text.insert(at, 1 + below(4), alphabet[below(alphabet.size())]);
          break;
      }
    }
    try {
      load_file(scratch.write("c.toml", text));
      ++loaded;
    } catch (const InputError& error) {
      ++refused;
      for (const Diagnostic& diagnostic : error.diagnostics()) {
        EXPECT_GE(diagnostic.line, 1U) << error.what();
        EXPECT_GE(diagnostic.column, 1U) << error.what();
        EXPECT_FALSE(diagnostic.message.empty());
      }
    }
  }
  // Changes within comments load, most others do not.
  EXPECT_GT(loaded, 40);
  EXPECT_GT(refused, 40);
}

}  // namespace
}  // namespace tpb
