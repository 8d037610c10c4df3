#include "audits/exact/pair_audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <queue>
#include <stdexcept>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/quadrature.hpp"
#include "audits/exact/privacy_loss.hpp"
#include "audits/laws_along.hpp"

namespace dpverify {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double round_down = 1 - 1e-12;

// ---- Finite laws ------------------------------------------------------------------------------

class FinitePair final : public PairAudit {
 public:
  FinitePair(const Mechanism& mechanism, const NeighbouringPair& pair)
      : outputs_(output_pair(mechanism, pair)) {}
  explicit FinitePair(OutputPair outputs) : outputs_(std::move(outputs)) {}
  double delta(double epsilon, Direction direction) const override {
    return delta_at(outputs_, epsilon, direction);
  }
  double epsilon(double delta) const override { return smallest_epsilon(outputs_, delta); }
  std::vector<Measurement> measurements() const override {
    const OutputPair::Output& output = worst_output(outputs_);
    return {{"outcome paths", static_cast<double>(outputs_.paths)},
            {"distinct outputs", static_cast<double>(outputs_.outputs.size())},
            {"log probability of the worst output on the dataset", output.log_p},
            {"log probability of the worst output on the neighbour", output.log_q}};
  }
  std::vector<Index> path() const override { return worst_output(outputs_).path; }
  std::string explanation() const override {
    const OutputPair::Output& output = worst_output(outputs_);
    if (output.path.empty())
      return fmt::format(
          "outputs around ({:.6g}) have log probability {:.6g} on the dataset and {:.6g} on its "
          "neighbour",
          fmt::join(output.value, ", "), output.log_p, output.log_q);
    return fmt::format(
        "the output reached by outcomes [{}] has log probability {:.6g} on the dataset and {:.6g} "
        "on its neighbour",
        fmt::join(output.path, ", "), output.log_p, output.log_q);
  }

 private:
  OutputPair outputs_;
};

// ---- Gaussian releases ------------------------------------------------------------------------

// How many outcome prefixes must agree on a shift.
constexpr std::uint64_t prefixes = 3;

// Whoever sees the outcomes and knows both datasets can add up, over the releases whose shift has
// the same length after every prefix, the noise along the shift: N(0, mu^2) on one dataset, N(mu^2,
// mu^2) on the other, whatever the other releases do.
class GaussianPair final : public PairAudit {
 public:
  GaussianPair(const Mechanism& mechanism, const NeighbouringPair& pair) {
    std::vector<std::vector<double>> shifts;  // in standard deviations, by release and prefix
    for (std::uint64_t k = 0; k < prefixes; ++k) {
      const Transcript transcript =
          record(mechanism, pair.data,
                 RandomStream({.seed = k, .claim = "prefix", .purpose = "outcomes"}));
      const Replay replayed = replay(mechanism, pair.neighbour, transcript, LogRatios::skip);
      if (!replayed.leak.empty()) leaks_ = true;
      if (k == 0) shifts.resize(replayed.steps.size());
      shifts.resize(std::min(shifts.size(), replayed.steps.size()));
      for (std::size_t r = 0; r < shifts.size(); ++r) {
        const auto* gaussian = std::get_if<GaussianNoise>(&transcript.entries[r].law);
        const LawChange& change = replayed.steps[r].change;
        const bool counts = gaussian != nullptr && change.comparable;
        if (!counts && (change.distance > 0 || !change.comparable)) others_move_ = true;
        shifts[r].push_back(counts ? change.distance / gaussian->standard_deviation : 0);
      }
    }
    double squares = 0;
    for (const std::vector<double>& shift : shifts) {
      const auto [low, high] = std::minmax_element(shift.begin(), shift.end());
      if (*high == 0) continue;
      const bool fixed = *low == *high || *high - *low <= 1e-9 * *high;
      ++(fixed ? moved_ : varying_);
      if (fixed) squares += *low * *low;
    }
    mu_ = std::sqrt(squares);
  }
  double delta(double epsilon, Direction) const override {
    // A pinned transcript that still tells the datasets apart is outside the Gaussian law.
    return mu_ == 0 ? 0 : gaussian_delta(mu_ * round_down, epsilon) * round_down;
  }
  double epsilon(double delta) const override {
    return round_down * gaussian_epsilon(mu_ * round_down, delta);
  }
  double objective(double) const override { return mu_; }
  std::vector<Measurement> measurements() const override {
    return {{"mu of the Gaussian releases", mu_},
            {"releases with a fixed shift", static_cast<double>(moved_)},
            {"releases whose shift varies with earlier outcomes, left out",
             static_cast<double>(varying_)}};
  }
  std::string explanation() const override {
    return fmt::format("{} Gaussian release{} shift{} by {:.6g} standard deviations{}{}", moved_,
                       moved_ == 1 ? "" : "s", moved_ == 1 ? "s" : " together", mu_,
                       others_move_ || varying_ > 0
                           ? "; what else moves is left out, so this is a lower bound"
                           : "",
                       leaks_ ? "; and data escape outside the releases" : "");
  }

