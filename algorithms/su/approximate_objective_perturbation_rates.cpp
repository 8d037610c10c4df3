// Theorems 2 and 4 of Su, Zhao and Wang as rates of Algorithms 1 and 2.
#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <string>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/geometry/convex_body.hpp"
#include "algorithms/su/approximate_objective_perturbation.hpp"
#include "algorithms/su/bounded_regression.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;

const std::string words =
    "pseudo-Huber regression, independent signs as features, 10% outliers of size 10";

ApproximateObjectivePerturbationParameters from_theorem(Edition edition,
                                                        const BoundedRegression& on, Index n,
                                                        double epsilon) {
  return approximate_objective_perturbation_from_theorem(edition, n, on.dimension, epsilon,
                                                         on.delta, on.model.loss, on.lipschitz,
                                                         on.radius, on.strong_convexity);
}

// Of records given as counts of their kinds.
Mechanism on_counts(const Dataset& kinds, Index n,
                    const ApproximateObjectivePerturbationParameters& p) {
  return [=](const Dataset& counts, Releases& releases) {
    return approximate_objective_perturbation(
        regularised_objective(kinds, counts.labels, n, p.objective), n, p, releases);
  };
}

RateClaim learning(RateClaim claim) {
  claim.learns = true;
  return claim;
}

RateClaim records_rate(Edition edition, double strong_convexity) {
  constexpr double epsilon = 0.9;
  const BoundedRegression problem(strong_convexity);
  const auto at = [=](double value) {
    const auto n = static_cast<Index>(value);
    const auto p = from_theorem(edition, problem, n, epsilon);
    RatePoint point{n,
                    [p](const Dataset& data, Releases& releases) {
                      return approximate_objective_perturbation(data, p, releases);
                    },
                    problem.bound(n, epsilon)};
    point.comparators = problem.comparators(n, epsilon);
    return point;
  };
  return learning(rate_claim("n", {.exponent = strong_convexity > 0 ? -1 : -0.5, .at = at},
                             problem.drawn(words),
                             {{{100, 300, 1e3, 3e3, 1e4}, 24},
                              {{100, 300, 1e3, 3e3, 1e4, 3e4}, 60},
                              {{100, 1e3, 1e4, 1e5, 3e5}, 80}}));
}

RateClaim epsilon_rate(Edition edition, double strong_convexity) {
  constexpr Index n = 10'000;
  const BoundedRegression problem(strong_convexity);
  const auto at = [=, kinds = problem.kinds().records()](double epsilon) {
    return RatePoint{n, on_counts(kinds, n, from_theorem(edition, problem, n, epsilon)),
                     problem.bound(n, epsilon)};
  };
  return learning(
      rate_claim("epsilon", {.exponent = strong_convexity > 0 ? -2.0 : -1.0, .at = at},
                 problem.drawn_as_counts(words + ", drawn as counts; n = 10^4, delta = 1e-5"),
                 {{{0.025, 0.15, 0.9}, 60}, {{0.025, 0.06, 0.15, 0.4, 0.9}, 400}}));
}

