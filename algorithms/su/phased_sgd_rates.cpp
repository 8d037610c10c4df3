// Lemma 14 of phased private SGD as rates.
#include <algorithm>
#include <cmath>
#include <string>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/core/norms.hpp"
#include "algorithms/problems/robust_model.hpp"
#include "algorithms/su/hidden_direction.hpp"
#include "algorithms/su/phased_sgd.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;

constexpr double delta = 1e-5;

RatePoint lemma_14(Edition edition, Index n, Index dimension, double epsilon, double lipschitz,
                   double optimum_norm) {
  PhasedSgdParameters p =
      phased_sgd_from_theorem(n, dimension, epsilon, delta, Loss::pseudo_huber, lipschitz);
  p.sensitivity = edition;
  return {.records = n,
          .mechanism = [p](const Dataset& data,
                           Releases& releases) { return phased_sgd(data, p, releases); },
          .bound = phased_sgd_bound(n, dimension, epsilon, delta, lipschitz, optimum_norm)};
}

// ---- A regression that is easy: the loss is strongly convex around its optimum -----------------

// Every x has norm 2 = L.
const RobustModel model{.loss = Loss::pseudo_huber,
                        .optimum = Eigen::Vector4d(1, -1, 0.5, 0),
                        .levels = 1,
                        .outlier = 10,
                        .outlier_share = 0.2};
const std::string words =
    "pseudo-Huber regression, 4 features of independent signs (L = 2), w* = (1, -1, 1/2, 0), one "
    "label in five moved by +-10, delta = 1e-5; population risk by exact summation; ";

RatePoint regression(Edition edition, Index n, double epsilon) {
  return lemma_14(edition, n, 4, epsilon, 2, model.optimum.norm());
}

RateClaim records_rate(Edition edition) {
  const auto at = [edition](double n) {
    RatePoint point = regression(edition, static_cast<Index>(n), 1.0);
    // The loss is 1-smooth for signs, its gradient at most 1 in each coordinate.
    if (edition == corrected)
      point.comparators = usual_comparators(
          {.loss = Loss::pseudo_huber, .initial = VectorXd::Zero(4)}, point.records, 1, delta);
    return point;
  };
  return rate_claim("n", {.exponent = -0.5, .at = at}, rate_problem(words + "epsilon = 1", model),
                    {{{500, 2.5e3, 1e4, 5e4}, 40},
                     {{1e3, 4e3, 1.6e4, 6.4e4, 2.56e5}, 50},
                     {{1e3, 1e4, 1e5, 1e6}, 100}});
}

