// Exact privacy of the Gaussian mechanism: N(0, 1) against N(mu, 1), mu = sensitivity/standard
// deviation. k steps compose to the root of the sum of the squares of their mu (Dong, Roth and Su,
// 2022).
#pragma once

namespace dpverify {

// The smallest delta for which mu-GDP gives (epsilon, delta)-DP (Balle and Wang, 2018):
// Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu); rounded up. mu in [0, infinity],
// epsilon >= 0.
double gaussian_delta(double mu, double epsilon);

// The smallest epsilon >= 0 with gaussian_delta(mu, epsilon) <= delta, rounded up by a relative
// 1e-12; infinity for delta = 0 or mu infinite, 0 for mu = 0. delta in [0, 1].
double gaussian_epsilon(double mu, double delta);

// The largest mu with gaussian_delta(mu, epsilon) <= delta, rounded down by a relative 1e-12: the
// noise a tight Gaussian mechanism needs. epsilon >= 0, delta in (0, 1).
double gaussian_mu(double epsilon, double delta);

}  // namespace dpverify
