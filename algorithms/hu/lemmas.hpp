// Steps of the proofs of Hu, Ni, Xiao and Wang that one inequality decides, as claims of the
// algorithm whose theorem rests on them. Where a step has an unstated constant, the claim allows a
// generous one, and a refutation is of that one over the ranges that the claim states.
#pragma once

#include <vector>

#include "algorithms/claims/claim_list.hpp"

namespace dpverify::hu {

std::vector<Claim> frank_wolfe_lemmas();    // Algorithm 1, Theorem 2
std::vector<Claim> private_lasso_lemmas();  // Algorithm 2, Theorems 4 and 5

}  // namespace dpverify::hu
