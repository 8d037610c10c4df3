// The tails of a feature.
#include <fmt/format.h>

#include "algorithms/core/checked.hpp"
#include "audits/black_box/hull.hpp"
#include "audits/black_box/shortlist.hpp"

namespace dpverify::black_box {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Values as they come, from the smallest on, as nested tails: those at most `value`, and those at
// least `next`, which are all the others.
class Tails {
 public:
  void add(double value, Cell outputs) {
    if (last_.value != value) {
      last_.next = value;
      keep_last();
      last_.value = value;
    }
    last_.inside += outputs;
  }
  // After the last value that is a number: NaN is in no tail.
  void end() {
    last_.next = unknown;
    keep_last();
  }

  Choice best(bool upper, Direction direction, Cell sizes, const Shortlist& shortlist) const {
    const bool many_first = (direction == Direction::forward) != upper;
    Choice choice;
    for (const NestedEvent& tail : (many_first ? many_first_ : many_second_).events()) {
      const double end = upper ? tail.next : tail.value;
      if (std::isnan(end)) continue;
      shortlist.consider(choice, sizes, direction, upper ? last_.inside - tail.inside : tail.inside,
                         upper ? end : -end);
    }
    return choice;
  }

 private:
  void keep_last() {
    many_first_.add(last_);
    many_second_.add(last_);
  }

  NestedEvent last_{.value = unknown};
  Hull many_first_{true}, many_second_{false};
};

}  // namespace

void offer_thresholds(const Column& column, Kind kind, Shortlist& shortlist) {
  Tails tails;
  column.walk([&](std::uint64_t key, const Halves& outputs) {
    const double value = value_of(key);
    if (!std::isnan(value)) tails.add(value, outputs[0] + outputs[1]);
  });
  tails.end();
  const Feature& feature = column.feature();
  for (const bool upper : {true, false})
    for (const Direction direction : directions) {
      const Choice choice = tails.best(upper, direction, column.size(), shortlist);
      shortlist.offer(kind, direction, choice, [&](LearntEvent& event) {
        event.words =
            fmt::format("{} {} {}", feature.name,
                        upper ? ">=" : "<=", to_text(upper ? event.threshold : -event.threshold));
        event.score = feature.value;
        if (!upper) event.score = [value = feature.value](const Output& x) { return -value(x); };
      });
    }
}

}  // namespace dpverify::black_box
