// Theorem 10 of shuffled mirror descent as rates, within Theorem 9's range of epsilon.
#include <cmath>
#include <string>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/su/batched_mirror_descent.hpp"
#include "algorithms/su/hidden_direction.hpp"
#include "algorithms/su/shuffled_mirror_descent.hpp"
#include "algorithms/su/sign_model.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;

constexpr double p = 1.5, radius = 0.5, delta = 1e-5;

// The largest epsilon that Theorem 9 speaks of, the constant of its O() 1.
double largest_epsilon(Index n) {
  const auto records = static_cast<double>(n);
  return std::sqrt(std::log(records / delta) / records);
}

// Theorem 9's noise with the constant `constant` in its O().
double report_deviation(const ShuffledMirrorParameters& at, Index n, Index dimension,
                        double epsilon, double constant) {
  const auto records = static_cast<double>(n);
  return threshold(at, dimension) *
         std::sqrt(constant * std::log(records / delta) *
                   mirror_space(p, dimension, corrected).kappa * -std::log(delta) / records) /
         epsilon;
}

// In the plane, where the norm of the noise is Euclidean: the mean of a batch's reports is then the
// mean of its truncated gradients with Gaussian noise, sigma_1^2/|B|, and records may come as
// counts.
VectorXd on_counts(const std::function<VectorXd(const VectorXd& w, Index batch)>& mean_gradient,
                   Index n, double deviation, const ShuffledMirrorParameters& at,
                   Releases& releases) {
  const MirrorSpace space = mirror_space(p, 2, corrected);
  const double noise = deviation / std::sqrt(static_cast<double>(n / at.batches));
  VectorXd w = VectorXd::Zero(2), average = w;
  for (Index t = 0; t < at.batches; ++t) {
    const VectorXd mean =
        releases.release(GaussianNoise{mean_gradient(w, t), 2 * threshold(at, 2), noise});
    w = mirror_step_in_ball(space.map, w, mean, at.proximity, at.radius);
    average += (w - average) / static_cast<double>(t + 1);
  }
  return average;
}

// The theorem bounds, with probability 1 - delta' over the data, the mean over the noise by
// sqrt(log(1/delta')) times what stands here; so it bounds the mean over both.
RatePoint theorem_point(Index n, double epsilon, double constant) {
  // Two features of independent signs, so that E||gradient||_3^2 <= 2^(2/3).
  const SignModel model{.optimum = (VectorXd(2) << 0.4, -0.3).finished(), .outlier_share = 0};
  const double sigma = std::cbrt(2.0);
  const MirrorSpace space = mirror_space(p, 2, corrected);
  const ShuffledMirrorParameters at =
      shuffled_mirror_from_theorem(n, 2, p, radius, 1, sigma, epsilon, delta);
  const double deviation = report_deviation(at, n, 2, epsilon, constant);
  return {.records = n,
          .mechanism =
              [=](const Dataset& counts, Releases& releases) {
                return on_counts(
                    [&](const VectorXd& w, Index batch) {
                      return model.mean_gradient(counts, w, batch, space.dual, threshold(at, 2));
                    },
                    n, deviation, at, releases);
              },
          .bound = shuffled_mirror_bound(n, 2, diameter(p, radius, space, 2), sigma, space.kappa,
                                         epsilon, delta),
          .dimension = 2,
          .draw = [=, batches = at.batches](
                      Index count,
                      RandomStream& stream) { return model.draw_counts(count, stream, batches); },
          .excess_risk = [=](const VectorXd& w) { return model.excess_risk(w); }};
}

RateClaim in_n(double constant, Sweeps sweeps) {
  return rate_claim(
      "n",
      {.exponent = -0.25,
       .at =
           [=](double value) {
             const auto n = static_cast<Index>(value);
             return theorem_point(n, largest_epsilon(n), constant);
           }},
      {.words =
           "pseudo-Huber regression, two features of independent signs, w* = (0.4, -0.3), no "
           "label noise, drawn as counts; C the Euclidean ball of radius 1/2; p = 1.5, delta = "
           "1e-5, epsilon = sqrt(log(n/delta)/n); population risk by exact summation"},
      std::move(sweeps));
}

}  // namespace

std::vector<Claim> shuffled_mirror_rates() {
  const std::vector<std::string> assumptions{"E||gradient - its mean||_q^2 <= sigma^2 = 2^(2/3)",
                                             "epsilon = sqrt(log(n/delta)/n), the end of Theorem "
                                             "9's range"};
  const std::string falls =
      " the excess risk of Algorithm 4 falls along epsilon = sqrt(log(n/delta)/n) as M "
      "max{sigma^2, "
      "sigma} (kappa^2 d log(1/delta))^(1/4)/sqrt(n epsilon), like n^(-1/4).";
  ClaimList claims("su.shuffled_mirror_descent");
  claims.add("rate", printed, holds,
             {Text::su,
              "Theorem 10 (supplement) with Theorem 9's noise, every hidden constant 1 (kappa "
              "corrected)"},
             "With Theorem 10's T and lambda and Theorem 9's sigma_1" + falls, assumptions,
             in_n(1, {{}, {{1e8, 5e8, 2e9, 1e10}, 16}}));
  return claims.take();
}

}  // namespace dpverify::su
