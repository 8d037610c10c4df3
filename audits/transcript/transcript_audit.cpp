#include "audits/transcript/transcript_audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <type_traits>
#include <vector>

#include "algorithms/core/checked.hpp"
#include "audits/laws_along.hpp"
#include "audits/transcript/mean_bounds.hpp"

namespace dpverify {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-9;
constexpr std::size_t components = 3;  // of the mixture, each with the same share
constexpr double largest_weight = components;
constexpr std::uint64_t pilot_runs = 16;

// How far each release is moved away from the neighbour, per unit of the distance: the difference
// of the pre-noise values in one run, of the gradients at its outcome for an objective. Empty where
// a law has no value to move, or not by a finite amount.
using Shifts = std::vector<VectorXd>;

template <class L>
concept HasScores = requires(L law) {
  law.scores;
};
template <class L>
concept HasValue = requires(L law) {
  law.value;
};

// An objective plus <linear, theta>.
class TiltedObjective final : public Objective {
 public:
  TiltedObjective(std::shared_ptr<const Objective> objective, VectorXd linear)
      : objective_(std::move(objective)), linear_(std::move(linear)) {}
  Index dimension() const override { return objective_->dimension(); }
  double radius() const override { return objective_->radius(); }
  double strong_convexity() const override { return objective_->strong_convexity(); }
  VectorXd gradient(const VectorXd& theta) const override {
    return objective_->gradient(theta) + linear_;
  }
  Matrix hessian(const VectorXd& theta) const override { return objective_->hessian(theta); }
  std::shared_ptr<const Objective> without_data() const override {
    return objective_->without_data();
  }

 private:
  std::shared_ptr<const Objective> objective_;
  VectorXd linear_;
};

Law moved(const Law& law, const VectorXd& by) {
  Law out = law;
  std::visit(
      [&by](auto& l) {
        using L = std::decay_t<decltype(l)>;
        if constexpr (HasScores<L>)
          l.scores += by;
        else if constexpr (HasValue<L>)
          l.value += by;
        else if constexpr (std::is_same_v<L, ObjectivePerturbation>)
          l.objective = std::make_shared<TiltedObjective>(l.objective, by);
      },
      out);
  return out;
}

// The number of entries of a shift of the law; 0 if it cannot be moved.
Index shift_size(const Law& law) {
  return std::visit(
      [](const auto& l) -> Index {
        using L = std::decay_t<decltype(l)>;
        if constexpr (HasScores<L>)
          return l.scores.size();
        else if constexpr (HasValue<L>)
          return l.value.size();
        else if constexpr (std::is_same_v<L, ObjectivePerturbation>)
          return l.objective->dimension();
        else
          return 0;
      },
      law);
}

// Away from `there`, a law of the same shape. For an objective: its noise vector at an outcome
// theta is -gradient(theta), so that the neighbour needs one that is longer by the difference of
// the gradients.
VectorXd difference(const Law& law, const Law& there, const Outcome& outcome) {
  return std::visit(
      [&](const auto& l) -> VectorXd {
        using L = std::decay_t<decltype(l)>;
        const L& other = std::get<L>(there);
        if constexpr (HasScores<L>)
          return l.scores - other.scores;
        else if constexpr (HasValue<L>)
          return l.value - other.value;
        else if constexpr (std::is_same_v<L, ObjectivePerturbation>)
          return l.objective->gradient(std::get<VectorXd>(outcome)) -
                 other.objective->gradient(std::get<VectorXd>(outcome));
        else
          return VectorXd(0);
      },
      law);
}

struct Away {
  Shifts shifts;
  // A release that differs between the datasets cannot be moved: its tail is reached by chance
  // only.
  bool complete = true;
};

Away away_from(const Mechanism& mechanism, const NeighbouringPair& pair,
               const RandomStream& stream) {
  const Transcript transcript = record(mechanism, pair.data, stream);
  const LawsAlong there = laws_along(mechanism, pair.neighbour, transcript);
  Away out;
  for (std::size_t k = 0; k < there.laws.size(); ++k) {
    const auto& [law, outcome] = transcript.entries[k];
    VectorXd shift = difference(law, there.laws[k], outcome);
    if (!shift.allFinite()) shift.resize(0);
    if (shift.size() == 0 && compare(law, there.laws[k], &outcome).distance > 0)
      out.complete = false;
    out.shifts.push_back(std::move(shift));
  }
  return out;
}

// Draws from the mechanism with its releases moved by distances[component], and adds up the log
// densities of the outcomes under every component.
class MovedReleases final : public Releases {
 public:
  MovedReleases(const Shifts& shifts, const std::array<double, components>& distances,
                std::size_t component, const RandomStream& stream)
      : shifts_(shifts), distances_(distances), component_(component), stream_(stream) {}

