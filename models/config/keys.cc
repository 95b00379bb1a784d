#include "models/config/keys.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace tpb {
namespace {

constexpr std::uint64_t kMostCycles = 1'000'000;
constexpr auto kMostSigned = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());  // of a TOML integer

// Every maker below takes the field as a callable from Config to a reference, const or not alike.

template <class Field>
Key integer_key(std::string key, std::string unit, std::uint64_t least, std::uint64_t most, std::string description,
                Field field, std::uint64_t multiple = 1) {
  std::string range = fmt::format("an integer {}..{}", least, most);
  if (multiple != 1) range += fmt::format(", a multiple of {}", multiple);
  return {{std::move(key), std::move(unit), std::move(range), std::move(description)},
          {},
          [=](const toml::node& value, Config& config) {
            const auto* integer = value.as_integer();
            if (integer == nullptr || integer->get() < 0) return false;
            const auto number = static_cast<std::uint64_t>(integer->get());
            if (number < least || number > most || number % multiple != 0) return false;
            auto& target = field(config);
            target = static_cast<std::remove_reference_t<decltype(target)>>(number);
            return true;
          },
          [=](const Config& config) { return std::to_string(field(config)); }};
}

template <class Field>
Key bool_key(std::string key, std::string description, Field field) {
  return {{std::move(key), "", "true or false", std::move(description)},
          {},
          [=](const toml::node& value, Config& config) {
            const auto* boolean = value.as_boolean();
            if (boolean == nullptr) return false;
            field(config) = boolean->get();
            return true;
          },
          [=](const Config& config) { return field(config) ? "true" : "false"; }};
}

// The words of an enumeration, in the order in which they are explained.
template <class Enum>
using Words = std::vector<std::pair<std::string_view, Enum>>;

template <class Enum, class Field>
Key word_key(std::string key, Words<Enum> words, std::string description, Field field) {
  std::vector<std::string_view> choices;
  std::string range;
  for (const auto& [word, value] : words) {
    choices.push_back(word);
    range += fmt::format("{}\"{}\"", range.empty() ? "" : words.back().first == word ? " or " : ", ", word);
  }
  return {{std::move(key), "", std::move(range), std::move(description)},
          std::move(choices),
          [=](const toml::node& value, Config& config) {
            const auto* text = value.as_string();
            if (text == nullptr) return false;
            for (const auto& [word, meaning] : words) {
              if (word != text->get()) continue;
              field(config) = meaning;
              return true;
            }
            return false;
          },
          [=](const Config& config) {
            for (const auto& [word, meaning] : words) {
              if (meaning == field(config)) return std::optional(fmt::format("\"{}\"", word));
            }
            return std::optional<std::string>();
          }};
}

Key clock_key(Engine engine) {
  constexpr double kMostGhz = 100;
  return {{fmt::format("engines.{}.clock_ghz", name_of(engine)), "GHz", "a number 0.001..100, a whole number of MHz",
           fmt::format("frequency of {}", name_of(engine))},
          {},
          [=](const toml::node& value, Config& config) {
            const std::optional<double> ghz = value.is_number() ? value.value<double>() : std::nullopt;
            if (!ghz || !(*ghz > 0) || *ghz > kMostGhz) return false;
            const double mhz = std::round(*ghz * 1000);
            // Decimal fractions are not exact in binary: a millionth of a MHz is far above that and below any meaning.
            if (mhz < 1 || std::abs(*ghz * 1000 - mhz) > 1e-6) return false;
            config.engines[engine].clock_mhz = static_cast<std::uint32_t>(mhz);
            return true;
          },
          [=](const Config& config) {
            const std::uint32_t mhz = config.engines[engine].clock_mhz;
            std::string text = fmt::format("{}.{:03}", mhz / 1000, mhz % 1000);
            while (text.back() == '0' && text[text.size() - 2] != '.') text.pop_back();
            return text;
          }};
}

