#include "models/nki/call_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "models/program/file.h"
#include "models/program/symbols.h"

namespace tpb::nki {
namespace {

using Json = nlohmann::ordered_json;

// A place in the list for messages: "[2].arguments.data".
struct Place {
  const CallList& list;
  std::string path;

  Place in(std::string_view member) const { return {list, fmt::format("{}.{}", path, member)}; }
  Place at(std::size_t index) const { return {list, fmt::format("{}[{}]", path, index)}; }
  [[noreturn]] void refuse(const std::string& message) const {
    throw InputError(Diagnostic{list.name, 0, 0, fmt::format("{}: {}", path.empty() ? "the list" : path, message)});
  }
  [[noreturn]] void refuse(const Json& given, std::string_view expected) const {
    refuse(fmt::format("{}, expected {}", given.dump(), expected));
  }
};

const Json& object(const Json& given, const Place& place, std::string_view expected) {
  if (!given.is_object()) place.refuse(given, expected);
  return given;
}

void refuse_unknown_members(const Json& given, const Place& place, std::string_view what,
                            const std::vector<std::string_view>& known) {
  for (const auto& [key, value] : given.items()) {
    if (std::ranges::find(known, key) == known.end()) place.refuse(unknown_name(what, key, known));
  }
}

std::string text(const Json& given, const Place& place, std::string_view expected) {
  if (!given.is_string()) place.refuse(given, expected);
  return given.get<std::string>();
}

std::uint32_t count(const Json& given, const Place& place, std::uint64_t least, std::uint64_t most) {
  if (!given.is_number_unsigned() || given.get<std::uint64_t>() < least || given.get<std::uint64_t>() > most) {
    place.refuse(given, fmt::format("an integer from {} to {}", least, most));
  }
  return given.get<std::uint32_t>();
}

template <Named T>
T named(const Json& given, const Place& place) {
  std::vector<std::string_view> names;
  for (const auto& name : Vocabulary<T>::names()) names.push_back(name.text);
  const std::string spelt =
      text(given, place, fmt::format("the name of a {}, as \"{}\"", Vocabulary<T>::kKind, names[0]));
  const auto found = std::ranges::find(Vocabulary<T>::names(), std::string_view(spelt), &Name<T>::text);
  if (found == Vocabulary<T>::names().end()) place.refuse(unknown_name(Vocabulary<T>::kKind, spelt, names));
  return found->value;
}

// --- values of parameters --------------------------------------------------------------------------------------------

// What reading a value needs besides it.
struct Reader {
  Kernel& kernel;

  template <Named T>
  void read(const Json& given, const Place& place, T& out) const {
    out = named<T>(given, place);
  }

  void read(const Json& given, const Place& place, bool& out) const {
    if (!given.is_boolean()) place.refuse(given, "true or false");
    out = given.get<bool>();
  }

  void read(const Json& given, const Place& place, None&) const {
    if (!given.is_null()) place.refuse(given, "null: masks are not modelled");
  }

  void read(const Json& given, const Place& place, Number& out) const {
    if (given.is_number_unsigned()) {
      out = Number(given.get<std::uint64_t>());
    } else if (given.is_number_integer()) {
      out = Number(given.get<std::int64_t>());
    } else if (given.is_number()) {
      out = Number(given.get<double>());
    } else {
      place.refuse(given, "a number");
    }
  }

  void read(const Json& given, const Place& place, Scalar& out) const {
    if (given.is_object()) {
      read(given, place, out.emplace<Tile>());
    } else if (given.is_number()) {
      read(given, place, out.emplace<Number>());
    } else {
      place.refuse(given, "a number or a tile");
    }
  }

  // One number is a tuple that is too short, which is for the validator to say.
  void read(const Json& given, const Place& place, Tuple& out) const {
    if (!given.is_array() && !given.is_number()) place.refuse(given, "a list of two integers, or []");
    const Json list = given.is_array() ? given : Json::array({given});
    for (std::size_t i = 0; i < list.size(); ++i) read(list[i], place.at(i), out.emplace_back());
  }

