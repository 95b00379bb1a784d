#include "testbench/tests/program/scratch.h"

#include <unistd.h>

#include <fstream>
#include <iterator>
#include <map>

#include "models/program/assembler.h"

namespace tpb {

const Config& shipped(Generation generation) {
  static std::map<Generation, Config> configs;
  const auto found = configs.find(generation);
  if (found != configs.end()) return found->second;
  ConfigRequest request;
  request.generation = generation;
  return configs.emplace(generation, load_config(request).config).first->second;
}

std::vector<std::uint8_t> bytes_of_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

Scratch::Scratch() {
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  directory_ = std::filesystem::path(::testing::TempDir()) /
               (std::string("tpb_program_") + info->name() + "_" + std::to_string(::getpid()));
  std::filesystem::create_directories(directory_);
}

Scratch::~Scratch() { std::filesystem::remove_all(directory_); }

std::filesystem::path Scratch::write(std::string_view name, std::string_view text) const {
  return write(name, std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

std::filesystem::path Scratch::write(std::string_view name, std::span<const std::uint8_t> bytes) const {
  std::ofstream stream(path(name), std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return path(name);
}

Program Scratch::program(std::string_view text, const Config& config) const {
  return assemble(write("p.tpb", text), config);
}

std::string Scratch::errors(std::string_view text, const Config& config) const {
  std::string all = input_error([&] { program(text, config); });
  const std::string prefix = directory_.string() + "/";
  for (std::size_t at; (at = all.find(prefix)) != std::string::npos;) all.erase(at, prefix.size());
  return all;
}

std::vector<Bundle> Scratch::bundles(std::string_view declarations, std::string_view body, const Config& config) const {
  return program(std::string(declarations) + "\n.engine dve\n" + std::string(body) + "\n", config)
      .sections[Engine::dve]
      .bundles;
}

}  // namespace tpb
