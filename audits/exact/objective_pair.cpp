// Objective perturbation in one dimension: masses of cells of the minimiser.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <queue>

#include "algorithms/core/bisect.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/numbers.hpp"
#include "audits/exact/methods.hpp"
#include "audits/exact/normal_interval.hpp"

namespace dpverify::exact {
namespace {

// P(theta <= t) = Phi(F'(t)/standard deviation), with atoms at the ends of the domain. The audit
// sees theta through cells, whose masses under both laws are exact: a post-processing, so that
// every figure is a lower bound, and the cells are split where the ratio of the masses changes
// most. Gaussian releases after theta, whose shift is mu standard deviations whatever theta, add to
// the loss of each cell.
class ObjectivePair final : public PairAudit {
 public:
  ObjectivePair(const Mechanism& mechanism, const NeighbouringPair& pair) {
    const RandomStream stream({.claim = "objective", .purpose = "outcomes"});
    std::size_t releases = 0;
    const auto law_on = [&](const Dataset& data) {
      const Transcript transcript = record(mechanism, data, stream);
      releases = transcript.entries.size();
      return std::get<ObjectivePerturbation>(transcript.entries.at(0).law);
    };
    p_ = law_on(pair.data);
    q_ = law_on(pair.neighbour);
    if (releases > 1) mu_ = gaussian_audit(mechanism, pair)->objective(0);
    if (mu_ < 1e-6) mu_ = 0;  // rounding of a value that does not move
    coarse_ = cells(mu_ > 0 ? 120 : 250);
  }
  double delta(double epsilon, Direction direction) const override {
    return delta_of(fine(), epsilon, direction, gaussian_delta);
  }
  double epsilon(double delta) const override {
    return epsilon_of(fine(), delta, gaussian_delta, 1e-9);
  }
  double objective(double delta) const override {
    return epsilon_of(coarse_, delta, quick_delta, 1e-4);
  }
  std::vector<Measurement> measurements() const override {
    const OutputPair::Output& worst = worst_output(fine());
    return {{"largest log ratio of the masses of a cell", worst.log_p - worst.log_q},
            {"at theta", worst.value[0]},
            {"mu of the Gaussian releases", mu_}};
  }
  std::string explanation() const override {
    const OutputPair::Output& worst = worst_output(fine());
    const double ratio = worst.log_p - worst.log_q;
    std::string text = fmt::format(
        "near {:.6g} the minimiser's densities on the two datasets have the log ratio {:.6g}",
        worst.value[0], ratio);
    if (std::abs(ratio) > 700) text += " or beyond: the smaller one is hardly a double";
    if (mu_ > 0)
      text += fmt::format(
          ", and the noise that is added to it moves by {:.6g} standard deviations more", mu_);
    return text;
  }

 private:
  struct Cell {
    double from, to;
    std::array<double, 2> low, high;  // F'/standard deviation at the ends, on either dataset
    double priority = 0;
    bool operator<(const Cell& other) const { return priority < other.priority; }
  };