  Transcript transcript;
  // Of each component less that of the mechanism itself.
  std::array<double, components> log_ratio{};

 private:
  Outcome decide(const Law& law) override {
    const std::size_t k = transcript.entries.size();
    const Index size = k < shifts_.size() ? shifts_[k].size() : 0;
    const bool moves = size > 0 && size == shift_size(law) && !shifts_[k].isZero(0);
    Outcome outcome;
    if (!moves) {
      outcome = sample(law, stream_);
    } else {
      const auto at = [&](std::size_t c) { return moved(law, distances_[c] * shifts_[k]); };
      outcome = sample(distances_[component_] == 0 ? law : at(component_), stream_);
      const double own = log_density(law, outcome);
      for (std::size_t c = 0; c < components; ++c)
        if (distances_[c] != 0) log_ratio[c] += log_density(at(c), outcome) - own;
    }
    transcript.entries.push_back({law, outcome});
    return outcome;
  }

  const Shifts& shifts_;
  const std::array<double, components>& distances_;
  std::size_t component_;
  RandomStream stream_;
};

struct Weighted {
  double loss = 0;    // log likelihood ratio
  double weight = 1;  // density over that of the mixture
};

// One direction: transcripts on pair.data against pair.neighbour.
class Side {
 public:
  Side(const Mechanism& mechanism, NeighbouringPair pair, RandomStream::Key key, bool forward)
      : mechanism_(mechanism), pair_(std::move(pair)), key_(key), forward_(forward) {}

  // Chooses the distances on a few runs: where the losses reach the claimed epsilon, and where they
  // reach the epsilon that belongs to the claimed delta.
  void choose_distances(PrivacyGuarantee claimed) {
    Away away = away_from(mechanism_, pair_, stream("shift", 0));
    shifts_ = std::move(away.shifts);
    complete = away.complete;
    const double at_epsilon =
        distance_where([&](const Pilot& pilot) { return pilot.loss >= claimed.epsilon; });
    const double at_delta =
        distance_where([&](const Pilot& pilot) { return pilot.delta <= claimed.delta; });
    distances_ = {0, at_epsilon, at_delta};
  }

  // Until there are so many transcripts.
  void draw(Index samples) {
    for (auto i = static_cast<Index>(draws_.size()); i < samples && leak.empty(); ++i)
      draws_.push_back(run(static_cast<std::size_t>(i) % components,
                           stream("transcripts", static_cast<std::uint64_t>(i))));
  }

  std::vector<double> contributions(double epsilon) const {
    std::vector<double> out;
    out.reserve(draws_.size());
    for (const Weighted& one : draws_)
      out.push_back(one.loss > epsilon ? one.weight * -std::expm1(epsilon - one.loss) : 0);
    return out;
  }
  double largest_loss() const {
    double largest = 0;
    for (const Weighted& one : draws_)
      if (one.weight > 0) largest = std::max(largest, one.loss);
    return largest;
  }

  std::string leak;
  bool complete = true;  // see Away

 private:
  RandomStream stream(std::string_view what, std::uint64_t trial) const {
    const std::string purpose = fmt::format("{} {}", forward_ ? "forward" : "backward", what);
    return RandomStream(
        {.seed = key_.seed, .claim = key_.claim, .purpose = purpose, .trial = trial});
  }

  struct Pilot {
    double loss = 0;   // the mean over a few runs
    double delta = 0;  // at that epsilon, by their weights: within a factor of some two
  };

