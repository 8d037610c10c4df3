// Which of nested events can be best.
#pragma once

#include <vector>

#include "audits/black_box/column.hpp"

namespace dpverify::black_box {

// Events that grow, one after another: what each holds, and what it is called.
struct NestedEvent {
  Cell inside;
  double value = 0;  // whatever names the event
  double next = 0;
};

// Of events in the order in which they grow, those on the convex hull of their counts, on the side
// of many outputs of the first sample and few of the second, or the other way. A merit that falls
// nowhere along the one and rises nowhere along the other, and is quasi-convex, is largest there:
// of ten million thresholds some hundred need to be judged.
class Hull {
 public:
  explicit Hull(bool favours_first) : favours_first_(favours_first) {}

  void add(const NestedEvent& event) {
    while (events_.size() >= 2 &&
           !stands_out(events_[events_.size() - 2].inside, events_.back().inside, event.inside))
      events_.pop_back();
    events_.push_back(event);
  }
  void clear() { events_.clear(); }
  const std::vector<NestedEvent>& events() const { return events_; }

 private:
  bool stands_out(Cell before, Cell middle, Cell after) const {
    const Cell all = after - before, half = middle - before;
    const Index area = all.in_second * half.in_first - all.in_first * half.in_second;
    return favours_first_ ? area > 0 : area < 0;
  }

  bool favours_first_;
  std::vector<NestedEvent> events_;
};

}  // namespace dpverify::black_box
