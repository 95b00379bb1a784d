// TILE: what can be said of a tile bundle before its words are decoded; the rest is the tile engine's to judge.
#include <fmt/format.h>

#include "models/isa/common_rules.h"
#include "models/isa/describe.h"

namespace tpb {
namespace {

constexpr unsigned bit(TileKind kind) { return 1U << static_cast<unsigned>(kind); }
constexpr unsigned kWords = bit(TileKind::words), kLoad = bit(TileKind::load), kStore = bit(TileKind::store),
                   kFree = bit(TileKind::free);

std::uint8_t kind_of(const Subject& s) { return s.bundle[offsetof(TILE_WORDS, kind)]; }

// A rule that holds for bundles of other kinds.
template <unsigned kKinds, const auto& kRule>
constexpr Rule kOnly{kRule.name,
                     [](const Subject& s) {
                       const std::uint8_t kind = kind_of(s);
                       return kind >= 32 || (kKinds >> kind & 1) == 0 || kRule.holds(s);
                     },
                     [](const Subject& s) { return kRule.explain(s); }};

constexpr ByteLimits kKindLimits{"kind", offsetof(TILE_WORDS, kind), 1, 4,
                                 "1 (words), 2 (load), 3 (store) or 4 (free)"};
constexpr ByteLimits kCountLimits{"count", offsetof(TILE_WORDS, count), 1, 12, "1..12 words"};
constexpr ByteLimits kNoCount{"count", offsetof(TILE_WORDS, count), 0, 0, "0: there are no words"};
constexpr ByteLimits kSizeLimits{"size_code", offsetof(TILE_MOVE, size_code), 1, 10, "1..10, 128 bytes to 64 KiB"};
constexpr ByteLimits kHandLimits{"tile", offsetof(TILE_MOVE, tile), 0, 3, "0..3, the hands T, U, M and N"};
constexpr ByteLimits kTileLimits{"tile", offsetof(TILE_MOVE, tile), 0, 63, "0..63, the registers of four hands"};
constexpr ByteLimits kMaskLimits{"mask", offsetof(TILE_MOVE, mask), 0, 15, "0..15, four PEs"};

constexpr auto kCount = byte_rule<kCountLimits>("has_valid_tile_word_count");
constexpr auto kCountZero = byte_rule<kNoCount>("has_valid_tile_word_count");
constexpr auto kSize = byte_rule<kSizeLimits>("has_valid_tile_size");
constexpr auto kHand = byte_rule<kHandLimits>("has_valid_tile_register");
constexpr auto kTile = byte_rule<kTileLimits>("has_valid_tile_register");
constexpr auto kMask = byte_rule<kMaskLimits>("has_valid_tile_mask");
constexpr auto kMoveReserved = reserved_zero<bytes(41, 41) | bytes(44, 63)>("tile_reserved_zero");
constexpr auto kLoadOnlyZero = reserved_zero<bytes(38, 38) | bytes(40, 40) | bytes(42, 43)>("tile_unused_zero");
constexpr auto kOperandZero = reserved_zero<bytes(16, 37)>("tile_unused_zero");

// The first word past the last one that is not zero; 12 for none.
unsigned unused_word(const Subject& s) {
  const auto bundle = s.as<TILE_WORDS>();
  unsigned word = bundle.count;
  while (word < std::size(bundle.words) && bundle.words[word] == 0) ++word;
  return word;
}
constexpr Rule kUnusedWords{
    "tile_unused_zero", [](const Subject& s) { return unused_word(s) >= 12; },
    [](const Subject& s) {
      const unsigned word = unused_word(s);
      return Violation{
          {}, fmt::format("word {}", word), address_text(s.as<TILE_WORDS>().words[word]), "0 after the last word"};
    }};

constexpr unsigned kMoves = kLoad | kStore;
constexpr std::tuple kTable{
    byte_rule<kKindLimits>("has_valid_tile_kind"),
    reserved_zero<bytes(14, 15)>("tile_reserved_zero"),
    kOnly<kWords, kCount>,
    kOnly<kMoves | kFree, kCountZero>,
    kOnly<kWords, kUnusedWords>,
    kOnly<kMoves | kFree, kMoveReserved>,
    kOnly<kFree, kOperandZero>,
    kOnly<kStore | kFree, kLoadOnlyZero>,
    kOnly<kMoves, kCheckActiveChannels>,
    kOnly<kMoves, kIsValidDtype<kSrc, AllowFp32r::no>>,
    kOnly<kLoad, kSize>,
    kOnly<kLoad, kHand>,
    kOnly<kStore | kFree, kTile>,
    kOnly<kLoad, kMask>,
    kOnly<kMoves, kStartAddrActiveChannels<kSrc>>,
    kOnly<kMoves, kDirectAddress<kSrc>>,
    kOnly<kMoves, kTensor4dValid<kSrc, WriteTensor::no, Psum::never>>,
};

}  // namespace

constexpr RuleSet kTileRules = rule_set<kTable>(describe_tile);

}  // namespace tpb
