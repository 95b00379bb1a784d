#include "testbench/observers/statistics.h"

#include <fmt/format.h>

#include <cstdlib>

#include "models/tile/float_arithmetic.h"
#include "testbench/observers/instruction_table.h"

namespace tpb {
namespace {

using Json = nlohmann::ordered_json;

// A time as the instruction table shows it: six decimals, as the double nearest to them.
double shown_ns(Tick ticks, const RunResult& result) {
  return std::strtod(format_ns(ticks, result.tick_mhz).c_str(), nullptr);
}

double percent(Tick part, Tick whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

Json engine_statistics(Engine engine, const RunResult& result) {
  const EngineTotals& totals = result.engines[engine];
  const std::uint64_t busy_cycles = cycles_of(totals.busy, result.clock_mhz[engine], result.tick_mhz);
  Json json;
  json["instruction_count"] = totals.instructions;
  json["active_time_ns"] = shown_ns(totals.busy, result);
  json["active_time_percent"] = percent(totals.busy, result.elapsed);
  json["busy_cycles"] = busy_cycles;
  json["elements"] = totals.elements;
  json["elements_per_cycle"] =
      busy_cycles == 0 ? 0.0 : static_cast<double>(totals.elements) / static_cast<double>(busy_cycles);
  Json& stall = json["stall_ns"] = Json::object();
  for (std::size_t cause = 0; cause < kStallCauses; ++cause) {
    stall[std::string(name_of(static_cast<StallCause>(cause)))] = shown_ns(totals.stall[cause], result);
  }
  return json;
}

// A value as `config show` prints it. Numbers, strings, truth values and arrays are spelt alike in TOML and JSON.
Json value_of(const std::string& toml) {
  Json value = Json::parse(toml, nullptr, /*allow_exceptions=*/false);
  return value.is_discarded() ? Json(toml) : value;
}

Json effective_values(const LoadedConfig& config) {
  Json root = Json::object();
  for (const ShownValue& shown : config.values) {
    Json* place = &root;
    std::string_view rest = shown.info->key;
    for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
      place = &(*place)[std::string(rest.substr(0, dot))];
      rest.remove_prefix(dot + 1);
    }
    (*place)[std::string(rest)] = value_of(shown.value);
  }
  return root;
}

Json warning_statistics(const RunResult& result) {
  Json json = Json::array();
  for (const Warning& warning : result.warnings) {
    Json& one = json.emplace_back();
    one["engine"] = name_of(warning.engine);
    one["pc"] = warning.pc;
    one["line"] = warning.line;
    one["text"] = warning.text;
    one["time_ns"] = shown_ns(warning.at, result);
  }
  return json;
}

Json tile_statistics(const RunResult& result) {
  static constexpr std::array<std::pair<tile::StatusBit, std::string_view>, 5> kStatus{
      {{tile::kNV, "NV"}, {tile::kDZ, "DZ"}, {tile::kOF, "OF"}, {tile::kUF, "UF"}, {tile::kNX, "NX"}}};
  const TileTotals& totals = result.tiles;
  Json json;
  json["capacity_bytes"] = totals.capacity;
  json["peak_bytes"] = totals.peak.bytes;
  json["mean_bytes"] =
      result.elapsed == 0 ? 0.0 : static_cast<double>(totals.byte_ticks) / static_cast<double>(result.elapsed);
  json["left_bytes"] = totals.left.bytes;
  const auto registers = [&](const char* key, const tile::Use& use) {
    Json& hands = json[key] = Json::object();
    for (std::size_t hand = 0; hand < use.registers.size(); ++hand) {
      hands[std::string(tile::kHandNames[hand])] = use.registers[hand];
    }
  };
  registers("peak_registers", totals.peak);
  registers("left_registers", totals.left);
  Json& status = json["status"] = Json::array();
  for (const auto& [bit, name] : kStatus) {
    if ((totals.status & bit) != 0) status.push_back(name);
  }
  return json;
}

std::string_view name_of_end(RunEnd end) {
  switch (end) {
    case RunEnd::done:
      return "done";
    case RunEnd::fault:
      return "fault";
    case RunEnd::deadlock:
      return "deadlock";
    case RunEnd::time_limit:
      return "time_limit";
  }
  return "unknown";
}

Json fault_statistics(const Fault& fault, const RunResult& result) {
  Json json;
  json["engine"] = name_of(fault.engine);
  json["pc"] = fault.pc;
  json["line"] = fault.line;
  json["rule"] = fault.violation.rule;
  json["field"] = fault.violation.field;
  json["value"] = fault.violation.value;
  json["allowed"] = fault.violation.allowed;
  json["time_ns"] = shown_ns(fault.at, result);
  return json;
}

}  // namespace

nlohmann::ordered_json statistics(const RunResult& result, const LoadedConfig& config, const RunIdentity& identity) {
  Json json;
  json["version"] = identity.version;
  json["program_digest"] = identity.program_digest;
  json["config_digest"] = config.digest;
  json["end"] = name_of_end(result.end);
  if (!result.faults.empty()) json["fault"] = fault_statistics(result.faults.front(), result);
  if (!result.warnings.empty()) json["warnings"] = warning_statistics(result);
  json["total_time_ns"] = shown_ns(result.elapsed, result);

  Json& engines = json["engines"] = Json::object();
  std::uint64_t instructions = 0;
  for (Engine engine : kEngines) {
    engines[std::string(name_of(engine))] = engine_statistics(engine, result);
    instructions += result.engines[engine].instructions;
  }

  Json& sbuf = json["memory"]["sbuf"];
  sbuf["read_bytes"] = result.sbuf.read_bytes;
  sbuf["write_bytes"] = result.sbuf.write_bytes;
  sbuf["contention_ns"] = shown_ns(result.sbuf.contention, result);
  Json& psum = json["memory"]["psum"] = Json::object();
  for (std::size_t bank = 0; bank < result.psum_bank_busy.size(); ++bank) {
    psum[fmt::format("bank_{}_util_percent", bank)] = percent(result.psum_bank_busy[bank], result.elapsed);
  }

  json["memory"]["tiles"] = tile_statistics(result);

  Json& simulator = json["simulator"];
  simulator["host_seconds"] = result.host_seconds;
  simulator["instructions_per_second"] =
      result.host_seconds > 0 ? static_cast<double>(instructions) / result.host_seconds : 0.0;
  simulator["events"] = result.activations;

  json["config"] = effective_values(config);
  return json;
}

}  // namespace tpb
