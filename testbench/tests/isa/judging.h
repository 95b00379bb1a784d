// What a bundle is judged to be, and tables of bundles with one rule broken.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/tests/isa/legal_bundles.h"

namespace tpb::test {

inline std::string fmt_hex(unsigned byte) { return fmt::format("0x{:02X}", byte); }
inline std::string fmt_address(std::uint32_t address) { return fmt::format("0x{:08X}", address); }

template <class BundleLayout>
Bundle bytes_of_bundle(const BundleLayout& bundle) {
  return std::bit_cast<Bundle>(bundle);
}

template <class BundleLayout>
void expect_legal(const BundleLayout& bundle, const LegalityContext& context) {
  const auto violation = first_violation(bytes_of_bundle(bundle), context);
  EXPECT_FALSE(violation.has_value()) << violation->rule << ' ' << violation->field << ' ' << violation->value << " ("
                                      << violation->allowed << ')';
  EXPECT_TRUE(all_violations(bytes_of_bundle(bundle), context).empty());
}

template <class BundleLayout>
void expect_violation(const BundleLayout& bundle, const LegalityContext& context, std::string_view rule,
                      std::string_view field, std::string_view value, std::string_view allowed = "") {
  const auto violation = first_violation(bytes_of_bundle(bundle), context);
  ASSERT_TRUE(violation.has_value()) << "expected " << rule;
  EXPECT_EQ(violation->rule, rule);
  EXPECT_EQ(violation->field, field);
  EXPECT_EQ(violation->value, value);
  EXPECT_FALSE(violation->allowed.empty());
  EXPECT_THAT(violation->allowed, testing::HasSubstr(std::string(allowed)));
}

using Codes = std::set<unsigned>;
inline Codes with(Codes a, const Codes& b) {
  a.insert(b.begin(), b.end());
  return a;
}
inline Codes without(Codes a, const Codes& b) {
  for (unsigned code : b) a.erase(code);
  return a;
}

// Which values of a field of one byte a bundle is legal with.
template <class BundleLayout>
Codes legal_values(BundleLayout bundle, std::uint8_t BundleLayout::*field, const LegalityContext& context) {
  Codes legal;
  for (unsigned value = 0; value < 256; ++value) {
    bundle.*field = static_cast<std::uint8_t>(value);
    if (!first_violation(bytes_of_bundle(bundle), context)) legal.insert(value);
  }
  return legal;
}

template <class BundleLayout, class Change>
BundleLayout changed(BundleLayout bundle, Change change) {
  change(bundle);
  return bundle;
}

// ---- tables --------------------------------------------------------------------------------------------------------

// A legal bundle, one with a rule broken that is as near to it as can be, and what is said of that.
struct Mutation {
  Bundle legal;
  LegalityContext legal_context;
  Bundle broken;
  LegalityContext context;
  std::string rule, field, value, allowed;
};
using Mutations = std::vector<Mutation>;

// Adds mutations of one legal bundle.
template <class BundleLayout>
class Breaking {
 public:
  Breaking(Mutations& all, const BundleLayout& legal, const LegalityContext& context)
      : all_(all), legal_(legal), context_(context) {}

