// SBUF or PSUM: a TLM target that answers engines with row views and a host with bytes.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <tlm>

#include "models/units/memory/row_store.h"
#include "models/units/unit.h"
#include "tlm/access.h"

namespace tpb {

class RowMemory : public Unit {
 public:
  // Engines and the host bind here. With an AccessExtension a transaction is an engine's operand; without one it is the
  // base protocol on linear addresses (partition stride apart). Direct memory pointers are refused: rows interleave.
  tlm_utils::multi_passthrough_target_socket<RowMemory> socket;

  RowMemory(const sc_core::sc_module_name& name, Space space, const ResourceTable& resources);
  void reset(const Config& config) override;

  std::uint64_t read_bytes() const { return read_bytes_; }
  std::uint64_t write_bytes() const { return write_bytes_; }

 private:
  void b_transport(int, ::tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(int, ::tlm::tlm_generic_payload& payload);
  ::tlm::tlm_response_status access(AccessExtension& access, bool write);
  ::tlm::tlm_response_status bytes(::tlm::tlm_generic_payload& payload);
  void use_port(AccessExtension& access, bool write, std::uint32_t first, std::uint32_t last) const;

  const Space space_;
  const ResourceTable& resources_;
  RowStore store_;
  MemoryMap map_;
  std::uint32_t stride_penalty_bytes_ = 0;
  std::uint64_t read_bytes_ = 0;
  std::uint64_t write_bytes_ = 0;
};

}  // namespace tpb