// Records with one of d features, the loss Delta-strongly convex with Delta = 1/d, as the records
// make it on average. The bound has the noise's own constant, sigma_1^2 = 128 L^2 log(2.5/delta)
// /epsilon^2 in place of L^2 log(1/delta)/epsilon^2, and n epsilon is so small that its term is the
// larger one for every d.
RatePoint one_feature_of(double features) {
  constexpr Index n = 2'000'000;
  constexpr double epsilon = 0.02, delta = 1e-5, radius = 1;
  const auto d = static_cast<Index>(features);
  const double convexity = 1 / features;
  const SignModel model{.optimum = VectorXd::Constant(d, 0.9 / std::sqrt(features)),
                        .one_feature = true,
                        .outlier = 10,
                        .outlier_share = 0.1};
  const auto total = [=](const VectorXd& w) {
    return model.excess_risk(w) + convexity * w.squaredNorm() / 2;
  };
  const double least = boost::math::tools::brent_find_minima(
                           [&](double w) { return total(VectorXd::Constant(d, w)); }, 0.0,
                           1 / std::sqrt(features), 60)
                           .second;
  const auto p = approximate_objective_perturbation_from_theorem(
      corrected, n, d, epsilon, delta, Loss::pseudo_huber, 1, radius, convexity);
  const double l = lipschitz_constant(p.objective), records = static_cast<double>(n);
  const double width = gaussian_width({.p = 2, .radius = radius, .dimension = d});
  return {.records = n,
          .mechanism = on_counts(model.records(), n, p),
          .bound = (std::pow(2 * radius * l, 2) / records +
                    std::pow(width * p.objective.standard_deviation / records, 2)) /
                   convexity,
          .dimension = d,
          .draw = [model](Index count,
                          RandomStream& stream) { return model.draw_counts(count, stream); },
          .excess_risk = [=](const VectorXd& w) { return std::max(0.0, total(w) - least); }};
}

RateClaim dimension_rate() {
  return rate_claim(
      "d", {.exponent = 2, .at = one_feature_of},
      {.words = "pseudo-Huber regression on records with one feature of d, uniformly, w* = "
                "(0.9/sqrt(d), ...), 10% outliers of size 10, drawn as counts; Delta = 1/d, n = 2 "
                "10^6, epsilon = 0.02, delta = 1e-5, unit ball"},
      {{{2, 11, 64}, 12}, {{2, 6, 20, 64}, 60}});
}

}  // namespace

std::vector<Claim> approximate_objective_perturbation_rates() {
  const Source theorem_2{Text::su, "Theorem 2"};
  const std::vector<std::string> convex{"Assumption 1",
                                        "n >= r^2 beta^2 ||C||_2^2/(epsilon^2 L^2)"};
  ClaimList claims("su.approximate_objective_perturbation");
  claims.add("rate", printed, holds, theorem_2,
             "The excess risk of Algorithm 1 falls as L G_C sqrt(log(1/delta))/(epsilon n) + L "
             "||C||_2/sqrt n.",
             convex, records_rate(printed, 0));
  claims.add("rate.epsilon", printed, holds, theorem_2,
             "The excess risk of Algorithm 1 falls in epsilon at least as fast as L G_C "
             "sqrt(log(1/delta))/(epsilon n) + L ||C||_2/sqrt n.",
             convex, epsilon_rate(printed, 0));
  return claims.take();
}

std::vector<Claim> approximate_objective_perturbation_strongly_convex_rates() {
  const Source theorem_4{Text::su, "Theorem 4, as its proof has it"};
  const std::vector<std::string> strongly_convex{"Assumption 1 and Delta-strong convexity",
                                                 "n >= L^2 ||C||_2^2/Delta^2"};
  ClaimList claims("su.approximate_objective_perturbation_strongly_convex");
  claims.add("rate", proved, holds, theorem_4,
             "The excess risk of Algorithm 2 falls as L^2 ||C||_2^2/(Delta n) + G_C^2 L^2 "
             "log(1/delta)/(Delta n^2 epsilon^2).",
             strongly_convex, records_rate(corrected, 1));
  claims.add("rate.epsilon", proved, holds, theorem_4,
             "The excess risk of Algorithm 2 falls in epsilon at least as fast as L^2 "
             "||C||_2^2/(Delta n) + G_C^2 L^2 log(1/delta)/(Delta n^2 epsilon^2).",
             strongly_convex, epsilon_rate(corrected, 1));
  claims.add(
      "rate.dimension", proved, holds,
      {Text::su, "Theorem 4, as its proof has it, with the constants of its noise"},
      "The excess risk of Algorithm 2 grows in d no faster than L^2 ||C||_2^2/(Delta n) + G_C^2 "
      "sigma_1^2/(Delta n^2), G_C = sqrt(d) about.",
      strongly_convex, dimension_rate());
  return claims.take();
}

}  // namespace dpverify::su
