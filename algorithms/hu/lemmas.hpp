// Steps of the proofs of Hu, Ni, Xiao and Wang that one inequality decides, as claims of the
// algorithm whose theorem rests on them. Where a step has an unstated constant, the claim allows a
// generous one, and a refutation is of that one over the ranges that the claim states.
#pragma once

#include <vector>

#include "algorithms/claims/claim_list.hpp"

namespace dpverify::hu {

std::vector<Claim> sparse_regression_lemmas();    // Algorithm 3, Theorem 7
std::vector<Claim> sparse_optimization_lemmas();  // Algorithm 5, Theorem 8
std::vector<Claim> lower_bound_lemmas();          // Algorithm 5, Theorem 9

}  // namespace dpverify::hu
