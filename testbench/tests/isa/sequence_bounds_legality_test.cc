// Rules of GetSequenceBounds, in the order of its predicate.
#include "testbench/tests/isa/judging.h"

namespace tpb::test {
namespace {

const LegalityContext kPool = on(Engine::pool);

TEST(SequenceBounds, DtypesAreAWhitelistBehindIsValidDtype) {
  const Codes whitelist{kInt32, kFp32};
  EXPECT_EQ(legal_values(sequence_bounds(), &S3D3_SEQ_BOUNDS::in_dtype, kPool), whitelist);
  EXPECT_EQ(legal_values(sequence_bounds(), &S3D3_SEQ_BOUNDS::out_dtype, kPool), whitelist);
  const LegalityContext maverick = on(Engine::pool, Generation::maverick);
  for (std::uint8_t code : {std::uint8_t{0x0C}, std::uint8_t{0x12}, std::uint8_t{0x13}}) {  // int64, int4, sfp8_e8
    S3D3_SEQ_BOUNDS bundle = sequence_bounds();
    bundle.in_dtype = code;
    EXPECT_EQ(first_violation(bytes_of_bundle(bundle), maverick)->rule, "is_valid_dtype");
  }
}

TEST(SequenceBounds, CountsAreProductsOf64Bits) {
  // 65535 x 65535 x 2 elements are more than 32 bits hold, and the destination does not hold them twice.
  S3D3_SEQ_BOUNDS bundle = sequence_bounds();
  bundle.src = {0, {0, 0, 0}, {65535, 65535, 2}};
  bundle.dst = {0x2000, {0, 0, 0}, {65535, 65535, 2}};
  expect_violation(bundle, kPool, "s3d3_seq_bounds_element_count_check_t3d", "dst.num_elem", "8589672450",
                   "17179344900 elements");
  bundle.src.num[2] = 1;
  expect_legal(bundle, kPool);
}

TEST(SequenceBounds, ViolationsComeInTheOrderOfThePredicate) {
  S3D3_SEQ_BOUNDS bundle = sequence_bounds();
  bundle.frame.length = 0;
  bundle.frame.wait_mode = 6;
  bundle.num_active_channels = 129;
  bundle.reserved0 = 1;
  bundle.in_dtype = bundle.out_dtype = kFp32r;
  bundle.src.num[0] = 0;
  bundle.dst.start_addr = 0x8000'0040;
  std::vector<std::string> rules;
  for (const Violation& violation : all_violations(bytes_of_bundle(bundle), kPool)) {
    rules.emplace_back(violation.rule);
  }
  EXPECT_THAT(rules, testing::ElementsAre("has_valid_neuron_header", "has_valid_neuron_events", "check_active_channels",
                                          "has_valid_s3d3_seq_bounds_channels", "s3d3_seq_bounds_reserved_zero",
                                          "is_valid_dtype", "has_valid_seq_bounds_dtype", "has_valid_seq_bounds_dtype",
                                          "start_addr_active_channels", "indirection_not_modelled", "tensor3d_valid",
                                          "s3d3_seq_bounds_element_count_check_t3d"));
}

}  // namespace

Mutations sequence_bounds_mutations() {
  Mutations all;
  for (Generation generation : {Generation::cayman, Generation::mariana, Generation::maverick}) {
    Breaking ids(all, sequence_bounds(), on(Engine::pool, generation));
    ids.channels();
    ids.by([](auto& b) { b.num_active_channels = 2; }, "has_valid_s3d3_seq_bounds_channels", "num_active_channels", "2",
           "1");
    ids.reserved(13, 13, "s3d3_seq_bounds_reserved_zero");
    ids.reserved(48, 63, "s3d3_seq_bounds_reserved_zero");
    ids.input_dtype(&S3D3_SEQ_BOUNDS::in_dtype, "in_dtype");
    ids.output_dtype(&S3D3_SEQ_BOUNDS::out_dtype, "out_dtype");
    ids.by([](auto& b) { b.in_dtype = kFp16; }, "has_valid_seq_bounds_dtype", "in_dtype", "fp16", "int32 or fp32");
    ids.by([](auto& b) { b.out_dtype = kFp32r; }, "has_valid_seq_bounds_dtype", "out_dtype", "fp32r", "int32 or fp32");
    ids.operand(&S3D3_SEQ_BOUNDS::src, "src", "tensor3d_valid");
    ids.operand(&S3D3_SEQ_BOUNDS::dst, "dst", "tensor3d_valid");
    ids.no_psum(&S3D3_SEQ_BOUNDS::src, "src", "tensor3d_valid");
    ids.no_psum(&S3D3_SEQ_BOUNDS::dst, "dst", "tensor3d_valid");
    ids.by([](auto& b) { b.dst.num[0] = 8; }, "s3d3_seq_bounds_element_count_check_t3d", "dst.num_elem", "16",
           "18 elements (twice those of src)");
    ids.by([](auto& b) { b.dst.num[1] = 2, b.dst.num[2] = 1; }, "s3d3_seq_bounds_element_count_check_t3d",
           "dst.num_elem[2]", "1", "2: the minimum and the maximum");
  }
  return all;
}

}  // namespace tpb::test
