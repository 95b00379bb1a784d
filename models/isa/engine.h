// The engines of the core, in the order that breaks every tie (pe first).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace tpb {

enum class Engine : std::uint8_t { pe, act, dve, pool, sfu };

inline constexpr std::array kEngines{Engine::pe, Engine::act, Engine::dve, Engine::pool, Engine::sfu};
inline constexpr std::size_t kEngineCount = kEngines.size();

std::string_view name_of(Engine engine);
std::optional<Engine> engine_from_name(std::string_view name);

// One value per engine; takes no other index.
template <class T>
class PerEngine {
 public:
  T& operator[](Engine engine) { return values_[static_cast<std::size_t>(engine)]; }
  const T& operator[](Engine engine) const { return values_[static_cast<std::size_t>(engine)]; }
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  bool operator==(const PerEngine&) const = default;

 private:
  std::array<T, kEngineCount> values_{};
};

// A set of engines, as the opcode table and the port groups of the configuration use it.
class EngineSet {
 public:
  constexpr EngineSet() = default;
  constexpr EngineSet(std::initializer_list<Engine> engines) {
    for (Engine engine : engines) insert(engine);
  }
  constexpr void insert(Engine engine) { bits_ |= bit(engine); }
  constexpr bool contains(Engine engine) const { return (bits_ & bit(engine)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr EngineSet operator|(EngineSet other) const {
    EngineSet both = *this;
    both.bits_ |= other.bits_;
    return both;
  }
  constexpr bool operator==(const EngineSet&) const = default;

 private:
  static constexpr std::uint8_t bit(Engine engine) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(engine));
  }
  std::uint8_t bits_ = 0;
};

}  // namespace tpb
