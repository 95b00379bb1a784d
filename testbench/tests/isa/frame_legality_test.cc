// Rules that every bundle meets. Each is broken alone; the nearest bundle that keeps it is accepted.
#include "testbench/tests/isa/judging.h"

namespace tpb::test {
namespace {

const LegalityContext kPool = on(Engine::pool);

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
  expect_violation(control(0x58), kPool, "not_modelled", "opcode", "0x58", "MaxPoolSelect is not modelled");
  expect_violation(control(0x96), kPool, "not_modelled", "opcode", "0x96", "Sort is not modelled");
  expect_violation(control(0x30), kPool, "not_modelled", "opcode", "0x30", "Exponential is not modelled");
  // 0x8E is BatchNormParamLoad2 in every generation, never a packed BF16 opcode.
  for (Generation generation : kGenerations) {
    S3S3D3_TT bundle = tensor_tensor_bf16();
    bundle.frame.opcode = 0x8E;
    expect_violation(bundle, on(Engine::pool, generation), "not_modelled", "opcode", "0x8E",
                     "BatchNormParamLoad2 is not modelled");
  }
}

TEST(Frame, ProfileDecidesWhatAReduceOpcodeReduces) {
  expect_legal(reduce(0x7C), kPool);
  expect_legal(reduce(0x42), arch(kPool));
  expect_legal(cross_lane(0x42), kPool);
  expect_legal(cross_lane(0x7C), arch(kPool));
  // The fields of one make no sense as the other's: the axis is where that has reserved bytes or its operation.
  expect_violation(reduce(0x42), kPool, "s4d4_cr_reserved_zero", "byte 37", "0x02");
  expect_violation(cross_lane(0x7C), kPool, "has_valid_tensor_reduce_op", "op", "bitwise_not");
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
  expect_violation(reduce_bf16(0x8C), arch(kPool), "has_valid_nc_tensor_reduce_add_bf16", "opcode", "0x8C",
                   "opcode 0x42");
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

}  // namespace

Mutations frame_mutations() {
  Mutations all;
  Breaking nop(all, control(), kPool);
  nop.by([](auto& b) { b.frame.length = 0; }, "has_valid_neuron_header", "length", "0x00", "0x10");
  nop.by([](auto& b) { b.frame.debug_cmd = 2; }, "has_valid_neuron_header", "debug_cmd", "2", "0, 1, 3, 5, 7 or 9");
  nop.by([](auto& b) { b.frame.wait_mode = 6; }, "has_valid_neuron_events", "wait_mode", "0x06", "0x81..0x85");
  nop.by([](auto& b) { b.frame.opcode = 0xFF; }, "illegal_opcode", "opcode", "0xFF", "illegal opcode");
  nop.by([](auto& b) { b.frame.opcode = 0xC1; }, "pseudo_opcode", "opcode", "0xC1", "never reaches a device");
  nop.by([](auto& b) { b.frame.opcode = 0x58; }, "not_modelled", "opcode", "0x58", "MaxPoolSelect is not modelled");
  nop.reserved(12, 63, "control_reserved_zero");
  Breaking ids(all, sequence_bounds(), kPool);
  ids.in(on(Engine::pool, Generation::sunda), "has_valid_nc_get_sequence_bounds", "opcode", "0xBE", "cayman on");
  ids.in(on(Engine::dve), "engine_accepts_opcode", "engine", "dve", "pool");
  return all;
}

}  // namespace tpb::test