  void read(const Json& given, const Place& place, Tile& out) const {
    object(given, place, R"(a tile, as {"dtype": "float32", "shape": [128, 512]})");
    refuse_unknown_members(given, place, "member of a tile", {"dtype", "shape", "buffer", "partition", "address"});
    for (const char* needed : {"dtype", "shape"}) {
      if (!given.contains(needed)) place.refuse(fmt::format("no '{}', expected it in a tile", needed));
    }
    const auto dtype = named<Dtype>(given["dtype"], place.in("dtype"));
    Buffer buffer = Buffer::sbuf;
    if (given.contains("buffer")) buffer = named<Buffer>(given["buffer"], place.in("buffer"));
    const std::uint32_t partition =
        given.contains("partition") ? count(given["partition"], place.in("partition"), 0, kPartitions - 1) : 0;
    const Json& sizes = given["shape"];
    if (!sizes.is_array() || sizes.empty() || sizes.size() > kPatternDims + 1) {
      place.in("shape").refuse(sizes, "partitions and up to four free dimensions, as [128, 512]");
    }
    Shape shape;
    constexpr std::uint64_t kMost = 1U << 24;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      shape.push_back(count(sizes[d], place.in("shape").at(d), 1, d == 0 ? kPartitions - partition : kMost));
    }
    out = given.contains("address")
              ? Tile::dense(dtype, buffer, shape, partition, count(given["address"], place.in("address"), 0, kMost))
          : buffer == Buffer::sbuf ? kernel.sbuf(dtype, shape, partition)
                                   : kernel.psum(dtype, shape, partition);
  }

