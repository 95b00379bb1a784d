// Operands of tensors against an independent enumeration of numpy indices.
#include <gmock/gmock.h>

#include <optional>
#include <random>

#include "testbench/tests/program/scratch.h"

namespace tpb {
namespace {

using ::testing::ElementsAre;

// The source of a copy bundle, read from its bytes: where each element of the stream lies.
struct Source {
  std::uint32_t address = 0;
  std::vector<std::int64_t> step, num;
  unsigned channels = 0;

  explicit Source(const Bundle& bundle) : channels(bundle[34]) {
    const auto half = [&](std::size_t at) { return bundle[at] | bundle[at + 1] << 8; };
    address = static_cast<std::uint32_t>(half(12)) | static_cast<std::uint32_t>(half(14)) << 16;
    for (std::size_t d = 0; d < 4; ++d) {
      step.push_back(static_cast<std::int16_t>(half(16 + 2 * d)));
      num.push_back(half(24 + 2 * d));
    }
  }
  // Byte addresses on the first partition, innermost dimension fastest.
  std::vector<std::int64_t> elements(int element_bytes) const {
    std::vector<std::int64_t> all;
    for (std::int64_t w = 0; w < num[3]; ++w)
      for (std::int64_t z = 0; z < num[2]; ++z)
        for (std::int64_t y = 0; y < num[1]; ++y)
          for (std::int64_t x = 0; x < num[0]; ++x)
            all.push_back(address + element_bytes * (x * step[0] + y * step[1] + z * step[2] + w * step[3]));
    return all;
  }
};

// What Python's range(start, stop, step) of a slice yields for a dimension of n elements, by walking.
std::vector<std::int64_t> walk(std::optional<std::int64_t> start, std::optional<std::int64_t> stop, std::int64_t step,
                               std::int64_t n) {
  std::vector<std::int64_t> all;
  std::int64_t i = start ? (*start < 0 ? n + *start : *start) : (step > 0 ? 0 : n - 1);
  const std::int64_t end = stop ? (*stop < 0 ? n + *stop : *stop) : (step > 0 ? n : -1);
  for (; step > 0 ? i < end : i > end; i += step) all.push_back(i);
  return all;
}

class Slices : public Scratch {
 protected:
  Source copy_of(const std::string& tensor, const std::string& operand, std::size_t elements, std::size_t channels) {
    return Source(bundles(tensor, "copy src=" + operand + " dst=fp32@0[1][" + std::to_string(elements) +
                                      "] ch=" + std::to_string(channels))
                      .at(0));
  }
};

TEST_F(Slices, RandomSlicesAddressTheElementsThatNumpyWould) {
  std::mt19937 random(20240607);
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  int tried = 0;
  while (tried < 400) {
    // Partitions, then one to four free dimensions; bf16 at byte 0x100 of partition 32.
    const std::size_t free_dims = 1 + static_cast<std::size_t>(below(4));
    std::vector<std::int64_t> shape{1 + below(96)};
    for (std::size_t d = 0; d < free_dims; ++d) shape.push_back(1 + below(7));
    std::string declaration = ".tensor t bf16 [" + std::to_string(shape[0]);
    for (std::size_t d = 1; d < shape.size(); ++d) declaration.append(", ").append(std::to_string(shape[d]));
    declaration += "] sbuf[32]+0x100";

    std::vector<std::vector<std::int64_t>> chosen;
    std::string text = "t[";
    const std::size_t written = 1 + static_cast<std::size_t>(below(static_cast<std::int64_t>(shape.size())));
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const std::int64_t n = shape[d];
      if (d >= written) {
        chosen.push_back(walk({}, {}, 1, n));
        continue;
      }
      if (d != 0) text += ", ";
      const auto spell = [&](std::int64_t index) { return below(2) != 0 && index < n ? index - n : index; };
      if (below(3) == 0) {
        const std::int64_t index = below(n);
        text += std::to_string(spell(index));
        chosen.push_back({index});
        continue;
      }
      std::optional<std::int64_t> start, stop;
      if (below(2) != 0) start = spell(below(n));
      if (below(2) != 0) stop = spell(below(n + 1));
      const std::int64_t step = d == 0 ? 1 : (below(2) != 0 ? 1 : -1) * (1 + below(3));
      text.append(start ? std::to_string(*start) : "").append(":").append(stop ? std::to_string(*stop) : "");
      if (step != 1 || below(4) == 0) text.append(":").append(std::to_string(step));
      chosen.push_back(walk(start, stop, step, n));
    }
    text += "]";
    std::vector<std::int64_t> expected;  // numpy order: the last index fastest
    std::size_t count = 1;
    for (std::size_t d = 1; d < shape.size(); ++d) count *= chosen[d].size();
    if (count == 0 || chosen[0].empty()) continue;
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t rest = i;
      std::int64_t element = 0, stride = 1;
      for (std::size_t d = shape.size() - 1; d >= 1; --d) {
        element += chosen[d][rest % chosen[d].size()] * stride;
        rest /= chosen[d].size();
        stride *= shape[d];
      }
      // Partition 32 + first chosen one, 0x40000 bytes each.
      expected.push_back((32 + chosen[0][0]) * 0x40000 + 0x100 + 2 * element);
    }
    const Source source = copy_of(declaration, text, count, chosen[0].size());
    ASSERT_EQ(source.elements(2), expected) << declaration << "  " << text;
    ASSERT_EQ(source.channels, chosen[0].size()) << text;
    ++tried;
  }
}

