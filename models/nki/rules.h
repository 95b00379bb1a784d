// Rules of the lowering: what the builder behind nki.isa refuses after the validators passed. Internal to the room.
#pragma once

#include <fmt/format.h>

#include <initializer_list>

#include "models/nki/arguments.h"
#include "models/nki/error.h"

namespace tpb::nki {

// A tile and the parameter it was given for.
struct NamedTile {
  std::string_view parameter;
  const Tile& tile;
};

// Every member throws the Error of a broken rule, with the identifier sema.METHOD.
class Rules {
 public:
  Rules(std::string_view method, std::string_view instruction) : method_(method), instruction_(instruction) {}

  std::string_view instruction() const { return instruction_; }

  [[noreturn]] void refuse(std::string_view parameter, std::string value, std::string message,
                           std::string identifier = {}) const;
  void require(bool holds, std::string_view parameter, const Value& value, std::string_view message) const {
    if (!holds) refuse(parameter, text_of(value), fmt::format("{} {}", instruction_, message));
  }

  // As many partitions, and as many elements in each.
  void same_size(NamedTile tile, NamedTile as) const;
  void not_both_in_psum(NamedTile a, NamedTile b) const;
  void in_sbuf(NamedTile tile) const;
  // A tile holds one value for each of the partitions. fp32 for arithmetic; for bit-vector operations int32 or uint32.
  void scalar(std::string_view parameter, const Scalar& scalar, std::uint32_t partitions, bool bitvec = false) const;
  void column(NamedTile tile, std::uint32_t partitions) const;

 private:
  std::string_view method_;
  std::string_view instruction_;
};

}  // namespace tpb::nki