Key pc_window_key(Engine engine) {
  return {{fmt::format("sequencer.{}.pc_window", name_of(engine)), "bytes in the section",
           "[lo, hi] with 0 <= lo < hi below 2^32, or [] for the whole section",
           fmt::format("program counters that {} may have: lo up to, not including, hi; outside is the fault pc_bounds",
                       name_of(engine))},
          {},
          [=](const toml::node& value, Config& config) {
            const toml::array* bounds = value.as_array();
            if (bounds == nullptr) return false;
            auto& window = config.sequencer.pc_window[engine];
            if (bounds->empty()) {
              window.reset();
              return true;
            }
            if (bounds->size() != 2 || !bounds->is_homogeneous(toml::node_type::integer)) return false;
            const std::int64_t low = bounds->get_as<std::int64_t>(0)->get();
            const std::int64_t high = bounds->get_as<std::int64_t>(1)->get();
            if (low < 0 || low >= high || high > std::numeric_limits<std::uint32_t>::max()) return false;
            window.emplace(static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(high));
            return true;
          },
          [=](const Config& config) {
            const auto& window = config.sequencer.pc_window[engine];
            return window ? fmt::format("[{}, {}]", window->first, window->second) : "[]";
          }};
}

Engine first_of(const EngineSet& group) {
  return *std::find_if(kEngines.begin(), kEngines.end(), [&](Engine engine) { return group.contains(engine); });
}

template <class Field>
Key groups_key(std::string key, std::string description, Field field) {
  return {{std::move(key), "", "an array of arrays of engine names (pe, act, dve, pool, sfu), no engine twice",
           std::move(description)},
          {},
          [=](const toml::node& value, Config& config) {
            const toml::array* list = value.as_array();
            if (list == nullptr) return false;
            std::vector<EngineSet> groups;
            EngineSet seen;
            for (const toml::node& item : *list) {
              const toml::array* names = item.as_array();
              if (names == nullptr || names->empty()) return false;
              EngineSet group;
              for (const toml::node& name : *names) {
                const auto* text = name.as_string();
                const std::optional<Engine> engine = text == nullptr ? std::nullopt : engine_from_name(text->get());
                if (!engine || seen.contains(*engine)) return false;
                seen.insert(*engine);
                group.insert(*engine);
              }
              groups.push_back(group);
            }
            // Groups are disjoint, so their order says nothing: one spelling for one meaning.
            std::sort(groups.begin(), groups.end(),
                      [](const EngineSet& a, const EngineSet& b) { return first_of(a) < first_of(b); });
            field(config) = std::move(groups);
            return true;
          },
          [=](const Config& config) {
            std::string text;
            for (const EngineSet& group : field(config)) {
              std::string names;
              for (Engine engine : kEngines) {
                if (group.contains(engine))
                  names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name_of(engine));
              }
              text += fmt::format("{}[{}]", text.empty() ? "" : ", ", names);
            }
            return fmt::format("[{}]", text);
          }};
}

// What each profile means (the semantics chapter 'Where the documents disagree').
SemanticsOptions seed_profile() { return {}; }
SemanticsOptions public_profile() {
  return {.reduce_opcodes = SemanticsOptions::ReduceOpcodes::arch,
          .reduce_operators = SemanticsOptions::ReduceOperators::listed,
          .sequence_bounds = SemanticsOptions::SequenceBounds::segments,
          .find_index8 = SemanticsOptions::FindIndex8::successive,
          .match_value_load = SemanticsOptions::MatchValueLoad::s2_bn,
          .max8_dims = 4,
          .pool_max = SemanticsOptions::PoolMax::first,
          .divide = SemanticsOptions::Divide::refused,
          .tile_dtypes = SemanticsOptions::TileDtypes::sixteen,
          .tile_stream_fault = SemanticsOptions::TileStreamFault::bundle_control};
}

template <class Field>
Key policy_key(std::string key, std::string what, Field field) {
  return word_key<SharePolicy>(
      std::move(key),
      {{"exclusive", SharePolicy::exclusive}, {"fair", SharePolicy::fair}, {"priority", SharePolicy::priority}},
      fmt::format("how {} is divided: one instruction at a time, equal shares, or the engine order", what), field);
}

