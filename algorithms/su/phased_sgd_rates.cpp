// Lemma 14 of Su, Zhao and Wang as rates of phased private SGD.
#include <string>
#include <vector>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/problems/robust_model.hpp"
#include "algorithms/su/phased_sgd.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;

constexpr double delta = 1e-5;

// 4 features of independent signs, so that every x has norm 2 = L; one label in five moved by +-10.
RobustModel model() {
  return {.loss = Loss::pseudo_huber,
          .optimum = Eigen::Vector4d(1, -1, 0.5, 0),
          .levels = 1,
          .outlier = 10,
          .outlier_share = 0.2};
}

RateProblem problem(const std::string& fixed) {
  return rate_problem(
      "pseudo-Huber regression, 4 features of independent signs (L = 2), w* = (1, -1, 1/2, 0), one "
      "label in five moved by +-10, delta = 1e-5; population risk by exact summation; " +
          fixed,
      model());
}

RatePoint lemma_14(Edition edition, Index n, double epsilon) {
  PhasedSgdParameters p = phased_sgd_from_theorem(n, 4, epsilon, delta, Loss::pseudo_huber, 2);
  p.sensitivity = edition;
  return {.records = n,
          .mechanism = [p](const Dataset& data,
                           Releases& releases) { return phased_sgd(data, p, releases); },
          .bound = phased_sgd_bound(n, 4, epsilon, delta, 2, model().optimum.norm())};
}

RateClaim records_rate(Edition edition) {
  const auto at = [edition](double n) {
    RatePoint point = lemma_14(edition, static_cast<Index>(n), 1);
    // The loss is 1-smooth for signs, its gradient at most 1 in each coordinate.
    if (edition == corrected)
      point.comparators = usual_comparators(
          {.loss = Loss::pseudo_huber, .initial = VectorXd::Zero(4)}, point.records, 1, delta);
    return point;
  };
  return rate_claim("n", {.exponent = -0.5, .at = at}, problem("epsilon = 1"),
                    {{{1e3, 4e3, 1.6e4, 6.4e4}, 16},
                     {{1e3, 4e3, 1.6e4, 6.4e4, 2.56e5}, 30},
                     {{1e3, 1e4, 1e5, 1e6}, 100}});
}

RateClaim epsilon_rate() {
  const auto at = [](double epsilon) { return lemma_14(corrected, 32'000, epsilon); };
  return rate_claim("epsilon", {.exponent = -1, .at = at}, problem("n = 32,000"),
                    {{{0.015, 0.08, 0.6}, 14}, {{0.015, 0.05, 0.15, 0.6}, 100}});
}

}  // namespace

std::vector<Claim> phased_sgd_rates() {
  const std::vector<std::string> assumptions{
      "replace-one neighbours", "phases chosen by index",
      "convex, beta-smooth loss, L-Lipschitz in the Euclidean norm"};
  const Source exact{Text::this_project, "Lemma 14 with the exact change of an average"};
  ClaimList claims("su.phased_sgd");
  claims.add("rate", printed, holds, {Text::su_supplement, "Lemma 14; Theorem 13 for p = 2"},
             "With Lemma 14's eta the excess risk of Algorithm 6 falls as L ||theta*||^2 (1/sqrt n "
             "+ sqrt(d log(1/delta))/(epsilon n)).",
             assumptions, records_rate(printed));
  claims.add("rate", corrected, holds, exact,
             "With Lemma 14's eta and noise scaled to 2 L eta_i n_i/(n_i + 1) the excess risk of "
             "Algorithm 6 falls as L ||theta*||^2 (1/sqrt n + sqrt(d log(1/delta))/(epsilon n)).",
             assumptions, records_rate(corrected));
  claims.add("rate.epsilon", corrected, holds, exact,
             "With Lemma 14's eta and noise scaled to 2 L eta_i n_i/(n_i + 1) the excess risk of "
             "Algorithm 6 falls in epsilon at least as fast as L ||theta*||^2 (1/sqrt n + sqrt(d "
             "log(1/delta))/(epsilon n)).",
             assumptions, epsilon_rate());
  return claims.take();
}

}  // namespace dpverify::su