 private:
  double mu_ = 0;
  Index moved_ = 0, varying_ = 0;
  bool others_move_ = false, leaks_ = false;
};

// ---- A noisy maximum that shows its value -----------------------------------------------------

// Cells this many scales wide between scores, growing outside, where the loss levels off; beyond
// `reach` scales from every score the mass is below e^-reach on both sides and left out. All of it
// only lowers the figures.
constexpr double cell_width = 1.0 / 16;
constexpr double cell_reach = 45;
constexpr double cell_growth = 1.1;

// The masses of cells of the value, for each index if it is shown, by quadrature: post-processing.
OutputPair value_cells(const NoisyMaxValue& p, const NoisyMaxValue& q) {
  std::vector<double> kinks(p.scores.begin(), p.scores.end());
  kinks.insert(kinks.end(), q.scores.begin(), q.scores.end());
  std::sort(kinks.begin(), kinks.end());
  std::vector<double> ends;
  for (double out = cell_width; out < cell_reach; out *= cell_growth)
    ends.push_back(kinks.front() - out * p.scale);
  std::reverse(ends.begin(), ends.end());
  for (std::size_t k = 0; k + 1 < kinks.size(); ++k) {
    const double cells = std::ceil((kinks[k + 1] - kinks[k]) / (cell_width * p.scale));
    for (double c = 0; c < cells; ++c)
      ends.push_back(kinks[k] + (kinks[k + 1] - kinks[k]) * c / cells);
  }
  ends.push_back(kinks.back());
  for (double out = cell_width; out < cell_reach; out *= cell_growth)
    ends.push_back(kinks.back() + out * p.scale);

  const auto log_mass = [](const NoisyMaxValue& law, Index v,
                           const std::vector<QuadratureNode>& nodes) {
    VectorXd point(law.with_index ? 2 : 1);
    point[0] = static_cast<double>(v);
    double largest = -infinity, sum = 0;
    for (const QuadratureNode& node : nodes) {
      point[point.size() - 1] = node.x;
      const double term = log_density(law, point) + std::log(node.weight);
      if (term == -infinity) continue;
      if (term > largest) {
        sum *= std::exp(largest - term);
        largest = term;
      }
      sum += std::exp(term - largest);
    }
    return sum > 0 ? largest + std::log(sum) : -infinity;
  };
  OutputPair out;
  const Index indices = p.with_index ? p.scores.size() : 1;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const std::vector<QuadratureNode> nodes = quadrature_nodes(ends[k], ends[k + 1], p.scale);
    for (Index v = 0; v < indices; ++v) {
      OutputPair::Output output;
      output.log_p = log_mass(p, v, nodes);
      output.log_q = log_mass(q, v, nodes);
      if (output.log_p == -infinity && output.log_q == -infinity) continue;
      const double middle = (ends[k] + ends[k + 1]) / 2;
      if (p.with_index)
        output.value = Eigen::Vector2d(static_cast<double>(v), middle);
      else
        output.value = VectorXd::Constant(1, middle);
      out.outputs.push_back(std::move(output));
    }
  }
  return out;
}

std::unique_ptr<PairAudit> audit_value(const Mechanism& mechanism, const NeighbouringPair& pair) {
  const auto law_on = [&](const Dataset& data) {
    const Transcript transcript =
        record(mechanism, data, RandomStream({.claim = "value", .purpose = "outcomes"}));
    require(transcript.entries.size() == 1, "number of releases",
            static_cast<double>(transcript.entries.size()), "1");
    return std::get<NoisyMaxValue>(transcript.entries[0].law);
  };
  const NoisyMaxValue here = law_on(pair.data), there = law_on(pair.neighbour);
  require(compare(here, there).comparable, "noise of the two datasets", "different", "the same");
  return std::make_unique<FinitePair>(value_cells(here, there));
}