  template <class Change>
  void by(Change change, std::string rule, std::string field, std::string value, std::string allowed) {
    add(changed(legal_, change), context_, std::move(rule), std::move(field), std::move(value), std::move(allowed));
  }
  // The same bytes where they are not legal.
  void in(const LegalityContext& context, std::string rule, std::string field, std::string value, std::string allowed) {
    add(legal_, context, std::move(rule), std::move(field), std::move(value), std::move(allowed));
  }
  void channels(std::string rule = "check_active_channels") {
    by([](auto& b) { b.num_active_channels = 129; }, rule, "num_active_channels", "129", "1..128");
    by([](auto& b) { b.num_active_channels = 0; }, rule, "num_active_channels", "0", "1..128");
  }
  // Each of the bytes first..last, alone.
  void reserved(unsigned first, unsigned last, const std::string& rule) {
    for (unsigned byte = first; byte <= last; ++byte) {
      Bundle broken = bytes_of_bundle(legal_);
      broken[byte] = 0x81;
      add(std::bit_cast<BundleLayout>(broken), context_, rule, "byte " + std::to_string(byte), "0x81", "0: reserved");
    }
  }
  void input_dtype(std::uint8_t BundleLayout::*dtype, const std::string& field) {
    by([&](auto& b) { b.*dtype = kFp32r; }, "is_valid_dtype", field, "fp32r", "fp32, fp8_e3m4");
  }
  void output_dtype(std::uint8_t BundleLayout::*dtype, const std::string& field) {
    by([&](auto& b) { b.*dtype = 0x0C; }, "is_valid_dtype", field, "int64", "fp32, fp32r");
    by([&](auto& b) { b.*dtype = 0x17; }, "is_valid_dtype", field, "0x17", "fp32, fp32r");
  }
  // A source or destination: start partition, address register, a count of zero, alignment.
  template <unsigned Dims>
  void operand(TensorDescriptor<Dims> BundleLayout::*at, const std::string& name, const std::string& tensor_rule,
               const std::string& start_rule = "start_addr_active_channels", const std::string& alignment_rule = "") {
    const std::uint32_t start = (legal_.*at).start_addr;
    by([&](auto& b) { (b.*at).start_addr += 0x40000; }, start_rule, name + ".start_addr", fmt_address(start + 0x40000),
       "this is 1");
    by([&](auto& b) { (b.*at).start_addr = 0x8000'0001; }, "indirection_not_modelled", name + ".start_addr",
       "0x80000001", "an immediate address: indirection not modelled (address register)");
    by([&](auto& b) { (b.*at).num[Dims - 1] = 0; }, tensor_rule, fmt::format("{}.num_elem[{}]", name, Dims - 1), "0",
       "1..65535");
    by([&](auto& b) { (b.*at).start_addr += 1; }, alignment_rule.empty() ? tensor_rule : alignment_rule,
       name + ".start_addr", fmt_address(start + 1), "a multiple of 4 bytes");
  }
  template <unsigned Dims>
  void no_psum(TensorDescriptor<Dims> BundleLayout::*at, const std::string& name, const std::string& tensor_rule) {
    by([&](auto& b) { (b.*at).start_addr = kPsumBase + 0x1000; }, tensor_rule, name + ".start_addr", "0x02001000",
       "SBUF");
  }

 private:
  void add(const BundleLayout& broken, const LegalityContext& context, std::string rule, std::string field,
           std::string value, std::string allowed) {
    all_.push_back({bytes_of_bundle(legal_), context_, bytes_of_bundle(broken), context, std::move(rule),
                    std::move(field), std::move(value), std::move(allowed)});
  }

  Mutations& all_;
  BundleLayout legal_;
  LegalityContext context_;
};

// The tables, one per family, each in the file of its family's tests.
Mutations frame_mutations();
Mutations pool_mutations();
Mutations tensor_reduce_mutations();
Mutations copy_mutations();
Mutations tensor_tensor_mutations();
Mutations cross_lane_mutations();
Mutations search_mutations();
Mutations sequence_bounds_mutations();
Mutations int_wide_mutations();
Mutations tensor_scalar_mutations();
Mutations activate_mutations();
Mutations matmul_mutations();
Mutations scalar_tensor_tensor_mutations();
Mutations fill_mutations();
Mutations tile_mutations();
// All of them.
Mutations every_mutation();

// What every S4D4_TR can be wrong in; those that transpose. (`input_is_pinned`: to bf16, in whole pairs.)
void every_s4d4_tr(Mutations& all, const S4D4_TR& legal, const LegalityContext& context, bool input_is_pinned = false);
void every_transpose(Mutations& all, const S4D4_TR& legal, const LegalityContext& context);

}  // namespace tpb::test
