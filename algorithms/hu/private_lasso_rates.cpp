// Theorem 5 of Hu, Ni, Xiao and Wang as rates.
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/hu/private_lasso.hpp"
#include "algorithms/problems/linear_model.hpp"
#include "algorithms/problems/robust_model.hpp"

namespace dpverify::hu {
namespace {

using enum Edition;
using enum Expectation;

constexpr double delta = 1e-5, failure_probability = 0.25;

// Theorem 5's parameters and bound.
RatePoint theorem_point(LassoSensitivity sensitivity, Index n, double epsilon, Index dimension,
                        double lambda_max) {
  PrivateLassoParameters p =
      private_lasso_from_theorem(n, dimension, epsilon, delta, lambda_max, failure_probability);
  p.sensitivity = sensitivity;
  return {
      .records = n,
      .mechanism = [p](const Dataset& data,
                       Releases& releases) { return private_lasso(data, p, releases); },
      .bound = private_lasso_bound(n, dimension, epsilon, delta, lambda_max, failure_probability)};
}

RateTheorem theorem_5(std::function<RatePoint(double)> at) {
  return {.exponent = -0.4, .failure_probability = failure_probability, .at = std::move(at)};
}

// Independent signs as features, times `scale` and heavier tails the more levels; w* = (0.7, -0.3,
// 0, ..., 0), one label in ten moved by +-1.
RobustModel sign_model(Index dimension, Index levels, double scale) {
  RobustModel model{.loss = Loss::squared,
                    .optimum = VectorXd::Zero(dimension),
                    .levels = levels,
                    .outlier = 1,
                    .outlier_share = 0.1,
                    .scale = scale};
  model.optimum[0] = 0.7;
  model.optimum[1] = -0.3;
  return model;
}

// Where the bound is attained: with the printed Delta the noise of a selection, 2 Delta/epsilon' ~
// K^2 sqrt(T log(1/delta))/(n epsilon) ~ (n epsilon)^(-2/5) in the score, hides the gradient over
// the whole sweep, so that the error is what a wrong vertex costs, as much as that noise.
RateClaim printed_records_rate() {
  const RobustModel model = sign_model(8, 1, 4);
  const auto at = [=](double n) {
    return theorem_point(LassoSensitivity::printed_diameter, static_cast<Index>(n), 0.9, 8,
                         model.second_moment());
  };
  return rate_claim(
      "n", theorem_5(at),
      rate_problem("linear regression, 8 features of independent signs times 4, one label in ten "
                   "moved by +-1, w* = (0.7, -0.3, 0, ..., 0), unit l1 ball, epsilon = 0.9, delta "
                   "= 1e-5; the noise of a selection is as large as its scores; closed-form "
                   "population risk",
                   model),
      {{{4e3, 1.9e4, 8.6e4, 4e5}, 16}, {{4e3, 1.9e4, 8.6e4, 4e5}, 36}});
}

RateClaim records_rate() {
  const LinearModel model{.optimum = (VectorXd(4) << 0.7, -0.3, 0, 0).finished(),
                          .features = {ScalarLaw::Kind::student_t, 10, 3}};
  const auto at = [=](double n) {
    const auto records = static_cast<Index>(n);
    RatePoint point =
        theorem_point(LassoSensitivity::corrected, records, 0.9, 4, model.smoothness() / 2);
    point.comparators =
        usual_comparators({.loss = Loss::squared,
                           .feasible = {.kind = FeasibleSet::Kind::l1_ball, .radius = 1},
                           .initial = VectorXd::Zero(4),
                           .smoothness = model.smoothness(),
                           .second_moment = model.gradient_second_moment(2)},
                          records, 0.9, delta);
    return point;
  };
  return rate_claim(
      "n", theorem_5(at),
      rate_problem("linear regression, 4 features with Student's t law (10 degrees of freedom, "
                   "scale 3), noise N(0, 0.1), w* = (0.7, -0.3, 0, 0), unit l1 ball, "
                   "epsilon = 0.9, delta = 1e-5; closed-form population risk",
                   model),
      {{{1.5e3, 7e3, 3.2e4, 1.5e5}, 20},
       {{2e3, 9.3e3, 4.3e4, 2e5}, 44},
       {{2e3, 9.3e3, 4.3e4, 2e5, 1e6}, 80}});
}

RateClaim epsilon_rate() {
  const RobustModel model = sign_model(2, 2, 3);
  const auto at = [model](double epsilon) {
    return theorem_point(LassoSensitivity::corrected, 60'000, epsilon, 2, model.second_moment());
  };
  return rate_claim(
      "epsilon", theorem_5(at),
      rate_problem("linear regression, 2 features 3 R(+-1, +-1) with P(R = 2^k) ~ 8^(-k/2), k = "
                   "0, 1, one label in ten moved by +-1, w* = (0.7, -0.3), unit l1 ball, n = "
                   "60000, delta = 1e-5; closed-form population risk",
                   model),
      {{{0.0096, 0.045, 0.21, 0.96}, 40}, {{0.0096, 0.045, 0.21, 0.96}, 100}});
}

}  // namespace

std::vector<Claim> private_lasso_rates() {
  const std::vector<std::string> assumption_3{"E(x_j x_k)^2 <= M, E y^4 <= M",
                                              "lambda_max(E x x^T) known"};
  const Source exact{Text::this_project, "Theorem 5 with the exact score sensitivity"};
  ClaimList claims("hu.private_lasso");
  claims.add("rate", printed, holds, {Text::hu, "Theorem 5, (9)"},
             "With the theorem's T and K the excess risk falls as lambda_max^(1/5) "
             "(sqrt(log(1/delta)) log(dn/zeta))^(4/5)/(n epsilon)^(2/5).",
             assumption_3, printed_records_rate());
  claims.add("rate", corrected, holds, exact,
             "With Theorem 5's T and K and the corrected Delta the excess risk falls with n as "
             "lambda_max^(1/5) (sqrt(log(1/delta)) log(dn/zeta))^(4/5)/(n epsilon)^(2/5).",
             assumption_3, records_rate());
  claims.add("rate.epsilon", corrected, holds, exact,
             "With Theorem 5's T and K and the corrected Delta the excess risk at a fixed n falls "
             "with epsilon as lambda_max^(1/5) (sqrt(log(1/delta)) log(dn/zeta))^(4/5)/(n "
             "epsilon)^(2/5).",
             assumption_3, epsilon_rate());
  return claims.take();
}

}  // namespace dpverify::hu