constexpr const char* kCube = ".tensor t fp32 [16, 3, 4, 5] sbuf+0x40";

TEST_F(Slices, DimensionsAreNeverMergedOrDropped) {
  // A whole [16, 3, 4, 5]: 5 steps of 1, 4 of 5, 3 of 20, one outer (1, 1).
  const Source whole = copy_of(kCube, "t", 60, 16);
  EXPECT_THAT(whole.step, ElementsAre(1, 5, 20, 1));
  EXPECT_THAT(whole.num, ElementsAre(5, 4, 3, 1));
  // A slice of one element keeps its dimension, an integer does not.
  const Source kept = copy_of(kCube, "t[:, 1:2, :, 4:0:-2]", 8, 16);
  EXPECT_THAT(kept.step, ElementsAre(-2, 5, 20, 1));
  EXPECT_THAT(kept.num, ElementsAre(2, 4, 1, 1));
  const Source removed = copy_of(kCube, "t[:, 1, :, 2]", 4, 16);
  EXPECT_THAT(removed.step, ElementsAre(5, 1, 1, 1));
  EXPECT_THAT(removed.num, ElementsAre(4, 1, 1, 1));
  EXPECT_EQ(removed.address, 0x40u + 4 * (20 + 2));
}

TEST_F(Slices, OneElementPerPartition) {
  const Source column = copy_of(".tensor t fp32 [128] psum+0x8", "t", 1, 128);
  EXPECT_EQ(column.address, 0x0200'0008u);
  EXPECT_THAT(column.num, ElementsAre(1, 1, 1, 1));
  const Source part = copy_of(".tensor t fp32 [128] psum+0x8", "t[32:64]", 1, 32);
  EXPECT_EQ(part.address, 0x0200'0008u + 32 * 0x8000);
  EXPECT_EQ(part.channels, 32u);
}

TEST_F(Slices, OffsetsCountElements) {
  // Element 59 backwards to 57, three times from 20 apart: 59 58 57 39 38 37 19 18 17.
  const Source source = copy_of(kCube, "t+59[-1,-20][3,3]", 9, 16);
  std::vector<std::int64_t> expected;
  for (const std::int64_t element : {59, 58, 57, 39, 38, 37, 19, 18, 17}) expected.push_back(0x40 + 4 * element);
  EXPECT_EQ(source.elements(4), expected);
}

TEST_F(Slices, AStepThatIsNeverTakenNeedNotFit) {
  // 40000 elements apart is beyond int16, but a dimension of one element has no second one.
  const Source source = copy_of(".tensor t uint8 [4, 1, 40000] sbuf+0x0", "t", 40000, 4);
  EXPECT_THAT(source.step, ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(source.num, ElementsAre(40000, 1, 1, 1));
}

}  // namespace
}  // namespace tpb
