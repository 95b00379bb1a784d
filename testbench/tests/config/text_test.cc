#include <gmock/gmock.h>

#include "testbench/tests/config/scratch.h"

namespace tpb {
namespace {

using testing::HasSubstr;

// What `config show` prints, given back as a file, is the same configuration.
void expect_round_trip(const LoadedConfig& loaded) {
  const Scratch scratch;
  const auto file = scratch.write("shown.toml", config_text(loaded));
  const LoadedConfig again = load_file(file);
  EXPECT_EQ(again.config, loaded.config);
  EXPECT_EQ(again.digest, loaded.digest);
  // And it leaves nothing to a layer below it.
  for (const ShownValue& value : again.values) EXPECT_THAT(value.origin, HasSubstr("shown.toml")) << value.info->key;
}

TEST(ConfigText, LoadsBack) {
  for (Generation generation : kGenerations) expect_round_trip(load_shipped(generation));
  expect_round_trip(load_shipped(
      Generation::sunda,
      {"semantics.divide=refused", "sequencer.sfu.pc_window=[64, 4294967295]", "engines.dve.clock_ghz=0.007",
       "share.sbuf.groups=[['pe','act'],['dve','sfu']]", "debug.random_stall_seed=9223372036854775807"}));
  expect_round_trip(load_shipped(Generation::maverick, {"semantics.profile=public", "engines.pe.clock_ghz=100"}));
}

TEST(ConfigText, SurvivesAnyNameOfAFile) {
  const Scratch scratch;
  expect_round_trip(load_file(scratch.write("a\nengines.pe.min_ii = 3\r#.toml", "engines.pe.min_ii = 1\n")));
}

TEST(ConfigText, SaysMeaningUnitAndOrigin) {
  const LoadedConfig loaded = load_shipped(Generation::sunda, {"engines.dve.clock_ghz=1.5"});
  const std::string text = config_text(loaded);
  EXPECT_THAT(text, HasSubstr("# digest " + loaded.digest + "\n"));
  EXPECT_THAT(text, testing::ContainsRegex("\nengines.dve.clock_ghz = 1.5 +# frequency of dve \\[GHz\\]; --set\n"));
  EXPECT_THAT(text,
              testing::ContainsRegex("\nshare.sbuf.groups = \\[\\[\"dve\", \"pool\"\\]\\] +# .*sunda.toml:[0-9]+\n"));
}

TEST(ConfigText, EveryKeyIsExplained) {
  for (const KeyInfo& info : config_keys()) {
    EXPECT_FALSE(info.key.empty());
    EXPECT_FALSE(info.description.empty()) << info.key;
    EXPECT_FALSE(info.range.empty()) << info.key;
  }
}

TEST(KeyText, ExplainsAKeyATableAndNothingElse) {
  const LoadedConfig loaded = load_shipped(Generation::cayman, {"memory.psum.banks=4"});
  EXPECT_EQ(key_text("memory.psum.banks", loaded),
            "memory.psum.banks [banks]\n  PSUM banks of every partition\n  accepts an integer 1..32\n"
            "  now 4, from --set\n");
  const std::string table = key_text("memory.psum", loaded);
  EXPECT_THAT(table, HasSubstr("memory.psum.banks"));
  EXPECT_THAT(table, HasSubstr("memory.psum.bytes_per_bank"));
  EXPECT_THAT(table, testing::Not(HasSubstr("sbuf")));
  EXPECT_THAT(key_text("base", loaded), HasSubstr("inherits"));
  try {
    key_text("memory.psum.bank", loaded);
    FAIL() << "explained what does not exist";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("unknown key 'memory.psum.bank'"));
    EXPECT_THAT(error.what(), HasSubstr("(did you mean 'memory.psum.banks'?)"));
  }
}

}  // namespace
}  // namespace tpb
