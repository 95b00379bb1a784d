#include "models/units/instruction_memory/instruction_memory.h"

#include <cstring>

namespace tpb {

InstructionMemory::InstructionMemory(const sc_core::sc_module_name& name) : Unit(name), socket("socket") {
  socket.register_b_transport(this, &InstructionMemory::b_transport);
  socket.register_transport_dbg(this, &InstructionMemory::transport_dbg);
}

void InstructionMemory::reset(const Config& config) {
  for (auto& section : sections_) section.clear();
  max_section_bytes_ = std::uint64_t{config.limits.instructions} * sizeof(Bundle);
}

void InstructionMemory::b_transport(int, ::tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  payload.set_dmi_allowed(false);
  payload.set_response_status(access(payload));
}

unsigned InstructionMemory::transport_dbg(int, ::tlm::tlm_generic_payload& payload) {
  payload.set_response_status(access(payload));
  return payload.is_response_ok() ? payload.get_data_length() : 0;
}

::tlm::tlm_response_status InstructionMemory::access(::tlm::tlm_generic_payload& payload) {
  if (payload.get_command() == ::tlm::TLM_IGNORE_COMMAND) return ::tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr) return ::tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const std::uint64_t length = payload.get_data_length();
  if (payload.get_streaming_width() < length || length == 0) return ::tlm::TLM_BURST_ERROR_RESPONSE;
  const std::uint64_t engine = payload.get_address() / kSectionStride;
  const std::uint64_t offset = payload.get_address() % kSectionStride;
  if (engine >= kEngineCount) return ::tlm::TLM_ADDRESS_ERROR_RESPONSE;
  auto& section = sections_[static_cast<Engine>(engine)];
  if (payload.is_write()) {
    if (offset + length > max_section_bytes_) return ::tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (offset + length > section.size()) section.resize(offset + length);
    std::memcpy(section.data() + offset, payload.get_data_ptr(), length);
  } else {
    if (offset + length > section.size()) return ::tlm::TLM_ADDRESS_ERROR_RESPONSE;
    std::memcpy(payload.get_data_ptr(), section.data() + offset, length);
  }
  return ::tlm::TLM_OK_RESPONSE;
}

}  // namespace tpb
