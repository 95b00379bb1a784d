// The core as a TLM-2.0 component: what a host reaches through the base protocol, and how errors answer.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstring>

#include "models/core/neuron_core.h"
#include "testbench/tests/support/run_program.h"

namespace tpb::test {
namespace {

class Initiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Initiator> socket;
  explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_nb_transport_bw(this, &Initiator::backward);
  }
  ::tlm::tlm_sync_enum backward(::tlm::tlm_generic_payload&, ::tlm::tlm_phase& phase, sc_core::sc_time&) {
    phases.push_back(phase);
    return ::tlm::TLM_ACCEPTED;
  }
  std::vector<::tlm::tlm_phase> phases;
};

// A platform of another kind: a core driven by a foreign host alone.
class HostTest : public testing::Test {
 protected:
  HostTest() : core_(parts().core), host_(parts().host) {
    core_.reset(config_for(Generation::cayman));
    host_.phases.clear();
  }
  ::tlm::tlm_response_status access(::tlm::tlm_command command, std::uint64_t address, void* data, unsigned length) {
    payload_.set_command(command);
    payload_.set_address(address);
    payload_.set_data_ptr(static_cast<unsigned char*>(data));
    payload_.set_data_length(length);
    payload_.set_streaming_width(length);
    payload_.set_byte_enable_ptr(nullptr);
    payload_.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay;
    host_.socket->b_transport(payload_, delay);
    return payload_.get_response_status();
  }
  ::tlm::tlm_response_status write32(std::uint64_t address, std::uint32_t value) {
    return access(::tlm::TLM_WRITE_COMMAND, address, &value, 4);
  }
  std::uint32_t read32(std::uint64_t address) {
    std::uint32_t value = 0xDEADBEEF;
    EXPECT_EQ(access(::tlm::TLM_READ_COMMAND, address, &value, 4), ::tlm::TLM_OK_RESPONSE);
    return value;
  }

  struct Parts {
    Parts() : core("core"), host("host") {
      host.socket.bind(core.host());
      sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    NeuronCore core;
    Initiator host;
  };
  // Elaborated once per process.
  static Parts& parts() {
    static Parts parts;
    return parts;
  }

