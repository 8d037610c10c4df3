// Laplace noise, selections and Gaussian noise: their losses, convolved.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/core/numbers.hpp"
#include "audits/exact/methods.hpp"
#include "audits/exact/privacy_loss.hpp"
#include "audits/laws_along.hpp"

namespace dpverify::exact {
namespace {

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
        "{} release{} move{}, with a mean privacy loss (log likelihood ratio) of {:.6g}{}{}{}",
        moved_, moved_ == 1 ? "" : "s", moved_ == 1 ? "s" : "",
        std::max(mean_forward_, mean_backward_), moved_ == 1 ? "" : " together",
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

}  // namespace

std::unique_ptr<PairAudit> composed_audit(const Mechanism& mechanism,
                                          const NeighbouringPair& pair) {
  return std::make_unique<ComposedPair>(mechanism, pair);
}

}  // namespace dpverify::exact
