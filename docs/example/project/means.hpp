#pragma once

#include <dpverify/dpverify.hpp>

namespace means {

// Private means of features in [-1, 1]: with the noise that epsilon-DP needs, and with half of it.
std::vector<dpverify::Claim> claims_of_the_mean();
std::vector<dpverify::Claim> claims_of_the_hasty_mean();
// The first, for `mean_checks run`.
dpverify::Algorithm mean_algorithm();

}  // namespace means
