#include "audits/black_box/black_box.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <list>
#include <utility>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/parallel.hpp"
#include "algorithms/core/rounding.hpp"

namespace dpverify {
namespace {

// Learning compares thousands of events. Judged by bounds that could hold for all of them at once,
// an event that few outputs speak for does not win by luck, only to fall back on fresh outputs.
constexpr double events_compared = 1000;

// Close to epsilon_lower, and a hundred times faster: Wilson and Hilferty's approximation to the
// Clopper-Pearson bounds of rare events, or of rare complements.
class ApproximateEpsilon {
 public:
  ApproximateEpsilon(double delta, double significance)
      : delta_(delta), z_(-normal_quantile_of(significance / 2)) {}

  double operator()(const EventCounts& counts) const {
    const double p = std::max(
        lower(static_cast<double>(counts.in_first), static_cast<double>(counts.first_size)) -
            delta_,
        1e-300);
    const double q =
        upper(static_cast<double>(counts.in_second), static_cast<double>(counts.second_size));
    return std::log(p / q);
  }

 private:
  double rare(double count, double z) const {
    if (count <= 0) return 0;
    const double root = 1 - 1 / (9 * count) + z / (3 * std::sqrt(count));
    return root <= 0 ? 0 : count * root * root * root;
  }
  double lower(double count, double size) const {
    if (2 * count > size) return std::max(0.0, 1 - rare(size - count + 1, z_) / size);
    return rare(count, -z_) / size;
  }
  double upper(double count, double size) const {
    if (2 * count > size) return 1 - rare(size - count, -z_) / size;
    return std::min(1.0, rare(count + 1, z_) / size);
  }

  double delta_;
  double z_;
};

void shuffle(Outputs& outputs, RandomStream& stream) {
  for (std::size_t k = outputs.size(); k > 1; --k)
    outputs.swap(k - 1, static_cast<std::size_t>(stream.index(static_cast<Index>(k))));
}

// NaN below all.
double score_of(const LearntEvent& event, const Output& x) {
  const double score = event.score(x);
  return std::isnan(score) ? -infinity : score;
}

std::vector<double> sorted_scores(const LearntEvent& event, const OutputRange& outputs) {
  std::vector<double> out;
  for (const Output x : outputs) out.push_back(score_of(event, x));
  std::sort(out.begin(), out.end());
  return out;
}

// Thresholds at even ranks of the training scores of either side; of the first 2000, for some
// scores are slow.
std::vector<double> trade_off_thresholds(const LearntEvent& event, const OutputRange& first,
                                         const OutputRange& second) {
  constexpr std::size_t ranks = 10;
  std::vector<double> thresholds;
  for (const OutputRange* outputs : {&first, &second}) {
    const std::vector<double> sorted = sorted_scores(event, outputs->part(0, 2000));
    for (std::size_t k = 0; k < ranks; ++k)
      thresholds.push_back(sorted[k * (sorted.size() - 1) / (ranks - 1)]);
  }
  thresholds.push_back(event.threshold);
  std::sort(thresholds.begin(), thresholds.end());
  thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
  return thresholds;
}

// How many outputs on either dataset reach some thresholds of an event's score, its own among them.
class Counter {
 public:
  Counter(const LearntEvent& event, std::vector<double> thresholds)
      : event_(event), thresholds_(std::move(thresholds)) {
    for (Side& side : sides_) side.reaching.resize(thresholds_.size() + 1);
  }

  // On the first (0) or the second dataset (1); both may be added to at once.
  void add(std::size_t side, const OutputRange& outputs) {
    Side& here = sides_[side];
    here.size += static_cast<Index>(outputs.size());
    for (const Output x : outputs)
      if (const double score = event_.score(x); !std::isnan(score))
        ++here.reaching[static_cast<std::size_t>(
            std::upper_bound(thresholds_.begin(), thresholds_.end(), score) - thresholds_.begin())];
  }

  const LearntEvent& event() const { return event_; }
  // Of each threshold, the lowest first, in the order of the event's direction.
  std::vector<EventCounts> counts() const {
    const std::size_t likelier = event_.direction == Direction::forward ? 0 : 1;
    const Side &one = sides_[likelier], &other = sides_[1 - likelier];
    std::vector<EventCounts> out(thresholds_.size(), {0, one.size, 0, other.size});
    Index in_one = 0, in_other = 0;
    for (std::size_t k = thresholds_.size(); k > 0; --k) {
      out[k - 1].in_first = in_one += one.reaching[k];
      out[k - 1].in_second = in_other += other.reaching[k];
    }
    return out;
  }
  EventCounts counts_of_the_event() const {
    const auto own = std::lower_bound(thresholds_.begin(), thresholds_.end(), event_.threshold);
    return counts()[static_cast<std::size_t>(own - thresholds_.begin())];
  }

