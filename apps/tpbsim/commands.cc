#include <array>

#include "apps/tpbsim/command.h"

namespace tpb {
namespace {

constexpr std::array kCommands{
    Command{"run", "(PROGRAM | --bundles ENGINE=FILE... --config FILE) [options]",
            "run a program and report its time, values and faults",
            R"(Runs program text (.tpb) or an image (.tpbx), compares what .expect names, writes what .output names and
prints where the time of every engine went.

Examples:
  tpbsim run softmax.tpb
  tpbsim run softmax.tpb --in x=other.npy --out y=result.npy
  tpbsim run softmax.tpb --set engines.dve.clock_ghz=1.2 --stats stats.json
  tpbsim run softmax.tpb --timing-only --instructions table.csv --trace timeline.json
  tpbsim run --bundles pool=pool.bin --bundles dve=dve.bin --config core.toml

Exit codes: 0 done; 1 outputs differ from .expect; 2 unusable input; 3 architectural fault; 4 deadlock;
70 internal error.)",
            run_program},
    Command{"check", "PROGRAM [options]", "assemble a program and judge the legality of every instruction",
            R"(Prints every violated rule of every instruction, engine by engine, and runs nothing.

Examples:
  tpbsim check softmax.tpb
  tpbsim check softmax.tpbx --config core.toml

Exit codes: 0 legal; 2 unusable input; 3 a rule is violated.)",
            check_program},
    Command{"asm", "PROGRAM [-o FILE] [--mode MODE] [options]", "turn program text into an image",
            R"(Modes:
  generate  writes the image (the default); legality is judged when it runs
  check     builds and checks every bundle as 'tpbsim check' does and writes nothing
  collect   prints how often every engine has every opcode, and how many it has in all, and writes nothing

Examples:
  tpbsim asm softmax.tpb -o softmax.tpbx
  tpbsim asm softmax.tpb --mode collect)",
            assemble_program},
    Command{"disasm", "PROGRAM [-o FILE] [options]", "print an image as program text that assembles to the same bytes",
            R"(Without -o the text goes to standard output; paths in it are then relative to the working directory.

Examples:
  tpbsim disasm softmax.tpbx
  tpbsim disasm softmax.tpbx -o copy.tpb)",
            disassemble_program},
    Command{
        "nki", "CALLS.json", "run a list of nki.isa calls and print what each becomes",
        R"(CALLS.json is a list of calls: a name, arguments by name, and a generation (gen2, gen3, gen4 or a name; default gen3).

  [{"name": "tensor_scalar", "generation": "gen3",
    "arguments": {"data": {"dtype": "float32", "shape": [128, 512]}, "op0": "multiply", "operand0": 2.0}}]

Prints a JSON list with an entry for each call: the validators that were called and what they found, and either the
nodes that the call became or its error (error, validator, instruction, parameter, value, message).

Examples:
  tpbsim nki calls.json

Exit codes: 0 every call is legal; 2 unusable input; 3 a call is illegal.)",
        run_nki_calls},
    Command{"config show", "[options]", "print the effective configuration and where each value came from",
            R"(The output is a configuration file again: it can be given to --config.

Examples:
  tpbsim config show --generation sunda
  tpbsim config show --config core.toml --set engines.pool.start=0)",
            show_config},
    Command{"config explain", "KEY [options]", "describe one configuration key and its effective value",
            R"(Examples:
  tpbsim config explain engines.dve.clock_ghz
  tpbsim config explain share.bus.policy --config core.toml)",
            explain_config},
    Command{
        "isa list", "[options]", "list the instruction set",
        R"(One line per opcode: wire code, public name, spelling in program text, struct, engines that accept it (in the
generation asked for, or in the last that has it), first and last generation, modelled or not; under the default
semantics profile. Opcodes that are named but not modelled fault when they are executed.

Examples:
  tpbsim isa list
  tpbsim isa list --generation sunda --struct S3S3D3_TT
  tpbsim isa list --format markdown)",
        list_isa},
    Command{
        "isa kernels", "[options]", "list the kernels of the Pool engine",
        R"(The table that the Pool engine scans for the opcode of an instruction, one per generation: records of 8 bytes, two
zeros, spec, opcode and the address of the kernel. The addresses of GetSequenceBounds on cayman and maverick are
documented, the others assumed.

Examples:
  tpbsim isa kernels
  tpbsim isa kernels --generation cayman)",
        list_kernels},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace tpb
