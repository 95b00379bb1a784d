#include "testbench/fuzz/bundle_fuzz.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>

#include "models/isa/legality.h"
#include "models/program/assembler.h"
#include "testbench/platform/platform.h"

namespace tpb {
namespace {

constexpr std::uint64_t kMostElements = 1U << 16;  // per partition, of a bundle that is computed
constexpr std::uint64_t kScanEvery = 20'000;       // runs
constexpr std::uint64_t kRunsOfAConfiguration = 500;
constexpr auto kTile = static_cast<std::uint8_t>(Opcode::tile);

struct Seed {
  Engine engine;
  Bundle bundle;
  std::optional<Bundle> load;  // what must stand before it: of match values, of a stationary
};

// One configuration under test, with the instructions that are legal in it.
struct Target {
  Config config;
  std::vector<Seed> seeds;

  LegalityContext context(Engine engine, const std::optional<Bundle>& load) const {
    LegalityContext context{config.generation, engine, config.memory, config.semantics};
    if (load) {
      const Instruction loads = unpack(*load, config.semantics);
      context.match_value_channels = match_value_channels(loads, config.semantics);
      context.stationary = stationary_of(loads).value_or(Stationary{});
    }
    return context;
  }
  bool is_load(const Bundle& bundle) const {
    const Instruction instruction = unpack(bundle, config.semantics);
    return match_value_channels(instruction, config.semantics) != 0 || stationary_of(instruction);
  }
};

std::vector<Target> targets_of(const std::filesystem::path& folder) {
  std::vector<Target> targets;
  for (Generation generation : kGenerations) {
    for (const char* profile : {"seed", "public"}) {
      ConfigRequest request;
      request.generation = generation;
      request.overrides = {fmt::format("semantics.profile={}", profile)};
      Target target{load_config(request).config, {}};
      for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        // Text for other generations and the other profile is in the folder too.
        Program program;
        try {
          program = assemble(entry.path(), target.config);
        } catch (const InputError&) {
          continue;
        }
        for (Engine engine : kEngines) {
          std::optional<Bundle> load;
          for (const Bundle& bundle : program.sections[engine].bundles) {
            if (!first_violation(bundle, target.context(engine, {}))) {
              target.seeds.push_back({engine, bundle, {}});
              if (target.is_load(bundle)) load = bundle;
            } else if (!first_violation(bundle, target.context(engine, load))) {
              target.seeds.push_back({engine, bundle, load});
            }
          }
        }
      }
      targets.push_back(std::move(target));
    }
  }
  return targets;
}

class Fuzzer : private Observer {
 public:
  Fuzzer(const std::filesystem::path& seeds, const FuzzOptions& options)
      : options_(options), targets_(targets_of(seeds)), random_(options.seed) {}

  FuzzCounts run() {
    for (std::uint64_t runs = 0; counts_.bundles() < options_.bundles; ++runs) {
      if (runs % kRunsOfAConfiguration == 0) target_ = &targets_[runs / kRunsOfAConfiguration % targets_.size()];
      run_once(runs);
      if (options_.progress && runs % (kRunsOfAConfiguration * 100) == 0) options_.progress(counts_);
    }
    return counts_;
  }

 private:
  void retired(const InstructionRecord&) override { ++retired_; }
  void semaphore_updated(const SemaphoreUpdateRecord&) override { ++updates_; }

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  Bundle random_bundle() {
    Bundle bundle;
    for (std::size_t i = 0; i < bundle.size(); i += sizeof(std::uint64_t)) {
      const std::uint64_t word = random_();
      std::copy_n(reinterpret_cast<const std::uint8_t*>(&word), sizeof(word), bundle.begin() + i);
    }
    return bundle;
  }
  Seed mutant() {
    Seed seed = target_->seeds[below(target_->seeds.size())];
    // Mostly one change, of a byte that says something: zeroes are mostly reserved.
    const std::uint64_t dice = below(20);
    for (std::uint64_t changes = dice < 17 ? 1 : dice < 19 ? 2 : 3; changes > 0; --changes) {
      std::uint64_t at = below(seed.bundle.size());
      for (int again = 0; again < 5 && seed.bundle[at] == 0; ++again) at = below(seed.bundle.size());
      std::uint8_t& byte = seed.bundle[at];
      // Any other value, a neighbour, or one bit.
      switch (below(3)) {
        case 0:
          byte = static_cast<std::uint8_t>(byte + 1 + below(255));
          break;
        case 1:
          byte = static_cast<std::uint8_t>(below(2) == 0 ? byte + 1 : byte - 1);
          break;
        default:
          byte = static_cast<std::uint8_t>(byte ^ (1U << below(8)));
      }
    }
    return seed;
  }