 private:
  struct Side {
    std::vector<Index> reaching;  // so many of the thresholds
    Index size = 0;
  };
  const LearntEvent& event_;
  std::vector<double> thresholds_;
  std::array<Side, 2> sides_;
};

void add_trade_off(BlackBoxAudit& audit, const Counter& counter, double significance) {
  const std::vector<EventCounts> counted = counter.counts();
  const double share = significance / static_cast<double>(counted.size());
  struct Row {
    double alpha, alpha_upper, beta, beta_upper;
  };
  std::vector<Row> rows;
  double smallest_error = infinity;
  for (const EventCounts& counts : counted) {
    const Index n = counts.first_size, m = counts.second_size;
    const Row row{.alpha = static_cast<double>(counts.in_second) / static_cast<double>(m),
                  .alpha_upper = probability_upper(counts.in_second, m, share / 2),
                  .beta = static_cast<double>(n - counts.in_first) / static_cast<double>(n),
                  .beta_upper = 1 - probability_lower(counts.in_first, n, share / 2)};
    rows.push_back(row);
    // The test has power p at level q: mu >= quantile(p) - quantile(q) (Dong, Roth and Su, 2022).
    audit.mu_lower = std::max(audit.mu_lower, normal_quantile_of(1 - row.beta_upper) -
                                                  normal_quantile_of(row.alpha_upper) - rounding);
    if (row.alpha + row.beta < smallest_error) {
      smallest_error = row.alpha + row.beta;
      // Half an output more on each side keeps the quantiles finite.
      const auto quantile = [](Index k, Index size) {
        return normal_quantile_of((static_cast<double>(k) + 0.5) / (static_cast<double>(size) + 1));
      };
      audit.mu_estimate = quantile(counts.in_first, n) - quantile(counts.in_second, m);
    }
  }
  audit.trade_off = {.name = "trade-off curve",
                     .columns = {"alpha", "alpha_upper", "beta", "beta_upper", "beta_gaussian"}};
  for (const Row& row : rows) {
    const double gaussian = normal_probability(-normal_quantile_of(row.alpha) - audit.mu_estimate);
    audit.trade_off.rows.push_back(
        {row.alpha, row.alpha_upper, row.beta, row.beta_upper, gaussian});
  }
}

std::string counted(const EventBound& bound) {
  const EventCounts& c = bound.counts;
  const bool forward = bound.direction == Direction::forward;
  return fmt::format("{}: {} of {} outputs on the {} dataset, {} of {} on the other", bound.event,
                     c.in_first, c.first_size, forward ? "first" : "second", c.in_second,
                     c.second_size);
}

// Some outputs learn events that others count: the best of either direction.
class Fold {
 public:
  Fold(const OutputRange& first, const OutputRange& second, PrivacyGuarantee claimed, double share,
       OutputModel model)
      : events_(learn_events(first, second,
                             ApproximateEpsilon(claimed.delta, share / events_compared), model)) {
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      const auto event = std::find_if(events_.begin(), events_.end(),
                                      [&](const auto& e) { return e.direction == direction; });
      const bool forward = direction == Direction::forward;
      counters_.emplace_back(
          *event, trade_off_thresholds(*event, forward ? first : second, forward ? second : first));
    }
  }
  Fold(const Fold&) = delete;  // the counters refer to the events
  Fold& operator=(const Fold&) = delete;

  void count(std::size_t side, const OutputRange& outputs) {
    for (Counter& counter : counters_) counter.add(side, outputs);
  }
  const std::vector<Counter>& counters() const { return counters_; }
  const std::vector<LearntEvent>& events() const { return events_; }

