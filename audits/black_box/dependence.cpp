#include "audits/black_box/dependence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "algorithms/core/log_gamma.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

double log_choose(Index n, Index k) {
  if (k < 0 || k > n) return -infinity;
  const auto log_factorial = [](Index x) { return log_gamma(static_cast<double>(x) + 1); };
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

// Of x under a law with this mean and variance and these masses on from..to: the smaller of P(X <=
// x) and P(X >= x), or 1 within three standard deviations of the mean, where nobody needs it.
double smaller_tail(Index x, double mean, double variance, Index from, Index to,
                    const std::function<double(Index)>& mass) {
  if (std::abs(static_cast<double>(x) - mean) <= 3 * std::sqrt(variance)) return 1;
  double below = 0, above = 0;
  for (Index k = from; k <= x; ++k) below += mass(k);
  for (Index k = x; k <= to; ++k) above += mass(k);
  return std::min(below, above);
}

// Marks of the outputs in their order, of which `ones` are set.
struct Marks {
  Index size = 0;
  Index ones = 0;
  Index ones_in_half = 0;
  Index runs = 0;  // of equal marks

  double expected_changes() const {
    const auto n = static_cast<double>(size), m = static_cast<double>(ones);
    return 2 * m * (n - m) / n;
  }
};

// Of the number of runs in a random order.
double runs_tail(const Marks& marks) {
  const Index ones = marks.ones, zeros = marks.size - ones;
  const double total = log_choose(marks.size, ones), changes = marks.expected_changes();
  const auto n = static_cast<double>(marks.size);
  const auto mass = [=](Index runs) {
    const Index k = runs / 2;  // of one kind; of the other as many, or one more
    const auto ways = [&](Index of_ones, Index of_zeros) {
      return std::exp(log_choose(ones - 1, of_ones - 1) + log_choose(zeros - 1, of_zeros - 1) -
                      total);
    };
    return runs % 2 == 0 ? 2 * ways(k, k) : ways(k + 1, k) + ways(k, k + 1);
  };
  return smaller_tail(marks.runs, changes + 1, changes * (changes - 1) / (n - 1), 2, marks.size,
                      mass);
}

// Of the number of ones among the first half of a random order.
double half_tail(const Marks& marks) {
  const Index ones = marks.ones, zeros = marks.size - ones, half = marks.size / 2;
  const auto n = static_cast<double>(marks.size), m = static_cast<double>(ones),
             h = static_cast<double>(half);
  const double total = log_choose(marks.size, half);
  return smaller_tail(marks.ones_in_half, h * m / n, h * m * (n - m) * (n - h) / (n * n * (n - 1)),
                      std::max<Index>(0, half - zeros), std::min(half, ones), [=](Index x) {
                        return std::exp(log_choose(ones, x) + log_choose(zeros, half - x) - total);
                      });
}

// A coordinate that is missing or no number lies below every other.
double value_in(const Output& output, Index coordinate) {
  if (coordinate >= output.size() || std::isnan(output[coordinate])) return -infinity;
  return output[coordinate];
}

// Whether a coordinate is above its median; where it never is, whether it equals the median.
Marks marks_of(const Outputs& outputs, Index coordinate) {
  std::vector<double> values;
  values.reserve(outputs.size());
  for (const Output x : outputs) values.push_back(value_in(x, coordinate));
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  const double median = *middle;
  const bool above =
      std::any_of(values.begin(), values.end(), [=](double x) { return x > median; });
  Marks out{.size = static_cast<Index>(outputs.size())};
  bool before = false;
  for (Index k = 0; k < out.size; ++k) {
    const double x = value_in(outputs[static_cast<std::size_t>(k)], coordinate);
    const bool mark = above ? x > median : x == median;
    if (k == 0 || mark != before) ++out.runs;
    if (mark) ++out.ones;
    if (mark && k < out.size / 2) ++out.ones_in_half;
    before = mark;
  }
  return out;
}

}  // namespace

std::string dependence(const Outputs& outputs, double significance) {
  const Index dimension = OutputRange(outputs).dimension();
  // Two tests of two tails in every coordinate.
  const double level = significance / (4 * static_cast<double>(dimension));
  for (Index i = 0; i < dimension; ++i) {
    const Marks marks = marks_of(outputs, i);
    if (marks.ones == 0 || marks.ones == marks.size) continue;
    if (runs_tail(marks) < level)
      return fmt::format(
          "output[{}] depends on the output before it: it crosses its median {} times, where it "
          "would about {:.0f} times in a random order",
          i, marks.runs - 1, marks.expected_changes());
    if (half_tail(marks) < level)
      return fmt::format(
          "output[{}] drifts: {} of the {} values above its median stand in the first half", i,
          marks.ones_in_half, marks.ones);
  }
  return "";
}

}  // namespace dpverify
