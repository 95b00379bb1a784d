#include "models/isa/opcode.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tpb {
namespace {

// The engine columns of the table: those of every generation, those that join from cayman on.
struct Engines {
  EngineSet always;
  EngineSet from_cayman;
};
constexpr Engines kNONE{};
constexpr Engines kPE{{Engine::pe}, {}};
constexpr Engines kACT{{Engine::act}, {}};
constexpr Engines kDVE{{Engine::dve}, {}};
constexpr Engines kPOOL{{Engine::pool}, {}};
constexpr Engines kDVE_POOL{{Engine::dve, Engine::pool}, {}};
constexpr Engines kDVE_POOL_ACT_LATER{{Engine::dve, Engine::pool}, {Engine::act}};
constexpr Engines kSFU{{Engine::sfu}, {}};
constexpr Engines kALL{{Engine::pe, Engine::act, Engine::dve, Engine::pool, Engine::sfu}, {}};

constexpr std::array kOpcodes{
#define TPB_OPCODE(code, name, mnemonic, layout, engines, first, last, maintained, modelled) \
  OpcodeInfo{code,                                                                           \
             #name,                                                                          \
             mnemonic,                                                                       \
             Layout::layout,                                                                 \
             k##engines.always,                                                              \
             k##engines.from_cayman,                                                         \
             Generation::first,                                                              \
             Generation::last,                                                               \
             maintained,                                                                     \
             modelled},
#include "models/isa/opcodes.def"
#undef TPB_OPCODE
};

// Decoding looks a row up for every instruction, so the byte indexes it directly; 0 is no row.
constexpr auto kRowOf = [] {
  std::array<std::uint8_t, 256> rows{};
  for (std::size_t i = 0; i < kOpcodes.size(); ++i) rows[kOpcodes[i].code] = static_cast<std::uint8_t>(i + 1);
  return rows;
}();

// In the order of Layout.
constexpr std::array<std::string_view, 20> kLayoutNames{
    "none",        "control",        "S4D4_PL", "S4D4_TR", "S4D4_CR", "S3S3D3_TT", "S3D3_SEQ_BOUNDS",
    "S2S2D2D2_TT", "S2D2D2_TS_WIDE", "S3D3_TS", "S3D3_AC", "S3D3_MM", "S4D2_BN",   "S2_BN",
    "S4D4_MR",     "S2S2D2_STT",     "D4_IOTA", "D4_MR",   "D1_RD",   "TILE"};
static_assert(kLayoutNames.size() == static_cast<std::size_t>(Layout::tile) + 1);

}  // namespace

std::span<const OpcodeInfo> opcodes() { return kOpcodes; }

const OpcodeInfo* find_opcode(std::uint8_t code) {
  const std::uint8_t row = kRowOf[code];
  return row == 0 ? nullptr : &kOpcodes[row - 1U];
}

bool is_pseudo(std::uint8_t code) { return code >= 0xC1 && code <= 0xDF; }

std::string_view name_of(Layout layout) { return kLayoutNames[static_cast<std::size_t>(layout)]; }

std::optional<Layout> layout_from_name(std::string_view name) {
  const auto found = std::find(kLayoutNames.begin(), kLayoutNames.end(), name);
  if (found == kLayoutNames.end()) return std::nullopt;
  return static_cast<Layout>(found - kLayoutNames.begin());
}

}  // namespace tpb
