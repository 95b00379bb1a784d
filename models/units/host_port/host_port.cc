#include "models/units/host_port/host_port.h"

#include <cstring>

namespace tpb {

HostPort::HostPort(const sc_core::sc_module_name& name, SemaphoreUnit& semaphores, Core core)
    : Unit(name),
      socket("socket"),
      sbuf("sbuf"),
      psum("psum"),
      instructions("instructions"),
      semaphores_(semaphores),
      core_(std::move(core)) {
  socket.register_b_transport(this, &HostPort::b_transport);
  socket.register_transport_dbg(this, &HostPort::transport_dbg);
}

void HostPort::reset(const Config&) {}

std::pair<tlm_utils::simple_initiator_socket<HostPort>*, std::uint64_t> HostPort::route(std::uint64_t address) {
  if (address >= kHostInstructions) return {&instructions, address - kHostInstructions};
  if (address >= kHostSemaphores) return {nullptr, address};
  return {address >= kPsumBase ? &psum : &sbuf, address};
}

void HostPort::b_transport(Payload& payload, sc_core::sc_time& delay) {
  core_.synchronise();
  const std::uint64_t address = payload.get_address();
  if (auto [target, inner] = route(address); target != nullptr) {
    payload.set_address(inner);
    (*target)->b_transport(payload, delay);
    payload.set_address(address);
  } else {
    payload.set_dmi_allowed(false);
    payload.set_response_status(registers(payload, false));
  }
}

unsigned HostPort::transport_dbg(Payload& payload) {
  const std::uint64_t address = payload.get_address();
  if (auto [target, inner] = route(address); target != nullptr) {
    payload.set_address(inner);
    const unsigned count = (*target)->transport_dbg(payload);
    payload.set_address(address);
    return count;
  }
  payload.set_response_status(registers(payload, true));
  return payload.is_response_ok() ? payload.get_data_length() : 0;
}

::tlm::tlm_response_status HostPort::registers(Payload& payload, bool debug) {
  if (payload.get_command() == ::tlm::TLM_IGNORE_COMMAND) return ::tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr) return ::tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const std::uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length();
  if (payload.get_streaming_width() < length || length == 0 || length % 4 != 0) return ::tlm::TLM_BURST_ERROR_RESPONSE;
  if (address % 4 != 0) return ::tlm::TLM_ADDRESS_ERROR_RESPONSE;

  if (address == kHostDoorbell && length == 4) {
    // Ringing is an effect, so a debug access may not do it; there is nothing to read.
    if (debug || payload.is_read()) return ::tlm::TLM_COMMAND_ERROR_RESPONSE;
    std::uint32_t engines = 0;
    std::memcpy(&engines, payload.get_data_ptr(), 4);
    core_.ring(engines);
    core_.kick();
    return ::tlm::TLM_OK_RESPONSE;
  }
  if (address + length > kHostSemaphores + std::uint64_t{kSemaphores} * 4) return ::tlm::TLM_ADDRESS_ERROR_RESPONSE;
  for (unsigned i = 0; i < length; i += 4) {
    const auto semaphore = static_cast<std::uint8_t>((address - kHostSemaphores + i) / 4);
    std::uint32_t value = semaphores_.value(semaphore);
    if (payload.is_read()) {
      std::memcpy(payload.get_data_ptr() + i, &value, 4);
    } else {
      std::memcpy(&value, payload.get_data_ptr() + i, 4);
      semaphores_.set(semaphore, value);
    }
  }
  if (payload.is_write()) core_.kick();
  return ::tlm::TLM_OK_RESPONSE;
}

}  // namespace tpb
