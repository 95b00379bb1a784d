// Rules of Pool. Each is broken alone; the nearest bundle that keeps it is accepted.
#include "testbench/tests/isa/judging.h"

namespace tpb::test {
namespace {

const LegalityContext kPool = on(Engine::pool);
const LegalityContext kDve = on(Engine::dve);

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

Mutations pool_mutations() {
  Mutations all;
  Breaking average(all, pool(), kPool);
  average.channels();
  average.reserved(35, 35, "s4d4_pl_reserved_zero");
  average.reserved(38, 39, "s4d4_pl_reserved_zero");
  average.input_dtype(&S4D4_PL::in_dtype, "in_dtype");
  average.output_dtype(&S4D4_PL::out_dtype, "out_dtype");
  average.by([](auto& b) { b.pool_func = 3; }, "has_valid_pool_func", "pool_func", "3",
             "1 (max) or 2 (average): has unimplemented Pooling type");
  average.by([](auto& b) { b.pool_dim = 2; }, "valid_subdim", "pool_dim", "2", "3");
  average.by([](auto& b) { b.src.start_addr = 0x2000'0000; }, "pool_average_direct_src", "src.start_addr", "0x20000000",
             "POOL with Average Function doesn't support TensorIndirect AP as src AP");
  average.operand(&S4D4_PL::src, "src", "tensor4d_valid");
  average.operand(&S4D4_PL::dst, "dst", "tensor4d_valid");
  average.by([](auto& b) { b.dst.num[0] = 15; }, "pool_element_count_check", "dst.num_elem", "240", "256 elements");
  return all;
}

}  // namespace tpb::test
