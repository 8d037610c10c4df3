// Theorem 3 of Hu, Ni, Xiao and Wang as rates.
#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/hu/robust_regression.hpp"
#include "algorithms/problems/robust_model.hpp"

namespace dpverify::hu {
namespace {

using enum Edition;
using enum Expectation;

constexpr double failure_probability = 0.25;

RobustModel heavy_model() {
  RobustModel model{.optimum = VectorXd::Zero(4)};
  model.optimum[0] = 0.7;
  model.optimum[1] = -0.3;
  return model;
}

// Theorem 3's parameters and bound.
RatePoint theorem_point(Edition edition, Index n, double epsilon, const RobustModel& model) {
  const Index dimension = model.optimum.size();
  FrankWolfeParameters p =
      robust_regression_from_theorem(n, dimension, epsilon, model.loss, failure_probability);
  p.sensitivity = edition;
  return {.records = n,
          .mechanism = [p](const Dataset& data,
                           Releases& releases) { return dp_frank_wolfe(data, p, releases); },
          .bound = robust_regression_bound(n, dimension, epsilon, model.second_moment(),
                                           failure_probability)};
}

RateTheorem theorem_3(std::function<RatePoint(double)> at) {
  return {-0.25, failure_probability, true, std::move(at)};
}

// Where the bound is attained: w* spread over more coordinates the larger the budget N = n epsilon.
// With Theorem 3's T and s the scores of a selection have noise of the order nu = 2 Delta/epsilon ~
// sqrt(T/N) ~ N^(-1/4), and so has the step 1/sqrt T. A coordinate of w* that is not above nu is
// found a constant share of the times, so that 1/r entries of size r ~ N^(-1/4) each miss a share
// of r: the risk is about r^2/r = r, the bound but for logarithms. With r fixed every coordinate is
// found in the end, and the risk falls as nu^2.
RateClaim spread_records_rate() {
  const auto at = [](double n) {
    const RobustModel model{.optimum = spread_optimum(std::min(1.0, 5 / std::pow(n, 0.25))),
                            .levels = 1};
    RatePoint point = theorem_point(printed, static_cast<Index>(n), 1.0, model);
    RateProblem here = rate_problem("", model);
    point.dimension = here.dimension;
    point.draw = std::move(here.draw);
    point.excess_risk = std::move(here.excess_risk);
    return point;
  };
  return rate_claim(
      "n", theorem_3(at),
      {.words =
           "pseudo-Huber regression, independent signs as features, one label in ten moved by "
           "+-10, w* of l1 norm 1 with entries of 5 (n epsilon)^(-1/4), about the noise of a "
           "selection, on half of the coordinates: the larger n epsilon, the more of them, so that "
           "a constant share of w* is always missed; unit l1 ball, epsilon = 1; population risk by "
           "exact summation"},
      {{{1e3, 4.6e3, 2.2e4, 1e5}, 52}, {{1e3, 4.6e3, 2.2e4, 1e5}, 100}});
}

RateProblem problem(const std::string& fixed) {
  return rate_problem(
      "pseudo-Huber regression, 4 features R(+-1, ..., +-1) with P(R = 2^k) ~ 8^(-k/2), k "
      "= 0..5, one label in ten moved by +-10, w* = (0.7, -0.3, 0, 0), unit l1 ball, " +
          fixed,
      heavy_model());
}

RateClaim records_rate() {
  const auto at = [model = heavy_model()](double n) {
    RatePoint point = theorem_point(corrected, static_cast<Index>(n), 1.0, model);
    point.comparators =
        usual_comparators({.loss = model.loss,
                           .feasible = {.kind = FeasibleSet::Kind::l1_ball, .radius = 1},
                           .initial = VectorXd::Zero(4),
                           .smoothness = model.second_moment(),
                           .second_moment = model.second_moment()},
                          point.records, 1, std::pow(n, -1.1));
    return point;
  };
  return rate_claim("n", theorem_3(at),
                    problem("epsilon = 1; population risk by exact summation; the comparators have "
                            "the weaker (1, n^-1.1)-DP"),
                    {{{300, 1.4e3, 6.5e3, 3e4}, 125},
                     {{1e3, 4.6e3, 2.2e4, 1e5}, 150},
                     {{1e3, 4.6e3, 2.2e4, 1e5, 1e6}, 200}});
}

// The loss that Assumption 2 is said to include. Its gradient is 0 where every residual is beyond c
// = 1: with |x| = `scale` and w* = 1 that is from w = 0 on to w = 1 - 1/scale, if scale > 1.
RateClaim biweight_rate(Edition edition, double scale, VectorXd optimum, const std::string& words,
                        Sweeps sweeps) {
  const RobustModel model{.loss = Loss::biweight,
                          .optimum = std::move(optimum),
                          .levels = 1,
                          .outlier_share = scale > 1 ? 0 : 0.1,
                          .scale = scale};
  const auto at = [=](double n) {
    return theorem_point(edition, static_cast<Index>(n), 1.0, model);
  };
  RateClaim rate =
      rate_claim("n", theorem_3(at),
                 rate_problem("regression with the biweight loss, c = 1, " + words +
                                  ", unit l1 ball, epsilon = 1; population risk by exact summation",
                              model),
                 std::move(sweeps));
  rate.learns = edition == printed;
  return rate;
}

RateClaim epsilon_rate() {
  return rate_claim("epsilon", theorem_3([model = heavy_model()](double epsilon) {
                      return theorem_point(corrected, 6'000, epsilon, model);
                    }),
                    problem("n = 6000; population risk by exact summation"),
                    {{{0.03, 0.14, 0.65, 3}, 110}, {{0.03, 0.14, 0.65, 3}, 180}});
}

}  // namespace

std::vector<Claim> robust_regression_rates() {
  const std::vector<std::string> assumption_2{
      "pseudo-Huber loss, bounded <x, w - w*>: Lemma 7 holds", "symmetric noise, E x_j^2 = O(1)",
      "epsilon = O(1)"};
  const Source smallest_delta{Text::this_project, "Theorem 3 with the smallest safe Delta"};
  ClaimList claims("hu.robust_regression");
  claims.add(
      "rate", printed, holds, {Text::hu, "Theorem 3, (8)"},
      "With T = sqrt(n epsilon/log(d/zeta)), s = sqrt(n epsilon/(T log(dT/zeta))) and the step "
      "1/sqrt T the excess risk falls as lambda_max log(dn/zeta)^(1/4)/(n epsilon)^(1/4).",
      assumption_2, spread_records_rate());
  claims.add("rate", corrected, holds, smallest_delta,
             "With Theorem 3's T, s and step and the corrected Delta the excess risk falls with n "
             "as lambda_max log(dn/zeta)^(1/4)/(n epsilon)^(1/4).",
             assumption_2, records_rate());
  claims.add("rate.epsilon", corrected, holds, smallest_delta,
             "With Theorem 3's T, s and step and the corrected Delta the excess risk at a fixed n "
             "falls with epsilon as lambda_max log(dn/zeta)^(1/4)/(n epsilon)^(1/4).",
             assumption_2, epsilon_rate());
  claims.add("rate.biweight", printed, refuted,
             {Text::hu, "Theorem 3 for the biweight loss, which Assumption 2 is said to include"},
             "For the biweight loss, which Assumption 2 is said to include, the excess risk falls "
             "as lambda_max log(dn/zeta)^(1/4)/(n epsilon)^(1/4), because the algorithm learns "
             "from the data. (c = 1, one feature +-3, w* = 1 and no noise are this check's; it "
             "asks for a risk below that of a run without data and of the zero vector.)",
             {"c = 1, no noise, E x^2 = 9"},
             biweight_rate(printed, 3, VectorXd::Ones(1), "one feature +-3, w* = 1, no noise",
                           {{{1e3, 4.6e3, 2.2e4, 1e5}, 60}, {{1e3, 4.6e3, 2.2e4, 1e5}, 100}}));
  claims.add(
      "rate.biweight", corrected, holds,
      {Text::this_project, "Theorem 3 where no residual but an outlier's is beyond c"},
      "For the biweight loss, if |<x, w - w*>| <= B < c, the excess risk falls as lambda_max "
      "log(dn/zeta)^(1/4)/(n epsilon)^(1/4).",
      {"B = 0.9, c = 1", "symmetric noise"},
      biweight_rate(corrected, 0.45, (VectorXd(2) << 0.7, -0.3).finished(),
                    "2 features of independent signs times 0.45, one label in ten moved by "
                    "+-10, w* = (0.7, -0.3)",
                    {{}, {{1e4, 4.6e4, 2.2e5, 1e6}, 60}}));
  return claims.take();
}

}  // namespace dpverify::hu
