// The files of a run's tensors: contents before it, references and outputs after it.
#pragma once

#include <filesystem>
#include <vector>

#include "apps/tpbsim/session.h"
#include "models/program/contents.h"

namespace tpb {

// --in and --out become contents and outputs of the program. Throws InputError.
void apply_inputs(const Arguments& arguments, Program& program, const std::vector<std::string>& inputs);
void apply_outputs(const Arguments& arguments, Program& program, const std::vector<std::string>& outputs);

using Bytes = std::vector<std::uint8_t>;
// Of every tensor, in their order; empty for uninitialised ones. Throws InputError.
std::vector<Bytes> tensor_contents(const Program& program, const Limits& limits);
// Of every expectation, in their order. Throws InputError.
std::vector<Bytes> expected_contents(const Program& program, const Limits& limits);

// "P.tpb:12:0: expect: tensor 'y': 3 of 128 elements differ from 'y_ref.npy' (ulp=2), first ..., ..."
std::string difference_line(const Program& program, const Expectation& expectation, const Difference& difference);

}  // namespace tpb
