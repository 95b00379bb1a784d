#include "models/config/config.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "models/config/digest.h"
#include "models/config/document.h"
#include "models/timing/tick.h"

namespace tpb {
namespace {

// Which document set a key last. Documents are numbered from the lowest layer; absent: the default of Config.
struct Origin {
  std::optional<std::size_t> layer;
  Place place;
  std::string_view through;  // the key that set this one along with others, or empty
};

struct Resolved {
  Config config;
  std::vector<Origin> origins;  // one per row of key_table()
  std::vector<Diagnostic> errors;
};

constexpr std::string_view kProfile = "semantics.profile";

// Applies layers from the lowest to the highest. Every value is judged, also one that a higher layer replaces.
Resolved apply(const std::vector<const Document*>& layers) {
  const std::vector<Key>& keys = key_table();
  Resolved result;
  result.origins.resize(keys.size());
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    std::vector<Diagnostic> errors = layers[layer]->errors;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const auto& [value, place] = layers[layer]->settings[k];
      if (value == nullptr) continue;
      const KeyInfo& info = keys[k].info;
      if (!keys[k].set(*value, result.config)) {
        const auto* text = value->as_string();
        errors.push_back(error_at(place, fmt::format("{} = {}, expected {}{}", info.key, shown(*value), info.range,
                                                     text ? suggestion(text->get(), keys[k].choices) : "")));
        continue;
      }
      result.origins[k] = {layer, place, {}};
      if (info.key != kProfile) continue;
      for (std::size_t other = k + 1; other < keys.size(); ++other) {
        if (keys[other].info.key.rfind("semantics.", 0) == 0) result.origins[other] = {layer, place, kProfile};
      }
    }
    std::stable_sort(errors.begin(), errors.end(), [](const Diagnostic& a, const Diagnostic& b) {
      return std::pair(a.line, a.column) < std::pair(b.line, b.column);
    });
    result.errors.insert(result.errors.end(), errors.begin(), errors.end());
  }
  return result;
}

void throw_if_any(std::vector<Diagnostic> errors) {
  if (!errors.empty()) throw InputError(std::move(errors));
}

// A rule over several keys; the error stands where the last of them was set.
struct CrossCheck {
  std::vector<std::string_view> keys;
  bool (*holds)(const Config&);
  std::string (*message)(const Config&);
};

const std::vector<CrossCheck>& cross_checks() {
  static const std::vector<CrossCheck> checks{
      {{"memory.sbuf.bytes_per_partition", "memory.sbuf.partition_stride"},
       [](const Config& c) { return c.memory.sbuf_bytes_per_partition <= c.memory.sbuf_partition_stride; },
       [](const Config& c) {
         return fmt::format("memory.sbuf.bytes_per_partition = {}, expected at most memory.sbuf.partition_stride = {}",
                            c.memory.sbuf_bytes_per_partition, c.memory.sbuf_partition_stride);
       }},
      {{"memory.psum.banks", "memory.psum.bytes_per_bank"},
       [](const Config& c) {
         return std::uint64_t{c.memory.psum_banks} * c.memory.psum_bytes_per_bank <= kPsumPartitionStride;
       },
       [](const Config& c) {
         return fmt::format(
             "memory.psum.banks = {} of memory.psum.bytes_per_bank = {}, expected at most {} bytes in all, the "
             "distance "
             "of two partitions",
             c.memory.psum_banks, c.memory.psum_bytes_per_bank, kPsumPartitionStride);
       }},
      {{"engines.pe.clock_ghz", "engines.act.clock_ghz", "engines.dve.clock_ghz", "engines.pool.clock_ghz",
        "engines.sfu.clock_ghz"},
       [](const Config& c) { return c.tick_mhz() != 0; },
       [](const Config& c) {
         const PerEngine<std::uint32_t> clocks = c.clocks_mhz();
         return fmt::format("clocks of {} MHz, expected a least common multiple of at most 10^9 MHz",
                            fmt::join(clocks.begin(), clocks.end(), ", "));
       }},
  };
  return checks;
}

void cross_check(const Resolved& resolved) {
  std::vector<Diagnostic> errors;
  for (const CrossCheck& check : cross_checks()) {
    if (check.holds(resolved.config)) continue;
    const auto rank = [](const Origin& origin) {
      return std::tuple(origin.layer, origin.place.line, origin.place.column);  // no layer is below every layer
    };
    const Origin* last = &resolved.origins[find_key(check.keys.front()).value()];
    for (std::string_view key : check.keys) {
      const Origin& origin = resolved.origins[find_key(key).value()];
      if (rank(origin) > rank(*last)) last = &origin;
    }
    errors.push_back(error_at(last->place, check.message(resolved.config)));
  }
  throw_if_any(std::move(errors));
}

// A file and what it inherits, highest layer first.
void read_chain(const std::filesystem::path& path, std::deque<Document>& chain) {
  std::filesystem::path next = path;
  std::optional<Place> asked_at;
  while (true) {
    chain.push_back(read_document(next, asked_at));
    const Document& document = chain.back();
    if (document.base.value == nullptr) return;
    const Place& place = document.base.place;
    const auto* base = document.base.value->as_string();
    if (base == nullptr || base->get().empty() || base->get().find('\0') != std::string::npos) {
      throw InputError(error_at(place, fmt::format("base = {}, expected the path of a configuration file relative to "
                                                   "this one",
                                                   shown(*document.base.value))));
    }
    next = (document.path.parent_path() / base->get()).lexically_normal();
    for (const Document& seen : chain) {
      std::error_code error;
      if (std::filesystem::equivalent(seen.path, next, error)) {
        throw InputError(error_at(
            place, fmt::format("base = \"{}\" leads back to '{}', expected no cycle", base->get(), seen.name)));
      }
    }
    asked_at = place;
  }
}