  // Runs that are all moved by `distance`, with the same noise for each.
  const Pilot& pilot(double distance) {
    const auto [place, fresh] = pilots_.try_emplace(distance);
    Pilot& out = place->second;
    if (!fresh) return out;
    distances_ = {distance, distance, distance};
    std::vector<Weighted> runs;
    for (std::uint64_t k = 0; k < pilot_runs && leak.empty(); ++k)
      runs.push_back(run(0, stream("pilot", k)));
    const auto count = static_cast<double>(runs.size());
    for (const Weighted& one : runs) out.loss += one.loss / count;
    for (const Weighted& one : runs)
      if (one.loss > out.loss) out.delta += one.weight * -std::expm1(out.loss - one.loss) / count;
    return out;
  }

  // The first distance at which a pilot is far enough, or at which its loss stops growing.
  double distance_where(const std::function<bool(const Pilot&)>& far_enough) {
    double low = 0, reached = pilot(0).loss;
    if (far_enough(pilot(0))) return 0;
    for (double high = 0.25; high <= 64 && leak.empty(); high *= 2) {
      const Pilot& next = pilot(high);
      if (!(next.loss > reached + 0.01 * std::abs(reached))) return low;
      if (far_enough(next)) {
        for (int step = 0; step < 4; ++step) {
          const double middle = (low + high) / 2;
          (far_enough(pilot(middle)) ? high : low) = middle;
        }
        return high;
      }
      low = high;
      reached = next.loss;
    }
    return low;
  }

  Weighted run(std::size_t component, const RandomStream& from) {
    MovedReleases releases(shifts_, distances_, component, from);
    releases.transcript.output = mechanism_(pair_.data, releases);
    double mixture = 0;  // over the density of the mechanism itself
    for (const double ratio : releases.log_ratio) mixture += std::exp(ratio) / components;
    // What is impossible without the move counts for nothing, a leak included.
    if (!std::isfinite(mixture)) return {-infinity, 0};
    const Replay replayed = replay(mechanism_, pair_.neighbour, releases.transcript);
    if (!replayed.leak.empty()) leak = replayed.leak;
    const double loss = replayed.log_likelihood_ratio;
    return {std::isnan(loss) ? -infinity : loss, 1 / mixture};
  }

  const Mechanism& mechanism_;
  NeighbouringPair pair_;
  RandomStream::Key key_;
  bool forward_;
  Shifts shifts_;
  std::array<double, components> distances_{};
  std::map<double, Pilot> pilots_;  // by distance
  std::vector<Weighted> draws_;
};

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum / static_cast<double>(values.size());
}

double effective(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double x : values) {
    sum += x;
    squares += x * x;
  }
  return squares > 0 ? sum * sum / squares : 0;
}

