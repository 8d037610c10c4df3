#include "audits/black_box/distinguishers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>

#include "algorithms/core/numbers.hpp"
#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Share of the first sample minus share of the second.
double difference(const EventCounts& c) {
  return static_cast<double>(c.in_first) / static_cast<double>(c.first_size) -
         static_cast<double>(c.in_second) / static_cast<double>(c.second_size);
}

Outputs draw(Index count, const char* purpose,
             const std::function<VectorXd(RandomStream&)>& sampler) {
  RandomStream stream({.seed = 1, .claim = "distinguishers", .purpose = purpose});
  Outputs outputs;
  for (Index i = 0; i < count; ++i) outputs.push_back(sampler(stream));
  return outputs;
}

VectorXd scalar(double x) { return VectorXd::Constant(1, x); }

std::vector<LearntEvent> learn(const Outputs& first, const Outputs& second,
                               OutputModel model = OutputModel::doubles) {
  return learn_events(first, second, difference, model);
}

// How well the best event of this kind tells fresh outputs apart.
double power(const std::vector<LearntEvent>& events, const std::string& distinguisher,
             Direction direction, const Outputs& first, const Outputs& second) {
  const auto event = std::find_if(events.begin(), events.end(), [&](const LearntEvent& e) {
    return e.distinguisher == distinguisher && e.direction == direction;
  });
  if (event == events.end()) return -1;
  const auto inside = [&](const Outputs& outputs) {
    return std::count_if(outputs.begin(), outputs.end(),
                         [&](const VectorXd& x) { return event->contains(x); });
  };
  const double found = difference({inside(first), static_cast<Index>(first.size()), inside(second),
                                   static_cast<Index>(second.size())});
  return direction == Direction::forward ? found : -found;
}

struct Case {
  const char* distinguisher;
  std::function<VectorXd(RandomStream&)> first, second;
  double least;  // power of the best possible event, less some sampling error
};

// Each kind finds the difference it is made for. (The other side of an interval is no interval.)
TEST(Distinguishers, FindWhatTheyAreFor) {
  const auto atoms = [](double shift) {
    return [shift](RandomStream& s) { return scalar(shift + static_cast<double>(s.index(40))); };
  };
  const std::vector<Case> cases{
      {"threshold", [](RandomStream& s) { return scalar(s.normal()); },
       [](RandomStream& s) { return scalar(s.normal() + 2); }, 0.6},  // 0.6827
      {"interval", [](RandomStream& s) { return scalar(s.normal()); },
       [](RandomStream& s) { return scalar(s.normal() * 4); }, 0.45},  // 0.5201
      {"cells",
       [](RandomStream& s) { return scalar(std::floor(10 * s.uniform()) * 2 + s.uniform()); },
       [](RandomStream& s) { return scalar(std::floor(10 * s.uniform()) * 2 + 1 + s.uniform()); },
       0.6},  // 1, but 31 cells straddle the 20 steps
      {"values", atoms(0), atoms(0.5), 0.99},
      {"linear direction",
       [](RandomStream& s) { return VectorXd(s.normal_vector(8).array() + 0.5); },
       [](RandomStream& s) { return VectorXd(s.normal_vector(8).array() - 0.5); }, 0.78},  // 0.8427
      {"neighbours",
       [](RandomStream& s) {
         const double sign = s.uniform() < 0.5 ? 1 : -1;
         return VectorXd{{sign * (1 + s.uniform()), sign * (1 + s.uniform())}};
       },
       [](RandomStream& s) {
         const double sign = s.uniform() < 0.5 ? 1 : -1;
         return VectorXd{{sign * (1 + s.uniform()), -sign * (1 + s.uniform())}};
       },
       0.95},  // 1
  };
  for (const Case& c : cases) {
    const std::vector<LearntEvent> events =
        learn(draw(2000, "first", c.first), draw(2000, "second", c.second));
    const Outputs first = draw(2000, "fresh first", c.first);
    const Outputs second = draw(2000, "fresh second", c.second);
    EXPECT_GE(power(events, c.distinguisher, Direction::forward, first, second), c.least)
        << c.distinguisher;
    if (std::string(c.distinguisher) == "interval") continue;
    EXPECT_GE(power(events, c.distinguisher, Direction::backward, first, second), c.least)
        << c.distinguisher;
  }
}

