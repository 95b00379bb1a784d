// Rules of Max8, MatchValueLoad and FindIndex8.
#include "testbench/tests/isa/judging.h"

namespace tpb::test {
namespace {

const LegalityContext kDve = on(Engine::dve);
const LegalityContext kLoaded = loaded(kDve);

LegalityContext s2_bn(LegalityContext context) {
  context.semantics.match_value_load = SemanticsOptions::MatchValueLoad::s2_bn;
  return context;
}
LegalityContext successive(LegalityContext context) {
  context.semantics.find_index8 = SemanticsOptions::FindIndex8::successive;
  return context;
}
LegalityContext dims(LegalityContext context, std::uint8_t most) {
  context.semantics.max8_dims = most;
  return context;
}

TEST(Search, IsTheVectorEngines) {
  for (Generation generation : kGenerations) {
    const LegalityContext context = loaded(on(Engine::dve, generation));
    expect_legal(max8(), context);
    expect_legal(find_index8(), context);
    expect_legal(match_value_load(), context);
    expect_legal(match_value_load_s2_bn(), s2_bn(context));
  }
  expect_violation(max8(), on(Engine::pool), "engine_accepts_opcode", "engine", "pool", "dve");
  expect_violation(match_value_load(), on(Engine::pool), "engine_accepts_opcode", "engine", "pool", "dve");
}

TEST(Search, RowsHave8To16384Elements) {
  S4D2_BN bundle = max8();
  bundle.src = {0, {1, 1, 1, 1}, {8, 1, 1, 1}};
  expect_legal(bundle, kDve);
  bundle.src.num[0] = 16384;
  bundle.dst.start_addr = 0x20000;
  expect_legal(bundle, kDve);
}

TEST(Search, MostFreeDimensionsFollowTheProfile) {
  for (unsigned most = 2; most <= 4; ++most) {
    for (unsigned d = 0; d < 4; ++d) {
      S4D2_BN bundle = max8();
      bundle.src = {0, {1, 1, 1, 1}, {8, 1, 1, 1}};
      bundle.src.num[d] = 8 + (d == 0);
      const LegalityContext context = dims(kDve, static_cast<std::uint8_t>(most));
      if (d < most) {
        expect_legal(bundle, context);
      } else {
        expect_violation(bundle, context, "max8_dims_check", fmt::format("src.num_elem[{}]", d), "8",
                         fmt::format("1: in0.size() <= {}, at most {} free dimensions", most + 1, most));
      }
    }
  }
}

TEST(Search, IndicesAreUint32OrUint16WhenSuccessive) {
  EXPECT_EQ(legal_values(find_index8(), &S4D2_BN::out_dtype, kLoaded), Codes{kUint32});
  EXPECT_EQ(legal_values(find_index8(), &S4D2_BN::out_dtype, successive(kLoaded)), (Codes{0x05, kUint32}));
}

TEST(Search, TheLargestLoadCounts) {
  StreamState state = state_after(changed(match_value_load(), [](auto& b) { b.num_active_channels = 64; }), {}, {});
  EXPECT_EQ(state.match_value_channels, 64U);
  state = state_after(changed(match_value_load(), [](auto& b) { b.num_active_channels = 32; }), state, {});
  state = state_after(find_index8(), state, {});
  EXPECT_EQ(state.match_value_channels, 64U);
}

TEST(Search, MayUsePsum) {
  S4D2_BN bundle = max8();
  bundle.src.start_addr = kPsumBase;
  bundle.dst.start_addr += kPsumBase;
  expect_legal(bundle, kDve);
}

}  // namespace

Mutations search_mutations() {
  Mutations all;
  const std::pair<S4D2_BN, std::string> rows[] = {{max8(), "max8_element_count_check"},
                                                  {find_index8(), "find_index8_element_count_check"}};
  for (const auto& [legal, count] : rows) {
    Breaking row(all, legal, kLoaded);
    row.channels();
    row.reserved(35, 47, "s4d2_bn_reserved_zero");
    row.reserved(60, 63, "s4d2_bn_reserved_zero");
    row.input_dtype(&S4D2_BN::in_dtype, "in_dtype");
    row.output_dtype(&S4D2_BN::out_dtype, "out_dtype");
    row.operand(&S4D2_BN::src, "src", "tensor4d_valid");
    row.operand(&S4D2_BN::dst, "dst", "tensor2d_valid");
    row.by([](auto& b) { b.src.num[2] = 2; }, "max8_dims_check", "src.num_elem[2]", "2", "in0.size() <= 3");
    row.by([](auto& b) { b.dst.num[0] = 7; }, count, "dst.num_elem", "7", "8");
    row.by([](auto& b) { b.dst.num[1] = 2; }, count, "dst.num_elem", "16", "8");
    Breaking shortest(all, changed(legal, [](auto& b) { b.src = {0, {1, 1, 1, 1}, {8, 1, 1, 1}}; }), kLoaded);
    shortest.by([](auto& b) { b.src.num[0] = 7; }, count, "src.num_elem", "7", "8..16384");
    Breaking longest(all, changed(legal, [](auto& b) { b.src = {0, {1, 0, 1, 1}, {128, 128, 1, 1}}; }), kLoaded);
    longest.by([](auto& b) { b.src.num[0] = 129; }, count, "src.num_elem", "16512", "8..16384");
  }
  const std::string todo = "TODO: support MAX8 with TensorIndirect AP";
  Breaking largest(all, max8(), kDve);
  largest.by([](auto& b) { b.src.start_addr = 0x2000'0000; }, "max8_not_indirect", "src.start_addr", "0x20000000",
             todo);
  largest.by([](auto& b) { b.dst.start_addr = 0x4000'0000; }, "max8_not_indirect", "dst.start_addr", "0x40000000",
             todo);

  Breaking indices(all, find_index8(), kLoaded);
  indices.by([](auto& b) { b.out_dtype = 0x05; }, "has_valid_find_index8_out_dtype", "out_dtype", "uint16", "uint32");
  indices.in(kDve, "match_value_load_missing", "match values", "none", "match_value_load missing");
  Breaking narrow(all, changed(find_index8(), [](auto& b) { b.out_dtype = 0x05; }), successive(kLoaded));
  narrow.by([](auto& b) { b.out_dtype = kInt16; }, "has_valid_find_index8_out_dtype", "out_dtype", "int16",
            "uint16 or uint32");

  Breaking values(all, match_value_load(), kDve);
  values.channels();
  values.reserved(35, 47, "s4d2_mv_reserved_zero");
  values.reserved(60, 63, "s4d2_mv_reserved_zero");
  values.input_dtype(&S4D2_MV::data_dtype, "data_dtype");
  values.input_dtype(&S4D2_MV::values_dtype, "values_dtype");
  values.operand(&S4D2_MV::data, "data", "tensor4d_valid");
  values.operand(&S4D2_MV::values, "values", "tensor2d_valid");
  values.by([](auto& b) { b.data.num[3] = 2; }, "max8_dims_check", "data.num_elem[3]", "2", "at most 2");
  values.by([](auto& b) { b.values.num[0] = 9; }, "match_value_load_element_count_check", "values.num_elem", "9", "8");
  values.by([](auto& b) { b.data.num[0] = b.data.num[1] = 2; }, "match_value_load_element_count_check", "data.num_elem",
            "4", "8..16384");

  Breaking alone(all, match_value_load_s2_bn(), s2_bn(kDve));
  alone.channels();
  for (const auto& [first, last] : {std::pair{12U, 15U}, {28U, 31U}, {33U, 33U}, {35U, 63U}}) {
    alone.reserved(first, last, "s2_bn_reserved_zero");
  }
  alone.input_dtype(&S2_BN::in_dtype, "in_dtype");
  alone.operand(&S2_BN::src, "src", "tensor2d_valid");
  alone.by([](auto& b) { b.src.num[0] = 7; }, "match_value_load_element_count_check", "src.num_elem", "7", "8");
  return all;
}

}  // namespace tpb::test
