#include "models/core/neuron_core.h"

#include <string>

#include "models/units/pe_array/pe_array.h"

namespace tpb {

NeuronCore::NeuronCore(const sc_core::sc_module_name& name)
    : sc_module(name),
      agenda_("agenda"),
      arbiter_(make_fluid_arbiter(agenda_, resources_)),
      semaphores_("semaphores", agenda_),
      sbuf_("sbuf", Space::sbuf, resources_),
      psum_("psum", Space::psum, resources_),
      instructions_("instructions"),
      host_("host", semaphores_,
            {.ring = [this](std::uint32_t engines) { ring(engines); },
             .synchronise = [this] { agenda_.synchronise(); },
             .kick = [this] { agenda_.kick(); }}) {
  host_.sbuf.bind(sbuf_.socket);
  host_.psum.bind(psum_.socket);
  host_.instructions.bind(instructions_.socket);
  // In engine order, which is the order in which the agenda serves them.
  for (Engine engine : kEngines) {
    const std::string label(name_of(engine));
    sequencers_[engine] = std::make_unique<Sequencer>((label + "_sequencer").c_str(), engine, agenda_);
    if (engine == Engine::sfu) {
      auto sfu = std::make_unique<TileEngine>(label.c_str(), engine, agenda_, *arbiter_, resources_);
      sfu_ = sfu.get();
      engines_[engine] = std::move(sfu);
    } else if (engine == Engine::pe) {
      engines_[engine] = std::make_unique<PeArray>(label.c_str(), engine, agenda_, *arbiter_, resources_);
    } else {
      engines_[engine] = std::make_unique<ExecutionUnit>(label.c_str(), engine, agenda_, *arbiter_, resources_);
    }
    Sequencer& sequencer = *sequencers_[engine];
    ExecutionUnit& unit = *engines_[engine];
    sequencer.fetch.bind(instructions_.socket);
    sequencer.dispatch.bind(unit.dispatch);
    sequencer.semaphores.bind(semaphores_.port);
    unit.sbuf.bind(sbuf_.socket);
    unit.psum.bind(psum_.socket);
    unit.semaphores.bind(semaphores_.port);
  }
}

void NeuronCore::reset(const Config& config) {
  agenda_.reset(config.tick_mhz());
  resources_.reset(config);
  arbiter_->reset(config);
  for (Unit* unit : std::initializer_list<Unit*>{&semaphores_, &sbuf_, &psum_, &instructions_, &host_}) {
    unit->reset(config);
  }
  for (Engine engine : kEngines) {
    engines_[engine]->reset(config);
    sequencers_[engine]->reset(config);
  }
}

void NeuronCore::set_mode(RunMode mode) {
  for (Engine engine : kEngines) {
    engines_[engine]->set_mode(mode);
    sequencers_[engine]->set_mode(mode);
  }
}

void NeuronCore::observe(const std::vector<Observer*>* observers) {
  if (observers != nullptr && observers->empty()) observers = nullptr;
  arbiter_->observe(observers);
  semaphores_.observe(observers);
  for (auto& engine : engines_) engine->observe(observers);
}

void NeuronCore::ring(std::uint32_t engines) {
  for (Engine engine : kEngines) {
    if ((engines >> static_cast<unsigned>(engine) & 1U) != 0) {
      sequencers_[engine]->start(instructions_.section_bytes(engine));
    }
  }
}

}  // namespace tpb
