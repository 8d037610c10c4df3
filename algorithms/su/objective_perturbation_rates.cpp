// Theorem 2 as rates, looked at with the exact minimiser of objective perturbation.
#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/su/bounded_regression.hpp"
#include "algorithms/su/objective_perturbation.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;

// Theorem 2's lambda, at least Lemma 5's.
ObjectivePerturbationParameters theorem_2(const BoundedRegression& on, Index n, double epsilon) {
  ObjectivePerturbationParameters p = objective_perturbation_from_theorem(
      proved, n, on.dimension, epsilon, on.delta, on.model.loss, on.lipschitz, on.radius);
  p.ridge = std::max(p.ridge, on.lipschitz / (std::sqrt(static_cast<double>(n)) * (2 * on.radius)));
  return p;
}

RateClaim records_rate() {
  constexpr double epsilon = 0.9;
  const BoundedRegression problem(0);
  const auto at = [=](double value) {
    const auto n = static_cast<Index>(value);
    RatePoint point{n,
                    [p = theorem_2(problem, n, epsilon)](const Dataset& data, Releases& releases) {
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
      {{{300, 1e3, 3e3, 1e4}, 24},
       {{300, 1e3, 3e3, 1e4, 3e4}, 80},
       {{300, 1e3, 1e4, 1e5, 3e5}, 120}});
}

RateClaim epsilon_rate() {
  constexpr Index n = 10'000;
  const BoundedRegression problem(0);
  const SignModel kinds = problem.kinds();
  const auto at = [=, records = kinds.records()](double epsilon) {
    return RatePoint{
        n,
        [=, p = theorem_2(problem, n, epsilon)](const Dataset& counts, Releases& releases) {
          return objective_perturbation(regularised_objective(records, counts.labels, n, p), p,
                                        releases);
        },
        problem.bound(n, epsilon)};
  };
  RateProblem counts = problem.drawn_as_counts(
      "pseudo-Huber regression, two features of independent signs, w* = (0.7, -0.5), one label in "
      "ten moved by +-10, drawn as counts; unit ball, n = 10^4, delta = 1e-5; population risk by "
      "exact summation");
  counts.excess_risk = [kinds](const VectorXd& w) { return kinds.excess_risk(w); };
  return rate_claim("epsilon", {.exponent = -1, .at = at}, std::move(counts),
                    {{{0.01, 0.1, 0.9}, 100}, {{0.01, 0.03, 0.1, 0.3, 0.9}, 600}});
}

}  // namespace

std::vector<Claim> objective_perturbation_rates() {
  const Source exact{Text::this_project, "Theorem 2, with the exact minimiser of Algorithm 5"};
  ClaimList claims("su.objective_perturbation");
  claims.add("rate", corrected, holds, exact,
             "The excess risk of Algorithm 5 with lambda = max{r beta/(epsilon n), L/(sqrt n "
             "||C||_2)} falls as L G_C sqrt(log(1/delta))/(epsilon n) + L ||C||_2/sqrt n.",
             {"Assumption 1"}, records_rate());
  claims.add("rate.epsilon", corrected, holds, exact,
             "The excess risk of Algorithm 5 with lambda = max{r beta/(epsilon n), L/(sqrt n "
             "||C||_2)} falls in epsilon at least as fast as L G_C sqrt(log(1/delta))/(epsilon n) "
             "+ L ||C||_2/sqrt n.",
             {"Assumption 1"}, epsilon_rate());
  return claims.take();
}

}  // namespace dpverify::su