// The largest epsilon at which bets against delta(epsilon) <= delta win. One test for all of them:
// its wealth falls with epsilon, as every contribution does.
double largest_epsilon(const Side& side, double delta, double significance) {
  const double needed = std::log(1 / significance);
  const auto exceeds = [&](double epsilon) {
    return log_wealth(side.contributions(epsilon), delta) >= needed;
  };
  if (!exceeds(0)) return 0;
  const double most = side.largest_loss();
  double low = 0, high = std::isfinite(most) ? most : 1;
  while (std::isinf(most) && exceeds(high)) {
    low = high;
    high *= 2;
    if (high > 1e4) return infinity;
  }
  while (high - low > 1e-4 * high) {
    const double middle = (low + high) / 2;
    (exceeds(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

TranscriptAudit audit_transcripts(const Mechanism& mechanism, const NeighbouringPair& pair,
                                  PrivacyGuarantee claimed, Index samples, double significance,
                                  RandomStream::Key key, Index most_samples) {
  require(samples >= 1, "number of transcripts", static_cast<double>(samples), "at least 1");
  require(significance > 0 && significance < 1, "significance", significance, "in (0, 1)");
  Side forward(mechanism, pair, key, true);
  Side backward(mechanism, {pair.neighbour, pair.data, pair.replaced}, key, false);
  TranscriptAudit out;
  // Each component has its exact share: then the average of the means is that of the mixture, and
  // the expected wealth at most 1 by the inequality of the means.
  out.ceiling = infinity;
  forward.choose_distances(claimed);
  backward.choose_distances(claimed);
  for (Index wanted = samples;; wanted *= 2) {
    samples = (wanted + 2) / 3 * 3;
    static_assert(components == 3);
    for (Side* side : {&forward, &backward})
      if (forward.leak.empty()) side->draw(samples);
    const double largest = std::max(forward.largest_loss(), backward.largest_loss());
    const bool decided = claimed.delta > 0 || largest > claimed.epsilon * (1 + rounding) ||
                         !forward.leak.empty() || !backward.leak.empty();
    if (decided || 2 * wanted > most_samples) break;
  }
  out.samples = static_cast<std::uint64_t>(samples);
  for (const Side* side : {&forward, &backward}) {
    if (side->leak.empty()) continue;
    out.leak = side->leak;
    out.verdict = Verdict::refuted;
    out.epsilon_lower = infinity;
    out.reason = fmt::format(
        "Data reach the output outside the releases: {}. No guarantee follows from them.",
        out.leak);
    return out;
  }

  const double share = significance / 4;
  const auto interval = [&](const std::vector<double>& values) {
    return Interval{mean_lower(values, share),
                    std::min(1.0, mean_upper(values, largest_weight, share)), 1 - 2 * share};
  };
  const std::vector<double> ahead = forward.contributions(claimed.epsilon),
                            back = backward.contributions(claimed.epsilon);
  out.forward = interval(ahead);
  out.backward = interval(back);
  const std::vector<double>& worse = mean_of(back) > mean_of(ahead) ? back : ahead;
  out.delta = mean_of(worse);
  out.effective_samples = effective(worse);
  out.largest_loss = std::max(forward.largest_loss(), backward.largest_loss());
  // A loss is exact: one above epsilon shows that delta(epsilon) > 0.
  out.epsilon_lower = claimed.delta > 0 ? std::max(largest_epsilon(forward, claimed.delta, share),
                                                   largest_epsilon(backward, claimed.delta, share))
                                        : out.largest_loss * (1 - rounding);

  out.curve = {"delta(epsilon) of the transcripts",
               {"epsilon", "forward", "forward lower", "forward upper", "backward",
                "backward lower", "backward upper"},
               {}};
  for (int k = 0; k <= 8; ++k) {
    const double epsilon = claimed.epsilon * k / 4;
    std::vector<double> row{epsilon};
    for (const Side* side : {&forward, &backward}) {
      const std::vector<double> values = side->contributions(epsilon);
      const Interval bounds = interval(values);
      row.insert(row.end(), {mean_of(values), bounds.lower, bounds.upper});
    }
    out.curve.rows.push_back(std::move(row));
  }

  // Twice the claimed delta is told from it by about this many equal contributions.
  const double enough = 4 * std::log(1 / share);
  const bool refuted = claimed.delta > 0
                           ? std::max(out.forward.lower, out.backward.lower) > claimed.delta
                           : out.largest_loss > claimed.epsilon * (1 + rounding);
  const bool scarce =
      claimed.delta > 0 && out.effective_samples < enough && out.delta > claimed.delta / 4;
  // Where plain draws are all there is, a delta is seen by its own frequency.
  const bool unseen = claimed.delta > 0 && !(forward.complete && backward.complete) &&
                      static_cast<double>(samples) * claimed.delta < enough;
  if (scarce)
    out.samples_needed = static_cast<double>(samples) * enough / out.effective_samples;
  else if (unseen)
    out.samples_needed = enough / claimed.delta;
  out.verdict = refuted            ? Verdict::refuted
                : scarce || unseen ? Verdict::inconclusive
                                   : Verdict::consistent;
  const Interval& shown = &worse == &back ? out.backward : out.forward;
  out.reason = fmt::format(
      "{} transcripts a side: delta is {:.4g} in [{:.4g}, {:.4g}] at epsilon {:.6g} ({:.4g} "
      "claimed), the largest loss seen {:.6g}.",
      samples, out.delta, shown.lower, shown.upper, claimed.epsilon, claimed.delta,
      out.largest_loss);
  if (out.largest_loss <= 0) out.reason += " Nothing that is released differs on this pair.";
  if (unseen && !scarce)
    out.reason += fmt::format(
        " A release cannot be moved towards its tail: about {:.2g} transcripts a side would tell "
        "twice the claimed delta.",
        out.samples_needed);
  if (scarce)
    out.reason += fmt::format(
        " Only {:.1f} transcripts' worth count; about {:.2g} a side would "
        "tell twice the claimed delta.",
        out.effective_samples, out.samples_needed);
  return out;
}

}  // namespace dpverify
