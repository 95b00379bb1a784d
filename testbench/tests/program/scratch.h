// A directory of its own for each test, and programs assembled in it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/config.h"
#include "models/program/program.h"

namespace tpb {

const Config& shipped(Generation generation = Generation::cayman);
std::vector<std::uint8_t> bytes_of_file(const std::filesystem::path& path);

class Scratch : public ::testing::Test {
 protected:
  Scratch();
  ~Scratch() override;

  std::filesystem::path path(std::string_view name) const { return directory_ / name; }
  std::filesystem::path write(std::string_view name, std::string_view text) const;
  std::filesystem::path write(std::string_view name, std::span<const std::uint8_t> bytes) const;

  // Assembles the text as p.tpb.
  Program program(std::string_view text, const Config& config = shipped()) const;
  // The errors of p.tpb without the directory: "p.tpb:3:5: error: ...", a line each; empty when there are none.
  std::string errors(std::string_view text, const Config& config = shipped()) const;
  // The bundles of `body` standing on the dve, after `declarations`.
  std::vector<Bundle> bundles(std::string_view declarations, std::string_view body,
                              const Config& config = shipped()) const;

 private:
  std::filesystem::path directory_;
};

// The message of the InputError that `step` throws, or "".
template <class Step>
std::string input_error(Step step) {
  try {
    step();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace tpb