  std::array<double, 2> standardised(double t) const {
    const VectorXd theta = VectorXd::Constant(1, t);
    return {p_.objective->gradient(theta)[0] / p_.standard_deviation,
            q_.objective->gradient(theta)[0] / q_.standard_deviation};
  }
  static std::array<double, 2> masses(const Cell& cell) {
    return {normal_interval(cell.low[0], cell.high[0]), normal_interval(cell.low[1], cell.high[1])};
  }
  std::pair<Cell, Cell> halves(const Cell& cell) const {
    const double middle = (cell.from + cell.to) / 2;
    const auto at = standardised(middle);
    return {{cell.from, middle, cell.low, at}, {middle, cell.to, at, cell.high}};
  }
  void prioritise(Cell& cell) const {
    const auto [left, right] = halves(cell);
    const auto a = masses(left), b = masses(right);
    // Rare cells count for a small delta: their mass enters with a small power.
    const double mass = std::max(a[0] + b[0], a[1] + b[1]);
    const bool seen = std::min({a[0], a[1], b[0], b[1]}) > 0;
    cell.priority =
        seen ? std::abs(std::log(a[0] / a[1]) - std::log(b[0] / b[1])) * std::pow(mass, 0.25) : 0;
  }
  OutputPair cells(std::size_t count) const {
    const double radius = p_.objective->radius();
    double low = infinity, high = -infinity;
    for (const ObjectivePerturbation* law : {&p_, &q_})
      for (const double side : {-1.0, 1.0}) {
        double theta = side * radius;
        // The end of the domain, or where 12 standard deviations of the linear term lead.
        if (std::isinf(radius) || side * law->objective->gradient(VectorXd::Constant(1, theta))[0] >
                                      12 * law->standard_deviation)
          theta =
              minimise(*law->objective, VectorXd::Constant(1, -12 * side * law->standard_deviation))
                  .theta[0];
        low = std::min(low, theta);
        high = std::max(high, theta);
      }
    std::priority_queue<Cell> queue;
    constexpr int start = 50;
    const auto edge = [&](int k) { return low + (high - low) * k / start; };
    for (int k = 0; k < start; ++k) {
      Cell cell{edge(k), edge(k + 1), standardised(edge(k)), standardised(edge(k + 1))};
      prioritise(cell);
      queue.push(cell);
    }
    while (queue.size() < count && queue.top().priority > 0) {
      auto [left, right] = halves(queue.top());
      queue.pop();
      for (Cell* half : {&left, &right}) {
        prioritise(*half);
        queue.push(*half);
      }
    }
    OutputPair out;
    // No cell is impossible under one law only: a mass that underflows counts as the smallest
    // double, which it is below.
    static constexpr double tiny = std::numeric_limits<double>::min();
    const auto add = [&out](double theta, double p, double q) {
      if (p > 0 || q > 0)
        out.outputs.push_back({VectorXd::Constant(1, theta),
                               {},
                               std::log(std::max(p, tiny)),
                               std::log(std::max(q, tiny))});
    };
    // Beyond the cells: the rest of the domain, then its ends.
    const auto first = standardised(low), last = standardised(high);
    const bool bounded = std::isfinite(radius);
    const auto left_end = bounded ? standardised(-radius) : std::array{-infinity, -infinity};
    const auto right_end = bounded ? standardised(radius) : std::array{infinity, infinity};
    add(low, normal_interval(left_end[0], first[0]), normal_interval(left_end[1], first[1]));
    for (; !queue.empty(); queue.pop()) {
      const auto mass = masses(queue.top());
      add((queue.top().from + queue.top().to) / 2, mass[0], mass[1]);
    }
    add(high, normal_interval(last[0], right_end[0]), normal_interval(last[1], right_end[1]));
    if (bounded) {
      add(-radius, normal_interval(-infinity, left_end[0]),
          normal_interval(-infinity, left_end[1]));
      add(radius, normal_interval(right_end[0], infinity), normal_interval(right_end[1], infinity));
    }
    return out;
  }
  const OutputPair& fine() const {
    if (!fine_) fine_ = cells(4000);
    return *fine_;
  }

  // gaussian_delta to about 1e-15 in absolute terms, for the search.
  static double quick_delta(double mu, double epsilon) {
    const double root = std::numbers::sqrt2;
    return std::max(0.0, std::erfc((epsilon / mu - mu / 2) / root) / 2 -
                             std::exp(epsilon) * std::erfc((epsilon / mu + mu / 2) / root) / 2);
  }
  using GaussianDelta = double (*)(double mu, double epsilon);

  double delta_of(const OutputPair& outputs, double epsilon, Direction direction,
                  GaussianDelta gaussian) const {
    if (mu_ == 0) return delta_at(outputs, epsilon, direction);
    double delta = 0;
    for (const OutputPair::Output& output : outputs.outputs) {
      const double sign = direction == Direction::forward ? 1 : -1;
      const double log_mass = direction == Direction::forward ? output.log_p : output.log_q;
      if (log_mass > -infinity)
        delta += std::exp(log_mass) *
                 remaining_delta(epsilon - sign * (output.log_p - output.log_q), gaussian);
    }
    return std::min(delta, 1.0);
  }
  double epsilon_of(const OutputPair& outputs, double delta, GaussianDelta gaussian,
                    double accuracy) const {
    if (mu_ == 0) return smallest_epsilon(outputs, delta);
    const auto exceeds = [&](double epsilon) {
      return delta_of(outputs, epsilon, Direction::forward, gaussian) > delta ||
             delta_of(outputs, epsilon, Direction::backward, gaussian) > delta;
    };
    if (!exceeds(0)) return 0;
    double low = 0, high = 1;
    while (exceeds(high)) {
      low = high;
      high *= 2;
      if (high > 1e4) return infinity;
    }
    return bisect(
               low, high, [&](double epsilon) { return !exceeds(epsilon); },
               [&](double from, double to) { return to - from <= accuracy * to; })
        .low;
  }
  // Of N(0, 1) against N(mu, 1) at any epsilon, also a negative one, rounded down.
  double remaining_delta(double epsilon, GaussianDelta gaussian) const {
    const double mu = mu_ * round_down;
    if (epsilon == -infinity) return 1;
    if (epsilon >= 0) return round_down * gaussian(mu, epsilon);
    return std::max(0.0,
                    -std::expm1(epsilon) + std::exp(epsilon) * round_down * gaussian(mu, -epsilon));
  }

  double mu_ = 0;
  ObjectivePerturbation p_, q_;
  OutputPair coarse_;
  mutable std::optional<OutputPair> fine_;
};

}  // namespace

std::unique_ptr<PairAudit> objective_audit(const Mechanism& mechanism,
                                           const NeighbouringPair& pair) {
  return std::make_unique<ObjectivePair>(mechanism, pair);
}

}  // namespace dpverify::exact
