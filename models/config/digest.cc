#include "models/config/digest.h"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

#include <fmt/format.h>

namespace tpb {
namespace {

std::string sha256_hex(const void* data, std::size_t size) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  if (EVP_Digest(data, size, digest.data(), &length, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("the cryptography library offers no SHA-256");
  }
  std::string text;
  for (unsigned i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace

std::string sha256_hex(std::span<const std::uint8_t> bytes) { return sha256_hex(bytes.data(), bytes.size()); }
std::string sha256_hex(std::string_view text) { return sha256_hex(text.data(), text.size()); }

}  // namespace tpb
