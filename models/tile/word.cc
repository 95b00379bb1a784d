#include "models/tile/word.h"

#include <algorithm>

namespace tpb::tile {
namespace {

struct Field {
  unsigned low, width;
  constexpr std::uint32_t ones() const { return ((1U << width) - 1) << low; }
  template <class T = std::uint8_t>
  constexpr T get(std::uint32_t bits) const {
    return static_cast<T>((bits & ones()) >> low);
  }
  constexpr std::uint32_t put(std::uint32_t value) const { return (value << low) & ones(); }
};

constexpr Field kDtype{27, 5}, kSelector{20, 7};
constexpr Field kPad{27, 2};
constexpr Field kWhich{12, 3}, kDimSource{15, 5}, kImmediateHigh{7, 5}, kImmediateLow{20, 12};
constexpr Field kSource1{26, 6}, kSource0{20, 6}, kLast{19, 1}, kSizeCode{15, 4}, kPeMode{9, 3}, kHand{7, 2};
constexpr Field kRegDst{7, 5}, kReg0{15, 5}, kReg1{20, 5}, kReg2{27, 5};
constexpr Field kSharedTile{20, 8};

struct Form {
  std::uint32_t mask, match;
  Word (*unpack)(std::uint32_t bits);
};

template <std::uint8_t Which>
Word dimension(std::uint32_t bits) {
  return Dimension{
      Which, kDimSource.get(bits),
      kImmediateHigh.get<std::uint32_t>(bits) << kImmediateLow.width | kImmediateLow.get<std::uint32_t>(bits)};
}

template <unsigned Sources>
Word binding(std::uint32_t bits) {
  Binding word;
  if constexpr (Sources > 0) word.source0 = kSource0.get(bits);
  if constexpr (Sources > 1) word.source1 = kSource1.get(bits);
  word.last = kLast.get(bits) != 0;
  word.size_code = kSizeCode.get(bits);
  word.pe_mode = kPeMode.get(bits);
  word.hand = kHand.get(bits);
  return word;
}

constexpr std::uint32_t kStartMatch = 0x00019181, kAttributesMask = 0x000C707F, kAttributesMatch = 0x00001023,
                        kDimensionMatch = 0x00000043, kScalarsMatch = 0x00000013, kSharedMatch = 0x00001013,
                        kStopMatch = 0x00000001;
constexpr std::array<std::uint32_t, 3> kBindingMatch{0x6013, 0x5013, 0x4013};  // by number of sources

// No word fits two of them. A binding without destination is the same form with SizeCode 0.
const std::array kForms{
    Form{0x000FFFFF, kStartMatch,
         [](std::uint32_t bits) -> Word {
           return Start{kDtype.get(bits), kSelector.get(bits)};
         }},
    Form{kAttributesMask, kAttributesMatch,
         [](std::uint32_t bits) -> Word {
           return Attributes{kPad.get<Pad>(bits), bits & ~(kAttributesMask | kPad.ones())};
         }},
    Form{0x0000707F, kDimensionMatch | kWhich.put(0), dimension<0>},
    Form{0x0000707F, kDimensionMatch | kWhich.put(1), dimension<1>},
    Form{0x0000707F, kDimensionMatch | kWhich.put(2), dimension<2>},
    Form{0xFFF0707F, kBindingMatch[0], binding<0>},
    Form{0xFC00707F, kBindingMatch[1], binding<1>},
    Form{0x0000707F, kBindingMatch[2], binding<2>},
    Form{0x0600707F, kScalarsMatch,
         [](std::uint32_t bits) -> Word {
           return Scalars{kRegDst.get(bits), {kReg0.get(bits), kReg1.get(bits), kReg2.get(bits)}};
         }},
    Form{0xF00871FF, kSharedMatch,
         [](std::uint32_t bits) -> Word {
           return Shared{kSharedTile.get(bits), kSizeCode.get(bits), kPeMode.get(bits)};
         }},
    Form{0xFFFFFFFF, kStopMatch, [](std::uint32_t) -> Word { return Stop{}; }},
};

struct Encoder {
  std::uint32_t operator()(const Start& word) const {
    return kStartMatch | kDtype.put(word.dtype) | kSelector.put(word.selector);
  }
  std::uint32_t operator()(const Attributes& word) const {
    return kAttributesMatch | kPad.put(static_cast<std::uint32_t>(word.pad)) | word.others;
  }
  std::uint32_t operator()(const Dimension& word) const {
    return kDimensionMatch | kWhich.put(word.which) | kDimSource.put(word.source) |
           kImmediateHigh.put(word.immediate >> kImmediateLow.width) | kImmediateLow.put(word.immediate);
  }
  std::uint32_t operator()(const Binding& word) const {
    const unsigned sources = word.source1 ? 2 : word.source0 ? 1 : 0;
    return kBindingMatch[sources] | kSource1.put(word.source1.value_or(0)) | kSource0.put(word.source0.value_or(0)) |
           kLast.put(word.last ? 1 : 0) | kSizeCode.put(word.size_code) | kPeMode.put(word.pe_mode) |
           kHand.put(word.hand);
  }
  std::uint32_t operator()(const Scalars& word) const {
    return kScalarsMatch | kRegDst.put(word.destination) | kReg0.put(word.sources[0]) | kReg1.put(word.sources[1]) |
           kReg2.put(word.sources[2]);
  }
  std::uint32_t operator()(const Shared& word) const {
    return kSharedMatch | kSharedTile.put(word.tile) | kSizeCode.put(word.size_code) | kPeMode.put(word.pe_mode);
  }
  std::uint32_t operator()(const Stop&) const { return kStopMatch; }
};

}  // namespace

std::optional<Word> decode(std::uint32_t bits) {
  const auto form = std::ranges::find_if(kForms, [bits](const Form& f) { return (bits & f.mask) == f.match; });
  if (form == kForms.end()) return std::nullopt;
  return form->unpack(bits);
}

std::uint32_t encode(const Word& word) { return std::visit(Encoder{}, word); }

std::optional<std::uint8_t> pe_mode_of(std::uint8_t mask) {
  const auto mode = std::ranges::find(kPeMasks, mask);
  if (mode == kPeMasks.end()) return std::nullopt;
  return static_cast<std::uint8_t>(mode - kPeMasks.begin());
}

}  // namespace tpb::tile