// ---- Laplace noise, selections and Gaussian noise, composed -----------------------------------

// What a release shows of the pair: how its loss is distributed.
struct ReleaseLoss {
  double gaussian = 0;          // shift in standard deviations
  std::vector<double> laplace;  // shifts of the coordinates in scales, ascending, none 0
  VectorXd log_p, log_q;        // of a selection
  bool known = true;            // false: a law without a known loss, or noise that differs

  bool moves() const {
    return gaussian > 0 || !laplace.empty() || (log_p.size() > 0 && log_p != log_q);
  }
};

bool is_selection(const Law& law) {
  return support_size(law) > 0 && !std::holds_alternative<GridExponentialMechanism>(law);
}

ReleaseLoss release_loss(const Law& law, const Law& neighbour) {
  ReleaseLoss out;
  if (!same_shape(law, neighbour) || !compare(law, neighbour).comparable) {
    out.known = false;
  } else if (const auto* gaussian = std::get_if<GaussianNoise>(&law)) {
    out.gaussian = compare(law, neighbour).distance / gaussian->standard_deviation;
  } else if (const auto* laplace = std::get_if<LaplaceNoise>(&law)) {
    for (const double shift : pre_noise_value(law) - pre_noise_value(neighbour))
      if (shift != 0) out.laplace.push_back(std::abs(shift) / laplace->scale);
    std::sort(out.laplace.begin(), out.laplace.end());
  } else if (is_selection(law)) {
    out.log_p = log_probabilities(law);
    out.log_q = log_probabilities(neighbour);
  } else {
    out.known = compare(law, neighbour).distance == 0;
  }
  return out;
}

bool close(double a, double b) { return a == b || std::abs(a - b) <= 1e-9 * std::max(a, b); }

bool same(const ReleaseLoss& a, const ReleaseLoss& b) {
  return a.known == b.known && close(a.gaussian, b.gaussian) &&
         std::equal(a.laplace.begin(), a.laplace.end(), b.laplace.begin(), b.laplace.end(),
                    close) &&
         a.log_p.size() == b.log_p.size() &&
         (a.log_p.size() == 0 ||
          (a.log_p.isApprox(b.log_p, 1e-9) && a.log_q.isApprox(b.log_q, 1e-9)));
}

