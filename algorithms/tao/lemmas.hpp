// Steps of the proofs of Tao, Wu, Cheng and Wang that one inequality decides, as claims of the
// algorithm whose theorem rests on them.
#pragma once

#include <vector>

#include "algorithms/claims/claims.hpp"
#include "algorithms/core/binomial.hpp"

namespace dpverify::tao {

inline const std::string paper = "Tao, Wu, Cheng and Wang";
inline const std::string here = "this project";

std::vector<Claim> truncated_mean_lemmas();   // Algorithm 1, Theorems 1 and 2
std::vector<Claim> median_of_means_lemmas();  // Algorithm 3, Theorems 3 and 4
std::vector<Claim> dp_sco_lemmas();           // Algorithm 2, Theorems 5 to 9
std::vector<Claim> sco_framework_lemmas();    // Algorithm 6, Lemmas 17 and 18

}  // namespace dpverify::tao
