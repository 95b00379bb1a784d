// Random kernels: whatever two engines share is ordered by a chain of semaphores, in the order of the calls. The chains
// are found from the bundles alone.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cstring>
#include <random>

#include "models/isa/overlap.h"
#include "models/nki/kernel.h"

namespace tpb::nki {
namespace {

using Clock = std::array<std::size_t, kEngineCount>;  // bundles of each engine that are complete

struct Placed {
  tpb::Engine engine;
  std::size_t index;  // in its section
  std::uint32_t line;
  Instruction instruction;
  Clock before{};  // when it starts
};

// Every bundle with what must be complete when it starts. Fails the test when a wait can never be satisfied.
std::vector<Placed> placed_bundles(const Program& program) {
  std::vector<Placed> all;
  PerEngine<std::vector<Clock>> after;             // of each bundle, once complete
  PerEngine<std::vector<std::size_t>> increments;  // of an engine's semaphore: by which bundle
  for (const tpb::Engine engine : kEngines) {
    const auto& bundles = program.sections[engine].bundles;
    for (std::size_t i = 0; i < bundles.size(); ++i) {
      if (bundles[i][6] == 0) continue;
      EXPECT_EQ(bundles[i][6], 0x13);  // increment on completion
      EXPECT_EQ(bundles[i][7], static_cast<std::uint8_t>(engine));
      increments[engine].push_back(i);
    }
  }
  PerEngine<std::size_t> next;
  for (bool moved = true; moved;) {
    moved = false;
    for (const tpb::Engine engine : kEngines) {
      const Section& section = program.sections[engine];
      while (next[engine] < section.bundles.size()) {
        const std::size_t i = next[engine];
        const Bundle& bundle = section.bundles[i];
        Clock clock = i == 0 ? Clock{} : after[engine][i - 1];
        if (bundle[4] != 0) {
          EXPECT_EQ(bundle[4], 0x05);  // at least
          const tpb::Engine other = kEngines.at(bundle[5]);
          std::uint32_t count = 0;
          std::memcpy(&count, &bundle[8], sizeof count);
          const std::size_t awaited = increments[other].at(count - 1);
          if (awaited >= after[other].size()) break;
          for (std::size_t e = 0; e < kEngineCount; ++e) clock[e] = std::max(clock[e], after[other][awaited][e]);
        }
        all.push_back({engine, i, section.lines[i], unpack(bundle, {}), clock});
        clock[static_cast<std::size_t>(engine)] = i + 1;
        after[engine].push_back(clock);
        ++next[engine];
        moved = true;
      }
    }
  }
  for (const tpb::Engine engine : kEngines) {
    EXPECT_EQ(next[engine], program.sections[engine].bundles.size()) << name_of(engine) << " waits for ever";
  }
  return all;
}

bool conflict(const Placed& a, const Placed& b, const MemoryMap& map) {
  const Operands left = operands_of(a.instruction);
  const Operands right = operands_of(b.instruction);
  const auto any = [&](auto some, auto others) {
    for (const Operand& x : some) {
      for (const Operand& y : others) {
        if (overlaps(x, y, map)) return true;
      }
    }
    return false;
  };
  return any(left.destinations(), right.destinations()) || any(left.destinations(), right.sources()) ||
         any(left.sources(), right.destinations());
}

std::uint32_t pick(std::mt19937& random, std::size_t below) { return static_cast<std::uint32_t>(random() % below); }

// A part of one of the tiles, of a fixed size so that everything fits everything.
Tile part_of(const std::vector<Tile>& tiles, std::mt19937& random) {
  const Tile& tile = tiles[pick(random, tiles.size())];
  const Tile half = tile.rows(pick(random, 2) * 64, 64);
  return pick(random, 2) == 0 ? half.slice(0, pick(random, 2), 8, 2) : half.columns(pick(random, 9), 8);
}

class Order : public testing::TestWithParam<unsigned> {};

TEST_P(Order, EveryConflictIsOrdered) {
  std::mt19937 random(GetParam());
  Kernel kernel(Generation::cayman);
  std::vector<Tile> tiles;
  for (int i = 0; i < 3; ++i) tiles.push_back(kernel.sbuf(Dtype::float32, {128, 16}));
  const Tile sums = kernel.psum(Dtype::float32, {8, 8});
  for (int i = 0; i < 120; ++i) {
    const Tile a = part_of(tiles, random);
    Tile b = part_of(tiles, random);
    Tile c = part_of(tiles, random);
    b.partition = a.partition;
    switch (pick(random, 6)) {
      case 0:
        kernel.activation({.op = Op::exp, .data = a, .bias = b.columns(0, 1), .dst = c});
        break;
      case 1:
        kernel.tensor_tensor({.data1 = a, .data2 = b, .op = Op::add, .dst = c});
        break;
      case 2:
        kernel.tensor_tensor({.data1 = a, .data2 = b, .op = Op::power, .engine = Engine::gpsimd, .dst = c});
        break;
      case 3:
        kernel.memset(c, i, pick(random, 2) == 0 ? Engine::gpsimd : Engine::vector);
        break;
      case 4:
        kernel.nc_matmul({.stationary = a, .moving = b, .accumulate = pick(random, 2) == 0, .dst = sums});
        break;
      default:
        kernel.copy(sums, c.rows(0, 8), pick(random, 2) == 0 ? Engine::scalar : Engine::vector);
    }
  }
  const std::vector<Placed> all = placed_bundles(kernel.program());
  std::size_t conflicts = 0;
  for (const Placed& a : all) {
    for (const Placed& b : all) {
      if (a.engine == b.engine || a.line >= b.line || !conflict(a, b, kernel.config().memory)) continue;
      ++conflicts;
      EXPECT_GT(b.before[static_cast<std::size_t>(a.engine)], a.index)
          << name_of(a.engine) << " line " << a.line << ", " << name_of(b.engine) << " line " << b.line;
    }
  }
  EXPECT_GT(conflicts, 500U);  // otherwise the tiles are too large for the test to mean something
}

INSTANTIATE_TEST_SUITE_P(Seeds, Order, testing::Range(0U, 20U));

}  // namespace
}  // namespace tpb::nki