// As for Gaussian shifts: over the releases whose loss has the same law after every prefix, the
// losses are independent and add up, whatever the other releases do.
class ComposedPair final : public PairAudit {
 public:
  ComposedPair(const Mechanism& mechanism, const NeighbouringPair& pair) {
    std::vector<ReleaseLoss> losses;
    std::vector<bool> fixed;
    for (std::uint64_t k = 0; k < prefixes; ++k) {
      const Transcript transcript =
          record(mechanism, pair.data,
                 RandomStream({.seed = k, .claim = "prefix", .purpose = "outcomes"}));
      const LawsAlong neighbour = laws_along(mechanism, pair.neighbour, transcript);
      leaks_ = leaks_ || neighbour.diverged;
      const std::size_t count = neighbour.laws.size();
      if (k == 0) losses.resize(count), fixed.assign(count, true);
      losses.resize(std::min(losses.size(), count));
      for (std::size_t r = 0; r < losses.size(); ++r) {
        if (k > 0 && !fixed[r]) continue;
        ReleaseLoss here = release_loss(transcript.entries[r].law, neighbour.laws[r]);
        if (k == 0)
          losses[r] = std::move(here);
        else
          fixed[r] = same(losses[r], here);
      }
    }
    for (std::size_t r = 0; r < losses.size(); ++r) {
      if (!losses[r].moves() && losses[r].known && fixed[r]) continue;
      if (fixed[r] && losses[r].known)
        add(losses[r]);
      else
        ++varying_;
    }
    if (gaussian_ > 0) {
      const LossSteps one{gaussian_loss(std::sqrt(gaussian_)), 1};
      forward_.push_back(one);
      backward_.push_back(one);
    }
  }
  double delta(double epsilon, Direction direction) const override {
    const auto& steps = direction == Direction::forward ? forward_ : backward_;
    return steps.empty() ? 0 : composed_delta_interval(steps, epsilon, 0.02, 1e-12).lower;
  }
  double epsilon(double delta) const override {
    if (forward_.empty()) return 0;
    if (delta <= 0) return gaussian_ > 0 ? infinity : largest_;
    // A thousandth of the largest loss loses nothing that matters, and is much cheaper.
    const double width = 1e-3 * std::max(1.0, largest_);
    return std::max(composed_epsilon_interval(forward_, delta, width).lower,
                    composed_epsilon_interval(backward_, delta, width).lower);
  }
  // The largest sum of losses, or the mean loss in the worse direction.
  double objective(double delta) const override {
    return delta <= 0 ? epsilon(0) : std::max(mean_forward_, mean_backward_);
  }
  std::vector<Measurement> measurements() const override {
    return {{"releases with a fixed loss", static_cast<double>(moved_)},
            {"releases whose loss varies with earlier outcomes, left out",
             static_cast<double>(varying_)},
            {"mean loss forward", mean_forward_},
            {"mean loss backward", mean_backward_}};
  }
  std::string explanation() const override {
    return fmt::format(
        "{} release{} move{}, with a mean loss of {:.6g} together{}{}", moved_,
        moved_ == 1 ? "" : "s", moved_ == 1 ? "s" : "", std::max(mean_forward_, mean_backward_),
        varying_ > 0 ? "; what else moves is left out, so this is a lower bound" : "",
        leaks_ ? "; and data escape outside the releases" : "");
  }

 private:
  void add(const ReleaseLoss& loss) {
    ++moved_;
    if (loss.gaussian > 0) {
      gaussian_ += loss.gaussian * loss.gaussian;
      mean_forward_ += loss.gaussian * loss.gaussian / 2;
      mean_backward_ += loss.gaussian * loss.gaussian / 2;
    }
    for (const double shift : loss.laplace) {
      const LossSteps one{laplace_loss(shift), 1};
      merge(forward_, one, shift);
      merge(backward_, one, shift);
      const double mean = shift + std::expm1(-shift);
      mean_forward_ += mean;
      mean_backward_ += mean;
      largest_ += shift;
    }
    if (loss.log_p.size() > 0) {
      const auto equal = [](const VectorXd& x, const VectorXd& y) {
        return x.size() == y.size() && x == y;
      };
      const auto known =
          std::find_if(selections_.begin(), selections_.end(), [&](const Selection& one) {
            return equal(one.log_p, loss.log_p) && equal(one.log_q, loss.log_q);
          });
      if (known != selections_.end()) {
        ++forward_[known->forward].count;
        ++backward_[known->backward].count;
      } else {
        selections_.push_back({loss.log_p, loss.log_q, forward_.size(), backward_.size()});
        forward_.push_back({finite_loss(loss.log_p, loss.log_q), 1});
        backward_.push_back({finite_loss(loss.log_q, loss.log_p), 1});
      }
      const auto mean = [](const VectorXd& p, const VectorXd& q) {
        double sum = 0;
        for (Index v = 0; v < p.size(); ++v)
          if (p[v] > -infinity && p[v] != q[v]) sum += std::exp(p[v]) * (p[v] - q[v]);
        return sum;
      };
      mean_forward_ += mean(loss.log_p, loss.log_q);
      mean_backward_ += mean(loss.log_q, loss.log_p);
      double most = 0;
      for (Index v = 0; v < loss.log_p.size(); ++v)
        if (loss.log_p[v] != loss.log_q[v])
          most = std::max(most, std::abs(loss.log_p[v] - loss.log_q[v]));
      largest_ += most;
    }
  }
  // Equal shifts are one step taken several times.
  void merge(std::vector<LossSteps>& steps, const LossSteps& one, double shift) {
    for (LossSteps& step : steps)
      if (step.law.continuous && close(step.law.highest, shift)) {
        ++step.count;
        return;
      }
    steps.push_back(one);
  }

