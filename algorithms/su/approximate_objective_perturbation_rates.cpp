// Theorems 2 and 4 of Su, Zhao and Wang as rates of Algorithms 1 and 2.
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/su/approximate_objective_perturbation.hpp"
#include "algorithms/su/bounded_regression.hpp"
#include "algorithms/su/linear_losses.hpp"

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
  const auto at = [=, kinds = problem.kinds().records()](double value) {
    const auto n = static_cast<Index>(value);
    return RatePoint{n, on_counts(kinds, n, from_theorem(edition, problem, n, epsilon)),
                     problem.bound(n, epsilon)};
  };
  return learning(
      rate_claim("n", {.exponent = strong_convexity > 0 ? -1 : -0.5, .at = at},
                 problem.drawn_as_counts(words + ", drawn as counts; epsilon = 0.9, delta = 1e-5"),
                 {{{300, 2e3, 1e4, 6e4}, 250}, {{300, 1e3, 3e3, 1e4, 3e4, 1e5}, 400}}));
}

// Where the noise dominates the bound. The domain of Theorem 2 is small, so that n may be
// as well, n >= r^2 beta^2 ||C||_2^2/(epsilon^2 L^2).
RatePoint attained(double strong_convexity, Index n, Index dimension, double epsilon) {
  const auto p = approximate_objective_perturbation_from_theorem(
      strong_convexity > 0 ? corrected : printed, n, dimension, epsilon, BoundedRegression::delta,
      Loss::pseudo_huber, 1, strong_convexity > 0 ? 1 : 0.05, strong_convexity);
  return attained_point(p.objective, n, dimension,
                        [&](const Dataset& kinds) { return on_counts(kinds, n, p); });
}

RateClaim attained_rate(const std::string& variable, double strong_convexity, double exponent,
                        std::function<RatePoint(double)> at, const std::string& fixed,
                        Sweeps sweeps) {
  return rate_claim(
      variable, {.exponent = exponent, .at = std::move(at)},
      {.words =
           attained_words +
           (strong_convexity > 0
                ? "the labels are +-1000, 95% of them above 0, Delta = 1, w* = 0.9 e_1, C the "
                  "unit ball; the noise dominates the bound; "
                : "the labels are +-1000 and so unbalanced that the mean gradient is as long "
                  "as the noise G/n, which most of the bound is; C the ball of radius 1/20; ") +
           "delta = 1e-5, " + fixed},
      std::move(sweeps));
}

RateClaim attained_in_n(double strong_convexity) {
  return attained_rate(
      "n", strong_convexity, strong_convexity > 0 ? -2 : -1,
      [=](double n) { return attained(strong_convexity, static_cast<Index>(n), 64, 0.05); },
      "d = 64, epsilon = 0.05",
      strong_convexity > 0 ? Sweeps{{{3e4, 1.5e5, 6e5, 3e6}, 24}, {{3e4, 1e5, 3e5, 1e6, 3e6}, 60}}
                           : Sweeps{{{2e4, 1e5, 4e5, 2e6}, 24}, {{2e4, 6e4, 2e5, 6e5, 2e6}, 60}});
}

RateClaim attained_in_epsilon(double strong_convexity) {
  const Index n = strong_convexity > 0 ? 3'000'000 : 2'000'000;
  return attained_rate("epsilon", strong_convexity, strong_convexity > 0 ? -2 : -1,
                       [=](double epsilon) { return attained(strong_convexity, n, 64, epsilon); },
                       strong_convexity > 0 ? "d = 64, n = 3 10^6" : "d = 64, n = 2 10^6",
                       {{{5e-4, 2e-3, 0.01, 0.05}, 24}, {{5e-4, 1.5e-3, 5e-3, 0.015, 0.05}, 60}});
}

// ---- Bodies that look narrower to a Gaussian vector than the Euclidean ball -------------------

RateClaim linear_rate(
    const std::string& variable, double exponent, double p, double steepness,
    const std::function<RatePoint(double, const std::function<RatePoint(Index, Index)>&)>& at,
    const std::string& body_and_fixed, Sweeps sweeps) {
  constexpr double epsilon = 0.05, delta = 1e-5;
  const std::function<RatePoint(Index, Index)> point = [=](Index n, Index dimension) {
    return linear_rate_point({.p = p, .dimension = dimension}, n, epsilon, delta, steepness);
  };
  return rate_claim(
      variable, {.exponent = exponent, .at = [=](double value) { return at(value, point); }},
      {.words = fmt::format("linear losses -<x, theta>, x = +-e_1, drawn as counts and so "
                            "unbalanced that the mean record is {} G_C sigma_1/(n R) long, R the "
                            "radius of C; epsilon = 0.05, delta = 1e-5, {}",
                            steepness, body_and_fixed)},
      std::move(sweeps));
}