  template <class T>
  void read(const Json& given, const Place& place, std::optional<T>& out) const {
    if (given.is_null()) return;
    read(given, place, out.emplace());
  }
};

// --- calls -----------------------------------------------------------------------------------------------------------

template <class Call>
Call read_arguments(const Json& given, const Place& place, Kernel& kernel) {
  std::vector<std::string_view> names;
  for_each_parameter<Call>([&](const auto& parameter) { names.push_back(parameter.name); });
  refuse_unknown_members(given, place, fmt::format("argument of {}", Call::kName), names);
  Call call{};
  const Reader reader{kernel};
  // What lies where the caller wants it comes first, and the rest goes around it.
  for (const auto& [name, value] : given.items()) {
    if (!value.is_object() || !value.contains("address")) continue;
    Tile tile;
    reader.read(value, place.in(name), tile);
    kernel.occupy(tile);
  }
  for_each_parameter<Call>([&](const auto& parameter) {
    const auto member = given.find(parameter.name);
    if (member != given.end()) {
      reader.read(*member, place.in(parameter.name), call.*parameter.member);
    } else if (parameter.is_required) {
      place.refuse(fmt::format("no '{}', expected it among the arguments of {}", parameter.name, Call::kName));
    }
  });
  return call;
}

// Every intrinsic, and the member of Kernel that it is.
struct Intrinsic {
  std::string_view name;
  void (*run)(const Json& arguments, const Place& place, Kernel& kernel);
};
template <class Call, Tile (Kernel::*kMember)(const Call&)>
constexpr Intrinsic intrinsic() {
  return {Call::kName, [](const Json& arguments, const Place& place, Kernel& kernel) {
            (kernel.*kMember)(read_arguments<Call>(arguments, place, kernel));
          }};
}
constexpr std::array kIntrinsics{
    intrinsic<NcMatmul, &Kernel::nc_matmul>(),
    intrinsic<NcTranspose, &Kernel::nc_transpose>(),
    intrinsic<Activation, &Kernel::activation>(),
    intrinsic<ActivationReduce, &Kernel::activation_reduce>(),
    intrinsic<TensorTensor, &Kernel::tensor_tensor>(),
    intrinsic<TensorScalar, &Kernel::tensor_scalar>(),
    intrinsic<TensorScalarReduce, &Kernel::tensor_scalar_reduce>(),
    intrinsic<TensorScalarCumulative, &Kernel::tensor_scalar_cumulative>(),
    intrinsic<ScalarTensorTensor, &Kernel::scalar_tensor_tensor>(),
    intrinsic<TensorTensorScan, &Kernel::tensor_tensor_scan>(),
    intrinsic<Reciprocal, &Kernel::reciprocal>(),
};

const Intrinsic& find_intrinsic(const std::string& name, const Place& place) {
  const auto found = std::ranges::find(kIntrinsics, std::string_view(name), &Intrinsic::name);
  if (found != kIntrinsics.end()) return *found;
  std::vector<std::string_view> names;
  for (const Intrinsic& known : kIntrinsics) names.push_back(known.name);
  place.refuse(unknown_name("intrinsic", name, names));
}

// --- results ---------------------------------------------------------------------------------------------------------

Json json(const None&) { return nullptr; }
Json json(bool flag) { return flag; }
Json json(const Number& number) {
  constexpr double kExact = 0x1p53;
  const bool integer = number.integer && number.value >= -kExact && number.value <= kExact;
  return integer ? Json(static_cast<std::int64_t>(number.value)) : Json(number.value);
}
Json json(const Tuple& tuple) {
  Json list = Json::array();
  for (const Number& number : tuple) list.push_back(json(number));
  return list;
}
Json json(const Tile& tile) {
  Json all{{"dtype", spelling(tile.dtype)},
           {"shape", tile.shape()},
           {"buffer", spelling(tile.buffer)},
           {"partition", tile.partition},
           {"address", tile.address}};
  if (!tile.is_dense()) {
    Json& steps = all["steps"] = Json::array();
    for (const Tile::Dimension& dimension : tile.free) steps.push_back(dimension.step);
  }
  return all;
}
template <Named T>
Json json(T value) {
  return spelling(value);
}

Json json(const ir::Node& node) {
  Json arguments = Json::object();
  for (const Argument& argument : node.arguments()) arguments[std::string(argument.name)] = json_of(argument.value);
  return {{"node", node.name()},
          {"engine", spelling(node.engine)},
          {"target", spelling(node.target)},
          {"arguments", std::move(arguments)}};
}

// On one line when it fits, else a member a line.
std::string readable(const Json& given, std::size_t indent, std::size_t before) {
  constexpr std::size_t kWidth = 120;
  if (!given.is_structured()) return given.dump();
  const bool is_object = given.is_object();
  const auto joined = [&](const std::string& start, const std::string& separator, const std::string& end, auto member) {
    std::string text;
    for (const auto& [key, value] : given.items()) {
      const std::string name = is_object ? fmt::format("\"{}\": ", key) : "";
      text += fmt::format("{}{}{}", text.empty() ? start : separator, name, member(value, name.size()));
    }
    return fmt::format("{}{}{}{}", is_object ? "{" : "[", text, text.empty() ? "" : end, is_object ? "}" : "]");
  };
  const std::string line = joined("", ", ", "", [](const Json& value, std::size_t) { return readable(value, 0, 0); });
  if (before + line.size() <= kWidth && line.find('\n') == std::string::npos) return line;
  const std::string margin = fmt::format("\n{:{}}", "", indent + 2);
  return joined(margin, fmt::format(",{}", margin), fmt::format("\n{:{}}", "", indent),
                [&](const Json& value, std::size_t name) { return readable(value, indent + 2, indent + 3 + name); });
}

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

std::string readable(const Json& given) { return readable(given, 0, 0); }

Json json_of(const Value& value) {
  return std::visit([](const auto& held) { return json(held); }, value);
}

CallList read_calls(const std::filesystem::path& path, const Limits& limits) {
  CallList list{path.string(), {}};
  const Place place{list, {}};
  std::vector<std::uint8_t> bytes;
  try {
    bytes = read_file(path, limits);
  } catch (const FileProblem& problem) {
    refuse_file(path, problem.what);
  }
  // Of two members with one name the parser would keep one and say nothing.
  std::vector<std::set<std::string>> open_objects;
  constexpr int kDeepest = 32;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kDeepest) place.refuse(fmt::format("more than {} levels, expected a list of calls", kDeepest));
    if (event == Json::parse_event_t::object_start) open_objects.emplace_back();
    if (event == Json::parse_event_t::object_end) open_objects.pop_back();
    if (event == Json::parse_event_t::key && !open_objects.back().insert(parsed.get<std::string>()).second) {
      place.refuse(fmt::format("{} stands twice in one object, expected it once", parsed.dump()));
    }
    return true;
  };
  try {
    list.calls = Json::parse(bytes, watch);
  } catch (const Json::parse_error& error) {
    const std::size_t end = std::min<std::size_t>(error.byte == 0 ? 0 : error.byte - 1, bytes.size());
    const auto begin = bytes.begin();
    const auto stop = begin + static_cast<std::ptrdiff_t>(end);
    const auto line_start = std::find(std::make_reverse_iterator(stop), std::make_reverse_iterator(begin), '\n').base();
    const std::string_view what(error.what());
    throw InputError(
        Diagnostic{list.name, static_cast<std::uint32_t>(std::count(begin, stop, '\n') + 1),
                   static_cast<std::uint32_t>(stop - line_start + 1),
                   fmt::format("not JSON, expected a list of calls ({})", what.substr(what.find("] ") + 2))});
  } catch (const Json::out_of_range&) {
    place.refuse("a number that is too large, expected numbers that a double holds");
  }
  if (!list.calls.is_array()) place.refuse(R"(no list, expected [{"name": ..., "arguments": {...}}, ...])");
  return list;
}

