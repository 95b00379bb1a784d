#include "models/units/memory/row_memory.h"

#include <cstdlib>

namespace tpb {

using ::tlm::tlm_generic_payload;
using ::tlm::tlm_response_status;

RowMemory::RowMemory(const sc_core::sc_module_name& name, Space space, const ResourceTable& resources)
    : Unit(name), socket("socket"), space_(space), resources_(resources) {
  socket.register_b_transport(this, &RowMemory::b_transport);
  socket.register_transport_dbg(this, &RowMemory::transport_dbg);
}

void RowMemory::reset(const Config& config) {
  map_ = config.memory;
  stride_penalty_bytes_ = space_ == Space::sbuf ? config.sbuf_stride_penalty_bytes : 0;
  store_.reset(space_ == Space::sbuf ? map_.sbuf_bytes_per_partition : map_.psum_bytes_per_partition());
  read_bytes_ = write_bytes_ = 0;
}

void RowMemory::b_transport(int, tlm_generic_payload& payload, sc_core::sc_time&) {
  payload.set_dmi_allowed(false);
  if (payload.get_command() == ::tlm::TLM_IGNORE_COMMAND) {
    payload.set_response_status(::tlm::TLM_COMMAND_ERROR_RESPONSE);
  } else if (payload.get_byte_enable_ptr() != nullptr) {
    payload.set_response_status(::tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  } else if (payload.get_streaming_width() < payload.get_data_length() || payload.get_data_length() == 0) {
    payload.set_response_status(::tlm::TLM_BURST_ERROR_RESPONSE);
  } else if (auto* extension = payload.get_extension<AccessExtension>(); extension != nullptr) {
    payload.set_response_status(access(*extension, payload.is_write()));
  } else {
    payload.set_response_status(bytes(payload));
  }
}

unsigned RowMemory::transport_dbg(int, tlm_generic_payload& payload) {
  if (payload.get_command() == ::tlm::TLM_IGNORE_COMMAND || payload.get_data_length() == 0) return 0;
  const tlm_response_status status = bytes(payload);
  payload.set_response_status(status);
  return status == ::tlm::TLM_OK_RESPONSE ? payload.get_data_length() : 0;
}

tlm_response_status RowMemory::access(AccessExtension& access, bool write) {
  const Operand& operand = access.operand;
  const unsigned width = bytes_of(operand.dtype);
  const Location at = locate(map_, operand.pattern.start_addr);
  const ByteRange range = touched_bytes(operand.pattern, width);
  const std::int64_t first = at.offset + range.first;
  const std::int64_t last = at.offset + range.last;
  if (at.space != space_ || width == 0 || operand.channels == 0 || at.partition + operand.channels > kPartitions ||
      first < 0 || last >= store_.bytes_per_partition()) {
    return ::tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  const std::uint64_t moved = operand.pattern.elements() * operand.channels * width;
  (write ? write_bytes_ : read_bytes_) += moved;
  if (write && access.values) store_.touch(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last));

  access.view = {store_.words(), at.offset, at.partition, operand.channels, operand.dtype, operand.pattern};
  access.head_latency = 0;
  // Only a step that is taken costs anything.
  access.half_rate = stride_penalty_bytes_ != 0 && operand.pattern.num[0] > 1 &&
                     std::abs(std::int64_t{operand.pattern.step[0]}) * width > stride_penalty_bytes_;
  use_port(access, write, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last));
  return ::tlm::TLM_OK_RESPONSE;
}

void RowMemory::use_port(AccessExtension& access, bool write, std::uint32_t first, std::uint32_t last) const {
  access.uses.clear();
  // A row is one element of every partition: the rows of an operand are its elements per partition.
  const std::uint64_t rows = access.operand.pattern.elements();
  auto use = [&](ResourceId id, std::uint64_t part) {
    access.uses.add(id, resources_.demand(id, access.initiator, part, access.stream_cycles), write,
                    resources_.demand_limit(id));
  };
  if (space_ == Space::sbuf) {
    use(resources_.sbuf_port(access.initiator), rows);
    return;
  }
  use(resources_.psum_port(access.initiator), rows);
  // Rows are taken as spread evenly over the banks that the operand reaches.
  const std::uint32_t first_bank = first / map_.psum_bytes_per_bank;
  const std::uint32_t last_bank = last / map_.psum_bytes_per_bank;
  const std::uint64_t banks = last_bank - first_bank + 1;
  for (std::uint32_t bank = first_bank; bank <= last_bank; ++bank) {
    use(resources_.psum_bank(bank), (rows + banks - 1) / banks);
  }
}

tlm_response_status RowMemory::bytes(tlm_generic_payload& payload) {
  // One transaction lies within one partition: between partitions there are holes.
  if (payload.get_address() > 0x1FFF'FFFF) return ::tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const Location at = locate(map_, static_cast<std::uint32_t>(payload.get_address()));
  const std::uint64_t length = payload.get_data_length();
  if (at.space != space_ || at.partition >= kPartitions || at.offset + length > store_.bytes_per_partition()) {
    return ::tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  if (payload.is_write()) {
    store_.write(at.partition, at.offset, {payload.get_data_ptr(), length});
  } else {
    store_.read(at.partition, at.offset, {payload.get_data_ptr(), length});
  }
  return ::tlm::TLM_OK_RESPONSE;
}

}  // namespace tpb
