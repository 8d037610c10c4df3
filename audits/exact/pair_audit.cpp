#include "audits/exact/pair_audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "algorithms/core/gaussian.hpp"

namespace dpverify {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double round_down = 1 - 1e-12;

// ---- Finite laws ------------------------------------------------------------------------------

class FinitePair final : public PairAudit {
 public:
  FinitePair(const Mechanism& mechanism, const NeighbouringPair& pair)
      : outputs_(output_pair(mechanism, pair)) {}
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
        if (!counts && change.distance > 0) others_move_ = true;
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

// ---- Objective perturbation in one dimension --------------------------------------------------

// P(a < Z <= b), without cancellation in the tails.
double normal_interval(double a, double b) {
  if (a > 0) return normal_interval(-b, -a);
  const double root = std::numbers::sqrt2;
  return (std::erfc(-b / root) - std::erfc(-a / root)) / 2;
}

// The minimiser theta falls with g: P(theta <= t) = Phi(F'(t)/standard deviation), with atoms at
// the ends of the domain. Events: intervals where the log ratio exceeds epsilon, found on a grid; a
// missed one only lowers delta.
class ObjectivePair final : public PairAudit {
 public:
  ObjectivePair(const Mechanism& mechanism, const NeighbouringPair& pair) {
    const RandomStream stream({.claim = "objective", .purpose = "outcomes"});
    const auto law_on = [&](const Dataset& data) {
      return std::get<ObjectivePerturbation>(record(mechanism, data, stream).entries.at(0).law);
    };
    p_ = law_on(pair.data);
    q_ = law_on(pair.neighbour);
    radius_ = p_.objective->radius();
    low_ = infinity;
    high_ = -infinity;
    for (const ObjectivePerturbation* law : {&p_, &q_})
      for (const double side : {-12.0, 12.0}) {
        const VectorXd linear = VectorXd::Constant(1, side * law->standard_deviation);
        const double theta = minimise(*law->objective, linear).theta[0];
        low_ = std::min(low_, theta);
        high_ = std::max(high_, theta);
      }
    for (int k = 0; k <= cells; ++k) losses_.push_back(loss(point(k)));
    for (int k = 0; k <= cells; ++k)
      if (std::abs(losses_[static_cast<std::size_t>(k)]) >
          std::abs(losses_[static_cast<std::size_t>(worst_)]))
        worst_ = k;
  }
  double delta(double epsilon, Direction direction) const override {
    const bool forward = direction == Direction::forward;
    const double sign = forward ? 1 : -1;
    const ObjectivePerturbation& p = forward ? p_ : q_;
    const ObjectivePerturbation& q = forward ? q_ : p_;
    double delta = 0;
    const auto add = [&](double from, double to) {  // mass of one event under both laws
      delta += std::max(0.0, mass(p, from, to) - std::exp(epsilon) * mass(q, from, to));
    };
    const auto excess = [&](double t) { return sign * loss(t) - epsilon; };
    double from = 0;
    bool inside = false;
    for (int k = 0; k <= cells; ++k) {
      const bool now = sign * losses_[static_cast<std::size_t>(k)] > epsilon;
      if (now != inside) {
        const double edge = k == 0 ? -infinity : crossing(excess, point(k - 1), point(k));
        if (now)
          from = edge;
        else
          add(from, edge);
        inside = now;
      }
    }
    if (inside) add(from, infinity);
    if (std::isfinite(radius_)) {
      for (const double side : {-1.0, 1.0}) {
        const double a = atom(p, side), b = atom(q, side);
        if (a > 0) delta += std::max(0.0, a - std::exp(epsilon) * b);
      }
    }
    return std::min(delta, 1.0);
  }
  double epsilon(double delta) const override {
    if (PairAudit::delta(0) <= delta) return 0;
    double low = 0, high = 1;
    while (PairAudit::delta(high) > delta) {
      low = high;
      high *= 2;
      if (high > 1e4) return infinity;
    }
    for (int k = 0; k < 60 && high - low > 1e-10 * high; ++k) {
      const double middle = (low + high) / 2;
      (PairAudit::delta(middle) > delta ? low : high) = middle;
    }
    return low;
  }
  std::vector<Measurement> measurements() const override {
    return {{"largest log ratio of the densities", losses_[static_cast<std::size_t>(worst_)]},
            {"at theta", point(worst_)}};
  }
  std::string explanation() const override {
    return fmt::format("the densities of the minimiser at theta = {:.6g} have log ratio {:.6g}",
                       point(worst_), losses_[static_cast<std::size_t>(worst_)]);
  }

