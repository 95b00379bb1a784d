#include "apps/tpbsim/legality_report.h"

#include <fmt/format.h>

#include <iostream>

#include "models/units/sfu/tile_engine.h"
#include "testbench/observers/summary.h"

namespace tpb {
namespace {

// What bundles of the tile engine may do depends on the tiles that earlier ones have left. A run would stop at the
// first that it may not, and what stands behind that one cannot be judged.
class TileStream {
 public:
  TileStream(const Config& config, const Program& program) : interpreter_(tile_interpreter(config)) {
    for (const RegisterInit& init : program.registers) {
      if (init.engine != Engine::sfu || init.index >= tile::kScalarRegisters) continue;
      interpreter_.tiles().set_scalar(init.index, init.value);
    }
  }
  // `legal`: by the rules that need no tiles.
  std::optional<Violation> next(const Instruction& instruction, bool legal) {
    stopped_ |= !legal;
    if (stopped_) return std::nullopt;
    tile::Done done;
    std::optional<Violation> violation = interpreter_.run(instruction, done);
    stopped_ = violation.has_value();
    return violation;
  }

 private:
  tile::Interpreter interpreter_;
  bool stopped_ = false;
};

}  // namespace

int report_legality(const Session& session) {
  std::uint64_t instructions = 0;
  std::uint64_t illegal = 0;
  std::uint64_t violated = 0;
  for (Engine engine : kEngines) {
    const Section& section = session.program.sections[engine];
    LegalityContext context = legality_context(session.config.config, engine);
    TileStream tiles(session.config.config, session.program);
    for (std::size_t i = 0; i < section.bundles.size(); ++i) {
      std::vector<Violation> violations = all_violations(section.bundles[i], context);
      const Instruction instruction = unpack(section.bundles[i], context.semantics);
      if (const auto violation = tiles.next(instruction, violations.empty())) violations.push_back(*violation);
      for (const Violation& violation : violations) {
        std::cout << fault_line(engine, static_cast<std::uint32_t>(i * sizeof(Bundle)), section.lines[i], violation)
                  << '\n';
      }
      // Of an illegal one too: what builds on it is not to blame.
      context.earlier = state_after(instruction, context.earlier, context.semantics);
      ++instructions;
      violated += violations.size();
      if (!violations.empty()) ++illegal;
    }
  }
  std::cout << fmt::format("{}: {} instructions for {}, {}\n", session.program.name, instructions,
                           name_of(session.config.config.generation),
                           illegal == 0 ? "all legal" : fmt::format("{} illegal, {} violations", illegal, violated));
  return illegal == 0 ? kDone : kFault;
}

}  // namespace tpb
