#include "algorithms/wang_xu/l1_regression_rates.hpp"

#include <fmt/format.h>

#include <cmath>

#include "algorithms/claims/rates.hpp"
#include "algorithms/comparators/noisy_descent.hpp"

namespace dpverify::wang_xu {
namespace {

RateProblem problem(const ScaledNoiseModel& model, const std::string& fixed) {
  return {fmt::format(
              "y = x (0.5 + u), x symmetrised Pareto with tail index {} (no {} moment), u Laplace "
              "of scale 0.2, {}, {}; closed-form population risk",
              model.tail, model.tail <= 2 ? "second" : "third",
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

RateClaim l1_rate(const L1Theorem& theorem, const ScaledNoiseModel& model, double second_moment) {
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
  RateClaim rate = rate_claim("n", along(theorem, at), problem(model, "epsilon = 1"),
                              {{{60, 350, 2000}, 60}, {{60, 200, 600, 2000, 6000}, 100}});
  if (second_moment > 0) rate.problem += "; the comparators have the weaker (1, n^-1.1)-DP";
  return rate;
}

RateClaim l1_epsilon_rate(const L1Theorem& theorem, const ScaledNoiseModel& model) {
  constexpr Index records = 600;
  return rate_claim(
      "epsilon", along(theorem, [=](double epsilon) { return point(theorem, records, epsilon); }),
      problem(model, fmt::format("n = {}", records)),
      {{{0.05, 1.6}, 90}, {{0.05, 0.16, 0.5, 1.6}, 200}});
}

}  // namespace dpverify::wang_xu
