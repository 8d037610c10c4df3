#include "algorithms/su/bounded_regression.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <utility>

#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/geometry/convex_body.hpp"
#include "algorithms/su/hidden_direction.hpp"

namespace dpverify::su {

BoundedRegression::BoundedRegression(double convexity)
    : strong_convexity(convexity),
      model{.loss = Loss::pseudo_huber,
            .optimum = VectorXd::LinSpaced(convexity > 0 ? 1 : 2, 0.7, -0.5),
            .levels = 1,
            .outlier = 10,
            .outlier_share = 0.1},
      dimension(model.optimum.size()),
      lipschitz(std::sqrt(static_cast<double>(dimension))) {
  if (convexity > 0)
    least_ = boost::math::tools::brent_find_minima(
                 [this](double w) { return risk(VectorXd::Constant(1, w)); }, -1.0, 1.0, 60)
                 .second;
}

SignModel BoundedRegression::kinds() const {
  return {.optimum = model.optimum, .outlier = model.outlier, .outlier_share = model.outlier_share};
}

double BoundedRegression::risk(const VectorXd& w) const {
  return model.excess_risk(w) + strong_convexity / (radius * radius) * w.squaredNorm() / 2;
}

double BoundedRegression::excess_risk(const VectorXd& w) const {
  return std::max(0.0, risk(w) - least_);
}

RateProblem BoundedRegression::drawn(std::string words) const {
  RateProblem out = rate_problem(std::move(words), model);
  out.excess_risk = [own = *this](const VectorXd& w) { return own.excess_risk(w); };
  return out;
}

RateProblem BoundedRegression::drawn_as_counts(std::string words) const {
  RateProblem out = drawn(std::move(words));
  out.draw = [kinds = kinds()](Index n, RandomStream& stream) {
    return kinds.draw_counts(n, stream);
  };
  return out;
}

double BoundedRegression::bound(Index n, double epsilon) const {
  const double l = lipschitz + strong_convexity / radius, diameter = 2 * radius;
  const auto records = static_cast<double>(n);
  const double width = gaussian_width({.p = 2, .radius = radius, .dimension = dimension});
  const double noise = l * width * std::sqrt(-std::log(delta)) / (epsilon * records);
  return strong_convexity > 0
             ? (l * l * diameter * diameter / records + noise * noise) / strong_convexity
             : noise + l * diameter / std::sqrt(records);
}

std::vector<Comparator> BoundedRegression::comparators(Index n, double epsilon) const {
  // The loss is 1-smooth for signs, its gradient at most 1 in each coordinate.
  const double quadratic = strong_convexity / (radius * radius);
  return usual_comparators({.loss = Loss::pseudo_huber,
                            .feasible = {.kind = FeasibleSet::Kind::l2_ball, .radius = radius},
                            .initial = VectorXd::Zero(dimension),
                            .smoothness = 1 + quadratic,
                            .regularizer = quadratic},
                           n, epsilon, delta);
}

double bound_by_noise(const ObjectivePerturbationParameters& p, Index n, Index dimension) {
  const auto records = static_cast<double>(n);
  const double width = gaussian_width({.p = 2, .radius = p.radius, .dimension = dimension});
  const double noise = width * p.standard_deviation / records;
  const double spread = 2 * p.radius * lipschitz_constant(p);
  return p.strong_convexity > 0 ? (spread * spread / records + noise * noise) / p.strong_convexity
                                : noise + spread / std::sqrt(records);
}

RatePoint attained_point(const ObjectivePerturbationParameters& p, Index n, Index dimension,
                         const std::function<Mechanism(const Dataset& kinds)>& on_counts) {
  const double radius = p.radius, convexity = p.strong_convexity / (radius * radius);
  const double noise =
      p.standard_deviation * std::sqrt(static_cast<double>(dimension)) / static_cast<double>(n);
  const double slope = convexity > 0 ? 0.9 * convexity * radius : 2 * noise;
  require(slope <= p.lipschitz, "length of the mean gradient", slope,
          "at most L = " + to_text(p.lipschitz));
  const HiddenDirection law{
      .lipschitz = p.lipschitz, .dimension = dimension, .share = slope / p.lipschitz};
  const auto risk = [=](double first, double squared_norm) {
    return law.risk(first) + convexity * squared_norm / 2;
  };
  const double least = boost::math::tools::brent_find_minima(
                           [&](double w) { return risk(w, w * w); }, -radius, radius, 60)
                           .second;
  return {
      .records = n,
      .mechanism = on_counts(law.records()),
      .bound = bound_by_noise(p, n, dimension),
      .dimension = dimension,
      .draw = [law](Index count, RandomStream& stream) { return law.draw_counts(count, stream); },
      .excess_risk =
          [=](const VectorXd& w) { return std::max(0.0, risk(w[0], w.squaredNorm()) - least); }};
}

}  // namespace dpverify::su
