#include "models/config/input_error.h"

#include <gtest/gtest.h>

namespace tpb {
namespace {

TEST(InputError, SaysPlaceAndMessageALineEach) {
  const InputError error(std::vector<Diagnostic>{{"a.tpb", 3, 7, "one"}, {"a.tpb", 12, 1, "two"}});
  EXPECT_STREQ(error.what(), "a.tpb:3:7: error: one\na.tpb:12:1: error: two");
  EXPECT_EQ(error.diagnostics().size(), 2U);
}

TEST(Suggestion, IsTheNearestNameWithinAFewSlips) {
  const std::vector<std::string_view> names{"pool", "tensor_reduce", "tensor_tensor"};
  EXPECT_EQ(suggestion("pol", names), " (did you mean 'pool'?)");   // one missing
  EXPECT_EQ(suggestion("polo", names), " (did you mean 'pool'?)");  // one swap
  EXPECT_EQ(suggestion("POOL", names), " (did you mean 'pool'?)");  // case is no slip
  EXPECT_EQ(suggestion("tensor_tenser", names), " (did you mean 'tensor_tensor'?)");
  EXPECT_EQ(suggestion("tensor_redcue", names), " (did you mean 'tensor_reduce'?)");
  EXPECT_EQ(suggestion("activate", names), "");  // another word
  EXPECT_EQ(suggestion("", names), "");
  EXPECT_EQ(suggestion("pol", {}), "");
  EXPECT_EQ(suggestion(std::string(100000, 'p'), names), "");
}

}  // namespace
}  // namespace tpb