namespace {

using Configs = std::map<Generation, Config>;

Json run_call(const Json& call, const Place& place, Configs& configs) {
  const Json& given = object(call, place, R"(a call, as {"name": "reciprocal", "arguments": {"data": ...}})");
  refuse_unknown_members(given, place, "member of a call", {"name", "generation", "arguments"});
  if (!given.contains("name")) place.refuse("no 'name', expected an intrinsic");
  const std::string name = text(given["name"], place.in("name"), "the name of an intrinsic");
  const Intrinsic& intrinsic = find_intrinsic(name, place.in("name"));
  if (!given.contains("arguments")) place.refuse("no 'arguments', expected an object");

  Generation generation = Generation::cayman;
  if (given.contains("generation")) generation = named<Generation>(given["generation"], place.in("generation"));
  if (!configs.contains(generation)) configs[generation] = Kernel(generation).config();
  Kernel kernel(configs[generation]);
  Json outcome{{"name", name}, {"generation", spelling(generation)}};
  const auto tell_verdicts = [&] {
    Json& verdicts = outcome["validators"] = Json::object();
    for (const Verdict& verdict : kernel.verdicts()) {
      verdicts[std::string(verdict.validator)] = verdict.raised ? verdict.raised->identifier : "passed";
    }
  };
  try {
    const Place arguments = place.in("arguments");
    intrinsic.run(object(given["arguments"], arguments, "an object of arguments by name"), arguments, kernel);
    tell_verdicts();
    Json& nodes = outcome["nodes"] = Json::array();
    for (const ir::Node& node : kernel.nodes()) nodes.push_back(json(node));
  } catch (const Error& error) {
    tell_verdicts();
    outcome["error"] = error.identifier;
    outcome["validator"] = or_null(error.validator);
    outcome["instruction"] = error.instruction;
    outcome["parameter"] = error.parameter;
    outcome["value"] = error.value;
    outcome["message"] = error.message;
  }
  return outcome;
}

}  // namespace

Json run_calls(const CallList& list) {
  Configs configs;
  Json outcomes = Json::array();
  for (std::size_t i = 0; i < list.calls.size(); ++i) {
    outcomes.push_back(run_call(list.calls[i], Place{list, {}}.at(i), configs));
  }
  return outcomes;
}

}  // namespace tpb::nki
