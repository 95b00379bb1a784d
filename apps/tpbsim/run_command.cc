#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <iostream>
#include <set>

#include "apps/tpbsim/tensor_files.h"
#include "models/program/image.h"
#include "testbench/observers/instruction_table.h"
#include "testbench/observers/output_file.h"
#include "testbench/observers/progress.h"
#include "testbench/observers/run_log.h"
#include "testbench/observers/statistics.h"
#include "testbench/observers/summary.h"
#include "testbench/observers/trace.h"
#include "testbench/platform/platform.h"

namespace tpb {
namespace {

// What is asked of a run, apart from program and configuration.
struct RunRequest {
  RunMode mode = RunMode::full;
  std::optional<double> max_time_ns;
  std::optional<std::string> stats, instructions, trace;
};

double positive_number(const Arguments& arguments, std::string_view option, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value <= 0) {
    arguments.refuse(fmt::format("{} '{}', expected a number of nanoseconds above 0", option, text));
  }
  return value;
}

RunRequest run_request(const Arguments& arguments) {
  RunRequest request;
  const bool timing = arguments.has("timing-only");
  const bool functional = arguments.has("functional-only");
  if (timing && functional) arguments.refuse("--timing-only and --functional-only, expected at most one of them");
  if (timing) request.mode = RunMode::timing_only;
  if (functional) request.mode = RunMode::functional_only;
  if (timing && arguments.has("out"))
    arguments.refuse("--out with --timing-only, which computes no values; expected one of them");
  if (const auto limit = arguments.text("max-time")) {
    request.max_time_ns = positive_number(arguments, "--max-time", *limit);
  }
  request.stats = arguments.text("stats");
  request.instructions = arguments.text("instructions");
  request.trace = arguments.text("trace");
  return request;
}

Session open_session(const Arguments& arguments) {
  const std::vector<std::string> bundles = arguments.texts("bundles");
  if (bundles.empty()) return open_program(arguments.positional(), config_request(arguments));
  if (arguments.has_positional()) {
    arguments.refuse(fmt::format("'{}' and --bundles, expected one of them", arguments.positional()));
  }
  if (!arguments.has("config")) arguments.refuse("--bundles without --config, expected --config FILE beside it");
  return open_bundles(arguments, bundles, config_request(arguments));
}

// Every file that the run reads.
std::vector<std::filesystem::path> input_files(const Arguments& arguments, const Program& program) {
  std::vector<std::filesystem::path> files;
  if (arguments.has_positional()) files.emplace_back(arguments.positional());
  if (const auto config = arguments.text("config")) files.emplace_back(*config);
  for (const Tensor& tensor : program.tensors) {
    if (const auto* file = std::get_if<FileContents>(&tensor.contents)) files.push_back(file->path);
  }
  for (const Expectation& expectation : program.expectations) files.push_back(expectation.path);
  return files;
}

// Every file that the run may write: possible, none of them twice, none that it reads. Touches nothing.
void require_outputs_writable(const Arguments& arguments, const RunRequest& request, const Program& program) {
  std::vector<std::filesystem::path> paths;
  for (const auto& file : {request.stats, request.instructions, request.trace}) {
    if (file) paths.emplace_back(*file);
  }
  if (request.mode != RunMode::timing_only) {
    for (const Output& output : program.outputs) {
      require_replaceable(output.path);
      paths.push_back(output.path);
    }
  }
  const std::vector<std::filesystem::path> inputs = input_files(arguments, program);
  std::set<std::filesystem::path> seen;
  for (const std::filesystem::path& path : paths) {
    require_writable(path);
    // A device or a pipe may be named twice; its name need not lead to a place.
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) continue;
    const std::filesystem::path place = std::filesystem::weakly_canonical(path);
    if (!seen.insert(place).second) {
      arguments.refuse(fmt::format("two outputs are written to '{}', expected a file for each", path.string()));
    }
    for (const std::filesystem::path& input : inputs) {
      if (std::filesystem::equivalent(input, place, error)) {
        arguments.refuse(fmt::format("'{}' is read by this run, expected another file to write to", path.string()));
      }
    }
  }
}

void put_contents(Platform& platform, const Program& program, const std::vector<Bytes>& contents) {
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const Tensor& tensor = program.tensors[i];
    if (contents[i].empty() || platform.write_tensor(tensor, contents[i])) continue;
    throw InputError(Diagnostic{program.name, tensor.line, 0,
                                fmt::format("tensor '{}' reaches outside of memory, expected it inside", tensor.name)});
  }
}

// On a terminal, a long run says how far it is.
RunResult run_observed(Platform& platform, const Config& config, RunOptions options) {
  if (::isatty(STDERR_FILENO) == 0) return platform.run(options);
  Progress progress(std::cerr, config.tick_mhz());
  options.observers.push_back(&progress);
  return platform.run(options);
}

Bytes read_back(Platform& platform, const Program& program, const std::string& name) {
  const Tensor& tensor = *program.find(name);
  Bytes bytes(tensor.elements() * bytes_of(tensor.dtype));
  if (platform.read_tensor(tensor, bytes)) return bytes;
  throw InputError(Diagnostic{program.name, tensor.line, 0,
                              fmt::format("tensor '{}' reaches outside of memory, expected it inside", name)});
}

