#include "apps/tpbsim/legality_report.h"

#include <fmt/format.h>

#include <iostream>

#include "testbench/observers/summary.h"

namespace tpb {
int report_legality(const Session& session) {
  std::uint64_t instructions = 0;
  std::uint64_t illegal = 0;
  std::uint64_t violated = 0;
  for (Engine engine : kEngines) {
    const Section& section = session.program.sections[engine];
    LegalityContext context = legality_context(session.config.config, engine);
    for (std::size_t i = 0; i < section.bundles.size(); ++i) {
      const std::vector<Violation> violations = all_violations(section.bundles[i], context);
      for (const Violation& violation : violations) {
        std::cout << fault_line(engine, static_cast<std::uint32_t>(i * sizeof(Bundle)), section.lines[i], violation)
                  << '\n';
      }
      // Of an illegal one too: what builds on it is not to blame.
      context.earlier =
          state_after(unpack(section.bundles[i], context.semantics), context.earlier, context.semantics);
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
