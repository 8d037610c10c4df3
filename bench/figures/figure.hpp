// A measured panel: its curves, and what they say of the text's statements.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/comparisons.hpp"
#include "bench/figures/panel.hpp"

namespace dpverify::figures {

// What a curve shows, one number a trial and x.
//   run:         the method's error
//   data_free:   that of the same method with the same noise and no data
//   noiseless:   that of the same method without noise: not private
//   zero_vector: the error of w = 0 (no method)
//   noise, signal: size of the noise and of the values it hides at the method's first release:
//     exponential mechanism: log|V|/coefficient, what the largest of |V| Gumbel variables adds, and
//       the best score above the mean score
//     noisy maximum: scale log|V| and the largest score
//     Laplace, Gaussian: scale or standard deviation, and the largest |coordinate|
enum class Quantity { run, data_free, noiseless, zero_vector, noise, signal };
std::string_view name(Quantity quantity);

inline constexpr double interval_level = 0.95;

struct Point {
  std::vector<double> values;  // one a trial; the same trial has the same data at every epsilon
  double mean = 0;
  double lower = 0, upper = 0;  // interval of the mean, Student's t; infinite if it has none
};

struct Curve {
  std::string method;  // empty: the zero vector
  Role role = Role::experiments;
  Quantity quantity = Quantity::run;
  double series = 0;
  std::vector<Point> points;  // one an x
};

// Of one statement, for one method: each comparison two-sided, all together at 5%.
struct Judgement {
  std::string statement;
  std::string method;
  Confirmation finding = Confirmation::undecided;
  std::string reason;  // the figures, in one sentence
};

// Is a method's curve evidence of learning?
struct NullTest {
  std::string method;
  // Points (x, series) where the error is below that of the zero vector and of the data-free run
  // (95%, simultaneous over the panel), and where it is above the smaller of the two.
  Index better = 0;
  Index worse = 0;
  Index points = 0;
  bool vacuous() const { return better == 0; }
};

// A value of the paper's own curve that its text prints.
struct PrintedPoint {
  double x = 0;
  double value = 0;
};

struct Figure {
  std::string id, title, source, note;
  std::string problem;  // in words
  std::string error = "excess risk";
  std::string x_name, series_name;
  std::vector<double> x, series;
  std::string fixed;  // "n = 10000"
  std::uint64_t seed = 0;
  Index trials = 0;
  double records_divisor = 1;
  std::vector<PrintedPoint> printed;  // none where n is divided
  std::vector<Curve> curves;
  std::vector<Judgement> judgements;
  std::vector<NullTest> null_tests;
  double seconds = 0;  // the only field that two runs do not share

  // Names in the order of the panel: the comparators, or the others.
  std::vector<std::string> methods(bool comparators) const;
  // Throws std::out_of_range if there is none.
  const Curve& curve(const std::string& method, Quantity quantity, double series_value) const;
};

// The mean with its interval.
Point summarised(std::vector<double> values);

}  // namespace dpverify::figures
