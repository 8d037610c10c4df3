#pragma once

#include <functional>

namespace dpverify::hu {

// P(fails(K)), K binomial with n trials of probability q, 0 < q <= 1.
double binomial_failure(double n, double q, const std::function<bool(double)>& fails);

}  // namespace dpverify::hu
