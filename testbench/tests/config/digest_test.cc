#include "models/config/digest.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>

#include "testbench/tests/config/scratch.h"

namespace tpb {
namespace {

// The examples of FIPS 180-4.
TEST(Digest, IsSha256) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  constexpr std::array<std::uint8_t, 3> kAbc{'a', 'b', 'c'};
  EXPECT_EQ(sha256_hex(kAbc), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abc"), sha256_hex(kAbc));
}

TEST(Digest, OfAConfigurationIsOfItsValuesOnly) {
  const Scratch scratch;
  const LoadedConfig shipped = load_shipped(Generation::cayman);
  // The default written out, from a file and from an override: other origins, same values.
  const LoadedConfig same = load_file(scratch.write("same.toml", "generation = 'cayman'\n[limits]\ntensors = 65536\n"),
                                      {"engines.dve.clock_ghz=0.96"});
  EXPECT_EQ(same.digest, shipped.digest);
  EXPECT_EQ(same.config, shipped.config);
  EXPECT_NE(value_of(same, "limits.tensors").origin, value_of(shipped, "limits.tensors").origin);

  const LoadedConfig forth = load_file(
      scratch.write("forth.toml", "generation = 'cayman'\nengines.pe.min_ii = 1\nengines.dve.min_ii = 0x2\n"));
  const LoadedConfig back =
      load_file(scratch.write("back.toml", "[engines.dve]\nmin_ii = 2\n[engines]\npe = {min_ii = 1}\n"));
  EXPECT_EQ(forth.digest, back.digest);
  EXPECT_NE(forth.digest, shipped.digest);
}

TEST(Digest, DoesNotSeeTheOrderOfGroups) {
  const auto digest = [](const std::string& groups) {
    return load_shipped(Generation::sunda, {"share.sbuf.groups=" + groups}).digest;
  };
  EXPECT_EQ(digest(R"([["pool", "dve"], ["act", "pe"]])"), digest(R"([["pe", "act"], ["dve", "pool"]])"));
  EXPECT_NE(digest(R"([["pool", "dve"]])"), digest(R"([["pe", "dve"]])"));
}

// Every key reaches the digest: a change of it alone changes the digest.
TEST(Digest, SeesEveryKey) {
  const std::vector<std::pair<std::string, std::string>> other{{"clock_ghz", "0.6"},
                                                               {"min_ii", "7"},
                                                               {"start", "7"},
                                                               {"overhead", "7"},
                                                               {"queue_depth", "7"},
                                                               {"_cycles", "7"},
                                                               {"pc_window", "[0, 128]"},
                                                               {"bytes_per_partition", "65536"},
                                                               {"partition_stride", "261120"},
                                                               {"stride_penalty_bytes", "7"},
                                                               {"banks", "7"},
                                                               {"bytes_per_bank", "1024"},
                                                               {"groups", R"([["pe", "sfu"]])"},
                                                               {"policy", "\"priority\""},
                                                               {"rows_per_cycle", "7"},
                                                               {"enabled", "false"},
                                                               {"capacity_bytes", "7"},
                                                               {"row_group", "7"},
                                                               {"columns_per_cycle", "7"},
                                                               {"profile", "\"public\""},
                                                               {"reduce_opcodes", "\"arch\""},
                                                               {"reduce_operators", "\"listed\""},
                                                               {"sequence_bounds", "\"segments\""},
                                                               {"find_index8", "\"successive\""},
                                                               {"match_value_load", "\"s2_bn\""},
                                                               {"max8_dims", "4"},
                                                               {"pool_max", "\"first\""},
                                                               {"divide", "\"refused\""},
                                                               {"tile_dtypes", "\"sixteen\""},
                                                               {"tile_stream_fault", "\"bundle_control\""},
                                                               {"random_stall_seed", "7"},
                                                               {"file_bytes", "7"},
                                                               {"tensors", "7"},
                                                               {"instructions", "7"}};
  const LoadedConfig shipped = load_shipped(Generation::cayman);
  for (const KeyInfo& info : config_keys()) {
    if (info.key == "generation") continue;
    // share.psum.banks is a bool, memory.psum.banks a count.
    std::string value = info.key == "share.psum.banks" ? "false" : "";
    for (const auto& [end, text] : other) {
      if (value.empty() && info.key.ends_with(end)) value = text;
    }
    ASSERT_FALSE(value.empty()) << info.key;
    const LoadedConfig changed = load_shipped(Generation::cayman, {info.key + "=" + value});
    EXPECT_NE(changed.digest, shipped.digest) << info.key;
    EXPECT_NE(changed.config, shipped.config) << info.key;
    EXPECT_EQ(value_of(changed, info.key).value, value);
    EXPECT_EQ(value_of(changed, info.key).origin, "--set");
  }
}

}  // namespace
}  // namespace tpb
