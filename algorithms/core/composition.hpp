// What a sequence of pure differentially private steps costs together.
#pragma once

#include <vector>

#include "algorithms/core/types.hpp"

namespace dpverify {

// `count` steps, each epsilon-DP (chosen adaptively).
struct PureSteps {
  double epsilon = 0;
  Index count = 0;
};

// Optimal composition (Kairouz, Oh and Viswanath, 2015): the smallest delta for which the steps are
// certainly (epsilon, delta)-DP; exact for randomised response, hence no smaller guarantee holds
// for all mechanisms. Rounded up by a relative 1e-10. At most 3*10^7 combinations of counts;
// throws std::invalid_argument beyond that.
double composed_delta(const std::vector<PureSteps>& steps, double epsilon);

// The smallest epsilon with composed_delta <= delta, rounded up. delta in [0, 1).
double composed_epsilon(const std::vector<PureSteps>& steps, double delta);

// Advanced composition (Dwork, Rothblum and Vadhan, 2010): sqrt(2 log(1/delta) sum eps^2) + sum eps
// (e^eps - 1), or with eps tanh(eps/2) in the last sum, the exact expected loss; never more than
// sum eps. delta in (0, 1).
enum class ExpectedLoss { exponential, tanh };
double advanced_composition(const std::vector<PureSteps>& steps, double delta,
                            ExpectedLoss expected = ExpectedLoss::exponential);

// The smallest epsilon that rho-zCDP certainly gives at delta, by the optimal conversion of Renyi
// divergences (Canonne, Kamath and Steinke, 2020); never more than rho + 2 sqrt(rho log(1/delta)).
// Infinite for delta = 0 unless rho is 0. rho >= 0, delta in [0, 1).
double zcdp_epsilon(double rho, double delta);

// Merges steps of equal epsilon and drops those that cost nothing.
std::vector<PureSteps> merged(const std::vector<double>& epsilons);

}  // namespace dpverify
