// A bundle written out as hexadecimal bytes; blanks separate fields.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "models/isa/layout.h"

namespace tpb {

inline Bundle hex(std::string_view text) {
  Bundle bundle{};
  std::size_t digits = 0;
  for (const char c : text) {
    if (c == ' ') continue;
    const int digit = c <= '9' ? c - '0' : c - 'a' + 10;
    auto& byte = bundle.at(digits++ / 2);
    byte = static_cast<std::uint8_t>(byte << 4 | digit);
  }
  EXPECT_EQ(digits, 128u) << text;
  return bundle;
}

}  // namespace tpb
