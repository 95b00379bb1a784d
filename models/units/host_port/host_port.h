// What a host sees of the core: one base-protocol target socket on a linear address map.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>

#include "models/units/semaphores/semaphore_unit.h"
#include "models/units/unit.h"

namespace tpb {

// SBUF and PSUM at the addresses that instructions use, below kHostSemaphores.
inline constexpr std::uint64_t kHostSemaphores = 0x2000'0000;      // 256 words, read and write
inline constexpr std::uint64_t kHostDoorbell = 0x2000'0400;        // write: bit e starts engine e
inline constexpr std::uint64_t kHostInstructions = 0x1'0000'0000;  // a section per engine, 4 GiB apart

class HostPort : public Unit {
 public:
  // b_transport, nb_transport (four phases, by the socket's own adapter) and transport_dbg.
  tlm_utils::simple_target_socket<HostPort> socket;
  tlm_utils::simple_initiator_socket<HostPort> sbuf;
  tlm_utils::simple_initiator_socket<HostPort> psum;
  tlm_utils::simple_initiator_socket<HostPort> instructions;

  // `ring` starts the engines whose bits are set. `synchronise` and `kick` bring the core's time to the host's and on.
  struct Core {
    std::function<void(std::uint32_t)> ring;
    std::function<void()> synchronise;
    std::function<void()> kick;
  };
  HostPort(const sc_core::sc_module_name& name, SemaphoreUnit& semaphores, Core core);
  void reset(const Config& config) override;

 private:
  using Payload = ::tlm::tlm_generic_payload;
  void b_transport(Payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(Payload& payload);
  ::tlm::tlm_response_status registers(Payload& payload, bool debug);
  // The socket that serves an address and the address it is known by there; nullptr: the port's own registers.
  std::pair<tlm_utils::simple_initiator_socket<HostPort>*, std::uint64_t> route(std::uint64_t address);

  SemaphoreUnit& semaphores_;
  const Core core_;
};

}  // namespace tpb
