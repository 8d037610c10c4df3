// Heavy-tailed linear models whose population risk is known in closed form, so that no rate is ever
// read off an empirical proxy.
#pragma once

#include "algorithms/core/dataset.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/problems/scalar_law.hpp"

namespace dpverify {

// y = <x, w*> + noise, squared loss; features independent of one law with a finite second moment.
// The mean of the noise is 0, or that of the features.
struct LinearModel {
  VectorXd optimum;  // w*, d numbers
  ScalarLaw features;
  ScalarLaw noise = {ScalarLaw::Kind::normal, 0.1};

  Dataset draw(Index n, RandomStream& stream) const;
  // E(<x, w> - y)^2 - E(<x, w*> - y)^2 = var(x_1) ||w - w*||_2^2 + (E x_1)^2 (sum_j (w - w*)_j)^2.
  double excess_risk(const VectorXd& w) const;
  // Twice the largest eigenvalue of E x x^T: the squared risk is that smooth.
  double smoothness() const;
  // A bound on E (d/dw_j loss)^2 over all w with ||w - w*||_1 <= reach: 4 (reach^2 E x^4 +
  // E noise^2 E x^2), attained for w - w* = reach e_j when E x = 0.
  double gradient_second_moment(double reach) const;
};

// y = x (w* + u): x a symmetrised Pareto variable (|x| >= 1, P(|x| > t) = t^-tail) and u Laplace
// noise of scale `noise_scale`, absolute loss. The noise grows with |x|, which keeps the risk in
// closed form for every law of x. Of several features each record has one, drawn uniformly, and 0
// in the others: E|x_j|^order is then E||x||^order/features.
struct ScaledNoiseModel {
  double optimum = 0.5;  // every entry of w*
  double tail = 2.5;     // > 1: moments of |x| below this order are finite, no others
  double noise_scale = 0.2;
  Index features = 1;

  Dataset draw(Index n, RandomStream& stream) const;
  // The mean over j of E||x|| (|delta_j| + b exp(-|delta_j|/b) - b), delta = w - w*.
  double excess_risk(const VectorXd& w) const;
  // E||x||^order, infinite from order = tail on.
  double moment(double order) const;
};

// y = x (w* + u) with u as above, one feature, absolute loss: x is 0 but with the probability
// `share`, when it is +-share^(-1/order). So E|x|^order = 1 for every share, and no moment of a
// larger order stays bounded as share falls: of n records only n share say anything of w*, each as
// large as that moment allows.
struct RareFeatureModel {
  double share = 0.1;  // in (0, 1]
  double order = 1.5;  // > 0
  double optimum = 0.5;
  double noise_scale = 0.05;

  Dataset draw(Index n, RandomStream& stream) const;
  // E|x| (|delta| + b exp(-|delta|/b) - b), delta = w - w*.
  double excess_risk(const VectorXd& w) const;
  double size() const;                // of x where it is not 0
  double moment(double order) const;  // E|x|^order
};

}  // namespace dpverify
