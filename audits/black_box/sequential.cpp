#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "algorithms/core/bisect.hpp"
#include "algorithms/core/numbers.hpp"
#include "audits/black_box/black_box.hpp"

namespace dpverify {
namespace {

// Where one output lies: in the event that should be likelier on the first dataset, in that for the
// second, in both or in neither.
struct Place {
  bool forward = false;
  bool backward = false;
};

// One number a direction.
struct Both {
  double forward = 0;
  double backward = 0;
};

// What a pair of outputs, one a side, pays per unit staked on either event. Mean at most 0 if the
// claim is true, whatever the events.
Both payoff(Place first, Place second, PrivacyGuarantee claimed) {
  const double ratio = std::exp(claimed.epsilon);
  return {(first.forward ? 1 : 0) - (second.forward ? ratio : 0) - claimed.delta,
          (second.backward ? 1 : 0) - (first.backward ? ratio : 0) - claimed.delta};
}

// What the wealth is multiplied by.
double factor(Both stakes, Both pays) {
  return 1 + stakes.forward * pays.forward + stakes.backward * pays.backward;
}

// The most both stakes together may be for the factor to stay positive.
double largest_stake(PrivacyGuarantee claimed) {
  return 1 / (std::exp(claimed.epsilon) + claimed.delta);
}

// Half an output more inside and outside: no event is certain (Krichevsky and Trofimov, 1981).
double smoothed(Index count, Index size) {
  return (static_cast<double>(count) + 0.5) / (static_cast<double>(size) + 1);
}

// The growth rate of betting on one event with these frequencies, to second order.
struct Growth {
  PrivacyGuarantee claimed;
  double operator()(const EventCounts& counts) const {
    const double ratio = std::exp(claimed.epsilon);
    const double p = smoothed(counts.in_first, counts.first_size);
    const double q = smoothed(counts.in_second, counts.second_size);
    const double mean = p - ratio * q - claimed.delta;
    if (mean <= 0) return mean;
    return mean * mean / (p + ratio * ratio * q + claimed.delta * claimed.delta);
  }
};

struct Bet {
  LearntEvent forward;
  LearntEvent backward;
  Both stakes;

