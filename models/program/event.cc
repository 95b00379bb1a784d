#include "models/program/event.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "models/isa/opcode.h"
#include "models/program/operand.h"

namespace tpb {
namespace {

struct Sign {
  std::string_view sign;
  std::uint8_t mode;
  bool has_value;
};
constexpr Sign kWaits[]{{"==", static_cast<std::uint8_t>(WaitMode::equal), true},
                        {"<", static_cast<std::uint8_t>(WaitMode::less), true},
                        {"<=", static_cast<std::uint8_t>(WaitMode::less_equal), true},
                        {">", static_cast<std::uint8_t>(WaitMode::greater), true},
                        {">=", static_cast<std::uint8_t>(WaitMode::greater_equal), true}};
constexpr Sign kUpdates[]{{"++", static_cast<std::uint8_t>(UpdateMode::increment), false},
                          {"--", static_cast<std::uint8_t>(UpdateMode::decrement), false},
                          {"+=", static_cast<std::uint8_t>(UpdateMode::add), true},
                          {"-=", static_cast<std::uint8_t>(UpdateMode::subtract), true},
                          {"=", static_cast<std::uint8_t>(UpdateMode::write), true}};

template <std::size_t N>
const Sign* with_sign(const Sign (&signs)[N], const Cursor& cursor) {
  const auto found = std::ranges::find_if(signs, [&](const Sign& s) { return cursor.at(s.sign); });
  return found == std::end(signs) ? nullptr : found;
}

template <std::size_t N>
const Sign* with_mode(const Sign (&signs)[N], std::uint8_t mode) {
  const auto found = std::ranges::find(signs, mode, &Sign::mode);
  return found == std::end(signs) ? nullptr : found;
}

bool at_register(const Cursor& cursor) {
  return cursor.peek().kind == TokenKind::word && cursor.peek().spelling == "reg";
}

std::uint32_t read_value(Cursor& cursor, Engine engine) {
  if (!at_register(cursor)) {
    return static_cast<std::uint32_t>(cursor.unsigned_integer("a number or reg(Rn)", 0xFFFF'FFFF));
  }
  cursor.take();
  cursor.expect("(", "'(' and a register");
  const std::uint8_t number = read_register(cursor, engine);
  cursor.expect(")", "')'");
  return number;
}

Frame frame_of(const Bundle& bundle) {
  Frame frame;
  std::memcpy(&frame, bundle.data(), sizeof frame);
  return frame;
}

Bundle with_events(Bundle bundle, const Event* wait, const Event* update) {
  Frame frame = frame_of(bundle);
  if (wait != nullptr) {
    frame.wait_mode = wait->mode;
    frame.wait_idx = wait->semaphore;
    frame.value = wait->value;
  }
  if (update != nullptr) {
    frame.update_mode = update->mode;
    frame.update_idx = update->semaphore;
    if (update->has_value) frame.value = update->value;
  }
  std::memcpy(bundle.data(), &frame, sizeof frame);
  return bundle;
}

Bundle event_semaphore() {
  Frame frame;
  frame.opcode = static_cast<std::uint8_t>(Opcode::event_semaphore);
  Bundle bundle{};
  std::memcpy(bundle.data(), &frame, sizeof frame);
  return bundle;
}

std::optional<Event> wait_of(const Frame& frame) {
  if (frame.wait_mode == 0) return std::nullopt;
  return Event{frame.wait_mode, frame.wait_idx, frame.value, true};
}

std::optional<Event> update_of(const Frame& frame) {
  if (frame.update_mode == 0) return std::nullopt;
  const auto plain = static_cast<std::uint8_t>(frame.update_mode & ~kUpdateOnComplete);
  const Sign* sign = with_mode(kUpdates, plain);
  const bool has_value = frame.update_mode == kUpdateWriteRegister || sign == nullptr || sign->has_value;
  return Event{frame.update_mode, frame.update_idx, has_value ? frame.value : 0, has_value};
}

std::string semaphore_text(std::uint8_t index, const Symbols& symbols) {
  for (const auto& [name, known] : symbols.semaphores) {
    if (known == index) return name;
  }
  return std::to_string(index);
}

}  // namespace

bool at_event(const Cursor& cursor) {
  return cursor.peek().kind == TokenKind::word && cursor.peek().spelling == "S" && cursor.at("[", 1);
}

void read_event(Cursor& cursor, Engine engine, const Symbols& symbols, Synchronised& line) {
  cursor.take();  // S
  cursor.expect("[", "'[' and a semaphore");
  Event event;
  if (cursor.peek().kind == TokenKind::word) {
    const std::uint32_t column = cursor.column();
    event.semaphore = symbols.semaphore(cursor.take().spelling, column);
  } else {
    event.semaphore = static_cast<std::uint8_t>(cursor.unsigned_integer("a semaphore", 255));
  }
  cursor.expect("]", "']'");
  if (const Sign* wait = with_sign(kWaits, cursor)) {
    cursor.take();
    const bool from_register = at_register(cursor);
    event.mode = from_register ? static_cast<std::uint8_t>(wait->mode | kWaitRegister) : wait->mode;
    event.value = read_value(cursor, engine);
    event.has_value = true;
    if (cursor.at("@")) cursor.fail("no trigger, as a wait has none");
    line.waits.push_back(event);
    return;
  }
  const Sign* update = with_sign(kUpdates, cursor);
  if (update == nullptr) cursor.fail("a wait (== < <= > >=) or an update (++ -- += -= =)");
  cursor.take();
  const std::uint32_t value_column = cursor.column();
  const bool from_register = update->has_value && at_register(cursor);
  event.has_value = update->has_value;
  if (event.has_value) event.value = read_value(cursor, engine);
  bool on_complete = true;
  if (cursor.accept("@")) {
    const std::uint32_t column = cursor.column();
    const std::string trigger = cursor.word("complete or read");
    if (trigger != "complete" && trigger != "read") {
      throw Problem{column, unknown_name("trigger", trigger, {"complete", "read"})};
    }
    on_complete = trigger == "complete";
  }
  event.mode = on_complete ? static_cast<std::uint8_t>(update->mode | kUpdateOnComplete) : update->mode;
  if (from_register) {
    if (update->sign != "=" || !on_complete) {
      throw Problem{value_column,
                    "register in an update, expected a number (reg(Rn) stands in waits and =@complete only)"};
    }
    event.mode = kUpdateWriteRegister;
  }
  line.updates.push_back(event);
}

std::vector<Bundle> expand(const Synchronised& line) {
  const Event* wait = line.waits.empty() ? nullptr : &line.waits.front();
  const Event* update = line.updates.empty() ? nullptr : &line.updates.front();
  const bool shared = wait != nullptr && update != nullptr && line.instruction.size() == 1;
  if (shared && update->has_value && update->value != wait->value) wait = nullptr;

  std::vector<Bundle> bundles;
  for (const Event& before : line.waits) {
    if (&before != wait) bundles.push_back(with_events(event_semaphore(), &before, nullptr));
  }
  const std::size_t last = line.instruction.size() - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    bundles.push_back(with_events(line.instruction[i], i == 0 ? wait : nullptr, i == last ? update : nullptr));
  }
  for (const Event& after : line.updates) {
    if (&after != update) bundles.push_back(with_events(event_semaphore(), nullptr, &after));
  }
  return bundles;
}

std::optional<Synchronised> fold(std::span<const Bundle> bundles) {
  // The instruction is the bundles that are no event_semaphore; among these, the one with the first update, else the
  // last.
  const auto is_event_semaphore = [](const Bundle& bundle) {
    return bundle[0] == static_cast<std::uint8_t>(Opcode::event_semaphore);
  };
  auto first = std::ranges::find_if_not(bundles, is_event_semaphore);
  if (first == bundles.end()) {
    first = std::ranges::find_if(bundles, [](const Bundle& bundle) { return frame_of(bundle).update_mode != 0; });
  }
  if (first == bundles.end()) --first;
  auto last = bundles.end() - 1;
  while (last != first && is_event_semaphore(*last)) --last;

  Synchronised line;
  for (auto bundle = first; bundle <= last; ++bundle) {
    Frame plain = frame_of(*bundle);
    plain.wait_mode = plain.wait_idx = plain.update_mode = plain.update_idx = 0;
    plain.value = 0;
    std::memcpy(line.instruction.emplace_back(*bundle).data(), &plain, sizeof plain);
  }
  if (const auto wait = wait_of(frame_of(*first))) line.waits.push_back(*wait);
  for (auto before = bundles.begin(); before != first; ++before) {
    if (const auto wait = wait_of(frame_of(*before))) line.waits.push_back(*wait);
  }
  if (const auto update = update_of(frame_of(*last))) line.updates.push_back(*update);
  for (auto after = last + 1; after != bundles.end(); ++after) {
    if (const auto update = update_of(frame_of(*after))) line.updates.push_back(*update);
  }
  if (!std::ranges::equal(expand(line), bundles)) return std::nullopt;
  return line;
}

std::optional<std::string> event_text(const Synchronised& line, const Symbols& symbols) {
  std::string text;
  const auto append = [&](const Event& event, std::string_view sign, const std::string& value,
                          std::string_view trigger) {
    text += fmt::format("  S[{}]{}{}{}", semaphore_text(event.semaphore, symbols), sign, value, trigger);
  };
  for (const Event& wait : line.waits) {
    const bool from_register = (wait.mode & kWaitRegister) != 0;
    const Sign* sign = with_mode(kWaits, static_cast<std::uint8_t>(wait.mode & ~kWaitRegister));
    if (sign == nullptr) return std::nullopt;
    append(wait, sign->sign, from_register ? fmt::format("reg(R{})", wait.value) : std::to_string(wait.value), "");
  }
  for (const Event& update : line.updates) {
    if (update.mode == kUpdateWriteRegister) {
      append(update, "=", fmt::format("reg(R{})", update.value), "");
      continue;
    }
    const bool on_complete = (update.mode & kUpdateOnComplete) != 0;
    const Sign* sign = with_mode(kUpdates, static_cast<std::uint8_t>(update.mode & ~kUpdateOnComplete));
    if (sign == nullptr) return std::nullopt;
    append(update, sign->sign, update.has_value ? std::to_string(update.value) : "", on_complete ? "" : "@read");
  }
  return text;
}

}  // namespace tpb
