#include "audits/black_box/black_box.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
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

EventCounts count(const LearntEvent& event, const OutputRange& first, const OutputRange& second) {
  const auto inside = [&](const OutputRange& outputs) {
    Index count = 0;
    for (const Output x : outputs) count += event.contains(x) ? 1 : 0;
    return count;
  };
  return {inside(first), static_cast<Index>(first.size()), inside(second),
          static_cast<Index>(second.size())};
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

// How many scores reach each of the sorted thresholds.
std::vector<Index> reaching(const LearntEvent& event, const std::vector<double>& thresholds,
                            const OutputRange& outputs) {
  std::vector<Index> counts(thresholds.size() + 1);
  for (const Output x : outputs)
    ++counts[static_cast<std::size_t>(
        std::upper_bound(thresholds.begin(), thresholds.end(), score_of(event, x)) -
        thresholds.begin())];
  for (std::size_t k = thresholds.size(); k > 0; --k) counts[k - 1] += counts[k];
  counts.erase(counts.begin());
  return counts;
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

void add_trade_off(BlackBoxAudit& audit, const LearntEvent& event,
                   const std::vector<double>& thresholds, const OutputRange& first,
                   const OutputRange& second, double significance) {
  const std::vector<Index> in_first = reaching(event, thresholds, first),
                           in_second = reaching(event, thresholds, second);
  const auto n = static_cast<Index>(first.size()), m = static_cast<Index>(second.size());
  const double share = significance / static_cast<double>(thresholds.size());
  struct Row {
    double alpha, alpha_upper, beta, beta_upper;
  };
  std::vector<Row> rows;
  double smallest_error = infinity;
  for (std::size_t k = 0; k < thresholds.size(); ++k) {
    const EventCounts counts{in_first[k], n, in_second[k], m};
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

// Half of the outputs learns events that the other half counts.
struct Fold {
  OutputRange training_first, training_second, estimation_first, estimation_second;
  std::vector<LearntEvent> events;
};

Fold make_fold(const Outputs& first, const Outputs& second, bool swapped) {
  const auto half = [](const OutputRange& all, bool later) {
    const std::size_t middle = all.size() / 2;
    return later ? all.part(middle, all.size()) : all.part(0, middle);
  };
  return {half(first, swapped),
          half(second, swapped),
          half(first, !swapped),
          half(second, !swapped),
          {}};
}

EventBound bound_of(const LearntEvent& event, const Fold& fold, PrivacyGuarantee claimed,
                    double share) {
  const bool forward = event.direction == Direction::forward;
  EventBound bound{.distinguisher = event.distinguisher,
                   .event = event.words,
                   .direction = event.direction,
                   .counts = count(event, forward ? fold.estimation_first : fold.estimation_second,
                                   forward ? fold.estimation_second : fold.estimation_first)};
  bound.epsilon_lower = epsilon_lower(bound.counts, claimed.delta, share);
  bound.p_value = p_value(bound.counts, claimed);
  return bound;
}

// The verdict on the best bound, and in words why.
void judge(BlackBoxAudit& audit, PrivacyGuarantee claimed, double share) {
  const EventCounts& counts = audit.best.counts;
  const double p = static_cast<double>(counts.in_first) / static_cast<double>(counts.first_size);
  const double q = static_cast<double>(counts.in_second) / static_cast<double>(counts.second_size);
  if (audit.epsilon_lower > claimed.epsilon) {
    audit.verdict = Verdict::refuted;
    audit.samples_needed = 2 * size_needed(p, q, claimed, share);
    audit.reason = fmt::format("epsilon is at least {:.4g}, claimed {:.4g} ({})",
                               audit.epsilon_lower, claimed.epsilon, counted(audit.best));
  } else if (claimed.epsilon >= audit.ceiling) {
    audit.verdict = Verdict::inconclusive;
    audit.samples_needed = 2 * size_needed(1, 0, claimed, share);
    audit.reason = fmt::format(
        "so many outputs show an epsilon of at most {:.4g}, claimed {:.4g}; {:.3g} outputs a side "
        "can decide",
        audit.ceiling, claimed.epsilon, audit.samples_needed);
  } else {
    audit.verdict = Verdict::consistent;
    audit.samples_needed = 2 * size_needed(p, q, claimed, share);
    audit.reason = fmt::format(
        "no event found shows more than the claimed epsilon of {:.4g}; the best shows "
        "{:.4g}, of at most {:.4g} ({})",
        claimed.epsilon, audit.epsilon_lower, audit.ceiling, counted(audit.best));
  }
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
  require_claim(claimed, significance);
  require(first.size() >= 2, "number of outputs of the first sample",
          static_cast<double>(first.size()), "at least 2");
  require(second.size() >= 2, "number of outputs of the second sample",
          static_cast<double>(second.size()), "at least 2");
  shuffle(first, selection);
  shuffle(second, selection);
  std::array<Fold, 2> folds;
  const double share = significance / 4;  // one event a fold and direction
  BlackBoxAudit audit;
  const Fold* best_fold = nullptr;
  const LearntEvent* best = nullptr;
  for (const bool swapped : {false, true}) {
    Fold& fold = folds[swapped ? 1 : 0];
    fold = make_fold(first, second, swapped);
    fold.events = learn_events(fold.training_first, fold.training_second,
                               ApproximateEpsilon(claimed.delta, share / events_compared), model);
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      const auto event = std::find_if(fold.events.begin(), fold.events.end(),
                                      [&](const auto& e) { return e.direction == direction; });
      const EventBound bound = bound_of(*event, fold, claimed, share);
      audit.bounds.push_back(bound);
      if (best == nullptr || bound.epsilon_lower > audit.best.epsilon_lower) {
        best = &*event;
        best_fold = &fold;
        audit.best = bound;
      }
    }
  }
  for (const LearntEvent& event : best_fold->events)
    audit.found.push_back({event.distinguisher, event.words, event.direction, event.merit});

  const bool forward = best->direction == Direction::forward;
  const auto ordered = [forward](const OutputRange& one, const OutputRange& other) {
    return forward ? std::pair{one, other} : std::pair{other, one};
  };
  const auto [training_likelier, training_other] =
      ordered(best_fold->training_first, best_fold->training_second);
  const auto [likelier, other] = ordered(best_fold->estimation_first, best_fold->estimation_second);
  add_trade_off(audit, *best, trade_off_thresholds(*best, training_likelier, training_other),
                likelier, other, share);  // chosen among as many as share the significance

  // The later half is the larger one.
  const auto size_first = static_cast<Index>(folds[0].estimation_first.size());
  const auto size_second = static_cast<Index>(folds[0].estimation_second.size());
  audit.epsilon_lower = audit.best.epsilon_lower;
  audit.ceiling = std::max(epsilon_ceiling(size_first, size_second, claimed.delta, share),
                           epsilon_ceiling(size_second, size_first, claimed.delta, share));
  judge(audit, claimed, share);
  return audit;
}

}  // namespace dpverify
