// The effective configuration: one typed object that every unit is reset with, each value knowing where it came from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/input_error.h"
#include "models/isa/legality.h"
#include "models/timing/cost.h"
#include "models/timing/tick.h"

namespace tpb {

// How a shared resource is divided. `priority`: the engine order.
enum class SharePolicy : std::uint8_t { exclusive, fair, priority };

struct ShareConfig {
  SharePolicy policy = SharePolicy::fair;
  std::uint32_t rows_per_cycle = 0;  // of the PE clock; 0: as many as its users stream (never limits one alone)
  bool operator==(const ShareConfig&) const = default;
};

struct SequencerConfig {
  std::uint32_t decode_cycles = 0;
  std::uint32_t semaphore_wait_cycles = 0;
  std::uint32_t semaphore_update_cycles = 0;
  // Permitted PC window in bytes [lo, hi); absent: the whole section.
  PerEngine<std::optional<std::pair<std::uint32_t, std::uint32_t>>> pc_window;
  bool operator==(const SequencerConfig&) const = default;
};

struct Limits {
  std::uint64_t file_bytes = 1ULL << 30;
  std::uint32_t tensors = 65536;
  std::uint32_t instructions = 1U << 24;
  bool operator==(const Limits&) const = default;
};

// The tile engine's storage and rate.
struct SfuConfig {
  std::uint32_t capacity_bytes = 262144;
  std::uint32_t row_group = 128;        // rows of one element column that are folded in a cycle
  std::uint32_t columns_per_cycle = 1;  // of a row group
  bool operator==(const SfuConfig&) const = default;
};

struct Config {
  Generation generation = Generation::cayman;
  PerEngine<EngineTiming> engines;
  SequencerConfig sequencer;
  MemoryMap memory;
  std::uint32_t sbuf_stride_penalty_bytes = 0;  // 0: off
  // share.sbuf: each group is a port that its engines contend for; engines in no group have a port of their own.
  std::vector<EngineSet> sbuf_groups;
  ShareConfig sbuf_share;
  std::vector<EngineSet> psum_groups;  // sunda: {dve, act} share one port; cayman on: none, banks are shared
  bool psum_banks_shared = false;      // cayman on: two engines on one bank share it
  ShareConfig psum_share;
  bool bus_shared = false;  // cayman on: DVE in a performance mode shares the bus with Pool
  ShareConfig bus_share;
  SfuConfig sfu;
  SemanticsOptions semantics;
  std::uint64_t random_stall_seed = 0;  // 0: off
  Limits limits;

  PerEngine<std::uint32_t> clocks_mhz() const {
    PerEngine<std::uint32_t> clocks;
    for (Engine engine : kEngines) clocks[engine] = engines[engine].clock_mhz;
    return clocks;
  }
  // Ticks per microsecond; load_config refuses clocks that have none.
  std::uint64_t tick_mhz() const { return tick_frequency_mhz(clocks_mhz()); }
  bool operator==(const Config&) const = default;
};

// One key of the configuration: how it is spelt, what it means, and how it reaches Config.
struct KeyInfo {
  std::string key;    // "engines.dve.clock_ghz"
  std::string unit;   // "GHz", "cycles of the engine", "" for none
  std::string range;  // "0.001..100, whole MHz", shown in errors
  std::string description;
};

// One value of the effective configuration as `tpbsim config show` prints it.
struct ShownValue {
  const KeyInfo* info;
  std::string value;   // as TOML
  std::string origin;  // "configs/generations/sunda.toml:12", "--set", "default"
};

struct LoadedConfig {
  Config config;
  std::vector<ShownValue> values;  // every key, in documented order; no semantics.profile when it is neither
  std::string digest;              // SHA-256 (hex) of the effective values: key=value lines, origins excluded
};

// Where a configuration comes from: a file (with its `base` chain) or a shipped generation, then overrides.
struct ConfigRequest {
  std::optional<std::filesystem::path> file;  // --config
  std::optional<Generation> generation;       // the program's .generation; must agree with file's
  std::vector<std::string> overrides;         // --set key=value
};
// Layers, the lowest first: defaults, the shipped file of the generation, the file's `base` chain, the file, the
// overrides. The file, the program and an override `generation=...` must agree on the generation; nobody: cayman.
// Of two overrides for one key the later counts. Throws InputError with every wrong key and value of what was read.
// The shipped generations are found in $TPBSIM_DATA, else in the source tree, else among the installed data.
LoadedConfig load_config(const ConfigRequest& request);
std::span<const KeyInfo> config_keys();

// `config show`: TOML that loads back to the same Config and digest, every line with meaning, unit and origin.
std::string config_text(const LoadedConfig& loaded);
// `config explain`: what a key means, accepts and is now; of a table ("engines.dve") every key. Throws InputError.
std::string key_text(std::string_view key, const LoadedConfig& loaded);

}  // namespace tpb
