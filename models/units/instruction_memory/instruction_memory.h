// Instruction memory: one section of 64-byte bundles per engine, 4 GiB apart on linear addresses.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <tlm>

#include "models/units/unit.h"

namespace tpb {

inline constexpr std::uint64_t kSectionStride = std::uint64_t{1} << 32;
inline std::uint64_t section_base(Engine engine) { return kSectionStride * static_cast<std::uint64_t>(engine); }

class InstructionMemory : public Unit {
 public:
  // Sequencers and the host bind here. A read must lie inside what was written; a write extends the section.
  tlm_utils::multi_passthrough_target_socket<InstructionMemory> socket;

  explicit InstructionMemory(const sc_core::sc_module_name& name);
  void reset(const Config& config) override;
  std::uint64_t section_bytes(Engine engine) const { return sections_[engine].size(); }

 private:
  void b_transport(int, ::tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(int, ::tlm::tlm_generic_payload& payload);
  ::tlm::tlm_response_status access(::tlm::tlm_generic_payload& payload);

  PerEngine<std::vector<std::uint8_t>> sections_;
  std::uint64_t max_section_bytes_ = 0;
};

}  // namespace tpb
