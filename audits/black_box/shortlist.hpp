// The best event of each kind and direction among those that features give.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/core/numbers.hpp"
#include "audits/black_box/column.hpp"

namespace dpverify::black_box {

// The kinds of events, simplest first: of equal merit, the simplest counts.
enum class Kind { threshold, values, interval, cells, linear_direction, neighbours };
const char* name(Kind kind);

inline constexpr std::array directions{Direction::forward, Direction::backward};

// The best so far among nested or numbered events.
struct Choice {
  double merit = -infinity;
  EventCounts counts;
  double threshold = 0;
};

class Shortlist {
 public:
  explicit Shortlist(const Merit& merit) : merit_(merit) {}

  // Replaces the choice if `inside` of `sizes` outputs in the event are better.
  void consider(Choice& choice, Cell sizes, Direction direction, Cell inside,
                double threshold) const {
    EventCounts counts{inside.in_first, sizes.in_first, inside.in_second, sizes.in_second};
    if (direction == Direction::backward)
      counts = {counts.in_second, counts.second_size, counts.in_first, counts.first_size};
    const double merit = merit_(counts);
    if (merit > choice.merit) choice = {merit, counts, threshold};
  }

  // Keeps the event if it is the best of its kind and direction; `describe` fills in words and
  // score.
  template <typename Describe>
  void offer(Kind kind, Direction direction, const Choice& choice, const Describe& describe) {
    if (choice.merit == -infinity) return;
    LearntEvent& best = best_[{kind, direction}];
    if (best.score && choice.merit <= best.merit) return;
    best = {.distinguisher = name(kind),
            .threshold = choice.threshold,
            .direction = direction,
            .counts = choice.counts,
            .merit = choice.merit};
    describe(best);
  }

  std::vector<LearntEvent> ranking() && {
    std::vector<LearntEvent> events;
    for (auto& [key, event] : best_) events.push_back(std::move(event));
    std::stable_sort(events.begin(), events.end(),
                     [](const auto& a, const auto& b) { return a.merit > b.merit; });
    return events;
  }

 private:
  const Merit& merit_;
  std::map<std::pair<Kind, Direction>, LearntEvent> best_;
};

// Simple before complex: a threshold is judged by the outputs that choose it. Intervals and unions
// of cells can fit their outputs by luck. Where either half of the outputs has so many of either
// sample, what each half chooses is counted by the other; what is offered is the choice of all.
inline constexpr Index fewest_held_out = 10;  // in a half
inline bool are_held_out(const Halves& sizes) {
  return std::min({sizes[0].in_first, sizes[0].in_second, sizes[1].in_first, sizes[1].in_second}) >=
         fewest_held_out;
}

// Each offers its best events of a column: tails; sets of values; intervals and unions of cells
// that are equally frequent.
void offer_thresholds(const Column& column, Kind kind, Shortlist& shortlist);
void offer_values(const Column& column, Shortlist& shortlist);
void offer_cells(const Column& column, Shortlist& shortlist);

}  // namespace dpverify::black_box
