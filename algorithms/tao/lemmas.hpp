// Steps of the proofs of Tao, Wu, Cheng and Wang that one inequality decides, as claims of the
// algorithm whose theorem rests on them.
#pragma once

#include <vector>

#include "algorithms/claims/claims.hpp"
#include "algorithms/core/binomial.hpp"

namespace dpverify::tao {

inline const std::string paper = "Tao, Wu, Cheng and Wang";
inline const std::string here = "this project";

std::vector<Claim> peeling_lemmas();              // Algorithm 4, Lemmas 22 to 24 and 26
std::vector<Claim> sparse_optimization_lemmas();  // Algorithm 5, Theorems 10 and 11

}  // namespace dpverify::tao