template <class Field>
Key capacity_key(std::string key, std::string what, Field field) {
  return integer_key(std::move(key), "rows per cycle of pe", 0, 1024,
                     fmt::format("capacity of {}; 0: as much as its users stream, so it never limits one alone", what),
                     field);
}

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  Words<Generation> generations;
  for (Generation generation : kGenerations) generations.emplace_back(name_of(generation), generation);
  keys.push_back(word_key<Generation>(
      "generation", generations, "generation of the core", [](auto& config) -> auto& { return config.generation; }));

  for (Engine engine : kEngines) {
    const auto add = [&](std::string_view name, std::uint64_t least, std::uint64_t most, std::string description,
                         auto field) {
      keys.push_back(integer_key(
          fmt::format("engines.{}.{}", name_of(engine), name),
          name == "queue_depth" ? "instructions" : fmt::format("cycles of {}", name_of(engine)), least, most,
          std::move(description), [=](auto& config) -> auto& { return field(config.engines[engine]); }));
    };
    keys.push_back(clock_key(engine));
    add(
        "min_ii", 0, kMostCycles, "smallest interval between two independent instructions",
        [](auto& timing) -> auto& { return timing.min_ii; });
    add(
        "start", 0, kMostCycles, "from the start of a compute instruction until it streams",
        [](auto& timing) -> auto& { return timing.start; });
    add(
        "overhead", 0, kMostCycles, "from the end of streaming until results are visible",
        [](auto& timing) -> auto& { return timing.overhead; });
    add(
        "queue_depth", 1, 1024, "instructions dispatched and not yet started",
        [](auto& timing) -> auto& { return timing.queue_depth; });
  }

  const std::string own = "cycles of the sequencer's engine";
  keys.push_back(integer_key(
      "sequencer.decode_cycles", own, 0, kMostCycles, "fetch and decode of one bundle",
      [](auto& c) -> auto& { return c.sequencer.decode_cycles; }));
  keys.push_back(integer_key(
      "sequencer.semaphore_wait_cycles", own, 0, kMostCycles,
      "from a wait's condition holding until its instruction may start",
      [](auto& c) -> auto& { return c.sequencer.semaphore_wait_cycles; }));
  keys.push_back(integer_key(
      "sequencer.semaphore_update_cycles", own, 0, kMostCycles,
      "from the trigger of an update until the semaphore has changed",
      [](auto& c) -> auto& { return c.sequencer.semaphore_update_cycles; }));
  for (Engine engine : kEngines) keys.push_back(pc_window_key(engine));

  // SBUF's last partition must end where PSUM begins.
  constexpr std::uint64_t kMostStride = kPsumBase / kPartitions;
  keys.push_back(integer_key(
      "memory.sbuf.bytes_per_partition", "bytes", 4, kMostStride, "capacity of an SBUF partition",
      [](auto& c) -> auto& { return c.memory.sbuf_bytes_per_partition; }, 4));
  keys.push_back(integer_key(
      "memory.sbuf.partition_stride", "bytes", 4, kMostStride, "from the address of one SBUF partition to the next",
      [](auto& c) -> auto& { return c.memory.sbuf_partition_stride; }, 4));
  keys.push_back(integer_key(
      "memory.sbuf.stride_penalty_bytes", "bytes", 0, kMostStride,
      "an innermost step of more bytes halves the rate of an SBUF stream; 0: off",
      [](auto& c) -> auto& { return c.sbuf_stride_penalty_bytes; }));
  keys.push_back(integer_key(
      "memory.psum.banks", "banks", 1, 32, "PSUM banks of every partition",
      [](auto& c) -> auto& { return c.memory.psum_banks; }));
  keys.push_back(integer_key(
      "memory.psum.bytes_per_bank", "bytes", 4, kPsumPartitionStride, "capacity of a PSUM bank of one partition",
      [](auto& c) -> auto& { return c.memory.psum_bytes_per_bank; }, 4));

  keys.push_back(groups_key(
      "share.sbuf.groups", "engines that contend for one port of SBUF; others have their own",
      [](auto& c) -> auto& { return c.sbuf_groups; }));
  keys.push_back(policy_key(
      "share.sbuf.policy", "a port of SBUF", [](auto& c) -> auto& { return c.sbuf_share.policy; }));
  keys.push_back(capacity_key(
      "share.sbuf.rows_per_cycle", "a port of SBUF", [](auto& c) -> auto& { return c.sbuf_share.rows_per_cycle; }));
  keys.push_back(groups_key(
      "share.psum.groups", "engines that contend for one port of PSUM; others have their own",
      [](auto& c) -> auto& { return c.psum_groups; }));
  keys.push_back(bool_key(
      "share.psum.banks", "whether two engines that use one PSUM bank share it",
      [](auto& c) -> auto& { return c.psum_banks_shared; }));
  keys.push_back(policy_key(
      "share.psum.policy", "a port or bank of PSUM", [](auto& c) -> auto& { return c.psum_share.policy; }));
  keys.push_back(capacity_key(
      "share.psum.rows_per_cycle", "a port or bank of PSUM",
      [](auto& c) -> auto& { return c.psum_share.rows_per_cycle; }));
  keys.push_back(bool_key(
      "share.bus.enabled", "whether dve in a performance mode shares a bus with pool",
      [](auto& c) -> auto& { return c.bus_shared; }));
  keys.push_back(policy_key(
      "share.bus.policy", "the bus of dve and pool", [](auto& c) -> auto& { return c.bus_share.policy; }));
  keys.push_back(capacity_key(
      "share.bus.rows_per_cycle", "the bus of dve and pool",
      [](auto& c) -> auto& { return c.bus_share.rows_per_cycle; }));

  keys.push_back(integer_key(
      "sfu.capacity_bytes", "bytes", 0, 1U << 30, "tile storage of the SFU",
      [](auto& c) -> auto& { return c.sfu.capacity_bytes; }));
  keys.push_back(integer_key(
      "sfu.row_group", "rows", 1, 65536, "rows of an element column that a tile reduction folds in one cycle",
      [](auto& c) -> auto& { return c.sfu.row_group; }));
  keys.push_back(integer_key(
      "sfu.columns_per_cycle", "columns per cycle of sfu", 1, 1024,
      "element columns of a row group that a tile reduction folds in one cycle",
      [](auto& c) -> auto& { return c.sfu.columns_per_cycle; }));

  using Semantics = SemanticsOptions;
  const auto semantics = [](auto& c) -> auto& { return c.semantics; };
  keys.push_back(word_key<Semantics>("semantics.profile", {{"seed", seed_profile()}, {"public", public_profile()}},
                                     "sets every key of semantics; each can be set alone beside it", semantics));
  keys.push_back(word_key<Semantics::ReduceOpcodes>(
      "semantics.reduce_opcodes",
      {{"seed003", Semantics::ReduceOpcodes::seed003}, {"arch", Semantics::ReduceOpcodes::arch}},
      "seed003: opcodes 7C 7D reduce the free axis and 42 52 83 84 across lanes; arch: the other way round",
      [](auto& c) -> auto& { return c.semantics.reduce_opcodes; }));
  keys.push_back(word_key<Semantics::ReduceOperators>(
      "semantics.reduce_operators",
      {{"all", Semantics::ReduceOperators::all}, {"listed", Semantics::ReduceOperators::listed}},
      "operations of TensorReduce: every one that has a code, or those that the public documentation lists",
      [](auto& c) -> auto& { return c.semantics.reduce_operators; }));
  keys.push_back(word_key<Semantics::SequenceBounds>(
      "semantics.sequence_bounds",
      {{"envelope", Semantics::SequenceBounds::envelope}, {"segments", Semantics::SequenceBounds::segments}},
      "what GetSequenceBounds gives: minimum and maximum of the sequence, or start and end of every segment of ids",
      [](auto& c) -> auto& { return c.semantics.sequence_bounds; }));
  keys.push_back(word_key<Semantics::FindIndex8>(
      "semantics.find_index8",
      {{"first", Semantics::FindIndex8::first}, {"successive", Semantics::FindIndex8::successive}},
      "equal values of FindIndex8: all get the first index, or each the next one",
      [](auto& c) -> auto& { return c.semantics.find_index8; }));
  keys.push_back(word_key<Semantics::MatchValueLoad>(
      "semantics.match_value_load",
      {{"data_and_values", Semantics::MatchValueLoad::data_and_values}, {"s2_bn", Semantics::MatchValueLoad::s2_bn}},
      "layout of MatchValueLoad: descriptors of data and values, or S2_BN with the values alone",
      [](auto& c) -> auto& { return c.semantics.match_value_load; }));
  keys.push_back(integer_key(
      "semantics.max8_dims", "dimensions", 2, 4, "most free dimensions of the source of Max8",
      [](auto& c) -> auto& { return c.semantics.max8_dims; }));
  keys.push_back(word_key<Semantics::PoolMax>(
      "semantics.pool_max", {{"flt_max", Semantics::PoolMax::flt_max}, {"first", Semantics::PoolMax::first}},
      "where a max pool starts: at -FLT_MAX, or at the window's first element",
      [](auto& c) -> auto& { return c.semantics.pool_max; }));
  keys.push_back(word_key<Semantics::Divide>(
      "semantics.divide", {{"legal", Semantics::Divide::legal}, {"refused", Semantics::Divide::refused}},
      "divide and mod on dve and pool, and pow on dve", [](auto& c) -> auto& { return c.semantics.divide; }));
  keys.push_back(word_key<Semantics::TileDtypes>(
      "semantics.tile_dtypes", {{"nine", Semantics::TileDtypes::nine}, {"sixteen", Semantics::TileDtypes::sixteen}},
      "types that a tile reduction takes: those of the instruction's page, or those of the tile model",
      [](auto& c) -> auto& { return c.semantics.tile_dtypes; }));
  keys.push_back(word_key<Semantics::TileStreamFault>(
      "semantics.tile_stream_fault",
      {{"legality", Semantics::TileStreamFault::legality},
       {"bundle_control", Semantics::TileStreamFault::bundle_control}},
      "fault of a malformed stream of tile bindings", [](auto& c) -> auto& { return c.semantics.tile_stream_fault; }));

  keys.push_back(integer_key(
      "debug.random_stall_seed", "", 0, kMostSigned,
      "stalls every queue at random from this seed, values must not change; 0: off",
      [](auto& c) -> auto& { return c.random_stall_seed; }));
  keys.push_back(integer_key(
      "limits.file_bytes", "bytes", 1, kMostSigned, "largest input file",
      [](auto& c) -> auto& { return c.limits.file_bytes; }));
  keys.push_back(integer_key(
      "limits.tensors", "tensors", 1, std::numeric_limits<std::uint32_t>::max(), "most tensors of a program",
      [](auto& c) -> auto& { return c.limits.tensors; }));
  keys.push_back(integer_key(
      "limits.instructions", "instructions", 1, std::numeric_limits<std::uint32_t>::max(),
      "most instructions of a program", [](auto& c) -> auto& { return c.limits.instructions; }));
  return keys;
}

}  // namespace

