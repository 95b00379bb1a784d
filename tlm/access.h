// The memory transaction: a generic payload plus this extension asks for the rows of one operand and gets a view of
// them. Values move at once; time moves separately, through the uses the memory reports.
#pragma once

#include <cstdint>
#include <tlm>

#include "models/datapath/row_view.h"
#include "tlm/resources.h"

namespace tpb {

struct AccessExtension : ::tlm::tlm_extension<AccessExtension> {
  // Request. The payload's command, address and length say the same as the operand does.
  Engine initiator = Engine::pe;
  Operand operand;
  std::uint64_t stream_cycles = 0;  // of the initiator's clock, at full rate
  bool values = true;               // false: time only, nothing will be read or written

  // Answer, valid with TLM_OK_RESPONSE.
  RowView view;
  ResourceUses uses;
  std::uint32_t head_latency = 0;  // cycles of the initiator before the first row
  bool half_rate = false;          // the innermost step is wider than the port serves at full rate

  ::tlm::tlm_extension_base* clone() const override { return new AccessExtension(*this); }
  void copy_from(const ::tlm::tlm_extension_base& other) override {
    *this = static_cast<const AccessExtension&>(other);
  }
};

// A payload and its extension, kept for ever by the initiator of one operand.
class AccessPayload {
 public:
  AccessPayload() { payload_.set_extension(&extension_); }
  ~AccessPayload() { payload_.clear_extension(&extension_); }
  AccessPayload(const AccessPayload&) = delete;
  AccessPayload& operator=(const AccessPayload&) = delete;

  ::tlm::tlm_generic_payload& prepare(::tlm::tlm_command command, Engine initiator, const Operand& operand,
                                      std::uint64_t stream_cycles, bool values) {
    extension_.initiator = initiator;
    extension_.operand = operand;
    extension_.stream_cycles = stream_cycles;
    extension_.values = values;
    const std::uint64_t bytes = operand.pattern.elements() * operand.channels * bytes_of(operand.dtype);
    payload_.set_command(command);
    payload_.set_address(operand.pattern.start_addr);
    payload_.set_data_length(static_cast<unsigned>(bytes));
    payload_.set_streaming_width(static_cast<unsigned>(bytes));
    payload_.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
    return payload_;
  }
  const AccessExtension& answer() const { return extension_; }

 private:
  ::tlm::tlm_generic_payload payload_;
  AccessExtension extension_;
};

}  // namespace tpb
