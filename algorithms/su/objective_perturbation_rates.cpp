// Theorem 2 of Su, Zhao and Wang, with the exact minimiser of Algorithm 5, as rates.
#include <algorithm>
#include <cmath>
#include <string>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/su/bounded_regression.hpp"
#include "algorithms/su/objective_perturbation.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;

// Theorem 2's lambda, at least Lemma 5's.
ObjectivePerturbationParameters theorem_2(Index n, Index dimension, double epsilon,
                                          double lipschitz, double radius) {
  ObjectivePerturbationParameters p =
      objective_perturbation_from_theorem(proved, n, dimension, epsilon, BoundedRegression::delta,
                                          Loss::pseudo_huber, lipschitz, radius);
  p.ridge = std::max(p.ridge, lipschitz / (std::sqrt(static_cast<double>(n)) * (2 * radius)));
  return p;
}

RateClaim records_rate() {
  constexpr double epsilon = 0.9;
  const BoundedRegression problem(0);
  const auto at = [=](double value) {
    const auto n = static_cast<Index>(value);
    RatePoint point{n,
                    [p = theorem_2(n, problem.dimension, epsilon, problem.lipschitz,
                                   problem.radius)](const Dataset& data, Releases& releases) {
                      return objective_perturbation(data, p, releases);
                    },
                    problem.bound(n, epsilon)};
    point.comparators = problem.comparators(n, epsilon);
    return point;
  };
  return rate_claim(
      "n", {.exponent = -0.5, .at = at},
      problem.drawn("pseudo-Huber regression, two features of independent signs, w* = (0.7, -0.5), "
                    "one label in ten moved by +-10, unit ball, epsilon = 0.9, delta = 1e-5; "
                    "population risk by exact summation"),
      {{{100, 500, 2e3, 1e4}, 100},
       {{100, 300, 1e3, 3e3, 1e4, 3e4}, 200},
       {{300, 1e3, 1e4, 1e5, 3e5}, 120}});
}

RatePoint attained(Index n, Index dimension, double epsilon) {
  constexpr double radius = 0.05;
  const ObjectivePerturbationParameters p = theorem_2(n, dimension, epsilon, 1, radius);
  return attained_point(p, n, dimension, [&](const Dataset& kinds) -> Mechanism {
    return [=](const Dataset& counts, Releases& releases) {
      return objective_perturbation(regularised_objective(kinds, counts.labels, n, p), p, releases);
    };
  });
}

RateClaim attained_rate(const std::string& variable, std::function<RatePoint(double)> at,
                        const std::string& fixed, double exponent, Sweeps sweeps) {
  return rate_claim(
      variable, {.exponent = exponent, .at = std::move(at)},
      {.words =
           attained_words +
           "the labels are +-1000 and so unbalanced that the mean gradient is twice as long as "
           "the noise G/n, which most of the bound is; C the ball of radius 1/20, delta = 1e-5, " +
           fixed},
      std::move(sweeps));
}

}  // namespace

std::vector<Claim> objective_perturbation_rates() {
  const Source exact{Text::this_project, "Theorem 2, with the exact minimiser of Algorithm 5"};
  const Source by_noise{Text::this_project,
                        "Theorem 2, with the exact minimiser of Algorithm 5 and the constants of "
                        "its noise"};
  const std::string with =
      "The excess risk of Algorithm 5 with lambda = max{r beta/(epsilon n), L/(sqrt n ||C||_2)} ";
  const std::string bound = "G_C sigma_1/n + L ||C||_2/sqrt n.";
  ClaimList claims("su.objective_perturbation");
  claims.add("rate", corrected, holds, exact,
             with + "falls as L G_C sqrt(log(1/delta))/(epsilon n) + L ||C||_2/sqrt n.",
             {"Assumption 1"}, records_rate());
  claims.add("rate.tight_instance", corrected, holds, by_noise,
             with + "falls in n, where the noise dominates, as " + bound, {"Assumption 1"},
             attained_rate("n", [](double n) { return attained(static_cast<Index>(n), 64, 0.05); },
                           "d = 64, epsilon = 0.05", -1,
                           {{{1e4, 5e4, 2e5, 1e6}, 24}, {{1e4, 3e4, 1e5, 3e5, 1e6}, 60}}));
  claims.add(
      "rate.epsilon", corrected, holds, by_noise,
      with + "falls in epsilon, where the noise dominates, at least as fast as " + bound,
      {"Assumption 1"},
      attained_rate("epsilon", [](double epsilon) { return attained(800'000, 64, epsilon); },
                    "d = 64, n = 8 10^5", -1,
                    {{{5e-4, 2e-3, 0.01, 0.05}, 24}, {{5e-4, 1.5e-3, 5e-3, 0.015, 0.05}, 60}}));
  claims.add("rate.dimension", corrected, holds, by_noise,
             with +
                 "grows in d, where the noise dominates and G_C is R sqrt d about, no faster "
                 "than " +
                 bound,
             {"Assumption 1"},
             attained_rate(
                 "d", [](double d) { return attained(200'000, static_cast<Index>(d), 0.05); },
                 "n = 2 10^5, epsilon = 0.05", 0.5, in_both({{2, 10, 40, 200}, 60})));
  return claims.take();
}

}  // namespace dpverify::su