 private:
  std::vector<LearntEvent> events_;  // best first
  std::vector<Counter> counters_;    // forward, backward
};

EventBound bound_of(const Counter& counter, PrivacyGuarantee claimed, double share) {
  const LearntEvent& event = counter.event();
  EventBound bound{.distinguisher = event.distinguisher,
                   .event = event.words,
                   .direction = event.direction,
                   .counts = counter.counts_of_the_event()};
  bound.epsilon_lower = epsilon_lower(bound.counts, claimed.delta, share);
  bound.p_value = p_value(bound.counts, claimed);
  return bound;
}

// The verdict on the best bound, and in words why.
void judge(BlackBoxAudit& audit, PrivacyGuarantee claimed, double share, double parts) {
  const EventCounts& counts = audit.best.counts;
  const double p = static_cast<double>(counts.in_first) / static_cast<double>(counts.first_size);
  const double q = static_cast<double>(counts.in_second) / static_cast<double>(counts.second_size);
  if (audit.epsilon_lower > claimed.epsilon) {
    audit.verdict = Verdict::refuted;
    audit.samples_needed = parts * size_needed(p, q, claimed, share);
    audit.reason = fmt::format("epsilon is at least {:.4g}, claimed {:.4g} ({})",
                               audit.epsilon_lower, claimed.epsilon, counted(audit.best));
  } else if (claimed.epsilon >= audit.ceiling) {
    audit.verdict = Verdict::inconclusive;
    audit.samples_needed = parts * size_needed(1, 0, claimed, share);
    audit.reason = fmt::format(
        "so many outputs show an epsilon of at most {:.4g}, claimed {:.4g}; {:.3g} outputs a side "
        "can decide",
        audit.ceiling, claimed.epsilon, audit.samples_needed);
  } else {
    audit.verdict = Verdict::consistent;
    audit.samples_needed = parts * size_needed(p, q, claimed, share);
    audit.reason = fmt::format(
        "no event found shows more than the claimed epsilon of {:.4g}; the best shows "
        "{:.4g}, of at most {:.4g} ({})",
        claimed.epsilon, audit.epsilon_lower, audit.ceiling, counted(audit.best));
  }
}

// From the counts of all folds; an event is counted on one of so many parts of the outputs.
BlackBoxAudit conclude(const std::list<Fold>& folds, PrivacyGuarantee claimed, double share,
                       double parts) {
  BlackBoxAudit audit;
  const Fold* best_fold = nullptr;
  const Counter* best = nullptr;
  for (const Fold& fold : folds)
    for (const Counter& counter : fold.counters()) {
      const EventBound bound = bound_of(counter, claimed, share);
      audit.bounds.push_back(bound);
      if (best == nullptr || bound.epsilon_lower > audit.best.epsilon_lower) {
        best = &counter;
        best_fold = &fold;
        audit.best = bound;
      }
    }
  for (const LearntEvent& event : best_fold->events())
    audit.found.push_back({event.distinguisher, event.words, event.direction, event.merit});
  add_trade_off(audit, *best, share);  // chosen among as many as share the significance
  audit.epsilon_lower = audit.best.epsilon_lower;
  // Of two halves the later is the larger one.
  const EventCounts sizes = audit.bounds.front().counts;
  audit.ceiling =
      std::max(epsilon_ceiling(sizes.first_size, sizes.second_size, claimed.delta, share),
               epsilon_ceiling(sizes.second_size, sizes.first_size, claimed.delta, share));
  judge(audit, claimed, share, parts);
  return audit;
}

void require_samples(const Outputs& first, const Outputs& second, PrivacyGuarantee claimed,
                     double significance) {
  require_claim(claimed, significance);
  require(first.size() >= 2, "number of outputs of the first sample",
          static_cast<double>(first.size()), "at least 2");
  require(second.size() >= 2, "number of outputs of the second sample",
          static_cast<double>(second.size()), "at least 2");
}

}  // namespace

Outputs draw_outputs(const Sampler& sampler, Index count, const RandomStream::Key& key,
                     int threads) {
  require(count >= 0, "number of outputs", static_cast<double>(count), "at least 0");
  constexpr Index chunk = 256, block = 256 * chunk;
  Outputs outputs;
  std::vector<VectorXd> drawn(static_cast<std::size_t>(std::min(count, block)));
  for (Index start = 0; start < count; start += block) {
    const Index end = std::min(count, start + block);
    parallel_for((end - start + chunk - 1) / chunk, threads, [&](Index task) {
      for (Index i = start + task * chunk; i < std::min(end, start + (task + 1) * chunk); ++i) {
        RandomStream::Key mine = key;
        mine.trial += static_cast<std::uint64_t>(i);
        RandomStream stream(mine);
        drawn[static_cast<std::size_t>(i - start)] = sampler(stream);
      }
    });
    if (start == 0) outputs.reserve(static_cast<std::size_t>(count), drawn[0].size());
    for (Index i = start; i < end; ++i)
      outputs.push_back(drawn[static_cast<std::size_t>(i - start)]);
  }
  return outputs;
}

BlackBoxAudit audit_outputs(Outputs first, Outputs second, PrivacyGuarantee claimed,
                            double significance, RandomStream selection, OutputModel model) {
  require_samples(first, second, claimed, significance);
  shuffle(first, selection);
  shuffle(second, selection);
  const double share = significance / 4;  // one event a fold and direction
  std::list<Fold> folds;
  for (const bool later : {false, true}) {  // the half that learns
    const auto half = [](const Outputs& all, bool behind) {
      const OutputRange whole = all;
      const std::size_t middle = all.size() / 2;
      return behind ? whole.part(middle, all.size()) : whole.part(0, middle);
    };
    Fold& fold = folds.emplace_back(half(first, later), half(second, later), claimed, share, model);
    fold.count(0, half(first, !later));
    fold.count(1, half(second, !later));
  }
  return conclude(folds, claimed, share, 2);
}

BlackBoxAudit audit_outputs(Outputs first, Outputs second, const FurtherOutputs& further,
                            PrivacyGuarantee claimed, double significance, RandomStream selection,
                            OutputModel model) {
  require_samples(first, second, claimed, significance);
  shuffle(first, selection);
  shuffle(second, selection);
  const double share = significance / 2;  // one event a direction
  std::list<Fold> folds;
  Fold& fold = folds.emplace_back(first, second, claimed, share, model);
  parallel_for(2, 2, [&](Index k) {
    const auto side = static_cast<std::size_t>(k);
    for (Outputs next = further(side); !next.empty(); next = further(side)) fold.count(side, next);
  });
  return conclude(folds, claimed, share, 1);
}

}  // namespace dpverify
