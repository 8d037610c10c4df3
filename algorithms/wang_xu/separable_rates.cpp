#include "algorithms/wang_xu/separable_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/problems/counted_mean.hpp"
#include "algorithms/problems/linear_model.hpp"
#include "algorithms/wang_xu/separable_regression.hpp"

namespace dpverify::wang_xu {
namespace {

RatePoint point(const SeparableTheorem& theorem, Index n, Index dimension, double tau) {
  const auto [p, bound] = theorem.at(n, dimension, tau);
  return {.records = n,
          .mechanism =
              [dimension, p = p](const Dataset& records, Releases& releases) {
                return separable_l1_regression(records, dimension, p, releases);
              },
          .bound = bound,
          .dimension = dimension};
}

// Of two features, each half of the records. They come as counts: labels[2 j] of those with feature
// j that count, labels[2 j + 1] of the others.
struct OutvotedModel {
  double rare, large, small;  // probability and size of the features that count, size of the others
  double half_side = 1 / std::sqrt(2.0);

  Dataset draw_counts(Index n, RandomStream& stream) const {
    Dataset out{Matrix::Zero(4, 2), VectorXd(4)};
    const Index first = draw_binomial(n, 0.5, stream);
    for (Index j = 0; j < 2; ++j) {
      const Index own = j == 0 ? first : n - first, counting = draw_binomial(own, rare, stream);
      out.labels.segment(2 * j, 2) << static_cast<double>(counting),
          static_cast<double>(own - counting);
    }
    return out;
  }
  // Algorithm 2, coordinate by coordinate, as separable_l1_regression of the records.
  VectorXd run(const Dataset& counts, const L1RegressionParameters& p, Releases& releases) const {
    const LogTruncation psi(p.theta);
    const auto& net = std::get<BallNet>(p.net);
    VectorXd out(2), scores(net.cells);
    for (Index j = 0; j < 2; ++j) {
      const double counting = counts.labels[2 * j], others = counts.labels[2 * j + 1];
      const double own = std::max(1.0, counting + others);
      for (Index k = 0; k < net.cells; ++k) {
        const double w = centre(net, k);
        scores[k] = -(counting * psi(p.iota * large * std::abs(half_side - w)) +
                      others * psi(p.iota * small * std::abs(half_side / 4 - w))) /
                    (own * p.iota);
      }
      const auto n = static_cast<Index>(own);
      out[j] = centre(net, releases.select(ExponentialMechanism{scores, exact_sensitivity(n, p),
                                                                exponent_coefficient(n, p)}));
    }
    return out;
  }
  double excess_risk(const VectorXd& w) const {
    const double common = (1 - rare) * small;
    return ((w.array() - half_side).abs() * rare * large +
            common * ((w.array() - half_side / 4).abs() - 0.75 * half_side))
        .mean();
  }
};

}  // namespace

RateClaim dimension_rate(const SeparableTheorem& theorem, Index n, double tail, Sweeps sweeps) {
  const bool by_coordinate = theorem.moments == Moments::coordinates;
  const auto at = [=](double d) {
    const auto dimension = static_cast<Index>(d);
    const double half_side = 1 / std::sqrt(d);
    const double scale = by_coordinate ? std::pow(d, 1 / theorem.theta) : 1;
    const ScaledNoiseModel model{.optimum = half_side / 2,
                                 .tail = tail,
                                 .noise_scale = half_side / 20,
                                 .features = dimension};
    RatePoint out =
        point(theorem, n, dimension, std::pow(model.moment(theorem.theta), 1 / theorem.theta));
    out.draw = [=](Index count, RandomStream& stream) {
      const ScalarLaw size{ScalarLaw::Kind::pareto, model.tail};
      Dataset records{Matrix(count, 2), VectorXd(count)};
      for (Index i = 0; i < count; ++i) {
        const double x = scale * size.draw(stream);
        records.features.row(i) << static_cast<double>(stream.index(dimension)), x;
        records.labels[i] = x * (model.optimum + model.noise_scale * stream.laplace());
      }
      return records;
    };
    out.excess_risk = [=](const VectorXd& w) { return scale * model.excess_risk(w); };
    return out;
  };
  return rate_claim(
      "d",
      {.exponent = theorem.exponent, .failure_probability = theorem.failure_probability, .at = at},
      {.words =
           fmt::format("y = <x, w* + u>, one feature of d is not 0, a symmetrised Pareto "
                       "variable with tail index {}{}; w* = h/2 in every coordinate, u Laplace "
                       "of scale h/20, W = [-h, h]^d with h = 1/sqrt d; n = {}, epsilon = {}; "
                       "closed-form population risk",
                       tail, by_coordinate ? fmt::format(" times d^(1/{})", theorem.theta) : "", n,
                       theorem.epsilon)},
      std::move(sweeps));
}

RateClaim outvoted_rate(const SeparableTheorem& theorem, double printed_exponent_of_iota,
                        Sweeps sweeps) {
  constexpr double k = 4;
  const double theta = theorem.theta;
  const auto at = [=](double value) {
    const auto n = static_cast<Index>(value);
    auto [p, bound] = theorem.at(n, 2, 1);
    p.net = cube_net(2, n / 20);
    const double iota = std::pow(std::log(value) * -std::log(theorem.failure_probability) / value,
                                 printed_exponent_of_iota);
    OutvotedModel model{};
    model.large = k / (iota * model.half_side);
    model.rare = std::pow(model.large, -theta);
    // Twice what the truncated rare records weigh against three quarters of the way.
    model.small = 8.0 / 3 * std::log(theta) / k * model.rare * model.large;
    return RatePoint{
        .records = n,
        .mechanism = [model, p = p](const Dataset& counts,
                                    Releases& releases) { return model.run(counts, p, releases); },
        .bound = bound,
        .dimension = 2,
        .draw = [model](Index count,
                        RandomStream& stream) { return model.draw_counts(count, stream); },
        .excess_risk = [model](const VectorXd& w) { return std::max(0.0, model.excess_risk(w)); }};
  };
  return rate_claim(
      "n",
      {.exponent = theorem.exponent, .failure_probability = theorem.failure_probability, .at = at},
      {.words =
           "two features, one of which is not 0; with the probability p = (iota h/4)^theta it "
           "is 4/(iota h), h = 1/sqrt 2 and iota that of the printed (19), and the label is h "
           "times it; else it is smaller and the label is h/4 times it; W = [-h, h]^2, epsilon "
           "= 1; closed-form population risk"},
      std::move(sweeps));
}

}  // namespace dpverify::wang_xu
