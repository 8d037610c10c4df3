// Peeling of the mean of thresholded records: Tao, Wu, Cheng and Wang, Algorithm 4, whose steps are
// dpverify::peeling.
#pragma once

#include <numbers>
#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"
#include "algorithms/claims/fields.hpp"

namespace dpverify::tao {

// Of the noise, Lemma 22: 4 lambda sqrt(2 s log(1/delta))/epsilon.
inline constexpr double peeling_factor = 4 * std::numbers::sqrt2;
// Of delta, where this noise is certified for every epsilon <= 1; it is too small for delta near 1.
inline constexpr Domain peeling_delta{[](double x) { return x > 0 && x <= 0.9; }, "in (0, 0.9]"};

std::vector<Claim> peeling_rates();
std::vector<Claim> peeling_lemmas();  // Lemmas 2, 22 to 24 and 26
Algorithm peeling_algorithm();

}  // namespace dpverify::tao
