#include "apps/tpbsim/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "models/program/assembler.h"
#include "models/program/image.h"
#include "models/program/symbols.h"

namespace tpb {
namespace {

std::vector<Bundle> read_bundles(const std::string& path, const Limits& limits) {
  const auto refuse = [&](const std::string& message) { throw InputError(Diagnostic{path, 0, 0, message}); };
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error) refuse(fmt::format("cannot be read ({}), expected a file of 64-byte bundles", error.message()));
  if (size % sizeof(Bundle) != 0) refuse(fmt::format("{} bytes, expected a whole number of 64-byte bundles", size));
  if (size > limits.file_bytes)
    refuse(fmt::format("{} bytes, expected at most {} (limits.file_bytes)", size, limits.file_bytes));
  const std::uint64_t count = size / sizeof(Bundle);
  if (count > limits.instructions) {
    refuse(fmt::format("{} bundles, expected at most {} (limits.instructions)", count, limits.instructions));
  }
  std::vector<Bundle> bundles(count);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bundles.data()), static_cast<std::streamsize>(size));
  if (!file) refuse("cannot be read to its end, expected a file of 64-byte bundles");
  return bundles;
}

}  // namespace

void add_config_options(Arguments& arguments) {
  arguments.options().add_options()                                                                               //
      ("config", one_text("FILE"), "configuration file, instead of the shipped one of the program's generation")  //
      ("set", many_texts("KEY=VALUE"), "override one configuration key; may be repeated");
}

ConfigRequest config_request(const Arguments& arguments) {
  ConfigRequest request;
  if (const auto file = arguments.text("config")) request.file = *file;
  request.overrides = arguments.texts("set");
  return request;
}

Session open_program(const std::string& path, const ConfigRequest& request) {
  ConfigRequest complete = request;
  if (!is_image(path)) {
    complete.generation = declared_generation(path);
    Session session{load_config(complete), {}};
    session.program = assemble(path, session.config.config);
    return session;
  }
  // How large an image may be is configured, and which configuration it needs stands in the image.
  Session session;
  session.program = read_image(path, load_config(request).config.limits);
  session.program.name = path;
  complete.generation = session.program.generation;
  session.config = load_config(complete);
  return session;
}

Session open_bundles(const Arguments& arguments, const std::vector<std::string>& bundles,
                     const ConfigRequest& request) {
  Session session{load_config(request), {}};
  session.program.name = "--bundles";
  session.program.generation = session.config.config.generation;
  for (const std::string& text : bundles) {
    const Assignment assignment = assignment_of(arguments, "--bundles", "ENGINE=FILE", text);
    const auto engine = engine_from_name(assignment.name);
    if (!engine) {
      std::vector<std::string_view> names;
      for (Engine known : kEngines) names.push_back(name_of(known));
      arguments.refuse(unknown_name("engine", assignment.name, names));
    }
    Section& section = session.program.sections[*engine];
    if (!section.bundles.empty()) {
      arguments.refuse(fmt::format("--bundles names {} twice, expected one file per engine", assignment.name));
    }
    section.bundles = read_bundles(assignment.value, session.config.config.limits);
    section.lines.assign(section.bundles.size(), 0);
  }
  return session;
}

std::map<std::uint8_t, std::string> semaphore_names(const Program& program) {
  std::map<std::uint8_t, std::string> names;
  for (const SemaphoreInit& semaphore : program.semaphores) {
    if (!semaphore.name.empty()) names.emplace(semaphore.index, semaphore.name);
  }
  return names;
}

LegalityContext legality_context(const Config& config, Engine engine) {
  return {config.generation, engine, config.memory, config.semantics};
}

}  // namespace tpb
