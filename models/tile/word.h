// The 32-bit words of a tile bundle: BSTART, its header, BSTOP.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace tpb::tile {

inline constexpr unsigned kTiles = 64;
inline constexpr unsigned kHandTiles = 16;
inline constexpr unsigned kScalarRegisters = 24;  // R0 reads zero

// Sixteen tile registers each; a destination names a hand.
inline constexpr std::array<std::string_view, 4> kHandNames{"T", "U", "M", "N"};
enum class Pad : std::uint8_t { zero, max, min, null };
inline constexpr std::array<std::string_view, 4> kPadNames{"Zero", "Max", "Min", "Null"};

struct Start {
  static constexpr std::string_view kName = "BSTART";
  std::uint8_t dtype = 0;     // five bits, a type or not
  std::uint8_t selector = 0;  // mode << 5 | function
  bool operator==(const Start&) const = default;
};

struct Attributes {
  static constexpr std::string_view kName = "B.DATR";
  Pad pad = Pad::null;
  std::uint32_t others = 0;  // every other bit, in place: no reduction has a use for them
  bool operator==(const Attributes&) const = default;
};

struct Dimension {
  static constexpr std::string_view kName = "B.DIM";
  std::uint8_t which = 0;  // LB0..LB2
  std::uint8_t source = 0;
  std::uint32_t immediate = 0;  // 17 bits
  bool operator==(const Dimension&) const = default;
};

// B.IOT: tiles in and out.
struct Binding {
  static constexpr std::string_view kName = "B.IOT";
  std::optional<std::uint8_t> source0, source1;  // register 0..63
  bool last = false;
  std::uint8_t size_code = 0;  // 0: no destination
  std::uint8_t pe_mode = 7;
  std::uint8_t hand = 0;
  bool has_destination() const { return size_code != 0; }
  bool operator==(const Binding&) const = default;
};

// B.IOR: scalar registers in and out.
struct Scalars {
  static constexpr std::string_view kName = "B.IOR";
  std::uint8_t destination = 0;
  std::array<std::uint8_t, 3> sources{};
  bool operator==(const Scalars&) const = default;
};

// B.IOS: a shared tile.
struct Shared {
  static constexpr std::string_view kName = "B.IOS";
  std::uint8_t tile = 0;
  std::uint8_t size_code = 0;
  std::uint8_t pe_mode = 7;
  bool operator==(const Shared&) const = default;
};

struct Stop {
  static constexpr std::string_view kName = "BSTOP";
  bool operator==(const Stop&) const = default;
};

using Word = std::variant<Start, Attributes, Dimension, Binding, Scalars, Shared, Stop>;

std::optional<Word> decode(std::uint32_t bits);  // nothing: no form has these bits
std::uint32_t encode(const Word& word);

// Four bits, bit 3 is PE0.
inline constexpr std::array<std::uint8_t, 8> kPeMasks{0b0000, 0b1000, 0b0100, 0b0010, 0b0001, 0b1100, 0b1110, 0b1111};
std::optional<std::uint8_t> pe_mode_of(std::uint8_t mask);  // nothing: no mode encodes it

// Storage of a tile in one PE: 128 bytes for code 1, doubling up to 64 KiB for 10.
inline constexpr std::uint8_t kLargestSizeCode = 10;
constexpr bool is_tile_size(std::uint8_t size_code) { return size_code >= 1 && size_code <= kLargestSizeCode; }
constexpr std::uint32_t bytes_of_size(std::uint8_t size_code) { return 128U << (size_code - 1); }

}  // namespace tpb::tile
