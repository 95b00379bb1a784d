#include <gmock/gmock.h>

#include <filesystem>

#include "testbench/tests/config/scratch.h"

namespace tpb {
namespace {

TEST(Base, IsOverriddenByTheFileThatNamesIt) {
  const Scratch scratch;
  scratch.write("far/root.toml",
                "generation = \"sunda\"\n[engines.dve]\nmin_ii = 1\nstart = 1\noverhead = 1\nqueue_depth = 1\n");
  scratch.write("far/middle.toml", "base = \"root.toml\"\n[engines.dve]\nmin_ii = 2\nstart = 2\noverhead = 2\n");
  scratch.write("near.toml", "base = \"far/middle.toml\"\n[engines.dve]\nmin_ii = 3\nstart = 3\n");
  const LoadedConfig loaded = load_file(scratch.folder() / "near.toml", {"engines.dve.min_ii=4"});
  const EngineTiming& dve = loaded.config.engines[Engine::dve];
  // Each value from the highest layer that names it; the clock from the shipped file of the root's generation.
  EXPECT_EQ(dve.min_ii, 4U);
  EXPECT_EQ(dve.start, 3U);
  EXPECT_EQ(dve.overhead, 2U);
  EXPECT_EQ(dve.queue_depth, 1U);
  EXPECT_EQ(dve.clock_mhz, 1120U);

  const std::string folder = scratch.folder().string();
  EXPECT_EQ(value_of(loaded, "engines.dve.min_ii").origin, "--set");
  EXPECT_EQ(value_of(loaded, "engines.dve.start").origin, folder + "/near.toml:4");
  EXPECT_EQ(value_of(loaded, "engines.dve.overhead").origin, folder + "/far/middle.toml:5");
  EXPECT_EQ(value_of(loaded, "engines.dve.queue_depth").origin, folder + "/far/root.toml:6");
  EXPECT_THAT(value_of(loaded, "engines.dve.clock_ghz").origin, testing::EndsWith("generations/sunda.toml:21"));
  EXPECT_EQ(value_of(loaded, "limits.tensors").origin, "default");
}

TEST(Base, MayBeAShippedFile) {
  const Scratch scratch;
  const std::string shipped = TPB_SOURCE_DIR "/configs/generations/sunda.toml";
  const auto file = scratch.write("c.toml", "base = \"" + shipped + "\"\n");
  EXPECT_EQ(load_file(file).digest, load_shipped(Generation::sunda).digest);
  EXPECT_EQ(load_file(shipped).digest, load_shipped(Generation::sunda).digest);
}

// Another generation on top of a base: the nearest name counts.
TEST(Base, MayBeOfAnotherGeneration) {
  const Scratch scratch;
  const std::string shipped = TPB_SOURCE_DIR "/configs/generations/mariana.toml";
  const auto file = scratch.write("c.toml", "base = \"" + shipped + "\"\ngeneration = \"maverick\"\n");
  EXPECT_EQ(load_config({file, Generation::maverick, {}}).digest, load_shipped(Generation::maverick).digest);
}

TEST(Base, CyclesAreFound) {
  const Scratch scratch;
  scratch.write("a.toml", "generation = \"cayman\"\nbase = \"sub/b.toml\"\n");
  scratch.write("sub/b.toml", "base = \"../a.toml\"\n");
  EXPECT_EQ(problems({scratch.folder() / "a.toml", std::nullopt, {}}, scratch.folder()),
            "sub/b.toml:1:8: error: base = \"../a.toml\" leads back to 'a.toml', expected no cycle");
  scratch.write("self.toml", "base = \"./self.toml\"\n");
  EXPECT_EQ(problems({scratch.folder() / "self.toml", std::nullopt, {}}, scratch.folder()),
            "self.toml:1:8: error: base = \"./self.toml\" leads back to 'self.toml', expected no cycle");
}

TEST(Base, CyclesThroughLinksAreFound) {
  const Scratch scratch;
  const auto file = scratch.write("a.toml", "base = \"link.toml\"\n");
  std::filesystem::create_symlink("a.toml", scratch.folder() / "link.toml");
  EXPECT_EQ(problems({file, std::nullopt, {}}, scratch.folder()),
            "a.toml:1:8: error: base = \"link.toml\" leads back to 'a.toml', expected no cycle");
}

TEST(Base, ThatCannotBeReadIsAnErrorWhereItIsNamed) {
  const Scratch scratch;
  EXPECT_EQ(problems_of_file(scratch, "generation = \"cayman\"\n base = \"none.toml\"\n"),
            "c.toml:2:9: error: cannot read 'none.toml': No such file or directory, expected a configuration file");
  EXPECT_EQ(problems_of_file(scratch, "base = 3\n"),
            "c.toml:1:8: error: base = 3, expected the path of a configuration file relative to this one");
  EXPECT_EQ(problems_of_file(scratch, "base = \"\"\n"),
            "c.toml:1:8: error: base = '', expected the path of a configuration file relative to this one");
  std::filesystem::create_directory(scratch.folder() / "sub");
  EXPECT_EQ(problems_of_file(scratch, "base = \"sub\"\n"),
            "c.toml:1:8: error: cannot read 'sub': it is a directory, expected a configuration file");
}

TEST(Base, ErrorsNameTheFileTheyStandIn) {
  const Scratch scratch;
  scratch.write("b.toml", "sfu.capacity_bytes = -1\n");
  EXPECT_EQ(problems_of_file(scratch, "base = \"b.toml\"\nsfu.capacity_bytes = 8\n"),
            "b.toml:1:22: error: sfu.capacity_bytes = -1, expected an integer 0..1073741824");
}

TEST(Override, TakesWordsNumbersAndLists) {
  const Config config =
      load_shipped(Generation::cayman, {"share.sbuf.policy=priority", "share.bus.policy = 'exclusive'",
                                        "engines.pe.clock_ghz=2", "sequencer.dve.pc_window=[64, 0x80]",
                                        "share.sbuf.groups=[['sfu','pe'],['act']]", "share.psum.banks=false"})
          .config;
  EXPECT_EQ(config.sbuf_share.policy, SharePolicy::priority);
  EXPECT_EQ(config.bus_share.policy, SharePolicy::exclusive);
  EXPECT_EQ(config.engines[Engine::pe].clock_mhz, 2000U);
  EXPECT_EQ(config.sequencer.pc_window[Engine::dve], std::pair(64U, 128U));
  EXPECT_EQ(config.sequencer.pc_window[Engine::pool], std::nullopt);
  // By the first engine of each group: pe before act.
  EXPECT_EQ(config.sbuf_groups, (std::vector<EngineSet>{{Engine::pe, Engine::sfu}, {Engine::act}}));
  EXPECT_FALSE(config.psum_banks_shared);
}

TEST(Override, OfTwoForOneKeyTheLaterCounts) {
  EXPECT_EQ(
      load_shipped(Generation::cayman, {"sfu.capacity_bytes=1", "sfu.capacity_bytes=2"}).config.sfu.capacity_bytes, 2U);
  // The earlier is judged all the same.
  EXPECT_EQ(problems({std::nullopt, std::nullopt, {"sfu.capacity_bytes=-1", "sfu.capacity_bytes=2"}}),
            "--set:1:20: error: sfu.capacity_bytes = -1, expected an integer 0..1073741824");
}

TEST(Override, TakesBackAPcWindow) {
  const Scratch scratch;
  const auto file = scratch.write("c.toml", "sequencer.pe.pc_window = [0, 64]\n");
  EXPECT_TRUE(load_file(file).config.sequencer.pc_window[Engine::pe].has_value());
  EXPECT_FALSE(load_file(file, {"sequencer.pe.pc_window=[]"}).config.sequencer.pc_window[Engine::pe].has_value());
}

constexpr SemanticsOptions kPublic{.reduce_opcodes = SemanticsOptions::ReduceOpcodes::arch,
                                   .reduce_operators = SemanticsOptions::ReduceOperators::listed,
                                   .sequence_bounds = SemanticsOptions::SequenceBounds::segments,
                                   .find_index8 = SemanticsOptions::FindIndex8::successive,
                                   .match_value_load = SemanticsOptions::MatchValueLoad::s2_bn,
                                   .max8_dims = 4,
                                   .pool_max = SemanticsOptions::PoolMax::first,
                                   .divide = SemanticsOptions::Divide::refused,
                                   .tile_dtypes = SemanticsOptions::TileDtypes::sixteen,
                                   .tile_stream_fault = SemanticsOptions::TileStreamFault::bundle_control};

TEST(Profile, SetsEveryKeyAndEachCanBeSetAlone) {
  EXPECT_EQ(load_shipped(Generation::cayman, {"semantics.profile=public"}).config.semantics, kPublic);
  SemanticsOptions mixed = kPublic;
  mixed.divide = SemanticsOptions::Divide::legal;
  // In one layer the order of lines says nothing.
  EXPECT_EQ(load_shipped(Generation::cayman, {"semantics.divide=legal", "semantics.profile=public"}).config.semantics,
            mixed);
  const Scratch scratch;
  const auto file = scratch.write("c.toml", "[semantics]\ndivide = \"legal\"\nprofile = \"public\"\n");
  const LoadedConfig loaded = load_file(file);
  EXPECT_EQ(loaded.config.semantics, mixed);
  EXPECT_EQ(value_of(loaded, "semantics.divide").origin, file.string() + ":2");
  EXPECT_EQ(value_of(loaded, "semantics.pool_max").origin, file.string() + ":3 (semantics.profile)");
  EXPECT_THROW(value_of(loaded, "semantics.profile"), std::out_of_range);  // neither seed nor public
  // A profile of a higher layer sets every key anew.
  EXPECT_EQ(load_file(file, {"semantics.profile=seed"}).config.semantics, SemanticsOptions{});
}

}  // namespace
}  // namespace tpb
