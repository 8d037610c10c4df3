// What a program of its own has to say to get the command line of dpverify over its mechanisms.
#pragma once

#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "reports/command_line.hpp"

namespace dpverify {

struct Registry {
  std::vector<Algorithm> algorithms;  // for `run`, each with its claims
  std::vector<Claim> claims;          // further ones, of mechanisms that `run` does not offer
};

// Defined by the program that links dpverify::main, which calls it once:
//   dpverify::Registry dpverify::registry() { return {.algorithms = {...}, .claims = {...}}; }
Registry registry();

// All claims of the registry, sorted by id. Throws std::invalid_argument if there is none, two have
// the same id, or an id is not <paper>.<algorithm>.<kind>[.<what>].<edition>, each part of
// lower-case letters, digits and underscores, with the claim's own kind and edition.
std::vector<Claim> claims_of(const Registry& registry);

// The C library has logarithms and other functions of its own for processors with fused
// multiply-add, which differ from the others in the last bits. Starts the running program anew so
// that it has the others, unless it does already or nothing would change; so a main() calls this
// first. Leaves alone whoever sets glibc.cpu.hwcaps in GLIBC_TUNABLES.
void same_on_every_processor(char** argv);

// main() of a program with this catalogue: arguments in, exit code out.
int run_program(int argc, char** argv, const Catalogue& catalogue);

}  // namespace dpverify
