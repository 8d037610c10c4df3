#include "algorithms/wang_xu/l1_regression.hpp"

#include <fmt/format.h>

#include <cmath>

#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/wang_xu/grid_risk.hpp"

namespace dpverify::wang_xu {

LogTruncation::LogTruncation(double theta) : theta_(theta), log_theta_(std::log1p(theta - 1)) {
  require(theta > 1 && theta <= 2, "moment order theta", theta, "in (1, 2]");
}

double LogTruncation::operator()(double x) const {
  if (x < 0) return -(*this)(-x);
  // log1p: 1 - x + x^theta/theta loses every digit of a small x.
  return x < 1 ? -std::log1p(excess_power(x, theta_)) : log_theta_;
}

double excess_power(double x, double theta) {
  if (theta == 2) return x * (x / 2 - 1);
  if (x == 0) return 0;
  // x (x^(theta - 1)/theta - 1): below 1 both logarithms are <= 0, so that nothing cancels.
  return x * std::expm1((theta - 1) * std::log(x) - std::log1p(theta - 1));
}

void validate(const L1RegressionParameters& p, const Dataset& data) {
  require(p.epsilon > 0 && std::isfinite(p.epsilon), "epsilon", p.epsilon, "positive and finite");
  require(p.iota > 0 && std::isfinite(p.iota), "iota", p.iota, "positive and finite");
  const auto* listed = std::get_if<Matrix>(&p.net);
  if (listed != nullptr)
    require(listed->rows() >= 1, "number of candidates", static_cast<double>(listed->rows()),
            "at least 1");
  const Index dimension = listed != nullptr ? listed->cols() : std::get<BallNet>(p.net).dimension;
  require(dimension == data.dimension(), "dimension of the net", static_cast<double>(dimension),
          "the number of features, " + std::to_string(data.dimension()));
}

double truncated_risk(const DataView& data, const VectorXd& w, double iota,
                      const LogTruncation& psi) {
  double sum = 0;
  for (Index i = 0; i < data.size(); ++i) {
    const double residual = iota * std::abs(data.labels[i] - data.features.row(i).dot(w));
    sum += std::isfinite(residual) ? psi(residual) : psi.largest();
  }
  return sum / (static_cast<double>(data.size()) * iota);
}

double exact_sensitivity(Index n, const L1RegressionParameters& p) {
  return LogTruncation(p.theta).largest() / (static_cast<double>(n) * p.iota);
}

VectorXd draw_candidate(const Dataset& data, const L1RegressionParameters& p,
                        double stated_sensitivity, Releases& releases) {
  validate(p, data);
  const double exact = exact_sensitivity(data.size(), p);
  const double divisor = p.coefficient == Edition::printed  ? exact
                         : p.coefficient == Edition::proved ? 4 * exact
                                                            : 2 * exact;
  const double coefficient = p.epsilon / divisor;
  const auto* grid = std::get_if<BallNet>(&p.net);
  if (grid != nullptr && cell_count(*grid) > p.largest_listed) {
    const Index cell = releases.select(
        GridExponentialMechanism{.score = std::make_shared<GridRisk>(data, *grid, p.iota, p.theta),
                                 .sensitivity = stated_sensitivity,
                                 .coefficient = coefficient});
    return candidate(*grid, cell_indices(*grid, cell));
  }
  const Matrix net = grid != nullptr ? list_candidates(*grid) : std::get<Matrix>(p.net);
  const LogTruncation psi(p.theta);
  VectorXd scores(net.rows());
  for (Index k = 0; k < net.rows(); ++k)
    scores[k] = -truncated_risk(data.all(), net.row(k), p.iota, psi);
  const Index k =
      releases.select(ExponentialMechanism{std::move(scores), stated_sensitivity, coefficient});
  return net.row(k);
}

MechanismFamily l1_family(L1Regression algorithm, Edition edition) {
  return [=](const ParameterPoint& point) -> Mechanism {
    const double zeta = point.at("zeta"), radius = point.at("radius");
    const double iota = point.at("iota"), epsilon = point.at("epsilon");
    const double theta = point.contains("theta") ? point.at("theta") : 2;
    return [=](const Dataset& data, Releases& releases) {
      return algorithm(data,
                       {.net = ball_net(data.dimension(), radius, zeta),
                        .iota = iota,
                        .epsilon = epsilon,
                        .coefficient = edition,
                        .theta = theta},
                       releases);
    };
  };
}

PreparedRun prepare_l1_regression(L1Regression algorithm, const std::string& id,
                                  const Dataset& data, const RunOptions& options, double theta,
                                  double theorem_iota) {
  const Index d = data.dimension();
  require(d <= 3, "number of features", static_cast<double>(d),
          "1, 2 or 3 for this algorithm (its net grows as (1/zeta)^d)");
  const double epsilon = options.number("epsilon");
  require(epsilon > 0, "--epsilon", epsilon, "positive");
  const double radius = options.number("radius");
  const double zeta =
      options.is_auto("zeta") ? 1 / static_cast<double>(data.size()) : options.number("zeta");
  const L1RegressionParameters p{
      .net = ball_net(d, radius, zeta),
      .iota = options.is_auto("iota") ? theorem_iota : options.number("iota"),
      .epsilon = epsilon,
      .theta = theta};
  validate(p, data);
  PreparedRun run;
  run.mechanism = [algorithm, p](const Dataset& records, Releases& releases) {
    return algorithm(records, p, releases);
  };
  run.guarantee = {.epsilon = epsilon};
  run.guarantee_source = id + ".privacy.corrected";
  run.parameters = {{"radius", to_text(radius)},
                    {"zeta", to_text(zeta)},
                    {"cells of the net", to_text(cell_count(std::get<BallNet>(p.net)))},
                    {"iota", to_text(p.iota)}};
  run.empirical_risk = [](const DataView& view, const VectorXd& w) {
    return empirical_risk(Loss::absolute, w, view);
  };
  run.risk_name = "mean absolute loss";
  return run;
}

namespace {

RateClaim l1_rate_on(const L1Theorem& theorem, const ScaledNoiseModel& model,
                     const std::string& fixed) {
  return {.problem = fmt::format(
              "y = x (0.5 + u), x symmetrised Pareto with tail index {} (no {} moment), u Laplace "
              "of scale 0.2, {}, {}; closed-form population risk",
              model.tail, model.tail <= 2 ? "second" : "third",
              model.features == 1 ? "W = [-1, 1]"
                                  : "in one of two features, the other 0, W the unit disc",
              fixed),
          .exponent = theorem.exponent,
          .failure_probability = theorem.failure_probability,
          .dimension = model.features,
          .draw = [model](Index n, RandomStream& stream) { return model.draw(n, stream); },
          .excess_risk = [model](const VectorXd& w) { return model.excess_risk(w); }};
}

RatePoint l1_point(const L1Theorem& theorem, Index n, double epsilon) {
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
  RateClaim rate = l1_rate_on(theorem, model, "epsilon = 1");
  rate.variable = "n";
  if (second_moment > 0) rate.problem += "; the comparators have the weaker (1, n^-1.1)-DP";
  // The second derivative of the risk is largest at w*.
  const double smoothness =
      model.moment(1) / model.noise_scale / static_cast<double>(model.features);
  rate.point = [=](double n) {
    RatePoint point = l1_point(theorem, static_cast<Index>(n), 1.0);
    if (second_moment > 0)
      point.comparators =
          usual_comparators({.loss = Loss::absolute,
                             .feasible = {.kind = FeasibleSet::Kind::l2_ball, .radius = 1},
                             .initial = VectorXd::Zero(model.features),
                             .smoothness = smoothness,
                             .second_moment = second_moment},
                            point.records, 1, std::pow(n, -1.1));
    return point;
  };
  rate.smoke = {{60, 350, 2000}, 60};
  rate.ci = {{60, 200, 600, 2000, 6000}, 100};
  return rate;
}

RateClaim l1_epsilon_rate(const L1Theorem& theorem, const ScaledNoiseModel& model) {
  constexpr Index records = 600;
  RateClaim rate = l1_rate_on(theorem, model, fmt::format("n = {}", records));
  rate.variable = "epsilon";
  rate.point = [=](double epsilon) { return l1_point(theorem, records, epsilon); };
  rate.smoke = {{0.05, 1.6}, 90};
  rate.ci = {{0.05, 0.16, 0.5, 1.6}, 200};
  return rate;
}

}  // namespace dpverify::wang_xu