  Place place(const Output& output) const {
    return {stakes.forward > 0 && forward.contains(output),
            stakes.backward > 0 && backward.contains(output)};
  }
};

// Stakes of largest expected log wealth if the two events are disjoint and as frequent as in
// training.
Both best_stakes(const EventCounts& forward, const EventCounts& backward,
                 PrivacyGuarantee claimed) {
  // Probabilities of: the forward event, the backward event, neither.
  const auto chances = [](double one, double other) {
    const double total = std::max(1.0, one + other);
    return std::array{one / total, other / total, std::max(0.0, 1 - (one + other) / total)};
  };
  const std::array on_first = chances(smoothed(forward.in_first, forward.first_size),
                                      smoothed(backward.in_second, backward.second_size));
  const std::array on_second = chances(smoothed(forward.in_second, forward.second_size),
                                       smoothed(backward.in_first, backward.first_size));
  struct Result {
    double chance;
    Both pays;
  };
  std::vector<Result> results;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      results.push_back(
          {on_first[i] * on_second[j], payoff({i == 0, i == 1}, {j == 0, j == 1}, claimed)});
  // One stake at a time to where the derivative changes its sign: the growth is concave.
  Both stakes;
  const double most = 0.95 * largest_stake(claimed);
  for (int round = 0; round < 6; ++round)
    for (double Both::*which : {&Both::forward, &Both::backward}) {
      double low = 0, high = most - (which == &Both::forward ? stakes.backward : stakes.forward);
      for (int step = 0; step < 20; ++step) {
        stakes.*which = (low + high) / 2;
        double slope = 0;
        for (const Result& result : results)
          slope += result.chance * result.pays.*which / factor(stakes, result.pays);
        (slope > 0 ? low : high) = stakes.*which;
      }
      stakes.*which = low;  // 0 exactly where no bet is worth while
    }
  return stakes;
}

Bet learn_bet(const Outputs& first, const Outputs& second, PrivacyGuarantee claimed,
              OutputModel model) {
  const std::vector<LearntEvent> events = learn_events(first, second, Growth{claimed}, model);
  const auto best = [&](Direction direction) {
    return *std::find_if(events.begin(), events.end(),
                         [&](const auto& e) { return e.direction == direction; });
  };
  Bet bet{best(Direction::forward), best(Direction::backward), {}};
  bet.stakes = best_stakes(bet.forward.counts, bet.backward.counts, claimed);
  return bet;
}

// All pairs that one bet met: the wealth at any other claimed epsilon follows.
struct Round {
  Both stakes;
  std::array<std::array<Index, 4>, 4> pairs{};  // by place of the first and the second output
};

std::size_t number(Place place) { return (place.forward ? 1 : 0) + (place.backward ? 2 : 0); }

// Had the same bets been made against another epsilon: gone if a bet could have lost more than all.
double log_wealth_against(double epsilon, double delta, const std::vector<Round>& rounds) {
  const PrivacyGuarantee claimed{epsilon, delta};
  const auto place = [](std::size_t k) { return Place{(k & 1) != 0, (k & 2) != 0}; };
  double log_wealth = 0;
  for (const Round& round : rounds) {
    if (round.stakes.forward + round.stakes.backward >= largest_stake(claimed)) return -infinity;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        if (round.pairs[i][j] > 0)
          log_wealth += static_cast<double>(round.pairs[i][j]) *
                        std::log(factor(round.stakes, payoff(place(i), place(j), claimed)));
  }
  return log_wealth;
}

constexpr Index opening = 16;  // outputs a side before the first bet

// The smallest epsilon that the same bets do not refute: the wealth falls as the epsilon it is bet
// against grows.
double smallest_not_refuted(PrivacyGuarantee claimed, const std::vector<Round>& rounds,
                            double goal) {
  const double low = claimed.epsilon;
  double high = claimed.epsilon + 1;
  while (log_wealth_against(high, claimed.delta, rounds) >= goal) high += 1;
  const auto loses = [&](double epsilon) {
    return log_wealth_against(epsilon, claimed.delta, rounds) < goal;
  };
  return bisect(low, high, loses, 50).low;
}

// In words what the bets show; inconclusive if none could have won enough.
void judge(SequentialAudit& audit, PrivacyGuarantee claimed, double significance,
           Index largest_samples) {
  const double goal = -std::log(significance);
  // The most wealth that so many pairs can give: every one wins the largest stake.
  const double of_one_pair = std::log1p(largest_stake(claimed) * (1 - claimed.delta));
  const double most =
      static_cast<double>(std::max<Index>(0, largest_samples - opening)) * of_one_pair;
  if (audit.verdict == Verdict::refuted) {
    audit.reason = fmt::format("wealth reached {:.4g} after {} outputs a side, betting on {}",
                               std::exp(audit.log_wealth), audit.samples, audit.event);
  } else if (most < goal) {
    audit.verdict = Verdict::inconclusive;
    audit.reason = fmt::format(
        "with {} outputs a side no bet on any event could have won enough; {:.4g} are needed at "
        "least",
        audit.samples, static_cast<double>(opening) + std::ceil(goal / of_one_pair));
  } else {
    audit.reason = fmt::format(
        "no bet on {} outputs a side refuted the claim: wealth reached {:.4g} at most, and {:.4g} "
        "would refute",
        audit.samples, std::exp(audit.largest_log_wealth), 1 / significance);
  }
}

}  // namespace

SequentialAudit audit_sequentially(const OutputSource& next, PrivacyGuarantee claimed,
                                   double significance, Index largest_samples, OutputModel model) {
  require_claim(claimed, significance);
  const double goal = -std::log(significance);
  SequentialAudit audit;
  Outputs on_first, on_second;
  std::vector<Round> rounds;
  Bet bet;
  const auto draw = [&](Index count) {
    const std::array<Outputs, 2> more = next(count);
    on_first.append(more[0]);
    on_second.append(more[1]);
  };
  draw(std::min(opening, largest_samples));
  audit.samples = on_first.size();
  while (audit.verdict != Verdict::refuted && static_cast<Index>(audit.samples) < largest_samples) {
    const auto seen = static_cast<Index>(audit.samples);
    bet = learn_bet(on_first, on_second, claimed, model);
    // Learning often pays while there is little to learn from, and costs most when there is much.
    draw(std::min(std::max<Index>(4, seen / (seen < 2000 ? 10 : 4)), largest_samples - seen));
    rounds.push_back({.stakes = bet.stakes});
    for (std::size_t i = audit.samples; i < on_first.size(); ++i) {
      const Place a = bet.place(on_first[i]), b = bet.place(on_second[i]);
      audit.log_wealth += std::log(factor(bet.stakes, payoff(a, b, claimed)));
      audit.largest_log_wealth = std::max(audit.largest_log_wealth, audit.log_wealth);
      ++rounds.back().pairs[number(a)][number(b)];
      ++audit.samples;
      if (audit.log_wealth >= goal) {
        audit.verdict = Verdict::refuted;
        break;
      }
    }
  }

  if (audit.log_wealth >= goal) audit.epsilon_lower = smallest_not_refuted(claimed, rounds, goal);
  if (!rounds.empty())
    audit.event =
        bet.stakes.forward >= bet.stakes.backward ? bet.forward.words : bet.backward.words;
  judge(audit, claimed, significance, largest_samples);
  return audit;
}

SequentialAudit audit_sequentially(const Sampler& first, const Sampler& second,
                                   PrivacyGuarantee claimed, double significance,
                                   Index largest_samples, RandomStream::Key key, OutputModel model,
                                   int threads) {
  Index drawn = 0;
  const auto next = [&](Index count) {
    std::array<Outputs, 2> outputs;
    for (const bool side : {true, false}) {
      RandomStream::Key mine = key;
      mine.purpose = side ? "first dataset" : "second dataset";
      mine.trial += static_cast<std::uint64_t>(drawn);
      outputs[side ? 0 : 1] = draw_outputs(side ? first : second, count, mine, threads);
    }
    drawn += count;
    return outputs;
  };
  return audit_sequentially(next, claimed, significance, largest_samples, model);
}

}  // namespace dpverify