 private:
  static constexpr int cells = 400;

  // Strictly inside the domain, so that the density is that of the interior.
  double point(int k) const {
    const double margin = 1e-6 * (high_ - low_);
    return low_ + margin + (high_ - low_ - 2 * margin) * k / cells;
  }
  double loss(double t) const {
    const VectorXd theta = VectorXd::Constant(1, t);
    return minimiser_log_density(*p_.objective, p_.standard_deviation, theta) -
           minimiser_log_density(*q_.objective, q_.standard_deviation, theta);
  }
  static double crossing(const auto& excess, double a, double b) {
    const bool low_side = excess(a) > 0;
    for (int k = 0; k < 60; ++k) {
      const double middle = (a + b) / 2;
      (((excess(middle) > 0) == low_side) ? a : b) = middle;
    }
    return (a + b) / 2;
  }
  static double standardised(const ObjectivePerturbation& law, double t) {
    return law.objective->gradient(VectorXd::Constant(1, t))[0] / law.standard_deviation;
  }
  // Of the interior of the domain between two points of it.
  double mass(const ObjectivePerturbation& law, double from, double to) const {
    const auto limit = [&](double t) {
      if (std::isinf(t) && std::isinf(radius_)) return t;
      return standardised(law, std::clamp(t, -radius_, radius_));
    };
    return normal_interval(limit(from), limit(to));
  }
  double atom(const ObjectivePerturbation& law, double side) const {
    return normal_interval(-infinity, -side * standardised(law, side * radius_));
  }

  ObjectivePerturbation p_, q_;
  double radius_ = infinity, low_ = 0, high_ = 0;
  std::vector<double> losses_;
  int worst_ = 0;
};

}  // namespace

double PairAudit::delta(double epsilon) const {
  return std::max(delta(epsilon, Direction::forward), delta(epsilon, Direction::backward));
}

AuditMethod audit_method(const Mechanism& mechanism, const NeighbouringPair& pair) {
  const Transcript transcript =
      record(mechanism, pair.data, RandomStream({.claim = "method", .purpose = "outcomes"}));
  const auto& entries = transcript.entries;
  if (std::all_of(entries.begin(), entries.end(),
                  [](const auto& entry) { return support_size(entry.law) > 0; }))
    return AuditMethod::finite;
  if (entries.size() == 1) {
    const auto* perturbed = std::get_if<ObjectivePerturbation>(&entries[0].law);
    if (perturbed != nullptr && perturbed->objective->dimension() == 1)
      return AuditMethod::objective;
  }
  return std::any_of(
             entries.begin(), entries.end(),
             [](const auto& entry) { return std::holds_alternative<GaussianNoise>(entry.law); })
             ? AuditMethod::gaussian
             : AuditMethod::none;
}

std::string_view describe(AuditMethod method) {
  switch (method) {
    case AuditMethod::finite:
      return "enumeration of outcome paths";
    case AuditMethod::gaussian:
      return "the closed form of Gaussian shifts";
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
    case AuditMethod::objective:
      return std::make_unique<ObjectivePair>(mechanism, pair);
    case AuditMethod::none:
      break;
  }
  throw std::invalid_argument("no exact audit for a mechanism of this kind");
}

}  // namespace dpverify
