#include "algorithms/wang_xu/l1_regression_rates.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "algorithms/claims/rates.hpp"
#include "algorithms/comparators/noisy_descent.hpp"

namespace dpverify::wang_xu {
namespace {

RateProblem problem(const ScaledNoiseModel& model, const std::string& fixed) {
  return {fmt::format(
              "y = x (0.5 + u), x symmetrised Pareto with tail index {} (no {} moment), u Laplace "
              "of scale {}, {}, {}; closed-form population risk",
              model.tail, model.tail <= 2 ? "second" : "third", model.noise_scale,
              model.features == 1 ? "W = [-1, 1]"
                                  : "in one of two features, the other 0, W the unit disc",
              fixed),
          model.features, [model](Index n, RandomStream& stream) { return model.draw(n, stream); },
          [model](const VectorXd& w) { return model.excess_risk(w); }};
}

RateTheorem along(const L1Theorem& theorem, std::function<RatePoint(double)> at) {
  return {theorem.exponent, theorem.failure_probability, false, std::move(at)};
}

RatePoint point(const L1Theorem& theorem, Index n, double epsilon) {
  auto [p, bound] = theorem.at(n, epsilon);
  p.largest_listed = 0;  // searched, at a fraction of the cost
  return {.records = n,
          .mechanism = [algorithm = theorem.algorithm, p = p](
                           const Dataset& data,
                           Releases& releases) { return algorithm(data, p, releases); },
          .bound = bound};
}

}  // namespace

RateClaim l1_rate(const L1Theorem& theorem, const ScaledNoiseModel& model, Sweeps sweeps,
                  double second_moment) {
  // The second derivative of the risk is largest at w*.
  const double smoothness =
      model.moment(1) / model.noise_scale / static_cast<double>(model.features);
  const auto at = [=](double n) {
    RatePoint out = point(theorem, static_cast<Index>(n), 1.0);
    if (second_moment > 0)
      out.comparators =
          usual_comparators({.loss = Loss::absolute,
                             .feasible = {.kind = FeasibleSet::Kind::l2_ball, .radius = 1},
                             .initial = VectorXd::Zero(model.features),
                             .smoothness = smoothness,
                             .second_moment = second_moment},
                            out.records, 1, std::pow(n, -1.1));
    return out;
  };
  RateClaim rate =
      rate_claim("n", along(theorem, at), problem(model, "epsilon = 1"), std::move(sweeps));
  if (second_moment > 0) rate.problem += "; the comparators have the weaker (1, n^-1.1)-DP";
  return rate;
}

RateClaim l1_epsilon_rate(const L1Theorem& theorem, const ScaledNoiseModel& model, Index trials) {
  constexpr Index records = 500;
  return rate_claim(
      "epsilon", along(theorem, [=](double epsilon) { return point(theorem, records, epsilon); }),
      problem(model, fmt::format("n = {}", records)),
      {{{0.03, 0.14, 0.65, 3}, trials}, {{0.03, 0.14, 0.65, 3}, 2 * trials}});
}

// Where the bound A^((theta-1)/theta), A = log(n) log(1/eta)/(n epsilon), is attained but for
// logarithms (tau = 1). The m = n share records that are not 0 are of size B = share^(-1/theta),
// below the truncation at 1/iota ~ A^(-1/theta), so that the exponential mechanism sees them with
// the weight m epsilon/(2 log theta) psi(iota B |w - w*|): with m a constant it errs by a constant
// share of E|x| = share B = share^((theta-1)/theta) ~ n^(-(theta-1)/theta), whatever n is. Fewer
// records would say nothing of w*, more would give it away.
RateClaim l1_rare_rate(const L1Theorem& theorem, double theta, Index trials) {
  constexpr double informative = 20;
  const auto at = [=](double n) {
    const RareFeatureModel model{.share = informative / n, .order = theta};
    RatePoint out = point(theorem, static_cast<Index>(n), 1.0);
    out.dimension = 1;
    out.draw = [model](Index count, RandomStream& stream) { return model.draw(count, stream); };
    out.excess_risk = [model](const VectorXd& w) { return model.excess_risk(w); };
    return out;
  };
  return rate_claim(
      "n", along(theorem, at),
      {.words = fmt::format(
           "y = x (0.5 + u), u Laplace of scale 0.05; x = +-p^(-1/{}) with the probability p = "
           "{}/n, else 0: E|x|^{} = 1 at every n, and some {} records, as large as that allows, "
           "are all that tells of w*; W = [-1, 1], epsilon = 1; closed-form population risk",
           theta, informative, theta, informative),
       .dimension = 1},
      {{{30, 140, 650, 3e3}, trials}, {{60, 280, 1.3e3, 6e3}, 2 * trials}});
}

}  // namespace dpverify::wang_xu
