// Rules that every bundle meets, and those of Pool. Each is broken alone; the nearest bundle that keeps it is accepted.
#include "testbench/tests/isa/legal_bundles.h"

namespace tpb::test {
namespace {

const LegalityContext kPool = on(Engine::pool);
const LegalityContext kDve = on(Engine::dve);

TEST(LegalBundles, AreLegal) {
  for (Engine engine : kEngines) {
    for (std::uint8_t opcode : {std::uint8_t{0xA0}, std::uint8_t{0xA1}, std::uint8_t{0xA4}})
      expect_legal(control(opcode), on(engine));
  }
  for (Engine engine : {Engine::pool, Engine::dve}) {
    for (Generation generation : kGenerations) {
      const LegalityContext context = on(engine, generation);
      expect_legal(pool(), context);
      expect_legal(reduce(), context);
      expect_legal(reduce_bitvec(), context);
      expect_legal(copy(), context);
      expect_legal(copy(0x47), context);
      expect_legal(tensor_tensor(), context);
    }
    const LegalityContext sunda = on(engine, Generation::sunda);
    expect_legal(reduce_bf16(0x8C), sunda);
    expect_legal(reduce_bf16(0x8D), sunda);
    expect_legal(tensor_tensor_bf16(0x8A, 0x04), sunda);
    expect_legal(tensor_tensor_bf16(0x8B, 0x06), sunda);
    expect_legal(tensor_tensor_bf16(0x8F, 0x05), sunda);
  }
}

TEST(Frame, Header) {
  ControlBundle bundle = control();
  bundle.frame.length = 0x11;
  expect_violation(bundle, kPool, "has_valid_neuron_header", "length", "0x11", "0x10");
  for (unsigned command = 0; command < 256; ++command) {
    bundle = control();
    bundle.frame.debug_cmd = static_cast<std::uint8_t>(command);
    if (command == 0 || command == 1 || command == 3 || command == 5 || command == 7 || command == 9) {
      expect_legal(bundle, kPool);
    } else {
      expect_violation(bundle, kPool, "has_valid_neuron_header", "debug_cmd", std::to_string(command));
    }
  }
  bundle = control();
  bundle.frame.debug_hint = 0xFF;  // any
  expect_legal(bundle, kPool);
}

TEST(Frame, WaitModes) {
  for (unsigned mode = 0; mode < 256; ++mode) {
    ControlBundle bundle = control();
    bundle.frame.wait_mode = static_cast<std::uint8_t>(mode);
    if (mode <= 5 || (mode >= 0x81 && mode <= 0x85)) {
      expect_legal(bundle, kPool);
    } else {
      expect_violation(bundle, kPool, "has_valid_neuron_events", "wait_mode", fmt_hex(mode));
    }
  }
}

TEST(Frame, UpdateModes) {
  const std::set<unsigned> known{0, 0x03, 0x04, 0x05, 0x07, 0x09, 0x13, 0x14, 0x15, 0x17, 0x19, 0x99};
  for (unsigned mode = 0; mode < 256; ++mode) {
    ControlBundle bundle = control();
    bundle.frame.update_mode = static_cast<std::uint8_t>(mode);
    if (known.contains(mode)) {
      expect_legal(bundle, kPool);
    } else {
      expect_violation(bundle, kPool, "has_valid_neuron_events", "update_mode", fmt_hex(mode));
    }
  }
}

TEST(Frame, RegistersAreBelow64) {
  ControlBundle bundle = control();
  bundle.frame.value = 64;
  bundle.frame.wait_mode = 0x05;  // an immediate may be anything
  expect_legal(bundle, kPool);
  bundle.frame.wait_mode = 0x85;
  expect_violation(bundle, kPool, "has_valid_neuron_events", "value", "64");
  bundle.frame.value = 63;
  expect_legal(bundle, kPool);
  bundle.frame.wait_mode = 0;
  bundle.frame.update_mode = 0x99;
  expect_legal(bundle, kPool);
  bundle.frame.value = 64;
  expect_violation(bundle, kPool, "has_valid_neuron_events", "value", "64");
}

TEST(Frame, UnnamedAndPseudoOpcodes) {
  expect_violation(control(0x00), kPool, "illegal_opcode", "opcode", "0x00", "illegal opcode");
  expect_violation(control(0xFF), kPool, "illegal_opcode", "opcode", "0xFF", "illegal opcode");
  expect_violation(control(0xC1), kPool, "pseudo_opcode", "opcode", "0xC1", "never reaches a device");
  expect_violation(control(0xDF), kPool, "pseudo_opcode", "opcode", "0xDF", "never reaches a device");
  EXPECT_EQ(all_violations(bytes_of_bundle(control(0xFF)), kPool).size(), 1U);
}

TEST(Frame, NamedButNotModelled) {
  expect_violation(control(0x51), kPool, "not_modelled", "opcode", "0x51", "not modelled");
  expect_violation(control(0x30), kPool, "not_modelled", "opcode", "0x30", "Exponential is not modelled");
  // 0x8E is BatchNormParamLoad2 in every generation, never a packed BF16 opcode.
  for (Generation generation : kGenerations) {
    S3S3D3_TT bundle = tensor_tensor_bf16();
    bundle.frame.opcode = 0x8E;
    expect_violation(bundle, on(Engine::pool, generation), "not_modelled", "opcode", "0x8E",
                     "BatchNormParamLoad2 is not modelled");
  }
}

TEST(Frame, ProfileDecidesWhichReduceOpcodeIsModelled) {
  LegalityContext arch = kPool;
  arch.semantics.reduce_opcodes = SemanticsOptions::ReduceOpcodes::arch;
  expect_legal(reduce(0x7C), kPool);
  expect_legal(reduce(0x42), arch);
  expect_violation(reduce(0x42), kPool, "not_modelled", "opcode", "0x42", "cross_lane_reduce");
  expect_violation(reduce(0x7C), arch, "not_modelled", "opcode", "0x7C", "CrossLaneReduceArith");
}

TEST(Frame, GenerationsThatDoNotHaveAnOpcode) {
  expect_violation(control(0xBE), on(Engine::pool, Generation::sunda), "has_valid_nc_get_sequence_bounds", "opcode",
                   "0xBE", "cayman on, this is sunda");
  expect_violation(control(0xF3), on(Engine::pool, Generation::mariana), "has_valid_nc_tensor_tensor_int_wide",
                   "opcode", "0xF3", "maverick, this is mariana");
  expect_violation(control(0x09), on(Engine::pe, Generation::cayman), "has_valid_nc_ld_weights_mx", "opcode", "0x09");
  struct Retired {
    Bundle bundle;
    const char* rule;
    const char* value;
    const char* replacement;
  };
  const Retired retired[] = {
      {bytes_of_bundle(tensor_tensor_bf16(0x8A, 4)), "has_valid_nc_tensor_tensor_add_bf16", "0x8A",
       "use tensor_tensor op=add (opcode 0x41)"},
      {bytes_of_bundle(tensor_tensor_bf16(0x8B, 6)), "has_valid_nc_tensor_tensor_mult_bf16", "0x8B",
       "use tensor_tensor op=mult (opcode 0x41)"},
      {bytes_of_bundle(tensor_tensor_bf16(0x8F, 5)), "has_valid_nc_tensor_tensor_sub_bf16", "0x8F",
       "use tensor_tensor op=subtract (opcode 0x41)"},
      {bytes_of_bundle(reduce_bf16(0x8C)), "has_valid_nc_tensor_reduce_add_bf16", "0x8C",
       "use tensor_reduce op=add (opcode 0x7C)"},
      {bytes_of_bundle(reduce_bf16(0x8D)), "has_valid_nc_tensor_reduce_max_bf16", "0x8D",
       "use tensor_reduce op=max (opcode 0x7C)"},
  };
  for (const Retired& row : retired) {
    for (Generation later : {Generation::cayman, Generation::mariana, Generation::mariana_plus, Generation::maverick}) {
      expect_violation(row.bundle, on(Engine::pool, later), row.rule, "opcode", row.value, row.replacement);
      expect_violation(row.bundle, on(Engine::pool, later), row.rule, "opcode", row.value, name_of(later));
    }
  }
  LegalityContext arch = kPool;
  arch.semantics.reduce_opcodes = SemanticsOptions::ReduceOpcodes::arch;
  expect_violation(reduce_bf16(0x8C), arch, "has_valid_nc_tensor_reduce_add_bf16", "opcode", "0x8C", "opcode 0x42");
}

TEST(Frame, Engines) {
  expect_violation(pool(), on(Engine::act), "engine_accepts_opcode", "engine", "act", "dve, pool");
  expect_violation(tensor_tensor(), on(Engine::pe), "engine_accepts_opcode", "engine", "pe", "dve, pool");
  expect_violation(reduce(), on(Engine::sfu), "engine_accepts_opcode", "engine", "sfu", "dve, pool");
  // The scalar engine copies and casts from cayman on.
  expect_legal(copy(), on(Engine::act, Generation::cayman));
  expect_legal(copy(0x47), on(Engine::act, Generation::mariana));
  expect_violation(copy(), on(Engine::act, Generation::sunda), "engine_accepts_opcode", "engine", "act", "dve, pool");
}

TEST(Control, EveryUncoveredByteIsReserved) {
  for (unsigned byte = 12; byte < 64; ++byte) {
    Bundle bundle = bytes_of_bundle(control());
    bundle[byte] = 0x80;
    expect_violation(bundle, kPool, "control_reserved_zero", "byte " + std::to_string(byte), "0x80");
  }
}

TEST(Pool, ReservedBytes) {
  for (unsigned byte : {35U, 38U, 39U}) {
    Bundle bundle = bytes_of_bundle(pool());
    bundle[byte] = 1;
    expect_violation(bundle, kPool, "s4d4_pl_reserved_zero", "byte " + std::to_string(byte), "0x01");
  }
}

TEST(Pool, Channels) {
  for (unsigned channels = 0; channels < 256; ++channels) {
    S4D4_PL bundle = pool();
    bundle.num_active_channels = static_cast<std::uint8_t>(channels);
    if (channels >= 1 && channels <= 128) {
      expect_legal(bundle, kPool);
    } else {
      expect_violation(bundle, kPool, "check_active_channels", "num_active_channels", std::to_string(channels),
                       "1..128");
    }
  }
}

TEST(Pool, Dtypes) {
  S4D4_PL bundle = pool();
  bundle.in_dtype = kFp32r;
  expect_violation(bundle, kPool, "is_valid_dtype", "in_dtype", "fp32r", "fp32");
  bundle = pool();
  bundle.out_dtype = kFp32r;
  expect_legal(bundle, kPool);
  bundle.out_dtype = 0x0C;
  expect_violation(bundle, kPool, "is_valid_dtype", "out_dtype", "int64", "fp32r");
  bundle.out_dtype = 0x17;
  expect_violation(bundle, kPool, "is_valid_dtype", "out_dtype", "0x17");
}

TEST(Pool, Function) {
  S4D4_PL bundle = pool();
  bundle.pool_func = 1;
  expect_legal(bundle, kPool);
  for (std::uint8_t function : {std::uint8_t{0}, std::uint8_t{3}, std::uint8_t{255}}) {
    bundle.pool_func = function;
    expect_violation(bundle, kPool, "has_valid_pool_func", "pool_func", std::to_string(function),
                     "has unimplemented Pooling type");
  }
}

TEST(Pool, Subdimension) {
  for (unsigned dimension = 0; dimension < 8; ++dimension) {
    S4D4_PL bundle = pool();
    bundle.pool_dim = static_cast<std::uint8_t>(dimension);
    if (dimension == 3) {
      expect_legal(bundle, kPool);
    } else {
      expect_violation(bundle, kPool, "valid_subdim", "pool_dim", std::to_string(dimension), "3");
    }
  }
}

TEST(Pool, AverageOfAnIndirectSource) {
  S4D4_PL bundle = pool();
  for (const auto& [address, text] : {std::pair{0x2000'0000U, "0x20000000"}, std::pair{0x4000'0000U, "0x40000000"}}) {
    bundle.src.start_addr = address;
    expect_violation(bundle, kPool, "pool_average_direct_src", "src.start_addr", text,
                     "POOL with Average Function doesn't support TensorIndirect AP as src AP");
  }
  bundle.pool_func = 1;
  bundle.src.start_addr = 0x2000'0000;
  expect_violation(bundle, kPool, "indirection_not_modelled", "src.start_addr", "0x20000000",
                   "indirection not modelled");
}

TEST(Pool, AddressRegisters) {
  S4D4_PL bundle = pool();
  bundle.dst.start_addr = 0x8000'0000;
  expect_violation(bundle, kPool, "indirection_not_modelled", "dst.start_addr", "0x80000000");
  bundle = pool();
  bundle.src.start_addr = 0x8000'003F;
  expect_violation(bundle, kPool, "indirection_not_modelled", "src.start_addr", "0x8000003F",
                   "indirection not modelled (address register)");
  bundle.src.start_addr = 0x8000'0040;
  expect_violation(bundle, kPool, "start_addr_active_channels", "src.start_addr", "0x80000040", "below 64");
  bundle.src.start_addr = 0x8000'0100;
  expect_violation(bundle, kPool, "start_addr_active_channels", "src.start_addr", "0x80000100");
}

TEST(Pool, StartPartitions) {
  for (std::uint32_t partition = 0; partition < 130; ++partition) {
    for (std::uint32_t channels : {1U, 32U, 33U, 64U, 65U, 128U}) {
      const bool legal = channels > 64   ? partition == 0
                         : channels > 32 ? partition == 0 || partition == 64
                                         : partition == 0 || partition == 32 || partition == 64 || partition == 96;
      S4D4_PL bundle = pool();
      bundle.num_active_channels = static_cast<std::uint8_t>(channels);
      // Past partition 127 lies PSUM, whose partition 0 is a legal start again.
      bundle.dst.start_addr = partition * 0x40000 + 0x2000;
      if (legal || partition == 128) {
        expect_legal(bundle, kPool);
      } else if (partition < 128) {
        expect_violation(bundle, kPool, "start_addr_active_channels", "dst.start_addr",
                         fmt_address(bundle.dst.start_addr), "this is " + std::to_string(partition));
      }
    }
  }
  S4D4_PL bundle = pool();
  bundle.dst.start_addr = 0x0200'0000 + 128 * 0x8000;  // one past PSUM's last partition
  expect_violation(bundle, kPool, "start_addr_active_channels", "dst.start_addr", "0x02400000");
}

TEST(Pool, Alignment) {
  S4D4_PL bundle = pool();
  bundle.src.start_addr = 2;
  expect_violation(bundle, kPool, "tensor4d_valid", "src.start_addr", "0x00000002", "4 bytes");
  bundle.in_dtype = kBf16;
  expect_legal(bundle, kPool);
  bundle.src.start_addr = 1;
  expect_violation(bundle, kPool, "tensor4d_valid", "src.start_addr", "0x00000001", "2 bytes");
  bundle.in_dtype = kUint8;
  expect_legal(bundle, kPool);
}

TEST(Pool, CountsOfZero) {
  for (unsigned d = 0; d < 4; ++d) {
    S4D4_PL bundle = pool();
    bundle.src.num[d] = 0;
    expect_violation(bundle, kPool, "tensor4d_valid", "src.num_elem[" + std::to_string(d) + "]", "0");
    bundle = pool();
    bundle.dst.num[d] = 0;
    expect_violation(bundle, kPool, "tensor4d_valid", "dst.num_elem[" + std::to_string(d) + "]", "0");
  }
}

TEST(Pool, EveryByteLiesInThePartition) {
  LegalityContext context = kPool;
  context.memory.sbuf_bytes_per_partition = 8192;
  S4D4_PL bundle = pool();
  // 16 x 16 fp32 are 1024 bytes: from 7168 they end with byte 8191.
  bundle.dst.start_addr = 7168;
  expect_legal(bundle, context);
  bundle.dst.start_addr = 7172;
  expect_violation(bundle, context, "tensor4d_valid", "dst", "bytes 7172..8195 of a partition", "0..8191");
  // Backwards from byte 1020: 255 steps of -4 reach byte 0 exactly.
  bundle.dst = {1020, {-1, -16, 1, 1}, {16, 16, 1, 1}};
  expect_legal(bundle, context);
  bundle.dst.start_addr = 1016;
  expect_violation(bundle, context, "tensor4d_valid", "dst", "bytes -4..1019 of a partition", "0..8191");
}

TEST(Pool, MayUsePsumInAPoolStream) {
  S4D4_PL bundle = pool();
  bundle.src.start_addr = 0x0200'0000;  // 4096 bytes
  bundle.dst.start_addr = 0x0200'2000;
  expect_legal(bundle, kPool);
  expect_legal(bundle, kDve);
  // 16 KiB a partition: 1024 bytes from 15 KiB + 4 end past it.
  bundle.dst.start_addr = 0x0200'3C04;
  expect_violation(bundle, kPool, "tensor4d_valid", "dst", "bytes 15364..16387 of a partition", "0..16383");
}

TEST(Pool, NarrowWritesToPsumFromMarianaOn) {
  S4D4_PL bundle = pool();
  bundle.dst.start_addr = 0x0200'0000;
  bundle.out_dtype = kBf16;
  for (Generation generation : kGenerations) {
    const LegalityContext context = on(Engine::pool, generation);
    if (generation < Generation::mariana) {
      expect_violation(bundle, context, "tensor4d_valid", "out_dtype", "bf16", "4-byte type in PSUM before mariana");
    } else {
      expect_legal(bundle, context);
    }
  }
  bundle = pool();
  bundle.src.start_addr = 0x0200'0000;  // reads may be narrow
  bundle.in_dtype = kBf16;
  expect_legal(bundle, kPool);
}

TEST(Pool, OneResultPerWindow) {
  S4D4_PL bundle = pool();
  bundle.dst.num[0] = 15;
  expect_violation(bundle, kPool, "pool_element_count_check", "dst.num_elem", "240", "256 elements");
  bundle.dst = {0x2000, {1, 1, 1, 1}, {256, 1, 1, 1}};  // counts, not shapes
  expect_legal(bundle, kPool);
}

}  // namespace
}  // namespace tpb::test