  struct Selection {
    VectorXd log_p, log_q;
    std::size_t forward, backward;  // places of its steps
  };
  std::vector<Selection> selections_;  // different ones
  std::vector<LossSteps> forward_, backward_;
  double gaussian_ = 0;  // mu^2 of the Gaussian releases together
  double mean_forward_ = 0, mean_backward_ = 0, largest_ = 0;
  Index moved_ = 0, varying_ = 0;
  bool leaks_ = false;
};

// ---- Objective perturbation in one dimension --------------------------------------------------

// P(a < Z <= b), without cancellation in the tails.
double normal_interval(double a, double b) {
  if (a > 0) return normal_interval(-b, -a);
  const double root = std::numbers::sqrt2;
  return (std::erfc(-b / root) - std::erfc(-a / root)) / 2;
}

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
    if (releases > 1) mu_ = GaussianPair(mechanism, pair).objective(0);
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
    return fmt::format("the minimiser is near {:.6g} with probabilities of log ratio {:.6g}",
                       worst.value[0], worst.log_p - worst.log_q);
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
    while (high - low > accuracy * high) {
      const double middle = (low + high) / 2;
      (exceeds(middle) ? low : high) = middle;
    }
    return low;
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

double PairAudit::delta(double epsilon) const {
  return std::max(delta(epsilon, Direction::forward), delta(epsilon, Direction::backward));
}

AuditMethod audit_method(const Mechanism& mechanism, const NeighbouringPair& pair) {
  const Transcript transcript =
      record(mechanism, pair.data, RandomStream({.claim = "method", .purpose = "outcomes"}));
  const auto& entries = transcript.entries;
  // As far as one run shows; selections with too many paths are composed like other releases.
  double log_paths = 0;
  bool finite = true, composable = true;
  for (const auto& entry : entries) {
    const auto count = static_cast<double>(support_size(entry.law));
    finite = finite && count > 0;
    composable = composable && is_selection(entry.law);
    log_paths += std::log(std::max(count, 1.0));
  }
  if (finite && (log_paths < std::log(1e5) || !composable)) return AuditMethod::finite;
  const auto is_gaussian = [](const auto& entry) {
    return std::holds_alternative<GaussianNoise>(entry.law);
  };
  if (entries.size() == 1 && std::holds_alternative<NoisyMaxValue>(entries[0].law))
    return AuditMethod::value;
  const auto* perturbed = std::get_if<ObjectivePerturbation>(&entries[0].law);
  if (perturbed != nullptr && perturbed->objective->dimension() == 1 &&
      std::all_of(entries.begin() + 1, entries.end(), is_gaussian))
    return AuditMethod::objective;
  // Objectives and generalised Gaussian noise alone have no loss that is known here.
  const auto is_known = [](const auto& entry) {
    return std::holds_alternative<LaplaceNoise>(entry.law) || is_selection(entry.law);
  };
  if (std::any_of(entries.begin(), entries.end(), is_known)) return AuditMethod::composed;
  return std::any_of(entries.begin(), entries.end(), is_gaussian) ? AuditMethod::gaussian
                                                                  : AuditMethod::none;
}

std::string_view describe(AuditMethod method) {
  switch (method) {
    case AuditMethod::finite:
      return "enumeration of outcome paths";
    case AuditMethod::gaussian:
      return "the closed form of Gaussian shifts";
    case AuditMethod::value:
      return "quadrature over cells of the value";
    case AuditMethod::composed:
      return "convolution of the losses of the releases";
    case AuditMethod::objective:
      return "the distribution function of the minimiser";
    case AuditMethod::none:
      break;
  }
  return "no exact method";
}

std::unique_ptr<PairAudit> audit_pair(AuditMethod method, const Mechanism& mechanism,
                                      const NeighbouringPair& pair) {
  switch (method) {
    case AuditMethod::finite:
      return std::make_unique<FinitePair>(mechanism, pair);
    case AuditMethod::gaussian:
      return std::make_unique<GaussianPair>(mechanism, pair);
    case AuditMethod::value:
      return audit_value(mechanism, pair);
    case AuditMethod::composed:
      return std::make_unique<ComposedPair>(mechanism, pair);
    case AuditMethod::objective:
      return std::make_unique<ObjectivePair>(mechanism, pair);
    case AuditMethod::none:
      break;
  }
  throw std::invalid_argument("no exact audit for a mechanism of this kind");
}

}  // namespace dpverify