RateClaim epsilon_rate() {
  const auto at = [](double epsilon) { return regression(corrected, 32'000, epsilon); };
  return rate_claim("epsilon", {.exponent = -1, .at = at},
                    rate_problem(words + "n = 32,000", model),
                    {{{0.01, 0.05, 0.2, 1}, 16}, {{0.01, 0.03, 0.1, 0.3, 1}, 100}});
}

// ---- Where the bound is attained ---------------------------------------------------------------

// The loss of a linear model feels isotropic noise in one direction only, which costs L sigma, not
// L sigma sqrt(d). What attains the bound is the step, which the noise of the first phase makes as
// small as eta = epsilon/(2 L sqrt(d log(1/delta))). On a slope of gamma < L the first phase's
// n/2 steps of eta/4 lead gamma eta n/8 far, half of that on average, and phase i 8^-i of it. With
// gamma ten times L (1/sqrt n + sqrt(d log(1/delta))/(epsilon n)) that is some two fifths to four
// fifths of the way to w* = e_1: the excess risk is a share of gamma, as the bound says, and a run
// that knows nothing errs so much more that a slower one is seen. gamma <= L asks for more records
// than 10 sqrt(d log(1/delta))/epsilon, and above d log(1/delta)/epsilon^2 the bound is 1/sqrt n:
// for two decades in between epsilon must be small.
//
// In l_p^d with p > 2 the bound has the factor d^(1 - 2/p) ||theta*||_p^2, and L bounds the q-norm
// of a gradient, q dual to p. Along (1, ..., 1) the factor is ||theta*||_2^2, the most that it can
// be, and so everything is as before but for a slope of at most L d^(1/p - 1/2).
RatePoint attained_point(Index n, Index dimension, double epsilon, double p = 2) {
  constexpr double lipschitz = 20;
  const auto d = static_cast<double>(dimension);
  const VectorXd direction = p == 2 ? VectorXd(VectorXd::Unit(dimension, 0))
                                    : VectorXd(VectorXd::Constant(dimension, 1 / std::sqrt(d)));
  RatePoint point = lemma_14(corrected, n, dimension, epsilon, lipschitz,
                             std::pow(d, 0.5 - 1 / p) * lp_norm(direction, p));
  const double size = lipschitz / lp_norm(direction, dual_exponent(p));  // of the features, l_2
  const HiddenDirection law{
      .lipschitz = size, .dimension = dimension, .share = 10 * point.bound / size, .signal = size};
  point.dimension = dimension;
  point.draw = [law, direction](Index count, RandomStream& stream) {
    Dataset data = law.draw(count, stream);
    data.features.rowwise() = law.lipschitz * direction.transpose();
    return data;
  };
  point.excess_risk = [excess = law.excess_over(1), direction](const VectorXd& w) {
    return excess(VectorXd::Constant(1, direction.dot(w)));
  };
  return point;
}

RateClaim attained_rate(const std::string& variable, double exponent,
                        std::function<RatePoint(double)> at, const std::string& fixed,
                        Sweeps sweeps,
                        const std::string& features =
                            "one feature of d that is ever different from 0, x = (20, 0, ..., 0) = "
                            "L e_1; the label is 20 with probability 10 (1/sqrt n + sqrt(d "
                            "log(1/delta))/(epsilon n)), so that w* = e_1, and else +-1000") {
  return rate_claim(
      variable, {.exponent = exponent, .at = std::move(at)},
      {.words = "pseudo-Huber regression with " + features + "; delta = 1e-5, " + fixed +
                ". The slope towards w* is so small that steps of eta lead only a part of the way"},
      std::move(sweeps));
}

}  // namespace

std::vector<Claim> phased_sgd_rates() {
  const std::vector<std::string> assumptions{
      "convex, beta-smooth loss, L-Lipschitz in the Euclidean norm"};
  const Source exact_change{Text::this_project, "Lemma 14 with the exact change of an average"};
  const std::string corrected_run =
      "With Lemma 14's eta and noise scaled to 2 L eta_i n_i/(n_i + 1) the excess risk of "
      "Algorithm 6 falls ";
  const std::string bound = "L ||theta*||^2 (1/sqrt n + sqrt(d log(1/delta))/(epsilon n)).";
  ClaimList claims("su.phased_sgd");
  claims.add("rate", printed, holds, {Text::su_supplement, "Lemma 14; Theorem 13 for p = 2"},
             "With Lemma 14's eta the excess risk of Algorithm 6 falls as " + bound, assumptions,
             records_rate(printed));
  claims.add("rate", corrected, holds, exact_change, corrected_run + "as " + bound, assumptions,
             records_rate(corrected));
  claims.add(
      "rate.tight_instance", corrected, holds, exact_change,
      corrected_run + "in n, where the term of the noise is two fifths of the bound or more, as " +
          bound,
      assumptions,
      attained_rate("n", -1,
                    [](double n) { return attained_point(static_cast<Index>(n), 16, 0.0226); },
                    "d = 16, epsilon = 0.0226", {{}, {{6.5e3, 3e4, 1.4e5, 6.5e5}, 24}}));
  claims.add("rate.epsilon", corrected, holds, exact_change,
             corrected_run + "in epsilon at least as fast as " + bound, assumptions,
             epsilon_rate());
  claims.add(
      "rate.dimension", corrected, holds, exact_change,
      "With Lemma 14's eta and noise scaled to 2 L eta_i n_i/(n_i + 1) the excess risk of "
      "Algorithm 6 grows in d, where the term of the noise is half of the bound or more, no "
      "faster than " +
          bound,
      assumptions,
      attained_rate(
          "d", 0.5, [](double d) { return attained_point(30'000, static_cast<Index>(d), 0.0196); },
          "n = 30,000, epsilon = 0.0196", in_both({{1, 5, 22, 100}, 24})));

  // Theorem 13 beyond p = 2.
  const Source above_2{Text::this_project,
                       "Theorems 8 and 13 for p = 4, with the exact change of an average"};
  const std::vector<std::string> assumptions_in_4{
      "convex, beta-smooth loss, L-Lipschitz in the norm of l_4^d"};
  const std::string bound_in_4 =
      "L sqrt d ||theta*||_4^2 (1/sqrt n + sqrt(d log(1/delta))/(epsilon n)).";
  const std::string spread =
      "features that are all the same, x = 20 d^(-3/4) (1, ..., 1), of 4/3-norm L = 20; the label "
      "is 20 d^(-1/4) with probability 10 d^(1/4) (1/sqrt n + sqrt(d log(1/delta))/(epsilon n)), "
      "so that w* = (1, ..., 1)/sqrt d, and else +-1000";
  claims.add(
      "rate.p_4", corrected, holds, above_2,
      "In l_4^d with Lemma 14's eta and noise scaled to 2 L eta_i n_i/(n_i + 1) the excess "
      "risk of Algorithm 6 falls in n, where the term of the noise is two fifths of the bound or "
      "more, as " +
          bound_in_4,
      assumptions_in_4,
      attained_rate(
          "n", -1, [](double n) { return attained_point(static_cast<Index>(n), 4, 0.008, 4); },
          "d = 4, epsilon = 0.008", in_both({{1.4e4, 6.5e4, 3e5, 1.4e6}, 40}), spread));
  claims.add(
      "rate.p_4.dimension", corrected, holds, above_2,
      "In l_4^d with Lemma 14's eta and noise scaled to 2 L eta_i n_i/(n_i + 1) the excess risk of "
      "Algorithm 6 grows in d, where the term of the noise is two fifths of the bound or more, no "
      "faster than " +
          bound_in_4,
      assumptions_in_4,
      attained_rate(
          "d", 0.5,
          [](double d) { return attained_point(65'000, static_cast<Index>(d), 0.019, 4); },
          "n = 65,000, epsilon = 0.019", in_both({{1, 5, 22, 100}, 12}), spread));
  return claims.take();
}

}  // namespace dpverify::su