RateClaim body_in_dimension(double exponent, double p, double steepness, Index n,
                            const std::string& body, Sweep smoke) {
  return linear_rate("d", exponent, p, steepness,
                     [n](double d, const auto& point) { return point(n, static_cast<Index>(d)); },
                     fmt::format("C the unit ball of {}, n = {}", body, n),
                     {std::move(smoke), {{10, 32, 100, 320, 1000}, 400}});
}

RateClaim attained_in_dimension() {
  return attained_rate(
      "d", 1, 1, [](double d) { return attained(1, 80'000, static_cast<Index>(d), 0.03); },
      "n = 80,000, epsilon = 0.03", {{{2, 10, 40, 200}, 24}, {{2, 6, 20, 60, 200}, 60}});
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
  const Source by_noise{Text::su, "Theorem 2, with the constants of its noise"};
  claims.add("rate.tight_instance", printed, holds, by_noise,
             "The excess risk of Algorithm 1 falls in n, where the noise dominates, as G_C "
             "sigma_1/n + L ||C||_2/sqrt n.",
             convex, attained_in_n(0));
  claims.add("rate.epsilon", printed, holds, by_noise,
             "The excess risk of Algorithm 1 falls in epsilon, where the noise dominates, at least "
             "as fast as G_C sigma_1/n + L ||C||_2/sqrt n.",
             convex, attained_in_epsilon(0));
  const std::string grows =
      " the excess risk of Algorithm 1 grows in d no faster than G_C sigma_1/n + L ||C||_2/sqrt n";
  claims.add("rate.dimension", printed, holds, by_noise,
             "Over the Euclidean ball" + grows + ", G_C = sqrt d about.", convex,
             body_in_dimension(0.5, 2, 2, 60'000, "l_2", {{10, 46, 215, 1000}, 40}));
  claims.add(
      "rate.l1_ball", printed, holds, by_noise,
      "Over the l1 ball in d = 1000, where G_C is 3.4 and not sqrt d = 31.6, the excess "
      "risk of Algorithm 1 falls in n as G_C sigma_1/n + L ||C||_2/sqrt n.",
      convex,
      linear_rate("n", -1, 1, 1.2,
                  [](double n, const auto& point) { return point(static_cast<Index>(n), 1000); },
                  "C the unit ball of l_1, d = 1000",
                  {{{1e4, 4.6e4, 2.15e5, 1e6}, 120}, {{1e4, 3.2e4, 1e5, 3.2e5, 1e6}, 400}}));
  claims.add("rate.l1_ball.dimension", printed, holds, by_noise,
             "Over the l1 ball, a polytope," + grows + ", G_C = E max |g_j|: like sqrt(log d).",
             convex, body_in_dimension(0, 1, 1.2, 100'000, "l_1", {{10, 46, 215, 1000}, 400}));
  claims.add("rate.lp_ball.dimension", printed, holds, by_noise,
             "Over the ball of l_p, p = 1.5," + grows + ", G_C = E||g||_3: like d^(1/3).", convex,
             body_in_dimension(1.0 / 3, 1.5, 1.5, 100'000, "l_p, p = 1.5", {}));
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
  const Source by_noise{Text::su,
                        "Theorem 4, as its proof has it, with the constants of its noise"};
  claims.add("rate.tight_instance", proved, holds, by_noise,
             "The excess risk of Algorithm 2 falls in n, where the noise dominates, as L^2 "
             "||C||_2^2/(Delta n) + G_C^2 sigma_1^2/(Delta n^2).",
             strongly_convex, attained_in_n(1));
  claims.add("rate.epsilon", proved, holds, by_noise,
             "The excess risk of Algorithm 2 falls in epsilon, where the noise dominates, at least "
             "as fast as L^2 ||C||_2^2/(Delta n) + G_C^2 sigma_1^2/(Delta n^2).",
             strongly_convex, attained_in_epsilon(1));
  claims.add(
      "rate.dimension", proved, holds, by_noise,
      "The excess risk of Algorithm 2 grows in d no faster than L^2 ||C||_2^2/(Delta n) + G_C^2 "
      "sigma_1^2/(Delta n^2), G_C = sqrt(d) about.",
      strongly_convex, attained_in_dimension());
  return claims.take();
}

}  // namespace dpverify::su