// 0 or 1.
int judge_values(Platform& platform, const Program& program, const std::vector<Bytes>& expected) {
  std::size_t differing = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Expectation& expectation = program.expectations[i];
    const Bytes actual = read_back(platform, program, expectation.tensor);
    const auto difference = compare(*program.find(expectation.tensor), actual, expected[i], expectation);
    if (!difference) continue;
    ++differing;
    std::cerr << difference_line(program, expectation, *difference) << '\n';
  }
  if (!expected.empty()) {
    std::cout << fmt::format("{} of {} expected tensors agree\n", expected.size() - differing, expected.size());
  }
  for (const Output& output : program.outputs) {
    write_npy(output.path, *program.find(output.tensor), read_back(platform, program, output.tensor));
  }
  return differing == 0 ? kDone : kOutputsDiffer;
}

void write_reports(const RunRequest& request, const Session& session, const RunLog& log, const RunResult& result) {
  const SemanticsOptions& semantics = session.config.config.semantics;
  if (request.stats) {
    const auto json = statistics(result, session.config, {TPB_VERSION, program_digest(session.program)});
    write_file_atomically(*request.stats, [&](std::ostream& out) { out << json.dump(2) << '\n'; });
  }
  if (request.instructions) {
    write_file_atomically(*request.instructions,
                          [&](std::ostream& out) { write_instruction_table(out, log, result, semantics); });
  }
  if (request.trace) {
    write_file_atomically(*request.trace, [&](std::ostream& out) {
      write_trace(out, log, result, semantics, semaphore_names(session.program));
    });
  }
}

// The table, and every reason why the run is not done.
void print_result(const RunRequest& request, const Session& session, const RunResult& result) {
  constexpr std::size_t kShownWarnings = 10;
  std::cout << run_table(result);
  for (const Warning& warning : std::span(result.warnings).first(std::min(result.warnings.size(), kShownWarnings))) {
    std::cerr << warning_line(warning) << '\n';
  }
  if (result.warnings.size() > kShownWarnings) {
    std::cerr << fmt::format("and {} more warnings, all of them in --stats\n", result.warnings.size() - kShownWarnings);
  }
  for (const Fault& fault : result.faults) {
    std::cerr << fault_line(fault.engine, fault.pc, fault.line, fault.violation) << '\n';
  }
  for (const BlockedWait& wait : result.blocked) {
    std::cerr << blocked_line(wait, semaphore_names(session.program)) << '\n';
  }
  if (result.end == RunEnd::time_limit) {
    std::cerr << fmt::format("stopped at --max-time {} ns before the program ended\n", *request.max_time_ns);
    if (!session.program.expectations.empty() || !session.program.outputs.empty()) {
      std::cerr << "values are not final: no .expect judged, no .output written\n";
    }
  }
}

}  // namespace

int run_program(const Command& command, std::span<const std::string> words) {
  Arguments arguments(command, "PROGRAM");
  add_config_options(arguments);
  arguments.options().add_options()  //
      ("bundles", many_texts("ENGINE=FILE")->multitoken(),
       "raw 64-byte bundles of each engine, instead of a program; one or more")  //
      ("in", many_texts("NAME=FILE"),
       "contents of a tensor (.npy), instead of what the program says; may be repeated")               //
      ("out", many_texts("NAME=FILE"), "write a tensor (.npy) after the run; may be repeated")         //
      ("timing-only", "compute no values; times are the same, .expect and .output are not evaluated")  //
      ("functional-only", "model no time")                                                             //
      ("max-time", one_text("NS"), "stop at this simulated time")                                      //
      ("stats", one_text("FILE"), "write statistics (JSON)")                                           //
      ("instructions", one_text("FILE"), "write a line per instruction (CSV)")                         //
      ("trace", one_text("FILE"), "write a timeline for Perfetto or chrome://tracing (JSON)");
  if (!arguments.parse(words)) return kDone;

  // 1. Everything that can be wrong with the input is found before anything runs or is written.
  const RunRequest request = run_request(arguments);
  Session session = open_session(arguments);
  Program& program = session.program;
  const Config& config = session.config.config;
  apply_inputs(arguments, program, arguments.texts("in"));
  apply_outputs(arguments, program, arguments.texts("out"));
  require_outputs_writable(arguments, request, program);
  const bool values = request.mode != RunMode::timing_only;
  const std::vector<Bytes> contents = values ? tensor_contents(program, config.limits) : std::vector<Bytes>{};
  const std::vector<Bytes> expected = values ? expected_contents(program, config.limits) : std::vector<Bytes>{};

  // 2. The run.
  Platform& platform = Platform::instance();
  platform.reset(config);
  platform.load(program);
  put_contents(platform, program, contents);
  RunLog log(request.trace ? RunLog::Detail::everything : RunLog::Detail::instructions);
  RunOptions options{request.mode, request.max_time_ns, {}};
  if (request.trace || request.instructions) options.observers.push_back(&log);
  const RunResult result = run_observed(platform, config, std::move(options));

  // 3. Reports whenever it ran; values only of a run that came to its end.
  print_result(request, session, result);
  write_reports(request, session, log, result);
  if (!result.faults.empty()) return kFault;
  if (result.end == RunEnd::deadlock) return kDeadlock;
  return values && result.end == RunEnd::done ? judge_values(platform, program, expected) : kDone;
}

}  // namespace tpb