const std::vector<Key>& key_table() {
  static const std::vector<Key> keys = make_keys();
  return keys;
}

std::optional<std::size_t> find_key(std::string_view key) {
  static const std::map<std::string_view, std::size_t> index = [] {
    std::map<std::string_view, std::size_t> result;
    for (std::size_t i = 0; i < key_table().size(); ++i) result.emplace(key_table()[i].info.key, i);
    return result;
  }();
  const auto found = index.find(key);
  return found == index.end() ? std::nullopt : std::optional(found->second);
}

std::span<const KeyInfo> config_keys() {
  static const std::vector<KeyInfo> infos = [] {
    std::vector<KeyInfo> result;
    for (const Key& key : key_table()) result.push_back(key.info);
    return result;
  }();
  return infos;
}

std::string shown(const toml::node& value) {
  if (value.is_table()) return "a table";
  if (const auto* number = value.as_floating_point()) return fmt::format("{:#}", number->get());  // 2.4, not 2.3999...
  std::ostringstream stream;
  value.visit([&](const auto& node) { stream << node; });
  std::string text = stream.str();
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
  constexpr std::size_t kLongest = 60;
  if (text.size() > kLongest) {
    std::size_t end = kLongest;
    while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not within a character of UTF-8
    text = text.substr(0, end) + "...";
  }
  return text;
}

}  // namespace tpb
