// The tables of the evidence on a rate claim. They are written and read here alone: everybody else
// sees these types, so that nothing is found by the wording of a column.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/claims/evidence.hpp"
#include "bench/statistics.hpp"

namespace dpverify {

// One point of a sweep: the statistic of the excess risk with its 95% interval, NaN where it was
// not measured.
struct RateCurvePoint {
  double value = 0;  // of the varied quantity
  Located run;
  double bound = 0;  // the theorem's
  Located data_free;
  double zero_vector = 0;
  Located non_private;
  std::vector<Located> comparators;  // as many as there are names
  double lower_bound = 0;            // on the mean of every private run; 0: none is known
};

struct RateCurve {
  std::string variable;
  std::vector<std::string> comparators;  // names
  std::vector<RateCurvePoint> points;    // at least one, all with a lower bound or none
};

Table to_table(const RateCurve& curve);
// Nothing, if the evidence holds no curve. Throws std::invalid_argument for one that is damaged.
std::optional<RateCurve> read_rate_curve(const Evidence& evidence);

// What a comparison of two runs reads: excess risk/bound of trials whose number does not depend on
// what they show: of the first look, this many at most.
struct FirstTrials {
  double value = 0;  // of the varied quantity
  std::vector<double> ratios;
};
inline constexpr Index most_first_trials = 40;

Table to_table(const std::string& variable, const std::vector<FirstTrials>& points);
bool holds_first_trials(const Table& table);
// Throws std::logic_error if the evidence has none.
std::vector<FirstTrials> read_first_trials(const Evidence& evidence);

}  // namespace dpverify