// Sums of noise and 0 or 1 are multiples of 2^-53 for the 1, of less near 0 for the 0.
TEST(Distinguishers, SeeTheLastBitsOfDoublesOnly) {
  const auto noisy = [](double value) {
    return [value](RandomStream& s) { return scalar(value + s.laplace()); };
  };
  const Outputs first = draw(4000, "first", noisy(0)), second = draw(4000, "second", noisy(1));
  const Outputs fresh_first = draw(4000, "fresh first", noisy(0));
  const Outputs fresh_second = draw(4000, "fresh second", noisy(1));
  // Merit that wants events that never occur in the second.
  const auto one_sided = [](const EventCounts& c) { return c.in_second > 0 ? -1 : difference(c); };
  for (const OutputModel model : {OutputModel::doubles, OutputModel::reals}) {
    const std::vector<LearntEvent> events = learn_events(first, second, one_sided, model);
    const double found = power(events, "threshold", Direction::forward, fresh_first, fresh_second);
    if (model == OutputModel::doubles)
      EXPECT_GT(found, 0.2);  // P(|noise| < 1/2, last bits set) is 0.27
    else
      EXPECT_LT(found, 0.01);
  }
}

// Normal noise in all coordinates, of standard deviation 1.15 against 1: the best threshold is one
// on the norm, which is 8.9 against 7.7 in 60 coordinates, each give or take 0.8; that on a single
// coordinate tells 0.05 of the outputs.
TEST(Distinguishers, ThresholdsOnTheNormSeeAScaleThatDiffersEverywhere) {
  const auto noise = [](double deviation) {
    return [deviation](RandomStream& stream) {
      VectorXd x(60);
      for (double& v : x) v = deviation * stream.normal();
      return x;
    };
  };
  const auto events = learn(draw(2'000, "first", noise(1.15)), draw(2'000, "second", noise(1)));
  EXPECT_GT(power(events, "threshold", Direction::forward, draw(2'000, "fresh first", noise(1.15)),
                  draw(2'000, "fresh second", noise(1))),
            0.4);
}

// 300 coordinates whose means differ a little, and one whose scale differs threefold: a hundred are
// fitted. The best event on that one has power 0.46, the best without it 0.2: it must come nearer
// the first.
TEST(Distinguishers, ALinearDirectionKeepsCoordinatesThatDifferInScale) {
  const auto noise = [](double shift, double deviation) {
    return [=](RandomStream& stream) {
      VectorXd x(301);
      for (double& v : x) v = shift + stream.normal();
      x[300] = deviation * stream.normal();
      return x;
    };
  };
  const auto events =
      learn(draw(2'000, "first", noise(0.05, 3)), draw(2'000, "second", noise(0, 1)));
  EXPECT_GT(
      power(events, "linear direction", Direction::forward,
            draw(2'000, "fresh first", noise(0.05, 3)), draw(2'000, "fresh second", noise(0, 1))),
      0.33);
}

// A continuous output seen once on one side is no evidence: a union of such values, which separates
// the training outputs perfectly, must not be chosen.
TEST(Distinguishers, ValuesSeenOnceAreNoEvidence) {
  const auto sampler = [](RandomStream& s) {
    return scalar(s.uniform() < 0.01 ? 0 : s.normal());  // an atom, so that something repeats
  };
  for (const LearntEvent& event :
       learn(draw(3000, "first", sampler), draw(3000, "second", sampler)))
    EXPECT_LT(event.merit, 0.15) << event.distinguisher << ": " << event.words;
}

// NaN, infinities, lengths and signs of zero are outputs like any other.
TEST(Distinguishers, FailuresAreOutputs) {
  const auto mix = [](const VectorXd& odd) {
    return
        [odd](RandomStream& s) { return s.uniform() < 0.3 ? odd : VectorXd(s.normal_vector(2)); };
  };
  const VectorXd usual{{0.25, 0.5}};
  const std::vector<VectorXd> odd_outputs{
      VectorXd{{nan, 0.5}}, VectorXd{{0.25, infinity}}, VectorXd{{0.25, -infinity}}, VectorXd{},
      VectorXd{{0.25}},     VectorXd{{0.25, 0.5, 0.5}}, VectorXd{{0.25, -0.0}}};
  for (std::size_t k = 0; k < odd_outputs.size(); ++k) {
    const VectorXd other = k + 1 == odd_outputs.size() ? VectorXd{{0.25, 0.0}} : usual;
    const Outputs first = draw(500, "first", mix(odd_outputs[k]));
    const Outputs second = draw(500, "second", mix(other));
    const std::vector<LearntEvent> events = learn(first, second);
    EXPECT_GT(events.front().merit, 0.2) << k;
    EXPECT_TRUE(events.front().contains(odd_outputs[k]) !=
                (events.front().direction == Direction::backward));
    EXPECT_TRUE(events.front().contains(other) ==
                (events.front().direction == Direction::backward));
  }
}

Index count_inside(const LearntEvent& event, const Outputs& outputs) {
  return std::count_if(outputs.begin(), outputs.end(),
                       [&](const Output& x) { return event.contains(x); });
}

TEST(Distinguishers, CountsOfThresholdsAreThoseOfTheOutputs) {
  const Outputs first = draw(300, "first", [](RandomStream& s) { return s.normal_vector(3); });
  const Outputs second =
      draw(200, "second", [](RandomStream& s) { return VectorXd(1.3 * s.normal_vector(3)); });
  for (const LearntEvent& event : learn(first, second)) {
    if (event.distinguisher != "threshold") continue;
    const bool forward = event.direction == Direction::forward;
    const Outputs &likelier = forward ? first : second, &other = forward ? second : first;
    EXPECT_EQ(event.counts.in_first, count_inside(event, likelier)) << event.words;
    EXPECT_EQ(event.counts.in_second, count_inside(event, other)) << event.words;
    EXPECT_EQ(event.counts.first_size, static_cast<Index>(likelier.size()));
    EXPECT_EQ(event.counts.second_size, static_cast<Index>(other.size()));
  }
}

// Irrational weights: no two events are equally good.
double weighted(const EventCounts& c) {
  return static_cast<double>(c.in_first) / static_cast<double>(c.first_size) -
         std::sqrt(1.01) * static_cast<double>(c.in_second) / static_cast<double>(c.second_size);
}

// Of every other number, how many are in [lower, upper).
EventCounts counts_between(double lower, double upper, const Outputs& likelier,
                           const Outputs& other, std::size_t parity) {
  const auto inside = [&](const Outputs& outputs) {
    std::pair<Index, Index> found;
    for (std::size_t k = parity; k < outputs.size(); k += 2) {
      ++found.second;
      if (outputs[k][0] >= lower && outputs[k][0] < upper) ++found.first;
    }
    return found;
  };
  const auto [a, n] = inside(likelier);
  const auto [b, m] = inside(other);
  return {a, n, b, m};
}

// The interval that the even outputs choose is counted on the odd ones, and the other way: by
// trying all pairs of ends, which are 1/11, ..., 10/11 of all 501 numbers.
TEST(Distinguishers, CountsOfAnIntervalAreOfTheOutputsThatDidNotChooseIt) {
  const Outputs first = draw(301, "first", [](RandomStream& s) { return scalar(s.normal()); });
  const Outputs second =
      draw(200, "second", [](RandomStream& s) { return scalar(1.5 * s.normal()); });
  std::vector<double> numbers, ends{-infinity};
  for (const Outputs* outputs : {&first, &second})
    for (const Output x : *outputs) numbers.push_back(x[0]);
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t k = 1; k < 11; ++k) ends.push_back(numbers[k * 501 / 11]);
  ends.push_back(infinity);
  int intervals = 0;
  for (const LearntEvent& event : learn_events(first, second, weighted, OutputModel::reals)) {
    if (event.distinguisher != "interval") continue;
    ++intervals;
    const bool forward = event.direction == Direction::forward;
    const Outputs &likelier = forward ? first : second, &other = forward ? second : first;
    EventCounts total;
    for (const std::size_t parity : {0U, 1U}) {
      std::pair<double, double> chosen;
      double best = -infinity;
      for (std::size_t from = 0; from < ends.size(); ++from)
        for (std::size_t to = from + 1; to < ends.size(); ++to) {
          const double merit =
              weighted(counts_between(ends[from], ends[to], likelier, other, parity));
          if (merit <= best) continue;
          best = merit;
          chosen = {ends[from], ends[to]};
        }
      const EventCounts held_out =
          counts_between(chosen.first, chosen.second, likelier, other, 1 - parity);
      total.in_first += held_out.in_first;
      total.first_size += held_out.first_size;
      total.in_second += held_out.in_second;
      total.second_size += held_out.second_size;
    }
    EXPECT_EQ(event.counts.in_first, total.in_first) << event.words;
    EXPECT_EQ(event.counts.in_second, total.in_second) << event.words;
    EXPECT_EQ(event.counts.first_size, total.first_size);
    EXPECT_EQ(event.counts.second_size, total.second_size);
  }
  EXPECT_EQ(intervals, 2);
}

// Of two samples of one law no event has merit but by luck: 0.05 for the best interval of all if it
// is counted on the outputs that chose it (Kuiper's statistic), more for the best union.
TEST(Distinguishers, LuckHasNoMerit) {
  constexpr int trials = 20;
  std::map<std::string, double> merits;
  RandomStream stream({.seed = 2, .claim = "distinguishers", .purpose = "one law"});
  for (int trial = 0; trial < trials; ++trial) {
    std::array<Outputs, 2> samples;
    for (Outputs& sample : samples)
      for (int k = 0; k < 2000; ++k) sample.push_back(scalar(stream.normal()));
    for (const LearntEvent& event :
         learn_events(samples[0], samples[1], difference, OutputModel::reals))
      merits[event.distinguisher] += event.merit / (2 * trials);
  }
  for (const char* kind : {"interval", "cells"}) {
    ASSERT_EQ(merits.count(kind), 1U);
    EXPECT_LT(merits[kind], 0.025) << kind;
  }
}

// Too few outputs for two halves choose and count together.
TEST(Distinguishers, FewOutputsAreAllCounted) {
  const Outputs first = draw(19, "first", [](RandomStream& s) { return scalar(s.normal()); });
  const Outputs second = draw(19, "second", [](RandomStream& s) { return scalar(s.normal()); });
  for (const LearntEvent& event : learn(first, second, OutputModel::reals)) {
    if (event.distinguisher == "cells") continue;
    const bool forward = event.direction == Direction::forward;
    EXPECT_EQ(event.counts.in_first, count_inside(event, forward ? first : second)) << event.words;
    EXPECT_EQ(event.counts.in_second, count_inside(event, forward ? second : first)) << event.words;
  }
}

// What is learnt on every other output sets its threshold on the rest, the smaller part.
TEST(Distinguishers, LearntFeaturesAreCountedOnOutputsThatTheyHaveNotSeen) {
  const auto sampler = [](RandomStream& s) { return s.normal_vector(3); };
  int learnt = 0;
  for (const LearntEvent& event :
       learn(draw(301, "first", sampler), draw(201, "second", sampler))) {
    if (event.distinguisher != "linear direction" && event.distinguisher != "neighbours") continue;
    ++learnt;
    const bool forward = event.direction == Direction::forward;
    EXPECT_EQ(event.counts.first_size, forward ? 150 : 100) << event.words;
    EXPECT_EQ(event.counts.second_size, forward ? 100 : 150) << event.words;
  }
  EXPECT_EQ(learnt, 4);
}

// The smallest samples there are: both directions have an event, whatever the outputs.
TEST(Distinguishers, SmallestSamples) {
  for (const VectorXd& x : {VectorXd{}, scalar(0), scalar(nan), VectorXd{{1.0, nan}}})
    for (const VectorXd& y : {VectorXd{}, scalar(0), scalar(infinity)}) {
      const std::vector<LearntEvent> events = learn({x}, {y});
      for (const Direction direction : {Direction::forward, Direction::backward})
        EXPECT_TRUE(std::any_of(events.begin(), events.end(),
                                [&](const auto& e) { return e.direction == direction; }));
    }
}

}  // namespace
}  // namespace dpverify
