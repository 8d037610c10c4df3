// Noisy regularised mirror descent on l_p^d, unconstrained: Su, Zhao and Wang, Algorithm 3.
#pragma once

#include <functional>
#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"
#include "algorithms/losses/losses.hpp"

namespace dpverify::su {

struct RegularizedMirrorParameters {
  Loss loss = Loss::pseudo_huber;  // or logistic
  double p = 1.5;                  // in (1, 2]: the loss is L-Lipschitz and beta-smooth in ||.||_p
  double lipschitz = 1;            // L > 0
  Index iterations = 1;            // T >= 1
  double regularisation = 0.1;     // alpha > 0
  double epsilon = 1;              // > 0
  double delta = 1e-5;             // in (0, 1)
  // printed:   the printed kappa and Phi (mirror_space.hpp), sigma^2 = 64 L^2 kappa T
  //            log(1/delta)/(n^2 epsilon^2)
  // corrected: kappa and Phi that the proofs support, sigma^2 = kappa T (2L/n)^2/(2 rho) with the
  //            rho-zCDP that gives (epsilon, delta)-DP
  Edition edition = Edition::corrected;
};

// Throws std::invalid_argument for parameters out of their domains, but for the p and L of a loss.
void validate(const RegularizedMirrorParameters& parameters);

// sigma of the T releases for n records, by edition as above.
double noise_scale(const RegularizedMirrorParameters& parameters, Index n, Index dimension);

// The mean gradient at w, d numbers.
using MeanGradient = std::function<VectorXd(const VectorXd&)>;

// (epsilon, delta)-DP for replace-one neighbours: T releases of the mean gradient. Returns the
// weighted average of the iterates, d numbers.
// Throws std::invalid_argument for parameters out of their domains.
VectorXd regularized_mirror_descent(const Dataset& data,
                                    const RegularizedMirrorParameters& parameters,
                                    Releases& releases);
// The same for n records and d features given through their mean gradient, whose loss must be
// L-Lipschitz: no record is shrunk.
VectorXd regularized_mirror_descent(const MeanGradient& mean_gradient, Index n, Index dimension,
                                    const RegularizedMirrorParameters& parameters,
                                    Releases& releases);

// Theorem 7 as the supplement proves it: T = (n epsilon sqrt(kappa)/sqrt(d log(1/delta)))^(2/5), at
// least 1 and at most n/2, alpha = 4 beta/(T + 1) log2(n/T), at most beta (which the proof
// assumes). Throws std::invalid_argument for fewer than 2 records.
RegularizedMirrorParameters regularized_mirror_from_theorem(Index n, Index dimension, double p,
                                                            double epsilon, double delta, Loss loss,
                                                            double lipschitz, Edition edition);
// Theorem 7 with its logarithm: kappa^(4/5) (sqrt(d log(1/delta))/(n epsilon))^(2/5) log2 n.
double regularized_mirror_bound(Index n, Index dimension, double kappa, double epsilon,
                                double delta);

std::vector<Claim> regularized_mirror_rates();
std::vector<Claim> regularized_mirror_lemmas();    // steps of the proofs of Theorems 6 and 7
std::vector<Claim> relative_convexity_lemmas();    // Lemmas 11 to 13
std::vector<Claim> generalised_gaussian_lemmas();  // the noise that Algorithms 3, 4 and 7 share
Algorithm regularized_mirror_algorithm();

}  // namespace dpverify::su