// TPBSIM_DATA, when set, is the only place; else the source tree this was built from, then the installed data.
std::filesystem::path shipped_file(Generation generation) {
  std::vector<std::filesystem::path> folders{std::filesystem::path(TPB_SOURCE_DIR) / "configs", TPB_INSTALL_DATA_DIR};
  if (const char* data = std::getenv("TPBSIM_DATA")) folders = {data};
  const auto in = [&](const std::filesystem::path& folder) {
    return folder / "generations" / fmt::format("{}.toml", name_of(generation));
  };
  for (const std::filesystem::path& folder : folders) {
    std::error_code ignored;
    if (std::filesystem::exists(in(folder), ignored)) return in(folder);
  }
  return in(folders.front());
}

// Everyone who names a generation must name the same one: the program, the file, an override. Nobody: cayman.
Generation agreed_generation(const ConfigRequest& request, const Resolved& files, const Resolved& overrides,
                             const Document* file) {
  const std::size_t key = find_key("generation").value();
  std::optional<Generation> agreed = request.generation;
  std::string_view said_by = "the program's .generation";
  const auto hear = [&](const Resolved& who, std::string_view name) {
    if (!who.origins[key].layer) return;
    if (agreed && *agreed != who.config.generation) {
      throw InputError(
          error_at(who.origins[key].place, fmt::format("generation = \"{}\", expected \"{}\" as {} says",
                                                       name_of(who.config.generation), name_of(*agreed), said_by)));
    }
    if (!agreed) said_by = name;
    agreed = who.config.generation;
  };
  if (file != nullptr && request.generation && !files.origins[key].layer) {
    throw InputError(error_at({file->name, 1, 1}, fmt::format("no generation, expected generation = \"{}\" as {} says",
                                                              name_of(*request.generation), said_by)));
  }
  hear(files, "the configuration file");
  hear(overrides, "--set");
  return agreed.value_or(Generation::cayman);
}

// One layer of all overrides: of two for one key the later counts, and a single key beside a profile counts.
Document merged(const std::deque<Document>& overrides) {
  Document result;
  result.settings.resize(key_table().size());
  for (const Document& document : overrides) {
    for (std::size_t k = 0; k < result.settings.size(); ++k) {
      if (document.settings[k].value != nullptr) result.settings[k] = document.settings[k];
    }
  }
  return result;
}

std::string origin_text(const Origin& origin) {
  if (!origin.layer) return "default";
  std::string text = origin.place.file;
  if (text != kOverride) text += fmt::format(":{}", origin.place.line);
  if (!origin.through.empty()) text += fmt::format(" ({})", origin.through);
  return text;
}

std::vector<const Document*> lowest_first(const std::deque<Document>& chain) {
  std::vector<const Document*> layers;
  for (auto document = chain.rbegin(); document != chain.rend(); ++document) layers.push_back(&*document);
  return layers;
}

}  // namespace

LoadedConfig load_config(const ConfigRequest& request) {
  // 1. Read the file with what it inherits, and the overrides; judge every value.
  std::deque<Document> files;  // highest layer first
  if (request.file) read_chain(*request.file, files);
  std::deque<Document> overrides;
  std::vector<const Document*> override_layers;
  for (const std::string& text : request.overrides) {
    overrides.push_back(read_override(text, static_cast<std::uint32_t>(overrides.size() + 1)));
    override_layers.push_back(&overrides.back());
  }
  const Resolved by_files = apply(lowest_first(files));
  const Resolved by_overrides = apply(override_layers);
  throw_if_any(by_files.errors);
  throw_if_any(by_overrides.errors);

  // 2. The shipped file of the generation stands below everything, so that a file need only name what it changes.
  const Generation generation =
      agreed_generation(request, by_files, by_overrides, files.empty() ? nullptr : &files.front());
  const std::filesystem::path shipped = shipped_file(generation);
  std::error_code ignored;
  if (files.empty() || !std::filesystem::equivalent(files.back().path, shipped, ignored)) read_chain(shipped, files);

  // 3. Resolve and check what spans several keys.
  std::vector<const Document*> layers = lowest_first(files);
  const Document override_layer = merged(overrides);
  layers.push_back(&override_layer);
  const Resolved resolved = apply(layers);
  throw_if_any(resolved.errors);
  cross_check(resolved);

  // 4. Say every value, where it came from, and what they amount to.
  LoadedConfig loaded{resolved.config, {}, {}};
  std::string effective;
  for (std::size_t k = 0; k < key_table().size(); ++k) {
    const std::optional<std::string> value = key_table()[k].get(resolved.config);
    if (!value) continue;
    loaded.values.push_back({&config_keys()[k], *value, origin_text(resolved.origins[k])});
    effective += fmt::format("{}={}\n", config_keys()[k].key, *value);
  }
  loaded.digest = sha256_hex(effective);
  return loaded;
}

}  // namespace tpb
