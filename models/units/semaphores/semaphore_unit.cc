#include "models/units/semaphores/semaphore_unit.h"

#include <cassert>

namespace tpb {

bool holds(const SemaphoreWait& wait, std::uint32_t present) {
  switch (wait.condition) {
    case WaitMode::none:
      return true;
    case WaitMode::equal:
      return present == wait.value;
    case WaitMode::less:
      return present < wait.value;
    case WaitMode::less_equal:
      return present <= wait.value;
    case WaitMode::greater:
      return present > wait.value;
    case WaitMode::greater_equal:
      return present >= wait.value;
  }
  return false;
}

SemaphoreUnit::SemaphoreUnit(const sc_core::sc_module_name& name, Timeline& timeline)
    : Unit(name), port("port"), timeline_(timeline), slot_(timeline.enrol(*this, Phase::update)) {
  port.bind(*this);
}

void SemaphoreUnit::reset(const Config&) {
  values_.fill(0);
  for (Waiter& waiter : waiters_) waiter = {};
  updates_ = {};
  posted_ = 0;
}

bool SemaphoreUnit::wait(const SemaphoreWait& wait, SemaphoreClient& client) {
  if (holds(wait, values_[wait.semaphore])) {
    report({timeline_.now(), timeline_.now(), wait.semaphore, wait.engine, wait.pc});
    return true;
  }
  assert(waiters_[wait.engine].client == nullptr);
  waiters_[wait.engine] = {wait, &client, timeline_.now()};
  return false;
}

void SemaphoreUnit::post(const SemaphoreUpdate& update) {
  updates_.emplace(update, posted_++);
  timeline_.notify_at(slot_, update.at);
}

void SemaphoreUnit::set(std::uint8_t semaphore, std::uint32_t value) {
  values_[semaphore] = value;
  wake();
}

void SemaphoreUnit::on_time(Phase) {
  while (!updates_.empty() && updates_.top().first.at <= timeline_.now()) {
    apply(updates_.top().first);
    updates_.pop();
  }
  if (!updates_.empty()) timeline_.notify_at(slot_, updates_.top().first.at);
  wake();
}

void SemaphoreUnit::apply(const SemaphoreUpdate& update) {
  std::uint32_t& value = values_[update.semaphore];
  const std::uint32_t before = value;
  switch (update.operation) {
    case UpdateMode::none:
      break;
    case UpdateMode::increment:
      ++value;
      break;
    case UpdateMode::decrement:
      --value;
      break;
    case UpdateMode::add:
      value += update.value;
      break;
    case UpdateMode::subtract:
      value -= update.value;
      break;
    case UpdateMode::write:
      value = update.value;
      break;
  }
  if (observers_ == nullptr) return;
  for (Observer* observer : *observers_) {
    observer->semaphore_updated({update.at, update.semaphore, before, value, update.engine, update.pc});
  }
}

void SemaphoreUnit::report(const SemaphoreWaitRecord& record) {
  if (observers_ == nullptr) return;
  for (Observer* observer : *observers_) observer->semaphore_waited(record);
}

void SemaphoreUnit::wake() {
  for (Engine engine : kEngines) {
    Waiter& waiter = waiters_[engine];
    if (waiter.client == nullptr || !holds(waiter.wait, values_[waiter.wait.semaphore])) continue;
    SemaphoreClient* client = waiter.client;
    waiter.client = nullptr;
    report({waiter.since, timeline_.now(), waiter.wait.semaphore, engine, waiter.wait.pc});
    client->wait_satisfied();
  }
}

}  // namespace tpb
