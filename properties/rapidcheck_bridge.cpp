#include "properties/rapidcheck_bridge.hpp"

#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "properties/point_search.hpp"

namespace dpverify {
namespace {

// Enough for the deepest shrink seen (about 200 trials) many times over.
constexpr int most_shrink_trials = 20'000;
constexpr int grid_steps = 10'000;

// RapidCheck's ranges shrink towards their first number: 0, 1, -1, 2, -2, ... shrinks towards 0.
int zigzag(int k) { return k % 2 == 0 ? -k / 2 : (k + 1) / 2; }

// A full range, whatever size RapidCheck has reached.
rc::Gen<int> range(int count) { return rc::gen::resize(100, rc::gen::inRange(0, count)); }

rc::Gen<double> entry() {
  const auto small = rc::gen::map(range(7), [](int k) { return double{zigzag(k) * 1.0}; });
  const auto decimal =
      rc::gen::map(rc::gen::tuple(range(19), range(25)), [](const std::tuple<int, int>& t) {
        return zigzag(std::get<0>(t)) * std::pow(10.0, zigzag(std::get<1>(t)));
      });
  const auto extreme = rc::gen::element(1e100, -1e100, 1e-300, std::numeric_limits<double>::max(),
                                        std::numeric_limits<double>::lowest());
  return rc::gen::weightedOneOf<double>({{4, small}, {5, decimal}, {1, extreme}});
}

rc::Gen<Record> record(Index entries) {
  return rc::gen::container<Record>(static_cast<std::size_t>(entries), entry());
}

// Where in its range a parameter stands: kind 0 is its simplest value, 1 and 2 the ends of the
// range, the others the given step of a grid.
using Place = std::pair<int, int>;

double at(const ParameterRange& r, const Place& place) {
  const auto& [kind, step] = place;
  if (kind == 0) return r.simplest;
  if (kind == 1) return r.lower;
  if (kind == 2) return r.upper;
  return value_at(r, static_cast<double>(step) / grid_steps);
}

using Places = std::vector<Place>;

rc::Gen<Places> places(const std::vector<ParameterRange>& ranges) {
  return rc::gen::container<Places>(ranges.size(), rc::gen::pair(range(6), range(grid_steps)));
}

ParameterPoint point(const std::vector<ParameterRange>& ranges, const Places& places) {
  ParameterPoint out;
  for (std::size_t k = 0; k < ranges.size(); ++k) out.add(ranges[k].name, at(ranges[k], places[k]));
  return out;
}

// Tries the generator's values until one fails, then follows the first failing shrink to its end.
template <class Raw, class Input>
PropertyResult<Input> run(const PropertySearch& search, const rc::Gen<Raw>& generator,
                          const std::function<Input(const Raw&)>& build,
                          const std::function<bool(const Input&)>& holds) {
  PropertyResult<Input> result;
  rc::Random random(search.seed);
  for (; result.cases < search.cases; ++result.cases) {
    const int size = static_cast<int>(result.cases % 100);
    rc::Shrinkable<Raw> shrinkable = generator(random.split(), size);
    if (holds(build(shrinkable.value()))) continue;
    int trials = 0;
    for (bool shrunk = true; shrunk && trials < most_shrink_trials;) {
      shrunk = false;
      auto simpler = shrinkable.shrinks();
      while (const auto next = simpler.next()) {
        if (++trials >= most_shrink_trials) break;
        if (holds(build(next->value()))) continue;
        shrinkable = *next;
        ++result.shrink_steps;
        shrunk = true;
        break;
      }
    }
    result.counterexample = build(shrinkable.value());
    break;
  }
  return result;
}

}  // namespace

PropertyResult<PropertyInput> search_pairs(const PropertySearch& search,
                                           const std::function<bool(const PropertyInput&)>& holds) {
  // Records carry the largest number of features; those beyond the drawn dimension are cut off.
  using Raw = std::tuple<std::vector<Record>, int, Record, int, Places, int>;
  const int dimensions = static_cast<int>(search.largest_dimension - search.smallest_dimension) + 1;
  const rc::Gen<Record> one = rc::gen::resize(100, record(search.largest_dimension + 1));
  const rc::Gen<Raw> generator = rc::gen::tuple(
      rc::gen::scale(0.12, rc::gen::nonEmpty(rc::gen::container<std::vector<Record>>(one))),
      range(1000), one, range(dimensions), places(search.ranges), range(1000));
  const std::function<PropertyInput(const Raw&)> build = [&](const Raw& raw) {
    const auto& [records, replaced, replacement, dimension, parameter_places, outcome_seed] = raw;
    const auto d = static_cast<std::size_t>(search.smallest_dimension + dimension);
    const auto cut = [d](const Record& full) {
      Record out(full.begin(), full.begin() + static_cast<std::ptrdiff_t>(d));
      out.push_back(full.back());
      return out;
    };
    std::vector<Record> cut_records;
    for (const Record& full : records) cut_records.push_back(cut(full));
    const auto index = static_cast<Index>(static_cast<std::size_t>(replaced) % records.size());
    return PropertyInput{point(search.ranges, parameter_places),
                         make_pair(cut_records, index, cut(replacement)),
                         static_cast<std::uint64_t>(outcome_seed)};
  };
  return run<Raw, PropertyInput>(search, generator, build, holds);
}

PropertyResult<ParameterPoint> search_points(
    const PropertySearch& search, const std::function<bool(const ParameterPoint&)>& holds) {
  using Raw = Places;
  const std::function<ParameterPoint(const Raw&)> build = [&](const Raw& raw) {
    return point(search.ranges, raw);
  };
  return run<Raw, ParameterPoint>(search, places(search.ranges), build, holds);
}

}  // namespace dpverify