  NeuronCore& core_;
  Initiator& host_;
  ::tlm::tlm_generic_payload payload_;
};

TEST_F(HostTest, ReadsAndWritesMemoryOnLinearAddresses) {
  // Partition 5, byte 0x101 of SBUF: an unaligned run of 7 bytes.
  const std::uint64_t address = 5 * 0x40000 + 0x101;
  unsigned char out[7] = {1, 2, 3, 4, 5, 6, 7};
  unsigned char in[7] = {};
  EXPECT_EQ(access(::tlm::TLM_WRITE_COMMAND, address, out, 7), ::tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(access(::tlm::TLM_READ_COMMAND, address, in, 7), ::tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(std::memcmp(in, out, 7), 0);
  EXPECT_EQ(read32(5 * 0x40000 + 0x100), 0x03020100U);
  // The neighbour partition is untouched.
  EXPECT_EQ(read32(6 * 0x40000 + 0x100), 0U);
  EXPECT_EQ(write32(0x02000000 + 127 * 0x8000 + 0x3FFC, 42), ::tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(read32(0x02000000 + 127 * 0x8000 + 0x3FFC), 42U);
}

TEST_F(HostTest, AddressesOutsideOfMemoryAreAddressErrorsAndNeverOk) {
  std::uint32_t word = 0;
  // cayman's SBUF holds 224 KiB = 0x38000 bytes of the stride of 0x40000; PSUM 16 KiB of 0x8000.
  for (std::uint64_t address :
       {std::uint64_t{0x38000}, std::uint64_t{0x37FFE}, std::uint64_t{0x02000000 + 0x4000}, std::uint64_t{0x02400000},
        std::uint64_t{0x1FFFFFFC}, std::uint64_t{0x20000404}, std::uint64_t{0x30000000}, std::uint64_t{0x100000000},
        std::uint64_t{0x7FFFFFFFFFFFFFF0}}) {
    EXPECT_EQ(access(::tlm::TLM_READ_COMMAND, address, &word, 4), ::tlm::TLM_ADDRESS_ERROR_RESPONSE)
        << std::hex << address;
    payload_.set_command(::tlm::TLM_READ_COMMAND);
    EXPECT_EQ(host_.socket->transport_dbg(payload_), 0U) << std::hex << address;
  }
}

TEST_F(HostTest, EverythingElseThatIsNotServedSaysSo) {
  std::uint32_t word = 0;
  EXPECT_EQ(access(::tlm::TLM_IGNORE_COMMAND, 0, &word, 4), ::tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(access(::tlm::TLM_READ_COMMAND, kHostDoorbell, &word, 4), ::tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(access(::tlm::TLM_READ_COMMAND, kHostSemaphores, &word, 3), ::tlm::TLM_BURST_ERROR_RESPONSE);
  unsigned char enables[4] = {0xFF, 0, 0xFF, 0};
  payload_.set_address(0);
  payload_.set_data_length(4);
  payload_.set_byte_enable_ptr(enables);
  payload_.set_byte_enable_length(4);
  sc_core::sc_time delay;
  host_.socket->b_transport(payload_, delay);
  EXPECT_EQ(payload_.get_response_status(), ::tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_streaming_width(2);
  host_.socket->b_transport(payload_, delay);
  EXPECT_EQ(payload_.get_response_status(), ::tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST_F(HostTest, DirectMemoryPointersAreRefused) {
  std::uint32_t word = 0;
  access(::tlm::TLM_READ_COMMAND, 0, &word, 4);
  EXPECT_FALSE(payload_.is_dmi_allowed());
  ::tlm::tlm_dmi region;
  EXPECT_FALSE(host_.socket->get_direct_mem_ptr(payload_, region));
}

TEST_F(HostTest, ProgramsRunByDoorbellAndSemaphoresWakeTheirWaiters) {
  // nop waiting for S[9] >= 1, then increment S[10]: bytes as the frame lays them out.
  Bundle wait{};
  wait[0] = 0xA4;
  wait[1] = 0x10;
  wait[4] = 0x05;
  wait[5] = 9;
  wait[8] = 1;
  Bundle update{};
  update[0] = 0xA0;
  update[1] = 0x10;
  update[6] = 0x13;
  update[7] = 10;
  const std::uint64_t dve_section = kHostInstructions + 2 * kSectionStride;
  EXPECT_EQ(access(::tlm::TLM_WRITE_COMMAND, dve_section, wait.data(), 64), ::tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(access(::tlm::TLM_WRITE_COMMAND, dve_section + 64, update.data(), 64), ::tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(write32(kHostDoorbell, 1U << 2), ::tlm::TLM_OK_RESPONSE);
  sc_core::sc_start();
  EXPECT_EQ(read32(kHostSemaphores + 40), 0U);
  EXPECT_EQ(write32(kHostSemaphores + 36, 1), ::tlm::TLM_OK_RESPONSE);
  sc_core::sc_start();
  EXPECT_EQ(read32(kHostSemaphores + 40), 1U);
}

TEST_F(HostTest, FourPhasesOfTheNonBlockingTransport) {
  std::uint32_t word = 7;
  payload_.set_command(::tlm::TLM_WRITE_COMMAND);
  payload_.set_address(0x40);
  payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
  payload_.set_data_length(4);
  payload_.set_streaming_width(4);
  payload_.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
  ::tlm::tlm_phase phase = ::tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  EXPECT_EQ(host_.socket->nb_transport_fw(payload_, phase, delay), ::tlm::TLM_ACCEPTED);
  sc_core::sc_start();
  // By the base protocol's rules BEGIN_RESP ends the request too.
  ASSERT_EQ(host_.phases.size(), 1U);
  EXPECT_EQ(host_.phases[0], ::tlm::BEGIN_RESP);
  phase = ::tlm::END_RESP;
  EXPECT_EQ(host_.socket->nb_transport_fw(payload_, phase, delay), ::tlm::TLM_COMPLETED);
  sc_core::sc_start();
  EXPECT_EQ(payload_.get_response_status(), ::tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(read32(0x40), 7U);
}

}  // namespace
}  // namespace tpb::test