  // A bundle per engine, and a load before one that asks for it; as many random ones as mutants in all.
  void run_once(std::uint64_t runs) {
    Program program;
    PerEngine<bool> legal{};
    bool computed = true;
    for (Engine engine : kEngines) {
      const bool random = counts_.random <= counts_.mutated;
      Seed seed{engine, {}, {}};
      if (random) {
        seed.bundle = random_bundle();
      } else {
        seed = mutant();
      }
      // Its own engine, unless that has a bundle already.
      const Engine place = program.sections[seed.engine].bundles.empty() ? seed.engine : engine;
      if (!program.sections[place].bundles.empty()) continue;
      if (place != seed.engine) seed.load.reset();
      legal[place] = !first_violation(seed.bundle, target_->context(place, seed.load));
      (random ? counts_.random : counts_.mutated) += 1;
      if (legal[place]) {
        (random ? counts_.random_legal : counts_.mutated_legal) += 1;
        const Operands operands = operands_of(unpack(seed.bundle, target_->config.semantics));
        computed = computed && operands.elements_per_partition() <= kMostElements;
      }
      Section& section = program.sections[place];
      if (seed.load) section.bundles.push_back(*seed.load);
      section.bundles.push_back(seed.bundle);
      section.lines.assign(section.bundles.size(), 1);
    }
    execute(program, legal, computed, runs % kScanEvery == 0);
  }

  void execute(const Program& program, PerEngine<bool> legal, bool computed, bool scan) {
    Platform& platform = Platform::instance();
    platform.reset(target_->config);
    platform.load(program);
    retired_ = updates_ = 0;
    RunOptions options;
    options.mode = computed ? RunMode::full : RunMode::timing_only;
    options.observers = {this};
    const RunResult result = platform.run(options);

    // A tile bundle is legal by its bytes, and by the tiles that are there: none here.
    for (const Fault& fault : result.faults) {
      if (fault.engine == Engine::sfu && program.sections[Engine::sfu].bundles[0][0] == kTile)
        legal[Engine::sfu] = false;
    }
    std::uint64_t expected_faults = 0, legal_bundles = 0;
    for (Engine engine : kEngines) {
      const std::size_t bundles = program.sections[engine].bundles.size();
      if (bundles == 0) continue;
      expected_faults += legal[engine] ? 0U : 1U;
      legal_bundles += legal[engine] ? bundles : bundles - 1;
    }
    if (computed && result.end != RunEnd::deadlock) counts_.executed += legal_bundles;
    if (result.faults.size() != expected_faults) {
      report(program, fmt::format("{} faults, expected {}", result.faults.size(), expected_faults));
    }
    if (retired_ > legal_bundles) report(program, "a faulting bundle retired");
    if (legal_bundles > 0) return;
    if (updates_ != 0) report(program, "a faulting bundle updated a semaphore");
    if (result.sbuf.write_bytes + result.psum.write_bytes != 0) report(program, "a faulting bundle wrote memory");
    if (scan) scan_memory(program);
  }

  // Memory is zero at the start of a run.
  void scan_memory(const Program& program) {
    ++counts_.scanned;
    for (Space space : {Space::sbuf, Space::psum}) {
      const MemoryMap& map = target_->config.memory;
      Tensor all;
      all.dtype = Dtype::uint8;
      all.shape = {kPartitions, space == Space::sbuf ? map.sbuf_bytes_per_partition : map.psum_bytes_per_partition()};
      all.start.space = space;
      std::vector<std::uint8_t> bytes(all.elements());
      if (!Platform::instance().read_tensor(all, bytes)) report(program, "memory cannot be read");
      if (std::ranges::any_of(bytes, [](std::uint8_t byte) { return byte != 0; })) {
        report(program, "memory changed under faulting bundles");
      }
    }
  }

  void report(const Program& program, const std::string& what) {
    std::string text = fmt::format("{} {}: {}", name_of(target_->config.generation),
                                   target_->config.semantics == SemanticsOptions{} ? "seed" : "public", what);
    for (Engine engine : kEngines) {
      for (const Bundle& bundle : program.sections[engine].bundles) {
        text += fmt::format("\n  {} .bundle {:02x}", name_of(engine), fmt::join(bundle, ""));
      }
    }
    counts_.broken.push_back(std::move(text));
  }

  const FuzzOptions& options_;
  std::vector<Target> targets_;
  const Target* target_ = nullptr;
  std::mt19937_64 random_;
  FuzzCounts counts_;
  std::uint64_t retired_ = 0, updates_ = 0;
};

}  // namespace

FuzzCounts fuzz_bundles(const std::filesystem::path& seeds, const FuzzOptions& options) {
  return Fuzzer(seeds, options).run();
}

}  // namespace tpb
