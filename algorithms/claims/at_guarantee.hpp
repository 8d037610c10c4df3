// A privacy claim at the guarantee that a user asks for.
#pragma once

#include <optional>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

// What is absent stays as each setting has it.
struct AskedGuarantee {
  std::optional<double> epsilon;  // positive and finite
  std::optional<double> delta;    // in [0, 1)
};

// The claim with its parameters `epsilon` and `delta` set to these at each of its settings: the
// mechanism runs with them, and they are what is claimed of it. A delta of 0 asks nothing of a
// mechanism that claims 0. Throws std::invalid_argument for a claim of another kind and, naming the
// option and what it may be, for a value outside the claim's range, for a mechanism that has no
// such parameter, and where the claimed guarantee does not follow it.
Claim at_guarantee(Claim claim, const AskedGuarantee& asked);

}  // namespace dpverify
